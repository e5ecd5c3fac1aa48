"""What goes into an index and what comes out of it: immutable, typed, to and from JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from fumehood.chunking.model import Chunk, Value
from fumehood.document import Notice, Receipt, Role
from fumehood.errors import RefusalFacts
from fumehood.hygiene import is_clean

DEFAULT_NAMESPACE: Final = "default"
MAX_SOURCES: Final = 20
"""Of one hit: a file that was copied a thousand times is still one line."""

MARK_START: Final = "\x02"
MARK_END: Final = "\x03"
"""Around what was found in a snippet. No text holds them (`fumehood.hygiene`), so they survive any escaping."""


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where bytes came from, and what is known of them without reading them.

    - `name`: a path, a URL, a key: unique in its namespace. May hold lone surrogates, as names of files do (PEP 383).
    - `sha256`: of the bytes, in hexadecimal; None: the receipt's.
    - `size`: in bytes.
    - `fingerprint`: an ETag, a version, a time of change: equal fingerprints mean equal bytes, by the caller's word.
    """

    name: str
    sha256: str | None = None
    size: int | None = None
    fingerprint: str | None = None


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A source whose document is in the index.

    - `document`: a number that sources of the same content share.
    - `metadata`: the document's own; `caller_metadata`: what `replace` was given, which wins in filters.
    - `characters`: of all its chunks.
    - `stored`: when, in UTC, RFC 3339.
    """

    namespace: str
    source: str
    document: int
    kind: str
    title: str | None
    metadata: Mapping[str, str]
    caller_metadata: Mapping[str, Value]
    sha256: str | None
    size: int | None
    fingerprint: str | None
    chunks: int
    characters: int
    receipt: Receipt | None
    stored: str


class RefusedEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A source that was refused: nothing of its text is in the index."""

    namespace: str
    source: str
    refusal: RefusalFacts
    sha256: str | None
    size: int | None
    fingerprint: str | None
    stored: str


class StoredChunk(msgspec.Struct, frozen=True):
    """A chunk, and its number in the index: never used again, gone when its document is."""

    key: int
    chunk: Chunk


class StoredDocument(msgspec.Struct, frozen=True):
    """Everything that is kept of one source's document."""

    entry: Entry
    notices: tuple[Notice, ...]
    chunks: tuple[StoredChunk, ...]


class SourceRef(msgspec.Struct, frozen=True):
    namespace: str
    name: str


class Filters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What hits must be; None is anything.

    - `source_prefix`: how the source's name begins.
    - `role`: of one of the chunk's blocks.
    - `metadata`: each value as given by the caller, else as the document says; numbers and truth values equal
      their spelling (`2024`, `true`).
    - `since`, `until`: RFC 3339, as exact as one likes (`2024`, `2024-05`, `2024-05-31T12:00:00Z`), both inclusive,
      against `modified`, else `created`, of the metadata; what has neither is left out.
    - `hidden`: also text that a reader of the document does not see.
    """

    kind: str | None = None
    namespace: str | None = None
    source_prefix: str | None = None
    role: Role | None = None
    metadata: Mapping[str, Value] | None = None
    since: str | None = None
    until: str | None = None
    hidden: bool = False


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """A chunk that was found.

    - `key`: its number, for `neighbours`.
    - `sources`: where its document was found, those that pass the filters, by name, at most 20; `more_sources`
      counts the others.
    - `metadata`: the first source's, the caller's values over the document's.
    - `score`: larger is better; comparable within one search only.
    - `snippet`: one line of the chunk's text around what was found, which stands between MARK_START and MARK_END;
      not escaped (see :func:`fumehood.index.highlighted`).
    """

    key: int
    chunk: Chunk
    kind: str
    title: str | None
    sources: tuple[SourceRef, ...]
    more_sources: int
    metadata: Mapping[str, Value]
    score: float
    snippet: str

    @property
    def source(self) -> str:
        return self.sources[0].name

    @property
    def namespace(self) -> str:
        return self.sources[0].namespace


class Page(msgspec.Struct, frozen=True):
    """Some hits, best first, and the `offset` of the next page, None on the last."""

    hits: tuple[Hit, ...]
    next_offset: int | None


class Stats(msgspec.Struct, frozen=True, kw_only=True):
    """Counts. `by_kind` and `by_refusal`: sources; `characters`: of chunks; `file_bytes`: the file and its log."""

    sources: int
    documents: int
    chunks: int
    characters: int
    refused: int
    by_kind: Mapping[str, int]
    by_refusal: Mapping[str, int]
    namespaces: tuple[str, ...]
    file_bytes: int


def checked_namespace(name: str) -> str:
    """`name`. Raises `ValueError` for one that is empty or holds control characters."""
    if not name or not is_clean(name):
        raise ValueError(f"a namespace is a name without control characters, not {name!r}")
    return name
