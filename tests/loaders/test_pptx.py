"""Presentations, construct by construct: what stands on a slide is what stands in the text, in the order of reading."""

from __future__ import annotations

import contextlib
import io
import random
import time
import zipfile
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fumehood import Limits, kinds
from fumehood.document import Block, Document, Locator
from fumehood.errors import Refusal
from fumehood.fuzz import pptx_files
from fumehood.fuzz.archives import archive, entry
from fumehood.fuzz.pptx_files import (
    COMMENTS_2018,
    MAIN_TYPE,
    Arrow,
    Page,
    about,
    alternates,
    cell,
    chart,
    diagram,
    frame,
    group,
    package,
    para,
    part,
    picture,
    placeholder,
    pptx,
    presentation,
    relationships,
    row,
    shape,
    slide,
    table,
    title,
    transform,
    tree,
)
from fumehood.sandbox import loading
from tests.loaders import drawing_writer

KIND = kinds.get("pptx")
BULLETS = '<a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr><a:lvl2pPr><a:buAutoNum type="arabicPeriod"/></a:lvl2pPr>'
MACRO_TYPE = "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml"


def read(data: bytes, limits: Limits | None = None) -> Document:
    return loading.read_in_process(KIND, data, limits)


def refused(data: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(Refusal) as refusal:
        read(data, limits)
    return refusal.value.code


def text_of(document: Document, block: Block) -> str:
    return document.text[block.start : block.end]


def found(document: Document) -> list[tuple[str, str]]:
    return [(block.role, text_of(document, block)) for block in document.blocks]


def texts(*shapes: str) -> list[str]:
    """The blocks of a slide of these shapes."""
    return [text for _, text in found(read(pptx(slide(*shapes))))]


def codes(document: Document) -> list[tuple[str, int | None, int | str | None]]:
    return [
        (notice.code, notice.locator.slide if notice.locator else None, notice.detail) for notice in document.notices
    ]


def slides_of(document: Document) -> list[int | None]:
    return [block.locator.slide if block.locator else None for block in document.blocks]


def with_layout(
    *shapes: str,
    layout: str = "",
    master: str = "",
    styles: str = "",
    layout_attributes: str = "",
    slide_attributes: str = "",
    slides: int = 1,
) -> bytes:
    """Slides of these shapes on a layout and a master of others; `styles` are the master's text styles."""
    pages = [
        Page(slide(*shapes, attributes=slide_attributes), [Arrow("rId1", "slideLayout", "../layout.xml")])
    ] * slides
    further = {
        "ppt/layout.xml": part(f"p:sldLayout{layout_attributes}", tree(layout)),
        "ppt/master.xml": part("p:sldMaster", tree(master) + f"<p:txStyles>{styles}</p:txStyles>"),
    }
    own = relationships("ppt/layout.xml", [Arrow("rId1", "slideMaster", "master.xml")])
    return archive([*package(pages, further), own])


# ---- which slides, and in which order ------------------------------------------------------------------------------


def test_slides_come_as_the_presentation_lists_them_and_orphans_do_not() -> None:
    """By relationship: neither by file name nor by identifier, and no part counts that nothing lists."""
    pages = [Page(slide(title(f"in file {at}"))) for at in (1, 2, 3)]
    document = read(archive(package(pages, listed=["rId3", "rId1"])))
    assert found(document) == [("heading", "# in file 3"), ("heading", "# in file 1")]
    assert slides_of(document) == [1, 2]
    assert document.metadata["slides"] == "2"


def test_twelve_slides_are_twelve_in_order_of_number() -> None:
    document = read(pptx(*(slide(title(f"Slide {at}"), shape("x")) for at in range(1, 13))))
    headings = [text for role, text in found(document) if role == "heading"]
    assert headings == [f"# Slide {at}" for at in range(1, 13)]
    assert slides_of(document) == [at for at in range(1, 13) for _ in range(2)]


def test_parts_may_be_called_anything() -> None:
    entries = [
        pptx_files.content_types(),
        relationships("", [Arrow("a", "officeDocument", "/deck/main.xml")]),
        entry("deck/main.xml", presentation(["x"])),
        relationships("deck/main.xml", [Arrow("x", "slide", "../pages/Eins.XML")]),
        entry("pages/eins.xml", slide(title("found"))),
    ]
    assert read(archive(entries)).text == "# found"


def test_a_slide_listed_twice_is_read_once() -> None:
    document = read(
        archive(package([Page(slide(title("a"))), Page(slide(title("b")))], listed=["rId1", "rId2", "rId1"]))
    )
    assert document.text == "# a\n\n# b"
    assert codes(document) == [("repaired", None, "page")]


def test_slides_that_are_not_there_are_said() -> None:
    missing = [Arrow("rId7", "slide", "slides/s7.xml")]
    document = read(archive(package([Page(slide(title("a")))], listed=["rId7", "rId1", "rId8"], arrows=missing)))
    assert document.text == "# a"
    assert codes(document) == [("part-missing", None, None), ("part-missing", None, 1)]


def test_a_list_of_slides_that_is_broken_is_made_up_by_their_numbers() -> None:
    pages = [Page(slide(title(str(at)))) for at in range(1, 12)]
    entries = package(pages)
    entries[2] = entry("ppt/presentation.xml", part("p:presentation", "")[:-10])
    document = read(archive(entries))
    assert [text for _, text in found(document)] == [f"# {at}" for at in range(1, 12)]
    assert codes(document) == [("part-unreadable", None, None), ("repaired", None, "page")]


def test_a_presentation_without_slides_is_empty() -> None:
    document = read(archive(package([Page(slide(title("orphan")))], listed=[])))
    assert codes(document) == [("empty-document", None, None)]


def test_hidden_slides_are_invisible_with_all_that_hangs_on_them() -> None:
    page = Page(slide(title("t"), shape("s"), attributes=' show="0"'), [Arrow("n", "notesSlide", "../n.xml")])
    document = read(archive(package([page, Page(slide(title("shown")))], {"ppt/n.xml": pptx_files.notes("note")})))
    assert [(text_of(document, block), block.visible) for block in document.blocks] == [
        ("# t", False),
        ("s", False),
        ("note", False),
        ("# shown", True),
    ]
    assert document.visible_text == "# shown"
    assert codes(document) == [("hidden-part", 1, 1)]


# ---- the package ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["presentation", "template", "slideshow"])
def test_templates_and_shows_are_read_too(kind: str) -> None:
    main = MAIN_TYPE.replace("presentation.main", f"{kind}.main")
    assert read(archive(package([Page(slide(title("a")))], main_type=main))).text == "# a"


def test_macros_are_said() -> None:
    entries = package([Page(slide(title("a")))], main_type=MACRO_TYPE)
    entries[0] = entry(
        "[Content_Types].xml",
        b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" '
        b'ContentType="application/xml"/><Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/></Types>',
    )
    document = read(archive([*entries, entry("ppt/vbaProject.bin", b"\0")]))
    assert ("macro-present", None, None) in codes(document)


def test_strict_presentations_say_the_same() -> None:
    transitional = pptx_files.rich()
    strict = _as_strict(transitional)
    assert strict != transitional
    assert read(strict).text == read(transitional).text


def _as_strict(data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        parts = {name: opened.read(name) for name in opened.namelist()}
    for base in ("presentationml", "drawingml"):
        for name, body in parts.items():
            old, new = f"http://schemas.openxmlformats.org/{base}/2006/", f"http://purl.oclc.org/ooxml/{base}/"
            parts[name] = body.replace(old.encode(), new.encode())
    for name, body in parts.items():
        old, new = (
            "http://schemas.openxmlformats.org/officeDocument/2006/",
            "http://purl.oclc.org/ooxml/officeDocument/",
        )
        parts[name] = body.replace(old.encode(), new.encode())
    return archive([entry(name, body) for name, body in parts.items()])


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "malformed"),
        (b"no archive", "kind-mismatch"),
        (b"%PDF-1.4\n", "kind-mismatch"),
        (archive([entry("word/document.xml", b"<a/>")]), "kind-mismatch"),
        (archive(package([], main_type=MAIN_TYPE.replace("presentationml.presentation", "wordprocessingml.document"))), "kind-mismatch"),
        (archive([*package([])[:2], entry("ppt/presentation.xml", b"<w/>")]), "kind-mismatch"),
        (archive([*package([])[:2], entry("ppt/presentation.xml", b"<p")]), "malformed"),
        (archive([*package([])[:2], entry("ppt/presentation.xml", b'<!DOCTYPE a [<!ENTITY b "c">]><a/>')]), "malformed"),
    ],
)  # fmt: skip
def test_what_is_no_presentation_is_refused(data: bytes, code: str) -> None:
    assert refused(data) == code


def test_an_entity_in_relationships_is_refused() -> None:
    entries = package([Page(slide(title("a")))])
    entries[1] = entry("_rels/.rels", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')
    assert refused(archive(entries)) == "malformed"


def test_a_broken_slide_is_read_up_to_its_break() -> None:
    body = slide(title("t"), table(row("a", "b"), row("c", "d")), shape("never"))
    cut = body.index(b">d<")
    document = read(pptx(body[: cut + 2], slide(title("next"))))
    assert [text for _, text in found(document)] == ["# t", "| a | b |\n| --- | --- |", "| c |  |", "# next"]
    assert codes(document) == [("part-unreadable", None, None)]


def test_a_shape_that_breaks_is_kept() -> None:
    body = slide(group(shape("a", "b")))
    document = read(pptx(body[: body.index(b"</p:txBody>")]))
    assert document.text == "a\n\nb"


def test_limits_are_named() -> None:
    many = pptx(*[slide(title("a"))] * 3)
    assert refused(many, Limits(pages=2)) == "pages"
    assert read(many, Limits(pages=3)).metadata["slides"] == "3"
    assert refused(many, Limits(xml_elements=20)) == "xml-elements"
    assert refused(pptx(slide(table(row("a", "b"), row("c", "d")))), Limits(table_cells=3)) == "table-cells"


# ---- text ----------------------------------------------------------------------------------------------------------


def test_the_title_is_a_heading_and_stands_first() -> None:
    document = read(pptx(slide(shape("below"), shape("The", "title", ph=placeholder("ctrTitle")))))
    assert found(document) == [("heading", "# The title"), ("paragraph", "below")]
    assert document.title == "The title"
    assert [block.level for block in document.blocks] == [1, None]


def test_runs_breaks_fields_and_formulas() -> None:
    formula = "<a14:m><m:oMathPara><m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath></m:oMathPara></a14:m>"
    written = "<a:p><a:r><a:t>one </a:t></a:r><a:r><a:t>two</a:t></a:r><a:br/><a:fld id='1' type='slidenum'><a:t>7</a:t></a:fld></a:p>"
    both = f'<a:p><mc:AlternateContent><mc:Choice Requires="a14">{formula}</mc:Choice><mc:Fallback><a:r><a:t>?</a:t></a:r></mc:Fallback></mc:AlternateContent></a:p>'
    assert texts(shape(written, both)) == ["one two\n7", "x=1"]


def test_bullets_are_items_by_level_and_numbers_are_counted() -> None:
    def numbered(text: str, scheme: str, level: int = 0, start: str = "") -> str:
        return para(text, f'<a:pPr lvl="{level}"><a:buAutoNum type="{scheme}"{start}/></a:pPr>')

    mark = '<a:pPr lvl="0"><a:buChar char="•"/></a:pPr>'
    none = "<a:pPr><a:buNone/></a:pPr>"
    document = read(
        pptx(
            slide(
                shape(
                    para("a", mark),
                    numbered("b", "arabicPeriod", 1),
                    numbered("c", "arabicPeriod", 1),
                    para("d", mark),
                    numbered("e", "arabicPeriod", 1),
                    para("f", none),
                    numbered("g", "arabicParenR", 0, ' startAt="4"'),
                    numbered("h", "arabicParenR", 0, ' startAt="4"'),
                    numbered("i", "alphaLcParenBoth"),
                    numbered("j", "romanUcPeriod"),
                    numbered("k", "circleNumWdWhitePlain"),
                    numbered("l", "nonsense"),
                )
            )
        )
    )
    assert document.text == ("- a\n  1. b\n  2. c\n- d\n  1. e\n\nf\n\n4) g\n5) h\n- (a) i\n- I. j\n- 1 k\n1. l")
    items = [block for block in document.blocks if block.role == "list-item"]
    assert [block.level for block in items] == [1, 2, 2, 1, 2, 1, 1, 1, 1, 1, 1]
    assert [block.group for block in items] == [1] * 5 + [2] * 6


def test_bullets_come_from_where_the_shape_has_them() -> None:
    body = placeholder("body", "1")
    own = "<a:lvl1pPr><a:buNone/></a:lvl1pPr>"
    styled = shape("own", ph=body, style=own)
    plain = shape(para("one"), para("two", 'lvl="1"'), ph=body)
    box = shape("no placeholder")
    master = f"<p:bodyStyle>{BULLETS}</p:bodyStyle>"
    assert read(with_layout(plain, styled, box, styles=master)).text == "- one\n  1. two\n\nown\n\nno placeholder"
    layout = shape(ph=body, style=own)
    assert read(with_layout(plain, layout=layout, styles=master)).text == "one\n\n1. two"
    assert read(with_layout(plain, master=shape(ph=placeholder("body"), style=BULLETS))).text == "- one\n  1. two"


def test_a_placeholder_without_a_type_is_what_its_layout_says() -> None:
    layout = shape(ph=placeholder("subTitle", "7"), style="<a:lvl1pPr><a:buChar char='-'/></a:lvl1pPr>")
    document = read(with_layout(shape("a", ph=placeholder("", "7")), layout=layout))
    assert found(document) == [("list-item", "- a")]


def test_links_of_runs_and_of_shapes() -> None:
    arrows = [
        Arrow("web", "hyperlink", "http://a.example/a b", external=True),
        Arrow("to", "slide", "s2.xml"),
        Arrow("file", "hyperlink", "file:///c:/x", external=True),
        Arrow("package", "package", "../x.xlsx"),
    ]

    def click(identifier: str) -> str:
        return f'<a:hlinkClick r:id="{identifier}"/>'

    first = slide(
        shape(para("web", run=click("web")), para("jump", run=click("to"))),
        shape(para("file", run=click("file")), para("gone", run=click("none")), para("show", run=click(""))),
        shape("whole", "shape", inner=click("web")),
        picture(' descr="a cat"', inner=click("to")),
        picture(inner=click("to")),
        shape(para("inside", run=click("package"))),
    )
    document = read(archive(package([Page(first, arrows), Page(slide())], {"ppt/x.xlsx": b""})))
    assert [(document.text[link.start : link.end], link.target) for link in document.links] == [
        ("web", "http://a.example/a%20b"),
        ("jump", "#slide-2"),
        ("whole", "http://a.example/a%20b"),
        ("shape", "http://a.example/a%20b"),
        ("a cat", "#slide-2"),
    ]
    assert [code for code in codes(document) if code[0] == "link-dropped"] == [
        ("link-dropped", 1, None),
        ("link-dropped", 1, 3),
    ]


# ---- order ---------------------------------------------------------------------------------------------------------


def test_shapes_are_read_by_their_places() -> None:
    """Stored by what covers what: a second heading's bullets come before it, and are read below it."""
    assert texts(
        shape("second bullets", place=transform(0, 600, 900, 200)),
        shape("first heading", place=transform(0, 0, 900, 100)),
        shape("second heading", place=transform(0, 500, 900, 90)),
        shape("first bullets", place=transform(0, 110, 900, 300)),
    ) == ["first heading", "first bullets", "second heading", "second bullets"]


def test_columns_are_read_one_after_the_other() -> None:
    assert texts(
        shape("right head", place=transform(550, 0, 400, 80)),
        shape("left head", place=transform(0, 0, 400, 80)),
        shape("right text", place=transform(550, 90, 400, 400)),
        shape("left text", place=transform(0, 90, 400, 400)),
        shape("below both", place=transform(0, 700, 950, 80)),
    ) == ["left head", "left text", "right head", "right text", "below both"]


def test_placeholders_stand_where_their_layouts_put_them() -> None:
    low, high = placeholder("body", "1"), placeholder("body", "2")
    layout = shape(ph=low, place=transform(0, 500, 900, 100)) + shape(ph=high, place=transform(0, 0, 900, 100))
    document = read(with_layout(shape("low", ph=low), shape("high", ph=high), layout=layout))
    assert document.text == "high\n\nlow"


def test_groups_at_any_depth_are_read_in_one_place() -> None:
    inner = group(
        shape("b", place=transform(0, 50, 9, 9)), shape("a", place=transform(0, 0, 9, 9)), place=transform(0, 0, 9, 60)
    )
    outer = group(shape("c", place=transform(50, 0, 9, 9)), inner, place=transform(0, 100, 500, 100))
    assert texts(outer, shape("top", place=transform(0, 0, 900, 50))) == ["top", "a", "b", "c"]
    deep = shape("deep")
    for _ in range(240):
        deep = group(deep)
    assert texts(deep) == ["deep"]


# ---- page text, alternative text, what is not seen ----------------------------------------------------------------


def test_placeholders_of_layouts_and_masters_are_not_text_of_slides() -> None:
    prompts = shape("Click to edit", ph=placeholder("title")) + shape("Layout footer", ph=placeholder("ftr", "11"))
    assert read(with_layout(title("t"), layout=prompts, master=prompts)).text == "# t"


def test_footers_stand_once_and_slide_numbers_not_at_all() -> None:
    def page(date: str) -> bytes:
        number = shape("<a:p><a:fld id='1' type='slidenum'><a:t>1</a:t></a:fld></a:p>", ph=placeholder("sldNum", "12"))
        return slide(
            shape("Secret", ph=placeholder("ftr", "11")), shape(date, ph=placeholder("dt", "10")), number, title("t")
        )

    document = read(pptx(page("1 May"), page("1 May"), page("2 May")))
    assert found(document) == [
        ("heading", "# t"), ("footer", "Secret"), ("footer", "1 May"), ("heading", "# t"), ("heading", "# t"), ("footer", "2 May"),
    ]  # fmt: skip


def test_text_that_a_layout_or_master_shows_itself_stands_once() -> None:
    document = read(with_layout(title("t"), layout=shape("© 2011") + shape("“"), master=shape("Company"), slides=3))
    assert found(document) == [
        ("heading", "# t"),
        ("footer", "© 2011"),
        ("footer", "Company"),
        ("heading", "# t"),
        ("heading", "# t"),
    ]
    alone = with_layout(title("t"), layout=shape("a"), master=shape("b"), layout_attributes=' showMasterSp="0"')
    assert read(alone).text == "# t\n\na"
    neither = with_layout(title("t"), layout=shape("a"), master=shape("b"), slide_attributes=' showMasterSp="0"')
    assert read(neither).text == "# t"


@pytest.mark.parametrize(
    ("attributes", "inner", "said"),
    [
        (' descr="A cat  on a mat"', "", ["A cat on a mat"]),
        (' title="A cat"', "", ["A cat"]),
        (' descr="cat.jpg"', "", []),
        (' descr="C:\\My Files\\cat.PNG"', "", []),
        (' descr="7"', "", []),
        (' descr="A line"', '<a:extLst><a:ext uri="x"><adec:decorative val="1"/></a:ext></a:extLst>', []),
        (' descr="A line"', '<a:extLst><a:ext uri="x"><adec:decorative val="0"/></a:ext></a:extLst>', ["A line"]),
    ],
)
def test_alternative_texts_are_kept_and_names_of_files_are_none(attributes: str, inner: str, said: list[str]) -> None:
    document = read(pptx(slide(picture(attributes, inner=inner))))
    assert found(document) == [("caption", text) for text in said]
    assert codes(document)[0] == ("image-not-read", 1, 1)


def test_alternative_texts_of_what_is_no_picture() -> None:
    assert texts(
        group(shape("in it"), attributes=' descr="of a group"'),
        shape(attributes=' descr="of an arrow"'),
        "<p:cxnSp>" + about("CxnSp", ' descr="of a line"') + "<p:spPr/></p:cxnSp>",
        shape("its own text", attributes=' descr="of text"'),
    ) == ["of a group", "in it", "of an arrow", "of a line", "its own text"]  # fmt: skip


def test_what_is_switched_off_or_beside_the_slide_is_not_seen() -> None:
    document = read(
        pptx(
            slide(
                shape("off", attributes=' hidden="1"'),
                shape("left of it", place=transform(-500, 0, 400, 50)),
                shape("over its edge", place=transform(-100, 0, 400, 50)),
                group(shape("in a group", place=transform(5_000, 0, 9, 9)), place=transform(0, 500, 9, 9)),
                shape("title", ph=placeholder("title"), attributes=' hidden="true"'),
            )
        )
    )
    visible = {text_of(document, block): block.visible for block in document.blocks}
    assert visible == {"# title": False, "off": False, "left of it": False, "over its edge": True, "in a group": True}
    assert ("hidden-text", 1, 3) in codes(document)


def test_media_objects_and_ink_are_said() -> None:
    ole = frame('<p:oleObj r:id="x"><p:embed/>' + picture(' descr="not mine"') + "</p:oleObj>", ' descr="a sheet"')
    document = read(
        pptx(slide(picture(special='<a:videoFile r:link="x"/>'), ole, '<p:contentPart r:id="x"/>', chart("none")))
    )
    assert found(document) == [("caption", "a sheet")]
    assert codes(document) == [("object-not-read", 1, 4)]


def test_shapes_where_none_belong_are_read_all_the_same() -> None:
    inside = (
        "<p:sp>"
        + about("Sp")
        + shape("inner")
        + "<p:txBody>"
        + para("outer")
        + '<c:chart r:id="none"/></p:txBody></p:sp>'
    )
    assert texts(inside, frame(shape("in a frame"))) == ["outer", "inner", "in a frame"]


def test_one_of_alternates_counts() -> None:
    document = read(
        pptx(
            slide(
                alternates("a14", shape("chosen"), shape("fallback")),
                alternates("r", shape("not understood"), shape("taken")),
                alternates("a14", group(shape("whole group")), picture()),
                alternates("r", shape("nothing else")),
            )
        )
    )
    assert document.text == "chosen\n\ntaken\n\nwhole group"
    assert codes(document) == [("object-not-read", 1, 1)]


# ---- tables, charts, diagrams ------------------------------------------------------------------------------------


def test_merged_cells_give_their_text_once() -> None:
    document = read(
        pptx(
            slide(
                table(
                    row(cell("wide", attributes='gridSpan="2"'), cell(attributes='hMerge="1"'), "c"),
                    row(cell("tall", attributes='rowSpan="2"'), "e", "f"),
                    row(cell(attributes='vMerge="1"'), "h", "i"),
                )
            )
        )
    )
    assert document.text == "| wide |  | c |\n| --- | --- | --- |\n| tall | e | f |\n|  | h | i |"
    assert [block.level for block in document.blocks] == [1, None, None]
    assert codes(document) == []


def test_text_under_a_merged_cell_is_kept_unseen() -> None:
    document = read(pptx(slide(table(row(cell("a", attributes='gridSpan="2"'), cell("b", attributes='hMerge="1"'))))))
    assert [(text_of(document, block), block.visible) for block in document.blocks] == [
        ("| a |\n| --- |", True),
        ("b", False),
    ]
    assert codes(document) == [("hidden-text", 1, 1)]


def _run(text: str, attributes: str = "", inner: str = "") -> str:
    return f"<a:r><a:rPr {attributes}>{inner}</a:rPr><a:t>{text}</a:t></a:r>"


FILLED = '<a:solidFill><a:srgbClr val="{}"/></a:solidFill>'


@pytest.mark.parametrize(
    "run",
    [
        _run("unseen", 'sz="100"'),
        _run("unseen", inner=FILLED.format("ffffff")),
        _run("un", 'sz="100"') + _run("seen", inner=FILLED.format("FFFFFF")),
    ],
)
def test_tiny_text_and_text_of_its_shapes_colour_is_not_seen(run: str) -> None:
    document = read(pptx(slide(shape(f"<a:p>{_run('seen')}{run}</a:p>", place=FILLED.format("FFFFFF")), title("T"))))
    assert [(text_of(document, block), block.visible) for block in document.blocks] == [
        ("# T", True),
        ("seen", True),
        ("unseen", False),
    ]
    assert codes(document) == [("hidden-text", 1, 1)]


@pytest.mark.parametrize("kind", ["title", "ftr", "body"])
def test_a_shape_of_nothing_but_unseen_text_is_kept(kind: str) -> None:
    first, second = ("<a:p>" + _run(text, 'sz="100"') + "</a:p>" for text in "ab")
    document = read(pptx(slide(shape(first, second, ph=placeholder(kind)))))
    assert [(text_of(document, block), block.visible) for block in document.blocks] == [("a\nb", False)]


@pytest.mark.parametrize(
    ("run", "place"),
    [
        (_run("seen", 'sz="150"'), ""),
        (_run("seen", inner=FILLED.format("FFFFFF")), ""),
        (_run("seen", inner=FILLED.format("FFFFFF")), FILLED.format("000000")),
        (_run("seen", inner="<a:ln/>" + FILLED.format("FFFFFF")), FILLED.format("FFFFFF")),
        (
            _run(
                "seen", inner='<a:solidFill><a:srgbClr val="FFFFFF"><a:lumMod val="50000"/></a:srgbClr></a:solidFill>'
            ),
            FILLED.format("FFFFFF"),
        ),
    ],
)
def test_text_that_may_be_seen_is_seen(run: str, place: str) -> None:
    assert read(pptx(slide(shape(f"<a:p>{run}</a:p>", place=place)))).visible_text == "seen"


def test_paragraphs_and_lists_in_cells_are_lines() -> None:
    numbered = [para(text, '<a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr>') for text in ("a", "b")]
    assert texts(table(row(cell(*numbered), cell("x", "y|z")))) == ["| 1. a<br>2. b | x<br>y\\|z |\n| --- | --- |"]


def test_charts_and_diagrams_are_read_from_their_parts() -> None:
    series = drawing_writer.ser("S", drawing_writer.strings(["x"]), drawing_writer.numbers(["1"]))
    points = drawing_writer.pt("1", "point")
    page = Page(
        slide(chart("c"), diagram("d"), alternates("cx1", frame('<cx:chart r:id="e"/>'), picture())).replace(
            b"<p:sld ", b'<p:sld xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex" '
            b'xmlns:cx1="http://schemas.microsoft.com/office/drawing/2015/9/8/chartex" '
        ),
        [Arrow("c", "chart", "../c.xml"), Arrow("d", "diagramData", "../d.xml"), Arrow("e", "chartEx", "../e.xml")],
    )  # fmt: skip
    further = {
        "ppt/c.xml": drawing_writer.chart(series, title=drawing_writer.rich("Chart")),
        "ppt/d.xml": drawing_writer.diagram(points),
        "ppt/e.xml": drawing_writer.part(
            "cx:chartSpace",
            "<cx:chart><cx:title><cx:tx><cx:txData><cx:v>New</cx:v></cx:txData></cx:tx></cx:title></cx:chart>",
        ),
    }
    document = read(archive(package([page], further)))
    assert found(document) == [
        ("caption", "Chart"),
        ("table-row", "|  | S |\n| --- | --- |"),
        ("table-row", "| x | 1 |"),
        ("list-item", "- point"),
        ("caption", "New"),
    ]
    assert set(slides_of(document)) == {1}
    assert codes(document) == []


# ---- notes and comments ------------------------------------------------------------------------------------------


def test_notes_stand_with_the_slide_that_names_them() -> None:
    """By relationship: stored in another order, on two of three slides, and called anything."""
    pages = [
        Page(slide(title("1")), [Arrow("n", "notesSlide", "../notes/b.xml")]),
        Page(slide(title("2"))),
        Page(slide(title("3")), [Arrow("n", "notesSlide", "../notes/a.xml")]),
    ]
    notes = {"ppt/notes/a.xml": pptx_files.notes("of 3", "more"), "ppt/notes/b.xml": pptx_files.notes("of 1")}
    document = read(archive(package(pages, notes)))
    assert found(document) == [
        ("heading", "# 1"), ("note", "of 1"), ("heading", "# 2"), ("heading", "# 3"), ("note", "of 3"), ("note", "more"),
    ]  # fmt: skip
    assert slides_of(document) == [1, 1, 2, 3, 3, 3]


def test_masters_of_notes_are_no_notes() -> None:
    page = Page(slide(title("1")), [Arrow("n", "notesSlide", "../n.xml")])
    further = {
        "ppt/n.xml": pptx_files.notes("note"),
        "ppt/nm.xml": part("p:notesMaster", tree(shape("Click to edit", ph=placeholder("body", "1")))),
    }
    master = relationships("ppt/n.xml", [Arrow("m", "notesMaster", "nm.xml"), Arrow("s", "slide", "slides/s1.xml")])
    own = [Arrow("nm", "notesMaster", "nm.xml")]
    document = read(archive([*package([page], further, arrows=own), master]))
    assert document.text == "# 1\n\nnote"


def test_what_stands_at_the_edges_of_notes_is_read_once() -> None:
    """Header, date and footer of these pages are text of their own; the number of the page is the locator's."""

    def noted(at: int, *texts: str, attributes: str = "") -> tuple[Page, dict[str, bytes]]:
        edges = [
            shape(text, ph=placeholder(kind, str(n)))
            for n, (kind, text) in enumerate(zip(("hdr", "dt", "ftr"), texts, strict=True))
        ]
        body = shape(f"note {at}", ph=placeholder("body", "9"))
        page = Page(
            slide(title(str(at)), shape("Draft", ph=placeholder("ftr", "7")), attributes=attributes),
            [Arrow("n", "notesSlide", f"../n{at}.xml")],
        )
        return page, {f"ppt/n{at}.xml": part("p:notes", tree(*edges, body, shape("8", ph=placeholder("sldNum", "8"))))}

    pages = [
        noted(1, "Talk", "2 May", "Draft"),
        noted(2, "Talk", "3 May", "Draft"),
        noted(3, "Secret", "3 May", "", attributes=' show="0"'),
    ]
    document = read(
        archive(package([page for page, _ in pages], {k: v for _, notes in pages for k, v in notes.items()}))
    )
    assert found(document) == [
        ("heading", "# 1"), ("footer", "Draft"), ("header", "Talk"), ("note", "note 1"), ("footer", "2 May"),
        ("heading", "# 2"), ("note", "note 2"), ("footer", "3 May"),
        ("heading", "# 3"), ("footer", "Draft"), ("header", "Secret"), ("note", "note 3"), ("footer", "3 May"),
    ]  # fmt: skip
    assert [block.visible for block in document.blocks] == [True] * 8 + [False] * 5


def test_notes_hold_groups_tables_and_lists() -> None:
    held = group(shape("grouped")) + table(row("a", "b")) + shape(para("c", "<a:pPr><a:buChar char='-'/></a:pPr>"))
    page = Page(slide(title("1")), [Arrow("n", "notesSlide", "../n.xml")])
    document = read(archive(package([page], {"ppt/n.xml": part("p:notes", tree(held))})))
    assert [text for role, text in found(document) if role == "note"] == ["grouped", "a", "b", "\\- c"]


def commented(comments: Mapping[str, tuple[str, bytes]], authors: Sequence[tuple[str, bytes]]) -> Document:
    """A presentation of one slide with these parts of comments and lists of authors, by relationship."""
    page = Page(slide(title("t")), [Arrow(f"c{at}", kind, f"../{at}.xml") for at, (kind, _) in comments.items()])
    further = {f"ppt/{at}.xml": body for at, (_, body) in comments.items()}
    further |= {f"ppt/authors{at}.xml": body for at, (_, body) in enumerate(authors)}
    arrows = [Arrow(f"a{at}", kind, f"authors{at}.xml") for at, (kind, _) in enumerate(authors)]
    return read(archive(package([page], further, arrows=arrows)))


def test_comments_of_the_first_generation_and_their_answers() -> None:
    def cm(author: int, number: int, text: str, answers: str = "") -> str:
        return f'<p:cm authorId="{author}" idx="{number}"><p:pos x="1" y="1"/><p:text>{text}</p:text>{answers}</p:cm>'

    thread = '<p:extLst><p:ext uri="x"><p15:threadingInfo><p15:parentCm authorId="0" idx="1"/></p15:threadingInfo></p:ext></p:extLst>'
    lost = thread.replace('idx="1"', 'idx="9"')
    body = part(
        "p:cmLst",
        cm(0, 1, "first") + cm(1, 2, "second") + cm(1, 3, "answer", thread) + cm(7, 4, "lost", lost) + cm(0, 5, ""),
    )
    authors = part("p:cmAuthorLst", '<p:cmAuthor id="0" name="Ann"/><p:cmAuthor id="1" name="Bo"/>')
    document = commented({"x": ("comments", body)}, [("commentAuthors", authors)])
    assert found(document)[1:] == [
        ("comment", "Ann: first"), ("comment", "Bo: answer"), ("comment", "Bo: second"), ("comment", "lost"),
    ]  # fmt: skip


def test_comments_of_the_second_generation_and_their_replies() -> None:
    reply = f'<p188:reply id="r" authorId="{{B}}"><p188:txBody><a:bodyPr/>{para("reply")}</p188:txBody></p188:reply>'
    body = part(
        "p188:cmLst",
        f'<p188:cm id="1" authorId="{{A}}"><p188:replyLst>{reply}</p188:replyLst><p188:txBody>{para("one")}{para("two")}</p188:txBody></p188:cm>'
        f'<p188:cm id="2" authorId="{{B}}" status="resolved"><p188:txBody>{para("next")}</p188:txBody></p188:cm>',
    )
    authors = part("p188:authorLst", '<p188:author id="{A}" name="Ann"/><p188:author id="{B}" name="Bo"/>')
    kind = COMMENTS_2018.replace("/comments", "/authors")
    document = commented({"x": (COMMENTS_2018, body)}, [(kind, authors)])
    assert found(document)[1:] == [("comment", "Ann: one\ntwo"), ("comment", "Bo: reply"), ("comment", "Bo: next")]


def test_comments_that_break_are_kept_up_to_there() -> None:
    body = part("p:cmLst", '<p:cm authorId="0"><p:text>a</p:text></p:cm><p:cm><p:text>b</p:text></p:cm>')[:-30]
    document = commented({"x": ("comments", body)}, [("commentAuthors", b"<broken")])
    assert found(document)[1:] == [("comment", "a")]
    assert [code for code, _, _ in codes(document)] == ["part-unreadable", "part-unreadable"]


# ---- whatever comes --------------------------------------------------------------------------------------------------


def test_the_specimen_has_one_of_each_thing() -> None:
    document = read(KIND.specimen)
    assert KIND.specimen == pptx_files.rich()
    assert {block.role for block in document.blocks} == {
        "heading", "paragraph", "list-item", "table-row", "caption", "footer", "note", "comment",
    }  # fmt: skip


def test_flipped_bytes_end_well() -> None:
    specimen = pptx_files.rich()
    dice = random.Random(5)
    for _ in range(150):
        data = bytearray(specimen)
        for _ in range(dice.randint(1, 6)):
            data[dice.randrange(len(data))] = dice.randrange(256)
        with contextlib.suppress(Refusal):
            read(bytes(data))


_leaves = st.sampled_from(
    [shape("a"), title("b"), picture(' descr="c"'), table(row("d", "e")), chart("x"), shape("f", ph=placeholder("ftr"))]
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.recursive(_leaves, lambda inner: st.lists(inner, max_size=3).map(lambda held: group(*held)), max_leaves=8),
        max_size=4,
    )
)
def test_every_shape_is_said_once(shapes: list[str]) -> None:
    document = read(pptx(slide(*shapes)))
    stored = "".join(shapes)
    for word, marker in (("a", ">a<"), ("c", '"c"'), ("d", ">d<")):
        said = [text for _, text in found(document) if text.strip("|-\n ").split(" ")[0] == word]
        assert len(said) == stored.count(marker)


def test_time_grows_with_the_slides() -> None:
    def seconds(count: int) -> float:
        data = pptx(
            *[slide(title("t"), *[shape("x", place=transform(at * 7, at * 5, 9, 9)) for at in range(8)])] * count
        )
        best = 9.0
        for _ in range(3):
            started = time.process_time()
            read(data)
            best = min(best, time.process_time() - started)
        return best

    assert seconds(120) < 9 * seconds(30)


def test_locators_are_slides() -> None:
    document = read(pptx_files.rich())
    assert all(block.locator is not None for block in document.blocks)
    assert {block.locator for block in document.blocks} == {Locator(slide=1), Locator(slide=2)}
