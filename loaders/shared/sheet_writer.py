"""From the regions of a sheet to blocks: tables, titles above them, and behind each what nobody sees and what is remarked."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, Generic, Protocol, TypeVar

from fumehood.document import Locator
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder, LinkSpan
from fumehood.loaders.shared.cell_names import LAST_ROW, Area, column_name
from fumehood.loaders.shared.sheet_regions import Region
from fumehood.loaders.shared.sheet_rows import Row

Links = Mapping[int, Mapping[int, list[LinkSpan]]]
"""The links in cells' texts, by row and by column."""

_Remark = TypeVar("_Remark")

_MOST_TITLES: Final = 3


class Remarks(Protocol):
    """What stands behind or before the region which its cell is in."""

    def take(self, area: Area) -> None:
        """Writes what is anchored in `area`."""

    def rest(self) -> None:
        """Writes what no region took."""


class Anchored(Generic[_Remark]):
    """Remarks by the row and column of their cells, each given to `write` once, with the cell."""

    def __init__(
        self, remarks: Mapping[tuple[int, int], list[_Remark]], budget: Budget, write: Callable[[Area, _Remark], None]
    ) -> None:
        self._budget = budget
        self._write = write
        self._by_row: dict[int, dict[int, list[_Remark]]] = {}
        for row, column in sorted(remarks):
            self._by_row.setdefault(row, {})[column] = remarks[row, column]
        self._rows = sorted(self._by_row)

    def take(self, area: Area) -> None:
        for row in self._rows[bisect_left(self._rows, area.top) : bisect_right(self._rows, area.bottom)]:
            here = self._by_row[row]
            self._budget.spend("nodes", len(here))
            for column in [column for column in here if area.left <= column <= area.right]:
                self._each(row, column, here.pop(column))

    def rest(self) -> None:
        for row, here in self._by_row.items():
            for column, remarks in here.items():
                self._each(row, column, remarks)

    def _each(self, row: int, column: int, remarks: list[_Remark]) -> None:
        for remark in remarks:
            self._write(Area(row, column, row, column), remark)


class SheetWriter:
    """Writes one sheet. `number`: of the sheet, from 1; `hidden_columns`: in order, none touching another."""

    def __init__(
        self,
        out: Builder,
        budget: Budget,
        number: int,
        *,
        visible: bool,
        hidden_columns: list[tuple[int, int]],
        links: Links,
        before: Sequence[Remarks] = (),
        behind: Sequence[Remarks] = (),
    ) -> None:
        self._out = out
        self._budget = budget
        self._number = number
        self._visible = visible
        self._hidden_columns = hidden_columns
        self._hidden_starts = [first for first, _ in hidden_columns]
        self._links = links
        self._before = before
        self._behind = behind
        self.hidden_cells = 0

    def write(self, regions: Iterable[Region]) -> None:
        for region in regions:
            for remarks in self._before:
                remarks.take(region.area)
            self._region(region)
            for remarks in self._behind:
                remarks.take(region.area)
        for remarks in (*self._before, *self._behind):
            remarks.rest()

    def locator(self, area: Area) -> Locator:
        return Locator(sheet=self._number, cells=area.name)

    # ---- a region --------------------------------------------------------------------------------

    def _region(self, region: Region) -> None:
        shown = [column for column in region.columns if not self._are_hidden(column, column)]
        concealed = _concealed(region.rows, set(region.columns).difference(shown))
        rows = region.rows
        if concealed:
            rows = _without(rows, shown)
            shown = sorted({column for row in rows for column in row.columns})
        titles = _titles(rows, len(shown))
        for row in rows[:titles]:
            self._title(row)
        if titles < len(rows):
            self._table(rows[titles:], shown)
        if concealed:
            self._concealed(concealed)

    def _are_hidden(self, first: int, last: int) -> bool:
        at = bisect_right(self._hidden_starts, first) - 1
        return at >= 0 and last <= self._hidden_columns[at][1]

    def _title(self, row: Row) -> None:
        (column,), (text,) = row.columns, row.texts
        visible = self._visible and not row.hidden
        self._count(row.hidden, 1)
        cell = Area(row.number, column, row.number, column)
        links = self._links.get(row.number, {}).get(column, ())
        self._out.paragraph(text, locator=self.locator(cell), visible=visible, links=links)

    def _table(self, rows: list[Row], columns: list[int]) -> None:
        places = _places(columns, self._are_hidden)
        width = places[columns[-1]] + 1
        first, last = column_name(columns[0]), column_name(columns[-1])
        # A header must be as wide as the widest row; shorter rows are filled up by whoever renders the table (GFM
        # 4.10). They are filled up here unless one endless row would make that the bulk of the text.
        padded = width * len(rows) <= self._budget.limits.table_cells
        for group, header, row in self._grouped(rows):
            cells = row.texts if row.columns == columns and len(columns) == width else _placed(row, places)
            number = min(row.number, LAST_ROW)
            if row.hidden:
                self._count(True, len(cells))
            self._out.table_row(
                cells,
                group,
                width if padded or header else len(cells),
                header=header,
                locator=Locator(
                    sheet=self._number, cells=f"{first}{number}" if first == last else f"{first}{number}:{last}{number}"
                ),
                visible=self._visible and not row.hidden,
                links=self._placed_links(row, places) if self._links else None,
            )
            # A sheet's cells and its text are not held twice.
            row.columns, row.texts = [], []

    def _grouped(self, rows: list[Row]) -> Iterator[tuple[int, bool, Row]]:
        """Each row with its group, and whether it is the header: hidden rows in front of it are a table of their own."""
        group = self._out.new_group()
        header = True
        seen = not rows[0].hidden
        for row in rows:
            if not row.hidden and not seen:
                seen = header = True
                group = self._out.new_group()
            yield group, header, row
            header = False

    def _placed_links(self, row: Row, places: Mapping[int, int]) -> dict[int, list[LinkSpan]] | None:
        links = self._links.get(row.number)
        if not links:
            return None
        return {places[column]: links[column] for column in row.columns if column in links}

    def _concealed(self, cells: dict[int, dict[int, str]]) -> None:
        columns = sorted({column for row in cells.values() for column in row})
        places = _places(columns, lambda first, last: False)
        width = places[columns[-1]] + 1
        group = self._out.new_group()
        header = True
        for number, held in cells.items():
            row = Row(number, True, sorted(held), [held[column] for column in sorted(held)])
            self._count(True, len(held))
            place = Area(number, row.columns[0], number, row.columns[-1])
            placed = _placed(row, places)
            self._out.table_row(
                placed,
                group,
                width if header else len(placed),
                header=header,
                locator=self.locator(place),
                visible=False,
            )
            header = False

    def _count(self, hidden: bool, cells: int) -> None:
        if hidden and self._visible:
            self.hidden_cells += cells


def _titles(rows: list[Row], columns: int) -> int:
    """How many rows on top are no part of the table: a cell alone each, over rows of more. All, if it is but one cell."""
    if columns == 1 and len(rows) == 1 and len(rows[0].columns) == 1:
        return 1
    for at, row in enumerate(rows[: _MOST_TITLES + 1]):
        if len(row.columns) > 1:
            return at
        if len(row.columns) != 1:
            break
    return 0


def _places(columns: list[int], are_hidden: Callable[[int, int], bool]) -> dict[int, int]:
    """Where in a row of the table each column stands: a gap of any width is one empty cell, if any of it is seen."""
    places: dict[int, int] = {}
    place = -1
    before = columns[0] - 1
    for column in columns:
        place += 1 if column == before + 1 or are_hidden(before + 1, column - 1) else 2
        places[column] = place
        before = column
    return places


def _placed(row: Row, places: Mapping[int, int]) -> list[str]:
    cells: list[str] = []
    for column, text in zip(row.columns, row.texts, strict=True):
        cells.extend([""] * (places[column] - len(cells)))
        cells.append(text)
    return cells


def _without(rows: Iterable[Row], shown: list[int]) -> list[Row]:
    """What the rows hold in the columns that are shown; rows that hold nothing there are left out."""
    columns = set(shown)
    found: list[Row] = []
    for row in rows:
        cells = [(column, text) for column, text in zip(row.columns, row.texts, strict=True) if column in columns]
        if cells:
            found.append(Row(row.number, row.hidden, [column for column, _ in cells], [text for _, text in cells]))
    return found


def _concealed(rows: Iterable[Row], hidden_columns: set[int]) -> dict[int, dict[int, str]]:
    """What nobody sees in rows that are seen, by row and column: cells that are concealed, and those in hidden columns."""
    found: dict[int, dict[int, str]] = {}
    for row in rows:
        held = dict(row.concealed or {})
        if hidden_columns:
            held |= {
                column: text for column, text in zip(row.columns, row.texts, strict=True) if column in hidden_columns
            }
        if held:
            found[row.number] = held
    return found
