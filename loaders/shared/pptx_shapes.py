"""The shapes of a slide or a notes page, as a tree (ECMA-376 part 1, 19.3.1.45)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from fumehood.document import Locator
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.grid import Cell, Row
from fumehood.loaders.shared.lines import joined
from fumehood.loaders.shared.ooxml_branches import BRANCHES, Branches
from fumehood.loaders.shared.ooxml_drawing_text import Target, Unseen, read_paragraph, solid_fill
from fumehood.loaders.shared.ooxml_names import Element, attribute, by_name, names
from fumehood.loaders.shared.ooxml_xml import Event, empty, release
from fumehood.loaders.shared.opc import Relationship
from fumehood.loaders.shared.pptx_frame import Frame, is_on, read_frame
from fumehood.loaders.shared.pptx_text import Labels, Paragraph, read_paragraph_style
from fumehood.loaders.shared.tally import Tally

What = Literal["text", "group", "picture", "media", "table", "chart", "diagram", "object"]

_DIAGRAM_DATA: Final = names("r:dm")
_R_ID: Final = names("r:id")
_SHAPE_PROPERTIES: Final = names("p:spPr")
_MERGED: Final = ("hMerge", "vMerge")


@dataclass(slots=True)
class Shape:
    """One shape with what it holds.

    - `paragraphs`: those that are not empty, and not in a table.
    - `children`: of a group; no other shape should have any.
    - `rows`, `columns`: of a table, as :func:`write_rows` takes them; `covered`: text under merged cells.
    - `unseen`: takes text that nobody sees for how it looks; None until there is any text, and where that is not asked.
    - `part`: of a chart or a diagram.
    """

    what: What = "text"
    frame: Frame = field(default_factory=Frame)
    paragraphs: list[Paragraph] = field(default_factory=list)
    children: list[Shape] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    columns: set[int] = field(default_factory=set)
    covered: list[str] = field(default_factory=list)
    unseen: Unseen | None = None

    @property
    def unseen_text(self) -> str:
        return "" if self.unseen is None else self.unseen.text

    part: str | None = None


class ShapeReader:
    """Takes the events of one page; `shapes` are those at its top, in the order in which they are stored."""

    def __init__(
        self,
        arrows: Mapping[str, Relationship],
        target: Target,
        tally: Tally,
        budget: Budget,
        locator: Locator,
        *,
        judges_looks: bool,
    ) -> None:
        self._arrows = arrows
        self._target = target
        self._tally = tally
        self._budget = budget
        self._locator = locator
        self._judges_looks = judges_looks
        self._branches = Branches(budget)
        self._open: list[Shape] = []
        self._elements: list[Element] = []  # of the open shapes
        self._cell: list[Paragraph] | None = None
        self._cells: list[Cell] = []
        self._column = 0
        self.shapes: list[Shape] = []
        self.is_shown = True
        self.shows_master = True

    def event(self, event: Event) -> None:
        what, element = event
        name = element.tag
        if name in _BRANCHES:
            if not self._branches.event(what == "start", element):
                self._tally.add("object-not-read", self._locator)
        elif not self._branches.skipped:
            handler = (_STARTS if what == "start" else _ENDS).get(name)
            if handler is not None:
                handler(self, element)
        elif what == "end":
            empty(element)

    def finish(self) -> None:
        """Closes what is still open: the page's XML broke in it."""
        if self._cell is not None and self._open:
            self._give_cell()
        while self._open:
            if self._cells:
                self._give_row()
            self.end_shape(self._elements[-1])

    # ---- shapes ----------------------------------------------------------------------------------

    def slide(self, element: Element) -> None:
        """19.3.1.38: a slide may be left out of the show."""
        self.is_shown = is_on(element.get("show"), "1")
        self.shows_master = is_on(element.get("showMasterSp"), "1")

    def start_text(self, element: Element) -> None:
        self._begin(Shape(), element)

    def start_group(self, element: Element) -> None:
        self._begin(Shape("group"), element)

    def start_picture(self, element: Element) -> None:
        self._begin(Shape("picture"), element)

    def start_object(self, element: Element) -> None:
        self._begin(Shape("object"), element)

    def _begin(self, shape: Shape, element: Element) -> None:
        self._open.append(shape)
        self._elements.append(element)

    def end_shape(self, element: Element) -> None:
        shape = self._open.pop()
        shape.frame = read_frame(self._elements.pop())
        if shape.what == "picture" and shape.frame.media:
            shape.what = "media"
        empty(element)
        if not self._open:
            self.shapes.append(shape)
        elif shape.what != "picture" or self._open[-1].what == "group":
            self._open[-1].children.append(shape)
        # Else it is the picture of an object (19.3.2.4), which is there for who cannot show the object.

    def start_part(self, element: Element) -> None:
        """A chart, or a diagram by its data; each in a part of its own."""
        if not self._open:
            return
        shape = self._open[-1]
        is_diagram = element.tag in _DIAGRAM
        named = self._arrows.get(attribute(element, _DIAGRAM_DATA if is_diagram else _R_ID) or "")
        if named is not None and named.is_part:
            shape.what, shape.part = ("diagram" if is_diagram else "chart"), named.target

    def end_ink(self, element: Element) -> None:
        """Handwriting (19.3.1.14)."""
        self._tally.add("object-not-read", self._locator)

    # ---- text ------------------------------------------------------------------------------------

    def end_paragraph(self, element: Element) -> None:
        if not self._open:
            return
        shape = self._open[-1]
        if shape.unseen is None and self._judges_looks:
            properties = next(self._elements[-1].iterchildren(*_SHAPE_PROPERTIES), None)
            shape.unseen = Unseen(None if properties is None else solid_fill(properties))
        line = read_paragraph(element, self._budget, self._tally, self._target, shape.unseen)
        if line[0].strip():
            paragraph = Paragraph(line, *read_paragraph_style(element))
            (shape.paragraphs if self._cell is None else self._cell).append(paragraph)
        empty(element)

    # ---- tables ----------------------------------------------------------------------------------

    def start_table(self, element: Element) -> None:
        if self._open:
            self._open[-1].what = "table"

    def start_row(self, element: Element) -> None:
        self._cells, self._column = [], 0

    def start_cell(self, element: Element) -> None:
        self._cell = []

    def end_cell(self, element: Element) -> None:
        """21.1.3.16: a cell that another one covers stands there all the same."""
        if self._cell is not None and self._open:
            self._give_cell(covered=any(is_on(element.get(merged)) for merged in _MERGED))
        empty(element)

    def _give_cell(self, *, covered: bool = False) -> None:
        labels = Labels()
        text, links = joined([labels.labelled(paragraph) for paragraph in self._cell or ()])
        self._cell = None
        table = self._open[-1]
        if not covered:
            table.columns.add(self._column)
        if covered and text:
            table.covered.append(text)
        elif text:
            self._cells.append(Cell(self._column, text, links))
        self._column += 1

    def end_row(self, element: Element) -> None:
        if self._open and self._cells:
            self._give_row()
        release(element)

    def _give_row(self) -> None:
        self._open[-1].rows.append(Row(self._cells, self._locator))
        self._cells = []


_Handler = Callable[[ShapeReader, Element], None]
_STARTS: Final[dict[str, _Handler]] = by_name(
    {
        "p:sld": ShapeReader.slide,
        "p:sp": ShapeReader.start_text,
        "p:cxnSp": ShapeReader.start_text,
        "p:grpSp": ShapeReader.start_group,
        "p:pic": ShapeReader.start_picture,
        "p:graphicFrame": ShapeReader.start_object,
        "c:chart": ShapeReader.start_part,
        "cx:chart": ShapeReader.start_part,
        "dgm:relIds": ShapeReader.start_part,
        "a:tbl": ShapeReader.start_table,
        "a:tr": ShapeReader.start_row,
        "a:tc": ShapeReader.start_cell,
    }
)
_ENDS: Final[dict[str, _Handler]] = by_name(
    {
        "p:sp": ShapeReader.end_shape,
        "p:cxnSp": ShapeReader.end_shape,
        "p:grpSp": ShapeReader.end_shape,
        "p:pic": ShapeReader.end_shape,
        "p:graphicFrame": ShapeReader.end_shape,
        "p:contentPart": ShapeReader.end_ink,
        "a:p": ShapeReader.end_paragraph,
        "a:tc": ShapeReader.end_cell,
        "a:tr": ShapeReader.end_row,
    }
)
_DIAGRAM: Final = frozenset(names("dgm:relIds"))
_BRANCHES: Final = frozenset(names(*BRANCHES))
TAGS: Final = tuple({**_STARTS, **_ENDS, **dict.fromkeys(_BRANCHES)})
"""What to ask the parser for."""
