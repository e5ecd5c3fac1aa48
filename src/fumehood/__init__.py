"""Read documents that strangers send, each in a sandboxed process of its own.

from fumehood import Refusal, chunk, read_isolated

try:
    document = read_isolated("auto", upload)
except Refusal as refusal:
    reject(refusal.code)
else:
    store(chunk(document))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fumehood.document import Block, Document, Link, Locator, Notice, Receipt
from fumehood.errors import (
    ArchiveBomb,
    DocumentReadTimeout,
    DocumentTooComplex,
    DocumentTooLarge,
    EncryptedDocument,
    MalformedDocument,
    Refusal,
    SandboxUnavailable,
    ScannedDocument,
    UnsupportedKind,
    WorkerFailed,
)
from fumehood.kinds import Kind, ReadOptions, register
from fumehood.limits.policy import Limits
from fumehood.sandbox.layers import DEFAULT_REQUIRE

if TYPE_CHECKING:
    from fumehood.chunking import Chunk, ChunkingError, UnitTooLarge, chunk, register_strategy, sections
    from fumehood.reader import Reader, close_default_reader, read_isolated

__all__ = [
    "DEFAULT_REQUIRE",
    "ArchiveBomb",
    "Block",
    "Chunk",
    "ChunkingError",
    "Document",
    "DocumentReadTimeout",
    "DocumentTooComplex",
    "DocumentTooLarge",
    "EncryptedDocument",
    "Kind",
    "Limits",
    "Link",
    "Locator",
    "MalformedDocument",
    "Notice",
    "ReadOptions",
    "Reader",
    "Receipt",
    "Refusal",
    "SandboxUnavailable",
    "ScannedDocument",
    "UnitTooLarge",
    "UnsupportedKind",
    "WorkerFailed",
    "chunk",
    "close_default_reader",
    "read_isolated",
    "register",
    "register_strategy",
    "sections",
]

_FROM_READER = frozenset({"Reader", "close_default_reader", "read_isolated"})
_FROM_CHUNKING = frozenset({"Chunk", "ChunkingError", "UnitTooLarge", "chunk", "register_strategy", "sections"})


def __getattr__(name: str) -> object:
    """The reader and chunking are imported when they are first asked for (PEP 562).

    Workers import this package too, and have no use for what starts and judges them: a third of their
    memory, which every fork copies.
    """
    if name in _FROM_READER:
        from fumehood import reader

        return getattr(reader, name)
    if name in _FROM_CHUNKING:
        from fumehood import chunking

        return getattr(chunking, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
