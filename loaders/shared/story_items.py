"""What stands between the walk over a document's stories and the blocks that are built of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from fumehood.document import Locator, Role
from fumehood.loaders.shared.builder import LinkSpan
from fumehood.loaders.shared.grid import Row
from fumehood.loaders.shared.lines import Line, behind, joined
from fumehood.loaders.shared.ooxml_names import Element

Hiding = Literal["deleted-text", "hidden-text"]
AsideKind = Literal["footnote", "endnote", "comment"]


class Reference(NamedTuple):
    """A note or comment that is anchored here."""

    kind: AsideKind
    id: str
    visible: bool


class Box(NamedTuple):
    """A text box, to be read as a story of its own behind the paragraph that holds it."""

    content: Element
    hiding: Hiding | None


class Drawn(NamedTuple):
    """A chart or a diagram, to be read from its part behind the paragraph that holds it."""

    what: Literal["chart", "diagram"]
    part: str
    hiding: Hiding | None


@dataclass(slots=True)
class Paragraph:
    """One paragraph's text and what it says of itself.

    - `heading`: its level; `label`: what stands in front, shown, `-` for a bullet; `depth`: of a list item, from 1.
    - `hidden`: text that is not seen, and why, in order; `visible`: False where nothing of it is seen.
    """

    text: str
    links: list[LinkSpan] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    hidden: list[tuple[Hiding, str]] = field(default_factory=list)
    role: str = "paragraph"
    heading: int | None = None
    label: str | None = None
    depth: int = 1
    list_id: str | None = None
    locator: Locator | None = None
    visible: bool = True


@dataclass(slots=True)
class Table:
    """A table.

    - `columns`: the grid columns in which a cell starts, in order.
    - `after`: what follows the table since it cannot stand in it.
    - `visible`: False where nothing of it is seen.
    """

    rows: list[Row] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    after: list[Paragraph | Table] = field(default_factory=list)
    visible: bool = True


Item = Paragraph | Table


@dataclass(slots=True)
class Aside:
    """A note or comment as text, ready to stand behind what anchors it."""

    role: Role
    lines: Lines
    locator: Locator | None


@dataclass(slots=True)
class Lines:
    """Items as plain lines: where a block can be no list and no table."""

    text: str = ""
    links: list[LinkSpan] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    hidden: list[tuple[Hiding, str]] = field(default_factory=list)


def labelled(paragraph: Paragraph) -> Line:
    """A paragraph's text with what stands in front of it, and its links in there."""
    if not paragraph.label or not paragraph.text.strip():
        return paragraph.text, paragraph.links
    return behind(f"{paragraph.label} ", (paragraph.text, paragraph.links))


def as_lines(items: list[Item]) -> Lines:
    """The items' text, a paragraph or a table row a line."""
    lines = Lines()
    found: list[Line] = []
    waiting = items[::-1]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Table):
            waiting += item.after[::-1]
            found += [_row_line(row) for row in item.rows]
            continue
        lines.references += item.references
        lines.hidden += item.hidden
        if item.text.strip():
            found.append(labelled(item))
    lines.text, lines.links = joined(found)
    return lines


def _row_line(row: Row) -> Line:
    """A row's cells with tabs between them, each in one line."""
    text, links = joined([(cell.text.replace("\n", " "), cell.links) for cell in row.cells])
    return text.replace("\n", "\t"), links
