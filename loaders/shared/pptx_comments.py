"""Comments on slides: ECMA-376 part 1, 19.4, with threads of 2012 (MS-PPTX 2.3), and those of 2018 (MS-PPTX 2.6)."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from fumehood.hygiene import clean_line
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.lines import Line, behind
from fumehood.loaders.shared.ooxml_drawing_text import Target, read_text
from fumehood.loaders.shared.ooxml_names import Element, names
from fumehood.loaders.shared.ooxml_xml import release, stream
from fumehood.loaders.shared.tally import Tally

_AUTHOR: Final = names("p:cmAuthor", "p188:author")
_COMMENT: Final = frozenset(names("p:cm", "p188:cm"))
_REPLY: Final = frozenset(names("p188:reply"))
_OLD_TEXT: Final = names("p:text")
_PARENT: Final = names("p15:parentCm")
_BODY: Final = frozenset(names("p188:txBody"))

_Key = tuple[str, str]


def read_authors(part: bytes, budget: Budget, found: dict[str, str]) -> None:
    """Adds the names of authors by identifier, of either generation. Raises `BrokenXml`, with what came before kept."""
    for what, element in stream(part, budget, _AUTHOR):
        if what == "end":
            found.setdefault(element.get("id") or "", clean_line(element.get("name") or ""))
            release(element)


class Comments:
    """The comments of one slide."""

    def __init__(self, authors: dict[str, str], target: Target, tally: Tally, budget: Budget) -> None:
        self._authors = authors
        self._target = target
        self._tally = tally
        self._budget = budget
        self._threads: list[tuple[_Key, list[Line]]] = []
        self._replies: defaultdict[_Key, list[Line]] = defaultdict(list)
        self._own: list[Line] = []  # of the comment at hand
        self._answers: list[Line] = []

    def read(self, part: bytes) -> None:
        """Adds those of a part. Raises `BrokenXml`, with what came before kept."""
        bodies = {**dict.fromkeys(_COMMENT), **dict.fromkeys(_REPLY), **dict.fromkeys(_BODY)}
        for what, element in stream(part, self._budget, bodies):
            if what == "end":
                if element.tag in _BODY:
                    self._body(element)
                elif element.tag in _COMMENT:
                    self._comment(element)
                    release(element)

    def lines(self) -> list[Line]:
        """A line for each comment, its author first, and the answers right behind what they answer."""
        found: list[Line] = []
        keys = {key for key, _ in self._threads}
        for key, lines in self._threads:
            found += [*lines, *self._replies.get(key, ())]
        found += [line for key, lines in self._replies.items() if key not in keys for line in lines]
        return found

    def _body(self, body: Element) -> None:
        """The text of a comment of 2018, or of a reply, which stands before it: it is in it."""
        holder = body.getparent()
        line = read_text(body, self._budget, self._tally, self._target)
        if holder is not None and line[0]:
            signed = self._signed(holder, line)
            (self._own if holder.tag in _COMMENT else self._answers).append(signed)

    def _comment(self, element: Element) -> None:
        key = (element.get("authorId") or "", element.get("idx") or "")
        lines = [*self._own, *self._answers]
        self._own, self._answers = [], []
        for old in element.iterchildren(*_OLD_TEXT):
            if old.text and old.text.strip():
                lines.append(self._signed(element, (old.text, [])))
        parent = next(element.iter(*_PARENT), None)
        if parent is None:
            self._threads.append((key, lines))
        else:
            self._replies[parent.get("authorId") or "", parent.get("idx") or ""] += lines

    def _signed(self, holder: Element, line: Line) -> Line:
        author = self._authors.get(holder.get("authorId") or "")
        return behind(f"{author}: ", line) if author else line
