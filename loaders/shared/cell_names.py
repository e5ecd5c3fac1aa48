"""Cells by name: `B3`, `B3:D9` (ECMA-376 part 1, 18.18.7 and 18.18.62). Columns and rows count from 1."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

LAST_COLUMN: Final = 16_384
LAST_ROW: Final = 1_048_576

_REFERENCE: Final = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,7})")


class Area(NamedTuple):
    """A rectangle of cells; both ends are of it."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def name(self) -> str:
        """`B3`, or `B3:D9`; what is out of bounds is named by the last column or row."""
        first = f"{column_name(self.left)}{min(self.top, LAST_ROW)}"
        last = f"{column_name(self.right)}{min(self.bottom, LAST_ROW)}"
        return first if first == last else f"{first}:{last}"


def column_name(column: int) -> str:
    """`A`, `Z`, `AA`, up to `XFD`; what is beyond the last column is named like it."""
    column = min(column, LAST_COLUMN)
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def column_number(letters: str) -> int | None:
    """The column of that name; None if there is none."""
    if not 1 <= len(letters) <= 3 or not letters.isascii() or not letters.isalpha():
        return None
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number if number <= LAST_COLUMN else None


def area(name: str) -> Area | None:
    """The cells of `B3` or `B3:D9`, whichever corners it names; None if it is out of bounds or no name."""
    first, colon, last = name.strip().partition(":")
    one = _cell(first)
    other = _cell(last) if colon else one
    if one is None or other is None:
        return None
    return Area(min(one[0], other[0]), min(one[1], other[1]), max(one[0], other[0]), max(one[1], other[1]))


def _cell(name: str) -> tuple[int, int] | None:
    match = _REFERENCE.fullmatch(name)
    column = column_number(match[1]) if match else None
    if match is None or column is None or not 1 <= int(match[2]) <= LAST_ROW:
        return None
    return int(match[2]), column
