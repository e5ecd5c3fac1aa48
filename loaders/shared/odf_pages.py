"""Master pages: headers and footers of text, and what stands on every slide (ODF 1.3 part 3, 16.9 to 16.14)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from fumehood.loaders.shared.odf_content import Content
from fumehood.loaders.shared.odf_names import Attributes, qname
from fumehood.loaders.shared.story_items import Item

MAX_CHAIN: Final = 64
"""Masters that follow each other."""

_NAME: Final = qname("style:name")
_NEXT: Final = qname("style:next-style-name")
_DISPLAY: Final = qname("style:display")
_DEFAULT: Final = "Standard"
_SIDES: Final = ("", "-left", "-first")


@dataclass(slots=True)
class MasterPage:
    """`headers` and `footers`: each with what it holds, ordinary pages first; `items`: what stands on it besides."""

    next: str | None = None
    headers: list[list[Item]] = field(default_factory=list)
    footers: list[list[Item]] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)


class MasterPages:
    """Takes the master pages that `content` comes by."""

    def __init__(self, content: Content) -> None:
        self._text = content.text
        self._dispatcher = content.dispatcher
        self._pages: dict[str, MasterPage] = {}
        self._page: MasterPage | None = None
        self._dispatcher.on("style:master-page", self._start, self._end)
        # Of a master page: how notes look, and no notes.
        self._dispatcher.skip_all("presentation:notes")
        for side in _SIDES:
            for prefix in ("style", "loext"):
                self._dispatcher.on(f"{prefix}:header{side}", self._starter("headers"), self._end_text)
                self._dispatcher.on(f"{prefix}:footer{side}", self._starter("footers"), self._end_text)

    def take_over(self, other: MasterPages) -> None:
        """The pages of another part of the same document."""
        self._pages = other._pages | self._pages

    def chain(self, name: str | None) -> list[tuple[str, MasterPage]]:
        """The page of that name, the default one where there is none, and those that follow on it (16.9)."""
        if name not in self._pages:
            name = _DEFAULT if _DEFAULT in self._pages else next(iter(self._pages), None)
        found: dict[str, MasterPage] = {}
        while name is not None and name in self._pages and name not in found and len(found) < MAX_CHAIN:
            found[name] = self._pages[name]
            name = found[name].next
        return list(found.items())

    def get(self, name: str | None) -> MasterPage | None:
        return None if name is None else self._pages.get(name)

    def _start(self, attributes: Attributes) -> None:
        self._page = self._pages[attributes.get(_NAME, "")] = MasterPage(attributes.get(_NEXT))
        self._text.push(self._page.items.append)

    def _end(self) -> None:
        self._page = None
        self._text.pop()

    def _starter(self, which: str) -> Callable[[Attributes], None]:
        def start(attributes: Attributes) -> None:
            items: list[Item] = []
            page = self._page
            if page is not None and attributes.get(_DISPLAY) != "false":
                (page.headers if which == "headers" else page.footers).append(items)
            self._text.push(items.append)

        return start

    def _end_text(self) -> None:
        self._text.pop()
