"""The filter for both machines, run by a simulator: what is allowed is stated here once more, call by call.

The attacks run it in the kernel of this machine; only here is the other machine's filter run at all.
"""

from __future__ import annotations

import errno
import os
import re
import signal
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fumehood.sandbox import seccomp
from fumehood.sandbox.bpf import ALLOW, KILL_PROCESS, encode, errno_action
from tests.sandbox.bpf_simulator import call_data, check, run

_PID: Final = 4711
_HIGH: Final = 1 << 32
_MACHINES: Final = ("x86_64", "aarch64")
_AUDIT: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_OTHER_AUDITS: Final = {"i386": 0x40000003, "arm": 0x40000028, "riscv64": 0xC00000F3, "s390x": 0x80000016, "none": 0}


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


_ALLOWED: Final = _names(
    "mmap mprotect munmap brk mremap close lseek fstat clock_gettime gettimeofday time getrandom rt_sigprocmask "
    "clock_nanosleep nanosleep restart_syscall rt_sigreturn getpid gettid exit_group"
)
"""Calls that pass with all arguments 0."""
_INVALID: Final = frozenset(("madvise", "futex"))
"""Calls whose argument 0 is no operation of theirs that passes."""
_BAD_DESCRIPTOR: Final = frozenset(("read", "write"))
_DENIED: Final = _names("open openat stat lstat newfstatat statx access faccessat readlink readlinkat")
_OPENAT2, _FACCESSAT2, _CLONE3, _TO_COME = 437, 439, 435, range(449, 480)
_BEYOND: Final = 1_100

INVALID, DENIED, BAD, UNKNOWN = (
    errno_action(number) for number in (errno.EINVAL, errno.EACCES, errno.EBADF, errno.ENOSYS)
)

machines = pytest.mark.parametrize("machine", _MACHINES)
words = st.integers(0, 2**64 - 1)
unhurried = settings(deadline=None)
"""A busy machine is no failure."""
_programs = {machine: seccomp.program(machine, _PID) for machine in _MACHINES}


def _action(machine: str, call: str | int, *arguments: int) -> int:
    number = seccomp.ARCHITECTURES[machine].numbers[call] if isinstance(call, str) else call
    return run(_programs[machine], call_data(_AUDIT[machine], number, *arguments))


def _expected(machine: str, number: int) -> int:
    name = {number: name for name, number in seccomp.ARCHITECTURES[machine].numbers.items()}.get(number)
    if name in _ALLOWED:
        return ALLOW
    if name in _INVALID:
        return INVALID
    if name in _BAD_DESCRIPTOR:
        return BAD
    if name in _DENIED or number in (_OPENAT2, _FACCESSAT2):
        return DENIED
    return UNKNOWN if number == _CLONE3 or number in _TO_COME else KILL_PROCESS


@machines
def test_kernel_would_take_it(machine: str) -> None:
    check(_programs[machine])


@machines
def test_every_number(machine: str) -> None:
    """Each call of the tables, with all arguments 0; whatever is not stated above is killed."""
    for number in range(_BEYOND):
        assert _action(machine, number) == _expected(machine, number), number


@machines
@unhurried
@given(number=st.integers(_BEYOND, 2**32 - 1))
def test_unknown_numbers_are_killed(machine: str, number: int) -> None:
    assert _action(machine, number) == KILL_PROCESS


@machines
def test_minus_one_is_killed(machine: str) -> None:
    assert _action(machine, -1) == KILL_PROCESS


@unhurried
@given(number=st.integers(0, 2**30 - 1))
def test_x32_is_killed(number: int) -> None:
    assert _action("x86_64", 0x40000000 | number) == KILL_PROCESS


@machines
@pytest.mark.parametrize("audit", _OTHER_AUDITS.values(), ids=_OTHER_AUDITS)
def test_foreign_architecture_is_killed(machine: str, audit: int) -> None:
    """Also for numbers that mean something harmless in our own table."""
    for number in range(_BEYOND):
        assert run(_programs[machine], call_data(audit, number)) == KILL_PROCESS


@machines
@unhurried
@given(audit=st.integers(0, 2**32 - 1), number=st.integers(0, 2**32 - 1))
def test_any_other_architecture_is_killed(machine: str, audit: int, number: int) -> None:
    if audit != _AUDIT[machine]:
        assert run(_programs[machine], call_data(audit, number)) == KILL_PROCESS


@machines
def test_descriptors(machine: str) -> None:
    for descriptor in range(64):
        assert _action(machine, "read", descriptor) == (ALLOW if descriptor == 3 else BAD)
        assert _action(machine, "write", descriptor) == (ALLOW if descriptor in (2, 4) else BAD)
    for call, descriptor in (("read", 3), ("write", 2), ("write", 4)):
        assert _action(machine, call, descriptor | _HIGH) == BAD
        assert _action(machine, call, descriptor | 1 << 63) == BAD


@machines
@unhurried
@given(protection=words, flags=words)
def test_mappings(machine: str, protection: int, flags: int) -> None:
    """Readable and writable only; private, anonymous, fixed, unreserved or a stack only; in both halves of a word."""
    harmless = protection & ~0x3 == 0 and flags & ~(0x2 | 0x10 | 0x20 | 0x4000 | 0x20000) == 0
    assert _action(machine, "mmap", 0, 4096, protection, flags) == (ALLOW if harmless else INVALID)


@machines
@pytest.mark.parametrize(
    ("protection", "flags", "action"),
    [
        (0x3, 0x22, ALLOW), (0x0, 0x4022, ALLOW), (0x1, 0x4032, ALLOW), (0x3, 0x100032, INVALID), (0x3, 0x20022, ALLOW),
        (0x5, 0x22, INVALID), (0x7, 0x22, INVALID), (0x4, 0x22, INVALID), (0x3 | _HIGH, 0x22, INVALID),
        (0x3, 0x21, INVALID), (0x3, 0x23, INVALID), (0x3, 0x01, INVALID), (0x3, 0x22 | _HIGH, INVALID),
        (0x3, 0x122, INVALID), (0x3, 0x2022, INVALID), (0x3, 0x8022, INVALID), (0x3, 0x40022, INVALID),
    ],
)  # fmt: skip
def test_named_mappings(machine: str, protection: int, flags: int, action: int) -> None:
    """What C libraries ask for, and executable, shared, growing, locked, populated and huge ones."""
    assert _action(machine, "mmap", 0, 4096, protection, flags) == action


@machines
@unhurried
@given(protection=words)
def test_protections(machine: str, protection: int) -> None:
    assert _action(machine, "mprotect", 0, 4096, protection) == (ALLOW if protection & ~0x3 == 0 else INVALID)


@machines
@pytest.mark.parametrize("protection", [0x4, 0x5, 0x7, 0x1 | _HIGH, 0x01000000])
def test_executable_protections(machine: str, protection: int) -> None:
    assert _action(machine, "mprotect", 0, 4096, protection) == INVALID


@machines
def test_advice(machine: str) -> None:
    """DONTNEED and FREE; never MERGEABLE (12) or HUGEPAGE (14)."""
    allowed = {advice for advice in range(128) if _action(machine, "madvise", 0, 4096, advice) == ALLOW}
    assert allowed == {4, 8}
    assert _action(machine, "madvise", 0, 4096, 4 | _HIGH) == INVALID


@machines
def test_futexes(machine: str) -> None:
    """Wait and wake, private to the process; no priority inheritance (6 to 8, 11 to 13), no descriptors (2), no requeueing."""
    allowed = {operation for operation in range(1_024) if _action(machine, "futex", 0, operation) == ALLOW}
    assert allowed == {0 | 128, 1 | 128, 9 | 128, 9 | 128 | 256}
    assert _action(machine, "futex", 0, 0 | _HIGH) == INVALID
    assert _action(machine, "futex", 0, 512) == INVALID


@machines
def test_thread_signals(machine: str) -> None:
    """A worker may abort itself, and send nothing else to nobody else."""
    assert _action(machine, "tgkill", _PID, 1, signal.SIGABRT) == ALLOW
    for group, number in (
        (_PID, signal.SIGKILL), (_PID, signal.SIGSTOP), (_PID, 0), (1, signal.SIGABRT), (0, signal.SIGABRT),
        (-1, signal.SIGABRT), (_PID | _HIGH, signal.SIGABRT), (_PID, signal.SIGABRT | _HIGH),
    ):  # fmt: skip
        assert _action(machine, "tgkill", group, 1, number) == KILL_PROCESS


@machines
@settings(deadline=None, max_examples=20)
@given(arguments=st.lists(words, min_size=6, max_size=6))
def test_arguments_never_open_what_is_closed(machine: str, arguments: list[int]) -> None:
    """No argument turns a call that is denied or killed into an allowed one."""
    conditional = {"read", "write", "tgkill", "madvise", "futex"}
    for number in range(_BEYOND):
        if _expected(machine, number) != ALLOW and _name(machine, number) not in conditional:
            assert run(_programs[machine], call_data(_AUDIT[machine], number, *arguments)) != ALLOW


def _name(machine: str, number: int) -> str | None:
    return next((name for name, known in seccomp.ARCHITECTURES[machine].numbers.items() if known == number), None)


@pytest.mark.skipif(os.uname().machine not in _MACHINES, reason="no filter for this machine")
@pytest.mark.parametrize("pid", [1, 2, 77, 32_768, 4_194_303])
def test_process_id_is_put_into_the_code(pid: int) -> None:
    """A worker's filter is the zygote's with its own process id in it, and nothing else changed."""
    made = seccomp.Filter.assemble()
    code = bytearray(made.code)
    for place in made.pid_at:
        code[place : place + 4] = pid.to_bytes(4, "little")
    assert bytes(code) == encode(seccomp.program(os.uname().machine, pid))


def test_unknown_machine_is_an_error() -> None:
    with pytest.raises(OSError, match="riscv64"):
        seccomp.program("riscv64", _PID)


_HEADERS: Final = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


@machines
def test_numbers_are_the_kernels(machine: str) -> None:
    header = _HEADERS[machine]
    if not header.exists():
        pytest.skip(f"this machine has no {header}")
    defined = dict(re.findall(r"^#define __NR(?:3264)?_(\w+)\s+(\d+)$", header.read_text(), re.MULTILINE))
    # asm-generic calls the 64-bit fstatat what the C library calls newfstatat.
    defined.setdefault("newfstatat", defined.get("fstatat", "0"))
    ours = seccomp.ARCHITECTURES[machine].numbers
    assert ours == {name: int(defined[name]) for name in ours}
