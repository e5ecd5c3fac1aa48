"""Replaces, once, what in pdfminer.six is not bounded or not linear. Written for version 20260107.

Each line says what is replaced and why. A name that an upgrade takes away makes `apply` raise at import,
so that no replacement is lost in silence.
"""

from __future__ import annotations

import functools
import re
import struct
from bisect import bisect_right
from collections.abc import Iterable
from io import BytesIO
from typing import Any, BinaryIO, Final, cast

from pdfminer import cmapdb, encodingdb, pdfdocument, pdffont, pdftypes, psparser
from pdfminer.encodingdb import EncodingDB, name2unicode
from pdfminer.pdftypes import PDFStream, resolve1

from fumehood.loaders.shared import pdf_cmaps, pdf_filters, pdf_session
from fumehood.loaders.shared.pdf_crypt import LinearArcfour

_MOST_FILTERS: Final = 16
_MOST_FONT_ENTRIES: Final = 70_000
"""A font has at most 65,535 glyphs (OpenType, `maxp`)."""


class Silence:
    """In place of a module's logger: even a disabled `log.debug` for each token is a fifth of the time."""

    def debug(self, *_: object, **__: object) -> None: ...

    info = warning = error = exception = debug


# ---- pdftypes.PDFStream ---------------------------------------------------------------------------------


def stream_data(stream: PDFStream) -> bytes:
    """`PDFStream.get_data` (pdftypes.py) inflates without a bound, recovers damage at quadratic cost, and keeps all."""
    session = pdf_session.current()
    raw = cast("bytes | memoryview", stream.rawdata if stream.rawdata is not None else stream.data or b"")
    filters = _filters(stream)
    if len(filters) > _MOST_FILTERS:
        session.damaged_streams += 1
        return b""
    if stream.decipher is not None and stream.objid is not None and not _is_clear(filters):
        raw = _deciphered(stream, bytes(raw), session)
    if not filters:
        pdf_filters.Meter(session.budget, len(raw)).add(len(raw))
        return bytes(raw)
    for name, parameters in filters:
        meter = pdf_filters.Meter(session.budget, len(raw))
        raw = _decoded(name, parameters, raw, meter)
        session.damaged_streams += meter.damaged
    return bytes(raw)


def _filters(stream: PDFStream) -> list[tuple[str, dict[str, Any]]]:
    names = resolve1(stream.attrs.get("Filter", stream.attrs.get("F")))
    parameters = resolve1(stream.attrs.get("DecodeParms", stream.attrs.get("DP")))
    listed = names if isinstance(names, list) else [] if names is None else [names]
    given = parameters if isinstance(parameters, list) else [parameters] * min(len(listed), _MOST_FILTERS + 1)
    found = []
    for index, name in enumerate(listed[: _MOST_FILTERS + 1]):
        one = resolve1(given[index]) if index < len(given) else None
        found.append((str(getattr(resolve1(name), "name", "")), one if isinstance(one, dict) else {}))
    return found


def _is_clear(filters: list[tuple[str, dict[str, Any]]]) -> bool:
    """7.6.6: the Crypt filter exempts a stream, unless it names another crypt filter."""
    return (
        bool(filters)
        and filters[0][0] == "Crypt"
        and getattr(filters[0][1].get("Name"), "name", "Identity") == "Identity"
    )


def _deciphered(stream: PDFStream, raw: bytes, session: pdf_session.Session) -> bytes:
    assert stream.decipher is not None
    assert stream.objid is not None
    try:
        return stream.decipher(stream.objid, stream.genno or 0, raw, stream.attrs)
    except ValueError:
        session.damaged_streams += 1  # cut within the initialization vector
        return b""


def _decoded(name: str, parameters: dict[str, Any], raw: bytes | memoryview, meter: pdf_filters.Meter) -> bytes:
    if name in ("FlateDecode", "Fl"):
        return _predicted(pdf_filters.flate(raw, meter), parameters, meter)
    if name in ("LZWDecode", "LZW"):
        return _predicted(
            pdf_filters.lzw(raw, meter, 0 if parameters.get("EarlyChange") == 0 else 1), parameters, meter
        )
    if name in ("ASCII85Decode", "A85"):
        return pdf_filters.ascii_85(raw, meter)
    if name in ("ASCIIHexDecode", "AHx"):
        return pdf_filters.ascii_hex(raw, meter)
    if name in ("RunLengthDecode", "RL"):
        return pdf_filters.run_length(raw, meter)
    if name == "Crypt":
        return bytes(raw)
    # Pictures' filters, or none that exists: nothing that we read is packed in them.
    meter.damaged = True
    return b""


def _predicted(data: bytes, parameters: dict[str, Any], meter: pdf_filters.Meter) -> bytes:
    def number(key: str, default: int) -> int:
        value = resolve1(parameters.get(key, default))
        return value if type(value) is int else default

    return pdf_filters.predicted(
        data,
        meter,
        predictor=number("Predictor", 1),
        colors=number("Colors", 1),
        bits=number("BitsPerComponent", 8),
        columns=number("Columns", 1),
    )


# ---- pdffont ----------------------------------------------------------------------------------------------


class RangeWidths(dict[Any, Any]):
    """Glyph widths: single ones as items, ranges looked up, because `[0 2000000000 500]` is one range too."""

    def __init__(self) -> None:
        super().__init__()
        self._ranges: list[tuple[int, int, Any]] = []
        self._sorted = True

    def add_range(self, first: int, last: int, width: Any) -> None:
        self._ranges.append((first, last, width))
        self._sorted = False

    def get(self, key: Any, default: Any = None) -> Any:
        found = super().get(key)
        if found is not None or not isinstance(key, int):
            return default if found is None else found
        if not self._sorted:
            self._ranges.sort(key=lambda one: one[0])
            self._sorted = True
        index = bisect_right(self._ranges, key, key=lambda one: one[0]) - 1
        return self._ranges[index][2] if index >= 0 and key <= self._ranges[index][1] else default


def widths(sequence: Iterable[Any]) -> Any:
    """`get_widths` (pdffont.py) writes ranges out; 9.7.4.3."""
    found = RangeWidths()
    pending: list[Any] = []
    count = 0
    for item in sequence:
        count += 1
        value = resolve1(item)
        if isinstance(value, list):
            if pending and isinstance(pending[-1], int):
                found.update(zip(range(pending[-1], pending[-1] + _MOST_FONT_ENTRIES), value, strict=False))
            pending = []
        elif isinstance(value, int | float):
            pending.append(value)
            if len(pending) == 3:
                found.add_range(int(pending[0]), int(pending[1]), pending[2])
                pending = []
    _charge(count + len(found))
    return found


def vertical_widths(sequence: Iterable[Any]) -> Any:
    """`get_widths2` (pdffont.py) writes ranges out; 9.7.4.3. No more entries than a font has glyphs."""
    found: dict[int, Any] = {}
    pending: list[Any] = []
    for item in sequence:
        value = resolve1(item)
        if isinstance(value, list):
            if pending and isinstance(pending[-1], int):
                triples = zip(value[::3], value[1::3], value[2::3], strict=False)
                for index, (width, x, y) in enumerate(triples):
                    found[pending[-1] + index] = (width, (x, y))
            pending = []
        elif isinstance(value, int | float):
            pending.append(value)
            if len(pending) == 5:
                first, last, width, x, y = pending
                _charge(int(last) - int(first) if 0 <= last - first <= _MOST_FONT_ENTRIES else 0)
                for cid in range(int(first), min(int(last), int(first) + _MOST_FONT_ENTRIES) + 1):
                    found[cid] = (width, (x, y))
                pending = []
        if len(found) > _MOST_FONT_ENTRIES:
            break
    return found


def _charge(entries: int) -> None:
    """Spends `nodes` for entries of a font's tables, a sixteenth for each."""
    pdf_session.current().budget.spend("nodes", entries // 16)


def resolved(value: Any, default: Any = None) -> Any:
    """`resolve_all` (pdftypes.py, as pdffont.py imports it) walks shared references again and again: 2^n steps.

    Fonts need one level of it: the numbers of a list or the values of a dictionary.
    """
    value = resolve1(value, default)
    if isinstance(value, list):
        return [resolve1(part, default) for part in value]
    if isinstance(value, dict):
        for key, part in value.items():
            value[key] = resolve1(part, default)
    return value


_PUT: Final = re.compile(rb"dup\s{1,8}([0-9]{1,5})\s{0,8}/([^\s()<>\[\]{}/%]{1,128})\s{1,8}put")


class Type1Encoding:
    """In place of `Type1FontHeaderParser` (pdffont.py), whose PostScript parser is quadratic in a token's length.

    Adobe Type 1 Font Format, 2.2: `dup 65 /A put`.
    """

    def __init__(self, data: BytesIO) -> None:
        self._data = data.getvalue()

    def get_encoding(self) -> dict[int, str]:
        found: dict[int, str] = {}
        for match in _PUT.finditer(self._data):
            try:
                found[int(match[1])] = name2unicode(match[2].decode("latin-1"))
            except (KeyError, ValueError):
                continue
        _charge(len(found))
        # `/Encoding StandardEncoding def` names none.
        return found or EncodingDB.std2unicode


class BoundedTrueType:
    """In place of `TrueTypeFont` (pdffont.py), whose `cmap` loops run as far as a font declares, up to 2^32.

    OpenType, `cmap`: formats 0, 4, 6, 10 and 12 of the Unicode subtables.
    """

    CMapNotFound = pdffont.TrueTypeFont.CMapNotFound

    def __init__(self, _name: str, stream: BinaryIO) -> None:
        self._data = cast(BytesIO, stream).getvalue()

    def create_unicode_map(self) -> pdf_cmaps.RangeUnicodeMap:
        """Glyph numbers to text. Raises `CMapNotFound` where the font has no such table."""
        glyphs: dict[int, int] = {}
        try:
            for format_, at in self._subtables():
                for char, glyph in _READERS.get(format_, _nothing)(self._data, at):
                    if glyph and len(glyphs) < _MOST_FONT_ENTRIES:
                        glyphs.setdefault(glyph, char)
        except (struct.error, IndexError):
            pdf_session.current().broken_fonts += 1
        if not glyphs:
            raise self.CMapNotFound
        found = pdf_cmaps.RangeUnicodeMap()
        found.cid2unichr = {
            glyph: chr(char) for glyph, char in glyphs.items() if char < 0x110000 and not 0xD800 <= char < 0xE000
        }
        return found

    def _subtables(self) -> Iterable[tuple[int, int]]:
        data = self._data
        (count,) = struct.unpack_from(">H", data, 4)
        for entry in range(12, 12 + 16 * min(count, 256), 16):
            tag, _, base, _ = struct.unpack_from(">4sLLL", data, entry)
            if tag == b"cmap":
                (number,) = struct.unpack_from(">H", data, base + 2)
                for at in range(base + 4, base + 4 + 8 * min(number, 64), 8):
                    platform, encoding, offset = struct.unpack_from(">HHL", data, at)
                    if platform == 0 or (platform == 3 and encoding in (1, 10)):
                        yield struct.unpack_from(">H", data, base + offset)[0], base + offset
                return


def _nothing(_data: bytes, _at: int) -> Iterable[tuple[int, int]]:
    return ()


def _bounded(pairs: Any) -> Any:
    """At most `_MOST_FONT_ENTRIES` steps of a reader, charged."""

    @functools.wraps(pairs)
    def reader(data: bytes, at: int) -> Iterable[tuple[int, int]]:
        count = 0
        for count, pair in enumerate(pairs(data, at), start=1):
            yield pair
            if count >= _MOST_FONT_ENTRIES:
                break
        _charge(count)

    return reader


@_bounded
def _format_0(data: bytes, at: int) -> Iterable[tuple[int, int]]:
    yield from enumerate(struct.unpack_from(">256B", data, at + 6))


@_bounded
def _format_4(data: bytes, at: int) -> Iterable[tuple[int, int]]:
    count = struct.unpack_from(">H", data, at + 6)[0] // 2
    ends = struct.unpack_from(f">{count}H", data, at + 14)
    starts = struct.unpack_from(f">{count}H", data, at + 16 + 2 * count)
    deltas = struct.unpack_from(f">{count}h", data, at + 16 + 4 * count)
    base = at + 16 + 6 * count
    offsets = struct.unpack_from(f">{count}H", data, base)
    for index, (start, end, delta, offset) in enumerate(zip(starts, ends, deltas, offsets, strict=True)):
        for char in range(start, end + 1):
            if not offset:
                yield char, (char + delta) & 0xFFFF
                continue
            place = base + 2 * index + offset + 2 * (char - start)
            if place + 2 > len(data):
                break
            (glyph,) = struct.unpack_from(">H", data, place)
            yield char, (glyph + delta) & 0xFFFF if glyph else 0


@_bounded
def _format_6(data: bytes, at: int) -> Iterable[tuple[int, int]]:
    first, count = struct.unpack_from(">HH", data, at + 6)
    yield from enumerate(struct.unpack_from(f">{count}H", data, at + 10), start=first)


@_bounded
def _format_10(data: bytes, at: int) -> Iterable[tuple[int, int]]:
    first, count = struct.unpack_from(">LL", data, at + 12)
    count = min(count, _MOST_FONT_ENTRIES)
    yield from enumerate(struct.unpack_from(f">{count}H", data, at + 20), start=first)


@_bounded
def _format_12(data: bytes, at: int) -> Iterable[tuple[int, int]]:
    (count,) = struct.unpack_from(">L", data, at + 12)
    for index in range(min(count, _MOST_FONT_ENTRIES)):
        first, last, glyph = struct.unpack_from(">LLL", data, at + 16 + 12 * index)
        yield from ((char, glyph + char - first) for char in range(first, last + 1))


_READERS: Final[dict[int, Any]] = {0: _format_0, 4: _format_4, 6: _format_6, 10: _format_10, 12: _format_12}


# ---- putting it in place ----------------------------------------------------------------------------------

REPLACED: Final[tuple[tuple[Any, str, Any], ...]] = (
    (PDFStream, "get_data", stream_data),
    # arcfour.py appends to immutable bytes: quadratic in the length of a stream.
    (pdfdocument, "Arcfour", LinearArcfour),
    # cmapdb.py opens files, from a directory that the environment may name.
    (cmapdb.CMapDB, "_load_data", classmethod(pdf_cmaps.not_loaded)),
    # cmapdb.py writes out every range of a map.
    (pdffont, "CMapParser", pdf_cmaps.ToUnicodeParser),
    (pdffont, "FileUnicodeMap", pdf_cmaps.RangeUnicodeMap),
    (pdffont, "Type1FontHeaderParser", Type1Encoding),
    (pdffont, "TrueTypeFont", BoundedTrueType),
    (pdffont, "get_widths", widths),
    (pdffont, "get_widths2", vertical_widths),
    (pdffont, "resolve_all", resolved),
    (psparser, "log", Silence()),
    (pdftypes, "logger", Silence()),
    (pdfdocument, "log", Silence()),
    (pdffont, "log", Silence()),
    (cmapdb, "log", Silence()),
    (encodingdb, "log", Silence()),
)
"""`(owner, name, replacement)`"""


@functools.cache
def apply() -> None:
    """Puts all replacements in place. Raises `AttributeError` for a name that pdfminer does not have."""
    for owner, name, replacement in REPLACED:
        getattr(owner, name)
        setattr(owner, name, replacement)
