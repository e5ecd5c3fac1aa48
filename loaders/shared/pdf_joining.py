"""Lines of one paragraph as running text: broken words made whole, breaks that were meant kept, links moved along."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from fumehood.loaders.shared.builder import LinkSpan
from fumehood.loaders.shared.pdf_lines import Line, are_cjk

_HYPHENS: Final = "-\u00ad\u2010"
_SOFT: Final = "\u00ad"
_AROUND: Final = ".,:;!?()[]\"'\u201c\u201d\u2018\u2019\u00ab\u00bb"
_LONGEST_PART: Final = 64
_CLEARLY: Final = 0.02
"""Of the size: a word that would fit exactly, as every other one does in text of one width, is no sign of a break."""
_WIDER: Final = 1.25
"""How much wider than its line's letters a word's may be: its width is but estimated, and small letters go on."""
_LAST_PART: Final = re.compile(r"([^\W_]+)[-\u00ad\u2010]\Z")
_FIRST_PART: Final = re.compile(r"[^\W_]+")
_KEPT_BEFORE: Final = frozenset({"self", "well", "ex", "non", "quasi", "half", "all"})
"""First parts of English compounds that are hardly ever written without their hyphen."""


class Joined(NamedTuple):
    text: str
    links: list[LinkSpan]


def compounds(lines: Iterable[Line]) -> set[str]:
    """The words written with hyphens within lines: at a line's end, theirs are no breaks."""
    return {
        word.strip(_AROUND).casefold()
        for line in lines
        if "-" in line.text or "\u2010" in line.text
        for word in line.text.split(" ")
        if "-" in word or "\u2010" in word
    }


def joined(lines: Sequence[Line], right: float, known: AbstractSet[str]) -> Joined:
    """The lines' text; `right`: where they would have to end to be full; `known`: what :func:`compounds` found.

    A break is meant where the next line's first word would still have fitted: verses, addresses.
    """
    parts: list[str] = []
    links: list[LinkSpan] = []
    length = 0
    previous: Line | None = None
    for line in lines:
        if previous is not None:
            cut, separator = _seam(parts[-1], line.text, known, is_meant=would_fit(previous, line, right))
            if cut:
                parts[-1] = parts[-1][:-1]
                length -= 1
                if links and links[-1][1] > length:
                    links[-1] = (links[-1][0], length, links[-1][2])
            parts.append(separator)
            length += len(separator)
        if line.links:
            links += [(start + length, end + length, target) for start, end, target in line.links]
        parts.append(line.text)
        length += len(line.text)
        previous = line
    text = "".join(parts)
    if _SOFT not in text:
        return Joined(text, links)
    before = [0]
    for char in text:
        before.append(before[-1] + (char == _SOFT))
    moved = [(start - before[start], end - before[end], target) for start, end, target in links if end <= len(text)]
    return Joined(text.replace(_SOFT, ""), moved)


def would_fit(previous: Line, line: Line, right: float, words: int = 1) -> bool:
    """Whether the first word of `line`, or the first `words`, would have fitted behind `previous`."""
    text = line.text
    length = -1
    for _ in range(words):
        length = text.find(" ", length + 1)
        if length < 0:
            length = len(text)
            break
    width = (line.end - line.start) * (length + 1) / max(1, len(text))
    if text[:1].islower() and not line.is_fixed:
        width *= _WIDER
    return width + _CLEARLY * line.size < right - previous.end


def _seam(before: str, after: str, known: AbstractSet[str], *, is_meant: bool) -> tuple[bool, str]:
    """Whether the text before a line's end loses its hyphen, and what separates it from the text after."""
    if before[-1:] in _HYPHENS and before[-2:-1].isalnum():
        last, first = _LAST_PART.search(before[-_LONGEST_PART:]), _FIRST_PART.match(after)
        if last is not None and first is not None:
            return _is_break(last[1], first[0], known) or before[-1] == _SOFT, ""
    if is_meant:
        return False, "\n"
    return False, "" if are_cjk(before, after) else " "


def _is_break(last: str, first: str, known: AbstractSet[str]) -> bool:
    """Whether a hyphen stands only for a word's break: between letters, small ones behind it, and in no known compound."""
    if not (last[-1].isalpha() and first[0].islower()):
        return False
    return last.casefold() not in _KEPT_BEFORE and f"{last}-{first}".casefold() not in known
