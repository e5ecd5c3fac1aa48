"""Nobody, no capability, no dump, no orphan: each is kept by the kernel, and survives what could undo it."""

from __future__ import annotations

import os

import pytest
from children import run

root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


@root_only
def test_nobody_cannot_become_root_again() -> None:
    assert run("privileges.become_nobody()\nprint(os.getresuid(), os.getgroups(), outcome(os.setresuid, 0, 0, 0))") == [
        "(65534, 65534, 65534) [] EPERM"
    ]


@root_only
def test_nobody_has_no_group_of_roots() -> None:
    assert run("os.setgroups([0, 4])\nprivileges.become_nobody()\nprint(os.getgroups(), os.getresgid())") == [
        "[] (65534, 65534, 65534)"
    ]


def test_no_capability_is_left_nor_can_be_raised() -> None:
    lines = run(
        """
        privileges.drop_capabilities()
        print(system.effective_capabilities(), outcome(os.chroot, "/"))
        status = open("/proc/self/status").read()
        print(*[line.split()[1] for line in status.splitlines() if line.startswith(("CapInh", "CapPrm", "CapEff", "CapAmb"))])
        """
    )
    assert lines[0] == "0 EPERM"
    assert set(lines[1].split()) == {"0" * 16}


@root_only
def test_root_that_executes_gets_none_back() -> None:
    assert run(
        """
        import subprocess
        privileges.drop_capabilities()
        code = "print([l.split()[1] for l in open('/proc/self/status') if l.startswith(('CapEff', 'CapBnd'))])"
        print(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout, end="")
        """
    ) == [str(["0" * 16] * 2)]


@root_only
def test_a_change_of_user_forgets_the_two_that_come_after_it() -> None:
    """Why the zygote sets them last; the kernel's doing, measured."""
    lines = run(
        """
        import ctypes
        def seen():
            signal_ = ctypes.c_int()
            ctypes.CDLL(None).prctl(2, ctypes.byref(signal_))
            return signal_.value
        privileges.die_with_parent(os.getppid())
        before = seen()
        privileges.become_nobody()
        print(before, seen())
        """
    )
    assert lines == ["9 0"]


def test_who_has_lost_its_parent_already_ends_at_once() -> None:
    assert (
        run(
            "if os.fork() == 0:\n    privileges.die_with_parent(1 << 22)\n    print('alive', flush=True)\nelse:\n    os.wait()"
        )
        == []
    )


def test_the_flag_stays_for_children() -> None:
    assert run(
        """
        privileges.no_new_privileges()
        if os.fork() == 0:
            print(system.prctl(system.PR_GET_NO_NEW_PRIVS), flush=True)
            os._exit(0)
        os.wait()
        """
    ) == ["1"]


def test_not_dumpable_hides_memory_and_environment() -> None:
    lines = run(
        """
        def look(pid):
            return outcome(lambda: open(f"/proc/{pid}/environ").read(1))
        r, w = os.pipe()
        end_read, end = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(end)
            privileges.not_dumpable()
            os.write(w, b".")
            os.read(end_read, 1)
            os._exit(0)
        os.read(r, 1)
        if os.geteuid() == 0:
            privileges.become_nobody()
        print(look(pid))
        """
    )
    assert lines == ["EACCES"]
