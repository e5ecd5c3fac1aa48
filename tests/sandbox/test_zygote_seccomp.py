"""The zygote's own filter: what forking and waiting workers need, and little else; simulated for both machines, and loaded."""

from __future__ import annotations

import errno
import signal
from typing import Final

import children
import pytest

from fumehood.sandbox import seccomp, zygote_seccomp
from fumehood.sandbox.bpf import ALLOW, KILL_PROCESS, errno_action
from fumehood.sandbox.descriptors import CHANNEL, CONTROL
from tests.sandbox.bpf_simulator import call_data, check, run

_MACHINES: Final = ("x86_64", "aarch64")
_FORK: Final = 0x01200011
_REFUSED: Final = errno_action(errno.EPERM)
_PID: Final = 4711
_BEYOND: Final = 600
_CLONE: Final = {"x86_64": 56, "aarch64": 220}
_PRCTL: Final = {"x86_64": 157, "aarch64": 167}
_FCNTL: Final = {"x86_64": 72, "aarch64": 25}
_PRLIMIT: Final = {"x86_64": 302, "aarch64": 261}
_SOCKET: Final = {"x86_64": 41, "aarch64": 198}
_OF_THE_PARENTS: Final = {"x86_64": (7, 61), "aarch64": (73, 260)}
"""poll, wait4."""
_SENDMSG: Final = {"x86_64": 46, "aarch64": 211}
_RECVMSG: Final = {"x86_64": 47, "aarch64": 212}

machines = pytest.mark.parametrize("machine", _MACHINES)


def _answer(machine: str, number: int, *arguments: int) -> int:
    data = call_data(seccomp.ARCHITECTURES[machine].audit, number, *arguments)
    return run(zygote_seccomp.program(machine), data)


@machines
def test_kernel_would_take_it(machine: str) -> None:
    check(zygote_seccomp.program(machine))


@machines
def test_a_worker_loses_nothing_by_it(machine: str) -> None:
    """The stricter of two filters counts, so what a worker may do is allowed here, with the same answer where it is none."""
    own = seccomp.program(machine, _PID)
    program = zygote_seccomp.program(machine)
    audit = seccomp.ARCHITECTURES[machine].audit
    for number in range(_BEYOND):
        for arguments in ((), (2,), (3, 1), (4, 0, signal.SIGABRT), (_PID, 7, signal.SIGABRT), (0, 4096, 3, 0x22)):
            data = call_data(audit, number, *arguments)
            if run(own, data) != KILL_PROCESS:
                assert run(program, data) == run(own, data), (number, arguments)


@machines
def test_what_is_not_stated_fails_and_does_not_kill(machine: str) -> None:
    assert _answer(machine, _SOCKET[machine], 2, 1, 0) == _REFUSED
    assert _answer(machine, 10_000) == _REFUSED
    program = zygote_seccomp.program(machine)
    assert run(program, call_data(0x40000003, 20)) == KILL_PROCESS


def test_numbers_of_another_abi_kill() -> None:
    assert _answer("x86_64", 0x40000000 | 39) == KILL_PROCESS


@machines
def test_it_may_fork_and_reap(machine: str) -> None:
    assert _answer(machine, _CLONE[machine], _FORK) == ALLOW
    assert _answer(machine, _CLONE[machine], _FORK | 0x10000000) == _REFUSED  # CLONE_NEWUSER
    assert _answer(machine, _CLONE[machine], 0x3D0F00) == _REFUSED  # A thread, as glibc makes one.
    for number in _OF_THE_PARENTS[machine]:
        assert _answer(machine, number) == ALLOW


@machines
def test_nobody_sends_but_the_zygote(machine: str) -> None:
    for descriptor in range(1 << 4):
        sent = ALLOW if descriptor == CONTROL else _REFUSED
        received = ALLOW if descriptor in (CONTROL, CHANNEL) else _REFUSED
        assert (_answer(machine, _SENDMSG[machine], descriptor), _answer(machine, _RECVMSG[machine], descriptor)) == (
            sent,
            received,
        )


@machines
@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [((1, 9), True), ((4, 0), True), ((22, 2), True), ((4, 1), False), ((38, 1), False), ((22, 1), False), ((35, 9), False),
     ((1, 0), False), ((1, 2), False), ((4, 9), False), ((4, 2), False), ((22, 0), False), ((22, 9), False),
     ((1 << 32 | 1, 9), False), ((1, 1 << 32 | 9), False)],
)  # fmt: skip
def test_prctl(machine: str, arguments: tuple[int, int], allowed: bool) -> None:
    assert _answer(machine, _PRCTL[machine], *arguments) == (ALLOW if allowed else _REFUSED)


@machines
def test_descriptors_are_duplicated_and_not_locked(machine: str) -> None:
    for command, allowed in ((0, True), (1030, True), (6, False), (37, False), (1024, False)):
        assert _answer(machine, _FCNTL[machine], 5, command) == (ALLOW if allowed else _REFUSED)


@machines
def test_limits_are_its_own(machine: str) -> None:
    assert _answer(machine, _PRLIMIT[machine], 0, 7) == ALLOW
    assert _answer(machine, _PRLIMIT[machine], _PID, 7) == _REFUSED


def test_an_unknown_machine_is_refused() -> None:
    with pytest.raises(OSError, match="no system call table"):
        zygote_seccomp.program("riscv64")


def test_loaded_it_forks_and_makes_no_socket() -> None:
    """Its standard output cannot be written to any more, so it says by its status whether all was as it should be."""
    children.run(
        """
        from fumehood.sandbox import zygote_seccomp
        privileges.no_new_privileges()
        zygote_seccomp.install()
        pid = os.fork()
        if pid == 0:
            os._exit(0 if outcome(socket.socket) == "EPERM" else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        assert (outcome(socket.socket), outcome(os.stat, "/"), outcome(os.unlink, "/x")) == ("EPERM", "EACCES", "EPERM")
        os._exit(0)
        """
    )
