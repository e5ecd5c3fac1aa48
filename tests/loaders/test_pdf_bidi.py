"""Lines with Hebrew or Arabic in them, glyph by glyph from the left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.loaders.shared.pdf_bidi import direction, logical

A, B, C, D = "\u05d0\u05d1\u05d2\u05d3"


@pytest.mark.parametrize(
    ("seen", "read"),
    [
        ([C, B, A], A + B + C),
        (["one", " ", "two"], "one two"),
        (["one", " ", B, A], "one " + A + B),
        ([D, C, " ", "one", " ", B, A], f"{A}{B} one {C}{D}"),
        (["1,250", " ", B, A], f"{A}{B} 1,250"),
        ([")", B, A, "("], f"({A}{B})".replace("(", "\0").replace(")", "(").replace("\0", ")")),
        ([C, A + B], A + B + C),
        ([A + " h", "abibi", " ", C, B], f"{A} habibi {B}{C}"),
        (["12", "34"], "1234"),
        ([], ""),
    ],
)
def test_from_what_is_seen_to_what_is_read(seen: list[str], read: str) -> None:
    assert logical(seen) == read


def test_direction() -> None:
    assert [direction(text) for text in (A, "a", "7", A + "a", ".", "")] == [True, False, False, False, None, None]


@given(st.lists(st.text(st.sampled_from(A + B + "ab1 ."), min_size=1, max_size=3)))
def test_no_glyph_is_lost(pieces: list[str]) -> None:
    assert sorted(logical(pieces)) == sorted("".join(pieces))
