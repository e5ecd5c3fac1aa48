"""Tables of rows that hold only cells with something in them, each at its place in a grid."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from fumehood.document import Locator
from fumehood.loaders.shared.builder import Builder, LinkSpan


class Cell(NamedTuple):
    """A cell that is not empty. `column`: the grid column that it starts in, from 0."""

    column: int
    text: str
    links: list[LinkSpan]


class Row(NamedTuple):
    cells: list[Cell]
    locator: Locator | None


def write_rows(rows: Sequence[Row], columns: Sequence[int], out: Builder, *, visible: bool = True) -> None:
    """Writes one table. `columns`: the grid columns in which any cell starts, in order; no other is the table's."""
    group = out.new_group() if rows else 0
    for at, row in enumerate(rows):
        cells: list[str] = []
        links: dict[int, list[LinkSpan]] = {}
        for cell in row.cells:
            place = bisect_right(columns, cell.column) - 1
            cells.extend([""] * (place - len(cells)))
            if cell.links:
                links[len(cells)] = cell.links
            cells.append(cell.text)
        out.table_row(cells, group, len(columns), header=at == 0, locator=row.locator, visible=visible, links=links)
