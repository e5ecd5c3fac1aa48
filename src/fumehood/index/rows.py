"""Between our types and rows: how names, metadata, dates and chunks lie in the tables."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from fumehood.chunking.model import Chunk, Context, Piece, Value
from fumehood.document import Document, Locator, Offset
from fumehood.hygiene import is_clean
from fumehood.index.words import indexed

DIGEST_BYTES: Final = hashlib.sha256().digest_size
_DATE: Final = re.compile(r"\d{4}(-\d\d(-\d\d)?)?")


class _About(msgspec.Struct, frozen=True, array_like=True):
    """What a chunk's row does not have in columns."""

    id: str
    start: Offset
    end: Offset
    headings: tuple[str, ...]
    locators: tuple[Locator, ...]
    context: Context
    piece: Piece
    metadata: dict[str, Value]


_read_about: Final = msgspec.json.Decoder(_About)


def name_bytes(name: str) -> bytes:
    """Any `str`, lone surrogates included, and back: names of files hold them where they are no text (PEP 383)."""
    return name.encode("utf-8", "surrogatepass")


def name_text(name: bytes) -> str:
    return name.decode("utf-8", "surrogatepass")


def to_json(value: object) -> str:
    return msgspec.json.encode(value).decode("utf-8")


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def spelled(value: Value) -> str:
    """A value of metadata as filters compare it."""
    match value:
        case str():
            return value
        case bool() | None:
            return to_json(value)
        case float() if value.is_integer():
            return str(int(value))
        case _:
            return str(value)


def effective(own: Mapping[str, str], caller: Mapping[str, Value]) -> dict[str, Value]:
    """The caller's word over the document's."""
    return {**own, **caller}


def date_of(metadata: Mapping[str, Value]) -> str | None:
    """`modified`, else `created`, as text that sorts by time; None where neither is a date."""
    found = (sortable(str(metadata[key])) for key in ("modified", "created") if key in metadata)
    return next((date for date in found if date is not None), None)


def sortable(date: str) -> str | None:
    """An RFC 3339 date in UTC without its zone, or a part of one (`2024-05`). Without a zone it is taken for UTC."""
    if _DATE.fullmatch(date):
        return date
    try:
        parsed = datetime.fromisoformat(date)
        moment = parsed.astimezone(UTC) if parsed.tzinfo else parsed
    except (ValueError, OverflowError):
        return None
    return moment.strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0")


def check_text(texts: Iterable[str]) -> None:
    """Raises `ValueError` for what hygiene takes out of every document that was read."""
    if not all(map(is_clean, texts)):
        raise ValueError("text with control characters cannot be stored; pass it through Document.from_markdown")


class Digest:
    """Of everything that is stored, so that equal digests are equal rows."""

    def __init__(self, document: Document) -> None:
        said = (document.kind, document.title, sorted(document.metadata.items()), document.notices)
        self._hash = hashlib.sha256(msgspec.msgpack.encode(said))

    def add(self, chunks: Iterable[Chunk], said: Iterable[str]) -> None:
        """`said`: :func:`about` of each."""
        parts: list[str] = []
        for chunk, about in zip(chunks, said, strict=True):
            _, visible, roles = chunk_row(chunk)
            # With their lengths: no two rows are the same text, wherever one ends and the next begins.
            parts += f"\n{len(chunk.text)} {len(about)} {visible} {roles}\n", chunk.text, about
        self._hash.update("".join(parts).encode("utf-8", "surrogatepass"))

    def value(self) -> bytes:
        return self._hash.digest()


def chunk_row(chunk: Chunk) -> tuple[int, bool, str]:
    """Position, visible, roles."""
    return chunk.index, chunk.visible, f"|{'|'.join(chunk.roles)}|"


def about(chunk: Chunk) -> str:
    """As :class:`_About` reads it, which has it in this order."""
    return to_json(
        (
            chunk.id,
            chunk.start,
            chunk.end,
            chunk.headings,
            chunk.locators,
            chunk.context,
            chunk.piece,
            chunk.metadata,
        )
    )


def chunk_of(position: int, visible: int, roles: str, text: str, said: str) -> Chunk:
    """The chunk of :func:`chunk_row`, its text and :func:`about`."""
    known = _read_about.decode(said)
    return Chunk(
        known.id,
        position,
        known.start,
        known.end,
        text,
        known.headings,
        known.locators,
        tuple(roles.strip("|").split("|")) if roles != "||" else (),  # type: ignore[arg-type]  # as they were stored
        known.context,
        known.piece,
        bool(visible),
        known.metadata,
    )


def words_row(title: str | None, headings: tuple[str, ...], opening: str, text: str) -> tuple[str, str, str]:
    """What FTS5 is told of a chunk, and told again to forget it. A table's header counts as a heading of its rows."""
    return *_words_above(title, headings, opening), indexed(text)


@functools.lru_cache(maxsize=1)  # Chunks of one section follow one another.
def _words_above(title: str | None, headings: tuple[str, ...], opening: str) -> tuple[str, str]:
    return indexed(title or ""), indexed(" ".join((*headings, opening)))


def words_of(title: str | None, text: str, said: str) -> tuple[str, str, str]:
    """The same from what is stored."""
    known = _read_about.decode(said)
    return words_row(title, known.headings, known.context.opening, text)


def decoded(text: str | None, kind: Any) -> Any:
    """JSON of ours as `kind`, None for none."""
    return None if text is None else msgspec.json.decode(text, type=kind)
