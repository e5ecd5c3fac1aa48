"""What is a heading, and of what level."""

from __future__ import annotations

import pytest

from fumehood.loaders.shared.pdf_fonts import is_bold
from fumehood.loaders.shared.pdf_headings import Headings, title_key
from fumehood.loaders.shared.pdf_paragraphs import Piece


def piece(text: str, size: float = 10, **more: object) -> Piece:
    return Piece(text, size, 50, 690, 700, **more)  # type: ignore[arg-type]


BODY = [piece("Most of the text, which goes on and on. " * 5, line_count=9)] * 4


def level(one: Piece, *others: Piece, outline: dict[str, int] | None = None) -> int | None:
    return Headings([*BODY, one, *others], outline or {}).level(one)


def test_levels_go_by_size() -> None:
    sizes = [piece("A Title", 24), piece("A Part", 16), piece("A Section", 12)]
    assert [level(one, *sizes) for one in sizes] == [1, 2, 3]


def test_a_bold_line_is_one_below_the_larger_ones() -> None:
    assert level(piece("A Bold Line", is_bold=True), piece("A Title", 24)) == 2
    assert level(piece("A bold sentence, which ends.", is_bold=True)) is None


def test_where_much_is_bold_bold_lines_are_text() -> None:
    bold = [piece("All of this is set in bold type. " * 9, is_bold=True, line_count=5)] * 3
    assert level(piece("A Bold Line", is_bold=True), *bold) is None


def test_the_outline_knows_better() -> None:
    assert level(piece("1.2 In the Outline"), outline={title_key("1.2  in the outline"): 3}) == 3


@pytest.mark.parametrize(
    "one",
    [
        piece("An ordinary line"),
        piece("Large " * 60, 24),
        piece("17", 24),
        piece("Large, of many lines", 24, line_count=5),
        piece("Hidden", 24, is_visible=False),
        piece("Up the margin", 24, is_aside=True),
        piece("An item", 24, role="list-item"),
    ],
)
def test_what_is_no_heading(one: Piece) -> None:
    assert level(one) is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ABCDEF+Arial-BoldMT", True),
        ("HelveticaNeueLTStd-Bd", True),
        ("HelveticaNeueLTStd-BdCn", True),
        ("SFBX1000", True),
        ("SFSX1440", True),
        ("CMSSBX10", True),
        ("ecbx1200", True),
        ("NimbusRomNo9L-Medi", True),
        ("LubalinGraphStd-Demi", True),
        ("HelveticaNeueLTStd-Lt", False),
        ("SFRM1000", False),
        ("CMSL10", False),
        ("Tajawal-Medium", False),
        ("Bodoni", False),
        ("ABDULLA", False),
    ],
)
def test_fonts_that_are_bold_by_their_names(name: str, expected: bool) -> None:
    assert is_bold(name, 0) is expected
