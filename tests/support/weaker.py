"""Makes this process live on a weaker machine: one whose kernel, or container, refuses some calls.

Run as `python weaker.py WEAKNESS[,WEAKNESS] SCRIPT`: the script runs behind a filter that answers as such a
machine does, and so does everything that it starts. Needs root, or sets `no_new_privs` itself.
"""

from __future__ import annotations

import errno
import sys

from fumehood.sandbox import seccomp, system
from fumehood.sandbox.bpf import ALLOW, OneOf, Rule, assemble, encode, errno_action

_UNSHARE, _PRCTL, _SETRLIMIT, _PRLIMIT64, _PIDFD_OPEN, _PROCESS_VM_READV = 272, 157, 160, 302, 434, 310

WEAKNESSES = {
    "no-landlock": [Rule(444, errno_action(errno.ENOSYS))],
    "no-namespaces": [Rule(_UNSHARE, errno_action(errno.EPERM))],
    "no-seccomp": [Rule(_PRCTL, errno_action(errno.EINVAL), (OneOf(0, (system.PR_SET_SECCOMP,)),), ALLOW)],
    "no-rlimits": [
        Rule(_SETRLIMIT, errno_action(errno.EPERM)),
        Rule(_PRLIMIT64, ALLOW, (OneOf(2, (0,)),), errno_action(errno.EPERM)),
    ],
    "no-ptrace": [Rule(_PROCESS_VM_READV, errno_action(errno.EPERM))],
}


def weaken(names: str) -> None:
    """Loads the filter into this process for good; x86-64 only."""
    rules = [rule for name in names.split(",") for rule in WEAKNESSES[name]]
    system.prctl(system.PR_SET_NO_NEW_PRIVS, 1)
    seccomp.prepare(encode(assemble(seccomp.ARCHITECTURES["x86_64"].audit, rules, refuse_from=None, default=ALLOW)))()


if __name__ == "__main__":
    weaken(sys.argv[1])
    exec(compile(sys.argv[2], "script", "exec"))
