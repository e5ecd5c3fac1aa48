"""The zygote: imports and warms the loaders of one family, locks itself down, and then only forks.

Two processes. The outer one starts the namespaces and waits; the inner one is process 1 of its own PID
namespace, so that its end takes every worker with it. The inner one never sees a byte of a document.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import resource
import select
import socket
from collections.abc import Callable
from typing import Final, NoReturn, cast

from fumehood import kinds
from fumehood.sandbox import (
    ballast,
    descriptors,
    huge_pages,
    loading,
    messages,
    namespaces,
    privileges,
    rlimits,
    root,
    seccomp,
    system,
    witness,
    worker,
    zygote_seccomp,
)
from fumehood.sandbox.identity import identity
from fumehood.sandbox.layers import LayerName

_OOM_SCORE: Final = "1000"
"""The kernel's out-of-memory killer takes us before the application (proc_pid_oom_score_adj(5))."""


def main(control_descriptor: int) -> NoReturn:
    """Runs a zygote to its end. Started by `spawn.py` in a fresh interpreter."""
    control = socket.socket(fileno=descriptors.control(control_descriptor))
    try:
        messages.send(control, messages.Hello(identity()))
        _run(control)
    except BaseException as error:
        # Only trusted code has run so far; its words help whoever installs or writes a loader.
        with contextlib.suppress(OSError):
            messages.send(control, messages.BootFailed(f"{type(error).__name__}: {error}"[:2_000]))
        os._exit(1)
    os._exit(0)


class _Absent(dict[LayerName, str]):
    """Why a layer could not be installed."""

    def attempt(self, name: LayerName, install: Callable[[], None]) -> bool:
        try:
            install()
        except (OSError, ValueError) as error:
            self[name] = str(error)
            return False
        return True


def _run(control: socket.socket) -> None:
    received, _ = messages.receive(control)
    if received is None:
        return
    boot = cast("messages.Boot", received)
    privileges.die_with_parent(boot.parent)
    _offer_to_the_oom_killer()
    _allow_descriptors()
    controls = witness.Controls.prepare(boot.parent)
    absent = _Absent()
    privileged = namespaces.privileged()
    proc = os.open("/proc/self", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    if not privileged:
        absent.attempt("user-ns", lambda: namespaces.enter_user(proc))
    os.close(proc)
    absent.attempt("pid-ns", lambda: system.unshare(namespaces.FLAGS["pid-ns"]))
    outer = os.getpid()
    inner = os.fork()
    if inner:
        _wait_for(inner, controls)
    # In a PID namespace of its own the inner process has no number for the outer one.
    privileges.die_with_parent(outer if "pid-ns" in absent else 0)
    for kind in boot.kinds:
        kinds.adopt(kind)
    engines = {kind.name: loading.engines(kind) for kind in boot.kinds}
    for kind in boot.kinds:
        loading.warm(kind, boot.family)
    worker.rehearse(boot.kinds, boot.family)
    _check_single_thread()
    huge_pages.collapse()
    gc.collect()
    filled = ballast.fill()  # After the huge pages, which would make present, and so copied, what is fresh.
    size = rlimits.own_size()
    host_name = f"fumehood-{os.urandom(4).hex()}"
    controls = _lock_down(absent, controls, privileged, host_name, outer)
    inherited = worker.Inherited(size, os.getpid(), _filter(absent), filled)
    gc.freeze()
    gc.disable()
    messages.send(control, messages.Ready(dict(absent), engines, host_name))
    _serve(control, controls, inherited, absent)


def _filter(absent: _Absent) -> seccomp.Filter | None:
    try:
        return seccomp.Filter.assemble()
    except OSError as error:
        absent["seccomp"] = str(error)
        return None


def _wait_for(inner: int, controls: witness.Controls) -> NoReturn:
    """The outer process: holds nothing, does nothing, and ends with the inner one."""
    controls.release()
    os.closerange(0, 1024)
    with contextlib.suppress(OSError):
        os.waitpid(inner, 0)
    os._exit(0)


def _offer_to_the_oom_killer() -> None:
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as score:
        score.write(_OOM_SCORE)


def _allow_descriptors() -> None:
    """As many as may be had: each worker costs one here, and an application's own low limit is not meant for us."""
    with contextlib.suppress(OSError, ValueError):  # Where nothing can be limited, nothing has to be raised.
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _check_single_thread() -> None:
    """A fork copies one thread and the locks of all (pthread_atfork(3)), so there must be only one."""
    threads = len(os.listdir("/proc/self/task"))
    if threads != 1:
        raise RuntimeError(
            f"after its imports the zygote has {threads} threads; a loader's library starts threads when imported"
        )


def _lock_down(
    absent: _Absent, controls: witness.Controls, privileged: bool, host_name: str, outer: int
) -> witness.Controls:
    """Everything that a zygote can lock for its workers, outermost first; and the control that only fits in between."""
    # Root has its capabilities here, and whoever entered a user namespace has those of it; outside it had none.
    controls = controls.with_outcome("capabilities", witness.change_root)
    for name, flag in namespaces.FLAGS.items():
        if name != "pid-ns":
            absent.attempt(name, functools.partial(system.unshare, flag))
    if "uts-ns" not in absent:
        absent.attempt("uts-ns", lambda: system.sethostname(host_name.encode("ascii")))
    was_root = os.geteuid() == 0 and privileged
    proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    if "mount-ns" in absent:
        absent["root"] = "needs the mount namespace, which is absent"
    else:
        absent.attempt("root", root.install)
    if os.getuid() == 0 or os.geteuid() == 0:
        absent.attempt("uid", privileges.become_nobody)
    else:
        absent["uid"] = "only root can become another user; the worker stays the user that started it"
    if was_root:
        system.prctl(system.PR_SET_DUMPABLE, 1)
        absent.attempt("user-ns", lambda: _enter_user_through(proc))
    os.close(proc)
    absent.attempt("capabilities", privileges.drop_capabilities)
    absent.attempt("no-new-privs", privileges.no_new_privileges)
    absent.attempt("dumpable", privileges.not_dumpable)
    # Last, since a change of user forgets it.
    absent.attempt("parent-death", lambda: privileges.die_with_parent(outer if "pid-ns" in absent else 0))
    return controls


def _enter_user_through(proc: int) -> None:
    own = os.open("self", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=proc)
    try:
        namespaces.enter_user(own)
    finally:
        os.close(own)


class _Workers:
    """The children that are alive, by pidfd."""

    def __init__(self, control: socket.socket, inherited: worker.Inherited) -> None:
        self._control = control
        self._inherited = inherited
        self._numbers: dict[int, tuple[int, int]] = {}
        self.poll = select.poll()
        self.poll.register(control, select.POLLIN)

    def spawn(self, request: messages.Spawn, passed: list[int]) -> None:
        """Forks a worker. A machine at its limit of processes is no reason for the zygote to die."""
        act = witness.forbidden_act if request.canary else None
        try:
            pid = os.fork()
        except OSError as error:
            messages.close(*passed)
            messages.send(self._control, messages.SpawnFailed(request.number, error.errno or 0))
            return
        if pid == 0:
            channel, reply, stderr = passed
            worker.main(channel, reply, stderr, self._inherited, act)
        messages.close(*passed)
        pidfd = os.pidfd_open(pid)
        self._numbers[pidfd] = (request.number, pid)
        self.poll.register(pidfd, select.POLLIN)
        messages.send(self._control, messages.Spawned(request.number), (pidfd,))

    def reap(self, pidfd: int) -> None:
        number, pid = self._numbers.pop(pidfd)
        self.poll.unregister(pidfd)
        os.close(pidfd)
        _, status, usage = os.wait4(pid, 0)
        seconds = usage.ru_utime + usage.ru_stime
        messages.send(self._control, messages.Exited(number, status, seconds, usage.ru_maxrss * 1024))


def _serve(control: socket.socket, controls: witness.Controls, inherited: worker.Inherited, absent: _Absent) -> None:
    """Forks on request until end-of-file. Nothing that arrives after the seal makes a worker weaker."""
    workers = _Workers(control, inherited)
    sealed = False
    while True:
        for descriptor, _events in workers.poll.poll():
            if descriptor != control.fileno():
                workers.reap(descriptor)
                continue
            message, passed = messages.receive(control)
            match message:
                case None:
                    return
                case messages.Spawn(canary=True) if sealed:
                    raise RuntimeError("a canary was asked for after the seal")
                case messages.Spawn():
                    workers.spawn(message, passed)
                case messages.Witness() if not sealed:
                    messages.send(control, messages.Witnessed(tuple(witness.observe(controls, inherited, absent))))
                case messages.Seal():
                    sealed = True
                    controls.release()
                    # Canaries need more; where it cannot be loaded, the report says so of the workers' own.
                    with contextlib.suppress(OSError):
                        zygote_seccomp.install()
                case _:
                    raise RuntimeError(f"a zygote does not take {type(message).__name__}")
