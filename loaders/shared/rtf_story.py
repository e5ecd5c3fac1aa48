"""A story of RTF, paragraph by paragraph: the text, a header, a note, a text box."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from typing import NamedTuple

from fumehood.document import Locator
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import LinkSpan
from fumehood.loaders.shared.rtf_machine import Machine
from fumehood.loaders.shared.rtf_table import Grid, RowEdges
from fumehood.loaders.shared.story_items import Hiding, Item, Paragraph, Reference, labelled
from fumehood.loaders.shared.tally import Tally


class Look(NamedTuple):
    """What a paragraph's own properties say of it; `level` is that of the tables it is in, 0 for none."""

    level: int = 0
    heading: int | None = None
    role: str = "paragraph"
    label: str | None = None
    depth: int = 1
    list_id: str | None = None


class Story:
    """Turns text and paragraph ends into items, in order; `emit` takes them.

    `anchor` is the number of the paragraph that a note or a box stands in, 0 for what stands nowhere in the text; with
    None, the story is the text itself, and its paragraphs are counted.
    """

    def __init__(self, budget: Budget, tally: Tally, emit: Callable[[Item], None], anchor: int | None = None) -> None:
        self.label: str | None = None
        self.length = 0
        self._budget = budget
        self._tally = tally
        self._emit = emit
        self._anchor = anchor
        self._count = 0
        self._text = StringIO()
        self._links: list[LinkSpan] = []
        self._open: list[tuple[str, int]] = []  # links that are not at their end: target, start
        self._hidden: list[tuple[Hiding, list[str]]] = []
        self._hidden_at = -1
        self._references: list[Reference] = []
        self._boxes: list[Item] = []
        self._grids: list[Grid] = []

    @property
    def number(self) -> int:
        """That of the paragraph at hand."""
        return self._count + 1 if self._anchor is None else self._anchor

    @property
    def holds_something(self) -> bool:
        """Whether there is anything in the paragraph at hand."""
        return bool(self.length or self._hidden or self._references or self._boxes)

    # ---- inside of a paragraph -------------------------------------------------------------------

    def add(self, text: str, hiding: Hiding | None) -> None:
        if hiding is None:
            self._text.write(text)
            self.length += len(text)
        elif self._hidden and self._hidden_at == self.length and self._hidden[-1][0] == hiding:
            self._hidden[-1][1].append(text)
        else:
            self._hidden.append((hiding, [text]))
            self._hidden_at = self.length

    def begin_link(self, target: str) -> None:
        self._budget.check("nesting", len(self._open) + 1)
        self._open.append((target, self.length))

    def end_link(self) -> None:
        if self._open:
            target, start = self._open.pop()
            self._link(start, target)

    def refer(self, reference: Reference) -> None:
        """A note or comment is anchored here."""
        self._references.append(reference)

    def box(self, items: list[Item]) -> None:
        """A text box is anchored here; it comes behind the paragraph."""
        self._boxes += items

    # ---- paragraphs and what they are in ---------------------------------------------------------

    def end_paragraph(self, look: Look) -> None:
        self._enter(look.level)
        number = self.number
        for grid in self._grids:
            grid.at(number)
        if self.holds_something:
            self._give(self._taken(look))
        elif self._grids and self.label and self.label != "-":
            # Rows are numbered by list items that hold nothing.
            self._grids[-1].line((self.label, []))
        self.label = None
        self._count += 1

    def _give(self, item: Paragraph) -> None:
        boxes, self._boxes = self._boxes, []
        if not self._grids:
            self._emit(item)
            for box in boxes:
                self._emit(box)
            return
        grid = self._grids[-1]
        if item.text.strip():
            grid.line(labelled(item))
        if item.hidden or item.references:
            item.text, item.links = "", []
            grid.after.append(item)
        grid.after += boxes

    def end_cell(self, look: Look) -> None:
        self.end_paragraph(look)
        self._grids[-1].end_cell()

    def end_row(self, look: Look, edges: RowEdges) -> None:
        if self.holds_something:
            self.end_paragraph(look)
        self._enter(look.level)
        self._grids[-1].end_row(edges)

    def finish(self, look: Look) -> None:
        """The story ends, and with it the paragraph at hand and all tables."""
        if self.holds_something:
            self.end_paragraph(look)
        self._enter(0)

    # ---- how it is done --------------------------------------------------------------------------

    def _link(self, start: int, target: str) -> None:
        if start < self.length:
            self._budget.spend("nodes")
            self._links.append((start, self.length, target))

    def _taken(self, look: Look) -> Paragraph:
        self._budget.spend("nodes")
        for target, start in self._open:
            self._link(start, target)
        self._open = [(target, 0) for target, _ in self._open]
        number = self.number
        item = Paragraph(
            self._text.getvalue(),
            self._links,
            self._references,
            [(why, "".join(parts)) for why, parts in self._hidden],
            *(look.role, look.heading, look.label, look.depth, look.list_id),
            Locator(paragraph=number) if number else None,
        )
        for why, text in item.hidden:
            if text.strip():
                self._tally.add(why, item.locator)
        self.length, self._hidden_at = 0, -1
        self._text = StringIO()
        self._links, self._references, self._hidden = [], [], []
        return item

    def _enter(self, level: int) -> None:
        """Ends the tables that a paragraph of `level` is not in, and starts the one it is in."""
        ended: list[Grid] = []
        while self._grids and self._grids[-1].level > level:
            ended.append(self._grids.pop())
        if level and (not self._grids or self._grids[-1].level < level):
            # A table, its row and its cell.
            self._budget.check("nesting", 3 * (len(self._grids) + 1))
            self._grids.append(Grid(level, self._budget))
        for at, grid in enumerate(ended):
            around = ended[at + 1] if at + 1 < len(ended) else self._grids[-1] if self._grids else None
            table = grid.table()
            if around is None:
                if table.rows or table.after:
                    self._emit(table)
            else:
                if table.rows:
                    self._tally.add("nested-table", table.rows[0].locator)
                around.after.append(table)


def open_story(machine: Machine) -> Story | None:
    """The story that text goes to at the moment, with all text so far; None in what holds but text."""
    machine.flush()
    sink = machine.state.sink
    return sink if isinstance(sink, Story) else None
