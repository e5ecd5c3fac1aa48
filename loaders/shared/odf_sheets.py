"""Sheets as tables: one for each stretch of rows that hold something."""

from __future__ import annotations

from typing import Final, NamedTuple

from fumehood.document import Locator
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder, LinkSpan
from fumehood.loaders.shared.odf_tables import MAX_COLUMNS, MAX_ROWS, Cells
from fumehood.loaders.shared.story_items import Item
from fumehood.loaders.shared.story_writer import Writer

HEADING: Final = 2
"""Of a sheet's name: one of level 1 would become the document's title."""


class _Row(NamedTuple):
    """`number` from 1; cells in order of their columns."""

    number: int
    cells: Cells
    visible: bool


class SheetWriter:
    """Writes the sheets of a document, each under its name.

    A row that holds nothing ends a table; a column in which a table holds nothing is not shown. Hidden rows stand in their
    places, hidden columns in a table of their own behind the others; neither is visible.
    """

    def __init__(self, out: Builder, writer: Writer, budget: Budget) -> None:
        self._out = out
        self._writer = writer
        self._budget = budget
        self.number = 0
        self._hidden = False
        self._next = 1
        self._rows: list[_Row] = []
        self._concealed: list[_Row] = []
        self._after: list[Item] = []

    # ---- what the table reader calls -------------------------------------------------------------

    def begin(self, name: str, *, hidden: bool) -> SheetWriter:
        self._budget.spend("pages")
        self.number += 1
        self._hidden = hidden
        self._next = 1
        locator = Locator(sheet=self.number)
        if hidden:
            self._out.notice("hidden-part", locator)
        self._out.heading(name, HEADING, locator=locator, visible=not hidden)
        return self

    def row(self, number: int, repeated: int, cells: Cells, concealed: Cells, *, visible: bool) -> None:
        if number > self._next:
            self._end_region()
        self._next = number + repeated
        for at in range(number, number + repeated):
            if cells:
                self._rows.append(_Row(at, cells, visible))
            if concealed:
                self._concealed.append(_Row(at, concealed, False))

    def after(self, item: Item) -> None:
        self._after.append(item)

    def end(self) -> None:
        self._end_region()

    # ---- writing ---------------------------------------------------------------------------------

    def _end_region(self) -> None:
        self._write(self._rows)
        hidden = len(self._concealed) + sum(not row.visible for row in self._rows)
        if hidden and not self._hidden:
            self._out.notice("hidden-text", Locator(sheet=self.number), hidden)
        self._write(self._concealed)
        self._rows, self._concealed = [], []
        after, self._after = self._after, []
        for item in after:
            self._writer.write(item)

    def _write(self, rows: list[_Row]) -> None:
        if not rows:
            return
        used = sorted({column for row in rows for column, _ in row.cells})
        places = {column: place for place, column in enumerate(used)}
        group = self._out.new_group()
        for at, row in enumerate(rows):
            texts = [""] * len(used)
            links: dict[int, list[LinkSpan]] = {}
            for column, (text, inside) in row.cells:
                place = places[column]
                texts[place] = text
                if inside:
                    links[place] = inside
            self._out.table_row(
                texts,
                group,
                len(used),
                header=at == 0,
                locator=self._locator(row),
                visible=row.visible and not self._hidden,
                links=links,
            )

    def _locator(self, row: _Row) -> Locator:
        cells = cells_name(row.number, row.cells[0][0], row.cells[-1][0])
        return Locator(sheet=self.number, cells=cells)


def cells_name(row: int, first: int, last: int) -> str | None:
    """`B3:D3`: row from 1, columns from 0; None beyond what a name can say."""
    if row > MAX_ROWS or last >= MAX_COLUMNS:
        return None
    start = f"{column_name(first)}{row}"
    return start if first == last else f"{start}:{column_name(last)}{row}"


def column_name(column: int) -> str:
    """A to Z, then AA and so on; from 0."""
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("A") + letter) + name
    return name
