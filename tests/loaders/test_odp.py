"""Presentations of OpenDocument as their readers see them."""

from __future__ import annotations

import pytest

from fumehood import Document, Limits
from fumehood import kinds as registry
from fumehood.fuzz import odf_files
from fumehood.fuzz.odf_files import box, frame, para, row, slide, styles_part, table, title
from fumehood.sandbox.loading import read_in_process
from tests.loaders.odf_reader import hidden, notices, read, refused, roles

HIDDEN_PAGE = '<style:style style:name="H" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>'
NOTES = "<presentation:notes><draw:page-thumbnail/>{}</presentation:notes>"


def odp(body: str, styles: str = "", **parts: str) -> Document:
    return read("odp", body, styles, {name.replace("_xml", ".xml"): part for name, part in parts.items()})


def test_the_title_comes_first_and_slides_have_numbers() -> None:
    bullets = f"<text:list><text:list-item>{para('one')}</text:list-item><text:list-item>{para('two')}</text:list-item></text:list>"
    document = odp(
        slide(box(bullets, 'presentation:class="outline"'), title("First")) + slide(title("Second") + box(para("text")))
    )
    assert document.text == "# First\n\n- one\n- two\n\n# Second\n\ntext"
    assert document.title == "First"
    assert [block.locator.slide for block in document.blocks if block.locator] == [1, 1, 1, 2, 2]


def test_notes_belong_to_their_slide_and_places_for_text_are_none() -> None:
    notes = box(para("say this") + para("and that"), 'presentation:class="notes"') + box(
        para("7"), 'presentation:class="page-number"'
    )
    document = odp(
        slide(title("A"), NOTES.format(notes)) + slide(title("B"), NOTES.format(box("", 'presentation:class="notes"')))
    )
    assert roles(document) == [("heading", "# A"), ("note", "say this\nand that"), ("heading", "# B")]


def test_a_hidden_slide_is_invisible_with_its_notes() -> None:
    body = slide(title("seen")) + slide(
        title("secret"), box(para("text")), NOTES.format(box(para("note"))), attributes='draw:style-name="H"'
    )
    document = odp(body, HIDDEN_PAGE)
    assert document.visible_text == "# seen"
    assert hidden(document) == ["# secret", "text", "note"]
    assert notices(document) == {"hidden-part": None}


def test_tiny_text_is_not_seen_and_what_is_behind_white_text_is_not_known() -> None:
    styles = "".join(
        f'<style:style style:name="{name}" style:family="text"><style:text-properties {said}/></style:style>'
        for name, said in (("T", 'fo:font-size="1pt"'), ("W", 'fo:color="#ffffff"'))
    )
    spans = "".join(
        f'<text:span text:style-name="{name}">{text}</text:span>' for name, text in (("T", "unseen"), ("W", "seen"))
    )
    document = odp(slide(box(para(spans))), styles)
    assert (document.visible_text, hidden(document)) == ("seen", ["unseen"])


def test_shapes_at_any_depth_tables_and_pictures() -> None:
    group = f"<draw:g><draw:g><draw:custom-shape>{para('deep')}</draw:custom-shape></draw:g><draw:line>{para('line')}</draw:line></draw:g>"
    grid = frame(table(row("a", "b"), row("c", "d")) + '<draw:image xlink:href="x.png"/>')
    picture = frame('<draw:image xlink:href="y.png"/><svg:title>A tree</svg:title>')
    document = odp(slide(title("T"), group, grid, picture))
    assert document.text == "# T\n\ndeep\n\nline\n\n| a | b |\n| --- | --- |\n| c | d |\n\nA tree"


def test_what_stands_on_every_slide_is_said_once() -> None:
    stands = (
        box(para("Click to edit"), 'presentation:class="title"')
        + box(para("Company"))
        + box(para("Confidential"), 'presentation:class="footer"')
        + box(para("3"), 'presentation:class="page-number"')
        + NOTES.format(box(para("Notes look so")))
    )
    master = (
        f'<style:master-page style:name="M">{stands}</style:master-page>'
        f"<style:handout-master>{box(para('handout'))}</style:handout-master>"
    )
    declared = '<presentation:footer-decl presentation:name="f">May 2020</presentation:footer-decl>'
    given = 'draw:master-page-name="M" presentation:use-footer-name="f"'
    document = odp(
        declared + slide(title("A"), attributes=given) + slide(title("B"), attributes=given),
        styles_xml=styles_part(masters=master),
    )
    assert roles(document) == [
        ("heading", "# A"),
        ("footer", "May 2020"),
        ("footer", "Company\nConfidential"),
        ("heading", "# B"),
    ]


def test_headers_footers_and_dates_of_slides_and_of_notes_are_said_once() -> None:
    edges = (
        box(para("Draft"), 'presentation:class="footer"')
        + box(para("2 May"), 'presentation:class="date-time"')
        + box(para("4"), 'presentation:class="page-number"')
    )
    noted = NOTES.format(
        box(para("note"), 'presentation:class="notes"')
        + box(para("Talk"), 'presentation:class="header"')
        + box(para("Draft"), 'presentation:class="footer"')
    )
    body = slide(title("A"), edges + noted) * 2 + slide(title("B"), edges + noted, attributes='draw:style-name="H"')
    document = odp(body, HIDDEN_PAGE)
    shown = [("heading", "# A"), ("note", "note"), ("footer", "Draft"), ("footer", "2 May"), ("footer", "Talk")]
    assert roles(document) == [*shown, *shown[:2], ("heading", "# B"), *shown[1:]]
    assert document.visible_text.count("Talk") == 1
    assert hidden(document) == ["# B", "note", "Draft", "2 May", "Talk"]


@pytest.mark.parametrize("flat", [False, True])
def test_the_number_of_a_slide_is_its_own_and_no_text_of_a_master(flat: bool) -> None:
    """What is saved for it may be a word of the program's: `<number>`."""
    field = "<text:page-number>&lt;number&gt;</text:page-number>"
    masters = f'<style:master-page style:name="M">{box(para(field))}{box(para(f"Page {field}"))}</style:master-page>'
    body = "".join(slide(title(f"{t} {field}"), attributes='draw:master-page-name="M"') for t in "ab")
    if flat:
        data = odf_files.flat("odp", body, f"<office:master-styles>{masters}</office:master-styles>")
        document = read_in_process(registry.get("odp"), data)
    else:
        document = odp(body, styles_xml=styles_part(masters=masters))
    assert document.text == "# a 1\n\nPage\n\n# b 2"


def test_comments_of_a_slide() -> None:
    document = odp(
        slide(
            title("A"),
            f"<office:annotation><dc:creator>Ann</dc:creator><dc:date>2020</dc:date>{para('why?')}</office:annotation>",
        )
    )
    assert roles(document) == [("heading", "# A"), ("comment", "Ann: why?")]


def test_a_title_of_several_lines_is_one_heading_with_its_links() -> None:
    document = odp(
        slide(
            box(para("One") + para('<text:a xlink:href="https://a.example">two</text:a>'), 'presentation:class="title"')
        )
    )
    assert document.text == "# One two"
    assert [document.text[link.start : link.end] for link in document.links] == ["two"]


def test_flat_presentations_read_the_same() -> None:
    body = slide(title("A"), box(para("text"))) + slide(title("B"))
    flat = odf_files.flat(
        "odp", body, '<office:master-styles><style:master-page style:name="M"/></office:master-styles>'
    )
    assert read_in_process(registry.get("odp"), flat).text == odp(body).text


def test_too_many_slides() -> None:
    assert refused("odp", odf_files.odf("odp", slide(title("A")) * 11), Limits(pages=10)) == "pages"


def test_a_presentation_of_nothing() -> None:
    assert notices(odp(slide(box("")))) == {"empty-document": None}
