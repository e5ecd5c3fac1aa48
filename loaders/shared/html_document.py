"""A document of HTML to blocks: the one way in for every kind that holds some."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from fumehood.document import MAX_TARGET, Locator
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.dates import date
from fumehood.loaders.shared.html_elements import ELEMENTS
from fumehood.loaders.shared.html_emit import Locate
from fumehood.loaders.shared.html_nodes import content
from fumehood.loaders.shared.html_sheets import Find, Styles, nowhere
from fumehood.loaders.shared.html_source import is_xml, loses_end, normalised, parse
from fumehood.loaders.shared.html_walk import Resolve, Walker
from fumehood.loaders.shared.tally import Tally

_ABSOLUTE: Final = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_WEB: Final = frozenset({"http", "https"})
_WHITE: Final = "ffffff"
_STYLED: Final = re.compile(r"<style\b|\bstylesheet\b", re.IGNORECASE)
_METADATA: Final = {
    "author": "author",
    "dc.creator": "author",
    "dcterms.creator": "author",
    "article:author": "author",
    "keywords": "keywords",
    "description": "subject",
    "dc.description": "subject",
    "og:description": "subject",
    "generator": "generator",
    "progid": "generator",
    "article:published_time": "created",
    "dcterms.created": "created",
    "dcterms.date": "created",
    "dc.date": "created",
    "article:modified_time": "modified",
    "dcterms.modified": "modified",
}
_DATES: Final = frozenset({"created", "modified"})


def read(
    text: str,
    out: Builder,
    budget: Budget,
    *,
    base: str | None = None,
    locate: Locate | None = None,
    resolve: Resolve | None = None,
    xml: bool | None = None,
    describes: bool = True,
    find: Find = nowhere,
    styles: Styles | None = None,
    tally: Tally | None = None,
) -> None:
    """Reads the document `text`, with all its notices.

    - `base`: the address that relative links start from; the document's own `base` goes before it.
    - `locate`: where something stands, by its offset in the normalised text and its part of the page; by default its
      line. `resolve`: a link's target, instead of by `base`.
    - `xml`: whether a slash closes any element, as in XHTML; by default if the text starts with an XML declaration.
    - `describes`: whether title and metadata are the document's own.
    - `find`: the style sheet at an address, where some lie beside the document. `styles`: what keeps them for the next
      document; by default there is none.
    - `tally`: counts what is left out, to be said by the caller; by default it is said here.

    Raises the refusals `nodes`, `nesting` and those of output.
    """
    text = normalised(text)
    links = Links(base)
    counts = Tally() if tally is None else tally
    head = _Head(out, links, describes)
    styles = styles or Styles(counts, budget)
    walker = Walker(
        out, budget, locate or Lines(text), resolve or links.resolve, head.take, styles, find, counts, ELEMENTS
    )
    if loses_end(text):
        out.notice("repaired")
    root = parse(text, budget, xml=is_xml(text) if xml is None else xml)
    head.language(root)
    is_styled = _STYLED.search(text) is not None
    # Where style may come from anywhere, nobody knows what is behind a text.
    walker.read(root, paper=None if is_styled else _WHITE, is_styled=is_styled)
    if tally is None:
        counts.say(out)


class Lines:
    """Locates by line, from 1."""

    def __init__(self, text: str) -> None:
        self._ends = [match.start() for match in re.finditer("\n", text)]

    def __call__(self, offset: int, landmark: str | None) -> Locator:
        return Locator(line=bisect_right(self._ends, offset - 1) + 1, part=landmark)


class Links:
    """Targets of links (WHATWG HTML, 2.4): absolute ones, those inside the document, and relative ones to a known base."""

    def __init__(self, base: str | None) -> None:
        self._base = base if base and _ABSOLUTE.match(base) else None
        self._own = False

    def set_base(self, href: str) -> None:
        """The first `base` with an address counts (4.2.3)."""
        if self._own or not href:
            return
        target = self._joined(href)
        if target is not None and urlsplit(target).scheme in _WEB:
            self._base, self._own = target, True

    def resolve(self, href: str) -> str | None:
        if len(href) > MAX_TARGET:
            return None
        href = re.sub(r"[\t\n\r]", "", href)
        if href.startswith("#"):
            return href if len(href) > 1 and not re.search(r"\s", href) else None
        target = self._joined(href)
        return None if target is None else target.replace(" ", "%20")

    def _joined(self, href: str) -> str | None:
        if _ABSOLUTE.match(href):
            return href
        if self._base is None or _SCHEME.match(href):
            return None
        try:
            return urljoin(self._base, href)
        except ValueError:
            return None


class _Head:
    def __init__(self, out: Builder, links: Links, describes: bool) -> None:
        self._out = out
        self._links = links
        self._describes = describes
        self._takers: dict[str, Callable[[Any], None]] = {
            "title": self._title,
            "meta": self._meta,
            "base": self._set_base,
        }

    def take(self, node: Any) -> None:
        taker = self._takers.get(node.name)
        if taker is not None:
            taker(node)

    def language(self, root: Any) -> None:
        html = next((child for child in root.children if child.name == "html"), None)
        attributes = (html.attrs or {}) if html is not None else {}
        if self._describes:
            self._out.set_metadata("language", attributes.get("lang") or attributes.get("xml:lang") or "")

    def _title(self, node: Any) -> None:
        if self._describes and self._out.title is None:
            self._out.set_title(content(node))

    def _set_base(self, node: Any) -> None:
        self._links.set_base(((node.attrs or {}).get("href") or "").strip())

    def _meta(self, node: Any) -> None:
        attributes = node.attrs or {}
        name = (attributes.get("name") or attributes.get("property") or "").strip().lower()
        key = _METADATA.get(name)
        value = (attributes.get("content") or "").strip()
        if not self._describes or key is None or key in self._out.metadata:
            return
        self._out.set_metadata(key, date(value) or "" if key in _DATES else value)
