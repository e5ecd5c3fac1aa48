"""The system calls a worker may make: an allow-list, everything else kills the process (seccomp(2)).

A warm worker reads its input, allocates, writes its reply and exits. What it needs for that is recorded in
`sandbox/syscalls/`; what is allowed besides has its reason there, and nothing else is allowed. All families
were seen to need the same, so they share one filter. Two architectures are known; on another one the layer
is refused, never skipped.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import sys
from collections.abc import Callable
from typing import Final, NamedTuple

from fumehood.sandbox import system
from fumehood.sandbox.bpf import (
    ALLOW,
    INSTRUCTION_BYTES,
    KILL_PROCESS,
    OPERAND_OFFSET,
    Instruction,
    OneOf,
    OnlyBits,
    Rule,
    Span,
    assemble,
    encode,
    errno_action,
)
from fumehood.sandbox.descriptors import INPUT, REPLY, STDERR

MODE_FILTER: Final = 2

# mmap(2), mprotect(2), madvise(2)
_PROT_READ_WRITE: Final = 0x1 | 0x2
_MAP_PRIVATE_KINDS: Final = 0x2 | 0x10 | 0x20 | 0x4000 | 0x20000
"""PRIVATE, FIXED, ANONYMOUS, NORESERVE, STACK."""
_MADVICE: Final = (4, 8)
"""DONTNEED, FREE."""
_FUTEX_PRIVATE: Final = 128
_FUTEX_CLOCK_REALTIME: Final = 256
_FUTEX_WAIT: Final = 0
_FUTEX_WAKE: Final = 1
_FUTEX_WAIT_BITSET: Final = 9
_FUTEX_OPERATIONS: Final = (
    _FUTEX_WAIT | _FUTEX_PRIVATE,
    _FUTEX_WAKE | _FUTEX_PRIVATE,
    _FUTEX_WAIT_BITSET | _FUTEX_PRIVATE,
    _FUTEX_WAIT_BITSET | _FUTEX_PRIVATE | _FUTEX_CLOCK_REALTIME,
)


class Architecture(NamedTuple):
    """`audit`: the AUDIT_ARCH value (linux/audit.h). `refuse_from`: numbers of another ABI start there."""

    audit: int
    refuse_from: int | None
    numbers: dict[str, int]


# arch/x86/entry/syscalls/syscall_64.tbl; x32 calls carry bit 30.
_X86_64: Final = Architecture(
    0xC000003E,
    0x40000000,
    {
        "read": 0, "write": 1, "open": 2, "close": 3, "stat": 4, "fstat": 5, "lstat": 6, "lseek": 8, "mmap": 9,
        "mprotect": 10, "munmap": 11, "brk": 12, "rt_sigprocmask": 14, "rt_sigreturn": 15, "access": 21, "mremap": 25,
        "madvise": 28, "nanosleep": 35, "getpid": 39, "readlink": 89, "gettimeofday": 96, "gettid": 186, "time": 201,
        "futex": 202, "restart_syscall": 219, "clock_gettime": 228, "clock_nanosleep": 230, "exit_group": 231,
        "tgkill": 234, "openat": 257, "newfstatat": 262, "readlinkat": 267, "faccessat": 269, "getrandom": 318,
        "statx": 332,
    },
)  # fmt: skip

# include/uapi/asm-generic/unistd.h
_AARCH64: Final = Architecture(
    0xC00000B7,
    None,
    {
        "faccessat": 48, "openat": 56, "close": 57, "lseek": 62, "read": 63, "write": 64, "readlinkat": 78,
        "newfstatat": 79, "fstat": 80, "exit_group": 94, "futex": 98, "nanosleep": 101, "clock_gettime": 113,
        "clock_nanosleep": 115, "restart_syscall": 128, "tgkill": 131, "rt_sigprocmask": 135, "rt_sigreturn": 139,
        "gettimeofday": 169, "getpid": 172, "gettid": 178, "brk": 214, "munmap": 215, "mremap": 216, "mmap": 222,
        "mprotect": 226, "madvise": 233, "getrandom": 278, "statx": 291,
    },
)  # fmt: skip

ARCHITECTURES: Final = {"x86_64": _X86_64, "aarch64": _AARCH64}

# Numbers from 424 on are common to all architectures.
_CLONE3: Final = 435
_OPENAT2: Final = 437
_FACCESSAT2: Final = 439
_NEWER: Final = (449, 479)
"""futex_waitv and later: a C library that tries one falls back when it hears ENOSYS."""


def rules(numbers: dict[str, int], pid: int | None) -> list[Rule | Span]:
    """What the worker with process id `pid` may do, most frequent calls first; None for whichever worker."""

    def plain(*names: str, action: int = ALLOW) -> list[Rule | Span]:
        return [Rule(numbers[name], action) for name in names if name in numbers]

    itself = () if pid is None else (OneOf(0, (pid,)),)
    invalid, denied, unknown = errno_action(errno.EINVAL), errno_action(errno.EACCES), errno_action(errno.ENOSYS)
    return [
        # Memory: private, never executable, never shared with another process.
        Rule(numbers["mmap"], ALLOW, (OnlyBits(2, _PROT_READ_WRITE), OnlyBits(3, _MAP_PRIVATE_KINDS)), invalid),
        Rule(numbers["mprotect"], ALLOW, (OnlyBits(2, _PROT_READ_WRITE),), invalid),
        Rule(numbers["madvise"], ALLOW, (OneOf(2, _MADVICE),), invalid),
        *plain("munmap", "brk", "mremap"),
        # The input is read, the reply and stderr are written, and nothing else is open.
        Rule(numbers["read"], ALLOW, (OneOf(0, (INPUT,)),), errno_action(errno.EBADF)),
        Rule(numbers["write"], ALLOW, (OneOf(0, (REPLY, STDERR)),), errno_action(errno.EBADF)),
        *plain("close", "lseek", "fstat"),
        # Locks of the interpreter and the C library, within the process.
        Rule(numbers["futex"], ALLOW, (OneOf(1, _FUTEX_OPERATIONS),), invalid),
        # Time and chance. glibc's getrandom in the vDSO blocks signals around its state.
        *plain("clock_gettime", "gettimeofday", "time", "getrandom", "rt_sigprocmask"),
        # Sleeping harms nobody: the parent's deadline ends it.
        *plain("clock_nanosleep", "nanosleep", "restart_syscall", "rt_sigreturn"),
        *plain("getpid", "gettid"),
        # abort() must end as SIGABRT, so that running out of memory in C code can be told from an attack.
        Rule(numbers["tgkill"], ALLOW, (*itself, OneOf(2, (signal.SIGABRT,))), KILL_PROCESS),
        *plain("exit_group"),
        # Libraries probe for files and carry on without: a lazy import fails as "not found", not as an attack.
        *plain("open", "openat", "stat", "lstat", "newfstatat", "statx", action=denied),
        *plain("access", "faccessat", "readlink", "readlinkat", action=denied),
        Rule(_OPENAT2, denied),
        Rule(_FACCESSAT2, denied),
        Rule(_CLONE3, unknown),
        Span(*_NEWER, unknown),
    ]


def architecture(machine: str) -> Architecture:
    """The table of `machine`, as `os.uname().machine` names it. Raises `OSError` for one we do not know."""
    known = ARCHITECTURES.get(machine)
    if known is None:
        raise OSError(errno.ENOTSUP, f"no system call table for {machine}")
    return known


def program(machine: str, pid: int) -> list[Instruction]:
    """The filter for `machine`. Raises `OSError` for one we do not know."""
    known = architecture(machine)
    return assemble(known.audit, rules(known.numbers, pid), refuse_from=known.refuse_from, default=KILL_PROCESS)


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


class Filter(NamedTuple):
    """A worker's filter, assembled once in the zygote: only the process id in it differs from worker to worker."""

    code: bytes
    pid_at: tuple[int, ...]
    """Where in `code` the operand stands that is the process id."""

    @classmethod
    def assemble(cls) -> Filter:
        """Raises `OSError` on a machine whose calls we do not know."""
        machine = os.uname().machine
        ours, other = program(machine, _A_PID), program(machine, _ANOTHER_PID)
        places = tuple(index for index, pair in enumerate(zip(ours, other, strict=True)) if pair[0] != pair[1])
        return cls(encode(ours), tuple(INSTRUCTION_BYTES * index + OPERAND_OFFSET for index in places))

    def prepare(self) -> Callable[[], None]:
        """What loads the filter into this process for good; see :func:`prepare`."""
        code = bytearray(self.code)
        pid = os.getpid().to_bytes(4, sys.byteorder)
        for place in self.pid_at:
            code[place : place + 4] = pid
        return prepare(code)


_A_PID: Final = 1
_ANOTHER_PID: Final = 2


def install() -> None:
    """Assembles and loads the filter in one step; for canaries."""
    Filter.assemble().prepare()()


def prepare(code: bytes | bytearray) -> Callable[[], None]:
    """What loads an encoded filter into the process that calls it; only the one call to the kernel is left to do.

    It raises `OSError`: EACCES without `no_new_privs`, EINVAL where there is no seccomp.
    """
    return _Loader(code)


class _Loader:
    """Holds the buffers that the kernel is given the address of."""

    def __init__(self, code: bytes | bytearray) -> None:
        self._code = (ctypes.c_char * len(code)).from_buffer_copy(code)
        self._header = _Program(len(code) // INSTRUCTION_BYTES, ctypes.addressof(self._code))

    def __call__(self) -> None:
        pointer = ctypes.c_void_p(ctypes.addressof(self._header))
        system.prctl_pointer(system.PR_SET_SECCOMP, MODE_FILTER, pointer)
