"""The objects of a PDF file: cross-references, object streams, encryption, damage (ISO 32000-2, 7.5).

Takes pdfminer's `PDFDocument`'s place. Everything is bounded by the bytes of the file, never by what it
declares: chains of sections are followed once, and a file whose cross-references lie is read by
looking for its objects.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable
from typing import Any, Final, NamedTuple, cast

from pdfminer.pdfexceptions import PDFObjectNotFound
from pdfminer.pdftypes import PDFObjRef, PDFStream, resolve1
from pdfminer.psparser import LIT

from fumehood.errors import refusal
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.pdf_crypt import Decipher, decipher, is_clear
from fumehood.loaders.shared.pdf_syntax import Keyword, parsed, tokens

_ENTRIES_PER_NODE: Final = 8
"""An entry of a cross-reference table costs an eighth of what an operator does."""
_BYTES_PER_NODE: Final = 64
_LONGEST_CHAIN: Final = 32
"""References to references, lengths that are references, streams in object streams: honest files need three."""
_HEADER_WITHIN: Final = 1_024
"""Readers accept the header within the first 1,024 bytes (ISO 32000-1, annex H, note 13)."""
_OBJECT: Final = re.compile(rb"([0-9]{1,10})[\0\t\n\f\r ]{1,8}([0-9]{1,5})[\0\t\n\f\r ]{0,8}obj(?![A-Za-z])")
_OBJECT_HERE: Final = re.compile(
    rb"[\0\t\n\f\r ]{0,32}([0-9]{1,10})[\0\t\n\f\r ]{1,32}([0-9]{1,5})[\0\t\n\f\r ]{0,32}obj"
)
_STREAM: Final = re.compile(rb"[\0\t\n\f\r ]*+stream(?:\r\n|\n|\r)?+")
_STREAM_END: Final = re.compile(rb"[\0\t\n\f\r ]{0,8}end(?:stream|obj)")
_STARTXREF: Final = re.compile(rb"startxref[\0\t\n\f\r ]{1,32}([0-9]{1,12})")
_SUBSECTION: Final = re.compile(rb"[\0\t\n\f\r ]*+([0-9]{1,10})[\0\t ]{1,8}([0-9]{1,10})[\0\t ]*+[\r\n]")
_ENTRY: Final = re.compile(rb"[\0\t\n\f\r ]*+([0-9]{1,10})[\0\t ]{1,8}([0-9]{1,10})[\0\t ]{1,8}([nf])")

_XREF_STREAM: Final = LIT("XRef")
_CATALOG: Final = LIT("Catalog")


class Place(NamedTuple):
    """Where an object stands: at byte `offset`, or somewhere in the object stream `container`."""

    container: int | None
    offset: int
    generation: int = 0


def dictionary(value: Any) -> dict[str, Any]:
    """The dictionary that `value` is or refers to, else an empty one."""
    found = resolve1(value)
    return found if isinstance(found, dict) else {}


def array_of(value: Any) -> list[Any]:
    """The array that `value` is or refers to, else an empty one."""
    found = resolve1(value)
    return found if isinstance(found, list) else []


class PdfFile:
    """One file. `repaired` says that its cross-references were of no use; `opened_by` which password opened it."""

    def __init__(self, data: bytes, budget: Budget, password: str | None = None) -> None:
        header = data.find(b"%PDF-", 0, _HEADER_WITHIN)
        if header < 0 and _OBJECT.search(data) is None:
            raise refusal("kind-mismatch", stage=budget.stage)
        # Offsets count from the header (7.5.2, note 2); a file where they do not is repaired.
        self.data = data[header:] if header > 0 else data
        self.budget = budget
        self.repaired = False
        self.opened_by: str | None = None
        self.places: dict[int, Place] = {}
        self.trailer: dict[str, Any] = {}
        self.catalog: dict[str, Any] = {}
        self._password = password
        self._decipher: Decipher | None = None
        self._objects: dict[int, Any] = {}
        self._resolving: set[int] = set()
        self._containers: dict[int, tuple[bytes, dict[int, int]]] = {}
        self._ends: tuple[array[int], array[int]] | None = None
        """Where `endstream` and `endobj` stand, from the first."""
        self._open()

    def _open(self) -> None:
        start = self._startxref()
        if start is not None:
            self._read_sections(start)
        self._decrypt()
        self.catalog = dictionary(self.trailer.get("Root"))
        if not self._has_pages():
            self.repair()

    def _has_pages(self) -> bool:
        return bool(dictionary(self.catalog.get("Pages")).get("Kids"))

    # ---- cross-references ------------------------------------------------------------------------

    def _startxref(self) -> int | None:
        at = self.data.rfind(b"startxref")
        match = _STARTXREF.match(self.data, at) if at >= 0 else None
        return int(match[1]) if match else None

    def _read_sections(self, start: int) -> None:
        """Follows /XRefStm and /Prev (7.5.8.4): the newest section counts, and each place is read once."""
        waiting, seen = [start], set[int]()
        while waiting:
            at = waiting.pop()
            if at in seen or not 0 <= at < len(self.data):
                continue
            seen.add(at)
            self.budget.spend("nodes")
            try:
                trailer = self._read_section(at)
            except (EOFError, ValueError, TypeError, KeyError):
                continue
            for key, value in trailer.items():
                self.trailer.setdefault(key, value)
            waiting.extend(value for key in ("Prev", "XRefStm") if type(value := trailer.get(key)) is int)

    def _read_section(self, at: int) -> dict[str, Any]:
        value, end = self._parsed(self.data, at)
        if value == b"xref" and isinstance(value, Keyword):
            return self._read_table(end)
        stream = self._parse_at(at)
        if not isinstance(stream, PDFStream) or stream.attrs.get("Type") is not _XREF_STREAM:
            raise ValueError("no cross-reference section")
        self._read_xref_stream(stream)
        return stream.attrs

    def _read_table(self, at: int) -> dict[str, Any]:
        """7.5.4. The count of a subsection is not believed: its entries end where they end."""
        while subsection := _SUBSECTION.match(self.data, at):
            at = subsection.end()
            number, count = int(subsection[1]), int(subsection[2])
            entries = 0
            while entries < count and (entry := _ENTRY.match(self.data, at)):
                at = entry.end()
                if entry[3] == b"n":
                    self.places.setdefault(number + entries, Place(None, int(entry[1]), int(entry[2])))
                entries += 1
                if entries % _ENTRIES_PER_NODE == 0:
                    self.budget.spend("nodes")
        keyword, at = self._parsed(self.data, at)
        trailer, _ = self._parsed(self.data, at)
        if keyword != b"trailer" or not isinstance(trailer, dict):
            raise ValueError("no trailer")
        return trailer

    def _read_xref_stream(self, stream: PDFStream) -> None:
        """7.5.8.2 and 7.5.8.3. A field of no width has its default: type 1, else 0."""
        widths = [width for width in stream.attrs["W"] if type(width) is int and 0 <= width <= 8]
        one, two, three = widths[:3]
        size = one + two + three
        rows = stream.get_data()
        if not size:
            raise ValueError("entries without width")
        ranges = stream.attrs.get("Index") or [0, len(rows) // size]
        at = 0
        for start, count in zip(ranges[::2], ranges[1::2], strict=False):
            for number in range(start, start + min(count, (len(rows) - at) // size)):
                kind = int.from_bytes(rows[at : at + one], "big") if one else 1
                field = int.from_bytes(rows[at + one : at + one + two], "big")
                last = int.from_bytes(rows[at + one + two : at + size], "big")
                at += size
                if kind == 1:
                    self.places.setdefault(number, Place(None, field, last))
                elif kind == 2:
                    self.places.setdefault(number, Place(field, last))
        self.budget.spend("nodes", at // size // _ENTRIES_PER_NODE)

    # ---- repair ----------------------------------------------------------------------------------

    def repair(self) -> None:
        """Once: finds objects by their `1 0 obj`; of two with one number the later one counts, as after an update."""
        if self.repaired:
            return
        self.repaired = True
        self._objects.clear()
        self._containers.clear()
        places: dict[int, Place] = {}
        for count, match in enumerate(_OBJECT.finditer(self.data)):
            places[int(match[1])] = Place(None, match.start(), int(match[2]))
            if count % _ENTRIES_PER_NODE == 0:
                self.budget.spend("nodes")
        self.places = places
        self._find_trailers()
        self._decrypt()
        self._open_containers()
        self.catalog = dictionary(self.trailer.get("Root"))
        if not self._has_pages():
            self._find_catalog()

    def _find_trailers(self) -> None:
        """Later trailers win; cross-reference streams are trailers too."""
        found: list[tuple[int, dict[str, Any]]] = []
        for at in self._positions(b"trailer"):
            self.budget.spend("nodes")
            try:
                value, _ = self._parsed(self.data, at + len(b"trailer"))
            except EOFError:
                continue
            if isinstance(value, dict):
                found.append((at, value))
        for number in self._with_type(b"XRef"):
            stream = self._found(number)
            if isinstance(stream, PDFStream):
                found.append((self.places[number].offset, stream.attrs))
        for _, trailer in sorted(found, key=lambda pair: pair[0]):
            self.trailer.update(
                (key, value) for key, value in trailer.items() if key in ("Root", "Info", "Encrypt", "ID")
            )

    def _positions(self, word: bytes) -> Iterable[int]:
        at = self.data.find(word)
        while at >= 0:
            yield at
            at = self.data.find(word, at + len(word))

    def _with_type(self, name: bytes) -> list[int]:
        """Numbers of the objects that have `/name` within their first bytes."""
        word = b"/" + name
        starts = {place.offset: number for number, place in self.places.items() if place.container is None}
        ordered = sorted(starts)
        found: dict[int, None] = {}
        for at in self._positions(word):
            index = bisect_left(ordered, at) - 1
            if index >= 0:
                found[starts[ordered[index]]] = None
        return list(found)

    def _open_containers(self) -> None:
        for number in self._with_type(b"ObjStm"):
            stream = self._found(number)
            if not isinstance(stream, PDFStream):
                continue
            for inner, offset in self._container(number, stream)[1].items():
                if inner not in self.places or self.places[inner].container is not None:
                    self.places[inner] = Place(number, offset)

    def _find_catalog(self) -> None:
        inner = [number for number, place in self.places.items() if place.container is not None]
        for number in reversed(inner + self._with_type(b"Catalog")):
            value = self._found(number)
            if isinstance(value, dict) and value.get("Type") is _CATALOG:
                self.catalog = value
                if self._has_pages():
                    return

    def _found(self, number: int) -> Any:
        try:
            return self.getobj(number)
        except PDFObjectNotFound:
            return None

    # ---- encryption ------------------------------------------------------------------------------

    def _decrypt(self) -> None:
        entry = dictionary(self.trailer.get("Encrypt"))
        if not entry or self._decipher is not None or is_clear(entry):
            return
        entry = {key: resolve1(value) for key, value in entry.items()}
        identifiers = resolve1(self.trailer.get("ID"))
        identifiers = [resolve1(part) for part in identifiers] if isinstance(identifiers, list) else []
        parts = [part for part in identifiers if isinstance(part, bytes)] or [b""]
        passwords = [""] if not self._password else [self._password, ""]
        opened = decipher(parts, entry, passwords)
        if opened is None:
            raise refusal("encrypted", stage=self.budget.stage)
        self._decipher, self.opened_by = opened
        # What was read on the way here was not deciphered.
        kept = self.trailer.get("Encrypt")
        self._objects = {kept.objid: entry} if isinstance(kept, PDFObjRef) else {}

    def _parsed(self, data: bytes, at: int) -> tuple[Any, int]:
        """An object, paid for by its length: objects that all run to the end of the file would be quadratic."""
        value, end = parsed(data, at, self, self.budget)
        self.budget.spend("nodes", (end - at) // _BYTES_PER_NODE)
        return value, end

    # ---- objects ---------------------------------------------------------------------------------

    def getobj(self, number: int) -> Any:
        """The object, never a reference itself. Raises `PDFObjectNotFound`; a circle of references is null."""
        if number in self._objects:
            return self._objects[number]
        place = self.places.get(number)
        if place is None:
            raise PDFObjectNotFound(number)
        if number in self._resolving or len(self._resolving) > _LONGEST_CHAIN:
            return None
        self._resolving.add(number)
        try:
            value = self._load(number, place)
            if isinstance(value, PDFObjRef):
                value = value.resolve()
        finally:
            self._resolving.discard(number)
        self._objects[number] = value
        return value

    def _load(self, number: int, place: Place) -> Any:
        if place.container is not None:
            return self._contained(number, place.container)
        here = _OBJECT_HERE.match(self.data, place.offset)
        if here is None or int(here[1]) != number:
            return self._displaced(number)
        value = self._parse_at(place.offset)
        if isinstance(value, PDFStream):
            value.set_objid(number, place.generation)
        if self._decipher is not None and not _is_xref(value):
            return self._deciphered(value, number, place.generation)
        return value

    def _displaced(self, number: int) -> Any:
        """The cross-references pointed to something else: they are wrong, for this object and likely for others."""
        if self.repaired:
            raise PDFObjectNotFound(number)
        self.repair()
        if number not in self.places:
            raise PDFObjectNotFound(number)
        return self._load(number, self.places[number])

    def _parse_at(self, at: int) -> Any:
        here = _OBJECT_HERE.match(self.data, at)
        if here is None:
            raise ValueError("no object")
        try:
            value, end = self._parsed(self.data, here.end())
        except EOFError:
            return None
        if isinstance(value, Keyword):
            return None
        if isinstance(value, dict) and (stream := _STREAM.match(self.data, end)):
            start = stream.end()
            raw = memoryview(self.data)[start : self._stream_end(start, value)]
            return PDFStream(value, cast(bytes, raw), self._decipher)
        return value

    def _stream_end(self, start: int, attributes: dict[str, Any]) -> int:
        """/Length is believed where `endstream` or `endobj` follows; else the stream goes to the next of them."""
        length = resolve1(attributes.get("Length"))
        if (
            type(length) is int
            and 0 <= length <= len(self.data) - start
            and _STREAM_END.match(self.data, start + length)
        ):
            return start + length
        if self._ends is None:
            # All of them at once: a search for each stream would be quadratic where there are few.
            self._ends = array("q", self._positions(b"endstream")), array("q", self._positions(b"endobj"))
        nearest = (places[at : at + 1] for places in self._ends if (at := bisect_left(places, start)) < len(places))
        return min((places[0] for places in nearest), default=len(self.data))

    def _deciphered(self, value: Any, number: int, generation: int) -> Any:
        """Strings are enciphered one by one (7.6.2); streams are deciphered when they are decoded."""
        assert self._decipher is not None
        if isinstance(value, bytes):
            try:
                return self._decipher(number, generation, value) if value else value
            except ValueError:
                return b""  # cut within the initialization vector
        if isinstance(value, list):
            return [self._deciphered(part, number, generation) for part in value]
        if isinstance(value, dict):
            return {key: self._deciphered(part, number, generation) for key, part in value.items()}
        if isinstance(value, PDFStream):
            value.decipher = self._decipher
        return value

    def _contained(self, number: int, container: int) -> Any:
        """An object of an object stream (7.5.7), looked up by its number: the index adds nothing but a chance to lie."""
        stream = self.getobj(container)
        offset = self._container(container, stream)[1].get(number) if isinstance(stream, PDFStream) else None
        if offset is None:
            raise PDFObjectNotFound(number)
        try:
            value, _ = self._parsed(self._containers[container][0], offset)
        except EOFError:
            return None
        return None if isinstance(value, Keyword) else value

    def _container(self, number: int, stream: PDFStream) -> tuple[bytes, dict[int, int]]:
        """The bytes of an object stream, and where in them each of its objects starts."""
        found = self._containers.get(number)
        if found is not None:
            return found
        data = stream.get_data()
        first = resolve1(stream.attrs.get("First"))
        first = first if type(first) is int and first > 0 else 0
        values = [token for _, token in tokens(data[:first]) if type(token) is int and token >= 0]
        offsets = {inner: first + offset for inner, offset in zip(values[::2], values[1::2], strict=False)}
        self._containers[number] = data, offsets
        return data, offsets


def _is_xref(value: Any) -> bool:
    return isinstance(value, PDFStream) and value.attrs.get("Type") is _XREF_STREAM
