"""Tables of HTML: what is one, and its grid (WHATWG HTML, 4.9.12.1, the algorithm for forming a table)."""

from __future__ import annotations

import re
from typing import Any, Final

from fumehood.document import Locator
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder, LinkSpan
from fumehood.loaders.shared.grid import Cell, Row, write_rows
from fumehood.loaders.shared.html_names import STRUCTURES, TABLE_HEADS

_MAX_COLSPAN: Final = 1_000
_MAX_ROWSPAN: Final = 65_534
"""4.9.11: wider and longer cells are cut to that."""
_NUMBER: Final = re.compile(r"[\t\n\f\r ]*\+?([0-9]{1,9})")
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_PROSE: Final = frozenset({"p", "div"})
_OLD_STYLE: Final = frozenset({"presentation", "none"})


class Grid:
    """The rows of one table as they are read. Columns in which no text starts are left out."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._rows: list[Row] = []
        self._cells: list[Cell] = []
        self._locator: Locator | None = None
        self._column = 0
        self._occupied: list[tuple[int, int, int]] = []  # from above: first column, the one behind the last, rows left
        self._next: list[tuple[int, int, int]] = []
        self._open = False

    def start_row(self, locator: Locator | None) -> None:
        self.end_row()
        self._open = True
        self._locator = locator
        self._column = 0
        # Cells that reach down are looked at again in every row.
        self._budget.spend("nodes", len(self._next))
        self._occupied = sorted(self._next)
        self._next = [(first, stop, rows - 1) for first, stop, rows in self._occupied if rows > 1]

    def end_row(self) -> None:
        if self._open and self._cells:
            self._rows.append(Row(self._cells, self._locator))
        self._cells = []
        self._open = False

    def add_cell(self, text: str, links: list[LinkSpan], colspan: str, rowspan: str) -> None:
        """One cell; its text stands at its top left."""
        column = self._free_column()
        stop = column + max(1, min(_number(colspan), _MAX_COLSPAN))
        rows = min(_number(rowspan, least=0), _MAX_ROWSPAN) or _MAX_ROWSPAN
        if rows > 1:
            self._next.append((column, stop, rows - 1))
        self._column = stop
        if text.strip():
            self._cells.append(Cell(column, text, links))

    def _free_column(self) -> int:
        column = self._column
        while self._occupied and self._occupied[0][0] <= column:
            column = max(column, self._occupied.pop(0)[1])
        return column

    def write(self, out: Builder) -> None:
        """The table as rows of one group."""
        self.end_row()
        write_rows(self._rows, sorted({cell.column for row in self._rows for cell in row.cells}), out)


def is_layout(table: Any) -> bool:
    """Whether a table only places things on the page.

    It says so, or has one column, or its cells hold what no cell of data does. Inner tables are judged for themselves.
    """
    attributes = table.attrs or {}
    if (attributes.get("role") or "").lower() in _OLD_STYLE:
        return True
    if (attributes.get("border") or "0") not in ("0", ""):
        return False
    widest = width = 0
    structured = heading = prose = False
    waiting = list(table.children)
    while waiting:
        node = waiting.pop()
        name = node.name
        if name in TABLE_HEADS:
            return False
        if name == "tr":
            widest, width = max(widest, width), 0
        elif name == "td":
            width += 1
        structured = structured or name in STRUCTURES
        heading = heading or name in _HEADINGS
        prose = prose or name in _PROSE
        if name != "table" and name != "#text" and node.children:
            waiting.extend(node.children)
    # A heading alone is the whole of its cell; above prose it is that of a part of the page.
    return structured or (heading and prose) or max(widest, width) <= 1


def _number(text: str, least: int = 1) -> int:
    match = _NUMBER.match(text)
    return 1 if match is None else max(least, int(match[1]))
