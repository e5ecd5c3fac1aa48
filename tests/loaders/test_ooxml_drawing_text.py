"""Paragraphs of DrawingML."""

from __future__ import annotations

import pytest
from lxml import etree

from fumehood.errors import DocumentTooComplex
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.lines import Line
from fumehood.loaders.shared.ooxml_drawing_text import nowhere, read_paragraph, read_text
from fumehood.loaders.shared.ooxml_names import Element, attribute, names
from fumehood.loaders.shared.tally import Tally
from tests.loaders.drawing_writer import ap, ar, part

CLICK = '<a:hlinkClick r:id="rId1"/>'


def target(click: Element) -> str | None:
    return attribute(click, names("r:id"))


def read(*paragraphs: str, tally: Tally | None = None) -> Line:
    body = etree.fromstring(part("a:txBody", "<a:bodyPr/><a:lstStyle/>" + "".join(paragraphs)))
    return read_text(body, Budget(Limits()), tally or Tally(), target)


def test_runs_breaks_and_fields() -> None:
    field = '<a:fld id="{0}" type="slidenum"><a:rPr/><a:pPr/><a:t>7</a:t></a:fld>'
    assert read(ap(ar("a ") + ar("b") + "<a:br><a:rPr/></a:br>" + field + "<a:endParaRPr/>"))[0] == "a b\n7"


def test_paragraphs_are_lines_and_empty_ones_are_none() -> None:
    assert read(ap("a"), "<a:p><a:endParaRPr/></a:p>", ap("b"))[0] == "a\nb"
    assert read() == ("", [])


def test_runs_of_one_link_are_one_link() -> None:
    text, links = read(ap("x"), ap(ar("see ") + ar("he", CLICK) + ar("re", CLICK) + ar(".") + ar("there", CLICK)))
    assert text == "x\nsee here.there"
    assert links == [(6, 10, "rId1"), (11, 16, "rId1")]


def test_nowhere_is_no_link() -> None:
    paragraph = etree.fromstring(part("a:p", ar("here", CLICK)))
    assert read_paragraph(paragraph, Budget(Limits()), Tally()) == ("here", [])
    assert nowhere(paragraph) is None


def test_a_formula_is_read_once_beside_its_picture() -> None:
    formula = "<a14:m><m:oMathPara><m:oMath><m:r><m:t>x</m:t></m:r></m:oMath></m:oMathPara></a14:m>"
    known = f'<mc:AlternateContent><mc:Choice Requires="a14">{formula}</mc:Choice><mc:Fallback>{ar("?")}</mc:Fallback></mc:AlternateContent>'
    unknown = f'<mc:AlternateContent><mc:Choice Requires="x">{ar("?")}</mc:Choice><mc:Fallback>{ar("y")}</mc:Fallback></mc:AlternateContent>'
    empty = "<mc:AlternateContent/>"
    assert read(ap(ar("let ") + known + unknown + empty))[0] == "let xy"


def test_a_formula_too_deep_to_read_is_refused() -> None:
    deep = "<m:e>" * 240 + "</m:e>" * 240
    with pytest.raises(DocumentTooComplex) as refused:
        read(ap(f"<a14:m><m:oMath>{deep}</m:oMath></a14:m>"))
    assert refused.value.code == "nesting"


def test_symbols_are_read_by_their_font_and_line_ends_are_spaces() -> None:
    tally = Tally()
    symbols = ar("\uf0e0", '<a:latin typeface="Arial"/><a:sym typeface="Wingdings"/>') + ar(
        "\uf0a7", '<a:latin typeface="Symbol"/>'
    )
    assert read(ap(symbols + ar("a\nb&#13;c")), tally=tally)[0] == "→♣a b c"
    assert read(ap(ar("\uf0e0")), tally=tally)[0] == "\uf0e0"
    out = Builder(Budget(Limits()))
    tally.say(out)
    assert [(notice.code, notice.detail) for notice in out.notices] == [("unmapped-glyphs", 1)]
