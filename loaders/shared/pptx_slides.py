"""The slides of a presentation, one after another: what stands on each, its notes, its comments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from fumehood.document import Locator, Role
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.lines import Line, joined
from fumehood.loaders.shared.ooxml_graphic_parts import GraphicParts
from fumehood.loaders.shared.ooxml_names import Element, attribute, names
from fumehood.loaders.shared.ooxml_xml import BrokenXml, stream
from fumehood.loaders.shared.opc import Package, Relationship, first_of_type
from fumehood.loaders.shared.pptx_comments import Comments
from fumehood.loaders.shared.pptx_frame import Frame
from fumehood.loaders.shared.pptx_layouts import Layout, Layouts
from fumehood.loaders.shared.pptx_shapes import TAGS, Shape, ShapeReader
from fumehood.loaders.shared.pptx_text import Labels
from fumehood.loaders.shared.pptx_writer import SlideWriter, type_of
from fumehood.loaders.shared.shape_order import Box
from fumehood.loaders.shared.tally import Tally

_R_ID: Final = names("r:id")
_HEADERS: Final = frozenset({"hdr"})
_FOOTERS: Final = frozenset({"dt", "ftr"})
_NOT_NOTES: Final = frozenset({"sldImg", "sldNum"}) | _HEADERS | _FOOTERS


class Links:
    """Where clicks on one page lead."""

    def __init__(
        self, arrows: Mapping[str, Relationship], numbers: Mapping[str, int], tally: Tally, locator: Locator
    ) -> None:
        self._arrows = arrows
        self._numbers = numbers
        self._tally = tally
        self._locator = locator

    def target(self, click: Element) -> str | None:
        """Of an `a:hlinkClick`: an address, or `#slide-N`. None for steps through the show (19.1), which name nothing."""
        identifier = attribute(click, _R_ID)
        if not identifier:
            return None
        arrow = self._arrows.get(identifier)
        number = None if arrow is None else self._numbers.get(arrow.target.casefold())
        if number is not None:
            return f"#slide-{number}"
        if arrow is None or arrow.is_part:
            self._tally.add("link-dropped", self._locator)
            return None
        # A space is no part of an address (RFC 3986, appendix C), but people type it.
        return arrow.target.strip().replace(" ", "%20")

    def of_shape(self, frame: Frame) -> str | None:
        return None if frame.click is None else self.target(frame.click)


class Slides:
    """Writes slides. `parts` are those of all slides in their order; `stage` is the rectangle of each."""

    def __init__(
        self,
        package: Package,
        out: Builder,
        budget: Budget,
        parts: Sequence[str],
        authors: dict[str, str],
        stage: Box | None,
    ) -> None:
        self._package = package
        self._out = out
        self._budget = budget
        self._authors = authors
        self._stage = stage
        self._tally = Tally()
        self._layouts = Layouts(package, budget, self._tally)
        self._graphics = GraphicParts(package, budget, self._tally)
        self._numbers = {part.casefold(): at for at, part in enumerate(parts, start=1)}
        self._asides: set[str] = set()  # the parts of notes and comments that were read
        self._edges: set[tuple[str, bool]] = set()
        self._layouts_written: set[tuple[Layout, bool]] = set()

    def write(self, part: str) -> None:
        """One slide; unreadable parts are notices, and what comes before they break is written."""
        locator = Locator(slide=self._numbers[part.casefold()])
        arrows = self._package.relationships(part)
        tally = Tally(slide=locator.slide)
        links = Links(arrows, self._numbers, tally, locator)
        reader = self._read(part, arrows, links, tally, locator)
        layout = self._layouts.of(arrows)
        if not reader.is_shown:
            tally.add("hidden-part", locator)
        writer = SlideWriter(
            self._out, layout, self._graphics, tally, locator, self._budget, links.of_shape, self._stage
        )
        page_texts = writer.write(reader.shapes, visible=reader.is_shown)
        self._write_edge(page_texts, "footer", locator, visible=reader.is_shown)
        if reader.shows_master:
            self._write_layout(layout, locator, visible=reader.is_shown)
        self._write_notes(arrows, tally, locator, visible=reader.is_shown)
        self._write_comments(arrows, tally, locator, visible=reader.is_shown)
        tally.say(self._out)

    def finish(self) -> None:
        """Says what was left out of layouts, charts and diagrams."""
        self._tally.say(self._out)

    def _read(
        self,
        part: str,
        arrows: Mapping[str, Relationship],
        links: Links,
        tally: Tally,
        locator: Locator,
        *,
        judges_looks: bool = True,
    ) -> ShapeReader:
        reader = ShapeReader(arrows, links.target, tally, self._budget, locator, judges_looks=judges_looks)
        data = self._package.read_if_there(part)
        try:
            for event in stream(data or b"", self._budget, TAGS):
                reader.event(event)
        except BrokenXml:
            if data is not None:
                self._package.say_unreadable(part)
        reader.finish()
        return reader

    def _write_layout(self, layout: Layout, locator: Locator, *, visible: bool) -> None:
        if (layout, visible) not in self._layouts_written:
            self._layouts_written.add((layout, visible))
            self._write_edge([(text, []) for text in layout.texts()], "footer", locator, visible=visible)

    def _write_edge(self, lines: Iterable[Line], role: Role, locator: Locator, *, visible: bool) -> None:
        """What stands at the edge of slide after slide, or of their notes, where it stands first."""
        for text, links in lines:
            if (text, visible) not in self._edges:
                self._edges.add((text, visible))
                self._out.paragraph(text, role=role, locator=locator, visible=visible, links=links)

    # ---- what is said about the slide --------------------------------------------------------------

    def _aside(self, arrow: Relationship | None) -> str | None:
        """A part of this slide's own, if it is there; what belongs to a slide already is no other's."""
        if arrow is None or not self._package.has(arrow.target) or arrow.target.casefold() in self._asides:
            return None
        self._asides.add(arrow.target.casefold())
        return arrow.target

    def _write_notes(
        self, arrows: Mapping[str, Relationship], tally: Tally, locator: Locator, *, visible: bool
    ) -> None:
        """What the speaker sees (13.3.5), between what stands at the edges of that page, which shows the slide as well."""
        part = self._aside(first_of_type(arrows, "notesSlide"))
        if part is None:
            return
        own = self._package.relationships(part)
        links = Links(own, self._numbers, tally, locator)
        reader = self._read(part, own, links, tally, locator, judges_looks=False)
        shapes = reader.shapes
        self._write_edge(_placed_as(_HEADERS, shapes), "header", locator, visible=visible)
        self._write_lines([line for shape in shapes for line in _notes_of(shape)], "note", locator, visible=visible)
        self._write_edge(_placed_as(_FOOTERS, shapes), "footer", locator, visible=visible)

    def _write_comments(
        self, arrows: Mapping[str, Relationship], tally: Tally, locator: Locator, *, visible: bool
    ) -> None:
        for arrow in arrows.values():
            part = self._aside(arrow) if arrow.type == "comments" and arrow.is_part else None
            data = None if part is None else self._package.read_if_there(part)
            if part is None or data is None:
                continue
            links = Links(self._package.relationships(part), self._numbers, tally, locator)
            comments = Comments(self._authors, links.target, tally, self._budget)
            try:
                comments.read(data)
            except BrokenXml:
                self._package.say_unreadable(part)
            self._write_lines(comments.lines(), "comment", locator, visible=visible)

    def _write_lines(self, lines: Iterable[Line], role: Role, locator: Locator, *, visible: bool) -> None:
        for text, links in lines:
            self._out.paragraph(text, role=role, locator=locator, visible=visible, links=links)


def _placed_as(kinds: frozenset[str], shapes: Iterable[Shape]) -> list[Line]:
    """What fills placeholders of these types."""
    return [joined([paragraph.line for paragraph in shape.paragraphs]) for shape in shapes if type_of(shape) in kinds]


def _notes_of(shape: Shape) -> list[Line]:
    if type_of(shape) in _NOT_NOTES:
        return []
    labels = Labels((shape.frame.levels,))
    cells = [(cell.text, cell.links) for row in shape.rows for cell in row.cells]
    lines = [*map(labels.labelled, shape.paragraphs), *cells]
    for child in shape.children:
        lines += _notes_of(child)
    return lines
