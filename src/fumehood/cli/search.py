"""`fumehood search`: what an index knows."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import msgspec

from fumehood.cli import exits, streams
from fumehood.cli.table import paragraph, width
from fumehood.hygiene import printable
from fumehood.index.errors import StoreError
from fumehood.index.model import Filters, Hit
from fumehood.index.places import place
from fumehood.index.snippets import highlighted, plain
from fumehood.index.store import SQLiteIndex

_BOLD: Final = ("\x1b[1m", "\x1b[22m")
"""ECMA-48, 8.3.117: select graphic rendition."""
_INDENT: Final = "    "


@dataclass(frozen=True, slots=True)
class Question:
    """What to look for, where, and how many hits from which on."""

    query: str
    filters: Filters
    limit: int
    offset: int


def search_index(path: str, question: Question, *, json: bool) -> int:
    """Prints the hits, best first; returns the exit code, which is 0 where there are none, too.

    Raises `ValueError` for a question out of range and `OSError` if nothing can be written.
    """
    try:
        with SQLiteIndex(path, read_only=True) as index:
            page = index.search(question.query, question.filters, limit=question.limit, offset=question.offset)
    except StoreError as error:
        streams.remark(f"fumehood: {error}\n".encode())
        return exits.SOME_REFUSED
    if json:
        streams.put(b"".join(_line(hit) for hit in page.hits))
    elif not page.hits:
        streams.remark(b"fumehood: nothing found\n")
    else:
        streams.put_text("\n".join(line for hit in page.hits for line in _lines(hit)))
        if page.next_offset is not None:
            streams.remark(f"fumehood: there is more; --offset {page.next_offset} goes on\n".encode())
    return exits.DONE


def _lines(hit: Hit) -> Iterator[str]:
    where = place(hit.chunk.locators)
    title = f"  {printable(hit.title)}" if hit.title else ""
    for number, source in enumerate(hit.sources):
        named = " ".join(filter(None, (printable(source.name), printable(where))))
        yield f"{named}  ({hit.score:.2f}){title}" if number == 0 else named
    if hit.more_sources:
        yield f"and {hit.more_sources:,} more of the same content"
    on, off = _BOLD if os.isatty(streams.OUT) else ("", "")
    # Laid out first and made bold afterwards: escape sequences have no width.
    laid_out = paragraph(hit.snippet, width(), _INDENT, _INDENT)
    yield highlighted(laid_out, on, off, _shown)


def _shown(text: str) -> str:
    """Text for a terminal; the line breaks are ours."""
    return "\n".join(printable(line) for line in text.split("\n"))


def _line(hit: Hit) -> bytes:
    text, marks = plain(hit.snippet)
    chunk = hit.chunk
    said = {
        "source": printable(hit.source),
        "namespace": hit.namespace,
        "sources": [{"namespace": source.namespace, "source": printable(source.name)} for source in hit.sources],
        "more_sources": hit.more_sources,
        "kind": hit.kind,
        "title": hit.title,
        "headings": chunk.headings,
        "place": place(chunk.locators),
        "locators": chunk.locators,
        "score": hit.score,
        "snippet": text,
        "marks": marks,
        "metadata": hit.metadata,
        "chunk": chunk.id,
        "key": hit.key,
    }
    return msgspec.json.encode(said) + b"\n"
