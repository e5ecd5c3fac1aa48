"""Slides: the title first, then what stands on them, then the speaker's notes (ODF 1.3 part 3, 9.1.4 and 9.1.5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from fumehood.document import Locator
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.odf_content import Content
from fumehood.loaders.shared.odf_names import Attributes, qname
from fumehood.loaders.shared.odf_pages import MasterPages
from fumehood.loaders.shared.odf_story import Emit
from fumehood.loaders.shared.odf_xml import Start
from fumehood.loaders.shared.story_items import Item, Paragraph, as_lines
from fumehood.loaders.shared.story_writer import Writer

_STYLE: Final = qname("draw:style-name")
_MASTER: Final = qname("draw:master-page-name")
_CLASS: Final = qname("presentation:class")
_DECL_NAME: Final = qname("presentation:name")
_USES: Final = {
    "header": qname("presentation:use-header-name"),
    "footer": qname("presentation:use-footer-name"),
    "date-time": qname("presentation:use-date-time-name"),
}
_NUMBER: Final = "page-number"


@dataclass(slots=True)
class _Slide:
    number: int
    visible: bool
    titles: list[Item] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    notes: list[Item] = field(default_factory=list)
    footers: list[str] = field(default_factory=list)
    edges: list[Item] = field(default_factory=list)
    master: str | None = None


class SlideReader:
    """Takes the pages that `content` comes by and writes each when it ends."""

    def __init__(self, content: Content, masters: MasterPages, out: Builder, writer: Writer) -> None:
        self.number = 0
        self._content = content
        self._text = content.text
        self._masters = masters
        self._out = out
        self._writer = writer
        self._slide: _Slide | None = None
        self._in_notes = False
        self._declared: dict[tuple[str, str], str] = {}
        self._said: set[tuple[str, bool]] = set()
        self._shown: set[str | None] = set()  # masters
        self._words: list[str] = []
        self._declaring: tuple[str, str] = ("", "")
        on = content.dispatcher.on
        on("draw:page", self._start_page, self._end_page)
        on("presentation:notes", self._start_notes, self._end_notes)
        on("text:page-number", self._page_number)
        for kind in _USES:
            on(f"presentation:{kind}-decl", self._declarer(kind), self._end_declaration)
        content.dispatcher.skip_all("presentation:settings", "presentation:animations")
        content.drawing.place = self._place

    @property
    def locator(self) -> Locator | None:
        return None if self._slide is None else Locator(slide=self._slide.number)

    # ---- what is declared for footers ------------------------------------------------------------

    def _declarer(self, kind: str) -> Start:
        def start(attributes: Attributes) -> None:
            self._words = []
            self._declaring = (kind, attributes.get(_DECL_NAME, ""))
            self._content.dispatcher.sink = self._words.append

        return start

    def _end_declaration(self) -> None:
        self._content.dispatcher.sink = None
        self._declared[self._declaring] = " ".join("".join(self._words).split())

    # ---- pages -----------------------------------------------------------------------------------

    def _start_page(self, attributes: Attributes) -> None:
        if self._slide is not None:
            return
        self._content.source.budget.spend("pages")
        self.number += 1
        hidden = self._content.styles.is_hidden("drawing-page", attributes.get(_STYLE))
        self._slide = slide = _Slide(self.number, not hidden, master=attributes.get(_MASTER))
        for kind, use in _USES.items():
            slide.footers.append(self._declared.get((kind, attributes.get(use, "")), ""))
        self._text.push(slide.items.append)
        self._text.story.visible = slide.visible

    def _end_page(self) -> None:
        slide = self._slide
        if slide is None:
            return
        self._text.pop()
        locator = self.locator
        self._slide = None
        if not slide.visible:
            self._out.notice("hidden-part", locator)
        self._write_title(slide, locator)
        for item in slide.items:
            self._writer.write(item)
        if slide.visible:
            self._write_footers(slide, locator)
        self._write_notes(slide, locator)
        self._write_edges(slide, locator)

    def _write_title(self, slide: _Slide, locator: Locator | None) -> None:
        lines = as_lines(slide.titles)
        title = Paragraph(lines.text.replace("\n", " "), lines.links, lines.references, lines.hidden, heading=1)
        title.locator, title.visible = locator, slide.visible
        self._writer.write(title)

    def _write_footers(self, slide: _Slide, locator: Locator | None) -> None:
        """What is on every slide is said where it is seen first."""
        words = [*slide.footers]
        master = self._masters.get(slide.master)
        if master is not None and slide.master not in self._shown:
            self._shown.add(slide.master)
            words.append(as_lines(master.items).text)
        for text in words:
            if text.strip() and (text, True) not in self._said:
                self._said.add((text, True))
                self._writer.write(Paragraph(text, role="footer", locator=locator))

    def _write_edges(self, slide: _Slide, locator: Locator | None) -> None:
        """Headers, footers and dates that a slide or its notes hold themselves, where each is first."""
        for item in slide.edges:
            lines = as_lines([item])
            key = (lines.text, slide.visible)
            text, links = ("", []) if key in self._said else (lines.text, lines.links)
            self._said.add(key)
            edge = Paragraph(text, links, lines.references, lines.hidden, role="footer")
            edge.locator, edge.visible = locator, slide.visible
            self._writer.write(edge)

    def _write_notes(self, slide: _Slide, locator: Locator | None) -> None:
        lines = as_lines(slide.notes)
        if lines.text.strip() or lines.references or lines.hidden:
            self._writer.lines(lines, "note", visible=slide.visible, locator=locator)

    # ---- what stands where -----------------------------------------------------------------------

    def _start_notes(self, attributes: Attributes) -> None:
        if self._slide is None:
            # Of a master page: how notes look, and no notes.
            self._content.dispatcher.skip()
            return
        self._in_notes = True
        self._text.push(self._slide.notes.append)

    def _end_notes(self) -> None:
        self._in_notes = False
        self._text.pop()

    def _place(self, attributes: Attributes) -> Emit | None:
        slide = self._slide
        if slide is None:
            return master_place(attributes)
        kind = attributes.get(_CLASS)
        if kind == _NUMBER:
            return _nowhere
        if kind in _USES:
            return slide.edges.append
        return slide.titles.append if kind == "title" and not self._in_notes else None

    def _page_number(self, attributes: Attributes) -> None:
        """Programs save a word for it (7.3.3); on a master page it is the locator's."""
        line = self._text.story.line
        if self._slide is not None and line is not None:
            line.literal(str(self._slide.number))
        self._content.dispatcher.skip()


def master_place(attributes: Attributes) -> Emit | None:
    """On a master page, places for text hold examples; what is in its header and its footer is shown."""
    return None if attributes.get(_CLASS) in (None, "header", "footer") else _nowhere


def _nowhere(item: Item) -> None:
    """What says how text looks, and is no text."""
