"""The layout of pages given as runs of glyphs: nothing is lost, and everything is bounded."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fumehood import Limits, Refusal
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.pdf_glyphs import Canvas, GlyphRun, Ink, Style
from fumehood.loaders.shared.pdf_layout import PageLayout, layout
from fumehood.loaders.shared.pdf_paragraphs import Piece

SEEN, UNPAINTED, HIDDEN = (Style(ink) for ink in Ink)


def laid_out(runs: dict[int, list[GlyphRun]], *, height: float = 800, **limits: int) -> PageLayout:
    canvas = Canvas(600, height)
    canvas.runs = runs
    return layout(canvas, Budget(Limits().replace(**limits)))


def words(string: str, start: float, base: float, size: float = 10) -> list[GlyphRun]:
    """Words half an em a letter wide, a third of an em apart."""
    found = []
    for word in string.split():
        end = start + 0.5 * size * len(word)
        found.append(GlyphRun(start, end, base, size, word + " ", SEEN))
        start = end + size / 3
    return found


def text_of(piece: Piece) -> str:
    return piece.text if piece.table is None else piece.table.text


def test_words_on_one_base_line_are_a_line() -> None:
    (piece,) = laid_out({0: words("some words of one line", 50, 700)}).pieces
    assert (piece.text, piece.size, piece.line_count) == ("some words of one line", 10, 1)


def test_letters_without_spaces_between_them_are_parted_by_their_places() -> None:
    glyphs = [
        GlyphRun(50 + 5 * at + 4 * (at > 2), 55 + 5 * at + 4 * (at > 2), 700, 10, char, SEEN)
        for at, char in enumerate("abcdef")
    ]
    assert laid_out({0: glyphs}).pieces[0].text == "abc def"


def test_ideographs_spaced_out_are_not_parted() -> None:
    glyphs = [GlyphRun(50 + 13 * at, 60 + 13 * at, 700, 10, char, SEEN) for at, char in enumerate("日本語")]
    assert laid_out({0: glyphs}).pieces[0].text == "日本語"


def test_links_become_spans_of_the_text() -> None:
    canvas = Canvas(600, 800)
    canvas.runs[0] = words("Read the whole manual first", 50, 700)
    start, end = canvas.runs[0][2].start, canvas.runs[0][3].end
    canvas.add_link((start - 1, 695, end + 1, 712), "https://example.org/")
    (piece,) = layout(canvas, Budget(Limits())).pieces
    assert [(piece.text[start:end], target) for start, end, target in piece.links] == [
        ("whole manual", "https://example.org/")
    ]


def test_links_go_on_over_lines_and_hyphens() -> None:
    canvas = Canvas(600, 800)
    canvas.runs[0] = words("Here is the hand-", 50, 700) + words("book that we mean to read", 50, 688)
    canvas.add_link((canvas.runs[0][3].start - 1, 695, 300, 712), "#a")
    canvas.add_link((49, 685, canvas.runs[0][4].end + 1, 696), "#a")
    (piece,) = layout(canvas, Budget(Limits())).pieces
    assert "".join(piece.text[start:end] for start, end, _ in piece.links) == "handbook"


def test_links_in_cells() -> None:
    canvas = Canvas(600, 800)
    canvas.runs[0] = [
        run for row in range(3) for at in range(3) for run in words(f"c{row}{at}", 50 + 100 * at, 700 - 15 * row)
    ]
    canvas.add_link((149, 680, 190, 695), "#b")
    (piece,) = layout(canvas, Budget(Limits())).pieces
    assert piece.table is not None
    assert piece.table.rows[1][1].links == [(0, 3, "#b")]


run = st.builds(
    lambda x, y, width, size, text, style: GlyphRun(x, x + width, y, size, text, style),
    st.floats(-1e6, 1e6),
    st.floats(-1e6, 1e6),
    st.floats(0, 1e3),
    st.floats(0, 1e3),
    st.text(st.characters(exclude_characters="\u00ad-\u2010"), max_size=3),
    st.sampled_from([SEEN, UNPAINTED, HIDDEN, Style(is_bold=True)]),
)
rule = st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 6), st.integers(0, 6)).map(
    lambda four: (50.0 * min(four[::2]), 50.0 * min(four[1::2]), 50.0 * max(four[::2]), 50.0 * max(four[1::2]))
)


@given(st.dictionaries(st.integers(0, 359), st.lists(run, max_size=20), max_size=3), st.lists(rule, max_size=12))
def test_no_letter_is_lost_wherever_it_stands(
    runs: dict[int, list[GlyphRun]], rules: list[tuple[float, float, float, float]]
) -> None:
    canvas = Canvas(600, 800)
    # Each run has a letter that no other has.
    marks = iter(range(0x4E00, 0x9FFF))
    canvas.runs = {
        degrees: [replace(one, text=chr(next(marks)) + one.text) for one in some] for degrees, some in runs.items()
    }
    canvas.rules = rules
    found = layout(canvas, Budget(Limits()))
    text = "".join(piece.marker + text_of(piece) for piece in found.pieces)
    for some in canvas.runs.values():
        for one in some:
            assert text.count(one.text[0]) == 1
            assert all(char in text for char in one.text if char.isalpha())


@pytest.mark.parametrize("gap", [11, 40])
def test_a_page_of_ten_thousand_lines(gap: int) -> None:
    started = time.process_time()
    lines = [GlyphRun(50, 56, gap * row, 10, "x", SEEN) for row in range(10_000)]
    random.Random(3).shuffle(lines)
    found = laid_out({0: lines}, height=1e6)
    assert sum(len(piece.text.split()) for piece in found.pieces) == 10_000
    assert time.process_time() - started < 5


def test_more_lines_than_are_parted_into_columns_are_read_from_the_top() -> None:
    lines = [GlyphRun(50 + 300 * (row % 2), 56, 5 * (row // 2), 4, f"{row}", SEEN) for row in range(20_002)]
    lines = [replace(run, end=run.start + 8) for run in lines]
    found = laid_out({0: lines}, height=1e5)
    assert found.is_simplified
    assert sum(len(text_of(piece).split()) for piece in found.pieces) == 20_002


def test_forty_columns_of_a_thousand_rows_are_one_table() -> None:
    started = time.process_time()
    cells = [
        GlyphRun(50 + 30 * column, 65 + 30 * column, 20_000 - 15 * row, 8, f"{row % 90}.{column}", SEEN)
        for row in range(1_000)
        for column in range(40)
    ]
    random.Random(4).shuffle(cells)
    found = laid_out({0: cells}, height=2e4)
    assert time.process_time() - started < 8
    table = found.pieces[0].table
    assert table is not None
    assert (len(table.rows), len(table.rows[0])) == (1_000, 40)


def test_runs_are_paid_for() -> None:
    with pytest.raises(Refusal) as caught:
        laid_out({0: words("x " * 10_000, 0, 700)}, nodes=1_000)
    assert caught.value.limit == "nodes"
