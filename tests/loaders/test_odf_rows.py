"""Rows of sheets that are read by patterns: the same as a parser gives, or left to it."""

from __future__ import annotations

import time
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import Limits
from fumehood import kinds as registry
from fumehood.fuzz import odf_files
from fumehood.fuzz.odf_files import content, para, row, table
from fumehood.loaders.shared.odf_rows import CUT, UsualRows
from fumehood.loaders.shared.odf_tables import MAX_COLUMNS, TableReader
from fumehood.sandbox.loading import read_in_process
from tests.loaders.odf_reader import read, refused

CELL = "<table:table-cell><text:p>x</text:p></table:table-cell>"
BLANK = '<table:table-cell table:style-name="ce1"/>'


def cell(inner: str, attributes: str = "") -> str:
    return f"<table:table-cell{attributes}>{inner}</table:table-cell>"


def one(*cells: str, attributes: str = "") -> str:
    return f"<table:table-row{attributes}>{''.join(cells)}</table:table-row>"


def cut_rows(part: bytes) -> int:
    """How many rows of the part are read by patterns."""
    rows = UsualRows(MAX_COLUMNS)
    pieces = b"".join(rows.pieces(part))
    return sum(len(rows.take({CUT: str(number)}) or ()) for number in range(pieces.count(CUT.encode())))


def outcome(part: bytes) -> object:
    """The document, or the code that the read ends with."""
    data = odf_files.odf("ods", "", parts={"content.xml": part})
    code = refused("ods", data)
    if code != "read":
        return code
    document = read_in_process(registry.get("ods"), data)
    return document.text, document.blocks, document.links, document.notices


def outcome_by_parser(part: bytes) -> object:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(TableReader, "pieces", _whole)
        return outcome(part)


def _whole(_reader: TableReader, part: bytes) -> Iterable[bytes]:
    return (part,)


def sheet(*rows: str) -> bytes:
    return content("ods", table(*rows)).encode()


USUAL = [
    one(CELL, CELL),
    one(cell("<text:p>a</text:p><text:p> b </text:p><text:p></text:p>"), CELL),
    one(cell("<text:p>&lt;b&gt; &amp;amp; &#65;&#x1F600;</text:p>", ' table:formula="of:=[.A1]&lt;&quot;x&quot;"'), CELL),
    one(cell("<text:p>r</text:p>", ' table:number-columns-repeated="3"'), CELL),
    one(cell("", ' table:number-columns-repeated="16000"'), CELL, attributes=' table:number-rows-repeated="2"'),
    one(cell("<text:p>m</text:p>", ' table:number-columns-spanned="2" table:number-rows-spanned="1"')
        + "<table:covered-table-cell><text:p>under</text:p></table:covered-table-cell>", CELL),
    one('<table:table-cell office:value-type="float" office:value="1.5"/>', '<table:table-cell table:formula="x"/>'),
    one(cell("", ' office:value-type="string" office:string-value="a &amp; b"'), CELL),
    one(CELL, attributes=' table:visibility="collapse"'),
    one(),
    one(CELL, "<table:table-cell/>", BLANK, CELL, BLANK, '<table:table-cell table:number-columns-repeated="16000"/>'),
    one(BLANK, '<table:table-cell table:number-columns-repeated="3"/>', CELL),
    one('<table:table-cell office:value-type="float" office:value="1.5"/>', CELL),
    one(CELL, '<table:table-cell office:value-type="float" office:value="1.5"/>'),
    one(CELL, '<table:table-cell table:formula="x"/>', BLANK),
    one(CELL, "<table:covered-table-cell/>"),
    one(cell("<text:p> a &lt; b </text:p>"), cell("<text:p></text:p>"), cell("<text:p> </text:p>"), CELL),
    one(cell("<text:p>a/&gt;b/>c/></text:p>"), CELL),
    one(cell("<text:p>a</text:p>", ' table:formula="1/>2"'), CELL, '<table:table-cell table:formula="1/>2"/>'),
    one(cell("<text:p>5</text:p>", ' office:value-type="float" office:value="5"'), CELL, attributes=' table:number-rows-repeated="3"'),
    one(cell("<text:p>&#9;number-| a</text:p>"), CELL),
    one(cell("<text:p>\u00a0a\u2028b\u00ad\u3000</text:p>"), CELL),
]  # fmt: skip
UNUSUAL = [
    one(cell("<text:p>a  b</text:p>")),
    one(cell("<text:p>a\nb</text:p>")),
    one(cell("\n")),
    one(cell("<text:p>a<text:s/>b</text:p>")),
    one(cell('<text:p text:style-name="P1">a</text:p>')),
    one(cell("<text:p>a <text:span>b</text:span></text:p>")),
    one(cell('<text:p><text:a xlink:href="https://example.org/">a</text:a></text:p>')),
    one(cell("<office:annotation><text:p>n</text:p></office:annotation><text:p>a</text:p>")),
    one(cell("<text:p>&unknown;</text:p>")),
    one(cell("<text:p>&#0;</text:p>")),
    one(cell("<text:p>a</text:p>", " x='1'")),
    one(cell("<text:p>]]></text:p>")),
    one(cell("<text:p>a</text:p>", ' table:formula="1>2"')).replace("</table:table-row>", "</table:table-row >"),
    one('<table:table-cell xmlns="urn:x"><text:p>a</text:p></table:table-cell>'),
    one("text", CELL),
    one("<table:covered-table-cell><text:p>a</text:p></table:table-cell>"),
    "<table:table-row/>",
    one(cell("<text:p>a\x01</text:p>")),
    one(CELL, "<table:table-cell><text:p>a", CELL),
    one(CELL, "</text:p></table:table-cell>"),
    one(CELL, "<table:table-cell>a</text:p></table:table-cell>"),
    one("<table:table-cell><text:h>a</text:h></table:table-cell>"),
    one(CELL, cell("<text:p>a</text:p>", ' office:value="1')),
    one(CELL, cell("<text:p>a</text:p>", ' office:value="&unknown;"')),
    one(CELL, '<table:table-cell office:value="&unknown;"/>'),
    one(CELL, "<text:p/>"),
]


@pytest.mark.parametrize("markup", USUAL)
def test_usual_rows_are_read_by_patterns(markup: str) -> None:
    part = sheet(markup, row("last"))
    assert cut_rows(part) == 2
    assert outcome(part) == outcome_by_parser(part)


@pytest.mark.parametrize("markup", UNUSUAL)
def test_unusual_rows_are_left_to_the_parser(markup: str) -> None:
    part = sheet(row("first"), markup, row("last"))
    assert cut_rows(part) == 2
    assert outcome(part) == outcome_by_parser(part)


@given(st.lists(st.sampled_from([*USUAL, *UNUSUAL, "<table:table-row>", "</table:table-row>", "x"]), max_size=5))
def test_any_rows_are_the_same_either_way(rows: list[str]) -> None:
    part = sheet(*rows)
    assert outcome(part) == outcome_by_parser(part)


@pytest.mark.parametrize(
    "part",
    [
        sheet(row("a")).decode().encode("utf-16"),
        sheet(row("\u00e9")).replace(b"UTF-8", b"ISO-8859-1").decode().encode("latin-1"),
        sheet(row("\u00e9")).decode().encode("latin-1"),
        sheet(f"<!-- {row('gone')} -->", row("a")),
        sheet(one(cell(f"<text:p><![CDATA[{row('kept')}]]></text:p>")), row("a")),
        sheet(f"<?p {row('gone')}?>", row("a")),
        sheet(row("a")).replace(b":table:1.0", b":other"),
        sheet(row("a").replace("<table:table-row", '<table:table-row xmlns:table="urn:x"')),
        sheet(one(cell(para("around") + table(row("inner", "i")))), row("a")),
        sheet(f"<table:tracked-changes>{row('old')}</table:tracked-changes>", row("a")),
        sheet(f'<table:table-row {CUT}="0"/>', row("a")),
        sheet(row("a"), f'<table:table-row {CUT}="0"/>', row(CUT)),
        sheet(f'<table:table-row {CUT}="0">{CELL}</table:table-row>', row("a")),
        sheet(f"<table:tracked-changes>{row('old')} {row('older')}</table:tracked-changes>", row("a"), " ", row("b")),
        sheet(row(*(["a"] * 80_000)), row("b")),
        sheet(one(cell(para("around") + table(row("i", "j"), row("k"), row("l", "m")))), row("a")),
        sheet(row("a"))[:-40],
    ],
    ids=range(17),
)
def test_what_stands_around_rows_decides_too(part: bytes) -> None:
    assert outcome(part) == outcome_by_parser(part)


def test_each_row_that_was_cut_out_is_read_once_in_its_place() -> None:
    rows = [row(str(number), "x") for number in range(50)]
    rows[20] = one(cell("<text:p>20  </text:p>"), CELL)
    assert read("ods", table(*rows)).text.count("\n| 2") == 11
    assert outcome(sheet(*rows)) == outcome_by_parser(sheet(*rows))


def test_levels_of_cells_that_no_parser_sees_are_counted() -> None:
    part = sheet(row("a"))
    data = odf_files.odf("ods", "", parts={"content.xml": part})
    depths = range(3, 12)
    by_patterns = [refused("ods", data, Limits(nesting=depth)) for depth in depths]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(TableReader, "pieces", _whole)
        # The paragraph in a cell is a level as well.
        assert by_patterns == [refused("ods", data, Limits(nesting=depth)) for depth in depths]
    assert {"read", "nesting"} <= set(by_patterns)


@pytest.mark.parametrize(
    "piece",
    [
        "<table:table-row>", "<table:table-row><table:table-cell>", "<table:table-row ", "<table:table-cell>", CELL + "x",
        '<table:table-cell a:b="', "<table:table-cell><text:p>", "<table:table-cell><text:p></text:p>", "xmlns:", " xmlns:",
        "</table:table-row>", " xmlns:a='1'", "<table:table-cell/>", "/>", "><text:p>", BLANK, one(CELL) + " ", "&", "<table:table-cell><text:p></text:p><text:p></text:p>",
    ],
)  # fmt: skip
def test_patterns_take_linear_time(piece: str) -> None:
    def seconds(count: int) -> float:
        part = sheet(f"{piece * count}</table:table-row>")
        start = time.process_time()
        cut_rows(part)
        return time.process_time() - start

    seconds(1_000)
    assert seconds(50_000) < 1.5
