"""One part of an OpenDocument file: the readers that share its elements among them, and the objects in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from fumehood.errors import refusal
from fumehood.limits.budget import Budget
from fumehood.limits.xml import none_of
from fumehood.limits.zip import BadEntry
from fumehood.loaders.shared.odf_asides import AsideReader
from fumehood.loaders.shared.odf_data_styles import DataStyleReader
from fumehood.loaders.shared.odf_drawing import DrawingReader
from fumehood.loaders.shared.odf_meta import MetaReader
from fumehood.loaders.shared.odf_names import Attributes
from fumehood.loaders.shared.odf_package import CONTENT, Package, object_path
from fumehood.loaders.shared.odf_story import Emit, Where
from fumehood.loaders.shared.odf_styles import StyleReader, Styles
from fumehood.loaders.shared.odf_tables import Sheets, TableReader
from fumehood.loaders.shared.odf_text import TextReader
from fumehood.loaders.shared.odf_xml import Dispatcher, read
from fumehood.loaders.shared.ooxml_xml import BrokenXml
from fumehood.loaders.shared.story_items import Aside, AsideKind
from fumehood.loaders.shared.tally import Tally

MAX_OBJECTS: Final = 8
"""Documents within each other."""

_BODIES: Final = ("text", "spreadsheet", "presentation", "drawing", "chart", "image", "database")


@dataclass(slots=True)
class Source:
    """The document, and what is collected over all of its parts.

    `open`: the objects being read, outermost first; `read`: those that were.
    """

    package: Package
    budget: Budget
    tally: Tally
    asides: dict[AsideKind, dict[str, Aside]] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)
    read: set[str] = field(default_factory=set)


class Content:
    """Reads one part.

    `emit` takes its items and `where` gives their locators. `body`: the one that it must have, if any; `sheets` takes its
    tables where they are sheets. `styles`: those it starts with.
    """

    def __init__(
        self,
        source: Source,
        emit: Emit,
        where: Where,
        *,
        folder: str = "",
        body: str | None = None,
        sheets: Sheets | None = None,
        styles: Styles | None = None,
    ) -> None:
        self.source = source
        self.dispatcher = Dispatcher(source.budget)
        self.styles = Styles() if styles is None else styles
        self.meta = MetaReader()
        self.has_modules = False
        self.has_body = False
        self._folder = folder
        self._body = body
        self._inner: list[Styles] = []
        self._depth = 0
        self._style_reader = StyleReader(self.dispatcher, self.styles)
        self._data_styles = DataStyleReader(self.dispatcher, self.styles.data)
        self.text = TextReader(self.dispatcher, self.styles, source.tally, emit, where)
        self._asides = AsideReader(self.dispatcher, self.text, source.tally, source.asides)
        self.tables = TableReader(self.dispatcher, self.text, source.tally, source.budget, sheets)
        self.drawing = DrawingReader(self.dispatcher, self.text, source.tally, self._embedded)
        for name in _BODIES:
            self.dispatcher.on(f"office:{name}", self._body_starter(name))
        self.dispatcher.on("office:document", self._start_document, self._end_document)
        self.dispatcher.on("office:meta", lambda attributes: self.dispatcher.divert(self.meta))
        self.dispatcher.on("ooo:module", self._module)
        self.dispatcher.skip_all("style:handout-master", "style:presentation-page-layout", "office:settings")

    def read(self, part: bytes, uncounted: Callable[[bytes], int] = none_of) -> None:
        """Raises `BrokenXml`, with what came before given, and the refusal `kind-mismatch`."""
        read(part, self.dispatcher, self.source.budget, uncounted, self.tables.pieces)

    def finish(self) -> None:
        """Gives what is held back."""
        self.text.flush()
        self._asides.finish()

    # ---- bodies ----------------------------------------------------------------------------------

    def _body_starter(self, name: str) -> Callable[[Attributes], None]:
        def start(attributes: Attributes) -> None:
            if self._depth > 1 or self.has_body:
                return
            self.has_body = True
            if self._body is not None and name != self._body:
                raise refusal("kind-mismatch", stage="load")

        return start

    def _module(self, attributes: Attributes) -> None:
        """The source of a macro, in a flat document."""
        self.has_modules = True
        self.dispatcher.skip()

    # ---- objects ---------------------------------------------------------------------------------

    def _start_document(self, attributes: Attributes) -> None:
        """A flat document, or one within it (3.1.2), whose styles are its own."""
        self._depth += 1
        if self._depth > 1:
            self._inner.append(self.styles)
            self._use(Styles())

    def _end_document(self) -> None:
        self._depth -= 1
        if self._inner:
            self._use(self._inner.pop())

    def _use(self, styles: Styles) -> None:
        self.styles = styles
        self._style_reader.styles = styles
        self._data_styles.found = styles.data
        self.text.styles = styles
        self.tables.styles = styles

    def _embedded(self, href: str, emit: Emit) -> bool:
        source = self.source
        path = object_path(href)
        if path is None:
            source.tally.add("external-target")
            return False
        folder = f"{self._folder}{path}/"
        part = f"{folder}{CONTENT}"
        if part in source.open:
            source.tally.add("cycle-skipped")
            return True
        # Its text stands once, where it is shown first: objects that show each other ten times would be read without end.
        if part in source.read or len(source.open) >= MAX_OBJECTS or not source.package.has(part):
            return False
        source.budget.spend("parts")
        source.read.add(part)
        source.open.append(part)
        inner = Content(source, emit, self.text.where, folder=folder)
        try:
            inner.read(source.package.read(part))
        except (BadEntry, BrokenXml):
            source.package.say("part-unreadable", part)
        finally:
            source.open.pop()
        inner.finish()
        inner.dispatcher.forget()
        return True
