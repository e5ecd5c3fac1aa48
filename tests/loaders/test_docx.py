"""Word documents, construct by construct: what a reader of the document sees is what stands in the text."""

from __future__ import annotations

import io
import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import docx as python_docx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fumehood import Limits, kinds
from fumehood.document import Block, Document, Locator
from fumehood.errors import Refusal
from fumehood.sandbox import loading
from tests.loaders.docx_writer import (
    archive,
    docx,
    lvl,
    num,
    p,
    parts_of,
    r,
    relationship,
    root,
    strict,
    style,
    tbl,
    tc,
    tr,
)
from tests.loaders.drawing_writer import DRAWING, chart, cxn, diagram, numbers, pt, rich, ser, strings

KIND = kinds.get("docx")

NUMBERING = (
    f'<w:abstractNum w:abstractNumId="0">{lvl(0, "bullet", "")}{lvl(1, "bullet", "o")}</w:abstractNum>'
    f'<w:abstractNum w:abstractNumId="1">{lvl(0, "decimal", "%1.")}{lvl(1, "lowerLetter", "%2)")}'
    f"{lvl(2, 'decimal', '%1.%2.%3', '<w:isLgl/>')}</w:abstractNum>"
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    '<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>'
    '<w:num w:numId="3"><w:abstractNumId w:val="1"/>'
    '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>'
)
STYLES = (
    style("Title", "Title")
    + style("H1", "heading 1")
    + style("Based", "My own", based_on="H1")
    + style("TocHeading", "TOC Heading", '<w:pPr><w:outlineLvl w:val="9"/></w:pPr>', "H1")
    + style("berschrift2", "Rubrik", '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>')
    + style("Caption", "caption")
    + style("Quote", "Quote")
    + style("Loop", "a", based_on="Pool")
    + style("Pool", "b", based_on="Loop")
    + style("Bullets", "List Bullet", f"<w:pPr>{num(1, None)}</w:pPr>")
    + style("Secret", "secret", "<w:rPr><w:vanish/></w:rPr>", kind="character")
    + style("Code", "HTML Preformatted")
)


def read(data: bytes, **limits: Any) -> Document:
    return loading.read_in_process(KIND, data, Limits(**limits))


def text_of(body: str, *arguments: str, **parts: Any) -> str:
    return read(docx(body, *arguments, **parts)).text


def pieces(document: Document) -> list[tuple[str, str]]:
    """Role and text of each block."""
    return [(block.role, document.text[block.start : block.end]) for block in document.blocks]


def refusal_of(data: bytes, **limits: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        read(data, **limits)
    return caught.value


def codes(document: Document) -> dict[str, int | str | None]:
    return {notice.code: notice.detail for notice in document.notices}


def link_texts(document: Document) -> list[tuple[str, str]]:
    return [(document.text[link.start : link.end], link.target) for link in document.links]


# ---- blocks ----------------------------------------------------------------------------------------


def test_headings_by_name_outline_level_and_inheritance() -> None:
    body = (
        p("One", "H1")
        + p("Own", "Based")
        + p("Två", "berschrift2")
        + p("Direct", properties='<w:outlineLvl w:val="2"/>')
        + p("Contents", "TocHeading")
        + p("Not now", "H1", '<w:outlineLvl w:val="9"/>')
        + p("Undefined", "Heading7")
        + p("Looped", "Loop")
        + p("Title", "Title")
    )
    document = read(docx(body, styles=STYLES))
    levels = [(block.role, block.level) for block in document.blocks]
    assert levels == [
        ("heading", 1),
        ("heading", 1),
        ("heading", 2),
        ("heading", 3),
        ("paragraph", None),
        ("paragraph", None),
        ("heading", 7),
        ("paragraph", None),
        ("heading", 1),
    ]
    assert document.title == "One"


def test_lists_have_levels_labels_and_one_group() -> None:
    body = (
        p("a", properties=num(1))
        + p("b", properties=num(1, 1))
        + p("plain")
        + p("first", properties=num(2))
        + p("inner", properties=num(2, 1))
        + p("legal", properties=num(2, 2))
        + p("second", properties=num(2))
        + p("again", properties=num(3))
        + p("styled", "Bullets")
        + p("out of the list", "Bullets", num(0))
    )
    document = read(docx(body, numbering=NUMBERING, styles=STYLES))
    assert document.text == (
        "- a\n  - b\n\nplain\n\n1. first\n   - a) inner\n     - 1.1.1 legal\n2. second\n\n1. again\n\n- styled\n\nout of the list"
    )
    groups = [block.group for block in document.blocks if block.role == "list-item"]
    assert groups == [1, 1, 2, 2, 2, 2, 3, 4]
    assert [block.level for block in document.blocks if block.role == "list-item"] == [1, 2, 1, 2, 3, 1, 1, 1]


def test_a_numbered_heading_shows_its_number() -> None:
    body = p("Scope", "H1", num(2)) + p("Detail", "berschrift2", num(2, 1)) + p("item", properties=num(2, 2))
    assert text_of(body, numbering=NUMBERING, styles=STYLES) == "# 1. Scope\n\n## a) Detail\n\n- 1.1.1 item"


def test_links_in_numbered_headings_are_where_they_say() -> None:
    link = '<w:hyperlink w:anchor="x">' + r("there") + "</w:hyperlink>"
    document = read(docx(p(r("go ") + link, "H1", num(2)), numbering=NUMBERING, styles=STYLES))
    assert link_texts(document) == [("there", "#x")]


def test_tables_with_merged_cells_give_their_text_once() -> None:
    body = tbl(
        tr(tc("A"), tc("B"), tc("C")),
        tr(tc("wide", '<w:gridSpan w:val="2"/>'), tc("c")),
        tr(tc("tall", '<w:vMerge w:val="restart"/>'), tc("x"), tc("y")),
        tr(tc("<w:p/>", "<w:vMerge/>"), tc("x2"), tc("y2")),
        tr(tc("late"), properties='<w:gridBefore w:val="1"/>'),
    )
    document = read(docx(body))
    assert document.text == (
        "| A | B | C |\n| --- | --- | --- |\n| wide |  | c |\n| tall | x | y |\n|  | x2 | y2 |\n|  | late |  |"
    )
    assert [(block.role, block.level) for block in document.blocks][:2] == [("table-row", 1), ("table-row", None)]
    assert len({block.group for block in document.blocks}) == 1


def test_cells_keep_their_paragraphs_labels_pipes_and_links() -> None:
    link = '<w:hyperlink r:id="h">' + r(" a | link ") + "</w:hyperlink>"
    cell = p("one  | two", properties=num(2)) + p("   ") + p(link + r(" end"))
    body = tbl(tr(tc("head"), tc(cell)), tr(tc("x"), tc("y")))
    document = read(
        docx(body, relationship("h", "hyperlink", "https://a.example/", external=True), numbering=NUMBERING)
    )
    assert document.text.splitlines()[0] == r"| head | 1. one \| two<br>a \| link end |"
    assert [label.strip() for label, _ in link_texts(document)] == [r"a \| link"]


def test_rows_that_are_numbered_by_empty_list_items_have_their_numbers() -> None:
    rows = [tr(tc(p("", properties=num(2))), tc(text)) for text in ("first", "second", "third")]
    document = read(docx(tbl(*rows) + p("after", properties=num(2)), numbering=NUMBERING))
    assert document.text == "| 1. | first |\n| --- | --- |\n| 2. | second |\n| 3. | third |\n\n4. after"


def test_a_nested_table_follows_its_table() -> None:
    inner = tbl(tr("i1", "i2"))
    document = read(docx(tbl(tr(tc(p("before") + inner + p("after")), tc("x"))) + p("end")))
    assert document.text == "| before<br>after | x |\n| --- | --- |\n\n| i1 | i2 |\n| --- | --- |\n\nend"
    assert codes(document) == {"nested-table": 1}


def test_a_table_of_nothing_is_none() -> None:
    assert read(docx(tbl(tr("<w:tc><w:p/></w:tc>")) + p("x"))).text == "x"


def test_captions_quotes_and_code() -> None:
    body = p("Figure 1", "Caption") + p("said", "Quote") + p("a = 1", "Code") + p("b = 2", "Code") + p("end")
    document = read(docx(body, styles=STYLES))
    assert pieces(document) == [
        ("caption", "Figure 1"),
        ("quote", "> said"),
        ("code", "```\na = 1\nb = 2\n```"),
        ("paragraph", "end"),
    ]


# ---- inline ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t></w:r>", "a\tb"),
        ("<w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:cr/><w:t>c</w:t></w:r>", "a\nb\nc"),
        ("<w:r><w:t>a</w:t><w:noBreakHyphen/><w:t>b</w:t><w:softHyphen/><w:t>c</w:t></w:r>", "a-bc"),
        ('<w:r><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>', "\u03b1✓"),
        ('<w:r><w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr><w:t>\uf0b3</w:t></w:r>', "≥"),
        ("<w:r><w:t>two\nlines</w:t></w:r>", "two lines"),
        ("<w:smartTag><w:smartTagPr/><w:smartTag>" + r("tag") + "</w:smartTag></w:smartTag>", "tag"),
        ("<w:customXml><w:customXmlPr/>" + r("custom") + "</w:customXml>", "custom"),
        ("<w:sdt><w:sdtPr><w:alias/></w:sdtPr><w:sdtContent>" + r("control") + "</w:sdtContent></w:sdt>", "control"),
        ("<w:ins>" + r("new") + "</w:ins><w:moveTo>" + r(" moved") + "</w:moveTo>", "new moved"),
        ('<w:fldSimple w:instr=" AUTHOR "><w:r><w:t>Ann</w:t></w:r></w:fldSimple>', "Ann"),
        ("<x:unknown>" + r("still text") + "</x:unknown>", "still text"),
        (
            "<w:r><w:ruby><w:rt>" + r("kan") + "</w:rt><w:rubyBase>" + r("漢") + "</w:rubyBase></w:ruby></w:r>",
            "漢(kan)",
        ),
        (
            "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:t>new</w:t></mc:Choice>"
            "<mc:Fallback><w:t>old</w:t></mc:Fallback></mc:AlternateContent></w:r>",
            "new",
        ),
        (
            "<w:r><mc:AlternateContent><mc:Choice Requires='x'><w:t>new</w:t></mc:Choice>"
            "<mc:Fallback><w:t>old</w:t></mc:Fallback></mc:AlternateContent></w:r>",
            "old",
        ),
        (
            "<w:r><mc:AlternateContent><mc:Choice Requires='x'><w:t>only</w:t></mc:Choice></mc:AlternateContent></w:r>",
            "only",
        ),
        ('<w:r><w:pict><v:shape><v:textpath string="DRAFT"/></v:shape></w:pict></w:r>', "DRAFT"),
    ],
)
def test_what_stands_in_paragraphs(content: str, expected: str) -> None:
    assert text_of(p(content)) == expected


def test_an_unknown_symbol_is_marked_and_said() -> None:
    document = read(docx(p('<w:r><w:sym w:font="Nobody" w:char="F041"/></w:r>' + r("\ue123"))))
    assert document.text == "\ufffd\ue123"
    assert codes(document) == {"unmapped-glyphs": 2}


def test_blocks_in_content_controls_at_every_level() -> None:
    def sdt(content: str) -> str:
        return f"<w:sdt><w:sdtPr/><w:sdtContent>{content}</w:sdtContent></w:sdt>"

    table = f"<w:tbl>{sdt(tr(tc('a'), 'b'))}<w:tr>{sdt(tc('c'))}{tc(sdt(p('d')))}</w:tr></w:tbl>"
    body = sdt(p("block") + sdt(p("inner"))) + "<w:customXml>" + p("custom") + "</w:customXml>" + sdt(table)
    assert text_of(body) == "block\n\ninner\n\ncustom\n\n| a | b |\n| --- | --- |\n| c | d |"


def test_alternate_content_around_blocks_is_read_once() -> None:
    def alternates(requires: str) -> str:
        return (
            f'<mc:AlternateContent><mc:Choice Requires="{requires}">{p("choice")}</mc:Choice>'
            f"<mc:Fallback>{p('fallback')}{tbl(tr('t'))}</mc:Fallback></mc:AlternateContent>"
        )

    assert text_of(alternates("w14") + alternates("x") + p("end")) == ("choice\n\nfallback\n\n| t |\n| --- |\n\nend")
    dropped = read(
        docx('<mc:AlternateContent><mc:Choice Requires="x">' + p("new") + "</mc:Choice></mc:AlternateContent>")
    )
    assert codes(dropped) == {"object-not-read": 1, "empty-document": None}


def field(instruction: str, result: str) -> str:
    def char(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    return f"{char('begin')}<w:r><w:instrText>{instruction}</w:instrText></w:r>{char('separate')}{result}{char('end')}"


def test_fields_give_their_results() -> None:
    nested = field(" IF " + "</w:instrText></w:r>" + field("PAGE", r("7")) + "<w:r><w:instrText>", r("shown"))
    assert text_of(p(r("a ") + nested + r(" b"))) == "a shown b"


def test_a_field_goes_on_across_paragraphs() -> None:
    whole = field('HYPERLINK "https://a.example/b c"', r("one") + "</w:p><w:p>" + r("two"))
    document = read(docx(p(whole + r(" after"))))
    assert document.text == "one\n\ntwo after"
    assert link_texts(document) == [("one", "https://a.example/b%20c"), ("two", "https://a.example/b%20c")]


def test_a_field_that_never_ends_takes_nothing_with_it() -> None:
    body = p('<w:r><w:fldChar w:fldCharType="begin"/></w:r>' + r("lost?")) + p("here") + p(r("end"))
    assert text_of(body) == "lost?\n\nhere\n\nend"


def test_links_inside_and_outside() -> None:
    content = (
        '<w:hyperlink r:id="out">' + r("web") + "</w:hyperlink>" + r(" ")
        + '<w:hyperlink w:anchor="top">' + r("up") + "</w:hyperlink>" + r(" ")
        + '<w:hyperlink r:id="out" w:anchor="part">' + r("both") + "</w:hyperlink>" + r(" ")
        + '<w:hyperlink r:id="inner">' + r("place") + "</w:hyperlink>" + r(" ")
        + '<w:fldSimple w:instr=\'HYPERLINK \\l "mark"\'>' + r("mark") + "</w:fldSimple>" + r(" ")
        + '<w:hyperlink r:id="nowhere">' + r("broken") + "</w:hyperlink>"
        + '<w:hyperlink r:id="js">' + r(" script") + "</w:hyperlink>"
    )  # fmt: skip
    arrows = (
        relationship("out", "hyperlink", "https://a.example/", external=True)
        + relationship("inner", "hyperlink", "#_top")
        + relationship("js", "hyperlink", "javascript:alert(1)", external=True)
    )
    document = read(docx(p(content), arrows))
    assert document.text == "web up both place mark broken script"
    assert link_texts(document) == [
        ("web", "https://a.example/"),
        ("up", "#top"),
        ("both", "https://a.example/#part"),
        ("place", "#_top"),
        ("mark", "#mark"),
    ]
    assert [notice.code for notice in document.notices] == ["link-dropped", "link-dropped"]


def test_form_fields_show_their_state() -> None:
    def form(data: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{data}</w:ffData></w:fldChar></w:r>' + field("X", "")

    box = '<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>'
    choice = '<w:ddList><w:result w:val="1"/><w:listEntry w:val="a"/><w:listEntry w:val="b"/></w:ddList>'
    assert text_of(p(form(box) + form("<w:checkBox/>") + form(choice) + form("<w:ddList/>"))) == "☒☐b"


# ---- hidden, deleted, moved ------------------------------------------------------------------------


def test_hidden_and_deleted_text_stand_behind_their_place() -> None:
    content = (
        r("seen ")
        + r("hidden", "<w:vanish/>")
        + r(" by style", '<w:rStyle w:val="Secret"/>')
        + r("not", '<w:vanish w:val="0"/>')
        + "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
        + "<w:moveFrom>" + r("left") + "</w:moveFrom>"
    )  # fmt: skip
    document = read(docx(p(content) + p("next"), styles=STYLES))
    shown = [(document.text[block.start : block.end], block.visible) for block in document.blocks]
    assert shown == [("seen not", True), ("hidden by style", False), ("goneleft", False), ("next", True)]
    assert codes(document) == {"hidden-text": 1, "deleted-text": 1}
    assert document.visible_text == "seen not\n\nnext"


def test_a_paragraph_whose_mark_is_deleted_goes_on_in_the_next() -> None:
    body = p("one ", properties="<w:rPr><w:del/></w:rPr>") + p("two") + p("three", properties="<w:rPr><w:del/></w:rPr>")
    document = read(docx(body))
    assert document.text == "one two\n\nthree"
    assert document.blocks[0].locator == Locator(paragraph=1, paragraph_end=2)


def test_what_goes_on_does_not_go_on_into_another_cell_or_note() -> None:
    open_end = p("open", properties="<w:rPr><w:del/></w:rPr>")
    notes = "".join(f'<w:footnote w:id="{at}">{open_end}</w:footnote>' for at in (1, 2))
    body = tbl(tr(tc(p("a") + open_end), tc("b"))) + p("c" * 3) + open_end + tbl(tr("d"))
    document = read(docx(body + p(refer("footnote", 2) + r("e") + refer("footnote", 1)), footnotes=notes))
    assert document.text == ("| a<br>open | b |\n| --- | --- |\n\nccc\n\nopen\n\n| d |\n| --- |\n\ne\n\nopen\n\nopen")


def test_deleted_and_hidden_rows_are_not_in_the_table() -> None:
    body = tbl(tr("A", "B"), tr("old", "row", properties="<w:del/>"), tr("c", "d"), tr("e", properties="<w:hidden/>"))
    document = read(docx(body))
    assert document.visible_text == "| A | B |\n| --- | --- |\n| c | d |"
    assert [document.text[b.start : b.end] for b in document.blocks if not b.visible] == ["old\trow", "e"]
    assert codes(document) == {"deleted-text": 1, "hidden-text": 1}


def test_a_paragraph_style_can_hide() -> None:
    styles = style("Hidden", "hidden", "<w:rPr><w:vanish/></w:rPr>") + style("Child", "child", based_on="Hidden")
    document = read(docx(p("unseen", "Child") + p("seen"), styles=styles))
    assert document.visible_text == "seen"


WHITE = '<w:color w:val="FFFFFF"/>'
TINY = '<w:sz w:val="2"/>'


@pytest.mark.parametrize(
    "look",
    [
        WHITE,
        '<w:color w:val="ffffff" w:themeColor="background1"/>',
        WHITE + '<w:shd w:val="clear" w:color="auto" w:fill="auto"/>',
        TINY,
        '<w:sz w:val="1"/><w:shd w:val="clear" w:fill="000000"/>',
        '<w:rStyle w:val="White"/>',
    ],
)
def test_white_and_tiny_text_is_not_seen(look: str) -> None:
    styles = style("White", "white", f"<w:rPr>{WHITE}</w:rPr>", kind="character")
    document = read(docx(p(r("seen") + r("unseen", look)), styles=styles))
    assert document.visible_text == "seen"
    assert [document.text[b.start : b.end] for b in document.blocks if not b.visible] == ["unseen"]
    assert codes(document) == {"hidden-text": 1}


@pytest.mark.parametrize(
    "body",
    [
        p(r("seen", '<w:color w:val="FFFFFE"/>')),
        p(r("seen", '<w:color w:val="FFFFFF" w:themeColor="accent1"/>')),
        p(r("seen", '<w:sz w:val="3"/>')),
        p(r("seen", WHITE + '<w:shd w:val="clear" w:fill="4472C4"/>')),
        p(r("seen", WHITE + '<w:shd w:val="pct50" w:fill="FFFFFF"/>')),
        p(r("seen", WHITE + '<w:highlight w:val="black"/>')),
        p(r("seen", WHITE + "<w:outline/>")),
        p(r("seen", WHITE), properties='<w:shd w:val="clear" w:fill="000000"/>'),
        p(r("seen", WHITE), "Dark"),
        p(r("seen", '<w:color w:val="auto"/><w:sz w:val="24"/>'), "Faint"),
        tbl(tr(tc(p(r("seen", WHITE))))),
        p('<w:r><w:drawing><wp:anchor behindDoc="1"/></w:drawing></w:r>' + r("seen", WHITE)),
    ],
)
def test_text_that_may_be_seen_is_seen(body: str) -> None:
    styles = style("Dark", "dark", '<w:pPr><w:shd w:val="clear" w:fill="1F3864"/></w:pPr>')
    styles += style("Faint", "faint", f"<w:rPr>{WHITE}{TINY}</w:rPr>")
    document = read(docx(body, styles=styles))
    assert "seen" in document.visible_text
    assert "hidden-text" not in codes(document)


def test_a_paragraph_style_can_make_text_unseen_and_a_coloured_page_seen() -> None:
    styles = style("Faint", "faint", f"<w:rPr>{WHITE}</w:rPr>")
    assert read(docx(p("seen") + p("unseen", "Faint"), styles=styles)).visible_text == "seen"
    parts = parts_of(p("seen", "Faint"), styles=styles)
    parts["word/document.xml"] = root(
        "document", f'<w:background w:color="000000"/><w:body>{p("seen", "Faint")}</w:body>'
    )
    assert read(archive(parts)).visible_text == "seen"
    behind = "<w:p><w:r><w:drawing><wp:anchor behindDoc='1'/></w:drawing></w:r></w:p>".replace("'", '"')
    assert read(docx(p("seen", "Faint"), styles=styles, header1=behind)).visible_text == "seen"


# ---- notes, comments, headers ----------------------------------------------------------------------


def refer(kind: str, identifier: int) -> str:
    return f'<w:r><w:{kind}Reference w:id="{identifier}"/></w:r>'


def test_notes_follow_the_block_that_anchors_them() -> None:
    notes = (
        '<w:footnote w:type="separator" w:id="0"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>'
        + '<w:footnote w:id="1">' + p("first") + p("more") + "</w:footnote>"
        + '<w:footnote w:id="2">' + tbl(tr("x", "y")) + "</w:footnote>"
        + '<w:footnote w:id="9">' + p("nobody asks") + "</w:footnote>"
    )  # fmt: skip
    ends = '<w:endnote w:id="1">' + p("at the end") + "</w:endnote>"
    body = (
        p(r("a") + refer("footnote", 1) + refer("endnote", 1))
        + p("b")
        + tbl(tr(tc(p(r("cell") + refer("footnote", 2))), "z"))
        + p(r("again") + refer("footnote", 1) + refer("footnote", 77))
    )
    document = read(docx(body, footnotes=notes, endnotes=ends))
    assert pieces(document) == [
        ("paragraph", "a"),
        ("note", "first\nmore"),
        ("note", "at the end"),
        ("paragraph", "b"),
        ("table-row", "| cell | z |\n| --- | --- |"),
        ("note", "x\ty"),
        ("paragraph", "again"),
        ("note", "nobody asks"),
    ]
    assert [block.visible for block in document.blocks] == [True] * 7 + [False]
    assert document.blocks[1].locator == Locator(part="word/footnotes.xml", paragraph=2, paragraph_end=3)
    assert codes(document) == {"hidden-text": 1}


def test_comments_have_their_author_and_follow_their_anchor() -> None:
    comments = (
        '<w:comment w:id="5" w:author="Ann\tB."><w:p>' + refer("comment", 5) + r("why?") + "</w:p></w:comment>"
        '<w:comment w:id="6" w:author="Bo">' + p("unplaced") + "</w:comment>"
    )
    document = read(docx(p(r("claim") + refer("comment", 5)) + p("next"), comments=comments))
    assert pieces(document) == [
        ("paragraph", "claim"),
        ("comment", "Ann B.: why?"),
        ("paragraph", "next"),
        ("comment", "Bo: unplaced"),
    ]


def test_notes_have_links_and_formatting_of_their_own() -> None:
    note = '<w:footnote w:id="1">' + p('<w:hyperlink r:id="n">' + r("see") + "</w:hyperlink>") + "</w:footnote>"
    arrows = {
        "word/_rels/footnotes.xml.rels": root_of(relationship("n", "hyperlink", "https://n.example/", external=True))
    }
    document = read(docx(p(r("a") + refer("footnote", 1)), footnotes=note, extra=arrows))
    assert link_texts(document) == [("see", "https://n.example/")]


def root_of(arrows: str) -> str:
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{arrows}</Relationships>'
    )


def section(*references: str, title_page: bool = False) -> str:
    return f"<w:sectPr>{''.join(references)}{'<w:titlePg/>' if title_page else ''}</w:sectPr>"


def page_text(kind: str, identifier: str, of_pages: str = "default") -> str:
    return f'<w:{kind}Reference w:type="{of_pages}" r:id="{identifier}"/>'


def test_headers_and_footers_once_for_each_section() -> None:
    first = section(page_text("footer", "footer1"), page_text("header", "header1"))
    second = section(page_text("header", "header2"), page_text("footer", "footer1"))
    body = p("one") + p("two", properties=first) + p("three") + second
    document = read(
        docx(body, header1=p("H1"), header2=p("H2") + tbl(tr("a", "b")), footer1=p("F"))
    )  # fmt: skip
    assert pieces(document) == [
        ("header", "H1"),
        ("paragraph", "one"),
        ("paragraph", "two"),
        ("footer", "F"),
        ("header", "H2"),
        ("header", "a\tb"),
        ("paragraph", "three"),
    ]
    assert document.blocks[0].locator == Locator(part="word/header1.xml", paragraph=1)


def test_headers_that_no_page_shows_are_hidden() -> None:
    references = [page_text("header", f"header{at}", of) for at, of in ((1, "first"), (2, "even"), (3, "default"))]
    parts: dict[str, Any] = {"header1": p("first"), "header2": p("even"), "header3": p("usual")}
    plain = read(docx(p("x") + section(*references), **parts))
    assert plain.visible_text == "usual\n\nx"
    assert codes(plain)["hidden-text"] == 1
    all_shown = read(
        docx(p("x") + section(*references, title_page=True), settings="<w:evenAndOddHeaders/>", **parts)
    )  # fmt: skip
    assert all_shown.visible_text == "first\n\nusual\n\neven\n\nx"


def test_a_text_box_is_read_once_behind_its_paragraph() -> None:
    inside = f"<w:txbxContent>{p('boxed')}{tbl(tr('t'))}</w:txbxContent>"
    box = (
        "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wp:inline><wps:wsp><wps:txbx>"
        f"{inside}</wps:txbx></wps:wsp></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>{inside}"
        "</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    document = read(docx(p(r("before") + box + r(" after")) + p("end") + tbl(tr(tc(p(box)), "cell"))))
    assert document.text == (
        "before after\n\nboxed\n\n| t |\n| --- |\n\nend\n\n|  | cell |\n| --- | --- |\n\nboxed\n\n| t |\n| --- |"
    )
    # Word's paragraphs in document order: the anchor, those of both branches, the next one.
    assert [block.locator for block in document.blocks][:4] == [
        Locator(paragraph=1),
        Locator(paragraph=2),
        Locator(paragraph=3),
        Locator(paragraph=6),
    ]


def test_boxes_within_boxes() -> None:
    def box(content: str) -> str:
        return f"<w:r><w:pict><v:textbox><w:txbxContent>{content}</w:txbxContent></v:textbox></w:pict></w:r>"

    document = read(docx(p(box(p(r("outer") + box(p("inner")))) + r("anchor"))))
    assert document.text == "anchor\n\nouter\n\ninner"
    assert [block.locator and block.locator.paragraph for block in document.blocks] == [1, 2, 3]


# ---- math, pictures, objects -----------------------------------------------------------------------


def test_formulas_alone_and_in_text() -> None:
    fraction = "<m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f>"
    body = (
        p(r("is ") + f"<m:oMath>{fraction}</m:oMath>" + r("."))
        + p(f"<m:oMathPara><m:oMath>{fraction}</m:oMath></m:oMathPara>")
        + f"<m:oMathPara><m:oMath>{fraction}</m:oMath></m:oMathPara>"
    )
    assert pieces(read(docx(body))) == [("paragraph", "is a/b."), ("formula", "a/b"), ("formula", "a/b")]


def test_pictures_give_their_alternative_text() -> None:
    picture = '<w:r><w:drawing><wp:inline><wp:docPr descr="a cat" name="Picture 1"/><a:graphic><pic:pic/></a:graphic></wp:inline></w:drawing></w:r>'
    vml = '<w:r><w:pict><v:shape alt="a dog"><v:imagedata/></v:shape></w:pict></w:r>'
    document = read(docx(p(r("see") + picture + r("and") + vml)))
    assert document.text == "see a cat and a dog"
    assert codes(document) == {"image-not-read": 2}


def test_pictures_may_be_links() -> None:
    def picture(description: str) -> str:
        return f'<w:r><w:drawing><wp:docPr descr="{description}"><a:hlinkClick r:id="h"/></wp:docPr></w:drawing></w:r>'

    arrow = relationship("h", "hyperlink", "https://a.example/", external=True)
    document = read(docx(p(picture("a cat")) + p(picture("") + '<w:hyperlink r:id="h"/>' + r("text")), arrow))
    assert [(label.strip(), target) for label, target in link_texts(document)] == [("a cat", "https://a.example/")]
    assert codes(document) == {"link-dropped": 2}


def test_objects_charts_and_chunks_are_said() -> None:
    objects = (
        p('<w:r><w:object><o:OLEObject Type="Embed"/></w:object></w:r>')
        + p("<w:r><w:drawing><wp:inline><a:graphic><c:chart/></a:graphic></wp:inline></w:drawing></w:r>")
        + '<w:altChunk r:id="x"/>'
    )
    assert codes(read(docx(objects))) == {"object-not-read": 3, "empty-document": None}


GRAPHIC = "<w:r><w:drawing><wp:inline><wp:docPr descr='Sales'/><a:graphic><a:graphicData>{}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
CHART = GRAPHIC.format('<c:chart r:id="c"/>')
DIAGRAM = GRAPHIC.replace(" descr='Sales'", "").format(f'<dgm:relIds xmlns:dgm="{DRAWING["dgm"]}" r:dm="d"/>')


def with_graphics(body: str) -> Document:
    """A document with a chart `c` and a diagram `d`."""
    arrows = relationship("c", "chart", "chart.xml") + relationship("d", "diagramData", "data.xml")
    parts = {
        "word/chart.xml": chart(ser("2024", strings(["Q1"]), numbers(["7"])), title=rich("By quarter")),
        "word/data.xml": diagram(pt("1", "Plan") + pt("2", "Do"), cxn("1", "2")),
    }
    return read(docx(body, arrows, extra=parts))


def test_charts_and_diagrams_stand_behind_their_paragraph() -> None:
    document = with_graphics(p(r("before") + CHART) + p(DIAGRAM) + p("after"))
    assert document.text == (
        "before Sales\n\nBy quarter\n\n|  | 2024 |\n| --- | --- |\n| Q1 | 7 |\n\n- Plan\n  - Do\n\nafter"
    )
    assert [(block.role, block.locator and block.locator.paragraph) for block in document.blocks] == [
        ("paragraph", 1), ("caption", 1), ("table-row", 1), ("table-row", 1), ("list-item", 2), ("list-item", 2), ("paragraph", 3),
    ]  # fmt: skip
    assert codes(document) == {}


def test_charts_in_tables_stand_behind_them() -> None:
    document = with_graphics(tbl(tr(tc(p(r("cell") + CHART)))) + p("after"))
    assert [text for text in document.text.split("\n\n") if not text.startswith("|")] == ["By quarter", "after"]


def test_charts_in_deleted_text_are_not_seen() -> None:
    document = with_graphics(p(r("kept") + f"<w:del>{CHART}{DIAGRAM}</w:del>"))
    assert document.visible_text == "kept"
    hidden = [document.text[block.start : block.end] for block in document.blocks if not block.visible]
    assert hidden == ["Sales", "By quarter\n2024\nQ1\t7", "Plan\nDo"]
    assert codes(document) == {"deleted-text": 3}


def test_macros_are_said() -> None:
    document = read(docx(p("x"), relationship("v", "vbaProject", "vba.bin"), extra={"word/vba.bin": b"\0"}))
    assert codes(document) == {"macro-present": None}


# ---- the package -----------------------------------------------------------------------------------


def test_strict_reads_as_transitional_does() -> None:
    link = '<w:hyperlink r:id="h">' + r("go") + "</w:hyperlink>"
    parts = parts_of(
        p("Head", "H1") + p(link, properties=num(2)) + p(r("a") + refer("footnote", 1) + r("z", "<w:vanish/>")),
        relationship("h", "hyperlink", "https://a.example/", external=True),
        styles=STYLES,
        numbering=NUMBERING,
        footnotes='<w:footnote w:id="1">' + p("note") + "</w:footnote>",
    )
    usual, other = read(archive(parts)), read(archive(strict(parts)))
    assert "purl.oclc.org" in str(strict(parts)["word/document.xml"])
    assert other == usual
    assert usual.text == "# Head\n\n1. go\n\na\n\nz\n\nnote"


def test_metadata_and_title() -> None:
    package = "http://schemas.openxmlformats.org/package/2006"
    core = (
        f'<cp:coreProperties xmlns:cp="{package}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>The title</dc:title><dc:creator>Ann</dc:creator>'
        "<dc:subject>S</dc:subject><cp:keywords>k, l</cp:keywords><dc:language>en</dc:language>"
        "<dcterms:created>2020-01-02T03:04:05Z</dcterms:created><dcterms:modified>yesterday</dcterms:modified>"
        "</cp:coreProperties>"
    )
    app = (
        '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">'
        "<Application>Writer</Application><AppVersion>1.2</AppVersion><Pages>3</Pages><Words>many</Words></Properties>"
    )
    arrows = relationship("c", f"{package}/relationships/metadata/core-properties", "docProps/core.xml")
    arrows += relationship("a", "extended-properties", "docProps/app.xml")
    document = read(
        docx(p("x"), root_arrows=arrows, extra={"docProps/core.xml": core, "docProps/app.xml": app})
    )  # fmt: skip
    assert document.title == "The title"
    assert document.metadata == {
        "author": "Ann",
        "subject": "S",
        "keywords": "k, l",
        "language": "en",
        "created": "2020-01-02T03:04:05Z",
        "generator": "Writer 1.2",
        "pages": "3",
    }


def test_a_broken_part_beside_the_document_is_said() -> None:
    broken: dict[str, str | bytes] = {
        "word/styles.xml": root("styles", style("H1", "heading 1"))[:-3],
        "word/footnotes.xml": b"\xff\xfe",
    }
    document = read(docx(p("still", "H1"), styles="", footnotes="", extra=broken))
    assert document.text == "# still"
    assert [(n.code, n.locator and n.locator.part) for n in document.notices] == [
        ("part-unreadable", "word/styles.xml"),
        ("part-unreadable", "word/footnotes.xml"),
    ]


def test_external_targets_are_said_and_never_fetched() -> None:
    template = relationship("t", "attachedTemplate", "http://evil.example/t.dotm", external=True)
    extra = {"word/_rels/settings.xml.rels": root_of(template)}
    document = read(docx(p("x"), settings="", extra=extra))
    assert codes(document) == {"external-target": None}
    assert "evil" not in document.to_json().decode()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "iso-8859-1"])
def test_encodings_of_the_main_part(encoding: str) -> None:
    shown = p(r("caf\u00e9") + r("unseen", "<w:vanish/>"))
    content = root("document", f"<w:body>{shown}</w:body>")
    content = content.replace("UTF-8", encoding.removesuffix("-sig"))
    document = read(docx("", extra={"word/document.xml": content.encode(encoding)}))
    assert document.visible_text == "caf\u00e9"


def test_all_bodies_are_read() -> None:
    content = root("document", f"<w:body>{p('one')}</w:body><w:body>{p('two')}</w:body>")
    assert text_of("", extra={"word/document.xml": content}) == "one\n\ntwo"


# ---- refusals --------------------------------------------------------------------------------------


def other_package(media_type: str, element: str) -> bytes:
    parts = parts_of("")
    parts["[Content_Types].xml"] = str(parts["[Content_Types].xml"]).replace("wordprocessingml.document", media_type)
    parts["word/document.xml"] = f'<{element} xmlns="urn:a"/>'
    return archive(parts)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "malformed"),
        (b"%PDF-1.4\n", "kind-mismatch"),
        (b"{\\rtf1 text}", "kind-mismatch"),
        (archive({"a.txt": "x"}), "kind-mismatch"),
        (other_package("spreadsheetml.sheet", "workbook"), "kind-mismatch"),
        (other_package("wordprocessingml.document", "workbook"), "kind-mismatch"),
        (docx("", extra={"word/document.xml": root("document", "")}), "malformed"),
        (docx("", extra={"word/document.xml": root("document", "<w:body>")[:-9]}), "malformed"),
        (docx("", extra={"word/document.xml": '<!DOCTYPE a [<!ENTITY b "c">]>' + root("document", "")}), "malformed"),
        (docx(p("x"))[:-30], "malformed"),
    ],
)
def test_what_is_refused_and_as_what(data: bytes, code: str) -> None:
    assert refusal_of(data).code == code


# ---- bounds ----------------------------------------------------------------------------------------


def smart_tags(depth: int) -> str:
    return p("<w:smartTag>" * depth + r("deep") + "</w:smartTag>" * depth)


@pytest.mark.parametrize(
    ("body", "limits", "code"),
    [
        (smart_tags(100_000), {}, "nesting"),
        ("<w:tbl><w:tr><w:tc>" * 3_000 + p("x") + "</w:tc></w:tr></w:tbl>" * 3_000, {}, "nesting"),
        ("<m:oMath>" + "<m:f><m:num>" * 400 + "</m:num></m:f>" * 400 + "</m:oMath>", {"nesting": 1_000}, "nesting"),
        (p("x") * 1_000, {"xml_elements": 1_000}, "xml-elements"),
        (p("x") * 1_000, {"blocks": 100}, "output-too-large"),
        (tbl(tr(*["x"] * 50)), {"table_cells": 49}, "table-cells"),
        (p("x" * 10_000), {"output_bytes": 9_000}, "output-too-large"),
    ],
)
def test_bounds(body: str, limits: dict[str, int], code: str) -> None:
    if body.startswith("<m:"):
        body = p(body)
    assert refusal_of(docx(body), **limits).code == code


def test_what_is_deep_but_within_bounds_is_read() -> None:
    assert text_of(smart_tags(240)) == "deep"
    nested = "<w:tbl><w:tr><w:tc>" * 80 + p("x") + "</w:tc></w:tr></w:tbl>" * 80
    assert "x" in text_of(nested)


def test_spans_and_numbers_of_any_size_cost_nothing() -> None:
    wide = tbl(
        tr(tc("a", '<w:gridSpan w:val="999999999"/>'), "b"), tr("c", properties='<w:gridBefore w:val="99999999"/>')
    )
    assert text_of(wide) == "| a | b |\n| --- | --- |\n|  | c |"
    huge = f'<w:abstractNum w:abstractNumId="0">{lvl(0, "lowerLetter", "%1.", start=999999999)}</w:abstractNum>'
    huge += '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    assert text_of(p("x", properties=num(1)), numbering=huge) == "999999999. x"


@pytest.mark.parametrize(
    "make",
    [
        lambda n: p("word ") * n,
        lambda n: p(r("word ") * n),
        lambda n: tbl(tr("a", "b") * n),
        lambda n: p("<w:ins>" * 2 + r("a") + "</w:ins>" * 2, properties="<w:rPr><w:del/></w:rPr>") * n,
        lambda n: p(field("PAGE", r("1")) * n),
        lambda n: p("<w:r><w:pict><w:txbxContent>" + p("box") + "</w:txbxContent></w:pict></w:r>") * n,
    ],
)
def test_twenty_thousand_of_anything_is_read(make: Callable[[int], str]) -> None:
    few, many = (read(docx(make(n)), inflate_ratio=100_000.0).text for n in (10, 2_000))
    assert len(many) > 150 * len(few)


# ---- everything ------------------------------------------------------------------------------------

SAMPLE = docx(
    p("Head", "H1")
    + p("item", properties=num(1))
    + p(r("text") + refer("footnote", 1) + field('HYPERLINK "https://a.example/"', r("link")))
    + tbl(tr("a", "b"))
    + section(page_text("header", "header1")),
    styles=style("H1", "heading 1"),
    numbering=NUMBERING,
    footnotes='<w:footnote w:id="1">' + p("note") + "</w:footnote>",
    header1=p("head"),
)


def ends_well(data: bytes) -> None:
    """A refusal or a document whose blocks are in order; nothing else."""
    try:
        document = read(data)
    except Refusal:
        return
    end = 0
    for block in document.blocks:
        assert end <= block.start < block.end <= len(document.text)
        end = block.end


def test_truncations_end_well() -> None:
    for length in range(len(SAMPLE)):
        ends_well(SAMPLE[:length])


def test_flipped_bytes_end_well() -> None:
    choice = random.Random(3)
    for at in range(len(SAMPLE)):
        flipped = bytearray(SAMPLE)
        flipped[at] ^= 1 << choice.randrange(8)
        ends_well(bytes(flipped))


def test_flipped_bytes_of_the_main_part_end_well() -> None:
    content = root("document", f"<w:body>{p('Head', 'H1')}{p(field('X', r('y')))}{tbl(tr('a', 'b'))}</w:body>").encode()
    choice = random.Random(4)
    for at in range(0, len(content), 9):
        flipped = bytearray(content)
        flipped[at] ^= 1 << choice.randrange(8)
        ends_well(docx("", extra={"word/document.xml": bytes(flipped)}))


ELEMENTS = ["w:p", "w:r", "w:t", "w:tbl", "w:tr", "w:tc", "w:ins", "w:del", "w:sdt", "w:sdtContent", "w:hyperlink"]
ELEMENTS += ["w:txbxContent", "mc:AlternateContent", "mc:Choice", "mc:Fallback", "m:oMath", "m:f", "m:num", "w:sectPr"]
ELEMENTS += ["w:fldChar", "w:pPr", "w:tcPr", "w:trPr", "w:body", "w:sym"]
trees = st.recursive(
    st.sampled_from(["text", "", '<w:fldChar w:fldCharType="begin"/>', '<w:fldChar w:fldCharType="separate"/>']),
    lambda inner: st.builds(
        lambda name, children: f"<{name}>{''.join(children)}</{name}>",
        st.sampled_from(ELEMENTS),
        st.lists(inner, max_size=4),
    ),
    max_leaves=30,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(trees, max_size=4))
def test_elements_in_any_order_end_in_a_document(content: list[str]) -> None:
    body = "".join(part for part in content if part.startswith("<")) + p("the end")
    document = read(docx(body))
    assert document.text.endswith("the end")


words = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]) | st.sampled_from(" \t|\\"), max_size=12)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(words, words, words), min_size=1, max_size=3))
def test_links_in_cells_are_where_they_say(cells: list[tuple[str, str, str]]) -> None:
    def escaped(text: str) -> str:
        return text.replace("&", "&amp;").replace("<", "&lt;")

    row = [
        tc(p(r(escaped(a)) + f'<w:hyperlink w:anchor="t">{r(escaped(b))}</w:hyperlink>' + r(escaped(c)) + "<w:r/>"))
        for a, b, c in cells
    ]
    document = read(docx(tbl(tr(*row))))
    expected = [" ".join(b.split()) for _, b, _ in cells if b.strip()]
    shown = [" ".join(re.sub(r"\\+(?=\|)", "", label).split()) for label, _ in link_texts(document) if label.strip()]
    assert shown == [re.sub(r"\\+(?=\|)", "", label) for label in expected]


def oracle_words(data: bytes) -> Counter[str]:
    document = python_docx.Document(io.BytesIO(data))
    found: list[str] = [paragraph.text for paragraph in document.paragraphs]
    for table in document.tables:
        found += [cell.text for row in table.rows for cell in row.cells]
    return Counter(re.findall(r"\w+", " ".join(found)))


def test_what_python_docx_reads_is_read() -> None:
    document = python_docx.Document()
    document.add_heading("Annual report", 0)
    document.add_heading("Results", 1)
    paragraph = document.add_paragraph("Sales went ")
    paragraph.add_run("up").bold = True
    paragraph.add_run(" again.")
    for style_name in ("List Bullet", "List Number", "Intense Quote", "Caption"):
        document.add_paragraph(f"Some {style_name.lower()} here", style=style_name)
    table = document.add_table(rows=2, cols=3)
    for at, cell in enumerate(cell for row in table.rows for cell in row.cells):
        cell.text = f"cell {at}"
    document.sections[0].header.paragraphs[0].text = "Running head"
    document.core_properties.author = "Ann"
    file = io.BytesIO()
    document.save(file)
    data = file.getvalue()

    ours = read(data)
    assert not oracle_words(data) - Counter(re.findall(r"\w+", ours.text))
    roles = Counter(block.role for block in ours.blocks)
    assert roles["heading"] == 2
    assert roles["list-item"] == 2
    assert roles["table-row"] == 2
    assert roles["quote"] == roles["caption"] == roles["header"] == 1
    assert ours.metadata["author"] == "Ann"


def test_the_specimen_warms_what_a_document_touches() -> None:
    document = read(KIND.specimen)
    roles = {block.role for block in document.blocks}
    assert {"heading", "list-item", "table-row", "note", "formula"} <= roles
    assert any(not block.visible for block in document.blocks)


def test_blocks_are_plain_values() -> None:
    assert all(isinstance(block, Block) for block in read(SAMPLE).blocks)
