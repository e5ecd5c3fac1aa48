"""`fumehood read`: reads files through one `Reader` and prints each result in the order of the names.

However many files are named, only a window of them is under way: as many as there are workers are read,
and a few more wait, rendered, for an earlier one to be printed. So the reader's queue is never full, and
memory depends on the limits and not on the number of files.
"""

from __future__ import annotations

import os
import stat
from collections.abc import AsyncIterable, Sequence
from dataclasses import dataclass
from typing import Final

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup

from fumehood.cli import exits, results, streams
from fumehood.cli.progress import Progress
from fumehood.cli.results import Format, Result
from fumehood.cli.signals import watch_signals
from fumehood.errors import Refusal
from fumehood.kinds import ReadOptions
from fumehood.limits.policy import Limits
from fumehood.reader import Reader

STANDARD_INPUT: Final = "-"
AHEAD_PER_WORKER: Final = 4
"""How many results may wait for an earlier one; more would only cost memory."""


@dataclass(frozen=True, slots=True)
class Job:
    """What to do with every file. `workers` None: as many as there are processors; `strategy` None: the kind's."""

    kind: str
    form: Format
    limits: Limits
    options: ReadOptions
    workers: int | None
    require: frozenset[str]
    strategy: str | None = None


def read_files(names: Sequence[str], job: Job) -> int:
    """Reads and prints all of `names`; returns the exit code.

    Raises `TypeError` or `ValueError` for a mistake in `job`, and `ImportError` for a loader from outside that fails. Standard output that nobody reads any more,
    SIGINT and SIGTERM end it quietly, with 128 and the signal's number, when every process has ended.
    """
    return anyio.run(_run, names, job, backend="trio")


async def _run(names: Sequence[str], job: Job) -> int:
    return await _Session(names, job).run()


class _Pending:
    """One file under way."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.done = anyio.Event()
        self.result = Result()


class _Session:
    def __init__(self, names: Sequence[str], job: Job) -> None:
        self._names = names
        self._job = job
        self._scope = anyio.CancelScope()
        self._progress = Progress(len(names))
        self._headings = len(names) > 1 and job.form not in ("json", "chunks")
        self._code = exits.DONE
        self._mistake: Exception | None = None

    async def run(self) -> int:
        with self._scope:
            async with anyio.create_task_group() as tasks:
                await tasks.start(watch_signals, self._stop)
                try:
                    await self._read_all()
                finally:
                    self._progress.clear()
                tasks.cancel_scope.cancel()
        if self._mistake is not None:
            raise self._mistake
        return self._code

    def _stop(self, code: int) -> None:
        """Cancelling is what ends every process in good order."""
        self._code = code
        self._scope.cancel()

    async def _read_all(self) -> None:
        try:
            async with Reader(workers=self._job.workers, require=self._job.require) as reader:
                await self._through(reader)
        except Refusal as refused:
            # Only opening the reader raises one here: this platform has no sandbox, so no file is opened.
            for name in self._names:
                await self._print(name, results.refused(name, refused, self._job.form))

    async def _through(self, reader: Reader) -> None:
        window = anyio.Semaphore(reader.workers * (1 + AHEAD_PER_WORKER))
        places = anyio.Semaphore(reader.workers)
        send, receive = anyio.create_memory_object_stream[_Pending](len(self._names))
        async with receive, anyio.create_task_group() as tasks:
            tasks.start_soon(self._print_in_order, receive, window)
            async with send:
                for name in self._names:
                    await window.acquire()
                    pending = _Pending(name)
                    self._start(tasks, reader, pending, places)
                    await send.send(pending)

    def _start(self, tasks: TaskGroup, reader: Reader, pending: _Pending, places: anyio.Semaphore) -> None:
        async def read_one() -> None:
            try:
                async with places:
                    pending.result = await _result(reader, pending.name, self._job)
            except (ImportError, TypeError, ValueError) as mistake:
                self._mistake = mistake
                self._stop(exits.WRONG_USAGE)
            pending.done.set()

        tasks.start_soon(read_one)

    # ---- printing --------------------------------------------------------------------------------------

    async def _print_in_order(self, files: AsyncIterable[_Pending], window: anyio.Semaphore) -> None:
        async for pending in files:
            await pending.done.wait()
            await self._print(pending.name, pending.result)
            window.release()

    async def _print(self, name: str, result: Result) -> None:
        """In a thread: a pager that takes its time must not hold up the deadlines of what is being read."""
        self._progress.clear()
        self._code = max(self._code, result.code)
        head = results.heading(name) if self._headings and result.code == exits.DONE else b""
        try:
            await anyio.to_thread.run_sync(_put, head, result, abandon_on_cancel=True)
        except BrokenPipeError:
            self._stop(exits.NOBODY_LISTENS)
        except OSError as error:
            streams.cannot_write(error)
            self._stop(exits.SOME_REFUSED)
        self._progress.advance()


def _put(head: bytes, result: Result) -> None:
    streams.put(head + result.out)
    streams.remark(result.err)


# ---- one file ------------------------------------------------------------------------------------------


async def _result(reader: Reader, name: str, job: Job) -> Result:
    most = job.limits.input_bytes + 1  # One more than is allowed is enough to be refused.
    try:
        data = await anyio.to_thread.run_sync(_contents, name, most, abandon_on_cancel=True)
    except OSError as error:
        return results.unreadable(name, error, job.form)
    hint = None if name == STANDARD_INPUT else name
    try:
        document = await reader.read(job.kind, data, limits=job.limits, name=hint, options=job.options)
    except Refusal as refused:
        return results.refused(name, refused, job.form)
    if job.form == "chunks":
        # It may take a second for a large document, which the deadlines of others must not wait for.
        return await anyio.to_thread.run_sync(results.chunked, name, document, job.strategy, abandon_on_cancel=True)
    return results.read(name, document, job.form)


def _contents(name: str, most: int) -> bytearray:
    """At most `most` bytes of a file. Raises `OSError`."""
    if name == STANDARD_INPUT:
        return streams.take(streams.IN, most)
    descriptor = os.open(name, os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY)
    try:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise IsADirectoryError(0, "it is a directory; name the files in it, as in DIRECTORY/*")
        return streams.take(descriptor, most)
    finally:
        os.close(descriptor)
