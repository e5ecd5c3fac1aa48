"""Resource limits: relative to what the process already has, and never raised."""

from __future__ import annotations

import subprocess
import sys

from fumehood.sandbox import rlimits

CODE = """
import errno, mmap, os, resource, sys
from fumehood.sandbox import rlimits, system
base = rlimits.own_size()
{before}
rlimits.install(base, 64 * 1024 * 1024, {cpu})
{act}
"""


def run(act: str, *, before: str = "", cpu: int = 10) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", CODE.format(act=act, before=before, cpu=cpu)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_size_is_this_process_own() -> None:
    size = rlimits.own_size()
    assert 0 < size.data < size.address_space


def test_what_fits_is_given_and_what_does_not_is_refused() -> None:
    done = run("bytearray(48 * 2**20)\ntry:\n    bytearray(80 * 2**20)\nexcept MemoryError:\n    print('refused')")
    assert done.stdout == "refused\n", done.stderr


def test_shared_memory_counts_too() -> None:
    done = run(
        "try:\n    system.map_memory(80 * 2**20, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)\nexcept OSError as e:\n    print(errno.errorcode[e.errno])"
    )
    assert done.stdout == "ENOMEM\n", done.stderr


def test_what_other_layers_hide_is_set_all_the_same() -> None:
    """No core, file, process, locked page, queue, pending signal or priority: hard, so that none can be raised."""
    names = ("CORE", "FSIZE", "NPROC", "MEMLOCK", "MSGQUEUE", "SIGPENDING", "NICE", "RTPRIO")
    done = run("print(*{" + ", ".join(f"resource.getrlimit(resource.RLIMIT_{name})" for name in names) + "})")
    assert done.stdout == "(0, 0)\n", done.stderr


def test_a_lower_limit_of_the_machine_stays() -> None:
    done = run(
        "print(resource.getrlimit(resource.RLIMIT_CPU)[1], resource.getrlimit(resource.RLIMIT_NOFILE))",
        before="resource.setrlimit(resource.RLIMIT_CPU, (3, 3)); resource.setrlimit(resource.RLIMIT_NOFILE, (5, 5))",
    )
    assert done.stdout == "3 (5, 5)\n", done.stderr


def test_processor_time_ends_a_process_that_ignores_the_signal() -> None:
    done = run("import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass", cpu=1)
    assert done.returncode == -9
