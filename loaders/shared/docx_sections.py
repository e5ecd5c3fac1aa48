"""Headers and footers, once for each section that brings its own (ECMA-376 part 1, 17.6 and 17.10)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from fumehood.loaders.shared.docx_looks import is_on
from fumehood.loaders.shared.ooxml_names import Element, attribute, by_name, names

MAX_SECTIONS: Final = 10_000
"""Whose headers are looked up ahead; those of later ones stand at their end."""

_KINDS: Final = by_name({"w:headerReference": "header", "w:footerReference": "footer"})
_TYPE: Final = names("w:type")
_R_ID: Final = names("r:id")
_TITLE_PAGE: Final = names("w:titlePg")

_SECTION_END: Final = re.compile(rb"sectPr\s*>")
_HINT: Final = re.compile(rb"headerReference\b([^<>]{0,400})>")
_HINT_TYPE: Final = re.compile(rb":type\s*=\s*[\"'](\w+)")
_HINT_ID: Final = re.compile(rb":id\s*=\s*[\"']([^\"']+)")
_HINT_TITLE: Final = re.compile(rb"<\w+:titlePg\s*(?:/?>|\w+:val\s*=\s*[\"'](?:1|true|on)[\"'])")


class PageText(NamedTuple):
    """A reference to a header or footer. `kind`: `header` or `footer`; `shown`: on any page of the section."""

    kind: str
    id: str
    shown: bool


def page_texts(section: Element, *, even_pages: bool) -> list[PageText]:
    """The headers and footers that a `w:sectPr` refers to, headers first, the one of ordinary pages before others.

    One for the first page is shown only if the section has a title page (17.10.6), one for even pages only if
    the document tells odd from even pages (17.10.1).
    """
    title_page = any(is_on(flag) for flag in section.iterchildren(*_TITLE_PAGE))
    found = [
        (kind, attribute(child, _TYPE) or "default", attribute(child, _R_ID) or "")
        for child in section
        if (kind := _KINDS.get(child.tag))
    ]
    return _ordered(found, title_page=title_page, even_pages=even_pages)


def _ordered(found: list[tuple[str, str, str]], *, title_page: bool, even_pages: bool) -> list[PageText]:
    shown = {"default": True, "first": title_page, "even": even_pages}
    order = {"first": 0 if title_page else 2, "default": 1, "even": 3}
    ranked = sorted(found, key=lambda one: (one[0] != "header", order.get(one[1], 4)))
    return [PageText(kind, identifier, shown.get(of_pages, True)) for kind, of_pages, identifier in ranked]


def foreseen(part: bytes, *, even_pages: bool) -> list[list[PageText]]:
    """The headers of each section, looked up ahead in the bytes of the main part.

    A section says at its end what stands on top of it, and a second parse would cost as much as the first.
    This decides only where headers are placed: which there are is what the parse finds. Empty for XML that
    is not in an encoding that holds ASCII, and where old sections of tracked changes stand between the others.
    """
    if b"headerReference" not in part or b"sectPrChange" in part:
        return []
    return [_headers_in(piece, even_pages=even_pages) for piece in islice(_pieces(part), MAX_SECTIONS)]


def _pieces(part: bytes) -> Iterator[bytes]:
    """The bytes of each `w:sectPr`, in order."""
    for end in _SECTION_END.finditer(part):
        closing = end.start()
        if part[max(0, closing - 40) : closing].rpartition(b"<")[2][:1] == b"/":
            start = part.rfind(b"sectPr", max(0, closing - 16_384), closing)
            yield part[max(start, 0) : closing] if start >= 0 else b""


def _headers_in(piece: bytes, *, even_pages: bool) -> list[PageText]:
    found: list[tuple[str, str, str]] = []
    for hint in _HINT.finditer(piece):
        identifier, of_pages = _HINT_ID.search(hint[1]), _HINT_TYPE.search(hint[1])
        if identifier:
            kind = of_pages[1].decode() if of_pages else "default"
            found.append(("header", kind, identifier[1].decode("utf-8", "replace")))
    return _ordered(found, title_page=_HINT_TITLE.search(piece) is not None, even_pages=even_pages)


class Sections:
    """Gives each header and footer to `write` once: headers where their section starts, footers where it ends."""

    def __init__(self, foreseen: list[list[PageText]], write: Callable[[PageText], None], *, even_pages: bool) -> None:
        self._foreseen = foreseen
        self._write = write
        self._even_pages = even_pages
        self._at = 0

    def start(self) -> None:
        """A section starts."""
        if self._at < len(self._foreseen):
            for text in self._foreseen[self._at]:
                self._write(text)

    def end(self, section: Element) -> None:
        """A section ends and says what it had; another one may start."""
        for text in page_texts(section, even_pages=self._even_pages):
            self._write(text)
        self._at += 1
        self.start()
