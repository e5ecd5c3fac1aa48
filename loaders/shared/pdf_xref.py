"""Where the objects of a PDF are, as its cross-reference tables and streams say (ISO 32000-2, 7.5.4 to 7.5.8)."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple, Protocol

from pdfminer.pdftypes import PDFStream
from pdfminer.psparser import LIT

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.pdf_syntax import Keyword

ENTRIES_PER_NODE: Final = 8
"""An entry of a cross-reference table costs an eighth of what an operator does."""
_STARTXREF: Final = re.compile(rb"startxref[\0\t\n\f\r ]{1,32}([0-9]{1,12})")
_SUBSECTION: Final = re.compile(rb"[\0\t\n\f\r ]*+([0-9]{1,10})[\0\t ]{1,8}([0-9]{1,10})[\0\t ]*+[\r\n]")
_REGULAR: Final = re.compile(rb"(?:[0-9]{10} [0-9]{5} [nf][\r\n ][\r\n])*+")
"""Entries of exactly 20 bytes, as 7.5.4 wants them."""
_REGULAR_LENGTH: Final = 20
_ENTRY: Final = re.compile(rb"[\0\t\n\f\r ]*+([0-9]{1,10})[\0\t ]{1,8}([0-9]{1,10})[\0\t ]{1,8}([nf])")
_XREF_STREAM: Final = LIT("XRef")


class Place(NamedTuple):
    """Where an object stands: at byte `offset`, or somewhere in the object stream `container`."""

    container: int | None
    offset: int
    generation: int = 0


class Source(Protocol):
    """A file whose objects are looked for: what is found goes into `places` and `trailer`, where what is there wins."""

    data: bytes
    budget: Budget
    places: dict[int, Place]
    trailer: dict[str, Any]

    def parsed(self, data: bytes, at: int) -> tuple[Any, int]: ...

    def parse_at(self, at: int) -> Any: ...


def startxref(data: bytes) -> int | None:
    """Where the newest section is, as the end of the file says."""
    at = data.rfind(b"startxref")
    match = _STARTXREF.match(data, at) if at >= 0 else None
    return int(match[1]) if match else None


def read_sections(file: Source, start: int) -> None:
    """Follows /XRefStm and /Prev (7.5.8.4): the newest section counts, and each place is read once."""
    waiting, seen = [start], set[int]()
    while waiting:
        at = waiting.pop()
        if at in seen or not 0 <= at < len(file.data):
            continue
        seen.add(at)
        file.budget.spend("nodes")
        try:
            trailer = _read_section(file, at)
        except (EOFError, ValueError, TypeError, KeyError):
            continue
        for key, value in trailer.items():
            file.trailer.setdefault(key, value)
        waiting.extend(value for key in ("Prev", "XRefStm") if type(value := trailer.get(key)) is int)


def _read_section(file: Source, at: int) -> dict[str, Any]:
    value, end = file.parsed(file.data, at)
    if value == b"xref" and isinstance(value, Keyword):
        return _read_table(file, end)
    stream = file.parse_at(at)
    if not isinstance(stream, PDFStream) or stream.attrs.get("Type") is not _XREF_STREAM:
        raise ValueError("no cross-reference section")
    _read_stream(file, stream)
    return stream.attrs


def _read_table(file: Source, at: int) -> dict[str, Any]:
    """7.5.4. The count of a subsection is not believed: its entries end where they end."""
    while subsection := _SUBSECTION.match(file.data, at):
        at = subsection.end()
        number, count = int(subsection[1]), int(subsection[2])
        regular = _REGULAR.match(file.data, at, at + _REGULAR_LENGTH * count)
        words = regular[0].split() if regular is not None else []
        entries = len(words) // 3
        file.budget.spend("nodes", entries // ENTRIES_PER_NODE)
        at += _REGULAR_LENGTH * entries
        for entry, (offset, generation, kind) in enumerate(zip(words[::3], words[1::3], words[2::3], strict=True)):
            if kind == b"n":
                file.places.setdefault(number + entry, Place(None, int(offset), int(generation)))
        while entries < count and (other := _ENTRY.match(file.data, at)):
            at = other.end()
            if other[3] == b"n":
                file.places.setdefault(number + entries, Place(None, int(other[1]), int(other[2])))
            entries += 1
            if entries % ENTRIES_PER_NODE == 0:
                file.budget.spend("nodes")
    keyword, at = file.parsed(file.data, at)
    trailer, _ = file.parsed(file.data, at)
    if keyword != b"trailer" or not isinstance(trailer, dict):
        raise ValueError("no trailer")
    return trailer


def _read_stream(file: Source, stream: PDFStream) -> None:
    """7.5.8.2 and 7.5.8.3. A field of no width has its default: type 1, else 0."""
    widths = [width for width in stream.attrs["W"] if type(width) is int and 0 <= width <= 8]
    one, two, three = widths[:3]
    size = one + two + three
    rows = stream.get_data()
    if not size:
        raise ValueError("entries without width")
    ranges = stream.attrs.get("Index") or [0, len(rows) // size]
    # Rows of no range are none of the table's, and may be many.
    whole = min(len(rows) // size, sum(max(0, count) for count in ranges[1::2]))
    file.budget.spend("nodes", whole // ENTRIES_PER_NODE)
    rows = rows[: whole * size]
    kinds = _column(rows, 0, one, size) if one else [1] * whole
    entries = zip(kinds, _column(rows, one, two, size), _column(rows, one + two, three, size), strict=True)
    read = 0
    for start, count in zip(ranges[::2], ranges[1::2], strict=False):
        stop = min(count, whole - read)
        for number, (kind, field, last) in zip(range(start, start + stop), entries, strict=False):
            if kind == 1:
                file.places.setdefault(number, Place(None, field, last))
            elif kind == 2:
                file.places.setdefault(number, Place(field, last))
        read += max(0, stop)


def _column(rows: bytes, at: int, width: int, size: int) -> list[int]:
    """The numbers of so many bytes, the high one first, that stand at a place in each row."""
    found = [0] * (len(rows) // size)
    for byte in range(at, at + width):
        found = [high << 8 | low for high, low in zip(found, rows[byte::size], strict=True)]
    return found
