"""Charts and diagrams among the items of a story."""

from __future__ import annotations

from fumehood.document import Locator
from fumehood.loaders.shared.grid import Cell, Row
from fumehood.loaders.shared.ooxml_graphic import Graphic, Rows
from fumehood.loaders.shared.story_items import Hiding, Item, Paragraph, Table


def items_of_graphic(graphic: Graphic, locator: Locator) -> list[Item]:
    """Captions, tables, and the points of a diagram as items of a list."""
    items: list[Item] = [Paragraph(text, role="caption", locator=locator) for text in graphic.captions]
    items += [_table(rows, locator) for rows in graphic.tables]
    items += [
        Paragraph(text, label="-", depth=depth, list_id="diagram", locator=locator) for depth, text in graphic.items
    ]
    return items


def hidden_graphic(graphic: Graphic, why: Hiding, locator: Locator) -> Paragraph:
    """All of its text, a line each, where none of it is seen."""
    cells = ["\t".join(filter(None, row)) for rows in graphic.tables for row in rows]
    lines = [*graphic.captions, *filter(None, cells), *(text for _, text in graphic.items)]
    return Paragraph("", hidden=[(why, "\n".join(lines))], locator=locator)


def _table(rows: Rows, locator: Locator) -> Table:
    held = [Row([Cell(at, text, []) for at, text in enumerate(row) if text], locator) for row in rows]
    return Table(held, list(range(max(map(len, rows), default=0))))
