"""A story of WordprocessingML, block by block: the body, a header, a note, a text box (ECMA-376 part 1, 17.2 to 17.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from fumehood.document import Locator
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.docx_graphics import hidden_graphic, items_of_graphic
from fumehood.loaders.shared.docx_inline import InlineReader
from fumehood.loaders.shared.docx_looks import is_on
from fumehood.loaders.shared.docx_numbering import Numbering
from fumehood.loaders.shared.docx_properties import NONE, Properties, read_properties
from fumehood.loaders.shared.docx_styles import ParagraphStyle, Styles, number
from fumehood.loaders.shared.grid import Cell, Row
from fumehood.loaders.shared.lines import Line, joined
from fumehood.loaders.shared.ooxml_branches import BRANCHES, Branches
from fumehood.loaders.shared.ooxml_graphic_parts import GraphicParts
from fumehood.loaders.shared.ooxml_names import Element, by_name, names
from fumehood.loaders.shared.ooxml_xml import Event, empty, release, walk
from fumehood.loaders.shared.opc import Relationship
from fumehood.loaders.shared.story_items import Box, Drawn, Hiding, Item, Paragraph, Table, labelled
from fumehood.loaders.shared.tally import Tally

MAX_SPAN: Final = 16_384
"""Grid columns that one cell may take; Word has 63."""

_P: Final = names("w:p")
_TC_PR: Final = names("w:tcPr")
_TR_PR: Final = names("w:trPr")
_SPAN: Final = names("w:gridSpan")
_BEFORE: Final = names("w:gridBefore")

_ROW_HIDING: Final[Mapping[str, Hiding]] = by_name(
    {"w:del": "deleted-text", "w:moveFrom": "deleted-text", "w:hidden": "hidden-text"}
)

_KINDS: Final = by_name(
    {
        "w:p": "p",
        "w:tbl": "tbl",
        "w:tr": "tr",
        "w:tc": "tc",
        "w:sectPr": "sectPr",
        "w:altChunk": "object",
        "w:subDoc": "object",
        "m:oMathPara": "math",
        **dict.fromkeys(BRANCHES, "alternates"),
    }
)
_TABLE: Final = frozenset({"tbl", "tr", "tc"})
TAGS: Final = tuple(_KINDS)
"""What to ask the parser for."""


@dataclass(slots=True)
class Source:
    """The part that a story stands in, and what it needs to be read.

    `hides`: whether it can hold text that nobody sees; `on_white`: whether that stands on nothing but white paper.
    """

    styles: Styles
    numbering: Numbering
    relationships: Mapping[str, Relationship]
    tally: Tally
    budget: Budget
    graphics: GraphicParts
    part: str | None
    hides: bool
    on_white: bool = False

    def locator(self, first: int, last: int | None = None) -> Locator:
        """Of paragraphs `first` to `last`, both inclusive; the main part's name is left out."""
        return Locator(
            part=self.part, paragraph=first, paragraph_end=last if last is not None and last > first else None
        )

    def inline(self) -> InlineReader:
        return InlineReader(self.styles, self.relationships, self.tally, self.budget, hides=self.hides)


@dataclass(slots=True)
class _Grid:
    """A table while it is read."""

    table: Table = field(default_factory=Table)
    columns: set[int] = field(default_factory=set)
    cells: list[Cell] = field(default_factory=list)
    cell: list[Line] | None = None
    column: int = 0
    first: int | None = None
    last: int = 0


class Story:
    """Turns the events of one story into items, in order.

    `emit` takes them; it may be exchanged between two events. `on_section` takes the section properties of
    the body, each when its section ends.
    """

    def __init__(
        self,
        source: Source,
        emit: Callable[[Item], None],
        on_section: Callable[[Element], None] | None = None,
        *,
        numbers: Mapping[Element, int] | None = None,
        hiding: Hiding | None = None,
    ) -> None:
        self.emit = emit
        self._source = source
        self._on_section = on_section
        self._numbers = numbers
        self._hiding = hiding
        self._inline = source.inline()
        self._count = 0
        self._depth = 0  # of paragraphs within each other
        self._first = 0  # the number of the outermost one
        self._carried: int | None = None
        self._branches = Branches(source.budget)
        self._grids: list[_Grid] = []

    @property
    def count(self) -> int:
        """How many paragraphs have started, from the part's start."""
        return self._count

    def event(self, event: Event) -> bool:
        """Takes the next event; False if it is of an element that is none of `TAGS`."""
        what, element = event
        kind = _KINDS.get(element.tag)
        if kind is None:
            return False
        if kind == "p":
            self._paragraph_event(what == "start", element)
        elif self._depth == 0:
            if kind == "alternates":
                if not self._branches.event(what == "start", element):
                    self._source.tally.add("object-not-read")
            elif not self._branches.skipped:
                self._block(kind, what == "start", element)
        return True

    def finish(self) -> None:
        """Gives what is still held back, when the story, a cell or a stretch of paragraphs ends."""
        if self._carried is not None:
            first, self._carried = self._carried, None
            self._give(self._inline.take(), NONE, first)

    # ---- paragraphs ------------------------------------------------------------------------------

    def _paragraph_event(self, starts: bool, element: Element) -> None:
        if starts:
            self._count += 1
            self._depth += 1
            if self._depth == 1:
                self._first = self._count if self._numbers is None else self._numbers.get(element, self._count)
                for grid in self._grids:
                    grid.first, grid.last = grid.first or self._first, self._first
            return
        self._depth -= 1
        if self._depth:
            return
        if not self._branches.skipped:
            self._paragraph(element)
        self._free(element)

    def _free(self, element: Element) -> None:
        """What is walked over a second time belongs to somebody else; in a row, its properties stand before the cells."""
        if self._numbers is None:
            if self._grids:
                empty(element)
            else:
                release(element)

    def _paragraph(self, element: Element) -> None:
        properties = read_properties(element)
        style = self._source.styles.paragraph(properties.style)
        first = self._first if self._carried is None else self._carried
        hiding = self._hiding or ("hidden-text" if style.look.hidden else None)
        look = style.look._replace(backed=style.look.backed or properties.shaded)
        # Tables and boxes have fills of their own, and those of their styles.
        on_white = self._source.on_white and not self._grids and self._numbers is None
        self._inline.read(element, hiding, look, on_white=on_white)
        boxes, drawn = self._inline.boxes, self._inline.drawn
        if properties.mark_deleted and self._inline.has_text and not boxes and not drawn:
            # 17.13.5.15: without its mark the paragraph goes on in the next one.
            self._carried = first
            return
        self._carried = None
        self._give(self._inline.take(), properties, first)
        if boxes:
            self._open(boxes, element)
        for one in drawn:
            self._draw(one)
        if properties.section is not None and self._on_section is not None:
            self._on_section(properties.section)

    def _give(self, paragraph: Paragraph, properties: Properties, first: int) -> None:
        self._style(paragraph, properties, self._source.styles.paragraph(properties.style))
        grid = self._grids[-1] if self._grids else None
        if grid is not None and grid.cell is not None:
            if paragraph.text.strip():
                grid.cell.append(labelled(paragraph))
            elif paragraph.label and paragraph.label != "-" and not paragraph.hidden:
                # Rows are numbered by list items that hold nothing.
                grid.cell.append((paragraph.label, []))
            if not paragraph.hidden and not paragraph.references:
                return
            paragraph.text, paragraph.links = "", []
        paragraph.locator = self._source.locator(first, self._first)
        for why, _ in paragraph.hidden:
            self._source.tally.add(why, paragraph.locator)
        if grid is None:
            self.emit(paragraph)
        else:
            grid.table.after.append(paragraph)

    def _style(self, paragraph: Paragraph, properties: Properties, style: ParagraphStyle) -> None:
        if paragraph.role == "paragraph":
            paragraph.role = style.role
        paragraph.heading = style.heading
        if properties.outline is not None:
            paragraph.heading = properties.outline + 1 if 0 <= properties.outline <= 8 else None
        if paragraph.text.strip() or not paragraph.hidden:
            num_id = properties.num_id if properties.num_id is not None else style.num_id
            # 17.9.18: the list 0 takes it out of its style's.
            if num_id is not None and num_id != "0":
                self._number(paragraph, num_id, properties, style)

    def _number(self, paragraph: Paragraph, num_id: str, properties: Properties, style: ParagraphStyle) -> None:
        """Its place in a list: named by itself, else by its style (17.9.22)."""
        source = self._source
        level = properties.level if properties.level is not None else style.level
        if level is None and properties.num_id is None and style.style_id is not None:
            level = source.numbering.level_of_style(num_id, style.style_id, source.styles.numbering)
        label = source.numbering.label(num_id, level or 0, source.styles.numbering)
        if label is not None:
            paragraph.label, paragraph.depth, paragraph.list_id = label.text, label.level + 1, num_id

    def _open(self, boxes: list[Box], paragraph: Element) -> None:
        """Reads text boxes; their paragraphs have been counted with the one that holds them."""
        numbers = self._numbers
        if numbers is None:
            numbers = {inner: self._first + at for at, inner in enumerate(paragraph.iter(*_P))}
        emit = self._grids[-1].table.after.append if self._grids else self.emit
        for box in boxes:
            story = Story(self._source, emit, numbers=numbers, hiding=self._hiding or box.hiding)
            for event in walk(box.content, TAGS):
                story.event(event)
            story.finish()

    def _draw(self, drawn: Drawn) -> None:
        """What a chart or a diagram says stands behind the paragraph that holds it, or behind the table."""
        graphics = self._source.graphics
        graphic = graphics.chart(drawn.part) if drawn.what == "chart" else graphics.diagram(drawn.part)
        if graphic.is_empty:
            return
        locator = self._source.locator(self._first)
        hiding = self._hiding or drawn.hiding
        items = items_of_graphic(graphic, locator) if hiding is None else [hidden_graphic(graphic, hiding, locator)]
        for item in items:
            if hiding is not None:
                self._source.tally.add(hiding, locator)
            if self._grids:
                self._grids[-1].table.after.append(item)
            else:
                self.emit(item)

    # ---- other blocks ----------------------------------------------------------------------------

    def _block(self, kind: str, starts: bool, element: Element) -> None:
        if kind in _TABLE:
            self._table_event(kind, starts, element)
        elif starts:
            return
        elif kind == "math":
            self._first = max(1, self._count)
            self._inline.read(element, self._hiding)
            self._give(self._inline.take(), NONE, self._first)
        elif kind == "object":
            self._source.tally.add("object-not-read")
        elif self._on_section is not None and not self._grids:
            self._on_section(element)

    # ---- tables ----------------------------------------------------------------------------------

    def _table_event(self, kind: str, starts: bool, element: Element) -> None:
        self.finish()
        if kind == "tbl":
            if starts:
                self._grids.append(_Grid())
                # A table, its row and its cell.
                self._source.budget.check("nesting", 3 * len(self._grids))
            elif self._grids:
                self._end_table(self._grids.pop())
                self._free(element)
        elif not self._grids:
            return
        elif kind == "tr":
            if starts:
                _start_row(self._grids[-1])
            else:
                self._end_row(self._grids[-1], element)
                if self._numbers is None:
                    release(element)
        elif starts:
            self._grids[-1].cell = []
        else:
            _end_cell(self._grids[-1], element)

    def _end_row(self, grid: _Grid, row: Element) -> None:
        before, hiding = 0, self._hiding
        for properties in row.iterchildren(*_TR_PR):
            for child in properties:
                if child.tag in _BEFORE:
                    before = max(0, min(number(child) or 0, MAX_SPAN))
                elif child.tag in _ROW_HIDING and is_on(child):
                    hiding = _ROW_HIDING[child.tag]
        cells = [cell._replace(column=before + cell.column) for cell in grid.cells] if before else grid.cells
        grid.cell = None
        locator = None if grid.first is None else self._source.locator(grid.first, grid.last)
        if hiding is not None:
            self._hide_row(grid, cells, hiding, locator)
            return
        grid.columns.update(cell.column for cell in cells)
        held = [cell for cell in cells if cell.text]
        if held:
            grid.table.rows.append(Row(held, locator))

    def _hide_row(self, grid: _Grid, cells: list[Cell], why: Hiding, locator: Locator | None) -> None:
        """A row that is not seen would take the table's shape with it: its text stands behind the table."""
        text = "\t".join(cell.text for cell in cells if cell.text)
        if text:
            self._source.tally.add(why, locator)
            grid.table.after.append(Paragraph("", hidden=[(why, text)], locator=locator))

    def _end_table(self, grid: _Grid) -> None:
        grid.table.columns = sorted(grid.columns)
        if not self._grids:
            self.emit(grid.table)
        else:
            if grid.table.rows:
                self._source.tally.add("nested-table", grid.table.rows[0].locator)
            self._grids[-1].table.after.append(grid.table)


def _start_row(grid: _Grid) -> None:
    grid.cells, grid.cell, grid.column, grid.first = [], None, 0, None


def _end_cell(grid: _Grid, element: Element) -> None:
    grid.cells.append(Cell(grid.column, *joined(grid.cell or ())))
    grid.column += _span(element)
    grid.cell = None


def _span(cell: Element) -> int:
    """How many grid columns the cell takes (17.4.17). Its properties come first, if there are any (17.4.65)."""
    if len(cell) and cell[0].tag in _TC_PR:
        for child in cell[0]:
            if child.tag in _SPAN:
                return max(1, min(number(child) or 1, MAX_SPAN))
    return 1


def items_of(source: Source, events: Iterable[Event]) -> list[Item]:
    """All items of a story that is small: a header, a footer."""
    found: list[Item] = []
    story = Story(source, found.append)
    for event in events:
        story.event(event)
    story.finish()
    return found
