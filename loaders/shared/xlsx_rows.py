"""Rows of a worksheet as nearly every program writes them, read by patterns instead of a parser of all XML.

Only what the patterns account for to the last character is read so: `row` and `c` in the root element's own prefix with
the usual attributes, at most one plain formula, one value or one string without runs, in UTF-8, and nothing between them
but white space. That text is well-formed and means the same to every parser. Everything else raises `Unusual`, and the
whole part goes to the parser. The same goes for merged cells, of which there may be as many.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from fumehood.loaders.shared.xml_references import Unusual, resolved

CellMarkup = tuple[str, str, str, str, str, str, str, str, str]
"""Of one cell: letters of its reference, style, type, style where it stands behind the type, the formula's markup, the
value, the end of the value if there is one, the inline string, and what is no cell. What is missing is empty."""

_HEAD_WITHIN: Final = 1 << 20
_ROOT: Final = re.compile(rb"<([A-Za-z][A-Za-z0-9]{0,19}:)?worksheet[ \t\r\n]")
_ENCODING: Final = re.compile(rb"""(?:\xef\xbb\xbf)?<\?xml[^>]{0,200}encoding=["'](?!utf-8["'])""", re.IGNORECASE)
_DECLARATION: Final = re.compile(rb"(?:\xef\xbb\xbf)?<\?xml[ \t\r\n]|")
_SPACE: Final = b" \t\r\n"
# Every repetition ends at a character that the next piece starts with, so that no text is tried twice.
_ROW: Final = rb"""
    [ \t\r\n]*<PREFIXrow (?: [ ]r="([0-9]{1,7})" )? ( (?: [ ](?!xmlns)[A-Za-z0-9:]{1,40}="[^"<&]{0,100}" ){0,40} ) [ ]?(/?)>
"""
_CELL: Final = r"""
    <PREFIXc
      (?: [ ]r="([A-Z]{1,3})[0-9]{1,7}" )? (?: [ ]s="([0-9]{1,9})" )? (?: [ ]t="([A-Za-z]{1,9})" )? (?: [ ]s="([0-9]{1,9})" )?
      (?: [ ](?:cm|vm)="[0-9]{1,9}" )? [ ]?
      (?: />
        | >
          (?: [ \t\r\n]* (<PREFIXf[^<>]*/>|<PREFIXf[^<>]*>[^<]*</PREFIXf>) )?
          (?: [ \t\r\n]* (?: <PREFIXv>([^<]*)(</PREFIXv>)
            | <PREFIXis>[ \t\r\n]*<PREFIXt(?:[ ]xml:space="preserve")?>([^<]*)</PREFIXt>[ \t\r\n]*</PREFIXis> ) )?
          [ \t\r\n]* </PREFIXc>
      ) [ \t\r\n]*
    | (.+)
"""
_BLANKS: Final = rb"""
    (?: <PREFIXc (?: [ ]r="[A-Z]{1,3}[0-9]{1,7}" )? (?: [ ]s="[0-9]{1,9}" )? [ ]? /> )* </PREFIXrow>
"""
_MERGED: Final = rb'<PREFIXmergeCell[ ]ref="([A-Z0-9:$]{1,30})"[ ]?/>[ \t\r\n]* | (.)'


class RowMarkup(NamedTuple):
    """`number` as written, None if it is not. `blanks`: the cells of a row that holds nothing, of which no more is said."""

    number: str | None
    hidden: bool
    cells: list[CellMarkup]
    blanks: int = 0


class Worksheet(NamedTuple):
    """A part whose rows may be as usual: what is left without them, where they stand, and what cells are merged."""

    rest: bytes
    prefix: bytes
    start: int
    end: int
    merged: list[str]


def cut(part: bytes) -> Worksheet | None:
    """The part with its rows and merged cells cut out; None if they must be read by a parser."""
    root = _ROOT.search(part, 0, _HEAD_WITHIN)
    if root is None:
        return None
    prefix = root[1] or b""
    start = part.find(b"<%ssheetData>" % prefix, root.end(), _HEAD_WITHIN)
    end = part.rfind(b"</%ssheetData>" % prefix)
    declaration = _DECLARATION.match(part)
    head = part[declaration.end() if declaration else 0 : max(start, 0)]
    # In a comment or an instruction these would be no rows; in UTF-16 they were not found.
    if not 0 < start < end or b"<!" in head or b"<?" in head or _ENCODING.match(part):
        return None
    start += len(prefix) + len(b"<sheetData>")
    tail = part[end:]
    merged, tail = _without_merged(tail, prefix)
    return Worksheet(part[:start] + tail, prefix, start, end, merged)


def _without_merged(tail: bytes, prefix: bytes) -> tuple[list[str], bytes]:
    start = tail.find(b"<%smergeCells" % prefix)
    inner = tail.find(b">", start) + 1
    end = tail.find(b"</%smergeCells>" % prefix, inner)
    if start < 0 or end < 0 or b"<!" in tail[:start]:
        return [], tail
    found = _compiled(_MERGED, prefix).findall(tail[inner:end].lstrip(_SPACE))
    if any(other for _, other in found):
        return [], tail
    return [name.decode("ascii") for name, _ in found], tail[:inner] + tail[end:]


def rows(part: bytes, found: Worksheet) -> Iterator[RowMarkup]:
    """The rows of the part. Raises `Unusual`, maybe after some of them."""
    prefix = found.prefix
    row, blank = _compiled(_ROW, prefix), _compiled(_BLANKS, prefix)
    opening = b"<%sc" % prefix
    cell = re.compile(_CELL.replace("PREFIX", prefix.decode("ascii")), re.VERBOSE | re.DOTALL)
    closing = b"</%srow>" % prefix
    at, end = found.start, found.end
    while (opened := row.match(part, at, end)) is not None:
        number, attributes, is_empty = opened.groups()
        at = opened.end()
        cells: list[CellMarkup] = []
        blanks = 0
        if not is_empty:
            if (nothing := blank.match(part, at, end)) is not None:
                blanks, at = part.count(opening, at, nothing.end()), nothing.end()
            elif (stop := part.find(closing, at, end)) >= 0:
                cells, at = _cells(part[at:stop], cell), stop + len(closing)
            else:
                raise Unusual
        if number is None and b' r="' in attributes:
            raise Unusual
        hidden = b"hidden" in attributes and (b' hidden="1"' in attributes or b' hidden="true"' in attributes)
        yield RowMarkup(None if number is None else number.decode("ascii"), hidden, cells, blanks)
    if part[at:end].strip(_SPACE):
        raise Unusual


def _compiled(pattern: bytes, prefix: bytes) -> re.Pattern[bytes]:
    return re.compile(pattern.replace(b"PREFIX", prefix), re.VERBOSE | re.DOTALL)


def _cells(markup: bytes, cell: re.Pattern[str]) -> list[CellMarkup]:
    try:
        text = markup.lstrip(_SPACE).decode("utf-8")
    except UnicodeDecodeError:
        raise Unusual from None
    found: list[CellMarkup] = cell.findall(text)
    if "&" in text:
        return [(*one[:4], resolved(one[4]), resolved(one[5]), one[6], resolved(one[7]), one[8]) for one in found]
    return found
