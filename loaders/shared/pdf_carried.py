"""Tables that go on from one page to the next: what of the page before is known when a page is laid out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from fumehood.loaders.shared.pdf_tables import Interval, Table

_NEAR: Final = 2.5
"""Points by which columns that meet may overlap."""
_SIZES: Final = 0.3
_MOST_COLUMNS: Final = 256
_MOST_TYPED: Final = 64
"""Cells of a column that are looked at for what it holds."""
_DIGITS: Final = re.compile(r"\d+")


class Carried(NamedTuple):
    """A table that a page ends with: its columns, and the size of its text. `running`: what stands at the page's edges."""

    columns: Sequence[Interval]
    are_numbers: Sequence[bool | None]
    """Of each column; None for one of both numbers and words."""
    size: float
    running: AbstractSet[str]

    def fits(self, cells: Sequence[str], columns: Sequence[Interval], size: float) -> bool:
        """Whether a row may be one of the table's: numbers below numbers, words below words."""
        places = matched(columns, self.columns) if are_alike(size, self.size) else None
        return places is not None and all(
            self.are_numbers[place] in (None, is_number(cell)) for place, cell in zip(places, cells, strict=True)
        )


NOTHING: Final = Carried((), (), 0.0, frozenset())


def going_on(table: Table, running: AbstractSet[str]) -> Carried:
    """The table, which a page ends with; nothing where it has more columns than anyone compares."""
    if len(table.columns) > _MOST_COLUMNS:
        return NOTHING
    texts = [
        [row[at].text for row in table.rows[-_MOST_TYPED:] if at < len(row) and row[at].text]
        for at in range(len(table.columns))
    ]
    return Carried(table.columns, [_are_numbers(column) for column in texts], table.size, running)


def _are_numbers(cells: Sequence[str]) -> bool | None:
    numbers = sum(map(is_number, cells))
    # The first one may be the column's head.
    return True if numbers >= len(cells) - 1 > 0 else False if not numbers else None


def is_number(text: str) -> bool:
    """Whether a cell holds a number and no word."""
    return any(map(str.isdigit, text)) and not any(map(str.isalpha, text))


def are_alike(one: float, other: float) -> bool:
    """Whether text of both sizes may be of one table."""
    return abs(one - other) <= _SIZES * other


def running_key(text: str) -> str:
    """What running titles of several pages have in common."""
    return _DIGITS.sub("#", text)


def mirrored(columns: Sequence[Interval]) -> list[Interval]:
    """As a page that runs from right to left is looked at."""
    return [(-end, -start) for start, end in reversed(columns)]


def matched(columns: Sequence[Interval], among: Sequence[Interval]) -> list[int] | None:
    """Which of the columns `among` others each one is; None where one is none of them, or may be two."""
    found: list[int] = []
    for start, end in columns:
        hits = [
            at
            for at, (one, other) in enumerate(among)
            if min(end, other) - max(start, one) > min(_NEAR, (end - start) / 2)
        ]
        if len(hits) != 1 or (found and hits[0] <= found[-1]):
            return None
        found.append(hits[0])
    return found
