"""The steps of one source, each a call that may block: compare it with the index, chunk it, store what came of it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from fumehood import kinds
from fumehood.chunking import Chunk
from fumehood.document import Document
from fumehood.errors import Refusal, SandboxUnavailable, from_facts, refusal
from fumehood.index import Index, Recipe, RefusedEntry, Source
from fumehood.ingest.chunker import Chunker
from fumehood.ingest.items import Item
from fumehood.ingest.outcome import UNKNOWN_KIND, Outcome, page_count
from fumehood.reader import Reader, read_isolated


class Loaded(NamedTuple):
    """A source that has to be read: its bytes, and what the index is told of it."""

    source: Source
    data: Any


class Read(NamedTuple):
    """A source that was read. `seconds`: of the clock."""

    item: Item
    source: Source
    document: Document
    seconds: float


class Ended(NamedTuple):
    """A source that was read, or refused: what is to be stored. Its chunks are made while they are stored."""

    item: Item
    source: Source
    result: tuple[Document, Iterable[Chunk]] | Refusal
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Steps:
    """What is the same for every source. `dry`: nothing is written."""

    index: Index
    recipe: Recipe
    chunker: Chunker
    namespace: str
    dry: bool = False

    def by_fingerprint(self, item: Item) -> Outcome | None:
        """Its outcome, if the index has it with the same fingerprint: then nothing is loaded."""
        if item.fingerprint is None:
            return None
        return self._unchanged(item, Source(item.source, fingerprint=item.fingerprint))

    def loaded(self, item: Item) -> Loaded | Ended | Outcome:
        """The source to read, or what came of it if that is known without reading. Raises `OSError`."""
        most = self.recipe.limits.input_bytes
        # One more than is allowed is enough to be refused, and a file that the kernel says is larger need not be loaded.
        data = item.load(most + 1) if item.size <= most else b""
        size = max(len(data), item.size if item.size > most else 0)
        if size > most:
            why = refusal("input-too-large", limit="input_bytes", bound=most, observed=size, stage="ingress")
            return Ended(item, Source(item.source, size=size, fingerprint=item.fingerprint), why)
        source = Source(item.source, hashlib.sha256(data).hexdigest(), size, item.fingerprint)
        known = self._unchanged(item, source) or self._adopted(item, source)
        if known is None and self.dry:
            return Outcome(source=item.source, status="read", kind=suggested_kind(item), size=size)
        return known or Loaded(source, data)

    def _unchanged(self, item: Item, source: Source) -> Outcome | None:
        found = self.index.unchanged(source, self.recipe, namespace=self.namespace, metadata=item.metadata)
        if found is None:
            return None
        if not self.dry and source.sha256 is not None and found.fingerprint != source.fingerprint:
            self.index.touch(source, namespace=self.namespace)
        size = item.size if found.size is None else found.size
        if isinstance(found, RefusedEntry):
            return Outcome(
                source=item.source,
                status="refused",
                kind=suggested_kind(item),
                size=size,
                refusal=from_facts(found.refusal),
                unchanged=True,
            )
        return Outcome(
            source=item.source,
            status="unchanged",
            kind=found.kind,
            size=size,
            chunks=found.chunks,
            pages=page_count(found.metadata),
        )

    def _adopted(self, item: Item, source: Source) -> Outcome | None:
        """The document of the same bytes under another name is this source's too."""
        if self.dry:
            return None
        entry = self.index.adopt(source, self.recipe, namespace=self.namespace, metadata=item.metadata)
        if entry is None:
            return None
        return Outcome(
            source=item.source,
            status="read",
            kind=entry.kind,
            size=source.size or 0,
            chunks=entry.chunks,
            pages=page_count(entry.metadata),
        )

    async def read(self, reader: Reader, item: Item, loaded: Loaded) -> Read | Ended:
        """Behind the sandbox. Raises `SandboxUnavailable`: nothing is wrong with the document, and what is stored stays."""
        began = time.monotonic()
        try:
            answer: Document | Refusal = await reader.read(*self._what(loaded), **self._how(item))
        except Refusal as why:
            answer = why
        return _came_of(item, loaded, answer, time.monotonic() - began)

    def read_here(self, item: Item, loaded: Loaded) -> Read | Ended:
        """The same without an event loop."""
        began = time.monotonic()
        try:
            answer: Document | Refusal = read_isolated(*self._what(loaded), **self._how(item))
        except Refusal as why:
            answer = why
        return _came_of(item, loaded, answer, time.monotonic() - began)

    def _what(self, loaded: Loaded) -> tuple[str, Any]:
        return self.recipe.kind, loaded.data

    def _how(self, item: Item) -> dict[str, Any]:
        return {"limits": self.recipe.limits, "options": self.recipe.options, "name": item.name}

    def ended(self, result: Read | Ended | Outcome) -> Outcome:
        """Chunks what was read and stores what came of it; what ended already is left as it is.

        Raises `StoreError`, and `ChunkingError`: then the index has what it had.
        """
        if isinstance(result, Read):
            result = self._chunked(result)
        return self._store(result) if isinstance(result, Ended) else result

    def _chunked(self, read: Read) -> Ended:
        return Ended(read.item, read.source, (read.document, self.chunker.chunks(read.document)), read.seconds)

    def _store(self, ended: Ended) -> Outcome:
        """Replaces what the index has of the source, whole. Raises `StoreError` and `ChunkingError`."""
        item, size = ended.item, ended.source.size or 0
        if isinstance(ended.result, Refusal):
            if not self.dry:
                self.index.refuse(
                    ended.source, ended.result, namespace=self.namespace, metadata=item.metadata, recipe=self.recipe
                )
            return Outcome(
                source=item.source,
                status="refused",
                kind=suggested_kind(item),
                size=size,
                seconds=ended.seconds,
                refusal=ended.result,
            )
        document, chunks = ended.result
        receipt = document.receipt
        entry = self.index.replace(
            ended.source, document, chunks, namespace=self.namespace, metadata=item.metadata, recipe=self.recipe
        )
        return Outcome(
            source=item.source,
            status="read",
            kind=document.kind,
            size=size,
            chunks=entry.chunks,
            pages=page_count(document.metadata),
            seconds=ended.seconds if receipt is None else receipt.wall_seconds,
            peak_bytes=None if receipt is None else receipt.peak_bytes,
            notices=tuple(notice.code for notice in document.notices),
        )


def failed(item: Item, why: str) -> Outcome:
    return Outcome(source=item.source, status="failed", kind=suggested_kind(item), size=item.size, error=why)


def suggested_kind(item: Item) -> str:
    """What its name suggests; a hint is all there is to know of a document that was not read."""
    known = kinds.by_extension(item.name) if item.name else None
    return known.name if known else UNKNOWN_KIND


def _came_of(item: Item, loaded: Loaded, answer: Document | Refusal, seconds: float) -> Read | Ended:
    if isinstance(answer, SandboxUnavailable):
        raise answer
    if isinstance(answer, Refusal):
        return Ended(item, loaded.source, answer, seconds)
    return Read(item, loaded.source, answer, seconds)
