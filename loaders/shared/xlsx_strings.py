"""Strings of SpreadsheetML (ECMA-376 part 1, 18.4): plain or in runs, without the readings of phonetic runs."""

from __future__ import annotations

import re
from typing import Final

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.ooxml_names import Element, names
from fumehood.loaders.shared.ooxml_xml import release, stream

_ITEM: Final = names("s:si")
_TEXT: Final = frozenset(names("s:t"))
_RUN: Final = frozenset(names("s:r"))
_ESCAPE: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def read_strings(part: bytes, budget: Budget, found: list[str]) -> None:
    """Adds the shared strings to `found`, in order. Raises `BrokenXml`, with what came before kept."""
    for event, element in stream(part, budget, _ITEM, _plain_items):
        if event == "end":
            found.append(rich_text(element))
            release(element)


def _plain_items(text: bytes) -> int:
    """A string and its text are two elements, and are spent as one."""
    return min(text.count(b"<si>"), text.count(b"<t>") + text.count(b"<t "))


def rich_text(item: Element) -> str:
    """The text of a string item (18.4.8) or of a comment."""
    return unescaped(joined_runs(item))


def joined_runs(item: Element) -> str:
    """The text of a string item or an inline string as it is written: its own and that of its runs.

    A phonetic run (18.4.6) says how the text is read aloud, and is left out with all that is in it.
    """
    pieces: list[str] = []
    for child in item:
        if child.tag in _TEXT:
            pieces.append(child.text or "")
        elif child.tag in _RUN:
            pieces += [inner.text or "" for inner in child if inner.tag in _TEXT]
    return "".join(pieces)


def unescaped(text: str) -> str:
    """Characters that XML cannot hold, or a reader must not take for such, are written `_x000D_` (22.9.2.19)."""
    if "_x" not in text:
        return text
    text = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
    if _SURROGATE.search(text):
        # Halves of one character, each escaped by itself.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
