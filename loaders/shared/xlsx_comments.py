"""Comments of both generations (ECMA-376 part 1, 18.7; MS-XLSX, 2.1.20 and 2.6.203), by the cell that they are on."""

from __future__ import annotations

from typing import Final

from fumehood.hygiene import clean_line
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.cell_names import area
from fumehood.loaders.shared.ooxml_names import Element, names
from fumehood.loaders.shared.ooxml_xml import release, stream
from fumehood.loaders.shared.xlsx_strings import rich_text

_AUTHOR: Final = names("s:author")
_COMMENT: Final = names("s:comment")
_TEXT: Final = names("s:text")
_THREADED: Final = names("tc:threadedComment")
_THREADED_TEXT: Final = names("tc:text")
_PERSON: Final = names("tc:person")
_PLACEHOLDER: Final = "tc="
"""Starts the author's name of a comment that repeats a thread for programs that know of none."""

Comments = dict[tuple[int, int], list[str]]
"""What is remarked on a cell, by its row and column, in order."""


def read_persons(part: bytes, budget: Budget, found: dict[str, str]) -> None:
    """Adds the names of those who write in threads to `found`, by identifier. Raises `BrokenXml`."""
    for event, element in stream(part, budget, _PERSON):
        if event == "end":
            found[element.get("id") or ""] = clean_line(element.get("displayName") or "")
            release(element)


def read_threads(part: bytes, persons: dict[str, str], budget: Budget, found: Comments) -> None:
    """Adds the remarks of all threads to `found`. Raises `BrokenXml`, with what came before kept."""
    for event, element in stream(part, budget, _THREADED):
        if event == "end":
            text = "".join(child.text or "" for child in element.iterchildren(*_THREADED_TEXT))
            _add(found, element, persons.get(element.get("personId") or "", ""), text)
            release(element)


def read_comments(part: bytes, threads: Comments, budget: Budget, found: Comments) -> None:
    """Adds comments to `found`, without those that stand in for a thread in `threads`. Raises `BrokenXml`."""
    authors: list[str] = []
    for event, element in stream(part, budget, (*_AUTHOR, *_COMMENT)):
        if event == "start":
            continue
        if element.tag in _AUTHOR:
            authors.append(clean_line(element.text or ""))
        else:
            author = _author(element, authors)
            text = "".join(rich_text(child) for child in element.iterchildren(*_TEXT))
            if not author.startswith(_PLACEHOLDER):
                _add(found, element, author, text)
            elif _place(element) not in threads:
                _add(found, element, "", text)
        release(element)


def _author(element: Element, authors: list[str]) -> str:
    written = element.get("authorId") or ""
    known = written.isascii() and written.isdigit() and len(written) < 9 and int(written) < len(authors)
    return authors[int(written)] if known else ""


def _add(found: Comments, element: Element, author: str, text: str) -> None:
    text = text.strip()
    if text:
        # Excel starts a comment's text with its author's name, which the user may delete.
        named = not author or text.startswith(f"{author}:")
        found.setdefault(_place(element), []).append(text if named else f"{author}: {text}")


def _place(element: Element) -> tuple[int, int]:
    """The cell; the first one if it is out of bounds."""
    cells = area(element.get("ref") or "")
    return (cells.top, cells.left) if cells else (1, 1)
