r"""Tables of RTF (RTF 1.9.1, "Table Definitions"): rows that are defined one by one, put into one grid.

Nothing says where a table starts or ends, nor how many columns it has: rows follow each other, each with the right
edges of its own cells in twips.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from fumehood.document import Locator
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.grid import Cell, Row
from fumehood.loaders.shared.lines import Line, joined
from fumehood.loaders.shared.story_items import Item, Table

_MAX_EDGES: Final = 16_384
"""Of one row; Word has 63."""
_SAME_EDGE: Final = 60
"""Twips, a millimetre: edges nearer than that are the same, drawn by hand."""


@dataclass(slots=True)
class RowEdges:
    r"""What `\trowd` starts: the left edge of the row and the right edge of each cell."""

    left: int = 0
    right: list[int] = field(default_factory=list)

    def add(self, edge: int) -> None:
        if len(self.right) < _MAX_EDGES:
            self.right.append(edge)

    def starts(self, cells: int) -> tuple[int, ...] | None:
        """The left edge of each of `cells` cells, in rising order; None if the row is not defined so."""
        edges = (self.left, *self.right[: cells - 1])
        return edges if len(edges) == cells and all(a < b for a, b in pairwise(edges)) else None


@dataclass(slots=True)
class _Row:
    cells: list[tuple[int, Line]]
    width: int
    starts: tuple[int, ...] | None
    locator: Locator | None


class Grid:
    """One table while it is read. `level`: 1 for a table in the text, 2 for one in its cells."""

    def __init__(self, level: int, budget: Budget) -> None:
        self.level = level
        self.after: list[Item] = []
        self._budget = budget
        self._rows: list[_Row] = []
        self._cells: list[tuple[int, Line]] = []
        self._width = 0
        self._lines: list[Line] = []
        self._first: int | None = None
        self._last = 0
        self._held = 0

    def line(self, line: Line) -> None:
        """A paragraph of the cell at hand."""
        self._lines.append(line)

    def at(self, paragraph: int) -> None:
        """Something of the row at hand stands in this paragraph."""
        self._first, self._last = self._first or paragraph, paragraph

    def end_cell(self) -> None:
        text, links = joined(self._lines) if self._lines else ("", [])
        if text:
            self._held += 1
            self._budget.check("table_cells", self._budget.used("table_cells") + self._held)
            self._cells.append((self._width, (text, links)))
        self._lines = []
        self._width += 1

    def end_row(self, edges: RowEdges | None) -> None:
        """The row ends; `edges` are its own, None if nothing defines it."""
        if self._lines:
            self.end_cell()
        if self._cells:
            starts = edges.starts(self._width) if edges is not None else None
            if self._rows and starts == self._rows[-1].starts:
                starts = self._rows[-1].starts  # one copy for all rows of the same shape
            self._rows.append(_Row(self._cells, self._width, starts, self._locator()))
        self._cells, self._width, self._first = [], 0, None

    def table(self) -> Table:
        """The whole table; a row that is not ended ends here."""
        self.end_row(None)
        places = self._places()
        table = Table(after=list(self.after))
        columns: set[int] = set()
        for row in self._rows:
            taken = -1
            cells: list[Cell] = []
            for index, (text, links) in row.cells:
                column = index if places is None or row.starts is None else _place(places, row.starts[index])
                taken = max(column, taken + 1)
                cells.append(Cell(taken, text, links))
                columns.add(taken)
            table.rows.append(Row(cells, row.locator))
        table.columns = sorted(columns)
        return table

    def _locator(self) -> Locator | None:
        if not self._first:  # Paragraphs of headers and footers are not counted.
            return None
        return Locator(paragraph=self._first, paragraph_end=self._last if self._last > self._first else None)

    def _places(self) -> list[int] | None:
        """The left edges of all columns; None if the rows have as many cells each, or edges are of no use."""
        if len({row.width for row in self._rows}) == 1 or any(row.starts is None for row in self._rows):
            return None
        places: list[int] = []
        for edge in sorted({edge for row in self._rows for edge in row.starts or ()}):
            if not places or edge - places[-1] > _SAME_EDGE:
                places.append(edge)
        return places


def _place(places: list[int], edge: int) -> int:
    return max(0, bisect_right(places, edge) - 1)
