"""What is drawn over a sheet (ECMA-376 part 1, 20.5): text boxes, charts, diagrams, and what pictures say they show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import LinkSpan
from fumehood.loaders.shared.cell_names import LAST_COLUMN, LAST_ROW, Area
from fumehood.loaders.shared.lines import joined
from fumehood.loaders.shared.ooxml_drawing_text import read_text
from fumehood.loaders.shared.ooxml_graphic import Graphic
from fumehood.loaders.shared.ooxml_graphic_parts import GraphicParts
from fumehood.loaders.shared.ooxml_names import Element, attribute, by_name, chosen, names
from fumehood.loaders.shared.ooxml_xml import release, stream
from fumehood.loaders.shared.opc import Relationship
from fumehood.loaders.shared.tally import Tally

_ANCHOR: Final = names("xdr:twoCellAnchor", "xdr:oneCellAnchor", "xdr:absoluteAnchor")
_FROM: Final = names("xdr:from")
_FROM_ROW: Final = names("xdr:row")
_FROM_COLUMN: Final = names("xdr:col")
_CLICK: Final = names("a:hlinkClick")
_R_ID: Final = names("r:id")
_DATA: Final = names("r:dm")
_KINDS: Final = by_name(
    {
        "xdr:cNvPr": "properties",
        "xdr:txBody": "text",
        "c:chart": "chart",
        "cx:chart": "chart",
        "dgm:relIds": "diagram",
        "a:blip": "picture",
        "mc:AlternateContent": "alternates",
    }
)


class Drawn(NamedTuple):
    """One thing that is drawn: its text, or what it shows. `cell`: the one under its corner, None if it has none."""

    cell: Area | None
    text: str
    links: list[LinkSpan]
    graphic: Graphic | None
    hidden: bool


class DrawingReader:
    """Reads drawing parts. `arrows` are the part's own relationships."""

    def __init__(
        self, budget: Budget, tally: Tally, graphics: GraphicParts, arrows: Mapping[str, Relationship]
    ) -> None:
        self._budget = budget
        self._tally = tally
        self._graphics = graphics
        self._arrows = arrows
        self._cell: Area | None = None
        self._hidden = False
        self.found: list[Drawn] = []

    def read(self, part: bytes) -> None:
        """Adds what is drawn to `found`, in order. Raises `BrokenXml`, with what came before kept."""
        for event, element in stream(part, self._budget, _ANCHOR):
            if event == "end":
                self._cell = _corner(element)
                self._walk(element)
                release(element)

    def _walk(self, anchor: Element) -> None:
        waiting = [anchor]
        while waiting:
            element = waiting.pop()
            kind = _KINDS.get(element.tag)
            if kind == "alternates":
                branch = chosen(element, self._budget)
                waiting += [] if branch is None else [branch]
            elif kind == "text":
                text, links = read_text(element, self._budget, self._tally, self._target)
                self._add(text, links)
            else:
                self._take(kind, element)
                waiting += reversed(element)

    def _take(self, kind: str | None, element: Element) -> None:
        if kind == "properties":
            self._hidden = element.get("hidden") in ("1", "true")
            said = [element.get("title") or "", element.get("descr") or ""]
            text, _ = joined([(line, []) for line in said if line.strip()])
            targets = [self._target(click) for click in element.iterchildren(*_CLICK)]
            self._add(text, [(0, len(text), target) for target in targets if target])
        elif kind == "picture":
            self._tally.add("image-not-read")
        elif kind == "chart" and (chart := self._part(attribute(element, _R_ID))) is not None:
            self._add("", [], self._graphics.chart(chart))
        elif kind == "diagram" and (diagram := self._part(attribute(element, _DATA))) is not None:
            self._add("", [], self._graphics.diagram(diagram))

    def _add(self, text: str, links: list[LinkSpan], graphic: Graphic | None = None) -> None:
        if text.strip() or graphic is not None:
            self.found.append(Drawn(self._cell, text, links, graphic, self._hidden))

    def _part(self, identifier: str | None) -> str | None:
        arrow = self._arrows.get(identifier or "")
        return arrow.target if arrow is not None and arrow.is_part else None

    def _target(self, click: Element) -> str | None:
        arrow = self._arrows.get(attribute(click, _R_ID) or "")
        return None if arrow is None or arrow.is_part else arrow.target


def _corner(anchor: Element) -> Area | None:
    """The cell that it starts in (20.5.2.5), which counts from 0."""
    for start in anchor.iterchildren(*_FROM):
        row = _number(start, _FROM_ROW, LAST_ROW)
        column = _number(start, _FROM_COLUMN, LAST_COLUMN)
        if row is not None and column is not None:
            return Area(row, column, row, column)
    return None


def _number(start: Element, wanted: tuple[str, ...], last: int) -> int | None:
    text = next((child.text or "" for child in start.iterchildren(*wanted)), "").strip()
    if not text.isascii() or not text.isdigit() or len(text) > 7 or int(text) >= last:
        return None
    return int(text) + 1
