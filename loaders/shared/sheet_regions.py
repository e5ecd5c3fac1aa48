"""The regions of a sheet: what stands together becomes one table.

A wholly empty row ends a region. Columns side by side are of one region, since they may be labels and their figures
with a column of air between them, unless they look like tables of their own: each at least two columns wide that hold
something, and between them either two empty columns, or one and rows that only the right one has. A table that the
document itself knows of (ECMA-376 part 1, 18.5) is a region if nothing stands beside its first row.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from fumehood.loaders.shared.cell_names import Area
from fumehood.loaders.shared.sheet_rows import Row, Spans

_LEAST_WIDTH: Final = 2
_WIDE_GAP: Final = 2


class Region(NamedTuple):
    """`columns`: those that hold something in any of the rows, from left to right."""

    rows: list[Row]
    columns: list[int]

    @property
    def area(self) -> Area:
        return Area(self.rows[0].number, self.columns[0], self.rows[-1].number, self.columns[-1])


def regions(rows: Sequence[Row], spans: Spans, tables: Iterable[Area]) -> Iterator[Region]:
    """The regions from top to bottom; those beside each other from left to right, each with all that is below it."""
    starts = {table.top: table for table in sorted(tables, reverse=True)}
    for band in _bands(rows, spans):
        sides = _sides(band, spans)
        for side in sides:
            for part in _bands(side, spans) if len(sides) > 1 else [side]:
                for piece in _at_tables(part, starts):
                    yield Region(piece, sorted(_held(piece)))


def _bands(rows: Iterable[Row], spans: Spans) -> Iterator[list[Row]]:
    """Rows without an empty one between them; one that a merged cell is drawn over is not empty."""
    band: list[Row] = []
    reach = 0
    for row in rows:
        if band and row.number > reach + 1:
            yield band
            band, reach = [], 0
        band.append(row)
        reach = max(reach, row.number)
        if row.number in spans:
            held = set(row.columns)
            reach = max([reach, *(area.bottom for area in spans[row.number] if area.left in held)])
    if band:
        yield band


def _held(rows: Iterable[Row]) -> set[int]:
    held: set[int] = set()
    for row in rows:
        held.update(row.columns)
        if row.concealed:
            held.update(row.concealed)
    return held


# ---- side by side ---------------------------------------------------------------------------------------------------


class _Side(NamedTuple):
    """Columns with no empty one between them. `width`: how many hold something."""

    left: int
    right: int
    width: int
    top: int
    bottom: int

    def joined(self, other: _Side) -> _Side:
        return _Side(
            self.left,
            other.right,
            self.width + other.width,
            min(self.top, other.top),
            max(self.bottom, other.bottom),
        )

    def is_apart_from(self, right: _Side) -> bool:
        if self.width < _LEAST_WIDTH or right.width < _LEAST_WIDTH:
            return False
        within = self.top <= right.top and right.bottom <= self.bottom
        return right.left - self.right > _WIDE_GAP or not within


def _sides(band: list[Row], spans: Spans) -> list[list[Row]]:
    columns = sorted(_held(band))
    runs = _runs(columns, [area for row in band for area in spans.get(row.number, ())])
    if len(runs) == 1:
        return [band]
    cuts: list[int] = []
    before: _Side | None = None
    for side in _measured(band, columns, runs):
        if before is not None and before.is_apart_from(side):
            cuts.append(side.left)
            before = side
        else:
            before = side if before is None else before.joined(side)
    if not cuts:
        return [band]
    bounds = [0, *cuts, columns[-1] + 1]
    return [_between(band, left, right) for left, right in pairwise(bounds)]


def _runs(columns: list[int], spans: list[Area]) -> list[tuple[int, int]]:
    """First and last columns of the runs that columns which hold something make with merged cells between them."""
    drawn = [(column, column) for column in columns] + [(area.left, area.right) for area in spans]
    runs: list[tuple[int, int]] = []
    for left, right in sorted(drawn):
        if runs and left <= runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], max(runs[-1][1], right))
        else:
            runs.append((left, right))
    return runs


def _measured(band: list[Row], columns: list[int], runs: list[tuple[int, int]]) -> list[_Side]:
    starts = [left for left, _ in runs]
    of_column = {column: bisect_right(starts, column) - 1 for column in columns}
    width = [0] * len(runs)
    for run in of_column.values():
        width[run] += 1
    top, bottom = [0] * len(runs), [0] * len(runs)
    for row in band:
        for run in {of_column[column] for column in row.columns}:
            top[run] = top[run] or row.number
            bottom[run] = row.number
    return [_Side(*run, width[at], top[at], bottom[at]) for at, run in enumerate(runs)]


def _between(rows: Iterable[Row], left: int, right: int) -> list[Row]:
    """What the rows hold from column `left` to before `right`."""
    found: list[Row] = []
    for row in rows:
        first, last = bisect_left(row.columns, left), bisect_left(row.columns, right)
        concealed = {column: text for column, text in (row.concealed or {}).items() if left <= column < right} or None
        if first < last or concealed:
            found.append(Row(row.number, row.hidden, row.columns[first:last], row.texts[first:last], concealed))
    return found


def _at_tables(rows: list[Row], starts: dict[int, Area]) -> Iterator[list[Row]]:
    """`rows` cut before and behind the document's own tables."""
    piece: list[Row] = []
    end: int | None = None
    for row in rows:
        table = starts.get(row.number)
        begins = table is not None and row.columns and _fits(row, table)
        if piece and (begins or (end is not None and row.number > end)):
            yield piece
            piece = []
        if begins and table is not None:
            end = table.bottom
        elif end is not None and row.number > end:
            end = None
        piece.append(row)
    if piece:
        yield piece


def _fits(row: Row, table: Area) -> bool:
    return table.left <= row.columns[0] and row.columns[-1] <= table.right
