"""Merged cells (ECMA-376 part 1, 18.3.1.55): the first one is shown over all of them, whatever the others hold."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable
from heapq import heappop, heappush
from typing import Final

from fumehood.loaders.shared.cell_names import LAST_ROW, Area
from fumehood.loaders.shared.sheet_rows import Row, Spans

_BEYOND: Final = LAST_ROW + 1


def cover(rows: list[Row], merged: Iterable[Area]) -> Spans:
    """Moves what stands in covered cells to what nobody sees; returns the areas that show something.

    Areas must not overlap (18.3.1.55); of those that do the first one counts, so that the rows take one look-up
    for each cell. Rows must be in order.
    """
    spans: Spans = {}
    active = _Active()
    waiting = sorted(merged, reverse=True)
    for row in rows:
        while waiting and waiting[-1].top <= row.number:
            area = waiting.pop()
            if area.bottom >= row.number:
                active.add(area)
        active.end_before(row.number)
        if active.areas:
            _cover_row(row, active, spans)
    return spans


class _Active:
    """The areas that the row at hand is in, from left to right, none overlapping another."""

    def __init__(self) -> None:
        self.areas: list[tuple[int, Area]] = []
        self._ends: list[tuple[int, int]] = []

    def add(self, area: Area) -> None:
        before = self._before(area.right)
        if before is not None and before.right >= area.left:
            # Where one ends above the row, it is taken out just after; that is not an overlap.
            self.end_before(area.top)
            before = self._before(area.right)
            if before is not None and before.right >= area.left:
                return
        insort(self.areas, (area.left, area))
        heappush(self._ends, (area.bottom, area.left))

    def end_before(self, row: int) -> None:
        while self._ends and self._ends[0][0] < row:
            _, left = heappop(self._ends)
            del self.areas[bisect_right(self.areas, (left, _LAST)) - 1]

    def at(self, column: int) -> Area | None:
        """The area that covers the column."""
        before = self._before(column)
        return before if before is not None and before.right >= column else None

    def _before(self, column: int) -> Area | None:
        at = bisect_right(self.areas, (column, _LAST)) - 1
        return self.areas[at][1] if at >= 0 else None


_LAST: Final = Area(_BEYOND, 0, 0, 0)


def _cover_row(row: Row, active: _Active, spans: Spans) -> None:
    covered: list[int] = []
    for place, column in enumerate(row.columns):
        area = active.at(column)
        if area is None:
            continue
        if (row.number, column) == (area.top, area.left):
            spans.setdefault(row.number, []).append(area)
        else:
            covered.append(place)
    if covered:
        row.concealed = row.concealed or {}
        for place in reversed(covered):
            row.concealed[row.columns.pop(place)] = row.texts.pop(place)
