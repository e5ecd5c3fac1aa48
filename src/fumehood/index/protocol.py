"""What an index does, whatever keeps it. The store in SQLite is the first; another has to do the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, runtime_checkable

from fumehood.chunking.model import Chunk, Value
from fumehood.document import Document
from fumehood.errors import Refusal
from fumehood.index.model import (
    DEFAULT_NAMESPACE,
    Entry,
    Filters,
    Page,
    RefusedEntry,
    Source,
    Stats,
    StoredChunk,
    StoredDocument,
)
from fumehood.index.recipe import Recipe


class Run(Protocol):
    """One pass over sources, to find out what is gone."""

    def saw(self, source: str) -> None:
        """The source is there, read or not."""

    def gone(self) -> Iterator[str]:
        """The names in scope that were not seen, in order."""

    def prune(self, *, allow_empty: bool = False) -> int:
        """Removes them; returns how many. Raises `NothingListed` where nothing was seen, unless `allow_empty`."""

    def finish(self, summary: Mapping[str, int]) -> None:
        """Records what came of the run. A run that is not finished stays on record as begun."""


@runtime_checkable
class Index(Protocol):
    """Every method may be called from any thread, and raises `StoreError` where the store fails.

    A call that writes happens whole or not at all.
    """

    def replace(
        self,
        source: Source | str,
        document: Document,
        chunks: Iterable[Chunk],
        *,
        namespace: str = DEFAULT_NAMESPACE,
        metadata: Mapping[str, Value] | None = None,
        recipe: Recipe | None = None,
    ) -> Entry:
        """The source's document is this one now. Equal documents are stored once.

        `chunks` are taken as they are stored, and what they raise undoes all of it. Without a `recipe` the source never
        counts as unchanged. Raises `ValueError` for text with control characters.
        """

    def refuse(
        self,
        source: Source | str,
        refusal: Refusal,
        *,
        namespace: str = DEFAULT_NAMESPACE,
        metadata: Mapping[str, Value] | None = None,
        recipe: Recipe | None = None,
    ) -> RefusedEntry:
        """The source was refused: text of its earlier version goes."""

    def adopt(
        self,
        source: Source,
        recipe: Recipe,
        *,
        namespace: str = DEFAULT_NAMESPACE,
        metadata: Mapping[str, Value] | None = None,
    ) -> Entry | None:
        """Gives the source the document that the same bytes gave under another name, without reading them again.

        None where there is none that the same recipe made.
        """

    def unchanged(
        self,
        source: Source,
        recipe: Recipe,
        *,
        namespace: str = DEFAULT_NAMESPACE,
        metadata: Mapping[str, Value] | None = None,
    ) -> Entry | RefusedEntry | None:
        """What is stored of the source, if reading it again would give the same (see :mod:`fumehood.index.recipe`).

        The digest decides where it is given, else the fingerprint. What another thread writes may count once it is
        committed, so that nobody waits.
        """

    def touch(self, source: Source, *, namespace: str = DEFAULT_NAMESPACE) -> bool:
        """Notes a new fingerprint and size for the same bytes. False if the source is not there with that digest."""

    def remove(self, source: str, *, namespace: str = DEFAULT_NAMESPACE) -> bool:
        """False if the source was not there."""

    def clear(self, *, namespace: str | None = None) -> int:
        """Removes all sources, of one namespace or of all; returns how many."""

    def get(self, source: str, *, namespace: str = DEFAULT_NAMESPACE) -> StoredDocument | None:
        """None if the source is not there or was refused."""

    def neighbours(self, key: int, n: int = 1) -> tuple[StoredChunk, ...]:
        """The chunk and up to `n` before and after it in its document, in order; none if there is no such chunk."""

    def documents(self, *, namespace: str | None = None, source_prefix: str = "") -> Iterator[Entry]:
        """Namespace by namespace, in order of name. What is written meanwhile may or may not be among them."""

    def refusals(self, *, namespace: str | None = None, source_prefix: str = "") -> Iterator[RefusedEntry]:
        """In the same order."""

    def search(self, query: str, filters: Filters | None = None, *, limit: int = 10, offset: int = 0) -> Page:
        """The best hits from `offset` on. No text is a wrong query; see :mod:`fumehood.index.query`.

        Raises `ValueError` for a `limit` outside 1 to 1,000 or a negative `offset`, and `SearchTimeout`.
        """

    def stats(self, *, namespace: str | None = None) -> Stats: ...

    def verify(self) -> tuple[str, ...]:
        """What is wrong with the index, in words; nothing if nothing is. Takes time linear in its size."""

    def together(self) -> AbstractContextManager[None]:
        """What this thread writes within it is kept at its end, all at once, or not at all if an exception passes.

        Each call is still whole or not at all: one that fails takes back what it did itself. Other threads wait. It is
        for many small documents: each by itself costs more than its words.
        """

    def run(self, *, namespace: str = DEFAULT_NAMESPACE, scopes: Sequence[str] = ("",)) -> AbstractContextManager[Run]:
        """A pass over the sources whose name is one of `scopes` or lies below one (`scope/...`); "" is all of them.

        Only these can be pruned. Raises `IndexBusy` while another run is on this index.
        """

    def close(self) -> None: ...
