"""Runs a piece of code in an interpreter of its own: what a layer does to a process cannot be taken back."""

from __future__ import annotations

import subprocess
import sys
import textwrap

_PREAMBLE = """
import contextlib, errno, os, signal, socket, sys
from fumehood.sandbox import descriptors, landlock, namespaces, privileges, rlimits, root, seccomp, system

def outcome(act, *arguments):
    try:
        act(*arguments)
    except OSError as error:
        return errno.errorcode[error.errno]
    return "done"
"""


def run(code: str) -> list[str]:
    """The lines that the code printed. Fails the test if it raised."""
    done = subprocess.run(
        [sys.executable, "-c", _PREAMBLE + textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
