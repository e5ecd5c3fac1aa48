"""Charts and diagrams of a package, with what stands in parts of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.ooxml_chart import read_chart
from fumehood.loaders.shared.ooxml_diagram import read_diagram
from fumehood.loaders.shared.ooxml_drawing_text import read_paragraph
from fumehood.loaders.shared.ooxml_graphic import Graphic
from fumehood.loaders.shared.ooxml_names import names
from fumehood.loaders.shared.ooxml_xml import BrokenXml, release, stream
from fumehood.loaders.shared.opc import Package
from fumehood.loaders.shared.tally import Tally

_PARAGRAPH: Final = names("a:p")


class GraphicParts:
    """Reads each once; a part that is missing or breaks is a notice, and what of it can be read is given."""

    def __init__(self, package: Package, budget: Budget, tally: Tally) -> None:
        self._package = package
        self._budget = budget
        self._tally = tally
        self._read: dict[str, Graphic] = {}

    def chart(self, part: str) -> Graphic:
        """A chart, with the text of shapes that are drawn over it (21.3)."""
        graphic = self._read.get(part)
        if graphic is None:
            graphic = self._read[part] = self._one(part, read_chart)
            self._add_shapes(graphic, part)
        return graphic

    def diagram(self, part: str) -> Graphic:
        """A diagram, by its data part."""
        graphic = self._read.get(part)
        if graphic is None:
            graphic = self._read[part] = self._one(part, read_diagram)
        return graphic

    def _one(self, part: str, read: Callable[[bytes, Budget, Tally], Graphic]) -> Graphic:
        data = self._package.read_if_there(part)
        graphic = Graphic() if data is None else read(data, self._budget, self._tally)
        if graphic.broken:
            self._package.say_unreadable(part)
        return graphic

    def _add_shapes(self, graphic: Graphic, part: str) -> None:
        if graphic.shapes is not None:
            shapes = self._package.relationships(part).get(graphic.shapes)
            if shapes is not None and shapes.is_part:
                graphic.captions += self._shapes(shapes.target)

    def _shapes(self, part: str) -> list[str]:
        data = self._package.read_if_there(part)
        found: list[str] = []
        try:
            for what, paragraph in stream(data or b"", self._budget, _PARAGRAPH):
                if what == "end":
                    found.append(read_paragraph(paragraph, self._budget, self._tally)[0])
                    release(paragraph)
        except BrokenXml:
            if data is not None:
                self._package.say_unreadable(part)
        return [text for text in found if text.strip()]
