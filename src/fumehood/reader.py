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
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

import anyio
import anyio.lowlevel

from fumehood import kinds
from fumehood.charsets import charset
from fumehood.document import Document, Notice, Receipt
from fumehood.errors import Refusal, refusal
from fumehood.hygiene import printable
from fumehood.kinds import AUTO, OPTION_NAMES, PLAIN, Kind, ReadOptions
from fumehood.limits.policy import Limits
from fumehood.sandbox.child import ZygoteFailed
from fumehood.sandbox.document_file import DocumentFile, sealed
from fumehood.sandbox.host import Host, Read
from fumehood.sandbox.jobs import Deadline
from fumehood.sandbox.layers import DEFAULT_REQUIRE, Layer, check_requirements
from fumehood.sandbox.verdict import judge

if TYPE_CHECKING:
    from fumehood.sandbox.loop_thread import LoopThread

QUEUE_PER_WORKER: Final = 4
MAX_PASSWORD: Final = 1_024
MAX_NAME: Final = 4_096
_WORKER_DETAIL: Final = 400


class ProcessInfo(NamedTuple):
    """One process of ours: a zygote or a worker. `resident_bytes` counts pages shared with its zygote too."""

    family: str
    pid: int
    resident_bytes: int


@dataclass(frozen=True, slots=True)
class _Request:
    """What the caller asked for, checked."""

    kind: Kind | None
    data: memoryview
    limits: Limits
    hint: Kind | None
    options: ReadOptions
    require: frozenset[str] | None

    @classmethod
    def check(
        cls,
        kind: str,
        data: Any,
        limits: Limits | None,
        name: str | None,
        options: ReadOptions | None,
        require: Iterable[str] | None,
    ) -> _Request:
        """Raises `TypeError` and `ValueError` for the caller's mistakes."""
        if not isinstance(kind, str):
            raise TypeError(f"kind is a name such as 'pdf' or 'auto', not {type(kind).__name__}")
        known = None if kind == AUTO else kinds.get(kind)
        if limits is not None and not isinstance(limits, Limits):
            raise TypeError(f"limits takes a Limits, not {type(limits).__name__}")
        return cls(
            known,
            _flat_bytes(data),
            limits or Limits(),
            _hint(name),
            _checked_options(known, options),
            None if require is None else check_requirements(require),
        )


def _flat_bytes(data: Any) -> memoryview:
    try:
        view = memoryview(data)
    except TypeError:
        raise TypeError(
            f"data is the document's bytes, not {type(data).__name__}; read a file with open(path, 'rb').read()"
        ) from None
    return view.cast("B") if view.c_contiguous else memoryview(view.tobytes())


def _hint(name: str | None) -> Kind | None:
    if name is None:
        return None
    if not isinstance(name, str | os.PathLike):
        raise TypeError(f"name is a file name, not {type(name).__name__}")
    return kinds.by_extension(os.fsdecode(name)[-MAX_NAME:])


def _checked_options(kind: Kind | None, options: ReadOptions | None) -> ReadOptions:
    if options is None:
        return ReadOptions()
    if not isinstance(options, ReadOptions):
        raise TypeError(f"options takes a ReadOptions, not {type(options).__name__}")
    for name in OPTION_NAMES:
        value = getattr(options, name)
        wanted = bool if name in ("attachments", "lenient") else str
        if not isinstance(value, wanted) and value is not None:
            raise TypeError(f"ReadOptions.{name} takes a {wanted.__name__}, not {type(value).__name__}")
    if kind is not None:
        unknown = options.chosen() - kind.options
        if unknown:
            has = ", ".join(sorted(kind.options)) or "none"
            raise TypeError(f"kind {kind.name} has no option {', '.join(sorted(unknown))}; it has {has}")
    if options.engine is not None:
        kinds.check_engine(kinds.kinds() if kind is None else (kind,), options.engine)
    if options.password is not None and len(options.password) > MAX_PASSWORD:
        raise ValueError(f"ReadOptions.password has {len(options.password):,} characters; at most {MAX_PASSWORD:,}")
    if options.charset is not None:
        charset(options.charset)
    return options


class Reader:
    """Reads documents, each in a process of its own; runs natively under trio and asyncio.

        async with Reader(limits=Limits.strict()) as reader:
            document = await reader.read("pdf", data)

    - `limits`: for reads that name none.
    - `workers`: how many documents are read at once; the processors of this machine by default.
    - `queue`: how many may wait beyond that, four times `workers` by default; more are refused `overloaded`.
    - `require`: what must be enforced of the sandbox; see :data:`fumehood.DEFAULT_REQUIRE`.

    Leaving the block ends every process it started. One reader belongs to one event loop.
    """

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        workers: int | None = None,
        queue: int | None = None,
        require: Iterable[str] = DEFAULT_REQUIRE,
    ) -> None:
        self._limits = limits or Limits()
        if not isinstance(self._limits, Limits):
            raise TypeError(f"limits takes a Limits, not {type(limits).__name__}")
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
        data: Any,
        *,
        limits: Limits | None = None,
        name: str | None = None,
        options: ReadOptions | None = None,
        require: Iterable[str] | None = None,
    ) -> Document:
        """Reads one document; see :func:`read_isolated` for the arguments and what is raised.

        Cancelling kills the worker before the cancellation goes on.
        """
        request = _Request.check(kind, data, limits or self._limits, name, options, require)
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

    async def _read(self, request: _Request) -> Document:
        host = self._opened()
        size, most = len(request.data), request.limits.input_bytes
        if size > most:
            raise refusal("input-too-large", limit="input_bytes", bound=most, observed=size, stage="ingress")
        await anyio.lowlevel.checkpoint_if_cancelled()
        await self._take_place()
        try:
            with _machine_refuses():
                document = await sealed(request.data)
                try:
                    return await self._dispatch(host, request, document)
                finally:
                    os.close(document.descriptor)
        finally:
            self._free.release()

    async def _take_place(self) -> None:
        """A place among the workers; `overloaded` if too many wait already."""
        try:
            self._free.acquire_nowait()
            return
        except anyio.WouldBlock:
            pass
        if self._waiting >= self._queue:
            raise refusal("overloaded", bound=self._queue, observed=self._waiting, stage="ingress")
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1

    async def _dispatch(self, host: Host, request: _Request, document: DocumentFile) -> Document:
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


async def _document(kind: Kind, read: Read, document: DocumentFile, request: _Request) -> Document:
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
    data: Any,
    *,
    limits: Limits | None = None,
    name: str | None = None,
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
    `ValueError` for a mistake in the call. Safe to call from many threads at once.
    """
    request = _Request.check(kind, data, limits, name, options, require)
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
