"""The objects of a PDF file: cross-references, object streams, encryption, damage (ISO 32000-2, 7.5).

Takes pdfminer's `PDFDocument`'s place. Everything is bounded by the bytes of the file, never by what it
declares: chains of sections are followed once, and a file whose cross-references lie is read by
looking for its objects.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from typing import Any, Final, cast

from pdfminer.pdfexceptions import PDFObjectNotFound
from pdfminer.pdftypes import PDFObjRef, PDFStream, resolve1
from pdfminer.psparser import LIT

from fumehood.errors import refusal
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import pdf_repair, pdf_syntax, pdf_xref
from fumehood.loaders.shared.pdf_crypt import Decipher, decipher, is_clear
from fumehood.loaders.shared.pdf_syntax import Keyword
from fumehood.loaders.shared.pdf_xref import Place

_BYTES_PER_NODE: Final = 64
_LONGEST_CHAIN: Final = 32
"""References to references, lengths that are references, streams in object streams: honest files need three."""
_HEADER_WITHIN: Final = 1_024
"""Readers accept the header within the first 1,024 bytes (ISO 32000-1, annex H, note 13)."""
_OBJECT_HERE: Final = re.compile(
    rb"[\0\t\n\f\r ]{0,32}([0-9]{1,10})[\0\t\n\f\r ]{1,32}([0-9]{1,5})[\0\t\n\f\r ]{0,32}obj"
)
_STREAM: Final = re.compile(rb"[\0\t\n\f\r ]*+stream(?:\r\n|\n|\r)?+")
_STREAM_END: Final = re.compile(rb"[\0\t\n\f\r ]{0,8}end(?:stream|obj)")

_PLAIN_INDEX: Final = re.compile(rb"(?:[\t\n\f\r ]*+[0-9]{1,15}+(?![0-9]))*+[\t\n\f\r ]*+")

_XREF_STREAM: Final = LIT("XRef")


def dictionary(value: Any) -> dict[str, Any]:
    """The dictionary that `value` is or refers to, else an empty one."""
    found = resolve1(value)
    return found if isinstance(found, dict) else {}


def array_of(value: Any) -> list[Any]:
    """The array that `value` is or refers to, else an empty one."""
    found = resolve1(value)
    return found if isinstance(found, list) else []


def identity(value: Any) -> int:
    """What tells an object, or a reference to one, from others: its number, since a repair reads objects anew.

    One that is written where it is used goes by its place in memory, which is its own as long as somebody keeps it.
    """
    number = getattr(value, "objid", None)
    return number if isinstance(number, int) else -id(value)


class PdfFile:
    """One file. `repaired` says that its cross-references were of no use; `opened_by` which password opened it."""

    def __init__(self, data: bytes, budget: Budget, password: str | None = None) -> None:
        header = data.find(b"%PDF-", 0, _HEADER_WITHIN)
        if header < 0 and pdf_repair.OBJECT.search(data) is None:
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
        start = pdf_xref.startxref(self.data)
        if start is not None:
            pdf_xref.read_sections(self, start)
        self._decrypt()
        self.catalog = dictionary(self.trailer.get("Root"))
        if not self._has_pages():
            self.repair()

    def _has_pages(self) -> bool:
        return bool(dictionary(self.catalog.get("Pages")).get("Kids"))

    # ---- repair ----------------------------------------------------------------------------------

    def repair(self) -> None:
        """Once: finds objects by their `1 0 obj`; of two with one number the later one counts, as after an update."""
        if self.repaired:
            return
        self.repaired = True
        self._objects.clear()
        self._containers.clear()
        self.places = pdf_repair.find_objects(self)
        pdf_repair.find_trailers(self)
        self._decrypt()
        pdf_repair.open_containers(self)
        self.catalog = dictionary(self.trailer.get("Root"))
        others = pdf_repair.catalogs(self)
        while not self._has_pages() and (catalog := next(others, None)) is not None:
            self.catalog = catalog

    def found(self, number: int) -> Any:
        """The object, or None."""
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

    def parsed(self, data: bytes, at: int) -> tuple[Any, int]:
        """An object, paid for by its length."""
        value, end = pdf_syntax.parsed(data, at, self, self.budget)
        self.spend_for(end - at)
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
        value = self.parse_at(place.offset)
        if isinstance(value, PDFStream):
            value.set_objid(number, place.generation)
        if self._decipher is not None and not _is_xref(value):
            return self._deciphered(value, number, place.generation)
        return value

    def source(self, number: int) -> tuple[bytes, int] | None:
        """The bytes that an object is written in, and where it begins there; None if that is not known, or no longer needed."""
        place = self.places.get(number)
        if place is None or number in self._objects:
            return None
        if place.container is None:
            here = _OBJECT_HERE.match(self.data, place.offset)
            return (self.data, here.end()) if here is not None and int(here[1]) == number else None
        found = self._containers.get(place.container)
        if found is None:
            stream = self.found(place.container)
            if not isinstance(stream, PDFStream):
                return None
            found = self.container(place.container, stream)
        offset = found[1].get(number)
        return None if offset is None else (found[0], offset)

    def spend_for(self, length: int) -> None:
        """Pays for so many bytes: objects that all run to the end of the file would be quadratic."""
        self.budget.spend("nodes", length // _BYTES_PER_NODE)

    def _displaced(self, number: int) -> Any:
        """The cross-references pointed to something else: they are wrong, for this object and likely for others."""
        if self.repaired:
            raise PDFObjectNotFound(number)
        self.repair()
        if number not in self.places:
            raise PDFObjectNotFound(number)
        return self._load(number, self.places[number])

    def parse_at(self, at: int) -> Any:
        here = _OBJECT_HERE.match(self.data, at)
        if here is None:
            raise ValueError("no object")
        try:
            value, end = self.parsed(self.data, here.end())
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
            self._ends = (
                array("q", pdf_repair.positions(self.data, b"endstream")),
                array("q", pdf_repair.positions(self.data, b"endobj")),
            )
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
        offset = self.container(container, stream)[1].get(number) if isinstance(stream, PDFStream) else None
        if offset is None:
            raise PDFObjectNotFound(number)
        try:
            value, _ = self.parsed(self._containers[container][0], offset)
        except EOFError:
            return None
        return None if isinstance(value, Keyword) else value

    def container(self, number: int, stream: PDFStream) -> tuple[bytes, dict[int, int]]:
        """The bytes of an object stream, and where in them each of its objects starts."""
        found = self._containers.get(number)
        if found is not None:
            return found
        data = stream.get_data()
        first = resolve1(stream.attrs.get("First"))
        first = first if type(first) is int and first > 0 else 0
        values = _index(data[:first])
        offsets = {inner: first + offset for inner, offset in zip(values[::2], values[1::2], strict=False)}
        self._containers[number] = data, offsets
        return data, offsets


def _index(data: bytes) -> list[int]:
    """The numbers in front of an object stream (7.5.7)."""
    if _PLAIN_INDEX.fullmatch(data):
        return list(map(int, data.split()))
    return [token for _, token in pdf_syntax.tokens(data) if type(token) is int and token >= 0]


def _is_xref(value: Any) -> bool:
    return isinstance(value, PDFStream) and value.attrs.get("Type") is _XREF_STREAM
