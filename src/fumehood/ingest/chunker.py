"""How documents are chunked on their way into an index: a strategy and its options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from fumehood.chunking import Chunk, get_strategy, iter_chunks
from fumehood.chunking.options import resolve
from fumehood.document import Document

_THE_CALLERS: Final = frozenset({"name", "metadata", "id_factory"})


@dataclass(frozen=True, slots=True)
class Chunker:
    """`strategy`: None takes the one that suits the kind. `options`: those of :func:`fumehood.chunk`.

    Not among them are `name`, `metadata` and `id_factory`: equal documents have equal chunks whatever they are called,
    and are stored once. Raises `TypeError` and `ValueError` for wrong ones.
    """

    strategy: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        refused = sorted(_THE_CALLERS & set(self.options))
        if refused:
            raise TypeError(f"chunks in an index are the same under every name: leave out {', '.join(refused)}")
        resolve({} if self.strategy is None else get_strategy(self.strategy).defaults, self.options)

    def chunks(self, document: Document) -> Iterator[Chunk]:
        """One by one, and `ChunkingError` where the options do not fit the document."""
        return iter_chunks(document, self.strategy, **self.options)
