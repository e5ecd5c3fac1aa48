"""From sources to an index: listed, compared, read, chunked and stored.

    async with Reader() as reader:
        summary = await Pipeline(index, reader).run(Listing(["reports"]))

Memory depends on the limits and on the number of workers, not on the number of sources; see :mod:`fumehood.ingest.flow`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import anyio
import anyio.to_thread

from fumehood.chunking.model import Value
from fumehood.index import DEFAULT_NAMESPACE, Index, Recipe, Run
from fumehood.index.model import checked_namespace
from fumehood.ingest.chunker import Chunker
from fumehood.ingest.flow import Flow, OnProgress, Sources, tell
from fumehood.ingest.items import Item
from fumehood.ingest.listing import Listing
from fumehood.ingest.outcome import Outcome, Summary, Tally
from fumehood.ingest.pruning import Pruning, Scope
from fumehood.ingest.steps import Loaded, Steps
from fumehood.kinds import AUTO, ReadOptions
from fumehood.limits.policy import Limits
from fumehood.reader import Reader


class Pipeline:
    """What goes into `index` is what `reader` read and `chunker` divided. As a reader, it belongs to one event loop.

    - `kind`, `options`: of every read. `limits`: the reader's own if left out.
    - `namespace`: of the index. Raises `ValueError` for one without a name, or with control characters in it.
    """

    def __init__(
        self,
        index: Index,
        reader: Reader,
        chunker: Chunker | None = None,
        *,
        kind: str = AUTO,
        options: ReadOptions | None = None,
        limits: Limits | None = None,
        namespace: str = DEFAULT_NAMESPACE,
    ) -> None:
        self._reader = reader
        self._steps = _steps(index, chunker, kind, options, limits or reader.limits, namespace)

    async def run(
        self,
        sources: Sources,
        *,
        scope: Scope | None = None,
        on_progress: OnProgress | None = None,
        allow_empty: bool = False,
        dry_run: bool = False,
    ) -> Summary:
        """Brings the index up to date with `sources` and returns what came of it.

        - `sources`: a plain iterable is iterated in a thread, some items ahead.
        - `scope`: what is gone from it is pruned; a :class:`Listing` is its own, for others None prunes nothing.
        - `on_progress`: called, and awaited if it is asynchronous, with each :class:`Outcome`, one after another.
        - `allow_empty`: prune also where nothing at all was listed.
        - `dry_run`: nothing is read or stored; an outcome `read` or `pruned` is one that would be.

        Raises `StoreError` if the index fails, `IndexBusy` if another run is on it, `SandboxUnavailable` if this
        machine lacks what is required, and what `sources` and `on_progress` raise. Cancelling it, or whatever else ends
        it, does so between two sources: each is in the index whole, or as it was.
        """
        if scope is None and isinstance(sources, Listing):
            scope = sources
        steps = replace(self._steps, dry=dry_run)
        began, tally = time.monotonic(), Tally()
        async with _run(steps, scope) as run:
            await Flow(steps, self._reader, run, tally, on_progress).through(sources)
            kept = 0 if scope is None else await _prune(steps, run, scope, tally, on_progress, allow_empty=allow_empty)
            if isinstance(scope, Listing):
                tally.skipped.update(scope.skipped)
            summary = tally.summary(time.monotonic() - began, kept=kept, dry_run=dry_run)
            await anyio.to_thread.run_sync(run.finish, _counts(summary))
        return summary

    async def ingest_one(
        self,
        data: Any,
        *,
        source: str,
        name: str | None = None,
        fingerprint: str | None = None,
        metadata: Mapping[str, Value] | None = None,
    ) -> Outcome:
        """One document that is here already, such as an upload: `read`, `unchanged` or `refused` when this returns.

        - `source`: what the index calls it; what it has under that name is replaced, whole or not at all.
        - `name`: a file name, only as a hint to its kind.
        - `metadata`: the caller's own.

        Raises `SandboxUnavailable` if nothing is wrong with the document and it could not be taken, `ChunkingError` if
        the chunker's options do not fit it, and `StoreError`; then the index has what it had.
        """
        item = Item.of_bytes(data, source, name=name, fingerprint=fingerprint, metadata=metadata)
        steps = self._steps
        loaded = await anyio.to_thread.run_sync(steps.loaded, item)
        read = await steps.read(self._reader, item, loaded) if isinstance(loaded, Loaded) else loaded
        return await anyio.to_thread.run_sync(steps.ended, read)


def ingest_isolated(
    index: Index,
    data: Any,
    *,
    source: str,
    name: str | None = None,
    metadata: Mapping[str, Value] | None = None,
    chunker: Chunker | None = None,
    kind: str = AUTO,
    options: ReadOptions | None = None,
    limits: Limits | None = None,
    namespace: str = DEFAULT_NAMESPACE,
) -> Outcome:
    """:meth:`Pipeline.ingest_one` for callers without an event loop, by way of `read_isolated`; safe from any thread."""
    steps = _steps(index, chunker, kind, options, limits or Limits(), namespace)
    item = Item.of_bytes(data, source, name=name, metadata=metadata)
    loaded = steps.loaded(item)
    return steps.ended(steps.read_here(item, loaded) if isinstance(loaded, Loaded) else loaded)


def _steps(
    index: Index, chunker: Chunker | None, kind: str, options: ReadOptions | None, limits: Limits, namespace: str
) -> Steps:
    chunker = chunker or Chunker()
    recipe = Recipe(
        kind=kind,
        options=options or ReadOptions(),
        limits=limits,
        strategy=chunker.strategy,
        chunking=chunker.options,
    )
    return Steps(index, recipe, chunker, checked_namespace(namespace))


@asynccontextmanager
async def _run(steps: Steps, scope: Scope | None) -> AsyncIterator[Run]:
    scopes = () if scope is None else scope.scopes()
    opened = steps.index.run(namespace=steps.namespace, scopes=scopes)
    run = await anyio.to_thread.run_sync(opened.__enter__)
    try:
        yield run
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(opened.__exit__, *sys.exc_info())


async def _prune(
    steps: Steps, run: Run, scope: Scope, tally: Tally, on_progress: OnProgress | None, *, allow_empty: bool
) -> int:
    """How many only seem to be gone."""
    pruning = await anyio.to_thread.run_sync(
        lambda: Pruning(steps, run, scope, empty=tally.sources == 0, allow_empty=allow_empty)
    )
    while batch := await anyio.to_thread.run_sync(pruning.batch):
        for outcome in batch:
            await tell(outcome, tally, on_progress)
    return pruning.kept


def _counts(summary: Summary) -> dict[str, int]:
    """What the index keeps on record of a run."""
    names = ("succeeded", "unchanged", "refused", "failed", "pruned", "chunks", "bytes")
    return {name: getattr(summary, name) for name in names}
