"""Sources on their way: a bounded queue after a listing, as many readings as there is room for, and one store.

    listing ─► ahead ─► compared by digest, read behind the sandbox ─► chunked and stored, and told
    (a thread) (a few)  (a task for each place at the reader,          (one after another)
                         and a few more)

What touches the disk or the index does so in a thread, so that the event loop goes on watching deadlines.

Two rooms bound the bytes: one of sources, one of documents from before they are read until they are stored. What a
document takes is known only when it is here. Until then it is expected by the size of its source, and what takes more
than was expected keeps others from being read until it is stored.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterable, Awaitable, Callable, Iterable
from itertools import islice
from typing import Any, Final

import anyio
import anyio.to_thread
from anyio.abc import ObjectReceiveStream, ObjectSendStream

from fumehood import kinds
from fumehood.chunking import ChunkingError
from fumehood.errors import SandboxUnavailable
from fumehood.hygiene import printable
from fumehood.index import Run
from fumehood.ingest.items import Item, Unlisted
from fumehood.ingest.outcome import Outcome, Tally
from fumehood.ingest.room import Room, Share, weight
from fumehood.ingest.steps import Ended, Loaded, Read, Steps, failed
from fumehood.limits.policy import MIB
from fumehood.reader import Reader

BATCH: Final = 32
"""So many items are listed in one visit to a thread."""
AHEAD: Final = 3
"""So many more are under way than the reader has places: some are compared or stored, and no place is idle."""
SOURCES_ROOM: Final = 32 * MIB
"""Bytes of sources held at once, for each place at the reader; one alone may have as many as its limits allow."""
DOCUMENTS_ROOM: Final = 64 * MIB
"""Bytes of documents in memory, likewise."""
_OF_TEXT: Final = 4
"""A byte of plain text becomes about four: in the text, in what chunking takes, and two for the blocks of ordinary lines."""
_MOST_EXPECTED: Final = 3 / 4
"""Of the room: small documents are read beside the largest."""

OnProgress = Callable[[Outcome], Awaitable[None] | None]
Sources = Iterable[Item | Unlisted] | AsyncIterable[Item | Unlisted]


async def tell(outcome: Outcome, tally: Tally, on_progress: OnProgress | None) -> None:
    tally.add(outcome)
    if on_progress is not None:
        waiting = on_progress(outcome)
        if inspect.isawaitable(waiting):
            await waiting


class Flow:
    """One run's sources, once through. What a task raises ends all of them, and is raised as itself."""

    def __init__(self, steps: Steps, reader: Reader, run: Run, tally: Tally, on_progress: OnProgress | None) -> None:
        self._steps = steps
        self._reader = reader
        self._run = run
        self._tally = tally
        self._on_progress = on_progress
        self._sources = Room(SOURCES_ROOM * reader.workers)
        self._documents = Room(DOCUMENTS_ROOM * reader.workers)
        self._places = anyio.Semaphore(reader.workers, fast_acquire=True)
        self._storing = anyio.Lock(fast_acquire=True)
        self._scope = anyio.CancelScope()
        self._error: Exception | None = None

    async def through(self, sources: Sources) -> None:
        ahead, listed = anyio.create_memory_object_stream[Item | Unlisted](BATCH)
        with self._scope:
            async with anyio.create_task_group() as tasks, listed:
                tasks.start_soon(self._guarded, self._list, sources, ahead)
                for _ in range(self._reader.workers + AHEAD):
                    tasks.start_soon(self._guarded, self._take, listed.clone())
        if self._error is not None:
            raise self._error

    async def _guarded(self, work: Callable[..., Awaitable[None]], *arguments: Any) -> None:
        try:
            await work(*arguments)
        except Exception as error:
            self._error = self._error or error
            self._scope.cancel()

    # ---- listing ---------------------------------------------------------------------------------------

    async def _list(self, sources: Sources, ahead: ObjectSendStream[Item | Unlisted]) -> None:
        async with ahead:
            if isinstance(sources, AsyncIterable):
                async for item in sources:
                    await ahead.send(item)
                return
            items = iter(sources)
            while batch := await anyio.to_thread.run_sync(lambda: list(islice(items, BATCH))):
                for item in batch:
                    await ahead.send(item)

    # ---- reading ---------------------------------------------------------------------------------------

    async def _take(self, listed: ObjectReceiveStream[Item | Unlisted]) -> None:
        async with listed:
            async for item in listed:
                await self._finish(item)

    async def _finish(self, item: Item | Unlisted) -> None:
        """What came of an item is let go when this returns: no document is held while the next one is read."""
        if isinstance(item, Unlisted):
            error = printable(item.error.strerror or str(item.error))
            await self._store(Outcome(source=item.source, status="failed", error=error))
            return
        if item.fingerprint is not None:
            known = await anyio.to_thread.run_sync(self._steps.by_fingerprint, item)
            if known is not None:
                await self._store(known)
                return
        with self._documents.share() as room:
            result = await self._prepared(item, room)
            if result is not None:
                await self._store(result)

    async def _prepared(self, item: Item, room: Share) -> Read | Ended | Outcome | None:
        """None for what has gone since it was listed."""
        try:
            return await self._read(item, room)
        except FileNotFoundError:
            self._tally.skipped["vanished"] += 1
            return None
        except OSError as error:
            return failed(item, printable(error.strerror or str(error)))
        except SandboxUnavailable as unavailable:
            if unavailable.code == "sandbox-unavailable":
                raise  # No document can be read.
            return failed(item, unavailable.message)

    async def _read(self, item: Item, room: Share) -> Read | Ended | Outcome:
        """The bytes are let go when this returns."""
        with self._sources.share() as held:
            await held.take(min(item.size, self._steps.recipe.limits.input_bytes))
            # Standard input, or a disk of another machine, may never answer: then the thread is left behind.
            loaded = await anyio.to_thread.run_sync(self._steps.loaded, item, abandon_on_cancel=True)
            if not isinstance(loaded, Loaded):
                return loaded
            held.become(len(loaded.data))  # Its size may not have been known.
            async with self._places:  # Its time is that of the read, not of waiting for a place.
                await room.take(self._expected(item, len(loaded.data)))
                read = await self._steps.read(self._reader, item, loaded)
                room.become(weight(read.document) if isinstance(read, Read) else 0)
                return read

    def _expected(self, item: Item, size: int) -> int:
        """Bytes of a document by its source, as far as it can be told: other formats are packed, or mostly pictures."""
        known = kinds.by_extension(item.name) if item.name else None
        most = DOCUMENTS_ROOM * self._reader.workers * _MOST_EXPECTED
        return min(size * _OF_TEXT, int(most)) if known is None or known.family == kinds.PLAIN else size

    # ---- storing ---------------------------------------------------------------------------------------

    async def _store(self, result: Read | Ended | Outcome) -> None:
        async with self._storing:
            await tell(await anyio.to_thread.run_sync(self._stored, result), self._tally, self._on_progress)

    def _stored(self, result: Read | Ended | Outcome) -> Outcome:
        try:
            outcome = self._steps.ended(result)
        except ChunkingError as error:
            assert isinstance(result, Read)  # nothing else is chunked
            outcome = failed(result.item, str(error))
        self._run.saw(outcome.source)
        return outcome
