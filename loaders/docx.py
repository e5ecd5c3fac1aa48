"""Word documents (ECMA-376 part 1, Transitional and Strict) on our own reader of the package, in one pass over each part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from lxml import etree

from fumehood.document import Locator, Role
from fumehood.errors import refusal
from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.limits.zip import BadEntry
from fumehood.loaders.shared.builder import Builder, name
from fumehood.loaders.shared.docx_looks import is_on, may_be_unseen, paints
from fumehood.loaders.shared.docx_notes import read_asides
from fumehood.loaders.shared.docx_numbering import Numbering
from fumehood.loaders.shared.docx_sections import PageText, Sections, foreseen
from fumehood.loaders.shared.docx_story import TAGS, Source, Story, items_of
from fumehood.loaders.shared.docx_styles import Styles
from fumehood.loaders.shared.ooxml_container import MainPart, find_main, judge_container, say_macros, warm_xml
from fumehood.loaders.shared.ooxml_graphic_parts import GraphicParts
from fumehood.loaders.shared.ooxml_names import names
from fumehood.loaders.shared.ooxml_properties import describe
from fumehood.loaders.shared.ooxml_xml import BrokenXml, stream
from fumehood.loaders.shared.opc import Package, Relationship, first_of_type
from fumehood.loaders.shared.story_items import Aside, AsideKind, as_lines
from fumehood.loaders.shared.story_writer import Writer
from fumehood.loaders.shared.tally import Tally

ENGINES: Final[Mapping[str, str]] = {"lxml": ".".join(map(str, etree.LXML_VERSION[:3]))}

_MAIN: Final = MainPart(
    "word/document.xml",
    ("wordprocessingml", "ms-word"),
    (
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
        "application/vnd.ms-word.document.macroenabled.main+xml",
        "application/vnd.ms-word.template.macroenabledtemplate.main+xml",
    ),
)

_DOCUMENT: Final = names("w:document")
_BODY: Final = names("w:body")
_EVEN_PAGES: Final = names("w:evenAndOddHeaders")
_ASIDE_PARTS: Final[tuple[tuple[AsideKind, str], ...]] = (
    ("footnote", "footnotes"),
    ("endnote", "endnotes"),
    ("comment", "comments"),
)


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    """Raises the refusals of the archive's and the XML's prechecks, `kind-mismatch`, `encrypted` and `unsupported-kind`."""
    judge_container(data, "docx", "doc")
    package = Package(data, out, budget)
    arrows = package.relationships()
    main = find_main(package, arrows, _MAIN)
    describe(package, arrows, out, budget)
    _Document(package, main, out, budget).read()


def warm() -> None:
    warm_xml()


class _Document:
    """One document while it is read."""

    def __init__(self, package: Package, main: str, out: Builder, budget: Budget) -> None:
        self._package = package
        self._main = main
        self._out = out
        self._budget = budget
        self._styles = Styles()
        self._numbering = Numbering()
        self._arrows = package.relationships(main)
        self._asides: dict[AsideKind, dict[str, Aside]] = {}
        self._writer = Writer(out, self._asides)
        self._drawn = Tally()
        self._graphics = GraphicParts(package, budget, self._drawn)
        self._even_pages = False
        self._on_white: bool | None = None
        self._pages_written: set[str] = set()

    def read(self) -> None:
        """Raises the refusals `kind-mismatch` if the main part is no document, `malformed` if it is broken or empty."""
        try:
            part = self._package.read(self._main)
        except BadEntry:
            raise refusal("malformed") from None
        self._read_definitions()
        for kind, relationship in _ASIDE_PARTS:
            self._read_asides(kind, relationship)
        self._read_body(part)
        self._writer.finish()
        self._drawn.say(self._out)
        say_macros(self._package, self._out)

    def _read_definitions(self) -> None:
        for relationship, reader in (("styles", self._styles.read), ("numbering", self._numbering.read)):
            named = first_of_type(self._arrows, relationship)
            part = self._part(named)
            if named is not None and part is not None:
                try:
                    reader(part, self._budget)
                except BrokenXml:
                    self._package.say_unreadable(named.target)
        self._read_settings()

    def _read_settings(self) -> None:
        named = first_of_type(self._arrows, "settings")
        part = self._part(named)
        if named is None or part is None:
            return
        # Read for what it points to: a template somewhere else.
        self._package.relationships(named.target)
        try:
            for event, element in stream(part, self._budget, _EVEN_PAGES):
                if event == "end":
                    self._even_pages = is_on(element)
        except BrokenXml:
            self._package.say_unreadable(named.target)

    def _part(self, relationship: Relationship | None) -> bytes | None:
        """A part that can be done without. That it is missing was said when its relationship was read."""
        if relationship is None or not self._package.has(relationship.target):
            return None
        return self._package.read_if_there(relationship.target)

    def _source(self, part: str, data: bytes, tally: Tally) -> Source:
        is_main = part == self._main
        hides = self._styles.hide or may_be_unseen(data)
        return Source(
            self._styles,
            self._numbering,
            self._arrows if is_main else self._package.relationships(part),
            tally,
            self._budget,
            self._graphics,
            None if is_main else name(part),
            hides,
            on_white=hides and self._is_paper_white(),
        )

    def _is_paper_white(self) -> bool:
        """Whether no page has a colour, and nothing stands behind the text of any, headers and footers included."""
        if self._on_white is None:
            drawn = {self._main} | {
                arrow.target
                for arrow in self._arrows.values()
                if arrow.type in ("header", "footer") and arrow.is_part and self._package.has(arrow.target)
            }
            self._on_white = not any(paints(self._package.read_if_there(part) or b"") for part in drawn)
        return self._on_white

    def _read_asides(self, kind: AsideKind, relationship: str) -> None:
        named = first_of_type(self._arrows, relationship)
        part = self._part(named)
        if named is None or part is None:
            return
        tally = Tally(name(named.target))
        found = self._asides.setdefault(kind, {})
        try:
            read_asides(self._source(named.target, part, tally), kind, part, found)
        except BrokenXml:
            self._package.say_unreadable(named.target)
        tally.say(self._out)

    def _read_body(self, part: bytes) -> None:
        tally = Tally()
        source = self._source(self._main, part, tally)
        sections = Sections(
            foreseen(part, even_pages=self._even_pages), self._write_page_text, even_pages=self._even_pages
        )
        story = Story(source, self._writer.write, sections.end)
        seen_document = seen_body = False
        try:
            for event in stream(part, self._budget, (*TAGS, *_DOCUMENT, *_BODY)):
                if story.event(event):
                    continue
                seen_document = True
                if not seen_body and event[1].tag in _BODY:
                    seen_body = True
                    sections.start()
        except BrokenXml:
            raise refusal("malformed") from None
        story.finish()
        if not seen_document:
            raise refusal("kind-mismatch")
        if not seen_body:
            raise refusal("malformed")
        tally.say(self._out)

    def _write_page_text(self, text: PageText) -> None:
        relationship = self._arrows.get(text.id)
        if relationship is None or not relationship.is_part or relationship.target in self._pages_written:
            return
        self._pages_written.add(relationship.target)
        part = self._part(relationship)
        if part is None:
            return
        tally = Tally(name(relationship.target))
        source = self._source(relationship.target, part, tally)
        try:
            items = items_of(source, stream(part, self._budget, TAGS))
        except BrokenXml:
            self._package.say_unreadable(relationship.target)
            return
        for item in items:
            lines = as_lines([item])
            if not text.shown and lines.text:
                tally.add("hidden-text")
            locator = getattr(item, "locator", None) or Locator(part=source.part)
            self._writer.lines(lines, cast("Role", text.kind), visible=text.shown, locator=locator)
        tally.say(self._out)
