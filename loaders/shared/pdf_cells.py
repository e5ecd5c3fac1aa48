"""What stands between two rules in a table may be several rows: numbers below one another, at the same heights in each column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from fumehood.loaders.shared.pdf_carried import is_number
from fumehood.loaders.shared.pdf_lines import Line
from fumehood.loaders.shared.pdf_tables import Place

_LEVEL: Final = 0.3
"""Of the size, how far lines at one height are apart."""
_FEWEST_COLUMNS: Final = 2


class Part(NamedTuple):
    """The cell in the column of a row, or the part of it at one height: 0 is the highest."""

    row: int
    height: int
    column: int


def parted(cells: Mapping[Place, Sequence[Line]]) -> dict[Part, list[Line]]:
    """The lines of each cell, in parts where its row is several."""
    rows: dict[int, dict[int, Sequence[Line]]] = {}
    for (row, column), lines in cells.items():
        rows.setdefault(row, {})[column] = lines
    found: dict[Part, list[Line]] = {}
    for row, columns in rows.items():
        heights = _heights(list(columns.values()))
        for column, lines in columns.items():
            for line in lines:
                found.setdefault(Part(row, _height(line, heights), column), []).append(line)
    return found


def _heights(cells: Sequence[Sequence[Line]]) -> list[float]:
    """Base lines, from the highest, that at least two columns of several numbers share; else none."""
    numbers = [lines for lines in cells if len(lines) > 1 and all(is_number(line.text) for line in lines)]
    if len(numbers) < _FEWEST_COLUMNS:
        return []
    first = sorted(numbers[0], key=lambda line: -line.base)
    for lines in numbers[1:]:
        if len(lines) != len(first):
            return []
        others = sorted(lines, key=lambda line: -line.base)
        if any(abs(one.base - other.base) > _LEVEL * one.size for one, other in zip(first, others, strict=True)):
            return []
    return [line.base for line in first]


def _height(line: Line, heights: Sequence[float]) -> int:
    """Which one the line is at; what is at none belongs to all of them, and stands with the first."""
    return next((at for at, base in enumerate(heights) if abs(line.base - base) <= _LEVEL * line.size), 0)
