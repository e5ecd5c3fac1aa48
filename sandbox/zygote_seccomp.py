"""The zygote's own filter: what it and the workers it forks may do, loaded when it is sealed.

Workers inherit it, so it stands behind each worker's own filter (seccomp(2): of several filters the strictest
answer counts). It allows what a worker needs until its own is loaded, and what forking and reaping need;
everything else fails with EPERM. It does not kill: the zygote is trusted code, and a call that a new C library
makes must not take every document with it.
"""

from __future__ import annotations

import errno
import os
import signal
from typing import Final

from fumehood.sandbox import seccomp, system, timer
from fumehood.sandbox.bpf import ALLOW, Instruction, OneOf, OneOfPairs, Rule, Span, assemble, encode, errno_action
from fumehood.sandbox.descriptors import CHANNEL, CONTROL

# arch/x86/entry/syscalls/syscall_64.tbl, include/uapi/asm-generic/unistd.h
_NUMBERS: Final = {
    "x86_64": {
        "poll": 7, "dup2": 33, "sendmsg": 46, "recvmsg": 47, "getsockname": 51, "getsockopt": 55, "clone": 56, "fork": 57,
        "wait4": 61, "fcntl": 72, "getrusage": 98, "getppid": 110, "prctl": 157, "set_robust_list": 273, "dup3": 292,
        "prlimit64": 302,
    },
    "aarch64": {
        "dup3": 24, "fcntl": 25, "ppoll": 73, "set_robust_list": 99, "getrusage": 165, "prctl": 167, "getppid": 173, "getsockname": 204, "getsockopt": 209,
        "sendmsg": 211, "recvmsg": 212, "clone": 220, "wait4": 260, "prlimit64": 261,
    },
}  # fmt: skip
_COMMON: Final = {"pidfd_open": 434, "close_range": 436, "landlock_create_ruleset": 444, "landlock_restrict_self": 446}

_FORK_FLAGS: Final = (0x01200000 | signal.SIGCHLD, signal.SIGCHLD)
"""CLONE_CHILD_CLEARTID and CLONE_CHILD_SETTID, as glibc's fork() asks for, and none, as musl's does (clone(2))."""
_F_DUPFD_CLOEXEC: Final = 1030
_FCNTL: Final = (0, 1, 2, 3, _F_DUPFD_CLOEXEC)
"""F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC (fcntl(2)); no lock and no lease."""
_PRCTL: Final = (
    (system.PR_SET_PDEATHSIG, signal.SIGKILL),
    (system.PR_SET_DUMPABLE, 0),
    (system.PR_SET_SECCOMP, seccomp.MODE_FILTER),
)
"""Each with the one value that takes something away."""


def rules(machine: str) -> list[Rule | Span]:
    """What is allowed on `machine`, a worker's own calls first."""
    numbers = _NUMBERS[machine] | _COMMON

    def plain(*names: str) -> list[Rule | Span]:
        return [Rule(numbers[name]) for name in names if name in numbers]

    refused = errno_action(errno.EPERM)
    return [
        *seccomp.rules(seccomp.ARCHITECTURES[machine].numbers, None),
        # Orders come, to the zygote and to a worker that waits; the zygote alone answers.
        Rule(numbers["recvmsg"], ALLOW, (OneOf(0, (CONTROL, CHANNEL)),), refused),
        Rule(numbers["sendmsg"], ALLOW, (OneOf(0, (CONTROL,)),), refused),
        # Workers are forked, watched and reaped.
        *plain("poll", "ppoll", "wait4", "pidfd_open", "fork"),
        Rule(numbers["clone"], ALLOW, (OneOf(0, _FORK_FLAGS),), refused),
        # Python asks a descriptor which kind of socket it is.
        *plain("getsockname", "getsockopt"),
        # The C library registers a forked child's locks; a worker says how large it is before its document.
        *plain("set_robust_list", "getrusage"),
        # A worker puts its descriptors in their places and installs the layers that are its own.
        *plain("dup2", "dup3", "close_range", "getppid", "landlock_create_ruleset", "landlock_restrict_self"),
        Rule(numbers["fcntl"], ALLOW, (OneOf(1, _FCNTL),), refused),
        Rule(numbers["prctl"], ALLOW, (OneOfPairs(0, 1, _PRCTL),), refused),
        # Its own deadline, by the one clock that nobody can set.
        Rule(timer.TIMER_CREATE[machine], ALLOW, (OneOf(0, (timer.CLOCK_MONOTONIC,)),), refused),
        Rule(timer.TIMER_SETTIME[machine]),
        Rule(numbers["prlimit64"], ALLOW, (OneOf(0, (0,)),), refused),
    ]


def program(machine: str) -> list[Instruction]:
    """The filter for `machine` (as `os.uname().machine` names it). Raises `OSError` for one we do not know."""
    architecture = seccomp.architecture(machine)
    return assemble(
        architecture.audit,
        rules(machine),
        refuse_from=architecture.refuse_from,
        default=errno_action(errno.EPERM),
    )


def install() -> None:
    """Loads the filter into this process, and every one it forks, for good. Raises `OSError`."""
    seccomp.prepare(encode(program(os.uname().machine)))()
