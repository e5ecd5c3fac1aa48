"""Character maps: the predefined ones, loaded beforehand, and those a PDF brings along (ISO 32000-2, 9.7.5, 9.10.3).

pdfminer reads a map's file when a font first asks for it, from a directory that an environment variable
may name. Here a common set is loaded once from the package's own directory, and after that no file is
opened. Maps in a PDF are kept as ranges: written out, `<00000000> <ffffffff>` has four thousand million entries.
"""

from __future__ import annotations

import functools
import gzip
import json
import pathlib
from bisect import bisect_right
from typing import Any, Final

import pdfminer
from pdfminer.cmapdb import CMapBase, CMapDB, PyCMap, PyUnicodeMap, UnicodeMap
from pdfminer.encodingdb import name2unicode
from pdfminer.pdftypes import PDFStream
from pdfminer.psparser import PSLiteral

from fumehood.loaders.shared import pdf_session
from fumehood.loaders.shared.pdf_syntax import ARRAY, ARRAY_END, Keyword, tokens

_COLLECTIONS: Final = ("Adobe-Japan1", "Adobe-GB1", "Adobe-CNS1", "Adobe-Korea1")
_CMAPS: Final = (
    # The encodings of fonts that are not embedded, as common producers write them, with their vertical twins.
    *(
        "H",
        "V",
        "EUC-H",
        "EUC-V",
        "90ms-RKSJ-H",
        "90ms-RKSJ-V",
        "90msp-RKSJ-H",
        "90msp-RKSJ-V",
        "UniJIS-UCS2-H",
        "UniJIS-UCS2-V",
    ),
    *(
        "UniJIS-UTF16-H",
        "UniJIS-UTF16-V",
        "GB-EUC-H",
        "GBK-EUC-H",
        "GBK-EUC-V",
        "GBKp-EUC-H",
        "GBK2K-H",
        "UniGB-UCS2-H",
        "UniGB-UCS2-V",
    ),
    *("UniGB-UTF16-H", "B5pc-H", "ETen-B5-H", "ETen-B5-V", "UniCNS-UCS2-H", "UniCNS-UTF16-H"),
    *("KSC-EUC-H", "KSCms-UHC-H", "KSCms-UHC-V", "UniKS-UCS2-H", "UniKS-UCS2-V", "UniKS-UTF16-H"),
)


@functools.cache
def load_common() -> None:
    """Puts the common maps into pdfminer's cache, from where its fonts take them."""
    directory = pathlib.Path(pdfminer.__file__).parent / "cmap"
    shared = _Shared()
    for name in _CMAPS:
        CMapDB._cmap_cache[name] = PyCMap(name, _module(directory, name, shared))
    for collection in _COLLECTIONS:
        module = _module(directory, f"to-unicode-{collection}", shared)
        CMapDB._umap_cache[collection] = [PyUnicodeMap(collection, module, vertical) for vertical in (False, True)]


class _Shared:
    """Equal parts of the maps, kept once: a process is forked for each document, and that costs by the megabyte.

    A vertical map differs from its horizontal twin in a handful of entries.
    """

    def __init__(self) -> None:
        self._leaves: dict[int | str, int | str] = {}
        self._tables: dict[int, dict[int, Any]] = {}
        """By hash; a set of pairs as the key would be larger than the table."""

    def table(self, pairs: list[tuple[str, Any]]) -> dict[Any, Any]:
        """A JSON object as `CMapDB._load_data` makes it: its keys are strings where the maps have numbers."""
        share = self._leaves.setdefault
        found: dict[Any, Any] = {}
        for key, value in pairs:
            number = int(key) if key.isdigit() else key
            found[share(number, number)] = share(value, value) if type(value) in (int, str) else value
        if len(found) > 256 or not all(isinstance(value, int) for value in found.values()):
            return found
        kept = self._tables.setdefault(hash(frozenset(found.items())), found)
        return kept if kept == found else found


def _module(directory: pathlib.Path, name: str, shared: _Shared) -> Any:
    text = gzip.decompress((directory / f"{name}.json.gz").read_bytes())
    return type(name, (), json.loads(text, object_pairs_hook=shared.table))


def not_loaded(_cls: Any, name: str) -> Any:
    """In place of `CMapDB._load_data`: what is not loaded is missing, and said to be."""
    pdf_session.current().missing_cmaps.add(name)
    raise CMapDB.CMapNotFound(name)


class RangeUnicodeMap(UnicodeMap):
    """Codes to text: single ones in `cid2unichr`, ranges as `(first, last, text of the first)`."""

    def __init__(self) -> None:
        super().__init__()
        self._ranges: list[tuple[int, int, bytes]] = []
        self._starts: list[int] | None = None

    def add_range(self, first: int, last: int, text: bytes) -> None:
        self._ranges.append((first, last, text))
        self._starts = None

    def get_unichr(self, cid: int) -> str:
        """Raises `KeyError` for a code without text."""
        found = self.cid2unichr.get(cid)
        return found if found is not None else self._of_range(cid)

    def _of_range(self, cid: int) -> str:
        if self._starts is None:
            self._ranges.sort(key=lambda one: one[0])
            self._starts = [first for first, _, _ in self._ranges]
        index = bisect_right(self._starts, cid) - 1
        if index < 0 or cid > self._ranges[index][1]:
            raise KeyError(cid)
        first, _, text = self._ranges[index]
        # 9.10.3: the last bytes count upwards; several characters keep all but their end.
        size = min(len(text), 4)
        last = (int.from_bytes(text[-size:], "big") + cid - first) & ((1 << 8 * size) - 1)
        return utf16(text[:-size] + last.to_bytes(size, "big"))


def utf16(text: bytes) -> str:
    """Big-endian UTF-16 without lone surrogates; a single byte is its code (some producers write `<41>`)."""
    if len(text) == 1:
        return chr(text[0])
    return text.decode("utf-16-be", "ignore")


class ToUnicodeParser:
    """In place of `pdfminer.cmapdb.CMapParser`: fills `cmap` from the operators that give text."""

    def __init__(self, cmap: CMapBase, stream: Any) -> None:
        self._cmap = cmap
        self._data: bytes = stream.getvalue()

    def run(self) -> None:
        assert isinstance(self._cmap, RangeUnicodeMap)
        fill(self._cmap, self._data)


def fill(cmap: RangeUnicodeMap, data: bytes) -> None:
    """Adds what `data`, a ToUnicode map, says. Spends `nodes` for its entries, a sixteenth for each."""
    operands: list[Any] = []
    nested: list[Any] | None = None
    entries = 0
    for _, token in tokens(data):
        if token is ARRAY:
            nested = []
        elif token is ARRAY_END:
            operands.append(nested if nested is not None else [])
            nested = None
        elif nested is not None:
            nested.append(token)
        elif not isinstance(token, Keyword):
            operands.append(token)
        else:
            entries += len(operands)
            if token == b"endbfchar":
                _add_single(cmap, operands)
            elif token == b"endbfrange":
                _add_ranges(cmap, operands)
            operands = []
    pdf_session.current().budget.spend("nodes", entries // 16)


def _add_single(cmap: RangeUnicodeMap, operands: list[Any]) -> None:
    for code, text in zip(operands[::2], operands[1::2], strict=False):
        if isinstance(code, bytes):
            _add(cmap, int.from_bytes(code[-4:], "big"), text)


def _add(cmap: RangeUnicodeMap, code: int, text: Any) -> None:
    if isinstance(text, bytes):
        found = utf16(text)
    elif isinstance(text, PSLiteral):
        try:
            found = name2unicode(str(text.name))
        except (KeyError, ValueError):
            return
    else:
        return
    # A font may give one code to both spaces; the ordinary one is meant.
    if found == "\u00a0" and cmap.cid2unichr.get(code) == " ":
        return
    cmap.cid2unichr[code] = found


def _add_ranges(cmap: RangeUnicodeMap, operands: list[Any]) -> None:
    for first, last, target in zip(operands[::3], operands[1::3], operands[2::3], strict=False):
        if not isinstance(first, bytes) or not isinstance(last, bytes):
            continue
        start, end = int.from_bytes(first[-4:], "big"), int.from_bytes(last[-4:], "big")
        if isinstance(target, list):
            for code, text in zip(range(start, end + 1), target, strict=False):
                _add(cmap, code, text)
        elif isinstance(target, bytes) and target:
            if start == end:
                _add(cmap, start, target)
            else:
                cmap.add_range(start, end, target)


class EmbeddedCMap(CMapBase):
    """Codes to CIDs by a CMap stream of the PDF (9.7.5.3): code lengths, single codes, ranges, a base map."""

    def __init__(self, stream: PDFStream) -> None:
        super().__init__()
        self._single: dict[tuple[int, int], int] = {}
        self._ranges: dict[int, list[tuple[int, int, int]]] = {}
        self._lengths: list[tuple[int, bytes, bytes]] = []
        self._base: CMapBase | None = None
        self.attrs["WMode"] = 1 if stream.attrs.get("WMode") == 1 else 0
        self._read(stream.get_data())

    def _read(self, data: bytes) -> None:
        operands: list[Any] = []
        entries = 0
        for _, token in tokens(data):
            if not isinstance(token, Keyword):
                operands.append(token)
                continue
            entries += len(operands)
            if token == b"endcodespacerange":
                self._add_lengths(operands)
            elif token == b"endcidchar":
                self._add_single(operands)
            elif token == b"endcidrange":
                self._add_ranges(operands)
            elif token == b"usecmap" and operands:
                self._use(operands[-1])
            elif token == b"def" and operands[-2:-1] and getattr(operands[-2], "name", None) == "WMode":
                self.attrs["WMode"] = 1 if operands[-1] == 1 else 0
            operands = []
        for ranges in self._ranges.values():
            ranges.sort()
        pdf_session.current().budget.spend("nodes", entries // 16)

    def _add_lengths(self, operands: list[Any]) -> None:
        for low, high in zip(operands[::2], operands[1::2], strict=False):
            if (
                isinstance(low, bytes)
                and isinstance(high, bytes)
                and 0 < len(low) == len(high) <= 4
                and len(self._lengths) < 64
            ):
                self._lengths.append((len(low), low, high))

    def _add_single(self, operands: list[Any]) -> None:
        for code, cid in zip(operands[::2], operands[1::2], strict=False):
            if isinstance(code, bytes) and type(cid) is int:
                self._single[len(code), int.from_bytes(code, "big")] = cid

    def _add_ranges(self, operands: list[Any]) -> None:
        for low, high, cid in zip(operands[::3], operands[1::3], operands[2::3], strict=False):
            if isinstance(low, bytes) and isinstance(high, bytes) and len(low) <= 4 and type(cid) is int:
                one = (int.from_bytes(low, "big"), int.from_bytes(high[-4:], "big"), cid)
                self._ranges.setdefault(len(low), []).append(one)

    def _use(self, name: Any) -> None:
        try:
            self._base = CMapDB.get_cmap(str(getattr(name, "name", name)))
        except CMapDB.CMapNotFound:
            self._base = None

    def decode(self, code: bytes) -> list[int]:
        """The CIDs that the string `code` shows."""
        found: list[int] = []
        at = 0
        while at < len(code):
            size = self._length_at(code, at)
            piece = code[at : at + size]
            at += size
            cid = self._cid(size, int.from_bytes(piece, "big"))
            if cid is not None:
                found.append(cid)
            elif self._base is not None:
                found.extend(self._base.decode(piece))
        return found

    def _length_at(self, code: bytes, at: int) -> int:
        for size, low, high in self._lengths:
            piece = code[at : at + size]
            if len(piece) == size and all(a <= b <= c for a, b, c in zip(low, piece, high, strict=True)):
                return size
        return self._lengths[0][0] if self._lengths else 2

    def _cid(self, size: int, value: int) -> int | None:
        found = self._single.get((size, value))
        if found is not None:
            return found
        ranges = self._ranges.get(size, [])
        index = bisect_right(ranges, (value, 1 << 33, 0)) - 1
        if index >= 0 and ranges[index][0] <= value <= ranges[index][1]:
            return ranges[index][2] + value - ranges[index][0]
        return None
