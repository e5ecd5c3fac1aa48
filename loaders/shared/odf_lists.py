"""The numbers and bullets in front of list items and headings, as they are shown (ODF 1.3 part 3, 5.3, 16.30 and 19.880)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from fumehood.loaders.shared.numerals import written
from fumehood.loaders.shared.odf_names import Attributes, count, qname

MAX_LEVEL: Final = 10
"""Of lists and headings, as in the specification's examples and in every program; deeper ones count as this one."""
MAX_NUMBER: Final = 999_999_999

_LEVEL: Final = qname("text:level")
_FORMAT: Final = qname("style:num-format")
_PREFIX: Final = qname("style:num-prefix")
_SUFFIX: Final = qname("style:num-suffix")
_SYNC: Final = qname("style:num-letter-sync")
_SHOWN: Final = qname("text:display-levels")
_START: Final = qname("text:start-value")
_LONGEST: Final = 255

_FORMATS: Final = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}


@dataclass(frozen=True, slots=True)
class Level:
    """How one level of a list is numbered. `format`: as in `style:num-format`; None is a bullet, empty shows no number."""

    format: str | None = None
    prefix: str = ""
    suffix: str = ""
    shown: int = 1
    start: int = 1
    in_step: bool = False

    def number(self, value: int) -> str:
        if not self.format:
            return ""
        if self.format in ("a", "A") and not self.in_step:
            letters = _letters(value)
            return letters if self.format == "a" else letters.upper()
        return written(value, _FORMATS.get(self.format, "decimal"))


BULLET: Final = Level()
ListStyle = Mapping[int, Level]


def level_of(attributes: Attributes) -> int:
    return count(attributes, _LEVEL, MAX_LEVEL)


def bullet(attributes: Attributes) -> Level:
    return BULLET


def numbered(attributes: Attributes) -> Level:
    """From a `text:list-level-style-number` or a `text:outline-level-style`."""
    return Level(
        attributes.get(_FORMAT, ""),
        attributes.get(_PREFIX, "")[:_LONGEST],
        attributes.get(_SUFFIX, "")[:_LONGEST],
        count(attributes, _SHOWN, MAX_LEVEL),
        start_value(attributes, 1),
        attributes.get(_SYNC) == "true",
    )


def start_value(attributes: Attributes, default: int | None = None) -> int:
    """The number that is given by hand; `default`, or -1, where none is. Zero is allowed (19.868)."""
    text = attributes.get(_START)
    if text is None or not text.strip("0"):
        return (-1 if default is None else default) if text is None else 0
    return count(attributes, _START, MAX_NUMBER)


def _letters(value: int) -> str:
    """a to z, then aa, ab and so on (ODF 1.3 part 3, 19.502)."""
    letters = ""
    while value > 0:
        value, digit = divmod(value - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters


@dataclass(slots=True)
class Counter:
    """The numbers of one list, or of several that continue each other; None where a level has not begun."""

    name: str
    style: str | None = None
    values: list[int | None] = field(default_factory=lambda: [None] * (MAX_LEVEL + 1))

    def next(self, style: ListStyle, level: int, start: int = -1) -> str:
        """Counts one item at `level`, from 1, and says what stands in front of it. `start`: its number if not negative."""
        values = self.values
        before = values[level]
        own = style.get(level, BULLET)
        values[level] = start if start >= 0 else own.start if before is None else min(before + 1, MAX_NUMBER)
        values[level + 1 :] = [None] * (MAX_LEVEL - level)
        return self._label(style, level)

    def _label(self, style: ListStyle, level: int) -> str:
        own = style.get(level, BULLET)
        if own.format is None:
            return "-"
        numbers = []
        for at in range(max(1, level - own.shown + 1), level + 1):
            one = own if at == level else style.get(at, BULLET)
            value = self.values[at]
            numbers.append(one.number(one.start if value is None else value))
        return f"{own.prefix}{'.'.join(filter(None, numbers))}{own.suffix}".strip()


class Counters:
    """All lists of a document: which continues which (19.880.2, 19.880.3)."""

    def __init__(self) -> None:
        self._made = 0
        self._by_id: dict[str, Counter] = {}
        self._by_style: dict[str | None, Counter] = {}

    def open(self, style: str | None, identifier: str | None, continues: str | None, *, goes_on: bool) -> Counter:
        """The counter of a list at the top level. `goes_on`: with the last one of the same style."""
        counter = self._by_id.get(continues) if continues else None
        if counter is None and goes_on:
            counter = self._by_style.get(style)
        if counter is None:
            counter = self._new(style)
        self._by_style[style] = counter
        if identifier:
            self._by_id[identifier] = counter
        return counter

    def shared(self, identifier: str) -> Counter:
        """The counter of paragraphs that name their list themselves (5.3.6)."""
        found = self._by_id.get(identifier)
        if found is None:
            found = self._by_id[identifier] = self._new(None)
        return found

    def _new(self, style: str | None) -> Counter:
        self._made += 1
        return Counter(str(self._made), style)
