"""The values of cells as their data styles show them (ODF 1.3 part 3, 16.29), for cells that do not hold the shown text."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from fumehood.loaders.shared.odf_names import Attributes, count, qname

VALUE_TYPE: Final = qname("office:value-type")
VALUE: Final = qname("office:value")
DATE: Final = qname("office:date-value")
TIME: Final = qname("office:time-value")
BOOLEAN: Final = qname("office:boolean-value")
STRING: Final = qname("office:string-value")
CURRENCY: Final = qname("office:currency")

_MOST_DECIMALS: Final = 30
_MOST_INTEGERS: Final = 30
_MOST_DENOMINATOR: Final = 5
_LONGEST: Final = 40
"""Characters of a number, a date or a duration; what is longer is shown as it stands."""

_NUMBERS: Final = frozenset({"float", "percentage", "currency"})
_DURATION: Final = re.compile(
    r"(-?)P(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:[.,]\d{1,9})?)S)?)?",
    re.ASCII,
)
_CONDITION: Final = re.compile(r"\s*value\(\)\s*(<=|>=|!=|=|<|>)\s*(-?[0-9.]{1,30})\s*", re.ASCII)
_TESTS: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "<": lambda value, bound: value < bound,
    ">": lambda value, bound: value > bound,
    "<=": lambda value, bound: value <= bound,
    ">=": lambda value, bound: value >= bound,
    "=": lambda value, bound: value == bound,
    "!=": lambda value, bound: value != bound,
}


@dataclass(slots=True)
class Part:
    """One element of a data style, with its attributes by their local names; `text`: of what shows itself."""

    kind: str
    attributes: dict[str, str]
    text: str = ""

    @property
    def is_long(self) -> bool:
        return self.attributes.get("style") == "long"

    def count(self, name: str, most: int, default: int = 0) -> int:
        return count(self.attributes, name, most) if self.attributes.get(name, "0").strip("0") else default


@dataclass(slots=True)
class DataStyle:
    """One data style. `kind`: number, currency, percentage, date, time, boolean, text; `maps`: others for some values."""

    kind: str
    parts: list[Part] = field(default_factory=list)
    maps: list[tuple[Callable[[float], bool], str]] = field(default_factory=list)
    runs_over: bool = False


def condition(text: str) -> Callable[[float], bool] | None:
    """The condition of a `style:map` on a value (16.3); None if it is of another kind."""
    match = _CONDITION.fullmatch(text)
    bound = None if match is None else _number(match[2])
    if match is None or bound is None:
        return None
    test = _TESTS[match[1]]
    return lambda value: test(value, bound)


def shown(attributes: Attributes, style: DataStyle | None, styles: Mapping[str, DataStyle]) -> str:
    """What a cell with these attributes shows (19.385); empty if it has no value.

    `style`: the cell's data style; `styles`: all, by name. A value that cannot be read is shown as it stands.
    """
    kind = attributes.get(VALUE_TYPE)
    if kind in _NUMBERS:
        text = attributes.get(VALUE, "").strip()
        number = _number(text)
        return text[:_LONGEST] if number is None else _shown_number(number, kind or "", attributes, style, styles)
    if kind == "date":
        return _shown_date(attributes.get(DATE, ""), style)
    if kind == "time":
        return _shown_time(attributes.get(TIME, ""), style)
    if kind == "boolean":
        return attributes.get(BOOLEAN, "").strip().upper()[:_LONGEST]
    return attributes.get(STRING, "")


def _number(text: str) -> float | None:
    if len(text) > _LONGEST:
        return None
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


# ---- numbers ------------------------------------------------------------------------------------


def _shown_number(
    value: float, kind: str, attributes: Attributes, style: DataStyle | None, styles: Mapping[str, DataStyle]
) -> str:
    mapped = False
    if style is not None and style.maps:
        # The style that is left for negative numbers brings its own sign, as spreadsheets' formats do.
        mapped = value < 0
        named = next((name for test, name in style.maps if test(value)), None)
        style = style if named is None else styles.get(named, style)
        value = abs(value) if mapped else value
    if style is None or style.kind not in ("number", "currency", "percentage", "text"):
        return _general_of(kind, value, attributes.get(CURRENCY, ""))
    return "".join(_number_part(part, value, style.kind) for part in style.parts)


def _general_of(kind: str, value: float, currency: str) -> str:
    if kind == "percentage":
        return f"{_general(value * 100)}%"
    return f"{_general(value)} {currency}".strip() if kind == "currency" else _general(value)


def _general(value: float) -> str:
    return f"{value:.15g}"


def _number_part(part: Part, value: float, kind: str) -> str:
    if part.kind == "number":
        return _plain(part, value * 100 if kind == "percentage" else value)
    if part.kind == "scientific-number":
        return f"{value:.{part.count('decimal-places', _MOST_DECIMALS)}E}"
    if part.kind == "fraction":
        return _fraction(part, value)
    return _general(value) if part.kind == "text-content" else part.text


def _plain(part: Part, value: float) -> str:
    factor = _number(part.attributes.get("display-factor", "1"))
    value /= factor or 1
    if "decimal-places" not in part.attributes:
        return _general(value)
    decimals = part.count("decimal-places", _MOST_DECIMALS)
    digits = f"{abs(value):{',' if part.attributes.get('grouping') == 'true' else ''}.{decimals}f}"
    if "min-decimal-places" in part.attributes and decimals:
        least = part.count("min-decimal-places", _MOST_DECIMALS)
        whole, _, fraction = digits.partition(".")
        fraction = fraction[:least] + fraction[least:].rstrip("0")
        digits = f"{whole}.{fraction}" if fraction else whole
    missing = part.count("min-integer-digits", _MOST_INTEGERS) - len(digits.partition(".")[0])
    negative = value < 0 and digits.strip("0.,") != ""
    return f"{'-' if negative else ''}{'0' * missing}{digits}"


def _fraction(part: Part, value: float) -> str:
    given = part.count("denominator-value", 10**_MOST_DENOMINATOR)
    if given:
        whole, rest = divmod(round(abs(value) * given), given)
        numerator, denominator = rest, given
    else:
        digits = part.count("min-denominator-digits", _MOST_DENOMINATOR, 1)
        near = Fraction(abs(value)).limit_denominator(10**digits - 1)
        whole, numerator = divmod(near.numerator, near.denominator)
        denominator = near.denominator
    sign = "-" if value < 0 else ""
    if not numerator:
        return f"{sign}{whole}"
    return f"{sign}{whole} {numerator}/{denominator}" if whole else f"{sign}{numerator}/{denominator}"


# ---- dates and times ----------------------------------------------------------------------------


def _shown_date(text: str, style: DataStyle | None) -> str:
    text = text.strip()[:_LONGEST]
    try:
        moment = datetime.datetime.fromisoformat(text)
    except ValueError:
        return text
    if style is None or style.kind not in ("date", "time"):
        return text.replace("T", " ")
    seconds = moment.hour * 3600 + moment.minute * 60 + moment.second + moment.microsecond / 1e6
    return "".join(_date_part(part, moment, seconds, style) for part in style.parts)


def _shown_time(text: str, style: DataStyle | None) -> str:
    text = text.strip()[: 2 * _LONGEST]
    match = _DURATION.fullmatch(text)
    if match is None:
        return text
    years, months, days, hours, minutes = (int(match[at] or 0) for at in range(2, 7))
    seconds = float((match[7] or "0").replace(",", "."))
    # Programs write neither years nor months here; a year has no fixed length.
    seconds += ((years * 365 + months * 30 + days) * 24 + hours) * 3600 + minutes * 60
    if style is None or style.kind not in ("date", "time"):
        whole = int(seconds)
        return f"{match[1]}{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}"
    return match[1] + "".join(_date_part(part, None, seconds, style) for part in style.parts)


def _date_part(part: Part, moment: datetime.datetime | None, seconds: float, style: DataStyle) -> str:
    if part.kind in _CLOCK:
        return _clock_part(part, seconds, style)
    if moment is None or part.kind not in _CALENDAR:
        return part.text
    return _CALENDAR[part.kind](part, moment)


_CLOCK: Final = frozenset({"hours", "minutes", "seconds", "am-pm"})


def _clock_part(part: Part, seconds: float, style: DataStyle) -> str:
    width = 2 if part.is_long else 1
    if part.kind == "am-pm":
        return "PM" if seconds % 86_400 >= 43_200 else "AM"
    if part.kind == "hours":
        hours = int(seconds // 3600)
        if any(other.kind == "am-pm" for other in style.parts):
            return f"{hours % 12 or 12:0{width}}"
        return f"{hours if style.runs_over else hours % 24:0{width}}"
    if part.kind == "minutes":
        return f"{int(seconds // 60 % 60):0{width}}"
    decimals = min(part.count("decimal-places", _MOST_DECIMALS), 9)
    # Cut and not rounded: 59.9 seconds are not yet a minute.
    whole, rest = divmod(seconds % 60, 1)
    shown_rest = f".{int(rest * 10**decimals):0{decimals}}" if decimals else ""
    return f"{int(whole):0{width}}{shown_rest}"


def _month(part: Part, moment: datetime.datetime) -> str:
    if part.attributes.get("textual") == "true":
        return moment.strftime("%B" if part.is_long else "%b")
    return f"{moment.month:02}" if part.is_long else str(moment.month)


_CALENDAR: Final[Mapping[str, Callable[[Part, datetime.datetime], str]]] = {
    "day": lambda part, moment: f"{moment.day:02}" if part.is_long else str(moment.day),
    "month": _month,
    "year": lambda part, moment: f"{moment.year:04}" if part.is_long else f"{moment.year % 100:02}",
    "day-of-week": lambda part, moment: moment.strftime("%A" if part.is_long else "%a"),
    "quarter": lambda part, moment: f"Q{(moment.month + 2) // 3}",
    "week-of-year": lambda part, moment: str(moment.isocalendar().week),
    "era": lambda part, moment: "",
}
PARTS: Final = (
    "number",
    "scientific-number",
    "fraction",
    "currency-symbol",
    "text",
    "text-content",
    "boolean",
    "am-pm",
    "hours",
    "minutes",
    "seconds",
    *_CALENDAR,
)
"""The local names of what a data style is made of."""
