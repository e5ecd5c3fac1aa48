"""A document of OpenDocument, package or flat: styles first, then the content, each part in one pass (ODF 1.3 part 3, 2.2)."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Mapping
from typing import Final

from lxml import etree

from fumehood.document import Locator, Role
from fumehood.errors import refusal
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.limits.xml import none_of
from fumehood.limits.zip import BadEntry
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.cell_names import Area
from fumehood.loaders.shared.odf_content import Content, Source
from fumehood.loaders.shared.odf_package import CONTENT, FLAT, Package
from fumehood.loaders.shared.odf_pages import MasterPages
from fumehood.loaders.shared.odf_sheets import Spreadsheet, held_cells
from fumehood.loaders.shared.odf_slides import SlideReader, master_place
from fumehood.loaders.shared.odf_xml import Dispatcher, read
from fumehood.loaders.shared.ooxml_xml import BrokenXml
from fumehood.loaders.shared.story_items import Item, as_lines
from fumehood.loaders.shared.story_writer import Writer
from fumehood.loaders.shared.tally import Tally

ENGINES: Final[Mapping[str, str]] = {"lxml": ".".join(map(str, etree.LXML_VERSION[:3]))}

_STYLES: Final = "styles.xml"
_META: Final = "meta.xml"


def warm() -> None:
    """Codecs are loaded when first asked for: those of XML in other encodings than UTF-8."""
    codecs.lookup("utf-16-le")
    budget = Budget(Limits())
    for encoding in ("utf-8", "utf-16", "iso-8859-1", "windows-1252"):
        part = f'<?xml version="1.0" encoding="{encoding}"?><a>\u00e9</a>'.encode(encoding)
        read(part, Dispatcher(budget), budget)


def read_text(data: bytes, out: Builder, budget: Budget) -> None:
    """Reads a text document. Raises as the others below do."""
    document = _Document(data, "text", out, budget)
    sections = _Sections(document)
    content = Content(document.source, sections.emit, _paragraphs, body="text", styles=document.styles)
    masters = document.masters_of(content)
    sections.masters = masters
    content.text.on_master = sections.begin
    content.text.on_white = True
    document.read(content)
    sections.end()
    document.finish(content)


def read_spreadsheet(data: bytes, out: Builder, budget: Budget) -> None:
    document = _Document(data, "spreadsheet", out, budget)
    sheets = Spreadsheet(out, document.writer, budget)

    def where(first: int, last: int) -> Locator | None:
        row, column = content.tables.place
        return Locator(sheet=sheets.number, cells=Area(row, column, row, column).name) if sheets.number else None

    content = Content(
        document.source, document.writer.write, where, body="spreadsheet", sheets=sheets, styles=document.styles
    )
    document.masters_of(content)
    document.read(content, held_cells)
    document.finish(content)
    out.set_metadata("sheets", sheets.number)


def read_presentation(data: bytes, out: Builder, budget: Budget) -> None:
    document = _Document(data, "presentation", out, budget)

    def where(first: int, last: int) -> Locator | None:
        return slides.locator

    content = Content(document.source, document.writer.write, where, body="presentation", styles=document.styles)
    slides = SlideReader(content, document.masters_of(content), out, document.writer)
    document.read(content)
    document.finish(content)
    out.set_metadata("slides", slides.number)


class _Document:
    """What the kinds share. Raises the refusals of the prechecks, `kind-mismatch`, `encrypted` and `malformed`."""

    def __init__(self, data: bytes, body: str, out: Builder, budget: Budget) -> None:
        self._out = out
        self.package = Package(data, body, out, budget)
        self.source = Source(self.package, budget, Tally())
        self.writer = Writer(out, self.source.asides)
        self._styles_part = Content(self.source, _nowhere, _in_styles)
        self._styles_part.drawing.place = master_place
        if body == "presentation":
            self._styles_part.dispatcher.skip_all("text:page-number")
        self._masters = MasterPages(self._styles_part)
        self._read_definitions()
        self.styles = self._styles_part.styles

    def masters_of(self, content: Content) -> MasterPages:
        """The document's master pages, to which those in `content` are added as they are read."""
        masters = MasterPages(content)
        masters.take_over(self._masters)
        return masters

    def read(self, content: Content, held: Callable[[bytes], int] = none_of) -> None:
        """`held` says how many cells of a sheet hold a text: a cell and its text are two elements, and spent as one cell."""
        budget = self.source.budget
        try:
            part = self.package.read(FLAT if self.package.is_flat else CONTENT)
            # That bounds what is not counted as elements, whatever the cells turn out to hold.
            cells = held(part)
            budget.check("table_cells", budget.used("table_cells") + cells)
            content.read(part, lambda text: 2 * (cells if text is part else held(text)))
        except (BrokenXml, BadEntry):
            raise refusal("malformed") from None
        content.finish()
        if not content.has_body:
            raise refusal("kind-mismatch" if self.package.is_flat else "malformed")

    def finish(self, content: Content) -> None:
        self.writer.finish()
        self.source.tally.say(self._out)
        if content.has_modules or self.package.has_macros():
            self._out.notice("macro-present")
        meta = content.meta if self.package.is_flat else self._styles_part.meta
        meta.describe(self._out)

    def _read_definitions(self) -> None:
        for part in (_STYLES, _META):
            data = self.package.read_if_there(part)
            if data is not None:
                try:
                    self._styles_part.read(data)
                except BrokenXml:
                    self.package.say("part-unreadable", part)


class _Sections:
    """Writes headers where the pages of a master begin, and footers where they end; those of each master once."""

    def __init__(self, document: _Document) -> None:
        self.masters: MasterPages | None = None
        self._writer = document.writer
        self._begun: set[str] = set()
        self._written: set[str] = set()
        self._footers: list[list[Item]] = []

    def emit(self, item: Item) -> None:
        """The first page is of the default master where nothing says another (16.9)."""
        if not self._begun:
            self.begin("")
        self._writer.write(item)

    def begin(self, name: str) -> None:
        if name in self._begun:
            return
        self._begun.add(name)
        self.end()
        for found, page in self.masters.chain(name) if self.masters is not None else ():
            if found not in self._written:
                self._written.add(found)
                self._footers += page.footers
                self._write("header", page.headers)

    def end(self) -> None:
        footers, self._footers = self._footers, []
        self._write("footer", footers)

    def _write(self, role: Role, texts: list[list[Item]]) -> None:
        for items in texts:
            lines = as_lines(items)
            if lines.text.strip() or lines.references or lines.hidden:
                self._writer.lines(lines, role, visible=True, locator=_in_styles(1, 1))


def _paragraphs(first: int, last: int) -> Locator | None:
    return Locator(paragraph=first, paragraph_end=last if last > first else None) if first > 0 else None


def _in_styles(first: int, last: int) -> Locator | None:
    return Locator(part=_STYLES)


def _nowhere(item: Item) -> None:
    """What stands among the styles and in no header or footer is shown nowhere."""
