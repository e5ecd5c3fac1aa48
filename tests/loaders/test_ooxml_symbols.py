"""Codes of symbol fonts as Unicode."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.loaders.shared.ooxml_symbols import UNMAPPED, mapped


@pytest.mark.parametrize(
    ("code", "font", "name"),
    [
        (0xF061, "Symbol", "GREEK SMALL LETTER ALPHA"),
        (0x57, "symbol", "GREEK CAPITAL LETTER OMEGA"),
        (0xF0B3, "Symbol", "GREATER-THAN OR EQUAL TO"),
        (0xF0D6, "Symbol", "SQUARE ROOT"),
        (0xF0E5, "Symbol", "N-ARY SUMMATION"),
        (0xF0F2, "Symbol", "INTEGRAL"),
        (0xF0FE, "Symbol", "RIGHT CURLY BRACKET LOWER HOOK"),
        (0xF0AE, "Symbol", "RIGHTWARDS ARROW"),
        (0xF04A, "Wingdings", "WHITE SMILING FACE"),
        (0xF06E, "Wingdings", "BLACK SQUARE"),
        (0xF0E0, "Wingdings", "RIGHTWARDS ARROW"),
        (0xF0FC, " wingdings ", "CHECK MARK"),
        (0xF0FE, "Wingdings", "BALLOT BOX WITH CHECK"),
        (0xF052, "Wingdings 2", "BALLOT BOX WITH CHECK"),
        (0x2713, "Segoe UI Symbol", "CHECK MARK"),
        (0x2022, None, "BULLET"),
    ],
)
def test_symbols(code: int, font: str | None, name: str) -> None:
    assert unicodedata.name(mapped(code, font)) == name


@pytest.mark.parametrize(("code", "font"), [(0xF041, "Nobody's"), (0xF000, "Symbol"), (0xD800, None), (0x110000, None)])
def test_what_only_the_font_knows(code: int, font: str | None) -> None:
    assert mapped(code, font) == UNMAPPED


@given(st.integers(0, 0xFFFFFF), st.sampled_from([None, "Symbol", "Wingdings", "Wingdings 2", "Arial"]))
def test_any_code_gives_one_character_that_is_not_private(code: int, font: str | None) -> None:
    found = mapped(code, font)
    assert len(found) == 1
    assert unicodedata.category(found) not in ("Co", "Cs")
