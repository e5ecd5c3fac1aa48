"""Numbers as lists write them: the forms of ECMA-376 part 1, 17.18.59, by its names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

_ROMAN: Final = tuple(
    zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        ("M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"),
        strict=True,
    )
)
_MAX_ROMAN: Final = 3_999
_MAX_REPEATS: Final = 30
"""Letters start again doubled, tripled and so on; a number of a billion would take a page."""


def written(count: int, form: str) -> str:
    """A number in one of the forms of 17.18.59; decimal for forms that we do not know."""
    writer = _WRITERS.get(form)
    return str(count) if writer is None else writer(count)


def _letters(first: str, size: int, count: int) -> str:
    repeats, index = divmod(count - 1, size)
    if count < 1 or repeats >= _MAX_REPEATS:
        return str(count)
    return chr(ord(first) + index) * (repeats + 1)


def _roman(count: int) -> str:
    if not 1 <= count <= _MAX_ROMAN:
        return str(count)
    text = ""
    for value, digits in _ROMAN:
        times, count = divmod(count, value)
        text += digits * times
    return text


def _ordinal(count: int) -> str:
    tail = {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count}{'th' if count % 100 in (11, 12, 13) else tail}"


_WRITERS: Final[dict[str, Callable[[int], str]]] = {
    "none": lambda count: "",
    "bullet": lambda count: "",
    "decimalZero": lambda count: f"{count:02}",
    "lowerLetter": lambda count: _letters("a", 26, count),
    "upperLetter": lambda count: _letters("A", 26, count),
    "russianLower": lambda count: _letters("\u0430", 32, count),
    "russianUpper": lambda count: _letters("\u0410", 32, count),
    "lowerRoman": lambda count: _roman(count).lower(),
    "upperRoman": _roman,
    "ordinal": _ordinal,
}
