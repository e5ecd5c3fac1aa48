"""Acts on processes: making them, ending them, looking into them, becoming somebody else."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import struct
import threading
import time

from tests.attacks.calls import OFFSPRING, address, call, libc, map_pages, room

_PTRACE_TRACEME = 0
_PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 4, 38
_CLONE_NEWUSER = 0x10000000
_READ_IMPLIES_EXEC = 0x0400000
_SECCOMP_SET_MODE_FILTER, _NEW_LISTENER = 1, 8
_RETURN_ALLOW = struct.pack("=HBBI", 0x06, 0, 0, 0x7FFF0000)
_SIGINFO_BYTES = 128
_SI_QUEUE = -1


_PR_SET_NAME = 15
_PTRACE_SEIZE, _PTRACE_O_EXITKILL = 0x4206, 1 << 20
_CLONE_VM, _CLONE_VFORK = 0x100, 0x4000
_PR_SET_MM, _PR_SET_SECCOMP, _PR_SET_PDEATHSIG = 35, 22, 1
_STACK = 64 * 1024
_LIFE_SECONDS = 2.0


def _be_offspring() -> None:
    """A child that holds nothing, so that nobody waits for it, and goes on after its document is read."""
    libc.prctl(_PR_SET_NAME, OFFSPRING.encode(), 0, 0, 0)
    os.closerange(0, 1024)
    time.sleep(_LIFE_SECONDS)
    os._exit(0)


def _end_if_child(pid: int) -> None:
    if pid == 0:
        _be_offspring()
    time.sleep(0.02)  # Until it has its name.


def fork() -> None:
    _end_if_child(os.fork())


def raw_fork() -> None:
    _end_if_child(call("fork"))


def raw_vfork() -> None:
    _end_if_child(call("vfork"))


def raw_clone() -> None:
    _end_if_child(call("clone", signal.SIGCHLD, 0, 0, 0, 0))


def raw_clone3() -> None:
    """`struct clone_args`: flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls."""
    arguments = struct.pack("=8Q", 0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0)
    _end_if_child(call("clone3", arguments, len(arguments)))


def clone_sharing_memory() -> None:
    """A child in our own memory that calls the C library's `_exit` (clone(2))."""
    stack = map_pages(_STACK, 3, 0x22) + _STACK
    pid = libc.clone(libc._exit, ctypes.c_void_p(stack), _CLONE_VM | _CLONE_VFORK | signal.SIGCHLD, None)
    if pid < 0:
        raise OSError(ctypes.get_errno(), "clone")
    os.waitpid(pid, 0)


def thread() -> None:
    started = threading.Thread(target=lambda: None)
    started.start()
    started.join()


def threads() -> None:
    """Many at once, none of which ends."""
    for _ in range(200):
        threading.Thread(target=time.sleep, args=(_LIFE_SECONDS,), daemon=True).start()


def fork_bomb() -> None:
    """Children that fork, too: three generations show that nothing stops it."""
    first = os.getpid()
    for _ in range(3):
        os.fork()
    if os.getpid() != first:
        _be_offspring()
    time.sleep(0.02)


def daemon() -> None:
    """A grandchild in a session of its own, which nobody would wait for."""
    pid = os.fork()
    if pid == 0:
        os.setsid()
        if os.fork() == 0:
            _be_offspring()
        os._exit(0)
    os.waitpid(pid, 0)
    time.sleep(0.02)


def new_session() -> None:
    os.setsid()


def execute(path: str, argument: str) -> None:
    os.execv(path, [path, argument])


def spawn(path: str, argument: str) -> None:
    os.waitpid(os.posix_spawn(path, [path, argument], {}), 0)


def kill(pid: int, number: int) -> None:
    os.kill(pid, number)


def kill_thread(pid: int, number: int) -> None:
    call("tgkill", pid, pid, number)


def kill_any_thread(pid: int, number: int) -> None:
    call("tkill", pid, number)


def queue_signal(pid: int, number: int) -> None:
    """`siginfo_t`: signo, errno, code."""
    information = room(_SIGINFO_BYTES)
    struct.pack_into("=iii", information, 0, number, 0, _SI_QUEUE)
    call("rt_sigqueueinfo", pid, number, information)


def kill_self(number: int) -> None:
    os.kill(os.getpid(), number)


def ignore_signal() -> None:
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)


def trace(pid: int) -> None:
    """Takes hold of a process that is to die with its tracer (ptrace(2), PTRACE_O_EXITKILL)."""
    call("ptrace", _PTRACE_SEIZE, pid, 0, _PTRACE_O_EXITKILL)


def be_traced() -> None:
    call("ptrace", _PTRACE_TRACEME, 0, 0, 0)


def _vectors(pid: int, name: str, there: int, here: bytes) -> bytes:
    """`struct iovec` twice: ours and theirs (process_vm_readv(2))."""
    ours = ctypes.create_string_buffer(here, len(here))
    size = len(here)
    call(name, pid, struct.pack("=QQ", address(ours), size), 1, struct.pack("=QQ", there, size), 1, 0)
    return ours.raw


def read_memory(pid: int, address: int, size: int, **_of_the_stranger: int) -> str:
    return _vectors(pid, "process_vm_readv", address, bytes(size)).decode("ascii", "replace")


def write_memory(pid: int, address: int, **_of_the_stranger: int) -> None:
    _vectors(pid, "process_vm_writev", address, b"forged")


def take_descriptor(pid: int, descriptor: int, **_of_the_stranger: int) -> str:
    """A descriptor of another process's (pidfd_getfd(2)); what can be read from it."""
    taken = call("pidfd_getfd", call("pidfd_open", pid, 0), descriptor, 0)
    return os.pread(taken, 64, 0).decode("ascii", "replace")


def take_by_number(pidfd: int) -> None:
    call("pidfd_getfd", pidfd, 1, 0)


def signal_by_descriptor(pid: int) -> None:
    call("pidfd_send_signal", call("pidfd_open", pid, 0), signal.SIGKILL, None, 0)


def signal_by_number(pidfd: int) -> None:
    call("pidfd_send_signal", pidfd, signal.SIGKILL, None, 0)


def new_user_namespace() -> None:
    call("unshare", _CLONE_NEWUSER)


def enter_namespace(descriptor: int) -> None:
    call("setns", descriptor, 0)


def set_users() -> None:
    os.setresuid(-1, -1, -1)  # Changes nothing, and asks the kernel all the same.


def set_groups() -> None:
    os.setgroups([])


def set_capabilities() -> None:
    """Version 3 header and two empty sets (capset(2)): gives up what there is, which anybody may."""
    call("capset", struct.pack("=Ii", 0x20080522, 0), bytes(24))


def be_dumpable() -> None:
    call("prctl", _PR_SET_DUMPABLE, 1, 0, 0, 0)


def move_own_memory_map() -> None:
    """prctl(2), PR_SET_MM; the option that only asks how large the map's description is (PR_SET_MM_MAP_SIZE)."""
    call("prctl", _PR_SET_MM, 15, room(4), 0, 0)


def be_strict() -> None:
    """prctl(2), PR_SET_SECCOMP with a mode that does not exist."""
    call("prctl", _PR_SET_SECCOMP, 99, 0, 0, 0)


def outlive_parent() -> None:
    call("prctl", _PR_SET_PDEATHSIG, 0, 0, 0, 0)


def become_root() -> None:
    os.setresuid(0, 0, 0)


def choose_processors() -> None:
    os.sched_setaffinity(0, os.sched_getaffinity(0))


def compare_descriptors(pid: int, **_of_the_stranger: int) -> None:
    """Whether another process shares an open file (kcmp(2)); asks leave to trace it."""
    call("kcmp", os.getpid(), pid, 0, 2, 2)


def listen_to_filter(prepare: bool = False) -> None:
    """A filter whose verdicts come from whoever holds its listener (seccomp(2)). `prepare` spares the need for privilege."""
    if prepare:
        call("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    code = ctypes.create_string_buffer(_RETURN_ALLOW, len(_RETURN_ALLOW))
    call("seccomp", _SECCOMP_SET_MODE_FILTER, _NEW_LISTENER, struct.pack("=HxxxxxxQ", 1, address(code)))


def raise_limit() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, resource.getrlimit(resource.RLIMIT_NOFILE))


def change_schedule() -> None:
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def be_nice() -> None:
    os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0))


def change_io_priority() -> None:
    call("ioprio_set", 1, 0, 0)


def execute_what_is_read() -> None:
    call("personality", _READ_IMPLIES_EXEC)


def parent() -> None:
    libc.getppid()
