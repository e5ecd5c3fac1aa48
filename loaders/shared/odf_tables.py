"""Tables of text documents and of spreadsheets: spans, repeats as counts, what is hidden (ODF 1.3 part 3, 9)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Final, Protocol

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.cell_names import Area
from fumehood.loaders.shared.grid import Cell, Row
from fumehood.loaders.shared.lines import Line, joined
from fumehood.loaders.shared.odf_names import Attributes, count, qname
from fumehood.loaders.shared.odf_plain_rows import PlainRow
from fumehood.loaders.shared.odf_rows import CellMarkup, UsualRow, UsualRows, paragraphs
from fumehood.loaders.shared.odf_story import Emit, Story
from fumehood.loaders.shared.odf_text import TextReader
from fumehood.loaders.shared.odf_values import VALUE_TYPE, shown
from fumehood.loaders.shared.odf_xml import Dispatcher
from fumehood.loaders.shared.story_items import Item, Paragraph, Table, labelled
from fumehood.loaders.shared.tally import Tally

MAX_COLUMNS: Final = 18_278
MAX_ROWS: Final = 9_999_999
"""Of one repeat. Programs have 16,384 columns and 1,048,576 rows."""

_NAME: Final = qname("table:name")
_STYLE: Final = qname("table:style-name")
_COLUMNS_REPEATED: Final = qname("table:number-columns-repeated")
_ROWS_REPEATED: Final = qname("table:number-rows-repeated")
_COLUMNS_SPANNED: Final = qname("table:number-columns-spanned")
_ROWS_SPANNED: Final = qname("table:number-rows-spanned")
_VISIBILITY: Final = qname("table:visibility")
_DEFAULT_STYLE: Final = qname("table:default-cell-style-name")
_FORMULA: Final = qname("table:formula")
_NUMBER: Final = "number-"
"""In the names of all attributes that make a cell more than one."""
_LEVELS_OF_A_CELL: Final = 2
_UNSEEN: Final = frozenset({"collapse", "filter"})


Cells = list[tuple[int, Line]]
"""Cells that hold something, each with its column, from 0."""


class Sheet(Protocol):
    """Takes one sheet. Rows and columns count from 1 but in `Cells`."""

    def hide_columns(self, first: int, last: int) -> None:
        """Columns that are not seen, in order, before any row."""

    def row(self, number: int, repeated: int, cells: Cells, covered: dict[int, str], *, visible: bool) -> None:
        """`repeated` rows from `number` on that hold something; `covered`: by columns, what merged cells lie on."""

    def texts(self, number: int, repeated: int, columns: Sequence[int], texts: list[str], *, visible: bool) -> None:
        """The same where all cells are texts without links; `columns` from 1."""

    def merge(self, area: Area) -> None:
        """A merged cell that holds something."""

    def after(self, item: Item, row: int, column: int) -> None:
        """What is anchored in a cell, or in the sheet, which is its first cell."""

    def end(self) -> None:
        """The sheet is over."""


class Sheets(Protocol):
    """Takes the tables that are sheets."""

    def begin(self, name: str, *, hidden: bool) -> Sheet: ...


@dataclass(frozen=True, slots=True)
class _Columns:
    """Those before `end` that none before says anything of, and the style of their cells."""

    end: int
    style: str | None


@dataclass(slots=True)
class Grid:
    """A table while it is read: the open row counts from 1, the open column from 0; `first`: the row's first paragraph."""

    emit: Emit
    sheet: Sheet | None
    table: Table = field(default_factory=Table)
    story: Story = field(default_factory=lambda: Story(lambda item: None))
    cell_story: Story = field(default_factory=lambda: Story(lambda item: None))
    columns: list[_Columns] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    cells: Cells = field(default_factory=list)
    covered: dict[int, str] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    cell: Attributes = field(default_factory=dict)
    row_style: str | None = None
    repeated: int = 1
    visible: bool = True
    row: int = 1
    column: int = 0
    first: int = 0


class TableReader:
    """Gives tables to the story that is open, and the rows of sheets to `sheets` where there are some."""

    def __init__(
        self, dispatcher: Dispatcher, text: TextReader, tally: Tally, budget: Budget, sheets: Sheets | None = None
    ) -> None:
        self.styles = text.styles
        self._text = text
        self._tally = tally
        self._budget = budget
        self._sheets = sheets
        self._dispatcher = dispatcher
        self._grids: list[Grid] = []
        self._usual = UsualRows(MAX_COLUMNS)
        self._held = 0
        on = dispatcher.on
        on("table:table", self._start_table, self._end_table)
        on("table:table-column", self._column)
        on("table:table-row", self._start_row, self._end_row)
        on("table:table-cell", self._start_cell, self._end_cell)
        on("table:covered-table-cell", self._start_cell, self._end_covered)
        on("table:tracked-changes", self._tracked)
        dispatcher.skip_all("table:table-source", "table:content-validations", "table:data-pilot-tables")
        dispatcher.skip_all("table:named-expressions", "table:database-ranges", "table:dde-links", "table:scenario")
        dispatcher.skip_all("table:consolidation", "table:label-ranges", "table:detective", "office:dde-source")

    def pieces(self, part: bytes) -> Iterable[bytes]:
        """What a parser is to read of a part: that of a spreadsheet without the rows that are read here."""
        return (part,) if self._sheets is None else self._usual.pieces(part)

    @property
    def place(self) -> tuple[int, int]:
        """The row and the column that is open in the outermost table, from 1."""
        return (self._grids[0].row, self._grids[0].column + 1) if self._grids else (1, 1)

    # ---- tables ----------------------------------------------------------------------------------

    def _start_table(self, attributes: Attributes) -> None:
        text = self._text
        hidden = self.styles.is_hidden("table", attributes.get(_STYLE))
        visible = text.story.visible and not hidden
        if self._sheets is not None and not self._grids and text.story.line is None:
            sheet = self._sheets.begin(attributes.get(_NAME, ""), hidden=not visible)
            grid = Grid(text.story.emit, sheet, Table(visible=visible))
        else:
            grid = Grid(text.apart(), None, Table(visible=visible))
        grid.cell_story = Story(lambda item: self._take(grid, item), grid.table.visible, plain=grid.lines)
        if grid.sheet is not None:
            grid.cell_story.box = lambda item: self._after(grid, item)
        self._grids.append(grid)
        # What stands in the table and in no cell follows it.
        grid.story = text.enter(Story(lambda item: self._after(grid, item), grid.table.visible))

    def _end_table(self) -> None:
        self._text.pop()
        grid = self._grids.pop()
        if grid.sheet is not None:
            grid.sheet.end()
        else:
            grid.table.columns = sorted(grid.used)
            grid.emit(grid.table)

    def _after(self, grid: Grid, item: Item) -> None:
        if grid.sheet is not None:
            grid.sheet.after(item, grid.row, grid.column + 1)
        else:
            grid.table.after.append(item)

    def _column(self, attributes: Attributes) -> None:
        if not self._grids:
            return
        grid = self._grids[-1]
        repeated = count(attributes, _COLUMNS_REPEATED, MAX_COLUMNS)
        before = grid.columns[-1].end if grid.columns else 0
        if grid.sheet is not None and attributes.get(_VISIBILITY) in _UNSEEN:
            grid.sheet.hide_columns(before + 1, before + repeated)
        grid.columns.append(_Columns(before + repeated, attributes.get(_DEFAULT_STYLE)))

    def _tracked(self, attributes: Attributes) -> None:
        """What cells held before they were changed (9.9)."""
        self._tally.add("deleted-text")
        self._dispatcher.skip()

    # ---- rows ------------------------------------------------------------------------------------

    def _start_row(self, attributes: Attributes) -> None:
        if not self._grids:
            return
        grid = self._grids[-1]
        grid.cells, grid.covered = [], {}
        rows = self._usual.take(attributes)
        if rows is not None:
            self._usual_rows(grid, rows)
            return
        grid.column = 0
        grid.repeated = count(attributes, _ROWS_REPEATED, MAX_ROWS)
        grid.visible = attributes.get(_VISIBILITY) not in _UNSEEN
        grid.row_style = attributes.get(_DEFAULT_STYLE)
        grid.first = self._text.count + 1

    def _end_row(self) -> None:
        if not self._grids:
            return
        grid = self._grids[-1]
        if grid.cells or grid.covered:
            self._hold((len(grid.cells) + len(grid.covered)) * grid.repeated)
            if grid.sheet is not None:
                grid.sheet.row(grid.row, grid.repeated, grid.cells, grid.covered, visible=grid.visible)
            elif grid.visible:
                grid.used.update(column for column, _ in grid.cells)
                cells = [Cell(column, *line) for column, line in grid.cells]
                row = Row(cells, self._text.where(grid.first, max(grid.first, self._text.count)))
                grid.table.rows.extend([row] * grid.repeated)
            else:
                self._hide(grid, "\t".join(text for _, (text, _) in grid.cells))
        grid.row += grid.repeated

    def _usual_rows(self, grid: Grid, rows: Iterable[UsualRow]) -> None:
        """Reads rows that the parser does not see; the one that stands for them holds nothing."""
        self._dispatcher.check_depth(_LEVELS_OF_A_CELL)
        begun: str | None = None
        for row in rows:
            if isinstance(row, PlainRow):
                # What a row says of itself is mostly what the one before it said.
                if row.attributes != begun:
                    self._start_row(self._usual.attributes(row.attributes))
                    begun = row.attributes
                self._plain_cells(grid, row)
            else:
                self._start_row(self._usual.attributes(row.attributes))
                self._usual_cells(grid, row.cells)
                self._end_row()
                begun = None
        grid.cells, grid.covered = [], {}
        grid.repeated = 0

    def _plain_cells(self, grid: Grid, row: PlainRow) -> None:
        """Reads a row of cells with a text and of empty ones, and ends it."""
        grid.column = row.width
        texts = row.texts
        if grid.sheet is None:
            grid.cells = [(column, (text, [])) for column, text in enumerate(texts) if text]
            self._end_row()
            return
        columns: Sequence[int] = range(1, len(texts) + 1)
        if "" in texts:
            columns = [column for column, text in enumerate(texts, 1) if text]
            texts = [text for text in texts if text]
        if texts:
            self._hold(len(texts) * grid.repeated)
            grid.sheet.texts(grid.row, grid.repeated, columns, texts, visible=grid.visible)
        grid.row += grid.repeated

    def _usual_cells(self, grid: Grid, cells: Iterable[CellMarkup]) -> None:
        held = grid.cells
        column = 0
        for covered, attributes, text, others, _ in cells:
            text = text.strip(" ")
            if text and not (covered or others or _NUMBER in attributes):
                held.append((column, (text, [])))
                column += 1
                continue
            grid.column = column
            grid.cell = self._usual.attributes(attributes)
            grid.lines += [(line, []) for each in (text, *paragraphs(others)) if (line := each.strip(" "))]
            if covered:
                self._end_covered()
            else:
                self._end_cell()
            column = grid.column
        grid.column = column

    def _hold(self, cells: int) -> None:
        """Repeats cost one element however many there are: they are counted before they are made."""
        self._held += cells
        self._budget.check("table_cells", self._held)

    def _hide(self, grid: Grid, text: str) -> None:
        """Text that is not seen would take the table's shape with it: it stands behind the table."""
        locator = self._text.where(grid.first, max(grid.first, self._text.count))
        self._tally.add("hidden-text", locator)
        self._after(grid, Paragraph("", hidden=[("hidden-text", text)], locator=locator))

    # ---- cells -----------------------------------------------------------------------------------

    def _start_cell(self, attributes: Attributes) -> None:
        if self._grids:
            grid = self._grids[-1]
            grid.cell = attributes
            # The story of the table is around it, and need not be remembered once for each cell.
            self._text.story = grid.cell_story

    def _end_cell(self) -> None:
        if not self._grids:
            return
        grid = self._grids[-1]
        self._leave(grid)
        attributes = grid.cell
        repeated = count(attributes, _COLUMNS_REPEATED, MAX_COLUMNS) if _COLUMNS_REPEATED in attributes else 1
        if grid.lines:
            line = joined(grid.lines)
            grid.lines.clear()
            if repeated == 1:
                grid.cells.append((grid.column, line))
                if _ROWS_SPANNED in attributes or _COLUMNS_SPANNED in attributes:
                    self._merge(grid, attributes)
            else:
                self._repeat(grid, repeated, line)
        elif VALUE_TYPE in attributes:
            self._repeat(grid, repeated, (self._value(grid, attributes), []))
        elif _FORMULA in attributes:
            self._tally.add("formula-without-value", self._text.where(grid.first, grid.first))
        grid.column += repeated

    def _merge(self, grid: Grid, attributes: Attributes) -> None:
        if grid.sheet is not None:
            bottom = grid.row + count(attributes, _ROWS_SPANNED, MAX_ROWS) - 1
            right = grid.column + count(attributes, _COLUMNS_SPANNED, MAX_COLUMNS)
            grid.sheet.merge(Area(grid.row, grid.column + 1, bottom, right))

    def _leave(self, grid: Grid) -> None:
        if grid.cell_story.held is not None:
            self._text.flush()
        self._text.story = grid.story

    def _repeat(self, grid: Grid, repeated: int, line: Line) -> None:
        if line[0]:
            self._budget.check("table_cells", self._held + len(grid.cells) + repeated)
            grid.cells.extend((grid.column + at, line) for at in range(repeated))

    def _value(self, grid: Grid, attributes: Attributes) -> str:
        name = attributes.get(_STYLE) or grid.row_style
        if name is None:
            columns = _columns_at(grid, grid.column)
            name = None if columns is None else columns.style
        return shown(attributes, self.styles.data_style(name), self.styles.data)

    def _end_covered(self) -> None:
        """A cell that a merged one lies on: nobody sees what it holds."""
        if not self._grids:
            return
        grid = self._grids[-1]
        self._leave(grid)
        if grid.lines:
            text, _ = joined(grid.lines)
            grid.lines.clear()
            if grid.sheet is not None:
                grid.covered[grid.column + 1] = text
            else:
                self._hide(grid, text)
        grid.column += count(grid.cell, _COLUMNS_REPEATED, MAX_COLUMNS)

    def _take(self, grid: Grid, item: Item) -> None:
        if isinstance(item, Table):
            if item.rows:
                self._tally.add("nested-table", item.rows[0].locator)
            self._after(grid, item)
            return
        if item.text.strip():
            if item.visible or not grid.table.visible:
                grid.lines.append(labelled(item))
            else:
                item.hidden.insert(0, ("hidden-text", item.text))
        if item.hidden or item.references:
            item.text, item.links = "", []
            self._after(grid, item)


def _columns_at(grid: Grid, column: int) -> _Columns | None:
    at = bisect_right(grid.columns, column, key=attrgetter("end"))
    return grid.columns[at] if at < len(grid.columns) else None
