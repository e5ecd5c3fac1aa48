"""Workbooks, as a user reads them."""

from __future__ import annotations

import time

import pytest

from fumehood import kinds
from fumehood.document import Block, Document, Locator
from fumehood.errors import NoticeCode, Refusal
from fumehood.limits.policy import Limits
from fumehood.loaders.shared.cell_names import column_name
from fumehood.sandbox.loading import read_in_process
from tests.loaders.docx_writer import archive, content_types, relationship, relationships, strict
from tests.loaders.xlsx_writer import (
    MAIN,
    MAIN_TYPE,
    NAMESPACES,
    PERSON_TYPE,
    STRICT,
    THREADED,
    THREADED_TYPE,
    Parts,
    anchor,
    c,
    drawing,
    parts_of,
    row,
    shape,
    strings,
    styles,
    t,
    table,
    worksheet,
    xlsx,
)


def read(data: bytes, limits: Limits | None = None) -> Document:
    return read_in_process(kinds.get("xlsx"), data, limits)


def sheet_text(rows: str, **around: str) -> str:
    """What one sheet of these rows is read as, without its heading."""
    return read(xlsx(worksheet(rows, **around))).text.removeprefix("## Sheet1\n\n")


def block_of(document: Document, text: str) -> Block:
    (found,) = [block for block in document.blocks if text in document.text[block.start : block.end]]
    return found


def codes(document: Document) -> dict[NoticeCode, int | str | None]:
    return {notice.code: notice.detail for notice in document.notices}


def refusal_of(data: bytes, limits: Limits | None = None) -> Refusal:
    with pytest.raises(Refusal) as caught:
        read(data, limits)
    return caught.value


# ---- sheets ---------------------------------------------------------------------------------------------------------


def test_sheets_stand_under_their_names_in_the_workbooks_order() -> None:
    document = read(
        xlsx(
            worksheet(table(["a", "b"], ["1", "2"])),
            worksheet(table(["c", "d"], ["3", "4"])),
            names={1: 'name="First"', 2: 'name="Second"'},
        )
    )
    assert document.text == (
        "## First\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n## Second\n\n| c | d |\n| --- | --- |\n| 3 | 4 |"
    )
    assert document.metadata["sheets"] == "2"
    assert document.title is None
    assert block_of(document, "| 3 | 4 |").locator == Locator(sheet=2, cells="A2:B2")
    assert block_of(document, "## Second").locator == Locator(sheet=2)


@pytest.mark.parametrize("state", ["hidden", "veryHidden"])
def test_a_hidden_sheet_is_kept_and_not_seen(state: str) -> None:
    document = read(
        xlsx(
            worksheet(table(["shown"])),
            worksheet(table(["secret", "x"], ["1", "2"])),
            names={2: f'name="H" state="{state}"'},
        )
    )
    assert "secret" in document.text
    assert document.visible_text == "## Sheet1\n\nshown"
    assert document.notices[0].code == "hidden-part"
    assert document.notices[0].locator == Locator(sheet=2)


def test_an_empty_sheet_has_its_heading_between_others_and_an_empty_workbook_has_no_text() -> None:
    between = read(xlsx(worksheet(table(["a"])), worksheet(), worksheet(table(["b"])), worksheet()))
    assert between.text == "## Sheet1\n\na\n\n## Sheet2\n\n## Sheet3\n\nb\n\n## Sheet4"
    empty = read(xlsx(worksheet(), worksheet()))
    assert empty.text == ""
    assert "empty-document" in codes(empty)


def test_strict_is_read_like_transitional() -> None:
    parts = parts_of(
        worksheet(
            row(1, c("A1", "0", "s"), c("B1", "45365", style=1)),
            after='<mergeCells><mergeCell ref="A1:A2"/></mergeCells>',
        ),
        strings=strings("x"),
        styles=styles(0, "yyyy-mm-dd"),
    )
    assert read(archive(strict(parts, STRICT))).text == read(archive(parts)).text
    assert "2024-03-14" in read(archive(parts)).text


def test_a_chartsheet_gives_its_chart() -> None:
    chart = (
        f'<c:chartSpace xmlns:c="{NAMESPACES["c"]}" xmlns:a="{NAMESPACES["a"]}"><c:chart><c:title><c:tx><c:rich><a:p><a:r>'
        "<a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title></c:chart></c:chartSpace>"
    )
    frame = '<xdr:graphicFrame><a:graphic><a:graphicData><c:chart r:id="c1"/></a:graphicData></a:graphic></xdr:graphicFrame>'
    parts = parts_of(
        f'<chartsheet xmlns="{MAIN}"><drawing/></chartsheet>',
        names={1: 'name="Chart"'},
        arrows={1: relationship("d", "drawing", "../drawings/d.xml")},
        extra={
            "xl/drawings/d.xml": drawing(anchor(frame).replace("twoCellAnchor", "absoluteAnchor")),
            "xl/drawings/_rels/d.xml.rels": relationships(relationship("c1", "chart", "../charts/c.xml")),
            "xl/charts/c.xml": chart,
        },
    )
    parts = retyped(parts, "worksheet", "chartsheet")
    document = read(archive(parts))
    assert "Sales" in document.text
    assert "## Chart" in document.text
    # Its drawing may be missing: a program that writes an empty one does so.
    del parts["xl/drawings/d.xml"]
    assert "part-missing" in codes(read(archive(parts)))


def retyped(parts: Parts, old: str, new: str) -> Parts:
    arrows = str(parts["xl/_rels/workbook.xml.rels"]).replace(f"relationships/{old}", f"relationships/{new}")
    return {**parts, "xl/_rels/workbook.xml.rels": arrows}


def test_macro_and_dialog_sheets_are_noted() -> None:
    macro = f'<xm:macrosheet xmlns:xm="urn:m" xmlns="{MAIN}"><sheetData>{row(1, c("A1", "1", formula="HALT()"))}</sheetData></xm:macrosheet>'
    arrows = parts_of(macro)
    text = str(arrows["xl/_rels/workbook.xml.rels"])
    base = "http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet"
    old = text.partition('Type="')[2].partition('"')[0]
    document = read(archive({**arrows, "xl/_rels/workbook.xml.rels": text.replace(old, base)}))
    assert "macro-present" in codes(document)
    assert document.text.endswith("\n1")
    dialog = retyped(parts_of(f'<dialogsheet xmlns="{MAIN}"/>'), "worksheet", "dialogsheet")
    assert "object-not-read" in codes(read(archive(dialog)))


def test_a_project_of_macros_is_noted() -> None:
    parts = parts_of(worksheet(table(["a"])), extra={"xl/vbaProject.bin": b"x"})
    assert "macro-present" in codes(read(archive(parts)))


def test_a_sheet_whose_part_is_missing_is_a_notice() -> None:
    parts = parts_of(worksheet(table(["a"])), worksheet(table(["b"])))
    del parts["xl/worksheets/sheet1.xml"]
    document = read(archive(parts))
    assert "b" in document.visible_text
    assert "part-missing" in codes(document)


def test_a_sheet_that_breaks_off_gives_what_came_before() -> None:
    whole = worksheet(table(["a", "b"], ["1", "2"]))
    parts = parts_of(whole[: whole.index('<row r="2"')] + "<row")
    document = read(archive(parts))
    assert "| a | b |" in document.text
    assert "part-unreadable" in codes(document)


def test_sheets_are_pages() -> None:
    refused = refusal_of(xlsx(*[worksheet()] * 4), Limits(pages=3))
    assert refused.code == "pages"


# ---- values -----------------------------------------------------------------------------------------------------------


def test_values_of_every_type() -> None:
    rows = row(
        1,
        c("A1", "0", "s"),
        c("B1", "1", "b"),
        c("C1", "0", "b"),
        c("D1", "#N/A", "e"),
        c("E1", "made", "str", formula="A1"),
        c("F1", "inline", "inlineStr"),
        c("G1", "0.30000000000000004"),
        c("H1", "2024-03-14T00:00:00", "d", 1),
    )
    text = read(xlsx(worksheet(rows), strings=strings("shared"), styles=styles(0, "d.m.yyyy"))).text
    assert "| shared | TRUE | FALSE | #N/A | made | inline | 0.3 | 14.3.2024 |" in text


def test_words_that_look_like_no_value_stay() -> None:
    assert "| NaNoparticle | NaN | None |" in sheet_text(table(["NaNoparticle", "NaN", "None"], ["null", "NA", "-"]))


@pytest.mark.parametrize(("date1904", "shown"), [("0", "2024-03-14"), ("1", "2028-03-15")])
def test_dates_count_from_the_workbooks_epoch(date1904: str, shown: str) -> None:
    data = xlsx(
        worksheet(row(1, c("A1", "45365", style=0))), styles=styles(14), workbook=f'<workbookPr date1904="{date1904}"/>'
    )
    assert shown in read(data).text


def test_rich_text_is_joined_and_readings_are_left_out() -> None:
    item = (
        "<r><rPr><b/></rPr><t>東</t></r><r><t xml:space='preserve'>京 </t></r>"
        '<rPh sb="0" eb="1"><t>トウ</t></rPh><rPh sb="1" eb="2"><t>キョウ</t></rPh><phoneticPr fontId="1"/>'
    )
    rows = row(1, c("A1", "0", "s"), f'<c r="B1" t="inlineStr"><is>{item}</is></c>')
    text = read(xlsx(worksheet(rows), strings=strings(item))).text
    assert "| 東京 | 東京 |" in text
    assert "トウ" not in text


def test_escaped_characters_are_what_they_stand_for() -> None:
    rows = row(1, c("A1", "0", "s"), c("B1", "_x0041_", "inlineStr"), c("C1", "_x005F_x0041_", "str"))
    text = read(xlsx(worksheet(rows), strings=strings("a_x000D__x000A_b _xD83D__xDE00_ _xZZ_"))).text
    assert "| a<br>b \U0001f600 _xZZ_ | A | _x0041_ |" in text


def test_a_formula_without_a_saved_value_is_a_notice_and_an_empty_result_is_none() -> None:
    rows = row(1, c("A1", "kept", "str", formula="B1"), c("B1", formula="1+1"), c("C1", "", "str", formula='""'))
    document = read(xlsx(worksheet(rows)))
    assert "kept" in document.text
    assert codes(document)["formula-without-value"] == 1


@pytest.mark.parametrize("value", ["<v></v>", "<v/>", "<v />"])
def test_a_formula_of_no_text_whose_value_is_empty_has_none(value: str) -> None:
    """What openpyxl writes, which does not calculate."""
    rows = row(1, t("A1", "x"), f'<c r="B1"><f>1+1</f>{value}</c>', f'<c r="C1" t="str"><f>""</f>{value}</c>')
    assert codes(read(xlsx(worksheet(rows))))["formula-without-value"] == 1


def test_a_value_that_its_format_hides_is_kept_and_not_seen() -> None:
    rows = row(1, c("A1", "4711", style=1), t("B1", "seen"), '<c r="C1" s="1" t="inlineStr"><is><t>words</t></is></c>')
    document = read(xlsx(worksheet(rows), styles=styles(0, ";;;")))
    assert "4711" in document.text
    assert "words" in document.text
    assert document.visible_text == "## Sheet1\n\nseen"
    assert codes(document)["hidden-text"] == 2


FONTS = (
    "<fonts><font/><font><color rgb='FFFFFFFF'/></font><font><color theme='4' tint='0.4'/></font>"
    "<font><color theme='0'/></font><font><color indexed='9'/></font></fonts>"
)
FILLS = "<fills>" + "".join(
    f"<fill><patternFill patternType='{kind}'><fgColor {color}/></patternFill></fill>"
    for kind, color in (
        ("none", ""),
        ("solid", "rgb='00FFFFFF'"),
        ("solid", "theme='4' tint='0.4'"),
        ("solid", "theme='4'"),
        ("gray125", "rgb='FFFFFFFF'"),
    )
) + "</fills>"  # fmt: skip


def coloured(font: int, fill: int, *, after: str = "") -> bytes:
    """Two cells, the second of that font and fill."""
    formats = f"<cellXfs><xf numFmtId='0'/><xf numFmtId='4' fontId='{font}' fillId='{fill}'/></cellXfs>"
    dxf = "<dxfs><dxf><font><color rgb='FFFFFFFF'/></font></dxf></dxfs>"
    look = f"<styleSheet xmlns='{MAIN}'>{FONTS}{FILLS}{formats}{dxf}</styleSheet>"
    return xlsx(worksheet(row(1, t("A1", "a"), c("B1", "4711", style=1)), after=after), styles=look)


@pytest.mark.parametrize(("font", "fill"), [(1, 0), (1, 1), (4, 0), (2, 2)])
def test_text_of_its_cells_colour_is_not_seen(font: int, fill: int) -> None:
    document = read(coloured(font, fill))
    assert document.visible_text == "## Sheet1\n\na"
    assert "4,711.00" in document.text
    assert codes(document)["hidden-text"] == 1


@pytest.mark.parametrize(("font", "fill"), [(0, 0), (1, 2), (1, 4), (2, 3), (3, 0), (7, 0), (1, 7)])
def test_text_of_another_colour_is_seen(font: int, fill: int) -> None:
    assert "4,711.00" in read(coloured(font, fill)).visible_text


def test_conditions_may_give_cells_another_colour() -> None:
    rule = (
        "<conditionalFormatting sqref='B1'><cfRule type='expression' dxfId='0' priority='1'/></conditionalFormatting>"
    )
    assert "4,711.00" in read(coloured(1, 0, after=rule)).visible_text


def test_a_string_that_does_not_exist_is_a_notice() -> None:
    document = read(xlsx(worksheet(row(1, c("A1", "7", "s"), t("B1", "x"))), strings=strings("a")))
    assert "x" in document.text
    assert codes(document)["repaired"] == 1


# ---- where cells stand ------------------------------------------------------------------------------------------------


def test_what_is_not_addressed_follows() -> None:
    rows = row(None, t(None, "a"), t(None, "b")) + row(None, t(None, "1"), t(None, "2"))
    document = read(xlsx(worksheet(rows)))
    assert "| a | b |\n| --- | --- |\n| 1 | 2 |" in document.text
    assert block_of(document, "| 1 | 2 |").locator == Locator(sheet=1, cells="A2:B2")


@pytest.mark.parametrize("reference", ["AAAAAAA1", "XFE1", "ZZZZ9999999", "1", "é1", ""])
def test_an_address_out_of_bounds_is_the_next_cell(reference: str) -> None:
    cell = t("X1", "b").replace('r="X1"', f'r="{reference}"')
    assert "| a | b |" in sheet_text(row(1, t("A1", "a"), cell))


def test_a_row_out_of_bounds_is_the_next_one() -> None:
    document = read(xlsx(worksheet(row(1, t("A1", "a"), t("B1", "b")) + row(99_999_999, t("A1", "1"), t("B1", "2")))))
    assert "| a | b |\n| --- | --- |\n| 1 | 2 |" in document.text
    assert codes(document)["repaired"] == 1


def test_rows_and_cells_out_of_order_are_put_in_order() -> None:
    rows = row(2, t("B2", "2"), t("A2", "1")) + row(1, t("A1", "a"), t("B1", "b"))
    assert sheet_text(rows) == "| a | b |\n| --- | --- |\n| 1 | 2 |"


def test_of_cells_in_one_place_the_last_one_counts() -> None:
    rows = row(1, t("A1", "old"), t("A1", "new"), t("B1", "b")) + row(1, t("B1", "newer"))
    document = read(xlsx(worksheet(rows)))
    assert "| new | newer |" in document.text
    assert codes(document)["repaired"] == 2


def test_what_the_dimension_says_is_of_no_account() -> None:
    assert sheet_text(table(["a"]), before='<dimension ref="A1:XFD1048576"/>') == "a"


def test_ranges_are_not_expanded() -> None:
    after = '<dataValidations count="1"><dataValidation sqref="A1:XFD1048576"/></dataValidations>'
    assert sheet_text(table(["a"]), after=after) == "a"


def test_far_corners_are_two_regions() -> None:
    document = read(xlsx(worksheet(row(1, t("A1", "near")) + row(1_048_576, t("XFD1048576", "far")))))
    assert document.text == "## Sheet1\n\nnear\n\nfar"
    assert block_of(document, "far").locator == Locator(sheet=1, cells="XFD1048576")


def test_rows_behind_a_long_gap_are_kept() -> None:
    rows = table(["n"], *([str(at)] for at in range(1, 200)))
    rows += table(["m"], *([str(at)] for at in range(1, 200)), top=800)
    rows += row(12_000, c("A12000", style=0))
    document = read(xlsx(worksheet(rows)))
    assert len([block for block in document.blocks if block.role == "table-row"]) == 400


# ---- tables -----------------------------------------------------------------------------------------------------------


def test_titles_stand_above_their_table() -> None:
    text = sheet_text(table(["Ducks per year"], ["Year", "Ducks"], ["2019", "120"]))
    assert text == "Ducks per year\n\n| Year | Ducks |\n| --- | --- |\n| 2019 | 120 |"


def test_a_merged_cell_is_one_text_and_what_it_covers_is_not_seen() -> None:
    rows = table(["wide", "covered", "x"], ["a", "b", "c"])
    document = read(xlsx(worksheet(rows, after='<mergeCells><mergeCell ref="A1:B1"/></mergeCells>')))
    assert "| wide |  | x |" in document.text
    assert "covered" in document.text
    assert "covered" not in document.visible_text


def test_hidden_rows_and_columns_are_kept_and_not_seen() -> None:
    rows = (
        row(1, t("A1", "h1"), t("B1", "h2"), t("C1", "h3"), attributes=' hidden="1"')
        + row(2, t("A2", "a"), t("B2", "b"), t("C2", "c"))
        + row(3, t("A3", "r1"), t("B3", "r2"), t("C3", "r3"), attributes=' hidden="1"')
        + row(4, t("A4", "d"), t("B4", "e"), t("C4", "f"))
    )
    document = read(xlsx(worksheet(rows, before='<cols><col min="2" max="2" hidden="1"/></cols>')))
    assert document.visible_text == "## Sheet1\n\n| a | c |\n| --- | --- |\n\n| d | f |"
    for hidden in ("h1", "h2", "b", "r2", "r3", "e"):
        assert hidden in document.text
    # Every table starts with a header, seen or not.
    groups = {block.group for block in document.blocks if block.group}
    for group in groups:
        assert next(block for block in document.blocks if block.group == group).level == 1
    assert codes(document)["hidden-text"]


def test_tables_have_their_names() -> None:
    rows = table(["note above"], ["k", "v"], ["a", "1"], ["below", ""])
    data = xlsx(
        worksheet(rows),
        arrows={1: relationship("t", "table", "../tables/t.xml")},
        extra={"xl/tables/t.xml": f'<table xmlns="{MAIN}" displayName="Prices" ref="A2:B3"/>'},
    )
    assert read(data).text == ("## Sheet1\n\nnote above\n\nPrices\n\n| k | v |\n| --- | --- |\n| a | 1 |\n\nbelow")
    assert block_of(read(data), "Prices").role == "caption"


# ---- what is on cells -------------------------------------------------------------------------------------------------


def test_links_of_cells() -> None:
    rows = row(
        1,
        t("A1", "out"),
        t("B1", "in"),
        t("C1", "bad"),
        c("D1", "made", "str", formula='HYPERLINK("http://m.example/","made")'),
    )
    after = (
        '<hyperlinks><hyperlink ref="A1:A9" r:id="h1" location="top"/>'
        '<hyperlink ref="B1" location="My Sheet!A1"/><hyperlink ref="C1" r:id="h2"/></hyperlinks>'
    )
    document = read(
        xlsx(
            worksheet(rows, after=after),
            arrows={
                1: relationship("h1", "hyperlink", "http://a.example/x", external=True)
                + relationship("h2", "hyperlink", "file:///etc/passwd", external=True)
            },
        )
    )
    assert {document.text[link.start : link.end]: link.target for link in document.links} == {
        "out": "http://a.example/x#top",
        "in": "#My%20Sheet!A1",
        "made": "http://m.example/",
    }
    assert "link-dropped" in codes(document)


def test_comments_follow_what_they_are_on() -> None:
    comments = (
        f'<comments xmlns="{MAIN}"><authors><author>Ann</author><author>tc={{1}}</author></authors><commentList>'
        '<comment ref="B2" authorId="0"><text><r><t>Ann:</t></r><r><t xml:space="preserve"> old one</t></r></text></comment>'
        '<comment ref="A1" authorId="1"><text><t>[Threaded comment] Your version of Excel</t></text></comment>'
        '<comment ref="Z99" authorId="0"><text><t>far</t></text></comment></commentList></comments>'
    )
    threads = (
        f'<ThreadedComments xmlns="{THREADED}"><threadedComment ref="A1" personId="p1" id="1"><text>Why?</text>'
        '</threadedComment><threadedComment ref="A1" personId="p2" parentId="1"><text>Because.</text></threadedComment>'
        "</ThreadedComments>"
    )
    persons = f'<personList xmlns="{THREADED}"><person displayName="Bo" id="p1"/><person displayName="Cy" id="p2"/></personList>'
    document = read(
        xlsx(
            worksheet(table(["a", "b"], ["1", "2"]) + table(["next", "x"], top=9)),
            arrows={1: relationship("c", "comments", "../c.xml") + relationship("t", THREADED_TYPE, "../t.xml")},
            main_arrows=relationship("p", PERSON_TYPE, "persons/p.xml"),
            extra={"xl/c.xml": comments, "xl/t.xml": threads, "xl/persons/p.xml": persons},
        )
    )
    found = [document.text[block.start : block.end] for block in document.blocks if block.role == "comment"]
    assert found == ["Bo: Why?", "Cy: Because.", "Ann: old one", "Ann: far"]
    assert document.text.index("Ann: old") < document.text.index("next") < document.text.index("far")
    assert block_of(document, "Why?").locator == Locator(sheet=1, cells="A1")


def test_text_boxes_and_pictures() -> None:
    picture = (
        '<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="P" descr="a harbour"/></xdr:nvPicPr>'
        '<xdr:blipFill><a:blip r:embed="i"/></xdr:blipFill></xdr:pic>'
    )
    alternates = f"<mc:AlternateContent><mc:Choice Requires='a'>{shape('once')}</mc:Choice><mc:Fallback>{shape('twice')}</mc:Fallback></mc:AlternateContent>"
    document = read(
        xlsx(
            worksheet(table(["a"])),
            arrows={1: relationship("d", "drawing", "../drawings/d.xml")},
            extra={
                "xl/drawings/d.xml": drawing(
                    anchor(shape("boxed"), row=2, column=3),
                    anchor(shape("unseen", 'id="3" name="x" hidden="1"')),
                    anchor(picture),
                    anchor(alternates),
                )
            },
        )
    )
    assert "boxed" in document.visible_text
    assert "unseen" not in document.visible_text
    assert "a harbour" in document.visible_text
    assert "once" in document.text
    assert "twice" not in document.text
    assert block_of(document, "boxed").locator == Locator(sheet=1, cells="D3")
    assert codes(document)["image-not-read"] == 1


def test_headers_and_footers() -> None:
    after = (
        '<headerFooter differentFirst="1"><oddHeader>&amp;L&amp;"Arial,Bold"Left&amp;Rof &amp;A, &amp;P</oddHeader>'
        "<oddFooter>&amp;C&amp;10R&amp;&amp;D</oddFooter><evenFooter>even</evenFooter><firstHeader>first</firstHeader></headerFooter>"
    )
    document = read(xlsx(worksheet(table(["a"]), after=after)))
    said = [(block.role, document.text[block.start : block.end]) for block in document.blocks]
    assert said == [
        ("heading", "## Sheet1"),
        ("header", "Left\nof Sheet1,"),
        ("header", "first"),
        ("paragraph", "a"),
        ("footer", "R&D"),
    ]


def test_embedded_objects_are_noted() -> None:
    data = xlsx(
        worksheet(table(["a"])), arrows={1: relationship("o", "oleObject", "../e.bin")}, extra={"xl/e.bin": b"x"}
    )
    assert codes(read(data))["object-not-read"] == 1


def test_many_rows_of_one_number_take_linear_time() -> None:
    wide = row(1, *(t(f"{column_name(column)}1", "x") for column in range(1, 16_385)))
    data = xlsx(worksheet(wide + row(1, t("A1", "y")) * 20_000))
    start = time.process_time()
    assert "| y | x |" in read(data).text
    assert time.process_time() - start < 3


def test_rows_beyond_the_last_one_are_kept() -> None:
    document = read(xlsx(worksheet(row(1_048_576, t("A1", "a")) + row(None, t(None, "b")))))
    assert "b" in document.text
    assert {block.locator.cells for block in document.blocks if block.locator} >= {"A1048576"}


# ---- what is no workbook ------------------------------------------------------------------------------------------------


def test_what_is_something_else_is_said_to_be() -> None:
    binary = content_types({"xl/workbook.bin": "application/vnd.ms-excel.sheet.binary.macroEnabled.main"})
    arrows = relationships(relationship("r", "officeDocument", "xl/workbook.bin"))
    refused = refusal_of(archive({"[Content_Types].xml": binary, "_rels/.rels": arrows, "xl/workbook.bin": b"x"}))
    assert (refused.code, refused.detail) == ("unsupported-kind", "xlsb")
    assert refusal_of(b"a,b\n1,2\n").code == "kind-mismatch"
    assert refusal_of(b"").code == "malformed"
    assert refusal_of(archive({"[Content_Types].xml": content_types({})})).code == "kind-mismatch"
    main = {"[Content_Types].xml": content_types({"xl/workbook.xml": MAIN_TYPE}), "xl/workbook.xml": "<a/>"}
    assert refusal_of(archive(main)).code == "kind-mismatch"


@pytest.mark.parametrize("part", ["_rels/.rels", "xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/strings.xml"])
def test_entities_are_refused_wherever_they_are(part: str) -> None:
    parts = parts_of(worksheet(row(1, c("A1", "0", "s"))), strings=strings("a"))
    text = str(parts[part])
    doctype = '<!DOCTYPE a [<!ENTITY l "lol">]>'
    start = text.index("?>") + 2 if text.startswith("<?") else 0
    parts[part] = text[:start] + doctype + text[start:]
    assert refusal_of(archive(parts)).code == "malformed"


# ---- bounds -------------------------------------------------------------------------------------------------------------


def test_cells_are_bounded_before_they_are_written() -> None:
    rows = table(*[["a", "b"]] * 60)
    assert refusal_of(xlsx(worksheet(rows)), Limits(table_cells=100)).code == "table-cells"
    assert read(xlsx(worksheet(rows)), Limits(table_cells=120)).text


def test_a_million_cells_need_no_more_elements_than_the_limit() -> None:
    rows = "".join(row(at, *(c(f"{letter}{at}", "1") for letter in "ABCDEFGHIJ")) for at in range(1, 101))
    limits = Limits(table_cells=1_000, xml_elements=300)
    assert len(read(xlsx(worksheet(rows)), limits).blocks) == 101
    # The same by the parser.
    assert len(read(xlsx(worksheet(rows).replace("<row ", "<row  ", 1)), limits).blocks) == 101


def test_a_repeated_string_is_bounded_as_it_is_read() -> None:
    rows = "".join(row(at, c(f"A{at}", "0", "s")) for at in range(1, 200))
    data = xlsx(worksheet(rows), strings=strings("x" * 32_000))
    assert refusal_of(data, Limits(output_bytes=1 << 20)).code == "output-too-large"
