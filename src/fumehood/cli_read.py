"""`fumehood read`: reads files through one `Reader` and prints each result in the order of the names.

However many files are named, only a window of them is under way: as many as there are workers are read,
and a few more wait, rendered, for an earlier one to be printed. So the reader's queue is never full, and
memory depends on the limits and not on the number of files.
"""

from __future__ import annotations

import os
import select
import signal
import stat
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import anyio
import anyio.to_thread
import msgspec
from anyio.abc import ObjectReceiveStream, ObjectSendStream, TaskStatus

from fumehood import cli_output
from fumehood.document import Document
from fumehood.errors import Refusal
from fumehood.hygiene import printable
from fumehood.kinds import ReadOptions
from fumehood.limits.policy import Limits
from fumehood.reader import Reader

Format = Literal["markdown", "json", "text"]

STANDARD_INPUT: Final = "-"
AHEAD_PER_WORKER: Final = 4
"""How many results may wait for an earlier one; more would only cost memory."""
_PIECE: Final = 1024 * 1024
_STDIN: Final = 0
_PROGRESS_AFTER_SECONDS: Final = 1.0
_PROGRESS_EVERY_SECONDS: Final = 0.2

OK: Final = 0
FAILED: Final = 1
NO_SANDBOX: Final = 3
"""The exit codes of :mod:`fumehood.cli`; the highest of all files wins."""


@dataclass(frozen=True, slots=True)
class Job:
    """What to do with every file. `workers` None: as many as there are processors."""

    kind: str
    format: Format
    limits: Limits
    options: ReadOptions
    workers: int | None
    require: frozenset[str]


@dataclass(frozen=True, slots=True)
class Result:
    """What to print of one file, ready for both streams, and the exit code it asks for."""

    out: bytes
    err: bytes
    code: int


class _Pending:
    """One file under way."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.done = anyio.Event()
        self.result = Result(b"", b"", OK)


def read_files(names: Sequence[str], job: Job) -> int:
    """Reads and prints all of `names`; returns the exit code.

    Raises `TypeError` or `ValueError` for a mistake in `job`. Standard output that nobody reads any more,
    SIGINT and SIGTERM end it quietly with 128 and the signal's number, every process ended.
    """
    return anyio.run(_Session(names, job).run, backend="trio")


class _Session:
    def __init__(self, names: Sequence[str], job: Job) -> None:
        self._names = names
        self._job = job
        self._code = OK
        self._ended_by: signal.Signals | None = None
        self._trouble: str | None = None
        self._mistake: Exception | None = None
        self._progress = _Progress(len(names))

    async def run(self) -> int:
        async with anyio.create_task_group() as tasks:
            await tasks.start(self._watch_signals, tasks.cancel_scope)
            try:
                await self._read_all(tasks.cancel_scope)
            finally:
                self._progress.clear()
            tasks.cancel_scope.cancel()
        if self._mistake is not None:
            raise self._mistake
        if self._trouble is not None:
            cli_output.complain(self._trouble)
            return FAILED
        return self._code if self._ended_by is None else 128 + self._ended_by

    async def _watch_signals(self, scope: anyio.CancelScope, *, task_status: TaskStatus[None]) -> None:
        """Cancelling is what ends the workers in good order, so both signals are turned into it."""
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            task_status.started()
            async for number in signals:
                self._ended_by = number
                scope.cancel()

    async def _read_all(self, scope: anyio.CancelScope) -> None:
        try:
            async with Reader(workers=self._job.workers, require=self._job.require) as reader:
                await self._through(reader, scope)
        except Refusal as refused:
            # Only opening the reader refuses here: on this platform no file can be read.
            for name in self._names:
                await self._print(_refused(name, refused, self._job), scope)

    async def _through(self, reader: Reader, scope: anyio.CancelScope) -> None:
        window = anyio.Semaphore(reader.workers * (1 + AHEAD_PER_WORKER))
        places = anyio.Semaphore(reader.workers)
        send, receive = anyio.create_memory_object_stream[_Pending](max_buffer_size=len(self._names))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._print_in_order, receive, window, scope)
            async with send:
                await self._start_all(reader, tasks, window, places, send, scope)

    async def _start_all(
        self,
        reader: Reader,
        tasks: anyio.abc.TaskGroup,
        window: anyio.Semaphore,
        places: anyio.Semaphore,
        send: ObjectSendStream[_Pending],
        scope: anyio.CancelScope,
    ) -> None:
        for name in self._names:
            await window.acquire()
            pending = _Pending(name)
            tasks.start_soon(self._read_one, reader, pending, places, scope)
            await send.send(pending)

    async def _print_in_order(
        self, receive: ObjectReceiveStream[_Pending], window: anyio.Semaphore, scope: anyio.CancelScope
    ) -> None:
        async for pending in receive:
            await pending.done.wait()
            await self._print(pending.result, scope)
            window.release()

    async def _print(self, result: Result, scope: anyio.CancelScope) -> None:
        """In a thread: a pager that takes its time must not hold up the reads' deadlines."""
        self._progress.clear()
        self._code = max(self._code, result.code)
        try:
            await anyio.to_thread.run_sync(_put, result, abandon_on_cancel=True)
        except BrokenPipeError:
            cli_output.discard_output()
            self._ended_by = signal.SIGPIPE
            scope.cancel()
        except OSError as error:
            self._trouble = f"the output cannot be written: {error.strerror}"
            cli_output.discard_output()
            scope.cancel()
        self._progress.printed()

    async def _read_one(
        self, reader: Reader, pending: _Pending, places: anyio.Semaphore, scope: anyio.CancelScope
    ) -> None:
        try:
            async with places:
                pending.result = await _result(reader, pending.name, self._job)
        except (TypeError, ValueError) as error:
            self._mistake = error
            scope.cancel()
            return
        pending.done.set()


# ---- one file ------------------------------------------------------------------------------------------


async def _result(reader: Reader, name: str, job: Job) -> Result:
    try:
        data = await anyio.to_thread.run_sync(_contents, name, job.limits.input_bytes + 1, abandon_on_cancel=True)
    except OSError as error:
        return _unreadable(name, error, job)
    try:
        document = await reader.read(
            job.kind, data, limits=job.limits, name=None if name == STANDARD_INPUT else name, options=job.options
        )
    except Refusal as refused:
        return _refused(name, refused, job)
    return _read(name, document, job)


def _contents(name: str, most: int) -> bytearray:
    """At most `most` bytes of a file: one more than is allowed is enough to be refused. Raises `OSError`."""
    if name == STANDARD_INPUT:
        return _take(_STDIN, most)
    descriptor = os.open(name, os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY)
    try:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise IsADirectoryError(0, "it is a directory; name the files in it, such as DIRECTORY/*")
        return _take(descriptor, most)
    finally:
        os.close(descriptor)


def _take(descriptor: int, most: int) -> bytearray:
    data = bytearray()
    while len(data) < most:
        try:
            piece = os.read(descriptor, min(most - len(data), _PIECE))
        except BlockingIOError:
            # Whoever shares the file description may have made it non-blocking (fcntl(2), O_NONBLOCK).
            select.select([descriptor], [], [])
            continue
        if not piece:
            break
        data += piece
    return data


# ---- what is said of it --------------------------------------------------------------------------------


def _read(name: str, document: Document, job: Job) -> Result:
    if job.format == "json":
        return Result(_line({"file": printable(name), "ok": True, "document": document}), b"", OK)
    text = document.text if job.format == "markdown" else document.visible_text
    if text and not text.endswith("\n"):
        text += "\n"
    return Result(text.encode("utf-8"), _notices(name, document), OK)


def _refused(name: str, refused: Refusal, job: Job) -> Result:
    code = NO_SANDBOX if refused.code == "sandbox-unavailable" else FAILED
    if job.format == "json":
        return Result(_line({"file": printable(name), "ok": False, "refusal": refused.to_dict()}), b"", code)
    return Result(b"", _remark(name, f"refused ({refused.code}): {printable(refused.message)}"), code)


def _unreadable(name: str, error: OSError, job: Job) -> Result:
    why = printable(error.strerror or str(error))
    if job.format == "json":
        return Result(_line({"file": printable(name), "ok": False, "error": why}), b"", FAILED)
    return Result(b"", _remark(name, f"cannot be read: {why}"), FAILED)


def _notices(name: str, document: Document) -> bytes:
    """Everything that is missing or guessed, in one line; `--format json` has it with its places."""
    counts = Counter(
        f"{notice.code} {notice.detail}" if isinstance(notice.detail, str) else notice.code for notice in document.notices
    )
    if not counts:
        return b""
    return _remark(name, "noticed " + ", ".join(f"{what} ({times})" if times > 1 else what for what, times in counts.items()))


def _remark(name: str, what: str) -> bytes:
    return f"fumehood: {printable(name)}: {what}\n".encode()


def _line(record: dict[str, object]) -> bytes:
    return msgspec.json.encode(record) + b"\n"


def _put(result: Result) -> None:
    cli_output.put(cli_output.OUT, result.out)
    cli_output.remark(result.err)


class _Progress:
    """One line on a terminal that nothing else is printed to, for work that takes its time."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._printed = 0
        self._since = time.monotonic()
        self._next = self._since + _PROGRESS_AFTER_SECONDS
        self._shown = False
        self._wanted = total > 1 and os.isatty(cli_output.ERR) and not os.isatty(cli_output.OUT)

    def printed(self) -> None:
        """Counts one file and, now and then, says so."""
        self._printed += 1
        now = time.monotonic()
        if self._wanted and now >= self._next:
            self._next = now + _PROGRESS_EVERY_SECONDS
            self._shown = True
            cli_output.remark(f"\r{self._printed:,} of {self._total:,} files".encode())

    def clear(self) -> None:
        """Takes the line away before anything else is printed."""
        if self._shown:
            self._shown = False
            cli_output.remark(b"\r\x1b[K")


