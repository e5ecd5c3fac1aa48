"""Books in EPUB 2 and 3, in the order of their spine; each chapter is read as the web page it is."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from importlib.metadata import version
from typing import Final
from urllib.parse import quote, unquote

from lxml import etree

from fumehood.document import Locator
from fumehood.errors import NoticeCode, Refusal, refusal
from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import encoding, html_document, html_encoding
from fumehood.loaders.shared.builder import Builder, name
from fumehood.loaders.shared.css_library import Library
from fumehood.loaders.shared.dates import date
from fumehood.loaders.shared.epub_package import (
    Container,
    Item,
    Package,
    encrypted_paths,
    find_package,
    read_package,
    resolved,
)
from fumehood.loaders.shared.epub_toc import Entry, titles
from fumehood.loaders.shared.html_document import Links
from fumehood.loaders.shared.html_nodes import text_of
from fumehood.loaders.shared.html_sheets import Styles
from fumehood.loaders.shared.html_source import normalised, parse
from fumehood.loaders.shared.tally import Tally

ENGINES: Final[Mapping[str, str]] = {
    "justhtml": version("justhtml"),
    "lxml": ".".join(map(str, etree.LXML_VERSION[:3])),
}

_START_OF_ENTRY: Final = b"PK"
_END_OF_ARCHIVE: Final = b"PK\x05\x06"
_END_WITHIN: Final = 66_000
_PAGES: Final = frozenset(
    [
        "application/xhtml+xml",
        "text/html",
        "text/x-oeb1-document",
        "application/x-dtbook+xml",
        "application/xml",
        "text/xml",
        "image/svg+xml",
        "",
    ]
)
_HEADING: Final = re.compile(r"<(?:\w{1,20}:)?h[1-6][\s>]", re.IGNORECASE)
_MAX_FALLBACKS: Final = 16


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    """Raises the refusals of the archive's and the XML's prechecks, `kind-mismatch`, `encrypted` and `scanned`."""
    _judge(data)
    container = Container(data, out, budget)
    package = read_package(container, find_package(container), budget)
    encrypted = encrypted_paths(container)
    _describe(package, out, budget)
    if package.is_fixed:
        out.notice("layout-simplified")
    _Book(container, package, encrypted, out, budget).read()
    # That a picture of a page has no text of its own is no sign that it is there for decoration.
    has_pictures = any(item.media_type.startswith("image/") for item in package.items.values()) or any(
        notice.code == "image-not-read" for notice in out.notices
    )
    if has_pictures and not any(block.visible for block in out.blocks):
        raise refusal("scanned")


def warm() -> None:
    """Codecs are loaded when first asked for."""
    encoding.warm()


def _judge(data: bytes) -> None:
    if not data:
        raise refusal("malformed", stage="precheck")
    if not data.startswith(_START_OF_ENTRY) and _END_OF_ARCHIVE not in data[-_END_WITHIN:]:
        raise refusal("kind-mismatch", stage="precheck")


def _describe(package: Package, out: Builder, budget: Budget) -> None:
    """Dublin Core as metadata (EPUB 3.3, 5.5). A description is prose that no page of the book shows, often in HTML."""
    said = package.described
    blurbs = [text_of(parse(normalised(text), budget)) for text in said.get("description", ())]
    for blurb in blurbs:
        out.paragraph(" ".join(blurb.split()), locator=Locator(path=name(package.path)), visible=False)
    out.set_metadata("subject", next(iter(blurbs), ""))
    out.set_title(next(iter(said.get("title", ())), None))
    for key, element in (("author", "creator"), ("keywords", "subject"), ("x-publisher", "publisher")):
        out.set_metadata(key, ", ".join(said.get(element, ())))
    for key, element in (("language", "language"), ("x-identifier", "identifier")):
        out.set_metadata(key, next(iter(said.get(element, ())), ""))
    dates = {"created": next(iter(said.get("date", ())), ""), "modified": package.modified}
    for key, value in dates.items():
        out.set_metadata(key, date(value) or "")


class _Book:
    def __init__(
        self, container: Container, package: Package, encrypted: frozenset[str], out: Builder, budget: Budget
    ) -> None:
        self._container = container
        self._package = package
        self._encrypted = encrypted
        self._out = out
        self._budget = budget
        self._titles: Mapping[str, Entry] = {}
        self._read: set[str] = set()
        self._tally = Tally()
        self._styles = Styles(self._tally, budget)
        self._library = Library(_beside, self._sheet, self._tally, budget)

    def read(self) -> None:
        """All of the spine. Raises `encrypted` if a chapter is."""
        chapters = [item for item in map(self._chapter, self._order()) if item is not None]
        if any(item.path in self._encrypted for item in chapters):
            raise refusal("encrypted")
        for path in sorted(self._encrypted):
            self._container.say_unreadable(path)
        self._titles = titles(self._container, self._package, self._budget)
        for item in chapters:
            self._read_chapter(item)
        self._tally.say(self._out)

    def _order(self) -> list[str]:
        """The spine's items; without a spine, the manifest's, in its order."""
        if self._package.spine:
            return self._package.spine
        items = self._package.items
        found = [identifier for identifier, item in items.items() if item.media_type in _PAGES and item.path]
        if not found:
            raise refusal("malformed")
        self._budget.spend("parts", len(found))
        self._out.notice("repaired")
        return found

    def _chapter(self, identifier: str) -> Item | None:
        """The item of the spine, or the first of its fallbacks that is a page (EPUB 3.3, 3.5.1)."""
        item = self._package.items.get(identifier)
        if item is None:
            self._out.notice("part-missing")
            return None
        found, tried = item, 0
        while found.media_type not in _PAGES and found.fallback and tried < _MAX_FALLBACKS:
            following = self._package.items.get(found.fallback)
            if following is None:
                break
            found, tried = following, tried + 1
        if found.media_type in _PAGES:
            return found
        if tried == _MAX_FALLBACKS:
            self._out.notice("cycle-skipped", Locator(path=name(item.path)))
        code: NoticeCode = "image-not-read" if item.media_type.startswith("image/") else "object-not-read"
        self._out.notice(code, Locator(path=name(item.path)))
        return None

    def _read_chapter(self, item: Item) -> None:
        if not item.path:
            self._out.notice("external-target")
            return
        locator = Locator(path=name(item.path))
        if item.path in self._read:
            # A spine names each item once (5.7.2).
            self._out.notice("cycle-skipped", locator)
            return
        self._read.add(item.path)
        data = self._container.read(item.path)
        text = None if data is None else self._decoded(data, item.path)
        if text is None:
            return
        self._title(item.path, text, locator)
        links = _ChapterLinks(self._container, item.path)
        html_document.read(
            text,
            self._out,
            self._budget,
            locate=lambda offset, landmark: Locator(path=locator.path, part=landmark),
            resolve=links.resolve,
            # EPUB 2 had pages of HTML's syntax as well.
            xml=item.media_type != "text/html",
            describes=False,
            find=self._library.finder(item.path),
            styles=self._styles,
            tally=self._tally,
        )

    def _decoded(self, data: bytes, path: str) -> str | None:
        try:
            return html_encoding.decode(data, self._out)
        except Refusal as refused:
            if refused.code != "kind-mismatch":
                raise
            self._container.say_unreadable(path)
            return None

    def _sheet(self, path: str) -> bytes | None:
        return None if path in self._encrypted else self._container.read(path)

    def _title(self, path: str, text: str, locator: Locator) -> None:
        """A chapter without any heading has the title that the table of contents gives it."""
        entry = self._titles.get(path)
        if entry is not None and _HEADING.search(text) is None:
            self._out.heading(entry.title, entry.level, locator=locator)


def _beside(address: str, path: str) -> str:
    return resolved(address, posixpath.dirname(path))


class _ChapterLinks:
    """Links within the book become `#path` or `#path#fragment`, where `path` is the one of the locators."""

    def __init__(self, container: Container, path: str) -> None:
        self._container = container
        self._path = path
        self._web = Links(None)

    def resolve(self, href: str) -> str | None:
        path, mark, fragment = href.partition("#")
        target = self._path if not path else resolved(path, posixpath.dirname(self._path))
        if not target:
            return self._web.resolve(href)
        if not self._container.has(target):
            return None
        return f"#{quote(target)}" + (f"#{quote(unquote(fragment))}" if mark and fragment else "")
