"""Numbers as lists write them."""

from __future__ import annotations

import pytest

from fumehood.loaders.shared.numerals import written


@pytest.mark.parametrize(
    ("count", "form", "text"),
    [
        (3, "decimal", "3"),
        (3, "decimalZero", "03"),
        (26, "lowerLetter", "z"),
        (28, "upperLetter", "BB"),
        (0, "lowerLetter", "0"),
        (10**9, "lowerLetter", "1000000000"),
        (1994, "upperRoman", "MCMXCIV"),
        (4, "lowerRoman", "iv"),
        (4000, "upperRoman", "4000"),
        (-1, "upperRoman", "-1"),
        (1, "ordinal", "1st"),
        (12, "ordinal", "12th"),
        (23, "ordinal", "23rd"),
        (2, "russianLower", "\u0431"),
        (5, "aiueo", "5"),
    ],
)
def test_forms_of_numbers(count: int, form: str, text: str) -> None:
    assert written(count, form) == text
