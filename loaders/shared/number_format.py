"""Number formats: a code such as `#,##0.00;[Red](#,##0.00)`, compiled once, shows values as a spreadsheet does.

ECMA-376 part 1, 18.8.30 and 18.8.31. Colours, fills and the shapes of digits are not text. What a column is too
narrow for is shown all the same.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Final, NamedTuple

from fumehood.loaders.shared.format_dates import shown_date
from fumehood.loaders.shared.format_numbers import plain, shown_digits
from fumehood.loaders.shared.format_sections import LONGEST, Condition, Section, sections
from fumehood.loaders.shared.number_general import general, general_number, number
from fumehood.loaders.shared.serial_dates import DAYS_1904

# 18.8.30, with what Excel's own English user interface shows for 5 to 8 and 37 to 44.
BUILT_IN: Final[dict[int, str]] = {
    0: "General",
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    5: '"$"#,##0_);("$"#,##0)',
    6: '"$"#,##0_);[Red]("$"#,##0)',
    7: '"$"#,##0.00_);("$"#,##0.00)',
    8: '"$"#,##0.00_);[Red]("$"#,##0.00)',
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    12: "# ?/?",
    13: "# ??/??",
    # 14 and 22 are the reader's own short date, of which nothing is known here: the one that nobody mistakes.
    14: "yyyy-mm-dd",
    15: "d-mmm-yy",
    16: "d-mmm",
    17: "mmm-yy",
    18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM",
    20: "h:mm",
    21: "h:mm:ss",
    22: "yyyy-mm-dd h:mm",
    37: "#,##0_);(#,##0)",
    38: "#,##0_);[Red](#,##0)",
    39: "#,##0.00_);(#,##0.00)",
    40: "#,##0.00_);[Red](#,##0.00)",
    41: '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)',
    42: '_("$"* #,##0_);_("$"* (#,##0);_("$"* "-"_);_(@_)',
    43: '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
    44: '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)',
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss.0",
    48: "##0.0E+0",
    49: "@",
    # East Asian dates and times: which of them depends on the reader's language.
    **dict.fromkeys((27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58), "yyyy-mm-dd"),
    **dict.fromkeys((32, 33, 34, 35, 55, 56), "h:mm:ss"),
}

Show = Callable[[str], str]
_MOST_CACHED: Final = 4_096


class NumberFormat(NamedTuple):
    """`number`: what the text of a number is shown as. `text`: what text is; None if as it is.

    Both give an empty string for what the format hides.
    """

    number: Show
    text: Show | None


GENERAL: Final = NumberFormat(general, None)


def compiled(code: str, *, date1904: bool = False) -> NumberFormat:
    """The format of that code. One that is longer than Excel takes is read as `General`."""
    if code.strip().lower() in ("general", "", "@") or len(code) > LONGEST:
        return GENERAL
    found = sections(code)
    text = _text(found)
    numbers = [section for section in found[:3] if not section.has("text")]
    if not numbers:
        return NumberFormat(general, text)
    if len(numbers) == 1 and numbers[0].condition is None and (show := plain(numbers[0].tokens)) is not None:
        return NumberFormat(show, text)
    shift = DAYS_1904 if date1904 else 0
    chosen = [_Numbers(section, condition, shift) for section, condition in _conditions(numbers)]
    return NumberFormat(_cached(lambda raw: _shown(raw, chosen)), text)


def _shown(raw: str, chosen: list[_Numbers]) -> str:
    value = number(raw)
    if value is None:
        return raw
    for one in chosen:
        if one.condition is None or one.condition.holds(value):
            return one.show(value)
    return general_number(value)


def _cached(show: Show) -> Show:
    known: dict[str, str] = {}

    def look_up(raw: str) -> str:
        text = known.get(raw)
        if text is None:
            if len(known) >= _MOST_CACHED:
                known.clear()
            text = known[raw] = show(raw).strip()
        return text

    return look_up


def _conditions(found: list[Section]) -> list[tuple[Section, Condition | None]]:
    """Which numbers each section shows: positive ones, negative ones, zero, unless they say so themselves."""
    defaults: list[Condition | None] = [None]
    if len(found) == 2:
        defaults = [Condition(operator.ge, 0), None]
        if found[0].condition is None and found[1].condition is None:
            defaults[1] = Condition(operator.lt, 0)
    elif len(found) == 3:
        defaults = [Condition(operator.gt, 0), Condition(operator.lt, 0), None]
    return [(section, section.condition or default) for section, default in zip(found, defaults, strict=True)]


class _Numbers:
    """One section for numbers. `condition`: of those it shows; None for all that are left."""

    def __init__(self, section: Section, condition: Condition | None, shift: int) -> None:
        self.condition = condition
        self._signed = condition is None or not condition.only_negative
        self._shift = shift
        self._date = shown_date(section) if section.has("date", "ampm") else None
        self._elapsed = any(token.kind == "date" and token.text[0] == "[" for token in section.tokens)
        self._tokens = section.tokens
        self._digits = None if section.has("general") or self._date else shown_digits(section.tokens)

    def show(self, value: float) -> str:
        if self._date is not None:
            text = self._date(value if self._elapsed else value + self._shift)
            # What no calendar shows is a row of hashes in a spreadsheet; the number is what there is to say.
            return general_number(value) if text is None else text
        if not self._tokens:
            return ""
        size = abs(value)
        if self._digits is None:
            text = "".join(general_number(size) if token.kind == "general" else token.text for token in self._tokens)
        else:
            text = self._digits(size)
        shows_zero = not any(char in "123456789" for char in text)
        return f"-{text}" if value < 0 and self._signed and not shows_zero else text


def _text(found: list[Section]) -> Show | None:
    """The fourth section shows text, else the one that has `@` in it; None if as it is, but for white space around it."""
    section = found[3] if len(found) > 3 else next((each for each in found if each.has("text")), None)
    if section is None:
        return None
    pieces = [None if token.kind == "text" else token.text for token in section.tokens]
    if [piece for piece in pieces if piece is None or not piece.isspace()] == [None]:
        return None
    return lambda raw: "".join([raw if piece is None else piece for piece in pieces])
