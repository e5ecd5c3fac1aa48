"""The parts of a number format's code (ECMA-376 part 1, 18.8.31): its sections, and the tokens of each."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

LONGEST: Final = 255
"""Characters of a code, as many as Excel takes; every value is walked through the whole of it."""

Kind = Literal["literal", "digit", "point", "comma", "percent", "exponent", "slash", "general", "text", "date", "ampm"]


class Token(NamedTuple):
    """`text` is what it shows if it is a `literal`, else as written, in lower case."""

    kind: Kind
    text: str


@dataclass(slots=True)
class Section:
    """`condition`: of the number, None where the section's place decides. `locale`: the language's number, or 0."""

    tokens: list[Token] = field(default_factory=list)
    condition: Condition | None = None
    locale: int = 0

    def has(self, *kinds: Kind) -> bool:
        return any(token.kind in kinds for token in self.tokens)


class Condition(NamedTuple):
    compare: Callable[[float, float], bool]
    bound: float

    def holds(self, value: float) -> bool:
        return self.compare(value, self.bound)

    @property
    def only_negative(self) -> bool:
        """Whether no positive number and no zero is shown by the section, so that its text says what the sign would."""
        return self.bound <= 0 and (
            self.compare is operator.lt or (self.compare in (operator.le, operator.eq) and self.bound < 0)
        )


_COMPARE: Final[dict[str, Callable[[float, float], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "<>": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
}
_CONDITION: Final = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?[0-9]{1,30}(?:\.[0-9]{0,30})?(?:E[+-]?[0-9]{1,3})?)", re.I)
_LOCALE: Final = re.compile(r"\$([^-]*)(?:-([0-9A-F]{1,8}))?.*", re.I | re.S)
_ELAPSED: Final = re.compile(r"h+|m+|s+", re.I)
_TOKEN: Final = re.compile(
    r"""
      "(?P<quoted>[^"]*)"?
    | \\(?P<escaped>.)
    | _(?P<space>.)
    | \*(?P<fill>.)
    | \[(?P<bracket>[^\]]*)\]
    | (?P<ampm>AM/PM|A/P)
    | (?P<general>General)
    | (?P<exponent>E[+-])
    | (?P<date>y+|m+|d+|h+|s+|e+|g+|b+|aaa+)
    | (?P<digit>[0\#?])
    | (?P<other>.)
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_NAMED: Final[dict[str, Kind]] = {
    "ampm": "ampm",
    "general": "general",
    "exponent": "exponent",
    "date": "date",
    "digit": "digit",
}
_SIGNS: Final[dict[str, Kind]] = {".": "point", ",": "comma", "%": "percent", "/": "slash", "@": "text"}


def sections(code: str) -> list[Section]:
    """The sections of `code`, in order; there is always one."""
    found = [Section()]
    for match in _TOKEN.finditer(code):
        group, text = match.lastgroup, match[match.lastgroup or 0]
        if group == "other" and text == ";":
            found.append(Section())
        elif group == "bracket":
            _bracket(text, found[-1])
        elif (token := _token(group, text)) is not None:
            found[-1].tokens.append(token)
    return found


def _token(group: str | None, text: str) -> Token | None:
    if group == "fill":
        return None
    if group == "space":
        # As wide as the character, which lines figures up.
        return Token("literal", " ")
    if group in _NAMED:
        return Token(_NAMED[group], text.lower() if group == "date" else text)
    if group == "other" and text in _SIGNS:
        return Token(_SIGNS[text], text)
    return Token("literal", text)


def _bracket(text: str, section: Section) -> None:
    """18.8.31: conditions, elapsed times, currencies with their locale; colours and digits' shapes are not text."""
    if condition := _CONDITION.fullmatch(text.strip()):
        section.condition = Condition(_COMPARE[condition[1]], float(condition[2]))
    elif _ELAPSED.fullmatch(text):
        section.tokens.append(Token("date", f"[{text.lower()}]"))
    elif locale := _LOCALE.fullmatch(text):
        if locale[1]:
            section.tokens.append(Token("literal", locale[1]))
        # The low word is the language (MS-LCID); what is above it chooses digits and the calendar.
        section.locale = int(locale[2], 16) & 0xFFFF if locale[2] else section.locale
