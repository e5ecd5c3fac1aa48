"""Sources on their way: bounded queues between a listing, as many readings as there is room for, and one store.

    listing ─► ahead ─► compared by digest, read behind the sandbox, chunked ─► stored, and told
    (a thread) (a few)  (a task for each place at the reader, and a few more)   (one after another)

What touches the disk or the index does so in a thread, so that the event loop goes on watching deadlines.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterable, Awaitable, Callable, Iterable
from itertools import islice
from typing import Any, Final

import anyio
import anyio.to_thread
from anyio.abc import ObjectReceiveStream, ObjectSendStream

from fumehood.chunking import ChunkingError
from fumehood.errors import SandboxUnavailable
from fumehood.hygiene import printable
from fumehood.index import Run
from fumehood.ingest.items import Item, Unlisted
from fumehood.ingest.outcome import Outcome, Tally
from fumehood.ingest.room import Room
from fumehood.ingest.steps import Ended, Loaded, Read, Steps, failed
from fumehood.limits.policy import MIB
from fumehood.reader import Reader

BATCH: Final = 32
"""So many items are listed in one visit to a thread."""
AHEAD: Final = 2
"""So many more are loaded and compared than the reader has places, so that none of these is idle."""
ROOM: Final = 96 * MIB
"""Bytes of sources held at once; one alone may have as many as its limits allow."""

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
        self._room = Room(ROOM)
        self._places = anyio.Semaphore(reader.workers)
        self._scope = anyio.CancelScope()
        self._error: Exception | None = None

    async def through(self, sources: Sources) -> None:
        ahead, listed = anyio.create_memory_object_stream[Item | Unlisted](BATCH)
        done, ended = anyio.create_memory_object_stream[Ended | Outcome](0)
        with self._scope:
            async with anyio.create_task_group() as tasks, listed, done:
                tasks.start_soon(self._guarded, self._list, sources, ahead)
                tasks.start_soon(self._guarded, self._store, ended)
                for _ in range(self._reader.workers + AHEAD):
                    tasks.start_soon(self._guarded, self._prepare, listed.clone(), done.clone())
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

    async def _prepare(
        self, listed: ObjectReceiveStream[Item | Unlisted], done: ObjectSendStream[Ended | Outcome]
    ) -> None:
        async with listed, done:
            async for item in listed:
                await self._pass_on(item, done)

    async def _pass_on(self, item: Item | Unlisted, done: ObjectSendStream[Ended | Outcome]) -> None:
        """What came of an item is let go when this returns: no document is held while the next one is read."""
        result = await self._prepared(item)
        if result is not None:
            await done.send(result)

    async def _prepared(self, item: Item | Unlisted) -> Ended | Outcome | None:
        """None for what has gone since it was listed."""
        if isinstance(item, Unlisted):
            return Outcome(source=item.source, status="failed", error=printable(item.error.strerror or str(item.error)))
        if item.fingerprint is not None:
            known = await anyio.to_thread.run_sync(self._steps.by_fingerprint, item)
            if known is not None:
                return known
        try:
            async with self._room.hold(min(item.size, self._steps.recipe.limits.input_bytes)):
                read = await self._read(item)
            return await anyio.to_thread.run_sync(self._steps.chunked, read) if isinstance(read, Read) else read
        except FileNotFoundError:
            self._tally.skipped["vanished"] += 1
            return None
        except OSError as error:
            return failed(item, printable(error.strerror or str(error)))
        except ChunkingError as error:
            return failed(item, str(error))
        except SandboxUnavailable as unavailable:
            if unavailable.code == "sandbox-unavailable":
                raise  # No document can be read.
            return failed(item, unavailable.message)

    async def _read(self, item: Item) -> Read | Ended | Outcome:
        """The bytes are let go when this returns."""
        # Standard input, or a disk of another machine, may never answer: then the thread is left behind.
        loaded = await anyio.to_thread.run_sync(self._steps.loaded, item, abandon_on_cancel=True)
        if not isinstance(loaded, Loaded):
            return loaded
        async with self._places:  # Its time is that of the read, not of waiting for a place.
            return await self._steps.read(self._reader, item, loaded)

    # ---- storing ---------------------------------------------------------------------------------------

    async def _store(self, done: ObjectReceiveStream[Ended | Outcome]) -> None:
        async with done:
            async for each in done:
                await tell(await anyio.to_thread.run_sync(self._stored, each), self._tally, self._on_progress)

    def _stored(self, each: Ended | Outcome) -> Outcome:
        outcome = self._steps.store(each) if isinstance(each, Ended) else each
        self._run.saw(outcome.source)
        return outcome
