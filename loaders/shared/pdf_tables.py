"""Tables by their rules: upright and level lines that cross make a grid, and text belongs to the cell it stands in."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import msgspec

from fumehood.loaders.shared.builder import LinkSpan
from fumehood.loaders.shared.pdf_glyphs import BELOW, SHORTEST_RULE, GlyphRun, Rectangle

_NEAR: Final = 2.5
"""Points by which rules that meet may miss each other."""
_THIN: Final = 3.0
_NARROWEST: Final = 8.0
"""Points that an open column has at least."""
_MOST_RULES: Final = 2_000
"""Of each direction, once joined; drawings have more."""
_MOST_CROSSINGS: Final = 100_000
_MOST_CELLS: Final = 50_000


Interval = tuple[float, float]
Place = tuple[int, int]
"""Row and column, from 0, of a cell's top left part."""


class Cell(msgspec.Struct, gc=False):
    text: str = ""
    links: Sequence[LinkSpan] = ()


class Table(msgspec.Struct):
    """A table in the frame of its text. Rows may be shorter than the widest. `columns`: where each stands."""

    start: float
    end: float
    low: float
    high: float
    size: float
    rows: list[list[Cell]]
    columns: Sequence[Interval] = ()

    @property
    def text(self) -> str:
        return "\n".join("\t".join(cell.text for cell in row) for row in self.rows)


class Rule(NamedTuple):
    """At `at`, from `start` to `end` in the other direction."""

    at: float
    start: float
    end: float


class Grid:
    """What rules enclose: `xs` from the left, `ys` from the top. Cells that no rule parts are one.

    The outermost columns may be open: they reach as far as the level rules do.
    """

    def __init__(self, level: Sequence[Rule], upright: Sequence[Rule]) -> None:
        self.xs = _opened(_places(upright), level)
        self.ys = _places(level)[::-1]
        self._depths = [-y for y in self.ys]
        self._walls = _by_place(upright, self.xs)
        self._floors = _by_place(level, self.ys[::-1])
        self._roots: dict[tuple[int, int], tuple[int, int]] = {}
        self.is_carried = False
        """Whether it has the columns of a table that may go on here."""

    def has_columns(self, columns: Sequence[Interval]) -> bool:
        """Whether the columns that are given are some of its own."""
        return bool(columns) and all(
            any(abs(start - one) <= _NEAR and abs(end - other) <= _NEAR for one, other in pairwise(self.xs))
            for start, end in columns
        )

    @property
    def may_be_table(self) -> bool:
        """Whether it has two rows and two columns, or one row that goes on."""
        return self.columns > 1 and (self.rows > 1 or self.is_carried)

    def has_wall(self, rule: Rule) -> bool:
        """Whether an upright rule is one of its own, or stands within it."""
        return (
            self.xs[0] - _NEAR <= rule.at <= self.xs[-1] + _NEAR and rule.start < self.ys[0] and self.ys[-1] < rule.end
        )

    def closed(self) -> Iterator[Rectangle]:
        """The cells with rules on all sides, of a grid of one row or one column."""
        for row, (top, bottom) in enumerate(pairwise(self.ys)):
            for column, (left, right) in enumerate(pairwise(self.xs)):
                x, y = (left + right) / 2, (top + bottom) / 2
                floor = len(self.ys) - 1 - row
                if (
                    _is_there(self._walls[column], y)
                    and _is_there(self._walls[column + 1], y)
                    and _is_there(self._floors[floor], x)
                    and _is_there(self._floors[floor - 1], x)
                ):
                    yield left, bottom, right, top

    @property
    def rows(self) -> int:
        return len(self.ys) - 1

    @property
    def columns(self) -> int:
        return len(self.xs) - 1

    def cell_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Row and column of the cell there, the top left one of those that are one cell; None outside."""
        column = bisect_right(self.xs, x) - 1
        row = bisect_left(self._depths, -y) - 1
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            return None
        return self._root(row, column)

    def _root(self, row: int, column: int) -> tuple[int, int]:
        passed = []
        while True:
            known = self._roots.get((row, column))
            if known is not None:
                row, column = known
                break
            passed.append((row, column))
            y = (self.ys[row] + self.ys[row + 1]) / 2
            if column and not _is_there(self._walls[column], y):
                column -= 1
                continue
            x = (self.xs[column] + self.xs[column + 1]) / 2
            if row and not _is_there(self._floors[len(self.ys) - 1 - row], x):
                row -= 1
                continue
            break
        for one in passed:
            self._roots[one] = row, column
        return row, column

    def right_of(self, row: int, column: int) -> float:
        """The right edge of the cell whose top left part this is."""
        last = column
        while last + 1 < self.columns and self._root(row, last + 1) == (row, column):
            last += 1
        return self.xs[last + 1]


def _places(rules: Sequence[Rule]) -> list[float]:
    found: list[float] = []
    for rule in sorted(rules):
        if not found or rule.at - found[-1] > _NEAR:
            found.append(rule.at)
    return found


def _opened(places: list[float], across: Sequence[Rule]) -> list[float]:
    """The places, with the ends of the rules across them where most of these go on beyond the outermost place."""
    starts, ends = sorted(rule.start for rule in across), sorted(rule.end for rule in across)
    start, end = starts[len(starts) // 2], ends[len(ends) // 2]
    before = [start] if places[0] - start > _NARROWEST else []
    return [*before, *places, *([end] if end - places[-1] > _NARROWEST else [])]


def _by_place(rules: Sequence[Rule], places: Sequence[float]) -> list[list[Rule]]:
    found: list[list[Rule]] = [[] for _ in places]
    for rule in rules:
        found[max(0, bisect_right(places, rule.at + _NEAR / 100) - 1)].append(rule)
    for one in found:
        one.sort(key=lambda rule: rule.start)
    return found


def _is_there(rules: Sequence[Rule], place: float) -> bool:
    index = bisect_right(rules, place, key=lambda rule: rule.start) - 1
    return any(rule.end >= place for rule in rules[max(0, index - 3) : index + 1])


# ---- from rules to grids --------------------------------------------------------------------------------


def grids(level: Sequence[Rule], upright: Sequence[Rule], carried: Sequence[Interval] = ()) -> tuple[list[Grid], bool]:
    """The grids of :func:`level_rules` and :func:`upright_rules`, and whether there are too many rules to look for all.

    `carried`: the columns of a table that may go on: the highest grid with these may be of one row.
    """
    if len(level) > _MOST_RULES or len(upright) > _MOST_RULES:
        return [], True
    found = []
    for levels, uprights in _components(level, upright):
        grid = Grid(levels, uprights)
        if grid.rows * grid.columns > _MOST_CELLS:
            return [], True
        found.append(grid)
    highest = max((grid.ys[0] for grid in found if grid.columns > 1), default=0.0)
    for grid in found:
        grid.is_carried = grid.columns > 1 and grid.ys[0] == highest and grid.has_columns(carried)
    return found, False


def frames(found: Sequence[Grid]) -> list[Rectangle]:
    """Cells that rules close on all sides, of grids that are no tables."""
    return [frame for grid in found if not grid.may_be_table for frame in grid.closed()]


def level_rules(rules: Sequence[Rectangle]) -> list[Rule]:
    """The rules that run along, from the lowest; pieces of one are joined."""
    return _merged(
        Rule((bottom + top) / 2, left, right)
        for left, bottom, right, top in rules
        if top - bottom <= _THIN and right - left >= SHORTEST_RULE
    )


def upright_rules(rules: Sequence[Rectangle]) -> list[Rule]:
    """The same of those that run upwards, from the left."""
    return level_rules([(bottom, left, top, right) for left, bottom, right, top in rules])


def _merged(rules: Iterator[Rule]) -> list[Rule]:
    """Rules of one line that touch are one: borders are drawn cell by cell, and twice."""
    found: list[Rule] = []
    for rule in sorted(_snapped(sorted(rules))):
        last = found[-1] if found else None
        if last is not None and rule.at == last.at and rule.start - last.end <= _NEAR:
            if rule.end > last.end:
                found[-1] = Rule(last.at, last.start, rule.end)
        else:
            found.append(rule)
    return found


def _snapped(rules: Sequence[Rule]) -> Iterator[Rule]:
    at = None
    for rule in rules:
        if at is None or rule.at - at > _NEAR:
            at = rule.at
        yield rule if rule.at == at else Rule(at, rule.start, rule.end)


def _components(level: Sequence[Rule], upright: Sequence[Rule]) -> list[tuple[list[Rule], list[Rule]]]:
    """Rules that cross or touch, directly or by others."""
    parents = list(range(len(level) + len(upright)))

    def root(index: int) -> int:
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    heights = [rule.at for rule in level]
    crossings = 0
    for number, wall in enumerate(upright, start=len(level)):
        first = bisect_left(heights, wall.start - _NEAR)
        last = bisect_right(heights, wall.end + _NEAR)
        crossings += last - first
        if crossings > _MOST_CROSSINGS:
            return []
        for index in range(first, last):
            if level[index].start - _NEAR <= wall.at <= level[index].end + _NEAR:
                parents[root(number)] = root(index)
    found: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for index, rule in enumerate([*level, *upright]):
        found.setdefault(root(index), ([], []))[index >= len(level)].append(rule)
    return [both for both in found.values() if len(both[0]) > 1 and both[1]]


# ---- from grids to runs in cells --------------------------------------------------------------------------


class InCells(NamedTuple):
    """The runs in a grid, by row and column, and those elsewhere."""

    grid: Grid
    cells: dict[Place, list[GlyphRun]]


def shared_out(runs: Sequence[GlyphRun], found: Sequence[Grid]) -> tuple[list[GlyphRun], list[InCells]]:
    """The runs that stand in no table, and those in the cells of each. What has text in but one row or column is none."""
    left = list(runs)
    tables = []
    # Smaller ones first: the frame of a page is a grid too, and what is in it belongs to what it frames.
    for grid in sorted(found, key=lambda grid: (grid.xs[-1] - grid.xs[0]) * (grid.ys[0] - grid.ys[-1])):
        cells: dict[tuple[int, int], list[GlyphRun]] = {}
        others = []
        for run in left:
            place = grid.cell_at((run.start + run.end) / 2, run.base + (0.5 - BELOW) * run.size)
            if place is None:
                others.append(run)
            else:
                cells.setdefault(place, []).append(run)
        if _is_table(cells, fewest_rows=1 if grid.is_carried else 2):
            tables.append(InCells(grid, cells))
            left = others
    return left, tables


_LONGEST_CELL: Final = 600


def _is_table(cells: dict[tuple[int, int], list[GlyphRun]], *, fewest_rows: int) -> bool:
    """At least so many rows and two columns with something in them, and no cell that is a page's text."""
    if len({row for row, _ in cells}) < fewest_rows or len({column for _, column in cells}) < 2:
        return False
    lengths = sorted(sum(len(run.text) for run in runs) for runs in cells.values())
    return lengths[len(lengths) // 2] <= _LONGEST_CELL and lengths[-1] <= 8 * _LONGEST_CELL
