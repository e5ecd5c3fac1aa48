"""Rows of a worksheet as nearly every program writes them, read by two patterns instead of a parser of all XML.

Only what the patterns account for to the last character is read so: unprefixed `row` and `c` with the usual attributes,
at most one plain formula, one value or one string without runs, in UTF-8, nothing between them. That text is well-formed
and means the same to every parser. Everything else raises `Unusual`, and the whole part goes to the parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

CellMarkup = tuple[str, str, str, str, str, str, str, str, str]
"""Of one cell: letters of its reference, style, type, style where it stands behind the type, the formula's markup, the
value, `</v>` if there is one, the inline string, and what is no cell. What is missing is empty."""

_OPEN: Final = b"<sheetData>"
_CLOSE: Final = b"</sheetData>"
_ROW_END: Final = b"</row>"
_HEAD_WITHIN: Final = 1 << 20
_ROW: Final = re.compile(rb'[ \t\r\n]*<row((?: [A-Za-z0-9:]{1,40}="[^"<&]{0,100}"){0,40})[ ]?(/?)>')
_ROW_NUMBER: Final = re.compile(rb' r="([^"]*)"')
_ROW_HIDDEN: Final = re.compile(rb' hidden="(?:1|true)"')
_ENCODING: Final = re.compile(rb"""<\?xml[^>]{0,200}encoding=["'](?!utf-8["'])""", re.IGNORECASE)
_CELL: Final = re.compile(
    r"""
      <c(?:[ ]r="([A-Z]{1,3})[0-9]{1,7}")?(?:[ ]s="([0-9]{1,9})")?(?:[ ]t="([A-Za-z]{1,9})")?(?:[ ]s="([0-9]{1,9})")?
      (?:[ ](?:cm|vm)="[0-9]{1,9}")?[ ]?
      (?: />
        | > (<f[^<>]*/>|<f[^<>]*>[^<]*</f>)? (?: <v>([^<]*)(</v>) | <is><t(?:[ ]xml:space="preserve")?>([^<]*)</t></is> )? </c>
      )
    | (.)
    """,
    re.VERBOSE | re.DOTALL,
)
_ENTITY: Final = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#x([0-9A-Fa-f]{1,6}));|&")
_NAMED: Final = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


class Unusual(Exception):
    """The rows are written otherwise: read the part by a parser."""


class RowMarkup(NamedTuple):
    """`number` as written, None if it is not."""

    number: str | None
    hidden: bool
    cells: list[CellMarkup]


def without_rows(part: bytes) -> tuple[bytes, int, int] | None:
    """The part with its rows cut out, and where they stand; None if they must be read by a parser."""
    start = part.find(_OPEN, 0, _HEAD_WITHIN)
    end = part.rfind(_CLOSE)
    if start < 0 or end < start:
        return None
    head = part[:start]
    # In a comment these would be no rows; in UTF-16 they were not found.
    if b"<!" in head or _ENCODING.search(head):
        return None
    start += len(_OPEN)
    return part[:start] + part[end:], start, end


def rows(part: bytes, start: int, end: int) -> Iterator[RowMarkup]:
    """The rows in `part[start:end]`. Raises `Unusual`, maybe after some of them."""
    at = start
    while (opened := _ROW.match(part, at, end)) is not None:
        attributes = opened[1]
        number = _ROW_NUMBER.search(attributes)
        at = opened.end()
        cells: list[CellMarkup] = []
        if not opened[2]:
            closing = part.find(_ROW_END, at, end)
            if closing < 0:
                raise Unusual
            cells = _cells(part[at:closing])
            at = closing + len(_ROW_END)
        yield RowMarkup(
            number[1].decode("ascii", "replace") if number else None, _ROW_HIDDEN.search(attributes) is not None, cells
        )
    if part[at:end].strip(b" \t\r\n"):
        raise Unusual


def _cells(markup: bytes) -> list[CellMarkup]:
    try:
        text = markup.decode("utf-8")
    except UnicodeDecodeError:
        raise Unusual from None
    found: list[CellMarkup] = _CELL.findall(text)
    if "&" in text:
        return [
            (*cell[:4], _resolved(cell[4]), _resolved(cell[5]), cell[6], _resolved(cell[7]), cell[8]) for cell in found
        ]
    return found


def _resolved(text: str) -> str:
    """`text` with the references that XML has without a declaration (XML 1.0, 4.1 and 4.6)."""
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    if match[1]:
        return _NAMED[match[1]]
    code = int(match[2]) if match[2] else int(match[3], 16) if match[3] else 0
    if not 0 < code < 0x110000:
        raise Unusual
    return chr(code)
