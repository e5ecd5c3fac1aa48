"""Sheets of a spreadsheet: each is collected, and written as the regions of what stands together in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fumehood.document import Locator
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder, LinkSpan
from fumehood.loaders.shared.cell_names import Area
from fumehood.loaders.shared.odf_tables import Cells
from fumehood.loaders.shared.sheet_regions import regions
from fumehood.loaders.shared.sheet_rows import Row, Spans
from fumehood.loaders.shared.sheet_writer import Anchored, SheetWriter
from fumehood.loaders.shared.story_items import Item
from fumehood.loaders.shared.story_writer import Writer

HEADING: Final = 2
"""Of a sheet's name: one of level 1 would become the document's title."""


class Spreadsheet:
    """Takes the sheets of a document one after another, and writes each under its name."""

    def __init__(self, out: Builder, writer: Writer, budget: Budget) -> None:
        self._out = out
        self._writer = writer
        self._budget = budget
        self.number = 0
        self._begin(hidden=False)

    def _begin(self, *, hidden: bool) -> None:
        self._hidden = hidden
        self._rows: list[Row] = []
        self._hidden_columns: list[tuple[int, int]] = []
        self._spans: Spans = {}
        self._links: dict[int, dict[int, list[LinkSpan]]] = {}
        self._behind: dict[tuple[int, int], list[Item]] = {}

    # ---- what the table reader calls -------------------------------------------------------------

    def begin(self, name: str, *, hidden: bool) -> Spreadsheet:
        self._budget.spend("pages")
        self.number += 1
        self._begin(hidden=hidden)
        locator = Locator(sheet=self.number)
        if hidden:
            self._out.notice("hidden-part", locator)
        self._out.heading(name, HEADING, locator=locator, visible=not hidden)
        return self

    def hide_columns(self, first: int, last: int) -> None:
        if self._hidden_columns and self._hidden_columns[-1][1] + 1 == first:
            first, _ = self._hidden_columns.pop()
        self._hidden_columns.append((first, last))

    def row(self, number: int, repeated: int, cells: Cells, covered: dict[int, str], *, visible: bool) -> None:
        columns = [column + 1 for column, _ in cells]
        texts = [text for _, (text, _) in cells]
        links = {column + 1: inside for column, (_, inside) in cells if inside}
        for at in range(number, number + repeated):
            # The lists are never changed, only put away, so that rows may share them.
            self._rows.append(Row(at, not visible, columns, texts, covered or None))
            if links:
                self._links[at] = links

    def texts(self, number: int, repeated: int, columns: Sequence[int], texts: list[str], *, visible: bool) -> None:
        held = list(columns)
        for at in range(number, number + repeated):
            self._rows.append(Row(at, not visible, held, texts))

    def merge(self, area: Area) -> None:
        self._spans.setdefault(area.top, []).append(area)

    def after(self, item: Item, row: int, column: int) -> None:
        self._behind.setdefault((row, column), []).append(item)

    def end(self) -> None:
        writer = SheetWriter(
            self._out,
            self._budget,
            self.number,
            visible=not self._hidden,
            hidden_columns=self._hidden_columns,
            links=self._links,
            behind=[Anchored(self._behind, self._budget, self._write_behind)],
        )
        writer.write(regions(self._rows, self._spans, ()))
        if writer.hidden_cells:
            self._out.notice("hidden-text", Locator(sheet=self.number), writer.hidden_cells)
        self._begin(hidden=False)

    def _write_behind(self, _cell: Area, item: Item) -> None:
        self._writer.write(item)


def held_cells(part: bytes) -> int:
    """How many cells hold a text of their own: never more than there are, with the prefixes that all programs write."""
    return min(part.count(b"<table:table-cell"), part.count(b"<text:p>") + part.count(b"<text:p "))
