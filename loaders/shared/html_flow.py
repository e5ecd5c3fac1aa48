"""A run of inline content as its lines: white space as a browser shows it (CSS Text 3, section 4.1), and the links in it."""

from __future__ import annotations

import re
from typing import Final

from fumehood.hygiene import clean, is_clean
from fumehood.loaders.shared.builder import LinkSpan

_SPACES: Final = re.compile("  +")
_MARKED_SPACE: Final = "\t\n\f\r "
_BREAKS: Final = "\n\t\r\f"


class Flow:
    """Text as it is added piece by piece; :meth:`take` gives it out.

    `source`, `last`: the nodes that its text starts and ends in, None while it is empty.
    """

    __slots__ = ("_gap", "_length", "_link_start", "_links", "_parts", "_target", "last", "source")

    def __init__(self) -> None:
        self._target: str | None = None
        self._reset()

    def _reset(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._gap = ""  # white space that stands there only if text follows
        self._links: list[LinkSpan] = []
        self._link_start: int | None = None
        self.source: object = None
        self.last: object = None

    def __bool__(self) -> bool:
        return bool(self._parts)

    def add(self, text: str, source: object) -> None:
        """Text whose white space collapses, also with that of its neighbours."""
        stripped = text.strip(_MARKED_SPACE)
        if not stripped:
            if text and not self._gap:
                self._gap = " "
            return
        if text[0] in _MARKED_SPACE and not self._gap:
            self._gap = " "
        self._put(_collapsed(stripped), source)
        if text[-1] in _MARKED_SPACE:
            self._gap = " "

    def add_lines(self, text: str, source: object) -> None:
        """Text whose lines stand, while other white space collapses."""
        first, *others = text.split("\n")
        self.add(first, source)
        for line in others:
            self.line_break()
            self.add(line, source)

    def add_preserved(self, text: str, source: object) -> None:
        """Text whose white space stands."""
        if text:
            self._put(text, source)

    def line_break(self) -> None:
        self._gap = "\n"

    def space(self) -> None:
        if not self._gap:
            self._gap = " "

    def open_link(self, target: str) -> None:
        """What follows is the label of a link."""
        self.close_link()
        self._target = target

    def close_link(self) -> None:
        self._end_span()
        self._target = None

    def take(self) -> tuple[str, list[LinkSpan]]:
        """The text and the links in it. The flow is empty then; a link that is open goes on."""
        if not self._parts:
            self._gap = ""
            return "", []
        self._end_span()
        text, links = "".join(self._parts), self._links
        self._reset()
        if links and not is_clean(text):
            # A reference may name a control character; offsets must count in what is left.
            links = [(len(clean(text[:start])[0]), len(clean(text[:end])[0]), target) for start, end, target in links]
            text = clean(text)[0]
        return text, links

    def _put(self, text: str, source: object) -> None:
        if self._parts:
            if self._gap and not (self._gap == "\n" and self._parts[-1][-1] == "\n"):
                self._parts.append(self._gap)
                self._length += len(self._gap)
        else:
            self.source = source
        self.last = source
        self._gap = ""
        if self._target is not None and self._link_start is None:
            self._link_start = self._length
        self._parts.append(text)
        self._length += len(text)

    def _end_span(self) -> None:
        if self._target is not None and self._link_start is not None:
            self._links.append((self._link_start, self._length, self._target))
        self._link_start = None


def _collapsed(text: str) -> str:
    """`text` with one space for each run of white space; most texts have none to replace, which is found out fast."""
    for mark in _BREAKS:
        if mark in text:
            text = text.replace(mark, " ")
    return _SPACES.sub(" ", text) if "  " in text else text
