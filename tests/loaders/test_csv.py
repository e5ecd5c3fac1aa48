"""CSV: one table, whatever the delimiter, quoting, encoding and shape."""

from __future__ import annotations

import csv
import io
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import kinds
from fumehood.document import Document, Locator
from fumehood.errors import Refusal
from fumehood.kinds import ReadOptions
from fumehood.limits.policy import Limits
from fumehood.sandbox.loading import read_in_process, warm

CSV = kinds.get("csv")


def read(data: bytes | str, limits: Limits | None = None, **options: object) -> Document:
    raw = data.encode() if isinstance(data, str) else data
    return read_in_process(CSV, raw, limits, ReadOptions(**options))  # type: ignore[arg-type]


def rows(document: Document) -> list[list[str]]:
    """The cells of each row, read back from the Markdown."""
    found = []
    for block in document.blocks:
        line = document.text[block.start : block.end].split("\n")[0]
        cells = line.removeprefix("|").removesuffix("|").replace("\\|", "\0").split("|")
        found.append([cell.strip().replace("\0", "|") for cell in cells])
    return found


def codes(document: Document) -> list[tuple[str, int | str | None]]:
    return [(notice.code, notice.detail) for notice in document.notices]


def test_a_table_with_a_header_and_line_locators() -> None:
    document = read('name,note\nAda,"two\nlines, a ""quote"""\n\nBob,x\n')
    assert document.text == '| name | note |\n| --- | --- |\n| Ada | two<br>lines, a "quote" |\n| Bob | x |'
    assert [(block.role, block.level, block.group) for block in document.blocks] == [
        ("table-row", 1, 1),
        ("table-row", None, 1),
        ("table-row", None, 1),
    ]
    assert [block.locator for block in document.blocks] == [
        Locator(line=1),
        Locator(line=2, line_end=3),
        Locator(line=5),
    ]
    assert document.notices == ()


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_delimiters_and_line_ends(delimiter: str, end: str) -> None:
    document = read(end.join(delimiter.join(row) for row in (["a", "b", "c"], ["1", "2", "3"], ["4", "5", "6"])))
    assert rows(document) == [["a", "b", "c"], ["1", "2", "3"], ["4", "5", "6"]]


def test_commas_within_numbers_do_not_delimit() -> None:
    assert rows(read("1,5;2,7;3,1\n4,5;6,1;7,2\n"))[0] == ["1,5", "2,7", "3,1"]
    assert rows(read("1,2,3\n4,5,6\n"))[0] == ["1", "2", "3"]


def test_delimiters_within_quotes_do_not_count() -> None:
    assert rows(read('a,b\n"x;y;z","1;2"\n"p;q;r","3;4"\n'))[1] == ["x;y;z", "1;2"]


@pytest.mark.parametrize("line", ["sep=;", "SEP=;", '"sep=;"'])
def test_a_declared_separator_wins_and_is_no_row(line: str) -> None:
    document = read(f"{line}\r\na,b;c\r\n1,2;3\r\n")
    assert rows(document) == [["a,b", "c"], ["1,2", "3"]]
    assert document.blocks[0].locator == Locator(line=2)


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_the_encoding_is_settled_before_anything_is_sniffed(codec: str) -> None:
    document = read('"première";"deuxième"\n"un";"été"\n'.encode(codec))
    assert rows(document) == [["première", "deuxième"], ["un", "été"]]


def test_ragged_rows_are_filled_up_to_the_widest_and_said() -> None:
    document = read("a,b\n1,2,3\n4\n")
    assert rows(document) == [["a", "b", ""], ["1", "2", "3"], ["4", "", ""]]
    assert codes(document) == [("repaired", "ragged-rows")]


def test_columns_that_are_empty_to_the_end_are_left_out() -> None:
    document = read("a,b,,\n1,,,\n,,,\n,2,,\n")
    assert rows(document) == [["a", "b"], ["1", ""], ["", "2"]]
    assert document.notices == ()


def test_pipes_line_breaks_and_words_of_data_frames_stay_what_they_are() -> None:
    document = read('a,b\nx|y,NaN\n"p\n\nq",NaNoparticle\n')
    assert rows(document)[1:] == [["x|y", "NaN"], ["p<br>q", "NaNoparticle"]]


def test_one_column_is_a_table_too() -> None:
    assert rows(read("name\nAda\nBob\n")) == [["name"], ["Ada"], ["Bob"]]


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b"\n\n", b",,,\n,,,\n", b"sep=;\n"])
def test_nothing_in_it_is_an_empty_document(data: bytes) -> None:
    document = read(data)
    assert document.text == ""
    assert codes(document) == [("empty-document", None)]


def test_a_quote_that_is_never_closed_swallows_nothing() -> None:
    document = read('a,b\n1,2\n3,"four\n5,six\n')
    assert rows(document) == [["a", "b"], ["1", "2"], ["3", '"four'], ["5", "six"]]
    assert codes(document) == [("repaired", "quote")]
    assert document.blocks[-1].locator == Locator(line=4)


def test_lenient_gives_the_source_where_quotes_are_broken() -> None:
    source = 'a,b\n1,"2\n'
    document = read(source, lenient=True)
    assert document.text == source
    assert codes(document) == [("unparsed", None)]
    assert read("a,b\n1,2\n", lenient=True).notices == ()


def test_a_quote_inside_a_field_is_a_character() -> None:
    assert rows(read('size,name\n5" pipe,a\n6" pipe,b\n'))[1] == ['5" pipe', "a"]


def test_a_spreadsheet_named_csv_is_refused() -> None:
    with pytest.raises(Refusal) as refused:
        read(b"PK\x03\x04\x14\x00\x06\x00[Content_Types].xml")
    assert refused.value.code == "kind-mismatch"


cell = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Zs", "Zl", "Zp", "Cn"], exclude_characters="|\\"),
    max_size=8,
)


# Where rows differ in length, the delimiter of another custom may stand in more of them alike than the comma does.
uneven = st.lists(st.lists(cell.filter(lambda text: ";" not in text), min_size=2, max_size=4), min_size=1, max_size=6)
even = st.lists(st.tuples(cell, cell).map(list), min_size=1, max_size=6)


@given(st.one_of(even, uneven))
def test_every_cell_of_what_python_writes_is_read(table: list[list[str]]) -> None:
    buffer = io.StringIO()
    csv.writer(buffer).writerows([["head", "er"], *table])
    document = read("\ufeff" + buffer.getvalue())
    found = [cell for row in rows(document) for cell in row if cell]
    assert found == ["head", "er", *(cell for row in table for cell in row if cell)]


@given(st.binary(max_size=300))
def test_any_bytes_end_in_a_document_or_a_refusal(data: bytes) -> None:
    try:
        code = read(data).kind
    except Refusal as refused:
        code = refused.code
    assert code in ("csv", "kind-mismatch")


@given(st.text('",;\n a|\t\\', max_size=80))
def test_no_character_is_lost(text: str) -> None:
    letters = [char for char in text if char == "a"]
    assert [char for char in read(text).text if char == "a"] == letters


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"x\n" * 1_000, "table-cells"),
        (b",".join([b"x"] * 1_000), "table-cells"),
        (b"\n" * 2_001 + b"x", "nodes"),
    ],
)
def test_cells_and_records_are_capped(data: bytes, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        read(data, Limits(table_cells=500, nodes=2_000))
    assert refused.value.code == code


def test_one_endless_row_does_not_widen_all_others() -> None:
    document = read(b"a,b\n" * 2_000 + b",".join([b"x"] * 2_000) + b"\n" + b"c,d\n" * 2_000)
    assert len(document.text) < 200_000
    assert len(document.blocks) == 4_001


HOSTILE = {
    "one field": b'"' + b"a" * 2_000_000 + b'"',
    "one unquoted field": b"a" * 2_000_000,
    "columns": b",".join([b"x"] * 100_000),
    "delimiters": b"," * 2_000_000,
    "quotes": b'"' * 2_000_001,
    "open quotes": b'"""\n' * 50_001,
    "blank lines": b"\n" * 300_000 + b"x",
    "rows": b"1,2\n" * 20_000,
    "ragged": b"".join(b"," * (n % 50) + b"x\n" for n in range(8_000)),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_time_is_linear_in_hostile_tables(case: str) -> None:
    started = time.process_time()
    read(HOSTILE[case])
    assert time.process_time() - started < 3


def test_it_can_be_warmed() -> None:
    warm(CSV)
