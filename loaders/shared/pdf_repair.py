"""What a file holds whose cross-references are of no use: its objects are looked for, and what ties them together."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, Final, Protocol

from pdfminer.pdftypes import PDFStream
from pdfminer.psparser import LIT

from fumehood.loaders.shared.pdf_xref import ENTRIES_PER_NODE, Place, Source

_NUMBERS: Final = rb"([0-9]{1,10})[\0\t\n\f\r ]{1,8}([0-9]{1,5})[\0\t\n\f\r ]{0,8}"
OBJECT: Final = re.compile(_NUMBERS + rb"obj(?![A-Za-z])")
_BEFORE: Final = re.compile(_NUMBERS + rb"\Z")
_LONGEST_BEFORE: Final = 31
_NO_LETTER: Final = re.compile(rb"(?![A-Za-z])")
_CATALOG: Final = LIT("Catalog")


class Broken(Source, Protocol):
    """A file that is mended: `found` is an object by its number, None if there is none."""

    def found(self, number: int) -> Any: ...

    def container(self, number: int, stream: PDFStream) -> tuple[bytes, dict[int, int]]: ...


def find_objects(file: Broken) -> dict[int, Place]:
    """Places by the objects' `1 0 obj`; of two with one number the later one counts, as after an update."""
    places: dict[int, Place] = {}
    count = 0
    # Looked for by the word, since files are full of numbers.
    for at in positions(file.data, b"obj"):
        match = _BEFORE.search(file.data, max(0, at - _LONGEST_BEFORE), at)
        if match is None or not _NO_LETTER.match(file.data, at + len(b"obj")):
            continue
        places[int(match[1])] = Place(None, match.start(), int(match[2]))
        if count % ENTRIES_PER_NODE == 0:
            file.budget.spend("nodes")
        count += 1
    return places


def positions(data: bytes, word: bytes) -> Iterator[int]:
    """Where a word stands."""
    at = data.find(word)
    while at >= 0:
        yield at
        at = data.find(word, at + len(word))


def find_trailers(file: Broken) -> None:
    """Later trailers win; cross-reference streams are trailers too."""
    found: list[tuple[int, dict[str, Any]]] = []
    for at in positions(file.data, b"trailer"):
        file.budget.spend("nodes")
        try:
            value, _ = file.parsed(file.data, at + len(b"trailer"))
        except EOFError:
            continue
        if isinstance(value, dict):
            found.append((at, value))
    for number in _with_type(file, b"XRef"):
        stream = file.found(number)
        if isinstance(stream, PDFStream):
            found.append((file.places[number].offset, stream.attrs))
    for _, trailer in sorted(found, key=lambda pair: pair[0]):
        file.trailer.update((key, value) for key, value in trailer.items() if key in ("Root", "Info", "Encrypt", "ID"))


def _with_type(file: Broken, name: bytes) -> list[int]:
    """Numbers of the objects that have `/name` within their first bytes."""
    word = b"/" + name
    starts = {place.offset: number for number, place in file.places.items() if place.container is None}
    ordered = sorted(starts)
    found: dict[int, None] = {}
    for at in positions(file.data, word):
        index = bisect_left(ordered, at) - 1
        if index >= 0:
            found[starts[ordered[index]]] = None
    return list(found)


def open_containers(file: Broken) -> None:
    """Adds the objects in object streams (7.5.7) that stand nowhere else."""
    for number in _with_type(file, b"ObjStm"):
        stream = file.found(number)
        if not isinstance(stream, PDFStream):
            continue
        for inner, offset in file.container(number, stream)[1].items():
            if inner not in file.places or file.places[inner].container is not None:
                file.places[inner] = Place(number, offset)


def catalogs(file: Broken) -> Iterator[dict[str, Any]]:
    """Whatever says that it is one, the latest first."""
    inner = [number for number, place in file.places.items() if place.container is not None]
    for number in reversed(inner + _with_type(file, b"Catalog")):
        value = file.found(number)
        if isinstance(value, dict) and value.get("Type") is _CATALOG:
            yield value
