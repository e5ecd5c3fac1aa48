"""Sources on their way: a bounded queue after a listing, as many readings as there is room for, and one store.

    listing ─► ahead ─► compared by digest, read behind the sandbox ─► chunked and stored, and told
    (a thread) (a few)  (a task for each place at the reader,          (in groups, each one transaction)
                         and a few more)

What touches the disk or the index does so in a thread, so that the event loop goes on watching deadlines.

Two rooms bound the bytes: one of sources, one of documents from before they are read until they are stored. What a
document takes is known only when it is here. Until then it is expected by the size of its source, and what takes more
than was expected keeps others from being read until it is stored.

Nothing is told before it is committed.
"""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import AsyncIterable, Awaitable, Callable, Iterable
from contextlib import nullcontext
from itertools import islice
from typing import Any, Final, NamedTuple

import anyio
import anyio.to_thread
from anyio.abc import ObjectReceiveStream, ObjectSendStream

from fumehood import kinds
from fumehood.chunking import ChunkingError
from fumehood.errors import SandboxUnavailable
from fumehood.hygiene import printable
from fumehood.index import Run
from fumehood.ingest.groups import Groups
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
GROUP: Final = 12
"""So many documents are stored at once: with more, they take hardly less time (measured)."""
GROUPS_AHEAD: Final = 64
"""So many documents wait while others are stored: a large one takes a second, and reading goes on meanwhile."""
GROUP_BYTES: Final = 4 * MIB
"""Of documents in memory: large ones need no company to be stored cheaply."""
GROUP_SECONDS: Final = 0.25
"""So long the first of them waits for others, and whoever watches is told nothing."""
_MOST_EXPECTED: Final = 3 / 4
"""Of the room: small documents are read beside the largest."""

OnProgress = Callable[[Outcome], Awaitable[None] | None]
Sources = Iterable[Item | Unlisted] | AsyncIterable[Item | Unlisted]
Result = Read | Ended | Outcome


class _Waiting(NamedTuple):
    """What came of a source, and the room that its document takes until it is stored."""

    result: Result
    room: Share


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
        self._groups = Groups[_Waiting](GROUP, GROUP_SECONDS, most=GROUPS_AHEAD)
        self._scope = anyio.CancelScope()
        self._error: Exception | None = None

    async def through(self, sources: Sources) -> None:
        ahead, listed = anyio.create_memory_object_stream[Item | Unlisted](BATCH)
        with self._scope:
            async with anyio.create_task_group() as storing:
                storing.start_soon(self._guarded, self._store)
                async with anyio.create_task_group() as tasks, listed:
                    tasks.start_soon(self._guarded, self._list, sources, ahead)
                    for _ in range(self._reader.workers + AHEAD):
                        tasks.start_soon(self._guarded, self._take, listed.clone())
                self._groups.close()
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
                with self._groups.coming():
                    await self._finish(item)

    async def _finish(self, item: Item | Unlisted) -> None:
        """What came of an item is let go when this returns: no document is held here while the next one is read."""
        with self._documents.share() as room:
            result = await self._came_of(item, room)
            if result is not None:
                # Who waits for its room puts nothing until it is stored.
                at_once = self._documents.wanted or self._documents.held > GROUP_BYTES
                await self._groups.put(_Waiting(result, room.handed_on()), at_once=at_once)

    async def _came_of(self, item: Item | Unlisted, room: Share) -> Result | None:
        if isinstance(item, Unlisted):
            error = printable(item.error.strerror or str(item.error))
            return Outcome(source=item.source, status="failed", error=error)
        if item.fingerprint is not None:
            known = await anyio.to_thread.run_sync(self._steps.by_fingerprint, item)
            if known is not None:
                return known
        return await self._prepared(item, room)

    async def _prepared(self, item: Item, room: Share) -> Result | None:
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

    async def _read(self, item: Item, room: Share) -> Result:
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

    async def _store(self) -> None:
        while group := await self._groups.take():
            rooms = [each.room for each in group]
            results = deque(each.result for each in group)
            del group
            outcomes = await anyio.to_thread.run_sync(self._stored, results)
            for room in rooms:
                room.become(0)
            for outcome in outcomes:
                await tell(outcome, self._tally, self._on_progress)

    def _stored(self, results: deque[Result]) -> list[Outcome]:
        """What became of each, once it is committed. Each is let go when it is stored, and not when all are."""
        writes = not self._steps.dry and not all(isinstance(each, Outcome) for each in results)
        with self._steps.index.together() if writes else nullcontext():
            return [self._ended(results.popleft()) for _ in range(len(results))]

    def _ended(self, result: Result) -> Outcome:
        try:
            outcome = self._steps.ended(result)
        except ChunkingError as error:
            assert isinstance(result, Read)  # nothing else is chunked
            outcome = failed(result.item, str(error))
        self._run.saw(outcome.source)
        return outcome
