"""The one way in: `Reader` for asynchronous callers, `read_isolated` for the others.

Nothing here parses a byte of a document. A call ends in a `Document`, in a `Refusal`, or, for a mistake of
the caller's own, in a `TypeError` or `ValueError` before anything starts.
"""

from __future__ import annotations

import atexit
import concurrent.futures
import contextlib
import os
import sys
import threading
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Final, NamedTuple, Self

import anyio
import anyio.lowlevel

from fumehood import kinds
from fumehood.document import Document, Notice, Receipt
from fumehood.errors import Refusal, SandboxUnavailable, WorkerFailed, refusal
from fumehood.hygiene import printable
from fumehood.kinds import PLAIN, Kind, ReadOptions
from fumehood.limits.policy import Limits
from fumehood.request import Request, checked_limits
from fumehood.sandbox.child import ZygoteFailed
from fumehood.sandbox.document_file import DocumentFile, sealed
from fumehood.sandbox.host import Host, Read
from fumehood.sandbox.jobs import Deadline
from fumehood.sandbox.layers import DEFAULT_REQUIRE, Layer, check_requirements
from fumehood.sandbox.verdict import judge

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

    from fumehood.sandbox.loop_thread import LoopThread

QUEUE_PER_WORKER: Final = 4
_WORKER_DETAIL: Final = 400


class ProcessInfo(NamedTuple):
    """One process of ours: a zygote or a worker. `resident_bytes` counts pages shared with its zygote too."""

    family: str
    pid: int
    resident_bytes: int


class Reader:
    """Reads documents, each in a process of its own; runs natively under trio and asyncio.

        async with Reader(limits=Limits.strict()) as reader:
            document = await reader.read("pdf", data)

    - `limits`: for reads that name none.
    - `workers`: how many documents are read at once; the processors of this machine by default.
    - `queue`: how many may wait beyond that, four times `workers` by default; more are refused `overloaded`.
    - `require`: what must be enforced of the sandbox; see :data:`fumehood.DEFAULT_REQUIRE`.

    Leaving the block ends every process it started; reads that other tasks are waiting for are refused as `cancelled`.
    One reader belongs to one event loop.
    """

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        workers: int | None = None,
        queue: int | None = None,
        require: Iterable[str] = DEFAULT_REQUIRE,
    ) -> None:
        self._limits = checked_limits(limits)
        self._workers = _at_least("workers", workers, _processors(), 1)
        self._queue = _at_least("queue", queue, QUEUE_PER_WORKER * self._workers, 0)
        self._require = check_requirements(require)
        self._host: Host | None = None
        self._pid = -1
        self._waiting = 0

    async def __aenter__(self) -> Self:
        if self._host is not None:
            raise RuntimeError("this Reader is open already")
        if not sys.platform.startswith("linux"):
            raise refusal(
                "sandbox-unavailable", stage="ingress", detail=f"only Linux has its layers; this is {sys.platform}"
            )
        async with contextlib.AsyncExitStack() as opening:
            tasks = await opening.enter_async_context(anyio.create_task_group())
            opening.callback(tasks.cancel_scope.cancel)
            self._host = Host(tasks, self._workers, self._limits)
            opening.push_async_callback(self._host.close)
            self._closing = opening.pop_all()
        self._free = anyio.Semaphore(self._workers)
        self._pid = os.getpid()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool | None:
        self._opened()
        self._host = None
        try:
            return await self._closing.__aexit__(kind, error, traceback)
        except BaseExceptionGroup as group:
            if error is None or group.exceptions != (error,):
                raise
            return False  # The caller's own exception goes on as itself, not in a group.

    async def read(
        self,
        kind: str,
        data: ReadableBuffer,
        *,
        limits: Limits | None = None,
        name: str | os.PathLike[str] | None = None,
        options: ReadOptions | None = None,
        require: Iterable[str] | None = None,
    ) -> Document:
        """Reads one document; see :func:`read_isolated` for the arguments and what is raised.

        Cancelling kills the worker before the cancellation goes on.
        """
        request = Request.check(kind, data, self._limits if limits is None else limits, name, options, require)
        return await self._read(request)

    @property
    def workers(self) -> int:
        """How many documents are read at once."""
        return self._workers

    @property
    def limits(self) -> Limits:
        """For reads that name none."""
        return self._limits

    async def layers(self) -> tuple[Layer, ...]:
        """What was witnessed of each layer, outermost first."""
        host = self._opened()
        with _machine_refuses():
            return tuple((await host.report()).values())

    async def check(self) -> None:
        """Raises `SandboxUnavailable` if what is required is not enforced on this machine: no document could be read."""
        host = self._opened()
        with _machine_refuses():
            await host.check(self._require)

    def processes(self) -> list[ProcessInfo]:
        """The processes of this reader that are alive, with their memory; empty before the first read."""
        import psutil

        found: list[ProcessInfo] = []
        for zygote in self._opened().zygotes():
            try:
                outer = psutil.Process(zygote.pid)
                tree = [outer, *outer.children(recursive=True)]
            except psutil.Error:
                continue
            for process in tree:
                try:
                    found.append(ProcessInfo(zygote.family, process.pid, process.memory_info().rss))
                except psutil.Error:
                    continue
        return found

    # ---- one read --------------------------------------------------------------------------------------

    def _opened(self) -> Host:
        if self._host is None:
            raise RuntimeError("this Reader is not open; use it inside `async with Reader() as reader:`")
        if self._pid != os.getpid():
            raise RuntimeError("this Reader belongs to the process that forked this one; open another")
        return self._host

    async def _read(self, request: Request) -> Document:
        host = self._opened()
        size, most = len(request.data), request.limits.input_bytes
        if size > most:
            raise refusal("input-too-large", limit="input_bytes", bound=most, observed=size, stage="ingress")
        await anyio.lowlevel.checkpoint_if_cancelled()
        free = self._free
        await self._take_place(free)
        try:
            self._raise_if_left(host)
            with _machine_refuses():
                document = await sealed(request.data)
                try:
                    return await self._dispatch(host, request, document)
                finally:
                    os.close(document.descriptor)
        except (WorkerFailed, SandboxUnavailable):
            self._raise_if_left(host)
            raise
        finally:
            free.release()

    def _raise_if_left(self, host: Host) -> None:
        """Whose workers are ended because the block was left says nothing about the document, or the machine."""
        if self._host is not host:
            raise refusal("cancelled", stage="ingress") from None

    async def _take_place(self, free: anyio.Semaphore) -> None:
        """A place among the workers; `overloaded` if too many wait already."""
        try:
            free.acquire_nowait()
            return
        except anyio.WouldBlock:
            pass
        if self._waiting >= self._queue:
            raise refusal("overloaded", bound=self._queue, observed=self._waiting, stage="ingress")
        self._waiting += 1
        try:
            await free.acquire()
        finally:
            self._waiting -= 1

    async def _dispatch(self, host: Host, request: Request, document: DocumentFile) -> Document:
        require = self._require if request.require is None else request.require
        deadline = Deadline(request.limits.wall_seconds)
        kind, options = request.kind, request.options
        if kind is None:
            hint = request.hint.name if request.hint else None
            sniffing = kinds.of_family(PLAIN)[0]  # Whose worker it is; `text` may be somebody else's by now.
            read = await host.read(
                sniffing, document, request.limits, ReadOptions(), require, deadline, hint=hint, sniff=True
            )
            kind = _sniffed(read, request.limits)
            options = options.only(kind.options)
        read = await host.read(kind, document, request.limits, options, require, deadline)
        _raise_if_refused(read, request.limits)
        return await _document(kind, read, document, request)


def _sniffed(read: Read, limits: Limits) -> Kind:
    refused = judge(read.finished.ending, limits)
    if refused is not None and refused.code == "unsupported-kind" and refused.detail in kinds.names():
        # A format that the sniffer can name; what reads it came from outside, of which its worker knows nothing.
        return kinds.get(refused.detail)
    _raise_if_refused(read, limits)
    if read.finished.reply.kind is None:
        raise refusal("bad-reply", stage="reply")
    return kinds.get(read.finished.reply.kind)


def _raise_if_refused(read: Read, limits: Limits) -> None:
    refused = judge(read.finished.ending, limits)
    if refused is not None:
        raise refused


async def _document(kind: Kind, read: Read, document: DocumentFile, request: Request) -> Document:
    contents = await read.finished.reply.contents()
    ending = read.finished.ending
    notices = contents.notices
    if request.kind is None and request.hint is not None and request.hint.name != kind.name:
        notices = (Notice("kind-differs", detail=request.hint.name), *notices)
    receipt = Receipt(
        loader=kind.module,
        version=kind.version,
        engine=read.engine,
        sha256=document.sha256,
        size=document.size,
        wall_seconds=round(ending.wall_seconds, 6),
        cpu_seconds=round(ending.exited.cpu_seconds, 6) if ending.exited else 0.0,
        peak_bytes=ending.peak_bytes,
        layers=read.layers,
        inflated_bytes=contents.inflated_bytes,
    )
    return Document(
        kind.name, contents.title, contents.metadata, contents.text, contents.blocks, contents.links, notices, receipt
    )


@contextlib.contextmanager
def _machine_refuses() -> Iterator[None]:
    """What the machine does not give, as what a caller is promised: a refusal.

    But for a kind from outside whose zygote does not start, its loader is the likeliest cause, and that is the
    caller's to mend. An `OSError` here is a machine out of descriptors, processes or memory.
    """
    try:
        yield
    except ZygoteFailed as error:
        if error.in_loader and error.family.startswith("kind:"):
            raise ImportError(f"the loader of {error.family.removeprefix('kind:')} cannot be used: {error}") from error
        raise _unavailable(str(error)) from error
    except OSError as error:
        raise _unavailable(f"this process cannot start a worker: {error.strerror or 'the system refuses'}") from error


def _unavailable(why: str) -> Refusal:
    return refusal("sandbox-unavailable", stage="ingress", detail=printable(why)[:_WORKER_DETAIL])


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _at_least(name: str, value: int | None, default: int, least: int) -> int:
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} takes a whole number, not {type(value).__name__}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, not {value}")
    return value


# ---- the synchronous door --------------------------------------------------------------------------------

_lock = threading.Lock()
_default: LoopThread[Reader] | None = None


def read_isolated(
    kind: str,
    data: ReadableBuffer,
    *,
    limits: Limits | None = None,
    name: str | os.PathLike[str] | None = None,
    options: ReadOptions | None = None,
    require: Iterable[str] | None = None,
) -> Document:
    """Reads one document that a stranger sent, in a process of its own.

    - `kind`: a name of `fumehood kinds`, or `auto` to find out by content.
    - `data`: any bytes-like object; left as it is.
    - `limits`: what the document may cost; `Limits()` by default.
    - `name`: a file name, only as a hint for `auto`.
    - `options`: :class:`ReadOptions`, such as a password.
    - `require`: what must be enforced of the sandbox; :data:`DEFAULT_REQUIRE` by default.

    Raises a :class:`Refusal` for whatever is wrong with the document or the machine, and `TypeError` or
    `ValueError` for a mistake in the call. Safe to call from many threads at once: as many are read as this machine
    has processors, four times as many wait, and more are refused as `overloaded`. Open a :class:`Reader` for other sizes.
    """
    request = Request.check(kind, data, limits, name, options, require)
    try:
        return _default_reader().call(lambda reader: reader._read(request))
    except concurrent.futures.CancelledError:
        raise refusal("cancelled", stage="ingress") from None


def _default_reader() -> LoopThread[Reader]:
    """The process's own reader, started on first use and again after a fork."""
    global _default
    from fumehood.sandbox.loop_thread import LoopThread  # trio takes as long to import as all the rest.

    with _lock:
        if _default is None or not _default.alive:
            _default = LoopThread(lambda: Reader())
        return _default


def close_default_reader() -> None:
    """Ends the processes behind `read_isolated`; the next call starts them again. Done at exit by itself."""
    global _default
    with _lock:
        closing, _default = _default, None
    if closing is not None:
        closing.close()


def _forget_default() -> None:
    """A forked child has neither the thread nor a right to its parent's zygotes."""
    global _default, _lock
    _default, _lock = None, threading.Lock()


atexit.register(close_default_reader)
os.register_at_fork(after_in_child=_forget_default)

__all__ = ["Layer", "ProcessInfo", "Reader", "Refusal", "close_default_reader", "read_isolated"]
