"""One document on one worker: hand it over, read the reply, end the worker, and put down what was seen."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass

import anyio

from fumehood.errors import Refusal, refusal
from fumehood.sandbox import messages
from fumehood.sandbox.child import Worker, log
from fumehood.sandbox.reply import BadReply, Reply
from fumehood.sandbox.verdict import Ending, KilledFor

_PIECE = 64 * 1024
"""What a pipe holds (pipe(7)); a larger read would not bring more."""
_WATCH_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Finished:
    """What was seen of a read, and the reply to take its contents from. `touched`: the worker had begun to read."""

    ending: Ending
    reply: Reply

    @property
    def touched(self) -> bool:
        return self.reply.started is not None


class Deadline:
    """When a read must be over: `wall_seconds` from its first dispatch to a worker, whatever is dispatched after."""

    def __init__(self, wall_seconds: float) -> None:
        self._seconds = wall_seconds
        self._at: float | None = None

    def begun(self) -> float:
        """The time on anyio's clock; the first call starts it."""
        if self._at is None:
            self._at = anyio.current_time() + self._seconds
        return self._at


async def run(worker: Worker, job: messages.Job, document: int, deadline: float, *, watch: bool) -> Finished:
    """Runs `job` until the worker is gone. `deadline` is on anyio's clock; `watch` polls its memory.

    However this is left, by cancellation too, the worker is dead and its descriptors are closed.
    """
    started = time.monotonic()
    run_ = _Run(worker, job)
    try:
        with anyio.CancelScope(deadline=deadline) as scope:
            if watch:
                await run_.watched(document)
            else:
                await run_.to_the_end(document)
        if scope.cancelled_caught:
            run_.killed_for = "deadline"
    finally:
        worker.kill()
        await worker.wait_reaped()
        worker.close()
    return run_.finished(time.monotonic() - started)


class _Run:
    def __init__(self, worker: Worker, job: messages.Job) -> None:
        self._worker = worker
        self._job = job
        self._reply = Reply(job.limits, sniff=job.sniff)
        self._spoilt: Refusal | None = None
        self.killed_for: KilledFor | None = None

    async def to_the_end(self, document: int) -> None:
        await self.converse(document)
        await self._worker.wait_ended()

    async def watched(self, document: int) -> None:
        """The same beside a watchdog on its memory."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self.watch_memory)
            await self.to_the_end(document)
            tasks.cancel_scope.cancel()

    async def converse(self, document: int) -> None:
        """Sends the job and reads the reply to its end, or to the first thing wrong with it."""
        try:
            messages.send(self._worker.channel, self._job, (document,))
        except OSError:
            return  # It died while it waited; how is for the zygote to say.
        self._worker.close_channel()
        try:
            while untrusted_bytes := await self._receive():
                self._reply.feed(untrusted_bytes)
        except BadReply as error:
            log.debug("worker %d: %s", self._worker.number, error)
            self._spoilt = refusal("bad-reply", stage="reply")
        except Refusal as refused:
            self._spoilt = refused
        if self._spoilt is not None:
            self._worker.kill()

    async def _receive(self) -> bytes:
        while True:
            await anyio.wait_readable(self._worker.reply)
            try:
                return os.read(self._worker.reply, _PIECE)
            except BlockingIOError:
                continue

    async def watch_memory(self) -> None:
        """For kernels that cap nothing: kills the worker once its own memory passes the cap.

        A watchdog sees only what lasts longer than its pause; it is no substitute for the kernel's cap.
        """
        import psutil

        with_number = _process_id(self._worker.pidfd)
        if with_number is None:
            return
        try:
            process = psutil.Process(with_number)
            base = process.memory_info().rss
            while process.memory_info().rss - base <= self._job.limits.heap_bytes:
                await anyio.sleep(_WATCH_SECONDS)
        except psutil.Error:
            return
        self.killed_for = "memory"
        self._worker.kill()

    def finished(self, wall_seconds: float) -> Finished:
        exited = self._worker.exited
        base = self._reply.started.base_bytes if self._reply.started else 0
        peak = max(0, exited.peak_bytes - base) if exited is not None else 0
        complete = self._reply.complete and self._spoilt is None
        return Finished(
            Ending(exited, self.killed_for, self._spoilt, self._reply.refused, complete, wall_seconds, peak),
            self._reply,
        )


def _process_id(pidfd: int) -> int | None:
    """The process id that a pidfd stands for, in our own PID namespace (pidfd_open(2))."""
    for line in _fdinfo(pidfd):
        if line.startswith("Pid:"):
            number = int(line.split()[1])
            return number if number > 0 else None
    return None


def _fdinfo(descriptor: int) -> Iterable[str]:
    try:
        with open(f"/proc/self/fdinfo/{descriptor}", encoding="ascii") as lines:
            return lines.read().splitlines()
    except OSError:
        return ()
