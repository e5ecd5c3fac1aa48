"""Rows of cells with a paragraph each: taken apart to the last character, or left to another way."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.loaders.shared.odf_plain_rows import PlainCells, PlainRow

MOST_COLUMNS = 100
NUMBER = ' office:value-type="float" office:value="5"'
BLANK = '<table:table-cell table:style-name="ce1"/>'


def cell(text: str, attributes: str = "") -> str:
    return f"<table:table-cell{attributes}><text:p>{text}</text:p></table:table-cell>"


def read(*cells: str) -> PlainRow | None:
    return PlainCells(MOST_COLUMNS).read("", "".join(cells))


@pytest.mark.parametrize(
    ("cells", "texts", "width"),
    [
        ([], [], 0),
        ([cell("a"), cell("5", NUMBER)], ["a", "5"], 2),
        ([cell(" a b "), cell("")], ["a b", ""], 2),
        ([cell("&lt;&#65;&amp;amp;", ' table:formula="&quot;"')], ["<A&amp;"], 1),
        ([cell("a"), BLANK, cell("b")], ["a", "", "b"], 3),
        ([BLANK, BLANK], [], 2),
        ([cell("a"), BLANK, '<table:table-cell table:number-columns-repeated="7"/>'], ["a"], 9),
        ([cell("a"), '<table:table-cell table:number-columns-repeated="999999999"/>'], ["a"], 1 + MOST_COLUMNS),
        ([cell("a > b")], ["a > b"], 1),
    ],
)
def test_texts_stand_in_their_columns(cells: list[str], texts: list[str], width: int) -> None:
    assert read(*cells) == PlainRow("", texts, width)


@pytest.mark.parametrize(
    "cells",
    [
        [cell("a"), cell("b", ' table:number-columns-repeated="2"')],
        [cell("a", ' table:number-columns-spanned="2"')],
        [cell("a"), f"<table:table-cell{NUMBER}/>"],
        [f"<table:table-cell{NUMBER}/>", cell("a")],
        [cell("", NUMBER), cell("a")],
        ['<table:table-cell table:formula="x"/>'],
        [cell("a"), "<table:covered-table-cell/>"],
        [cell("a"), "<text:p/>"],
        [cell("a</text:p><text:p>b")],
        [cell("a<text:s/>b")],
        [cell("a  b")],
        [cell("a\tb")],
        [cell("a\x01")],
        [cell("a\0b")],
        [cell("a]]>b")],
        [cell("&unknown;")],
        [cell("a", ' office:value="&unknown;"')],
        [cell("a", " office:value='1'")],
        [cell("a", ' office:value="1')],
        [cell("a", 'office:value="1"')],
        [cell("a", ' table:formula="1/>2"')],
        [cell("a/>")],
        [cell("a"), " ", cell("b")],
        ["<table:table-cell>a</text:p></table:table-cell>"],
        ["<table:table-cell><text:p>a", cell("b")],
        [cell("a"), "</text:p></table:table-cell>"],
        ["x", cell("a")],
        [cell("a"), "x"],
    ],
)
def test_what_is_not_plain_is_left(cells: list[str]) -> None:
    assert read(*cells) is None


PIECES = [
    "<table:table-cell",
    NUMBER,
    ">",
    "/>",
    "<text:p>",
    "</text:p>",
    "</table:table-cell>",
    "a",
    " ",
    '"',
    "\0",
    "\1",
]


@given(st.lists(st.sampled_from([*PIECES, cell("b"), BLANK]), max_size=12))
def test_any_markup_is_accounted_for_to_the_last_character(pieces: list[str]) -> None:
    row = read(*pieces)
    if row is not None:
        wholly = "".join(pieces).replace(" ", "").replace(NUMBER.replace(" ", ""), "")
        blanks = wholly.count("/>")
        assert row.width == blanks + wholly.count("<text:p>")
        assert [text for text in row.texts if text] == [
            text for part in wholly.split("<text:p>")[1:] if (text := part.partition("<")[0])
        ]


def test_what_was_judged_once_is_judged_the_same_again() -> None:
    cells = PlainCells(MOST_COLUMNS)
    rows = [cell("a", f' office:value="{number}"') + BLANK for number in range(6_000)]
    bad = cell("a", ' office:value="1" table:number-rows-spanned="2"')
    for _ in range(2):
        assert [cells.read("", row) for row in rows] == [PlainRow("", ["a"], 2)] * len(rows)
        assert cells.read("", bad) is None


@pytest.mark.parametrize("piece", ["/>", BLANK, cell("a"), "<table:table-cell", "><text:p>", '"', '" a:b="', "&", "\0"])
def test_time_is_linear(piece: str) -> None:
    for markup in (piece * 100_000, cell(piece * 100_000), cell("a", f' a:b="{piece * 100_000}"')):
        started = time.process_time()
        read(markup)
        assert time.process_time() - started < 1.5
