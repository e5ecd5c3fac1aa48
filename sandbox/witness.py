"""Witnesses: every layer is tried, alone, by a canary that does one forbidden act.

Layers mask one another: seccomp answers before Landlock is asked. So a canary runs the production
installers with the layers above the one under test left out. The same act is done outside the layer as
a control: a refusal shows nothing if the act fails anyway.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import mmap
import os
import select
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from fumehood.sandbox import descriptors, landlock, messages, privileges, rlimits, seccomp, system
from fumehood.sandbox.bpf import ALLOW, RETURN, encode
from fumehood.sandbox.layers import Layer, LayerName, State
from fumehood.sandbox.worker import Inherited

DONE: Final = "done"
_NOT_INSTALLED: Final = "not installed: "
_SAID_BYTES: Final = 200
_HEAP: Final = 32 * 1024 * 1024
_FEW_PROCESSES: Final = 64
"""More than a zygote ever starts before it is sealed."""
_PATIENCE_SECONDS: Final = 0.01
"""How long an orphan that should live is watched; one that should die is dead when its parent is reaped."""

Act = Callable[[], object]


def forbidden_act() -> None:
    """What a canary tries behind every layer: a socket, which no layer but the filter refuses to make."""
    socket.socket(socket.AF_INET, socket.SOCK_STREAM)


class Controls(NamedTuple):
    """What is left outside to be reached for, and how the same acts ended out there."""

    parent: int
    user: int
    listener: socket.socket
    segment: int
    segment_address: int
    outside: Mapping[LayerName, str]

    @classmethod
    def prepare(cls, parent: int) -> Controls:
        """Made before any namespace is entered."""
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(b"\0fumehood-canary-" + os.urandom(8).hex().encode("ascii"))
        listener.listen(1)
        segment, address = -1, 0
        with contextlib.suppress(OSError):  # A kernel without System V IPC.
            segment, address = system.shared_segment()
        made = cls(parent, os.getuid(), listener, segment, address, {})
        acts: dict[LayerName, Act] = {
            "user-ns": made.become_caller,
            "pid-ns": made.reach_parent,
            "net-ns": made.connect,
            "ipc-ns": made.stat_segment,
            "root": open_interpreter,
            "uid": become_root,
        }
        outside = {name: probe(act) for name, act in acts.items()}
        outside["no-new-privs"] = probe(load_filter, privileges.drop_capabilities)
        return made._replace(outside=outside)

    def with_outcome(self, name: LayerName, act: Act) -> Controls:
        """The same, with one more act done where this is called."""
        return self._replace(outside={**self.outside, name: probe(act)})

    def become_caller(self) -> None:
        os.setresuid(self.user, self.user, self.user)

    def reach_parent(self) -> None:
        os.kill(self.parent, 0)

    def connect(self) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.connect(self.listener.getsockname())
            self.listener.accept()[0].close()

    def stat_segment(self) -> None:
        system.stat_segment(self.segment)

    def release(self) -> None:
        """Leaves nothing to reach for."""
        self.listener.close()
        if self.segment_address:
            with contextlib.suppress(OSError):
                system.detach_segment(self.segment_address)


def open_interpreter() -> None:
    os.close(os.open(sys.executable, os.O_RDONLY | os.O_CLOEXEC))


def _outcome(act: Act) -> str:
    """How an act ended: in words of its own, `done`, or the name of the errno."""
    try:
        said = act()
    except MemoryError:
        return "ENOMEM"
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, "EIO")
    return said if isinstance(said, str) else DONE


def probe(act: Act, *install: Act) -> str:
    """What a child of ours that installed `install` met when it tried `act`: an outcome, or the name of the signal it died of."""
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        _be_canary(write_end, act, install)
    os.close(write_end)
    with open(read_end, "rb") as pipe:
        said = pipe.read(_SAID_BYTES).decode("ascii", "replace")
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    return said or "nothing"


def _be_canary(write_end: int, act: Act, install: tuple[Act, ...]) -> None:
    try:
        for layer in install:
            layer()
        outcome = _outcome(act)
        os.write(write_end, outcome.encode("ascii"))
    except BaseException as error:
        os.write(write_end, f"{_NOT_INSTALLED}{error}"[:_SAID_BYTES].encode("ascii", "replace"))
    finally:
        os._exit(0)


class _Trial(NamedTuple):
    """One layer's trial: words, the outcome outside it, the outcome behind it, and which outcomes are its doing."""

    name: LayerName
    tried: str
    outside: str
    inside: str
    refusals: tuple[str, ...]


def observe(controls: Controls, inherited: Inherited, absent: Mapping[LayerName, str]) -> Iterator[Layer]:
    """Tries each layer that the zygote and its workers install. The parent adds what only it can see."""
    yield _no_new_privileges(controls)
    for trial in _trials(controls, inherited, absent):
        why = absent.get(trial.name)
        yield Layer(trial.name, "absent", trial.tried, trial.inside, why) if why is not None else _judge(trial)


def _judge(trial: _Trial) -> Layer:
    seen = f"{trial.inside} inside, {trial.outside} outside"
    if trial.inside.startswith(_NOT_INSTALLED):
        return Layer(trial.name, "absent", trial.tried, "not installed", trial.inside.removeprefix(_NOT_INSTALLED))
    if trial.inside not in trial.refusals:
        return Layer(trial.name, "absent", trial.tried, seen, "the kernel took the layer and did not refuse the act")
    state: State = "enforced" if trial.outside == DONE else "unwitnessed"
    why = "" if state == "enforced" else "the act fails outside the layer too, so its refusal shows nothing"
    return Layer(trial.name, state, trial.tried, seen, why)


def _trials(controls: Controls, inherited: Inherited, absent: Mapping[LayerName, str]) -> Iterator[_Trial]:
    outside = controls.outside
    yield _Trial(
        "user-ns", "become the user that started it", outside["user-ns"], probe(controls.become_caller), ("EINVAL",)
    )
    yield _Trial("pid-ns", "signal the application by its process id", outside["pid-ns"], _reach(controls), ("ESRCH",))
    yield _Trial(
        "net-ns",
        "connect to a socket of the host's network",
        outside["net-ns"],
        probe(controls.connect),
        ("ECONNREFUSED",),
    )
    yield _Trial(
        "ipc-ns",
        "look at shared memory of the host",
        outside["ipc-ns"],
        probe(controls.stat_segment),
        ("EINVAL", "EIDRM"),
    )
    yield _Trial("root", "open the interpreter's own file", outside["root"], probe(open_interpreter), ("ENOENT",))
    yield _Trial("capabilities", "change the root directory", outside["capabilities"], probe(change_root), ("EPERM",))
    yield _Trial("uid", "become root", outside["uid"], probe(become_root), ("EPERM", "EINVAL"))
    yield _Trial("dumpable", "read another worker's memory", _read_child(1), _read_child(0), ("EPERM", "EACCES"))
    yield _Trial(
        "parent-death",
        "outlive the process that forked it",
        _outlive(lambda _parent: None),
        _outlive(privileges.die_with_parent),
        ("SIGKILL",),
    )
    yield _Trial(
        "descriptors",
        "use a descriptor that it inherited",
        _use_inherited(install=False),
        _use_inherited(install=True),
        ("EBADF",),
    )
    # The kernel does not count root's processes (setrlimit(2), RLIMIT_NPROC).
    outgrow = _Outgrow(forks="uid" not in absent or controls.user != 0)
    limited = probe(outgrow, lambda: rlimits.install(inherited.size, _HEAP, 1))
    yield _Trial(
        "rlimits",
        "map private and shared memory, write a file, open files, fork",
        probe(outgrow),
        limited,
        outgrow.refusals,
    )
    yield _Trial(
        "landlock", "open the root directory", probe(_open_root), probe(_open_root, landlock.install), ("EACCES",)
    )
    yield _Trial("seccomp", "make a socket", probe(forbidden_act), probe(forbidden_act, seccomp.install), ("SIGSYS",))


def become_root() -> None:
    os.setresuid(0, 0, 0)


def change_root() -> None:
    """Needs CAP_SYS_CHROOT and changes nothing."""
    os.chroot("/")


def _open_root() -> None:
    os.close(os.open("/", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))


def load_filter() -> None:
    """A filter that allows everything, whose loading alone is the act."""
    seccomp.prepare(encode([(RETURN, 0, 0, ALLOW)]))()


def _no_new_privileges(controls: Controls) -> Layer:
    """There is nothing to exec in an empty root, so the flag is witnessed by what else hangs on it.

    The kernel takes a filter from a process without any capability only with the flag on, EACCES otherwise
    (seccomp(2)). Where a container has set the flag already, there is no outside without it to compare with.
    """
    inside, outside = probe(_load_filter_bare), controls.outside["no-new-privs"]
    tried = "load a filter without any capability, which needs the flag"
    seen = f"{inside} inside, {'on already' if outside == DONE else outside} outside"
    if system.prctl(system.PR_GET_NO_NEW_PRIVS) != 1:
        return Layer("no-new-privs", "absent", tried, seen, "the flag is not set")
    if inside != DONE:
        return Layer(
            "no-new-privs", "unwitnessed", tried, seen, "the filter was not taken, or the process has capabilities"
        )
    return Layer("no-new-privs", "enforced", tried, seen)


def _load_filter_bare() -> str:
    if system.effective_capabilities():
        return "has capabilities"
    load_filter()
    return DONE


def _reach(controls: Controls) -> str:
    """In a new PID namespace numbers start again at 1, so a small one may be somebody else's in here."""
    if os.getppid() == 0 and controls.parent <= os.getpid() + _FEW_PROCESSES:
        return "ESRCH"
    return probe(controls.reach_parent)


class _Outgrow:
    """The act that every resource limit refuses in its own way; its outcome names each."""

    def __init__(self, *, forks: bool) -> None:
        self._acts: list[Act] = [
            lambda: system.map_memory(4 * _HEAP, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS),
            lambda: system.map_memory(4 * _HEAP, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS),
            _write_file,
            _open_many,
            *([_fork] if forks else []),
        ]
        self.refusals = (" ".join(["ENOMEM", "ENOMEM", "EFBIG", "EMFILE", *(["EAGAIN"] if forks else [])]),)

    def __call__(self) -> str:
        outcomes = [_outcome(act) for act in self._acts]
        return DONE if set(outcomes) == {DONE} else " ".join(outcomes)


def _write_file() -> None:
    descriptor = os.memfd_create("fumehood-canary", os.MFD_CLOEXEC)
    os.write(descriptor, b"x")


def _open_many() -> None:
    for _ in range(2 * rlimits.OPEN_FILES):
        os.dup(descriptors.STDERR)


def _fork() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _read_child(dumpable: int) -> str:
    """Whether a process may read its own child's memory: it may unless the child is not dumpable (ptrace(2))."""
    return probe(lambda: _read_memory_of_child(dumpable))


def _read_memory_of_child(dumpable: int) -> None:
    secret = ctypes.create_string_buffer(b"secret")
    ready, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(OSError):
            system.prctl(system.PR_SET_DUMPABLE, dumpable)
        os.write(write_end, b".")
        signal.pause()
        os._exit(0)
    try:
        os.read(ready, 1)
        system.read_other(pid, ctypes.addressof(secret), 6)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        messages.close(ready, write_end)


def _outlive(install: Callable[[int], None]) -> str:
    """What becomes of a process whose parent ends: `done` if it goes on, SIGKILL if that takes it along.

    Seen by the pipe that only it holds open.
    """
    read_end, write_end = os.pipe()
    parent = os.fork()
    if parent == 0:
        _fork_and_leave(write_end, install)
    os.close(write_end)
    orphan = int(os.read(read_end, 16) or b"0")
    os.waitpid(parent, 0)
    ended = bool(select.select([read_end], [], [], _PATIENCE_SECONDS)[0])
    if orphan and not ended:
        os.kill(orphan, signal.SIGKILL)
    with contextlib.suppress(
        ChildProcessError
    ):  # Process 1 of a namespace inherits orphans; without one they are not ours.
        os.waitpid(orphan, 0) if orphan else None
    os.close(read_end)
    return "SIGKILL" if ended else DONE


def _fork_and_leave(write_end: int, install: Callable[[int], None]) -> None:
    middle = os.getpid()
    ready, done = os.pipe()
    try:
        if os.fork() == 0:
            install(middle)
            os.write(write_end, b"%d" % os.getpid())
            os.write(done, b".")
            signal.pause()
        os.read(ready, 1)
    finally:
        os._exit(0)


def _use_inherited(*, install: bool) -> str:
    """Whether a child can use a descriptor that stands open in the process it was forked from."""
    read_end, write_end = os.pipe()
    inherited = fcntl.fcntl(write_end, fcntl.F_DUPFD, descriptors.ELSEWHERE)
    pid = os.fork()
    if pid == 0:
        _use_as_worker(read_end, write_end, inherited, install)
    messages.close(write_end, inherited)
    with open(read_end, "rb") as pipe:
        said = pipe.read(64).decode("ascii", "replace")
    os.waitpid(pid, 0)
    return said or "nothing"


def _use_as_worker(read_end: int, write_end: int, inherited: int, install: bool) -> None:
    try:
        said = write_end
        if install:
            descriptors.waiting(read_end, write_end, write_end)
            descriptors.working(descriptors.STDERR)
            said = descriptors.REPLY
        os.write(said, _outcome(lambda: os.fstat(inherited)).encode("ascii"))
    finally:
        os._exit(0)
