"""The parent's side of one zygote: starts it, asks it for workers, hears how they ended, ends it."""

from __future__ import annotations

import contextlib
import functools
import math
import os
import socket
import subprocess
from collections import deque
from collections.abc import Sequence
from typing import Final

import anyio
import msgspec
from anyio.abc import TaskGroup

from fumehood.hygiene import printable
from fumehood.kinds import Kind
from fumehood.sandbox import cgroup, held, messages, spawn
from fumehood.sandbox.child import STDERR_BYTES, Worker, ZygoteFailed, log, open_ends
from fumehood.sandbox.identity import identity
from fumehood.sandbox.layers import Layer, LayerName

_GROUP_PROCESSES: Final = 4_096
_BOOT_SECONDS: Final = 60.0
"""A cold start from a slow disk with every optional library takes seconds, never a minute."""
_CHANGED: Final = "the fumehood on disk is not the one that this process has loaded; restart this process"
_PERHAPS_CHANGED: Final = "if fumehood was changed on disk since this process was started, restart this process"

_own_identity: Final = functools.cache(identity)


class Zygote:
    """One zygote and its workers. Belongs to the event loop that started it."""

    def __init__(self, family: str, kinds: Sequence[Kind], started: spawn.Started) -> None:
        self.family = family
        self.kinds = tuple(kinds)
        self._process = started.process
        self._channel = started.channel
        self._stderr = started.stderr
        self._numbers = 0
        self._workers: dict[int, Worker] = {}
        self._spares: deque[Worker] = deque()
        self._ready = anyio.Event()
        self._witnessed = anyio.Event()
        self._failure: str | None = None
        self._same: bool | None = None  # whether it has loaded what we have; None before it said
        self._gone = False
        self._group: cgroup.Group | None = None
        self.no_cgroup: str | None = None
        self.ready: messages.Ready | None = None
        self.witnessed: Sequence[Layer] = ()
        self.served = 0
        self.retired = False
        held.hold_socket(self._channel)
        held.hold(self._stderr)

    @classmethod
    async def start(cls, family: str, kinds: Sequence[Kind], tasks: TaskGroup, *, memory_bytes: int) -> Zygote:
        """A zygote that is warm and locked, not yet sealed. Raises `ZygoteFailed` or `OSError`.

        `memory_bytes` caps it and all its workers together, where there is a cgroup to be had.
        """
        zygote = cls(family, kinds, spawn.start())
        try:
            zygote._join_cgroup(memory_bytes)
            tasks.start_soon(zygote._listen)
            zygote._boot()
            with anyio.fail_after(_BOOT_SECONDS):
                await zygote._ready.wait()
        except TimeoutError:
            await zygote.end()
            raise ZygoteFailed(family, f"did not get ready in {_BOOT_SECONDS:.0f} seconds") from None
        except BaseException:
            with anyio.CancelScope(shield=True):
                await zygote.end()
            raise
        if zygote._failure is not None or zygote._gone:
            why = zygote._failure or zygote._last_words()
            await zygote.end()
            raise ZygoteFailed(family, f"did not start: {why}", in_loader=zygote._same is True)
        zygote._close_stderr()
        return zygote

    def _boot(self) -> None:
        """The first message. One that is gone already has last words, which say more than that it cannot be reached."""
        try:
            self._send(messages.Boot(self.family, os.getpid(), self.kinds))
        except ZygoteFailed:
            if not self._gone:
                raise

    def _join_cgroup(self, memory_bytes: int) -> None:
        try:
            self._group = cgroup.create()
            self._group.limit(memory_bytes, _GROUP_PROCESSES)
            self._group.add(self.pid)
        except (cgroup.NoCgroup, OSError) as error:
            self.no_cgroup = str(error)
            self._leave_cgroup()

    def _leave_cgroup(self) -> None:
        if self._group is not None:
            self._group.close()
            self._group = None

    @property
    def alive(self) -> bool:
        return not self._gone

    @property
    def absent(self) -> dict[LayerName, str]:
        """Why a layer could not be installed, by its name; empty before it is ready."""
        return self.ready.absent if self.ready else {}

    @property
    def host_name(self) -> str:
        """What it named itself in its UTS namespace."""
        return self.ready.host_name if self.ready else ""

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def busy(self) -> int:
        """Workers that exist and are not spare."""
        return len(self._workers) - len(self._spares)

    def seal(self) -> None:
        self._send(messages.Seal())

    async def witness(self) -> Sequence[Layer]:
        """What its canaries saw. Raises `ZygoteFailed`."""
        self._send(messages.Witness())
        await self._witnessed.wait()
        self._check_alive()
        return self.witnessed

    # ---- workers -----------------------------------------------------------------------------------

    async def take(self) -> Worker:
        """A waiting worker, forked ahead if there is one. Raises `ZygoteFailed`."""
        self._check_alive()
        while self._spares:
            worker = self._spares.popleft()
            if worker.alive:
                break
            self._forget(worker)
        else:
            worker = self.fork()
        try:
            await worker.wait_arrived()
        except BaseException:
            self.discard(worker)
            raise
        self.served += 1
        return worker

    def fork_ahead(self, spares: int) -> None:
        """Asks for workers until as many wait. What keeps it from doing so is met by the next to take one."""
        with contextlib.suppress(ZygoteFailed, OSError):
            while len(self._spares) < spares and not (self.retired or self._gone):
                self._spares.append(self.fork())

    def fork(self, *, canary: bool = False) -> Worker:
        """Asks for a worker, which arrives later. Raises `ZygoteFailed` or `OSError`."""
        self._numbers += 1
        ours, theirs = open_ends()
        worker = Worker(self.family, self._numbers, ours, self.kill)
        self._workers[worker.number] = worker
        try:
            self._send(messages.Spawn(worker.number, canary), (theirs.channel.fileno(), theirs.reply, theirs.stderr))
        except BaseException:
            self._forget(worker)  # Nobody was asked for it, so nobody will tell of it.
            raise
        finally:
            theirs.close()
        return worker

    def discard(self, worker: Worker) -> None:
        """Gives up a worker: closing its socket ends one that waits, a kill any other."""
        worker.kill()
        if worker in self._spares:
            self._spares.remove(worker)
        if not worker.alive:
            self._forget(worker)
        worker.close()

    def _forget(self, worker: Worker) -> None:
        self._workers.pop(worker.number, None)
        worker.close()

    # ---- the end -----------------------------------------------------------------------------------

    def kill(self) -> None:
        """For one that is stuck: what it leaves behind is heard as end-of-file, and it is replaced."""
        log.error("the zygote for %s does not answer and is killed", self.family)
        self._process.kill()

    def retire(self) -> None:
        """No new documents; those in flight go on."""
        self.retired = True
        while self._spares:
            self._forget(self._spares.pop())

    async def end(self) -> None:
        """Ends the zygote and every worker, and waits until they are gone."""
        self.retire()
        for worker in list(self._workers.values()):
            worker.kill()
        if self._channel.fileno() >= 0:
            with contextlib.suppress(OSError):
                self._channel.shutdown(socket.SHUT_RDWR)
        try:
            await self._reap()
        finally:
            self._leave_cgroup()
            self._lost()
            if self._channel.fileno() >= 0:
                anyio.notify_closing(self._channel)
                held.release(self._channel.detach())
            self._close_stderr()

    def _close_stderr(self) -> None:
        if self._stderr >= 0:
            held.release(self._stderr)
            self._stderr = -1

    async def _reap(self) -> None:
        """Waits for the outer process, which ends with the inner one; kills it if it does not."""
        with anyio.CancelScope(shield=True):
            for delay in (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.3, math.inf):
                if self._process.poll() is not None:
                    return
                if delay == math.inf:
                    break
                await anyio.sleep(delay)
            self._process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(5)

    # ---- messages ----------------------------------------------------------------------------------

    def _check_alive(self) -> None:
        if self._gone:
            raise ZygoteFailed(self.family, "went away")

    def _send(self, message: messages.Message, descriptors: tuple[int, ...] = ()) -> None:
        try:
            messages.send(self._channel, message, descriptors)
        except OSError as error:
            if isinstance(error, ConnectionError):
                self._hear_the_end()
            raise ZygoteFailed(self.family, f"cannot be reached: {error}") from error

    def _hear_the_end(self) -> None:
        """It is gone and the event loop has not come to its end-of-file: whoever tries again must not meet it again."""
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            self._hear_all()
        self._lost()

    async def _listen(self) -> None:
        """Until end-of-file. Runs as long as the zygote does.

        Whatever goes wrong costs this zygote and the reads that it has, which are told; others go on.
        """
        try:
            while self._channel.fileno() >= 0:
                await anyio.wait_readable(self._channel)
                if not self._hear_all():
                    break
        except (OSError, msgspec.MsgspecError, anyio.ClosedResourceError) as error:
            log.debug("zygote for %s: %r", self.family, error)
        except Exception:
            log.exception("the zygote for %s is given up for a bug of ours", self.family)
            self._process.kill()
        finally:
            self._lost()

    def _hear_all(self) -> bool:
        """Everything that has arrived; False at end-of-file."""
        while True:
            try:
                message, passed = messages.receive(self._channel)
            except BlockingIOError:
                return True
            if message is None:
                return False
            self._hear(message, passed)

    def _hear(self, message: messages.Message, passed: list[int]) -> None:
        match message:
            case messages.Spawned(number):
                self._arrived(number, passed)
            case messages.SpawnFailed(number, error):
                log.warning("the zygote for %s could not fork: %s", self.family, os.strerror(error))
                self._ended(number, None)
            case messages.Exited(number):
                self._ended(number, message)
            case messages.Hello(other):
                self._greeted(other)
            case messages.Ready():
                self.ready = message
                self._failure = None if self._same else _CHANGED
                self._ready.set()
            case messages.Witnessed(layers):
                self.witnessed = layers
                self._witnessed.set()
            case messages.BootFailed(why):
                self._failure = self._failure or why
                self._ready.set()
            case _:
                log.error("a zygote sent %s", type(message).__name__)

    def _greeted(self, other: bytes) -> None:
        self._same = other == _own_identity()
        if not self._same:
            self._failure = _CHANGED
            self._ready.set()

    def _arrived(self, number: int, passed: list[int]) -> None:
        worker = self._workers.get(number)
        if worker is None or worker.channel.fileno() < 0:
            # Given up while it was being forked: with its socket closed it ends by itself.
            messages.close(*passed)
        elif not passed:
            # The kernel drops what a process at its limit of descriptors has no number for (unix(7), MSG_CTRUNC).
            log.warning("the zygote for %s forked a worker whose descriptor did not arrive", self.family)
            self._ended(number, None)
        else:
            worker.arrived(passed[0])

    def _ended(self, number: int, exited: messages.Exited | None) -> None:
        worker = self._workers.pop(number, None)
        if worker is None:
            return
        worker.ended(exited)
        if worker in self._spares:
            self._spares.remove(worker)
            worker.close()

    def _lost(self) -> None:
        """The zygote is gone, and by the PID namespace or parent-death every worker of it."""
        self._gone = True
        for number, worker in list(self._workers.items()):
            worker.kill()
            self._ended(number, None)
        self._ready.set()
        self._witnessed.set()

    def _last_words(self) -> str:
        """What the interpreter said if it did not get as far as to send a message; trusted code, no document yet."""
        with contextlib.suppress(OSError):
            words = os.read(self._stderr, STDERR_BYTES).decode("utf-8", "replace").strip()
            if words:
                said = printable(words.splitlines()[-1])
                return said if self._same else f"{_PERHAPS_CHANGED}: {said}"
        return "it ended without a word"
