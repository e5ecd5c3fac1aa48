"""Rows of sheets as nearly every program writes them, read by patterns instead of a parser (ODF 1.3 part 3, 9.1).

A parser's events cost several times what a cell holds, and a sheet may be a million cells. A row is cut out of the part
if the patterns account for it to the last character: cells with ordinary attributes and paragraphs of nothing but text,
no white space that collapses, in UTF-8. In its place the parser finds an empty row that names what was cut out, so that
whether it is read, and where it stands, is decided as for any other row. All else goes to the parser as it is.

Two faults that a parser refuses do not matter here: an attribute that stands twice, or whose prefix nobody declared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import itemgetter
from typing import Final, NamedTuple

from fumehood.loaders.shared.odf_line import is_odd
from fumehood.loaders.shared.odf_names import Attributes, namespace
from fumehood.loaders.shared.odf_plain_rows import ATTRIBUTES, PlainCells, PlainRow
from fumehood.loaders.shared.xml_references import Unusual, resolved

CUT: Final = "fumehood-rows"
"""The attribute, in no namespace, of the row that stands for those that were cut out."""

CellMarkup = tuple[str, str, str, str, str]
"""Of one cell: `covered-` or nothing, its attributes, its first paragraph, the markup of others, and what is no cell."""

_OPENING: Final = b"<table:table-row"
_CLOSING: Final = b"</table:table-row>"
_MOST_CELLS: Final = 20_000
"""Cut out at once; this much is held beside the sheet."""
_LONGEST: Final = 1 << 22
"""Bytes of a row: the widest sheet of ordinary cells. A row is held whole before the parser would see its end."""
_MOST_KNOWN: Final = 1_000
_LONGEST_KNOWN: Final = 8_192
"""Bytes of a row that is remembered."""
_MOST_DECLARATIONS: Final = 1_000
_NO_ELEMENT: Final = re.compile(rb"<!")
"""What comments and CDATA begin with; a pattern looks for it in half the time that `find` takes."""
_ENCODING: Final = re.compile(rb"""(?:\xef\xbb\xbf)?<\?xml[^>]{0,200}encoding=["'](?!utf-8["'])""", re.IGNORECASE)
_DECLARATION: Final = re.compile(
    rb"""xmlns:([A-Za-z0-9._-]{1,40})[ \t\r\n]*=[ \t\r\n]*(?:"([^"]{0,200})"|'([^']{0,200})')"""
)
_PREFIXES: Final = ("table", "text", "office")
_NAMESPACES: Final = {prefix: f"{{{namespace(prefix)}}}" for prefix in _PREFIXES}
_ROW: Final = re.compile(f"<table:table-row{ATTRIBUTES}>")
_CELL: Final = re.compile(
    rf"""
    <table:(covered-)?table-cell{ATTRIBUTES}
    (?: /> | > (?: <text:p>([^<]*)</text:p> ((?:<text:p>[^<]*</text:p>){{0,1000}}) )? </table:(?(1)covered-)table-cell> )
    | (.+)
    """,
    re.VERBOSE | re.DOTALL,
)
_TEXT: Final = itemgetter(2)
_OTHERS: Final = itemgetter(3)
_PARAGRAPH: Final = re.compile(r"<text:p>([^<]*)</text:p>")
_ATTRIBUTE: Final = re.compile(r'([a-z0-9]+):([a-z-]+)="([^"]*)"')


class RowMarkup(NamedTuple):
    attributes: str
    cells: list[CellMarkup]


UsualRow = RowMarkup | PlainRow


class UsualRows:
    """The rows that were cut out of one part and are still to be read."""

    def __init__(self, most_columns: int) -> None:
        self._plain = PlainCells(most_columns)
        self._rows_known: dict[bytes, PlainRow] = {}
        self._runs: dict[str, list[UsualRow]] = {}
        self._count = 0
        self._known: dict[str, Attributes] = {"": {}}

    def take(self, attributes: Attributes) -> list[UsualRow] | None:
        """The rows that a row with these attributes stands for, which are given once; None if it is one by itself."""
        return self._runs.pop(attributes[CUT], None) if CUT in attributes else None

    def attributes(self, markup: str) -> Attributes:
        """Attributes as the parser gives them: those of tables and values, which are all that bear on rows and cells."""
        known = self._known.get(markup)
        if known is None:
            named = _ATTRIBUTE.findall(markup)
            known = {
                _NAMESPACES[prefix] + local: resolved(value) for prefix, local, value in named if prefix in _PREFIXES
            }
            if len(self._known) < _MOST_KNOWN:
                self._known[markup] = known
        return known

    def pieces(self, part: bytes) -> Iterator[bytes]:
        """The part for a parser, in order, with an empty row in place of rows that were cut out."""
        if not _may_be_cut(part):
            yield part
            return
        run: list[UsualRow] = []
        at = cells = 0
        for start, stop, row in self._rows(part):
            if run and (start > at or cells > _MOST_CELLS):
                yield self._put(run)
                run, cells = [], 0
            if start > at:
                yield part[at:start]
            run.append(row)
            cells += len(row[1])
            at = stop
        if run:
            yield self._put(run)
        yield part[at:]

    def _rows(self, part: bytes) -> Iterator[tuple[int, int, UsualRow]]:
        """Where usual rows start and stop. No byte is looked for in more often than once for each of the three."""
        start = part.find(_OPENING)
        closing = 0
        while start >= 0:
            following = part.find(_OPENING, start + len(_OPENING))
            if closing < start:
                closing = part.find(_CLOSING, start)
                if closing < 0:
                    return
            # Else another row is in it, or it is in none at all; or it is held twice for nothing.
            if not start < following < closing and closing - start <= _LONGEST:
                row = self._row(part[start:closing])
                if row is not None:
                    yield start, closing + len(_CLOSING), row
            start = following

    def _row(self, markup: bytes) -> UsualRow | None:
        known = self._rows_known.get(markup)
        if known is not None:
            return known
        row = self._new_row(markup)
        # Rows like one before are as many in sheets that programs fill; nothing changes a row, so that they can share it.
        if isinstance(row, PlainRow) and len(self._rows_known) < _MOST_KNOWN and len(markup) < _LONGEST_KNOWN:
            self._rows_known[markup] = row
        return row

    def _new_row(self, markup: bytes) -> UsualRow | None:
        try:
            text = markup.decode("utf-8")
        except UnicodeDecodeError:
            return None
        opened = _ROW.match(text)
        if opened is None:
            return None
        return self._plain.read(opened[1], text[opened.end() :]) or _any_row(text, opened)

    def _put(self, run: list[UsualRow]) -> bytes:
        number = str(self._count)
        self._count += 1
        self._runs[number] = run
        return b'<table:table-row %s="%s"/>' % (CUT.encode(), number.encode())


def paragraphs(markup: str) -> list[str]:
    """The texts of a cell's other paragraphs."""
    return [resolved(text) for text in _PARAGRAPH.findall(markup)] if markup else []


def _may_be_cut(part: bytes) -> bool:
    """Whether rows in `part` mean what they seem to: not in a comment or CDATA, prefixes as usual, and in UTF-8."""
    if _ENCODING.match(part) or _NO_ELEMENT.search(part) or part.find(CUT.encode()) >= 0:
        return False
    declared: set[str] = set()
    at = -1
    for _ in range(_MOST_DECLARATIONS):
        at = part.find(b"xmlns:", at + 1)
        if at < 0:
            return declared.issuperset(_PREFIXES)
        # Else it is in a name or a value: in those of most namespaces, for one.
        if part[at - 1 : at].isspace():
            match = _DECLARATION.match(part, at)
            if match is None or not _is_as_usual(match):
                return False
            declared.add(match[1].decode("ascii"))
    return False


def _is_as_usual(declaration: re.Match[bytes]) -> bool:
    prefix = declaration[1].decode("ascii")
    return prefix not in _PREFIXES or (declaration[2] or declaration[3] or b"") == namespace(prefix).encode("ascii")


def _any_row(text: str, opened: re.Match[str]) -> RowMarkup | None:
    cells: list[CellMarkup] = _CELL.findall(text, opened.end())
    if cells and cells[-1][-1]:
        return None
    if is_odd("_".join(map(_TEXT, cells))) or is_odd("".join(map(_OTHERS, cells))) or "]]>" in text:
        return None
    if "&" in text:
        try:
            cells = [_resolved(cell) for cell in cells]
        except Unusual:
            return None
    return RowMarkup(opened[1], cells)


def _resolved(cell: CellMarkup) -> CellMarkup:
    """The cell with its text resolved. Raises `Unusual` if something in the rest of it cannot be, while it is early."""
    covered, attributes, text, others, _ = cell
    resolved(attributes + others)
    return covered, attributes, resolved(text), others, ""
