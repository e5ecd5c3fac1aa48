"""The encoding that a compact font brings along (Adobe Technical Note 5176): codes to the names of its glyphs.

pdfminer reads the encodings of plain Type 1 fonts only. Without one, formulas are letters of another alphabet.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from pdfminer.pdffont import CFFFont

_STANDARD_STRINGS: Final = CFFFont.STANDARD_STRINGS
_MOST_ENTRIES: Final = 65_536
_CHARSET, _ENCODING = 15, 16
"""Operators of the Top DICT (table 9)."""


def builtin_encoding(data: bytes) -> dict[int, str]:
    """Names of glyphs by their codes; empty for predefined encodings (codes 0 and 1), and for CID-keyed fonts.

    Raises `IndexError` or `ValueError` on what is no such font, or is cut.
    """
    _, at = _index(data, data[2])
    top, at = _index(data, at)
    strings, _ = _index(data, at)
    operands = _operands(top[0])
    encoding, charset = operands.get(_ENCODING, 0), operands.get(_CHARSET, 0)
    if encoding <= 1 or charset <= 2:
        return {}
    codes = list(_codes(data, encoding))
    identifiers = _identifiers(data, charset, len(codes))
    return {code: _name(next(identifiers, 0), strings) for code in codes}


def _index(data: bytes, at: int) -> tuple[list[bytes], int]:
    """The objects of an INDEX (section 5), and where what follows it starts."""
    count = int.from_bytes(data[at : at + 2], "big")
    if not count:
        return [], at + 2
    size = data[at + 2]
    table = at + 3
    offsets = [
        int.from_bytes(data[table + index * size : table + (index + 1) * size], "big") for index in range(count + 1)
    ]
    base = table + (count + 1) * size - 1
    return [data[base + start : base + end] for start, end in pairwise(offsets)], (base + offsets[-1])


def _operands(data: bytes) -> dict[int, int]:
    """The last integer before each operator of one byte in a DICT (section 4)."""
    found: dict[int, int] = {}
    last = at = 0
    while at < len(data):
        first = data[at]
        at += 1
        if first <= 21:
            found[first if first != 12 else 1200 + data[at]] = last
            at += first == 12
        elif first == 28:
            last, at = int.from_bytes(data[at : at + 2], "big", signed=True), at + 2
        elif first == 29:
            last, at = int.from_bytes(data[at : at + 4], "big", signed=True), at + 4
        elif first == 30:
            while at < len(data) and 15 not in (data[at] & 15, data[at] >> 4):
                at += 1
            at += 1
        elif first < 247:
            last = first - 139
        else:
            last = (first - 247) * 256 + data[at] + 108 if first < 251 else -(first - 251) * 256 - data[at] - 108
            at += 1
    return found


def _codes(data: bytes, at: int) -> Iterator[int]:
    """The codes of glyphs 1, 2 and so on (section 12); supplements are passed over."""
    count = data[at + 1]
    if data[at] & 0x7F == 0:
        yield from data[at + 2 : at + 2 + count]
    else:
        for index in range(count):
            first, left = data[at + 2 + 2 * index], data[at + 3 + 2 * index]
            yield from range(first, min(256, first + left + 1))


def _identifiers(data: bytes, at: int, count: int) -> Iterator[int]:
    """The string identifiers of glyphs 1 to `count` (section 13)."""
    kind, at = data[at], at + 1
    if kind == 0:
        for index in range(count):
            yield int.from_bytes(data[at + 2 * index : at + 2 * index + 2], "big")
        return
    width = 1 if kind == 1 else 2
    while count > 0:
        first = int.from_bytes(data[at : at + 2], "big")
        left = int.from_bytes(data[at + 2 : at + 2 + width], "big")
        yield from range(first, min(_MOST_ENTRIES, first + min(left + 1, count)))
        count -= left + 1
        at += 2 + width


def _name(identifier: int, strings: list[bytes]) -> str:
    if identifier < len(_STANDARD_STRINGS):
        return _STANDARD_STRINGS[identifier]
    return strings[identifier - len(_STANDARD_STRINGS)].decode("latin-1")
