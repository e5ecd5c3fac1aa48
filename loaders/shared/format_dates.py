"""One section of a number format that shows dates, times or elapsed times (ECMA-376 part 1, 18.8.31)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from fumehood.loaders.shared.date_names import Names, names_of
from fumehood.loaders.shared.format_sections import Section, Token
from fumehood.loaders.shared.serial_dates import Moment, moment

ShowMoment = Callable[[Moment], str]

_ERAS: Final = (
    ((2019, 5, 1), "R", "\u4ee4\u548c"),
    ((1989, 1, 8), "H", "\u5e73\u6210"),
    ((1926, 12, 25), "S", "\u662d\u548c"),
    ((1912, 7, 30), "T", "\u5927\u6b63"),
    ((1868, 1, 1), "M", "\u660e\u6cbb"),
)
"""Japan's, latest first: the first day, the letter and the name."""
_BUDDHIST: Final = 543
_MOST_DIGITS: Final = 9


def shown_date(section: Section) -> Callable[[float], str | None]:
    """How the section shows a number of days since 1900; None where a calendar shows nothing."""
    pieces, digits = _pieces(section)
    rounds = any(token.kind == "date" and token.text.strip("[]")[0] == "s" for token in section.tokens)
    elapsed = any(token.text[0] == "[" for token in section.tokens if token.kind == "date")

    def show(value: float) -> str | None:
        if value < 0 and not elapsed:
            return None
        at = moment(abs(value), digits, rounds=rounds)
        if at is None:
            return None
        return ("-" if value < 0 else "") + "".join(
            [piece if isinstance(piece, str) else piece(at) for piece in pieces]
        )

    return show


def _pieces(section: Section) -> tuple[list[str | ShowMoment], int]:
    """Literals and what is filled in, in order; how many digits of a second's fraction are shown."""
    tokens = section.tokens
    names = names_of(section.locale)
    halves = any(token.kind == "ampm" for token in tokens)
    pieces: list[str | ShowMoment] = []
    unit = ""
    digits = 0
    at = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if token.kind == "date":
            minutes = token.text.startswith(("m", "[m")) and _is_minutes(tokens, at - 1, unit)
            pieces.append(_field(token.text, names, minutes=minutes, halves=halves))
            unit = token.text.strip("[]")[0]
        elif token.kind == "ampm":
            pieces.append(_half(token.text))
        elif token.kind == "point" and unit == "s" and (count := _zeros(tokens, at)):
            digits = min(count, _MOST_DIGITS)
            pieces += [".", _fraction(digits)]
            at += count
        else:
            pieces.append(token.text)
    return pieces, digits


def _zeros(tokens: Sequence[Token], at: int) -> int:
    count = 0
    while at + count < len(tokens) and tokens[at + count] == ("digit", "0"):
        count += 1
    return count


def _is_minutes(tokens: Sequence[Token], at: int, before: str) -> bool:
    """`m` is a minute right behind hours and right before seconds, else a month."""
    if tokens[at].text[0] == "[" or before == "h":
        return True
    following = next((token.text.strip("[]") for token in tokens[at + 1 :] if token.kind == "date"), "")
    return following.startswith("s")


def _field(text: str, names: Names, *, minutes: bool, halves: bool) -> ShowMoment:
    width = 1 if len(text.strip("[]")) == 1 else 2
    if text[0] == "[":
        per = {"h": 3_600, "m": 60, "s": 1}[text[1]]
        wide = len(text) - 2
        return lambda at: f"{at.seconds // per:0{wide}}"
    if minutes:
        return lambda at: f"{at.minute:0{width}}"
    if text[0] == "h":
        return (lambda at: f"{at.hour % 12 or 12:0{width}}") if halves else (lambda at: f"{at.hour:0{width}}")
    if text[0] == "s":
        return lambda at: f"{at.second:0{width}}"
    return _calendar_field(text, names, width)


def _calendar_field(text: str, names: Names, width: int) -> ShowMoment:
    letter, length = text[0], len(text)
    if letter == "y":
        return (lambda at: f"{at.year % 100:02}") if length < 3 else (lambda at: f"{at.year:04}")
    if letter == "b":
        return (lambda at: f"{(at.year + _BUDDHIST) % 100:02}") if length < 3 else (lambda at: str(at.year + _BUDDHIST))
    if letter in "ge":
        return (lambda at: _era(at, length)) if letter == "g" else (lambda at: _era_year(at, names, width))
    if letter == "a":
        return lambda at: names.days[at.weekday] if length > 3 else names.short_days[at.weekday]
    if letter == "d":
        if length > 2:
            return lambda at: names.days[at.weekday] if length > 3 else names.short_days[at.weekday]
        return lambda at: f"{at.day:0{width}}"
    if length <= 2:
        return lambda at: f"{at.month:0{width}}"
    if length == 3:
        return lambda at: names.short_months[at.month - 1]
    return lambda at: names.months[at.month - 1][: 1 if length == 5 else None]


def _era(at: Moment, length: int) -> str:
    for first, letter, name in _ERAS:
        if (at.year, at.month, at.day) >= first:
            return letter if length == 1 else name[0] if length == 2 else name
    return ""


def _era_year(at: Moment, names: Names, width: int) -> str:
    """Of the era in Japanese, else of our own."""
    if names.has_eras:
        for first, _, _ in _ERAS:
            if (at.year, at.month, at.day) >= first:
                return f"{at.year - first[0] + 1:0{width}}"
    return str(at.year)


def _half(text: str) -> ShowMoment:
    morning, afternoon = text.split("/")
    return lambda at: morning if at.hour < 12 else afternoon


def _fraction(digits: int) -> ShowMoment:
    return lambda at: f"{at.fraction:0{digits}}"
