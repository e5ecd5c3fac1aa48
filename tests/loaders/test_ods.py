"""Spreadsheets of OpenDocument as their readers see them."""

from __future__ import annotations

import pytest

from fumehood import Document, Limits
from fumehood import kinds as registry
from fumehood.fuzz import odf_files
from fumehood.fuzz.odf_files import box, content, frame, para, row, table
from fumehood.sandbox.loading import read_in_process
from tests.loaders.odf_reader import hidden, notices, read, refused, roles

HIDDEN_SHEET = (
    '<style:style style:name="H" style:family="table"><style:table-properties table:display="false"/></style:style>'
)


def ods(body: str, styles: str = "", **parts: str) -> Document:
    return read("ods", body, styles, parts)


def cell(inner: str = "", **attributes: str) -> str:
    given = "".join(f' {name.replace("__", ":").replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f"<table:table-cell{given}>{inner}</table:table-cell>"


def cells(*inner: str, more: str = "") -> str:
    return f"<table:table-row {more}>{''.join(inner)}</table:table-row>"


def places(document: Document) -> list[tuple[int | None, str | None]]:
    return [(block.locator.sheet, block.locator.cells) for block in document.blocks if block.locator]


def test_each_sheet_stands_under_its_name_with_its_places() -> None:
    document = ods(table(row("a", "b"), row("1", "2"), name="First") + table(row("x"), name="Second"))
    assert document.text == "## First\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n## Second\n\nx"
    assert places(document) == [(1, None), (1, "A1:B1"), (1, "A2:B2"), (2, None), (2, "A1")]
    assert document.title is None


def test_repeated_values_keep_their_columns() -> None:
    document = ods(
        table(
            cells(cell(para("a")), cell(para("b"), table__number_columns_repeated="2"), cell(para("c"))),
            row("1", "2", "3", "4"),
        )
    )
    assert "| a | b | b | c |" in document.text
    assert places(document)[1:] == [(1, "A1:D1"), (1, "A2:D2")]


def test_repeated_rows_are_as_many() -> None:
    document = ods(table(cells(cell(para("x")), more='table:number-rows-repeated="3"'), row("y")))
    assert [text for role, text in roles(document) if role == "table-row"] == [
        "| x |\n| --- |",
        "| x |",
        "| x |",
        "| y |",
    ]
    assert places(document)[-1] == (1, "A4")


def test_a_gap_stays_a_gap_and_is_never_made() -> None:
    empty = cells(cell(table__number_columns_repeated="16384"), more='table:number-rows-repeated="1048570"')
    document = ods(table(row("a", "b"), empty, cells(cell(table__number_columns_repeated="16383"), cell(para("far")))))
    assert document.text.count("|\n") < 5
    assert places(document)[-1] == (1, "XFD1048572")


def test_the_largest_sheet_of_nothing_costs_nothing() -> None:
    row_of_nothing = cells(cell(table__number_columns_repeated="16384"), more='table:number-rows-repeated="1048573"')
    document = ods(table(row("x"), row_of_nothing * 3))
    assert document.text == "## Sheet1\n\nx"


def test_rows_that_end_in_gaps_take_linear_time() -> None:
    ends_in_gap = cells(cell(para("v")), cell(table__number_columns_repeated="16375"))
    assert ods(table(ends_in_gap * 500)).text.count("| v |") == 500


def test_repeats_that_hold_something_are_counted_before_they_are_made() -> None:
    full = cells(cell(para("x"), table__number_columns_repeated="1000"), more='table:number-rows-repeated="1000000"')
    assert refused("ods", odf_files.odf("ods", table(full))) == "table-cells"
    some = table(cells(cell(para("x"), table__number_columns_repeated="40")) * 3)
    assert refused("ods", odf_files.odf("ods", some), Limits(table_cells=100)) == "table-cells"
    assert refused("ods", odf_files.odf("ods", some), Limits(table_cells=120)) == "read"


def test_a_cell_and_its_text_are_spent_as_one_cell() -> None:
    data = odf_files.odf("ods", table(row(*"abcdefghij") * 100))
    assert refused("ods", data, Limits(xml_elements=300)) == "read"
    assert refused("ods", data, Limits(xml_elements=300, table_cells=999)) == "table-cells"
    blanks = odf_files.odf("ods", table(cells(cell() * 10) * 100))
    assert refused("ods", blanks, Limits(xml_elements=300)) == "xml-elements"


# ---- what is shown -----------------------------------------------------------------------------------------------------


def test_text_as_it_was_shown_wins_over_the_value() -> None:
    document = ods(
        table(
            cells(
                cell(para("1,50 €"), office__value_type="float", office__value="1.5"), cell(para("two") + para("lines"))
            )
        )
    )
    assert "| 1,50 € | two<br>lines |" in document.text


def test_values_without_text_are_shown_by_their_style() -> None:
    styles = (
        '<number:date-style style:name="D"><number:day number:style="long"/><number:text>.</number:text><number:month/><number:text>.</number:text>'
        '<number:year number:style="long"/></number:date-style><style:style style:name="C" style:family="table-cell" style:data-style-name="D"/>'
        '<style:style style:name="C2" style:family="table-cell" style:parent-style-name="C"/>'
    )
    date = {"office__value_type": "date", "office__date_value": "2020-02-03"}
    document = ods(
        table(
            '<table:table-column/><table:table-column table:default-cell-style-name="C2"/>',
            cells(cell(**date, table__style_name="C"), cell(**date)),
            cells(
                cell(office__value_type="float", office__value="2.50"),
                cell(office__value_type="percentage", office__value="0.125"),
                cell(office__value_type="boolean", office__boolean_value="true"),
                cell(office__value_type="string", office__string_value="s|t"),
            ),
        ),
        styles,
    )
    assert "| 03.2.2020 | 03.2.2020 |" in document.text
    assert "| 2.5 | 12.5% | TRUE | s\\|t |" in document.text


def test_a_formula_without_a_value_is_said() -> None:
    document = ods(table(cells(cell(table__formula="of:=1+1"), cell(para("2"), table__formula="of:=1+1"))))
    assert notices(document) == {"formula-without-value": 1}


def test_links_in_cells() -> None:
    document = ods(table(cells(cell(para('<text:a xlink:href="https://a.example">here</text:a> |')), cell(para("b")))))
    assert [(document.text[link.start : link.end], link.target) for link in document.links] == [
        ("here", "https://a.example")
    ]


def test_a_cell_alone_and_titles_above_a_table_are_paragraphs() -> None:
    document = ods(table(row("Ducks"), row("of the pond"), row("a", "b"), row("1", "2"), row(), row("a note")))
    assert document.text == "## Sheet1\n\nDucks\n\nof the pond\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\na note"
    assert places(document) == [(1, None), (1, "A1"), (1, "A2"), (1, "A3:B3"), (1, "A4:B4"), (1, "A6")]


def test_a_column_of_nothing_within_a_region_is_kept_as_one() -> None:
    document = ods(
        table(
            cells(cell(para("a")), cell(table__number_columns_repeated="3"), cell(para("b"))), row("c", "", "", "", "d")
        )
    )
    assert document.text.endswith("| a |  | b |\n| --- | --- | --- |\n| c |  | d |")


def test_a_row_that_a_merged_cell_is_drawn_over_ends_no_table() -> None:
    tall = cells(cell(para("tall"), table__number_rows_spanned="2"), cell(para("b")))
    covered = cells("<table:covered-table-cell/>", cell())
    assert ods(table(tall, covered, row("c", "d"))).text.endswith("| tall | b |\n| --- | --- |\n| c | d |")
    assert "\n\n| c | d |" in ods(table(cells(cell(para("a")), cell(para("b"))), covered, row("c", "d"))).text


def test_what_merged_cells_cover_is_kept_and_not_seen() -> None:
    wide = cells(
        cell(para("wide"), table__number_columns_spanned="2"),
        f"<table:covered-table-cell>{para('under')}</table:covered-table-cell>",
    )
    document = ods(table(wide, row("a", "b")))
    assert "under" not in document.visible_text
    assert hidden(document) == ["| under |\n| --- |"]
    assert [block.locator.cells for block in document.blocks if not block.visible and block.locator] == ["B1"]
    assert notices(document)["hidden-text"] == 1


def test_merged_cells_give_their_text_once() -> None:
    merged = cells(
        cell(para("wide"), table__number_columns_spanned="2"), "<table:covered-table-cell/>", cell(para("c"))
    )
    assert "| wide |  | c |" in ods(table(merged, row("1", "2", "3"))).text


# ---- what is hidden ----------------------------------------------------------------------------------------------------


def test_a_hidden_sheet_is_invisible() -> None:
    document = ods(
        table(row("seen"))
        + table(row("secret"), name="B").replace("<table:table ", '<table:table table:style-name="H" '),
        HIDDEN_SHEET,
    )
    assert document.visible_text == "## Sheet1\n\nseen"
    assert hidden(document) == ["## B", "secret"]
    assert notices(document) == {"hidden-part": None}


@pytest.mark.parametrize("visibility", ["collapse", "filter"])
def test_hidden_rows_and_columns_are_invisible(visibility: str) -> None:
    hide = f'table:visibility="{visibility}"'
    columns = f"<table:table-column/><table:table-column {hide}/><table:table-column/>"
    document = ods(
        table(
            columns, row("a", "b", "c"), cells(cell(para("d")), cell(), cell(para("f")), more=hide), row("g", "h", "i")
        )
    )
    assert "b" not in document.visible_text
    assert "d" not in document.visible_text
    assert [text.partition("\n")[0] for text in hidden(document)] == ["| d | f |", "| b |", "| h |"]
    assert notices(document)["hidden-text"] == 4


# ---- what stands over the cells ----------------------------------------------------------------------------------------


def test_comments_shapes_and_charts_follow_the_table() -> None:
    comment = f"<office:annotation><dc:creator>Ann</dc:creator>{para('why?')}</office:annotation>"
    shape = box(para("note")) + frame('<draw:image xlink:href="a.png"/><svg:desc>A map</svg:desc>')
    shapes = f"<table:shapes>{box(para('floating'))}</table:shapes>"
    document = ods(table(shapes, cells(cell(comment + para("a")), cell(para("b") + shape)), row("c", "d")))
    assert document.text.startswith("## Sheet1\n\n| a | b |\n| --- | --- |\n| c | d |\n\n")
    assert sorted(document.text.split("\n\n")[2:]) == ["A map", "Ann: why?", "floating", "note"]
    assert {block.locator.cells for block in document.blocks if block.locator and block.role == "comment"} == {"A1"}


def test_what_was_before_tracked_changes_is_not_read_and_said() -> None:
    body = f"<table:tracked-changes><table:deletion>{para('old')}</table:deletion></table:tracked-changes>" + table(
        row("a")
    )
    assert ods(body).text == "## Sheet1\n\na"
    assert "deleted-text" in notices(ods(body))


def test_definitions_are_no_text() -> None:
    body = (
        f"<table:content-validations><table:content-validation><table:help-message>{para('help')}</table:help-message></table:content-validation>"
        "</table:content-validations>"
        + table(row("a"))
        + '<table:named-expressions><table:named-range table:name="x"/></table:named-expressions>'
    )
    assert "help" not in ods(body).text


# ---- the file ----------------------------------------------------------------------------------------------------------


def test_flat_spreadsheets_read_the_same() -> None:
    body = table(row("a", "b"), row("1", "2"))
    assert read_in_process(registry.get("ods"), odf_files.flat("ods", body)).text == ods(body).text


def test_too_many_sheets() -> None:
    assert refused("ods", odf_files.odf("ods", table(row("a")) * 11), Limits(pages=10)) == "pages"


def test_another_kind_is_not_read() -> None:
    assert refused("ods", odf_files.odf("odt", para("a"))) == "kind-mismatch"
    assert refused("ods", odf_files.odf("ods", "", parts={"content.xml": content("odt", para("a"))})) == "kind-mismatch"
    assert refused("ods", odf_files.flat("odp", "")) == "kind-mismatch"


def test_ampersands_in_names_and_values_are_themselves() -> None:
    value = cells(cell(office__value_type="string", office__string_value="a &amp; b"), cell("<text:p/>"))
    assert ods(table(value, name="R &amp; D")).text == "## R & D\n\na & b"
