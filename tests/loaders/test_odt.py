"""Text documents of OpenDocument as their readers see them."""

from __future__ import annotations

import pytest

from fumehood import Document, Limits
from fumehood import kinds as registry
from fumehood.fuzz import odf_files
from fumehood.fuzz.odf_files import box, content, frame, para, row, styles_part, table
from fumehood.sandbox.loading import read_in_process
from tests.loaders.odf_reader import hidden, notices, read, refused, roles

NUMBERED = (
    '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>'
    '<text:list-level-style-number text:level="2" style:num-format="a" style:num-prefix="(" style:num-suffix=")"/>'
    '<text:list-level-style-number text:level="3" style:num-format="1" text:display-levels="3"/></text:list-style>'
    '<text:list-style style:name="B"><text:list-level-style-bullet text:level="1" text:bullet-char="o"/></text:list-style>'
)
HIDDEN = '<style:style style:name="T" style:family="text"><style:text-properties text:display="none"/></style:style>'
MATH = (
    f"<math:math {odf_files.DECLARED}><math:semantics><math:mrow><math:mi>E</math:mi><math:mo>=</math:mo><math:mi>m</math:mi>"
    "</math:mrow>%s</math:semantics></math:math>"
)


def odt(body: str, styles: str = "", **parts: str) -> Document:
    return read("odt", body, styles, {name.replace("_xml", ".xml"): part for name, part in parts.items()})


def items(*texts: str, style: str = "L", more: str = "") -> str:
    return f'<text:list text:style-name="{style}" {more}>' + "".join(map(item, texts)) + "</text:list>"


def item(text: str, more: str = "") -> str:
    return f"<text:list-item {more}>{text if text.startswith('<') else para(text)}</text:list-item>"


# ---- text ------------------------------------------------------------------------------------------------------------


def test_white_space_collapses_and_counted_spaces_do_not() -> None:
    body = '<text:p>\n  a \n<text:span> b</text:span> c<text:s text:c="3"/>d<text:tab/>e<text:line-break/>f  </text:p>'
    assert odt(body).text == "a b c   d\te\nf"


def test_a_count_of_spaces_is_bounded() -> None:
    for given in ("2000000000", "9" * 5_000, "-1", "x", ""):
        text = odt(para(f'a<text:s text:c="{given}"/>b')).text
        assert text.split() == ["a", "b"]
        assert len(text) < 300


def test_fields_show_what_they_showed_last() -> None:
    body = para(
        '<text:page-number>7</text:page-number> <text:date>1 May</text:date> <text:bookmark-ref text:ref-name="x">page 2</text:bookmark-ref>'
        ' <text:sequence>3</text:sequence><text:bookmark text:name="x"/><text:variable-set text:display="none">unseen</text:variable-set>'
    )
    document = odt(body)
    assert document.visible_text.strip() == "7 1 May page 2 3"
    assert hidden(document) == ["unseen"]


def test_ruby_stands_in_parentheses() -> None:
    assert (
        odt(para("<text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>kan</text:ruby-text></text:ruby>")).text
        == "漢(kan)"
    )


def test_links_have_their_labels() -> None:
    document = odt(
        para(
            'to <text:a xlink:href="https://a.example/x y">the <text:span>site</text:span></text:a>, <text:a xlink:href="#mark">here</text:a>'
            ' and <text:a xlink:href="../other.odt">elsewhere</text:a>'
        )
    )
    assert document.text == "to the site, here and elsewhere"
    assert [(document.text[link.start : link.end], link.target) for link in document.links] == [
        ("the site", "https://a.example/x%20y"),
        ("here", "#mark"),
    ]
    assert "link-dropped" in notices(document)


def test_paragraphs_are_located_by_their_number() -> None:
    document = odt('<text:h text:outline-level="2">A</text:h>' + para("") + para("b") + table(row("c", "d")))
    assert [block.locator.paragraph for block in document.blocks if block.locator] == [1, 3, 4]
    assert document.blocks[-1].locator is not None
    assert document.blocks[-1].locator.paragraph_end == 5


def test_roles_come_from_the_names_of_built_in_styles() -> None:
    styles = '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Quotations"/>'
    document = odt(
        para("q", "P1")
        + para("x = 1", "Preformatted_20_Text")
        + para("y", "Preformatted_20_Text")
        + para("c", "Caption"),
        styles,
    )
    assert [role for role, _ in roles(document)] == ["quote", "code", "caption"]
    assert "x = 1\ny" in document.text


def test_a_title_style_is_a_heading() -> None:
    document = odt(para("The Title", "Title") + para("text"))
    assert document.title == "The Title"
    assert document.text.startswith("# The Title\n")


# ---- headings and lists ----------------------------------------------------------------------------------------------


def test_headings_have_their_level_and_the_number_that_is_shown() -> None:
    outline = (
        '<text:outline-style style:name="Outline"><text:outline-level-style text:level="1" style:num-format="I" style:num-suffix="."/>'
        '<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style>'
        '<style:style style:name="No" style:family="paragraph" style:list-style-name=""/>'
    )
    body = (
        '<text:h text:outline-level="1">A</text:h><text:h text:outline-level="2">B</text:h><text:h text:outline-level="2">C</text:h>'
        '<text:h text:outline-level="1" text:style-name="No">D</text:h><text:h text:outline-level="1" text:is-list-header="true">E</text:h>'
        '<text:h text:outline-level="1">F</text:h><text:h text:outline-level="2" text:restart-numbering="true" text:start-value="5">G</text:h>'
        "<text:h>H</text:h>"
    )
    document = odt(body, styles_xml=styles_part(outline))
    assert [text for _, text in roles(document)] == [
        "# I. A",
        "## I.1 B",
        "## I.2 C",
        "# D",
        "# E",
        "# II. F",
        "## II.5 G",
        "# III. H",
    ]
    assert [block.level for block in document.blocks] == [1, 2, 2, 1, 1, 1, 2, 1]


def test_lists_have_levels_and_numbers_as_shown() -> None:
    inner = "<text:list>" + item("b") + item(para("c") + "<text:list>" + item("d") + "</text:list>") + "</text:list>"
    document = odt(items("a", para("x") + inner, "y"), NUMBERED)
    assert document.text == "1. a\n2. x\n   - (a) b\n   - (b) c\n     - 2.b.1 d\n3. y"
    assert [block.level for block in document.blocks] == [1, 1, 2, 2, 3, 1]
    assert len({block.group for block in document.blocks}) == 1


def test_a_list_goes_on_where_it_says_so() -> None:
    body = (
        items("a", more='xml:id="one"')
        + para("between")
        + items("b", more='text:continue-numbering="true"')
        + items("x")
        + items("c", more='text:continue-list="one"')
    )
    assert odt(body, NUMBERED).text.split("\n\n") == ["1. a", "between", "2. b", "1. x", "3. c"]


def test_an_item_that_only_holds_a_list_has_no_number() -> None:
    inner = "<text:list>" + item("b") + "</text:list>"
    document = odt(items("a") + para("-") + items(inner, more='text:continue-numbering="true"'), NUMBERED)
    assert "(a) b" in document.text
    assert "2." not in document.text


def test_numbers_given_by_hand_and_headers_of_lists() -> None:
    body = (
        '<text:list text:style-name="L"><text:list-header>'
        + para("head")
        + "</text:list-header>"
        + item("five", 'text:start-value="5"')
        + item("six")
        + "</text:list>"
    )
    assert odt(body, NUMBERED).text == "head\n\n5. five\n6. six"


def test_paragraphs_of_one_item_are_lines_of_it() -> None:
    document = odt(items(para("one") + para("two"), "next", style="B"), NUMBERED)
    assert document.text == "- one\n  two\n- next"


def test_a_numbered_paragraph_names_its_list() -> None:
    body = "".join(
        f'<text:numbered-paragraph text:list-id="k" text:level="1" text:style-name="L">{para(text)}</text:numbered-paragraph>'
        for text in "ab"
    )
    assert odt(body, NUMBERED).text == "1. a\n2. b"


# ---- tables ------------------------------------------------------------------------------------------------------------


def test_merged_cells_give_their_text_once() -> None:
    body = (
        "<table:table><table:table-header-rows><table:table-row>"
        f'<table:table-cell table:number-columns-spanned="2">{para("wide")}</table:table-cell><table:covered-table-cell/>'
        f'<table:table-cell table:number-rows-spanned="2">{para("tall")}{para("two")}</table:table-cell></table:table-row>'
        f"</table:table-header-rows><table:table-row><table:table-cell>{para('a')}</table:table-cell><table:table-cell>{para('b')}</table:table-cell>"
        "<table:covered-table-cell/></table:table-row></table:table>"
    )
    assert odt(body).text == "| wide |  | tall<br>two |\n| --- | --- | --- |\n| a | b |  |"


def test_repeats_keep_columns_and_empty_ones_are_never_made() -> None:
    body = (
        '<table:table><table:table-column table:number-columns-repeated="16384"/>'
        f'<table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="2">{para("x")}</table:table-cell>'
        f'<table:table-cell table:number-columns-repeated="1000"/><table:table-cell>{para("y")}</table:table-cell></table:table-row>'
        '<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>'
    )
    assert odt(body).text == "| x | x | y |\n| --- | --- | --- |\n| x | x | y |"


def test_a_nested_table_follows_its_table() -> None:
    inner = table(row("in", "side"))
    document = odt(
        table(f"<table:table-row><table:table-cell>{para('out')}{inner}</table:table-cell></table:table-row>")
    )
    assert document.text == "| out |\n| --- |\n\n| in | side |\n| --- | --- |"
    assert "nested-table" in notices(document)


def test_what_a_merged_cell_covers_is_hidden() -> None:
    body = f"<table:table><table:table-row><table:table-cell>{para('seen')}</table:table-cell><table:covered-table-cell>{para('under')}</table:covered-table-cell></table:table-row></table:table>"
    document = odt(body)
    assert hidden(document) == ["under"]
    assert "hidden-text" in notices(document)


# ---- what is anchored ----------------------------------------------------------------------------------------------


def note(kind: str, text: str) -> str:
    return f'<text:note text:note-class="{kind}"><text:note-citation>1</text:note-citation><text:note-body>{para(text)}</text:note-body></text:note>'


def test_notes_and_comments_follow_what_anchors_them() -> None:
    comment = (
        '<office:annotation office:name="c"><dc:creator>Ann</dc:creator><dc:date>2020-01-01</dc:date>'
        + items("why?", style="B")
        + "</office:annotation>"
    )
    document = odt(para(f"a{note('footnote', 'foot')}b{note('endnote', 'end')}{comment}c") + para("next"), NUMBERED)
    assert roles(document) == [
        ("paragraph", "abc"),
        ("note", "foot"),
        ("note", "end"),
        ("comment", "Ann: - why?"),
        ("paragraph", "next"),
    ]


def test_a_note_in_a_cell_follows_the_table() -> None:
    document = odt(table(row("a" + note("footnote", "n"))) + para("z"))
    assert document.text == "| a |\n| --- |\n\nn\n\nz"


def test_deleted_text_is_invisible_at_its_place() -> None:
    body = (
        '<text:tracked-changes><text:changed-region text:id="d"><text:deletion><office:change-info><dc:creator>X</dc:creator></office:change-info>'
        + para("old")
        + '</text:deletion></text:changed-region><text:changed-region xml:id="i"><text:insertion><office:change-info/></text:insertion></text:changed-region></text:tracked-changes>'
        + para(
            '<text:change text:change-id="d"/><text:change-start text:change-id="i"/>new<text:change-end text:change-id="i"/> text'
        )
    )
    document = odt(body)
    assert document.visible_text == "new text"
    assert hidden(document) == ["old"]
    assert notices(document)["deleted-text"] == 1


def _changed(deletion: str, text: str) -> str:
    """Text with marks of one deletion, `d`, and of one insertion, `i`."""
    regions = (
        f'<text:changed-region xml:id="d" text:id="d"><text:deletion><office:change-info/>{deletion}</text:deletion></text:changed-region>'
        '<text:changed-region xml:id="i" text:id="i"><text:insertion><office:change-info/></text:insertion></text:changed-region>'
    )
    marks = {f"[{short}": f'<text:change-start text:change-id="{short}"/>' for short in "di"} | {
        f"{short}]": f'<text:change-end text:change-id="{short}"/>' for short in "di"
    }
    for mark, element in marks.items():
        text = text.replace(mark, element)
    return f"<text:tracked-changes>{regions}</text:tracked-changes>{text}"


@pytest.mark.parametrize(
    ("text", "seen", "unseen"),
    [
        (para("a [dold d][inew i]b"), "a new b", ["old"]),
        (para("a [dold") + para("older") + para("oldest d]b"), "a\n\nb", ["old", "older", "oldest"]),
        (para("a") + "[d" + para("old") + table(row("older")) + "d]" + para("b"), "a\n\nb", ["old", "older"]),
        (para("a [dold [inever i]oldd] b"), "a  b", ["old never old"]),
        (para(f"a [dold{note('footnote', 'note')} d]b{note('footnote', 'n')}"), "a b\n\nn", ["old", "note"]),
        (para("a [d<text:span>old d]b</text:span> c"), "a b c", ["old"]),
        (items("a", "[doldd]", "b"), "- a\n\n- b", ["old"]),
    ],
)
def test_deleted_text_that_still_stands_in_the_text_is_invisible(text: str, seen: str, unseen: list[str]) -> None:
    """As flat files of LibreOffice have it, between the marks of its change (5.5.7)."""
    document = odt(_changed("", text))
    assert document.visible_text == seen
    assert hidden(document) == unseen
    assert "deleted-text" in notices(document)


def test_an_end_that_nothing_names_deletes_no_text() -> None:
    document = odt(_changed("", para("a [d old d] b d] c") + para("d")))
    assert document.visible_text == "a b c\n\nd"


def test_a_deletion_that_nothing_names_is_not_lost() -> None:
    body = f'<text:tracked-changes><text:changed-region text:id="d"><text:deletion>{para("gone")}</text:deletion></text:changed-region></text:tracked-changes>'
    assert hidden(odt(body + para("a"))) == ["gone"]


@pytest.mark.parametrize(
    "body",
    [
        para('seen <text:span text:style-name="T">secret</text:span>'),
        para("seen") + f'<text:section text:display="none">{para("secret")}</text:section>',
        para("seen") + f'<text:section text:display="condition" text:is-hidden="true">{para("secret")}</text:section>',
        para('seen<text:hidden-text text:is-hidden="true" text:string-value="secret"/>'),
        para("seen") + para('secret<text:hidden-paragraph text:is-hidden="true"/>'),
        para("seen") + para("secret", "P"),
    ],
)
def test_what_nobody_sees_is_invisible(body: str) -> None:
    styles = (
        HIDDEN
        + '<style:style style:name="P" style:family="paragraph"><style:text-properties text:display="none"/></style:style>'
    )
    document = odt(body, styles)
    assert document.visible_text.strip() == "seen"
    assert hidden(document) == ["secret"]
    assert "hidden-text" in notices(document)


def test_tables_and_lists_of_a_hidden_section_keep_their_shape() -> None:
    document = odt(
        para("a") + '<text:section text:display="none">' + items("b") + table(row("c")) + "</text:section>" + para("d"),
        NUMBERED,
    )
    assert document.visible_text == "a\n\nd"
    assert ("list-item", "1. b") in roles(document)


# ---- frames and objects ---------------------------------------------------------------------------------------------


def test_a_text_box_stands_once_behind_its_paragraph() -> None:
    inner = box(para("in") + box(para("inner")) + items("one"))
    document = odt(para(f"before {inner}after"), NUMBERED)
    assert document.text.split("\n\n") == ["before after", "in", "inner", "1. one"]


def test_frames_between_paragraphs_and_shapes_are_read() -> None:
    body = (
        box(para("page"))
        + para(f"<draw:custom-shape>{para('shape')}</draw:custom-shape>")
        + f"<draw:g><draw:rect>{para('rect')}</draw:rect></draw:g>"
    )
    assert odt(body).text.split("\n\n") == ["page", "shape", "rect"]


def test_a_picture_is_what_it_says() -> None:
    image = '<draw:image xlink:href="Pictures/a.svg"/><draw:image xlink:href="Pictures/a.png"/><svg:title>A title</svg:title><svg:desc>A  tree</svg:desc>'
    document = odt(para(f"see {frame(image)}there"))
    assert document.text == "see A tree there"
    assert notices(document)["image-not-read"] == 1


def test_a_picture_in_the_file_itself_is_no_text() -> None:
    data = frame("<draw:image><office:binary-data>aGVsbG8=</office:binary-data></draw:image>")
    assert odt(para(f"a{data}b")).text == "ab"


def test_formulas_are_what_was_typed_or_else_their_symbols() -> None:
    shown = frame('<draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object 1"/>')
    typed = '<math:annotation encoding="StarMath 5.0">E = m cdot c</math:annotation>'
    for annotation, text in (
        (typed, "E = m cdot c"),
        ("", "E = m"),
        ('<math:annotation encoding="TeX">x</math:annotation>', "E = m"),
    ):
        document = odt(para(f"so {shown} holds") + para(shown), **{"Object 1/content.xml": MATH % annotation})
        assert document.text.split("\n\n")[0] == f"so {text} holds"
    alone = odt(para(shown), **{"Object 1/content.xml": MATH % typed})
    assert roles(alone) == [("formula", "E = m cdot c")]


def test_a_chart_gives_its_title_and_its_values() -> None:
    chart = odf_files.part(
        "document-content",
        "<office:body><office:chart><chart:chart><chart:title>" + para("Growth") + "</chart:title><chart:plot-area><chart:axis><chart:title>"
        + para("Year") + "</chart:title></chart:axis></chart:plot-area>"
        + table(row("", "A"), f"<table:table-row><table:table-cell>{para('2020')}<draw:g><svg:desc>Sheet1.A1</svg:desc></draw:g></table:table-cell>"
                 '<table:table-cell office:value-type="float" office:value="1.5"/></table:table-row>')
        + "</chart:chart></office:chart></office:body>",
    )  # fmt: skip
    document = odt(para("x" + frame('<draw:object xlink:href="./C"/>')), **{"C/content.xml": chart})
    assert document.text.split("\n\n") == ["x", "Growth", "Year", "|  | A |\n| --- | --- |\n| 2020 | 1.5 |"]
    assert [role for role, _ in roles(document)][1:3] == ["caption", "caption"]


def test_objects_that_cannot_be_read_are_said() -> None:
    body = (
        para(frame('<draw:object-ole xlink:href="./O"/>'))
        + para(frame('<draw:object xlink:href="./gone"/>'))
        + para("<draw:control/>a")
    )
    assert notices(odt(body))["object-not-read"] == 3
    assert "external-target" in notices(odt(para("a" + frame('<draw:object xlink:href="http://a.example/x"/>'))))


def test_an_embedded_document_is_read_where_it_is_shown() -> None:
    shown = para("a" + frame('<draw:object xlink:href="./S/"/>'))
    assert odt(shown, **{"S/content.xml": content("ods", table(row("k", "v")))}).text == "a\n\n| k | v |\n| --- | --- |"


def test_objects_that_show_each_other_end() -> None:
    shown = para(frame('<draw:object xlink:href="./A"/>'))
    document = odt(
        para("a") + shown * 2,
        **{"A/content.xml": content("odt", para("in") + shown), "A/A/content.xml": content("odt", shown * 3)},
    )
    assert document.text == "a\n\nin"
    assert "object-not-read" in notices(document)


# ---- pages -----------------------------------------------------------------------------------------------------------

MASTERS = (
    '<style:master-page style:name="Standard"><style:header><text:p>Head</text:p></style:header><style:footer><text:p>Foot</text:p></style:footer></style:master-page>'
    '<style:master-page style:name="First" style:next-style-name="Standard"><style:header><text:p>Front</text:p></style:header>'
    '<style:footer style:display="false"><text:p>off</text:p></style:footer></style:master-page>'
    '<style:master-page style:name="Unused"><style:header><text:p>unused</text:p></style:header></style:master-page>'
)


def test_headers_and_footers_stand_in_styles_and_are_read_once() -> None:
    document = odt(para("text") + para("more"), styles_xml=styles_part(masters=MASTERS))
    assert roles(document) == [("header", "Head"), ("paragraph", "text"), ("paragraph", "more"), ("footer", "Foot")]


def test_another_master_page_begins_where_a_style_says_so() -> None:
    styles = '<style:style style:name="P" style:family="paragraph" style:master-page-name="First"/>'
    document = odt(para("a") + para("b", "P") + para("c"), styles, styles_xml=styles_part(masters=MASTERS))
    assert [text for _, text in roles(document)] == ["Head", "a", "Foot", "Front", "b", "c"]


# ---- the file ----------------------------------------------------------------------------------------------------------


def test_flat_documents_read_the_same() -> None:
    body = (
        '<text:h text:outline-level="1">A</text:h>'
        + items("b")
        + para("c" + frame(f"<draw:object>{MATH % ''}</draw:object>"))
    )
    flat = odf_files.flat(
        "odt",
        body,
        f"<office:meta><dc:title>T</dc:title></office:meta><office:automatic-styles>{NUMBERED}</office:automatic-styles>",
    )
    document = read_in_process(registry.get("odt"), flat)
    assert document.title == "T"
    assert document.text == "# A\n\n1. b\n\ncE = m"


def test_styles_of_an_object_in_a_flat_document_are_its_own() -> None:
    inner = (
        f"<office:document><office:automatic-styles>{HIDDEN}</office:automatic-styles><office:body><office:text>{para('in')}"
        "</office:text></office:body></office:document>"
    )
    flat = odf_files.flat(
        "odt",
        para(frame(f"<draw:object>{inner}</draw:object>")) + para('<text:span text:style-name="T">out</text:span>'),
    )
    assert read_in_process(registry.get("odt"), flat).visible_text == "in\n\nout"


def test_metadata() -> None:
    meta = odf_files.meta_part(
        "<dc:title>Title</dc:title><meta:initial-creator>A</meta:initial-creator><dc:creator>B</dc:creator><meta:keyword>x</meta:keyword>"
        '<meta:keyword>y</meta:keyword><dc:date>2020-01-02T03:04:05</dc:date><meta:document-statistic meta:page-count="3" meta:word-count="x"/>'
    )
    document = odt(para("a"), meta_xml=meta)
    assert document.title == "Title"
    assert dict(document.metadata) == {
        "author": "A",
        "keywords": "x, y",
        "modified": "2020-01-02T03:04:05",
        "pages": "3",
    }


def test_a_document_type_is_never_fetched_and_entities_are_refused() -> None:
    plain = odf_files.flat("odt", para("a")).partition(b"<office:document")
    external = plain[0] + b'<!DOCTYPE a PUBLIC "-//A//B" "office.dtd">' + b"".join(plain[1:])
    assert refused("odt", external) == "read"
    entity = odf_files.flat("odt", para("a &x; b")).partition(b"<office:document")
    assert refused("odt", entity[0] + b'<!DOCTYPE a SYSTEM "x.dtd">' + b"".join(entity[1:])) == "malformed"
    assert refused("odt", plain[0] + b'<!DOCTYPE a [<!ENTITY x "y">]>' + b"".join(plain[1:])) == "malformed"


def test_macros_are_said() -> None:
    assert "macro-present" in notices(odt(para("a"), **{"Basic/Standard/Module1.xml": "x"}))
    flat = odf_files.flat(
        "odt",
        para("a"),
        '<office:scripts><office:script><ooo:module ooo:name="M">Sub x</ooo:module></office:script></office:scripts>',
    )
    document = read_in_process(registry.get("odt"), flat)
    assert document.text == "a"
    assert "macro-present" in notices(document)


def test_parts_that_are_broken_are_said_and_the_main_one_is_refused() -> None:
    document = odt(para("a"), styles_xml="<office:x", meta_xml="")
    assert document.text == "a"
    assert notices(document) == {"part-unreadable": None}
    assert refused("odt", odf_files.odf("odt", "<text:p>")) == "malformed"
    assert refused("odt", odf_files.odf("odt", "", parts={"content.xml": ""})) == "malformed"


@pytest.mark.parametrize("limit", [{"xml_elements": 100}, {"nesting": 20}])
def test_limits_are_kept(limit: dict[str, int]) -> None:
    deep = "<text:span>" * 30 + "x" + "</text:span>" * 30
    data = odf_files.odf("odt", para("a") * 200 + para(deep))
    assert (
        refused("odt", data, Limits(**limit))
        == {"xml_elements": "xml-elements", "nesting": "nesting"}[next(iter(limit))]
    )


def test_what_content_inflates_to_is_counted_over_all_parts() -> None:
    data = odf_files.odf(
        "odt", para("a" * 2_000_000), parts={"styles.xml": styles_part("<!--" + "b" * 2_000_000 + "-->")}
    )
    assert refused("odt", data, Limits(inflated_bytes=3_000_000)) == "inflated-too-large"
    assert refused("odt", data, Limits(inflated_bytes=5_000_000)) == "read"


# ---- looks -----------------------------------------------------------------------------------------------------------


def look(name: str, text: str = "", paragraph: str = "", family: str = "text", more: str = "") -> str:
    return (
        f'<style:style style:name="{name}" style:family="{family}" {more}><style:paragraph-properties {paragraph}/>'
        f"<style:text-properties {text}/></style:style>"
    )


def span(text: str, style: str = "W") -> str:
    return f'<text:span text:style-name="{style}">{text}</text:span>'


WHITE = 'fo:color="#ffffff"'
TINY = 'fo:font-size="1pt"'


@pytest.mark.parametrize(
    "said", [WHITE, 'fo:color="#FFFFFF" fo:background-color="transparent"', TINY, 'fo:font-size="0.5pt"']
)
def test_white_and_tiny_text_is_not_seen(said: str) -> None:
    of_span = odt(para("seen" + span("unseen")), look("W", said))
    assert (of_span.visible_text, hidden(of_span), notices(of_span)) == ("seen", ["unseen"], {"hidden-text": 1})
    inherited = look("W", said, family="paragraph") + look("P", family="paragraph", more='style:parent-style-name="W"')
    of_paragraph = odt(para("seen") + '<text:p text:style-name="P">unseen</text:p>', inherited)
    assert (of_paragraph.visible_text, hidden(of_paragraph)) == ("seen", ["unseen"])


@pytest.mark.parametrize(
    ("body", "styles"),
    [
        (para(span("seen")), look("W", 'fo:color="#fffffe"')),
        (para(span("seen")), look("W", 'fo:font-size="1.5pt"')),
        (para(span("seen")), look("W", 'fo:font-size="1%"')),
        (para(span("seen")), look("W", WHITE + ' fo:background-color="#000000"')),
        (para(span("seen")), look("W", WHITE + ' style:text-outline="true"')),
        (para(span("seen")), look("W", WHITE + ' style:use-window-font-color="true"')),
        (
            f'<text:p text:style-name="P">{span("seen")}</text:p>',
            look("W", 'fo:color="#000000"') + look("P", WHITE, family="paragraph"),
        ),
        (
            f'<text:p text:style-name="P">{span("seen")}</text:p>',
            look("W", WHITE) + look("P", WHITE, 'fo:background-color="#112233"', family="paragraph"),
        ),
        (
            table(f"<table:table-row><table:table-cell>{para(span('seen'))}</table:table-cell></table:table-row>"),
            look("W", WHITE),
        ),
        (para("a" + box(para(span("seen")))), look("W", WHITE)),
        (
            para(span("seen")),
            look("W", WHITE)
            + '<style:style style:name="G" style:family="graphic"><style:graphic-properties style:run-through="background"/></style:style>',
        ),
        (
            para(span("seen")),
            look("W", WHITE)
            + '<style:page-layout style:name="L"><style:page-layout-properties fo:background-color="#000000"/></style:page-layout>',
        ),
    ],
)
def test_text_that_may_be_seen_is_seen(body: str, styles: str) -> None:
    document = odt(body, styles)
    assert "seen" in document.visible_text
    assert "hidden-text" not in notices(document)


def test_ampersands_in_attributes_are_themselves() -> None:
    link = '<text:p><text:a xlink:href="https://example.org/?a=1&amp;b=2&amp;amp;">x</text:a></text:p>'
    assert [found.target for found in read("odt", link).links] == ["https://example.org/?a=1&b=2&amp;"]
