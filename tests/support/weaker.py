"""Makes this process live on a weaker machine: one whose kernel, or container, refuses some calls.

Run as `python weaker.py WEAKNESS[,WEAKNESS] SCRIPT`: the script runs behind a filter that answers as such a
machine does, and so does everything that it starts. Needs root, or sets `no_new_privs` itself.
"""

from __future__ import annotations

import errno
import sys

from surroundings import NO_LANDLOCK, NO_NAMESPACES, NO_SECCOMP, answers

from fumehood.sandbox.bpf import ALLOW, OneOf, Rule, errno_action
from fumehood.sandbox.privileges import no_new_privileges

_SETRLIMIT, _PRLIMIT64, _PROCESS_VM_READV = 160, 302, 310

WEAKNESSES = {
    "no-landlock": NO_LANDLOCK,
    "no-namespaces": NO_NAMESPACES,
    "no-seccomp": NO_SECCOMP,
    "no-rlimits": [
        Rule(_SETRLIMIT, errno_action(errno.EPERM)),
        Rule(_PRLIMIT64, ALLOW, (OneOf(2, (0,)),), errno_action(errno.EPERM)),
    ],
    "no-ptrace": [Rule(_PROCESS_VM_READV, errno_action(errno.EPERM))],
}


def weaken(names: str) -> None:
    """Loads the filter into this process for good; x86-64 only."""
    no_new_privileges()
    answers(*(WEAKNESSES[name] for name in names.split(",")))


if __name__ == "__main__":
    weaken(sys.argv[1])
    exec(compile(sys.argv[2], "script", "exec"))
