"""Styles: what they say with all they are based on."""

from __future__ import annotations

import pytest

from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared.docx_styles import ParagraphStyle, Styles
from tests.loaders.docx_writer import num, root, style


def styles(content: str) -> Styles:
    found = Styles()
    found.read(root("styles", content).encode(), Budget(Limits()))
    return found


def outline(level: int | str) -> str:
    return f'<w:pPr><w:outlineLvl w:val="{level}"/></w:pPr>'


@pytest.mark.parametrize(
    ("content", "level"),
    [
        (style("A", "heading 3"), 3),
        (style("A", "Heading 3"), 3),
        (style("A", "Überschrift", outline(1)), 2),
        (style("A", "heading 1", outline(9)), None),
        (style("A", "x", based_on="B") + style("B", "heading 2"), 2),
        (style("A", "Title"), 1),
        (style("A", "heading 10"), None),
        (style("A", "x", outline("many")), None),
        (style("A", "x", based_on="A"), None),
        (style("A", "x", based_on="Nowhere"), None),
    ],
)
def test_levels_of_headings(content: str, level: int | None) -> None:
    assert styles(content).paragraph("A").heading == level


def test_the_default_style_is_that_of_paragraphs_that_name_none() -> None:
    normal = style("N", "Normal", outline(0)).replace("<w:style ", '<w:style w:default="1" ')
    assert styles(normal).paragraph(None).heading == 1
    assert styles(normal).paragraph("Undefined") == ParagraphStyle()
    assert styles("").paragraph(None) == ParagraphStyle()


def test_lists_come_from_the_nearest_style_that_names_one() -> None:
    content = style("A", "a", based_on="B") + style("B", "b", f"<w:pPr>{num(4, 1)}</w:pPr>")
    found = styles(content).paragraph("A")
    assert (found.num_id, found.level, found.style_id) == ("4", 1, "B")


def test_hiding_is_inherited_and_can_be_switched_off() -> None:
    content = (
        style("Off", "a", '<w:rPr><w:vanish w:val="false"/></w:rPr>', "On", kind="character")
        + style("On", "b", "<w:rPr><w:vanish/></w:rPr>", kind="character")
        + style("Child", "c", based_on="On", kind="character")
    )
    found = styles(content)
    assert found.hide
    assert [found.look(name).hidden for name in ("On", "Child", "Off", "None", None)] == [True, True, False, None, None]


def test_a_chain_of_any_length_ends() -> None:
    content = "".join(style(f"S{at}", f"s{at}", based_on=f"S{at - 1}") for at in range(5_000))
    assert styles(content).paragraph("S4999") == ParagraphStyle()
