"""What a chart or a diagram says, and how it stands in a document."""

from __future__ import annotations

from dataclasses import dataclass, field

from fumehood.document import Locator
from fumehood.loaders.shared.builder import Builder

Rows = list[list[str]]
"""A table as rows of cells, its header first."""


@dataclass(slots=True)
class Graphic:
    """The text of one chart or diagram.

    - `captions`: its title first, then titles of axes, labels and what else is written on it.
    - `tables`: the values it shows.
    - `items`: points of a diagram in order, each with its depth, from 1.
    - `shapes`: the relationship of a part with shapes that are drawn over it.
    - `broken`: its XML ends too early; what came before is here.
    """

    captions: list[str] = field(default_factory=list)
    tables: list[Rows] = field(default_factory=list)
    items: list[tuple[int, str]] = field(default_factory=list)
    shapes: str | None = None
    broken: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.captions or self.tables or self.items)


def write_graphic(graphic: Graphic, out: Builder, locator: Locator | None, *, visible: bool = True) -> None:
    """Captions, then a table for each set of values, then the points as a list."""
    for caption in graphic.captions:
        out.paragraph(caption, role="caption", locator=locator, visible=visible)
    for rows in graphic.tables:
        group = out.new_group()
        columns = max(map(len, rows), default=0)
        for at, row in enumerate(rows):
            out.table_row(row, group, columns, header=at == 0, locator=locator, visible=visible)
    if graphic.items:
        group = out.new_group()
        for depth, text in graphic.items:
            out.list_item(text, depth, group, locator=locator, visible=visible)
