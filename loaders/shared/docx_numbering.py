"""The numbers and bullets in front of paragraphs, as Word shows them (ECMA-376 part 1, 17.9)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.docx_looks import VAL, is_on
from fumehood.loaders.shared.docx_styles import number
from fumehood.loaders.shared.numerals import written
from fumehood.loaders.shared.ooxml_names import Element, attribute, names
from fumehood.loaders.shared.ooxml_xml import release, stream

LEVELS: Final = 9

_ABSTRACT: Final = names("w:abstractNum")
_NUM: Final = names("w:num")
_ABSTRACT_ID: Final = names("w:abstractNumId")
_NUM_ID: Final = names("w:numId")
_ILVL: Final = names("w:ilvl")
_LVL: Final = names("w:lvl")
_OVERRIDE: Final = names("w:lvlOverride")
_START_OVERRIDE: Final = names("w:startOverride")
_START: Final = names("w:start")
_FORMAT: Final = names("w:numFmt")
_TEXT: Final = names("w:lvlText")
_RESTART: Final = names("w:lvlRestart")
_LEGAL: Final = names("w:isLgl")
_STYLE: Final = names("w:pStyle")
_NUM_STYLE_LINK: Final = names("w:numStyleLink")
_PLACE: Final = re.compile("%([1-9])")

_LONGEST: Final = 255
"""Characters of what stands in front of a paragraph, before the numbers are put in; as many as Word takes."""


@dataclass(slots=True)
class _Level:
    """One `w:lvl`; the defaults are those of 17.9."""

    start: int = 0
    format: str = "decimal"
    text: str = ""
    restart: int | None = None
    legal: bool = False
    style: str | None = None


@dataclass(slots=True)
class _Abstract:
    levels: dict[int, _Level] = field(default_factory=dict)
    style_link: str | None = None
    counts: list[int | None] = field(default_factory=lambda: [None] * LEVELS)


@dataclass(slots=True)
class _Num:
    abstract: str | None = None
    levels: dict[int, _Level] = field(default_factory=dict)
    starts: dict[int, int] = field(default_factory=dict)
    started: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Label:
    """What stands in front of a paragraph: `text` as shown, `-` for bullets; `level` from 0."""

    text: str
    level: int


class Numbering:
    """The lists of a document. Counts as it is asked, in document order."""

    def __init__(self) -> None:
        self._abstracts: dict[str, _Abstract] = {}
        self._nums: dict[str, _Num] = {}

    def read(self, part: bytes, budget: Budget) -> None:
        """Adds the lists of a numbering part. Raises `BrokenXml`, with what came before kept."""
        for event, element in stream(part, budget, (*_ABSTRACT, *_NUM)):
            if event == "start":
                continue
            if element.tag in _ABSTRACT:
                self._abstracts.setdefault(attribute(element, _ABSTRACT_ID) or "", _abstract(element))
            else:
                self._nums.setdefault(attribute(element, _NUM_ID) or "", _num(element))
            release(element)

    def level_of_style(self, num_id: str, style: str, by_style: Callable[[str], str | None]) -> int:
        """The level of list `num_id` that is tied to the paragraph style (17.9.23); 0 if none is."""
        num = self._nums.get(num_id)
        abstract = None if num is None else self._abstract_of(num, by_style)
        levels = {} if abstract is None else abstract.levels
        return next((at for at, level in levels.items() if level.style == style), 0)

    def label(self, num_id: str, level: int, by_style: Callable[[str], str | None]) -> Label | None:
        """Counts one paragraph of list `num_id` at `level`, from 0, and says what stands in front of it.

        `by_style` gives the list that a numbering style stands for. None if there is no such list, or if
        its level shows nothing.
        """
        num = self._nums.get(num_id)
        abstract = None if num is None else self._abstract_of(num, by_style)
        if num is None or abstract is None:
            return None
        level = max(0, min(level, LEVELS - 1))
        _count(abstract, num, level)
        shown = _shown(abstract, num, level)
        return Label(shown, level) if shown else None

    def _abstract_of(self, num: _Num, by_style: Callable[[str], str | None]) -> _Abstract | None:
        """A list may take its levels from a numbering style, which names a list that has them (17.9.21): one step."""
        abstract = self._abstracts.get(num.abstract or "")
        if abstract is None or abstract.levels or abstract.style_link is None:
            return abstract
        linked = self._nums.get(by_style(abstract.style_link) or "")
        return abstract if linked is None else self._abstracts.get(linked.abstract or "", abstract)


def _level(abstract: _Abstract, num: _Num, at: int) -> _Level:
    return num.levels.get(at) or abstract.levels.get(at) or _Level()


def _count(abstract: _Abstract, num: _Num, at: int) -> None:
    """Lists of one definition count on from each other, but for a list that says where it starts (17.9.26)."""
    counts = abstract.counts
    before = counts[at]
    if at in num.starts and at not in num.started:
        counts[at] = num.starts[at]
    elif before is None:
        counts[at] = num.starts.get(at, _level(abstract, num, at).start)
    else:
        counts[at] = before + 1
    num.started.add(at)
    for above in range(at):
        if counts[above] is None:
            counts[above] = num.starts.get(above, _level(abstract, num, above).start)
    for below in range(at + 1, LEVELS):
        # 17.9.10: 0 is never; a number is the level, from 1, that restarts it; else every higher one does.
        restart = _level(abstract, num, below).restart
        if restart is None or (restart > 0 and at < restart):
            counts[below] = None


def _shown(abstract: _Abstract, num: _Num, at: int) -> str:
    level = _level(abstract, num, at)
    if level.format == "bullet":
        return "-"

    def place(match: re.Match[str]) -> str:
        which = int(match[1]) - 1
        count = abstract.counts[which]
        if which > at or count is None:
            return ""
        return written(count, "decimal" if level.legal else _level(abstract, num, which).format)

    return _PLACE.sub(place, level.text).strip()


def _abstract(element: Element) -> _Abstract:
    abstract = _Abstract()
    for child in element:
        if child.tag in _LVL:
            _add_level(child, abstract.levels)
        elif child.tag in _NUM_STYLE_LINK:
            abstract.style_link = attribute(child, VAL)
    return abstract


def _num(element: Element) -> _Num:
    num = _Num()
    for child in element:
        if child.tag in _ABSTRACT_ID:
            num.abstract = attribute(child, VAL)
        elif child.tag in _OVERRIDE:
            at = _at(child)
            for inner in child:
                start = number(inner) if inner.tag in _START_OVERRIDE else None
                if start is not None and at is not None:
                    num.starts[at] = start
                elif inner.tag in _LVL:
                    _add_level(inner, num.levels)
    return num


def _add_level(element: Element, levels: dict[int, _Level]) -> None:
    at = _at(element)
    if at is not None:
        levels.setdefault(at, _read_level(element))


def _at(element: Element) -> int | None:
    value = attribute(element, _ILVL)
    return int(value) if value in tuple("012345678") else None


def _read_level(element: Element) -> _Level:
    level = _Level()
    for child in element:
        tag = child.tag
        if tag in _START:
            level.start = number(child) or 0
        elif tag in _FORMAT:
            level.format = attribute(child, VAL) or "decimal"
        elif tag in _TEXT:
            level.text = (attribute(child, VAL) or "")[:_LONGEST]
        elif tag in _RESTART:
            level.restart = number(child)
        elif tag in _LEGAL:
            level.legal = is_on(child)
        elif tag in _STYLE:
            level.style = attribute(child, VAL)
    return level
