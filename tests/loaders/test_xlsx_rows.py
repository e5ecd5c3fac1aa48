"""Rows read by patterns are the rows that a parser finds, or are left to it."""

from __future__ import annotations

import dataclasses
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.errors import Refusal
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared import xlsx_sheet
from fumehood.loaders.shared.ooxml_xml import BrokenXml
from fumehood.loaders.shared.xlsx_rows import cut, rows
from fumehood.loaders.shared.xlsx_sheet import Sheet, read_sheet
from fumehood.loaders.shared.xlsx_values import Styles, Values
from fumehood.loaders.shared.xml_references import Unusual
from tests.loaders.xlsx_writer import MAIN, c, row, t, worksheet


def read(part: bytes) -> dict[str, Any] | str:
    """The sheet's fields, or how it ended."""
    sheet = Sheet()
    try:
        read_sheet(part, Values(Styles(), ["a", "b"]), Budget(Limits()), sheet)
    except BrokenXml:
        return "broken"
    except Refusal as refused:
        return refused.code
    return dataclasses.asdict(sheet)


def read_by_parser(part: bytes, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any] | str:
    with monkeypatch.context() as patched:
        patched.setattr(xlsx_sheet, "cut", lambda _part: None)
        return read(part)


def by_patterns(part: bytes) -> bool:
    found = cut(part)
    try:
        return found is not None and all(not any(cell[8] for cell in one.cells) for one in rows(part, found))
    except Unusual:
        return False


USUAL = [
    row(1, c("A1", "0", "s"), c("B1", "1.5", style=3), c("C1"), c("D1", "x", "str", formula="A1")),
    row(1, '<c r="A1" t="s" s="4"><v>1</v></c><c r="B1"><f t="shared" si="0"/><v>2</v></c><c r="C1" s="1"/>'),
    row(1, t("A1", "a &amp; b &#65;&#x1F600;"), '<c r="B1" t="inlineStr"><is><t xml:space="preserve"> x </t></is></c>'),
    row(None, t(None, "a"), c(None, "1")),
    row(1, '<c r="A1" s="1"/><c s="2" />') + row(None, "<c/>", attributes=' hidden="1"') + row(None, c(None, "1")),
    row(2, attributes=' spans="1:3" ht="15.5" customHeight="1" hidden="1" x14ac:dyDescent="0.25"'),
    '<row r="1"/>\n  <row r="2"></row>\r\n',
    '\n <row r="1" >\n  <c r="A1" t="inlineStr">\n <is>\n <t>a</t>\n </is>\n </c>\n <c r="B1" >\n<f>1</f>\n<v>2</v>\n</c>\n </row>\n',
]
UNUSUAL = [
    row(1, '<c r="A1"><!-- <c r="B1"><v>2</v></c> --><v>1</v></c>'),
    row(1, '<c r="A1"><v><![CDATA[1]]></v></c>'),
    '<row xmlns="urn:other" r="1"><c r="A1"><v>1</v></c></row>',
    '<row spans="1:1" r="1"><c r="A1"><v>1</v></c></row>',
    row(1, 'x <c r="A1"><v>1</v></c>'),
    row(1, '<c r="A1"><v>1</v><v>2</v></c>'),
    row(1, "<c r='A1'><v>1</v></c>"),
    row(1, '<c r="A1" t="inlineStr"><is><r><t>a</t></r></is></c>'),
    row(1, '<c r="AAAA1"><v>1</v></c>'),
    row(1, f'<x:c xmlns:x="{MAIN}" r="A1"><x:v>1</x:v></x:c>'),
    row(1, '<c xmlns="urn:other" r="A1"><v>1</v></c>'),
    row(1, t("A1", "&unknown;")),
    row(1, t("A1", "&#0;")),
    row(1, c("A1", "1")) + "<extLst/>",
    row(1, "<c r='A1'><v>1</v>"),
    "text",
]


@pytest.mark.parametrize("markup", USUAL)
def test_usual_rows_are_read_by_patterns(markup: str, monkeypatch: pytest.MonkeyPatch) -> None:
    part = worksheet(markup, before='<cols xmlns:x14ac="urn:x"><col min="1" max="1" hidden="1"/></cols>').encode()
    part = part.replace(b"<worksheet ", b'<worksheet xmlns:x14ac="urn:x" ')
    assert by_patterns(part)
    assert read(part) == read_by_parser(part, monkeypatch)


def test_usual_rows_may_have_a_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    markup = "".join(USUAL[:2]).replace("</", "</x:").replace("<", "<x:").replace("<x:/x:", "</x:")
    part = f'<x:worksheet xmlns:x="{MAIN}"><x:sheetData>{markup}</x:sheetData></x:worksheet>'.encode()
    assert by_patterns(part)
    assert read(part) == read_by_parser(part, monkeypatch)
    assert isinstance(read(part), dict)


@pytest.mark.parametrize(
    "merged",
    [
        '<mergeCells count="2"><mergeCell ref="A1:B2"/><mergeCell ref="C1:D2" />\n</mergeCells>',
        '<mergeCells><!-- --><mergeCell ref="A1:B2"/></mergeCells>',
        '<mergeCells/><mergeCell ref="A1:B2"/>',
        '<!-- <mergeCells><mergeCell ref="A1:B2"/></mergeCells> -->',
        '<mergeCells><mergeCell ref="a1"/></mergeCells>',
    ],
)
def test_merged_cells_are_the_same_either_way(merged: str, monkeypatch: pytest.MonkeyPatch) -> None:
    part = worksheet(USUAL[0], after=merged).encode()
    assert read(part) == read_by_parser(part, monkeypatch)


@pytest.mark.parametrize(
    "piece", [" ", "<c>", "<c> ", "<c><f", "<c><v>", '<c r="A1"', "<c><is> ", "<row ", "&", '<row a="', "<c><f>"]
)
def test_patterns_take_linear_time(piece: str) -> None:
    def seconds(count: int) -> float:
        part = worksheet(f'<row r="1">{piece * count}</row>').encode()
        start = time.process_time()
        by_patterns(part)
        return time.process_time() - start

    seconds(1_000)
    assert seconds(100_000) < 1


@pytest.mark.parametrize("markup", UNUSUAL)
def test_unusual_rows_are_left_to_the_parser(markup: str, monkeypatch: pytest.MonkeyPatch) -> None:
    part = worksheet(markup).encode()
    assert not by_patterns(part)
    assert read(part) == read_by_parser(part, monkeypatch)


@pytest.mark.parametrize(
    "part",
    [
        worksheet(row(1, t("A1", "a"))).encode("utf-16"),
        worksheet(row(1, t("A1", "\u00e9"))).replace("UTF-8", "ISO-8859-1").encode("latin-1"),
        worksheet(row(1, t("A1", "\u00e9"))).encode("latin-1"),
        worksheet(row(1, t("A1", "a"))).replace("<sheetData>", "<!-- <sheetData>").encode(),
        worksheet(row(1, t("A1", "a"))).replace("</worksheet>", "").encode(),
        worksheet(row(1, t("A1", "a"))).replace(MAIN, "urn:other").encode(),
        (
            f'<worksheet xmlns="{MAIN}"><!-- <sheetData>'
            + row(1, t("A1", "a"))
            + "</sheetData> --><sheetData/></worksheet>"
        ).encode(),
        (
            f'<worksheet xmlns="{MAIN}"><a xmlns=""><sheetData>' + row(1, t("A1", "a")) + "</sheetData></a></worksheet>"
        ).encode(),
        (f"<?p <worksheet ><sheetData>{row(1, t('A1', 'a'))}</sheetData>?>" + worksheet().partition("?>")[2]).encode(),
    ],
    ids=range(9),
)
def test_what_stands_around_rows_decides_too(part: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(part) == read_by_parser(part, monkeypatch)


PIECES = [*USUAL[:4], *UNUSUAL, "<c/>", "</row>", '<row r="3">', "<v>1</v>", "&lt;", "\n", "]]>"]


@given(st.lists(st.sampled_from(PIECES), max_size=5).map("".join))
def test_any_rows_are_the_same_either_way(markup: str) -> None:
    part = worksheet(markup).encode()
    with pytest.MonkeyPatch.context() as monkeypatch:
        assert read(part) == read_by_parser(part, monkeypatch)
