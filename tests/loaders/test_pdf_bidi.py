"""Lines with Hebrew or Arabic in them, glyph by glyph from the left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.loaders.shared.pdf_bidi import direction, logical

ARABIC = "\u0628"
A, B, C, D = "\u05d0\u05d1\u05d2\u05d3"


@pytest.mark.parametrize(
    ("seen", "read"),
    [
        ([C, B, A], A + B + C),
        (["one", " ", "two"], "one two"),
        (["one", " ", B, A], "one " + A + B),
        ([D, C, " ", "one", " ", B, A], f"{A}{B} one {C}{D}"),
        (["1,250", " ", B, A], f"{A}{B} 1,250"),
        ([")", B, A, "("], f"({A}{B})"),
        (["(", B, A, ")", " ", C], f"{C} ({A}{B})"),
        ([")", B, A], f"{A}{B}("),
        (["(", B, A, ")", " ", C, " ", "(", "1"], f"1) {C} ({A}{B})"),
        ([C, A + B], A + B + C),
        ([A + " h", "abibi", " ", C, B], f"{A} habibi {B}{C}"),
        (["12", "34"], "1234"),
        ([C, " ", "12.5", "%", " ", B, A], f"{A}{B} 12.5% {C}"),
        ([C, " ", "$", "9", " ", B, A], f"{A}{B} $9 {C}"),
        ([ARABIC, " ", "%", "12.5", " ", ARABIC], f"{ARABIC} 12.5% {ARABIC}"),
        ([C, " ", "20", " ", "10", " ", B, A], f"{A}{B} 10 20 {C}"),
        ([".", ARABIC, " ", "\u0661\u066b\u0662", " ", ARABIC], f"{ARABIC} \u0661\u066b\u0662 {ARABIC}."),
        ([C, " ", "12", ":", "30", " ", B, A], f"{A}{B} 12:30 {C}"),
        ([], ""),
    ],
)
def test_from_what_is_seen_to_what_is_read(seen: list[str], read: str) -> None:
    assert logical(seen) == read


def test_a_line_whose_ends_disagree_runs_as_its_page() -> None:
    seen = [".", "name@example", " ", C, B, A]
    assert logical(seen, page_is_backward=True) == f"{A}{B}{C} name@example."
    assert logical(seen, page_is_backward=False) == f".name@example {A}{B}{C}"


def test_direction() -> None:
    assert [direction(text) for text in (A, "a", "7", A + "a", ".", "")] == [True, False, False, False, None, None]


@given(st.lists(st.text(st.sampled_from(A + B + "ab1 ."), min_size=1, max_size=3)))
def test_no_glyph_is_lost(pieces: list[str]) -> None:
    assert sorted(logical(pieces)) == sorted("".join(pieces))


def test_a_line_of_hebrew_on_a_page_of_english() -> None:
    seen = [".", "Name", " ", D, " ", "(", C, ")", " ", B, A, B, A, B]
    assert logical(seen) == f"{B}{A}{B}{A}{B} ({C}) {D} Name."
