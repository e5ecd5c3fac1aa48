"""Reading order, bounded."""

from __future__ import annotations

import random
import time

from hypothesis import given
from hypothesis import strategies as st

from fumehood import Limits
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.pdf_content import Canvas, Placed
from fumehood.loaders.shared.pdf_layout import Box, Line, by_nearness, by_rows_and_columns, paragraphs


def box(text: str, start: float, high: float, width: float = 200, height: float = 100) -> Box:
    line = Line(start, start + width, high - height, high, 10, text, False)
    return Box(start, high - height, start + width, high, [line])


def order(boxes: list[Box]) -> str:
    return "".join(one.lines[0].text for one in boxes)


COLUMNS = [box("a", 50, 760, 500, 30)]
COLUMNS += [box(text, 50, 700 - 120 * row) for row, text in enumerate("bcd")]
COLUMNS += [box(text, 350, 690 - 120 * row) for row, text in enumerate("efg")]


def test_columns_below_a_title() -> None:
    for seed in range(5):
        shuffled = random.Random(seed).sample(COLUMNS, len(COLUMNS))
        assert order(by_nearness(shuffled)) == "abcdefg"


def test_many_cells_are_read_row_by_row() -> None:
    cells = [
        box(chr(65 + 6 * row + column), 50 + 90 * column, 700 - 30 * row, 30, 12)
        for row in range(9)
        for column in range(6)
    ]
    shuffled = random.Random(1).sample(cells, len(cells))
    assert order(by_rows_and_columns(shuffled)) == order(cells)


def test_many_boxes_in_two_columns_are_read_column_by_column() -> None:
    boxes = [box(chr(65 + row), 50, 780 - 25 * row, 220, 20) for row in range(20)]
    boxes += [box(chr(97 + row), 320, 775 - 25 * row, 220, 20) for row in range(20)]
    shuffled = random.Random(2).sample(boxes, len(boxes))
    assert order(by_rows_and_columns(shuffled)) == order(boxes)


glyph = st.builds(
    lambda x, y, width, height, text, hidden: Placed(x, x + width, y, y + height, text, hidden),
    st.floats(-1e6, 1e6),
    st.floats(-1e6, 1e6),
    st.floats(0, 1e3),
    st.floats(0, 1e3),
    st.text(max_size=2),
    st.booleans(),
)


@given(st.dictionaries(st.integers(0, 359), st.lists(glyph, max_size=20), max_size=3))
def test_no_letter_is_lost_wherever_it_stands(glyphs: dict[int, list[Placed]]) -> None:
    canvas = Canvas(600, 800)
    canvas.glyphs = glyphs
    found, _ = paragraphs(canvas, Budget(Limits()))
    letters = sorted(char for placed in glyphs.values() for one in placed for char in one.text if char.isalnum())
    assert sorted(char for paragraph in found for char in paragraph.text if char.isalnum()) == letters


def test_ten_thousand_lines_of_one_box_and_as_many_apart() -> None:
    started = time.perf_counter()
    for gap in (11, 40):
        canvas = Canvas(600, 1e6)
        canvas.glyphs[0] = [Placed(50, 56, gap * row, gap * row + 10, "x", False) for row in range(10_000)]
        found, _ = paragraphs(canvas, Budget(Limits()))
        assert sum(len(paragraph.text.split()) for paragraph in found) == 10_000
    assert time.perf_counter() - started < 6
