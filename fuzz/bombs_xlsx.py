"""Bombs in workbooks (ECMA-376 part 1, 18): cells far apart, cells of nothing, strings named often, and cycles."""

from __future__ import annotations

import random

from fumehood.fuzz.archives import entry
from fumehood.fuzz.bomb import READ, Bomb, bomb
from fumehood.fuzz.deflate import filling, packed
from fumehood.fuzz.xlsx_files import CLOSE, HELLO, OPEN, relationships, strings, styles, workbook, worksheet, xlsx

_HELLO_CELL = b'<c r="A1" t="inlineStr"><is><t>Hello.</t></is></c>'
_LAST_ROW, _LAST_COLUMN = 1_048_576, 16_384


def far_corners() -> bytes:
    """Two cells, and all that a grid has between them."""
    rows = b'<row r="1">%s</row><row r="%d"><c r="XFD%d"><v>2</v></c></row>' % (_HELLO_CELL, _LAST_ROW, _LAST_ROW)
    return xlsx(worksheet(rows))


def _varied(form: bytes, count: int) -> tuple[bytes, int]:
    """`form` with a number in it, 10,000 times over and `count` in all: varied enough that no ratio gives it away."""
    numbers = random.Random(1)
    return b"".join(form % numbers.randrange(10_000) for _ in range(10_000)), count // 10_000


def full_rows() -> bytes:
    """A number in every row there is, and a few more."""
    return xlsx(packed(OPEN, _varied(b"<row><c><v>%d</v></c></row>", 1_050_000), CLOSE))


def blanks(rows: int, columns: int) -> bytes:
    """Cells that have a style and hold nothing."""
    row = b'<row r="1">' + b'<c s="0"/>' * columns + b"</row>"
    return xlsx(packed(OPEN + b'<row r="1">' + _HELLO_CELL + b"</row>", (row, rows), CLOSE))


def repeated_string(times: int, length: int) -> bytes:
    """One long string that every cell names."""
    rows = _varied(b'<row><c s="%d" t="s"><v>0</v></c></row>', times)
    return xlsx(packed(OPEN, rows, CLOSE), strings(b"A" * length))


def long_string(length: int) -> bytes:
    text = packed(strings(b"").split(b"</t>")[0], filling(b"A", length), b"</t></si></sst>")
    return xlsx(worksheet(b'<row r="1"><c r="A1" t="s"><v>0</v></c></row>'), text)


def one_row(cells: int) -> bytes:
    """Cells of one row, more than it has room for."""
    return xlsx(packed(OPEN + b"<row>", _varied(b"<c><v>%d</v></c>", cells), b"</row>" + CLOSE))


def merged(count: int) -> bytes:
    """Merged cells, each over the whole sheet."""
    ranges = b'<mergeCell ref="A1:XFD1048576"/>' * count
    rows = b'<row r="1">%s</row>' % _HELLO_CELL + b'<row r="9"><c r="B9"><v>1</v></c></row>'
    return xlsx(worksheet(rows, b"<mergeCells>" + ranges + b"</mergeCells>"))


def same_part(sheets: int) -> bytes:
    """Sheets that are all one part."""
    return xlsx(book=workbook(sheets, same=True))


def cycle() -> bytes:
    """A sheet whose drawing, table and comments are the sheet itself, and a workbook among its own sheets."""
    kinds = ("worksheet", "drawing", "table", "comments", "chart")
    arrows = relationships(*((kind, "sheet.xml") for kind in kinds), ("worksheet", "workbook.xml"))
    return xlsx(HELLO, book=workbook(2), further=[entry("xl/_rels/sheet.xml.rels", arrows)])


def format_codes(cells: int) -> bytes:
    """A number format as long as there are, for every cell."""
    row = b"".join(b'<row r="%d"><c r="A%d"><v>%d.5</v></c></row>' % (at, at, at) for at in range(1, cells + 1))
    return xlsx(worksheet(row), formats=styles(b"?/" * 100 + b"[h]" * 10))


def links(count: int) -> bytes:
    """Links and comments without end on one cell."""
    ranges = b'<hyperlink ref="A1:XFD1048576" location="A1"/>' * count
    return xlsx(worksheet(b'<row r="1">%s</row>' % _HELLO_CELL, b"<hyperlinks>" + ranges + b"</hyperlinks>"))


def diagonal(count: int) -> bytes:
    """Cells none of which shares a row or a column with another."""
    letters = [_letters(column) for column in range(1, count + 1)]
    rows = b"".join(
        b'<row r="%d"><c r="%s%d"><v>1</v></c></row>' % (at, letters[at - 1], at) for at in range(1, count + 1)
    )
    return xlsx(worksheet(rows))


def _letters(column: int) -> bytes:
    letters = b""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = bytes([65 + rest]) + letters
    return letters


BOMBS: tuple[Bomb, ...] = (
    bomb("far-corners.xlsx", "A1 and XFD1048576", far_corners, READ, holds="Hello."),
    bomb("full-rows.xlsx", "1,050,000 rows of a number", full_rows, "table-cells"),
    bomb("blanks.xlsx", "1,000,000 cells of nothing but a style", lambda: blanks(1_000, 1_000), READ, holds="Hello."),
    bomb("blanks-wide.xlsx", "16,384,000 of them", lambda: blanks(1_000, _LAST_COLUMN), "zip-ratio"),
    bomb(
        "repeated-string.xlsx",
        "1,000,000 cells of one string of 32 KB",
        lambda: repeated_string(1_000_000, 32_000),
        "output-too-large",
    ),
    bomb("long-string.xlsx", "a string of 400 MB", lambda: long_string(400_000_000), "zip-ratio", "inflated-too-large"),
    bomb("one-row.xlsx", "5,000,000 cells in a row", lambda: one_row(5_000_000), "table-cells"),
    bomb("merged.xlsx", "50,000 merged cells over each other", lambda: merged(50_000), READ, holds="Hello."),
    bomb("same-part.xlsx", "5,001 sheets that are one part", lambda: same_part(5_001), "pages"),
    bomb("cycle.xlsx", "a sheet that is its own drawing", cycle, READ, holds="Hello."),
    bomb("formats.xlsx", "20,000 numbers in a format of 230 characters", lambda: format_codes(20_000), READ),
    bomb("links.xlsx", "20,000 links on one cell", lambda: links(20_000), READ, holds="Hello."),
    bomb("diagonal.xlsx", "16,384 cells on a diagonal", lambda: diagonal(_LAST_COLUMN), "output-too-large", READ),
)
