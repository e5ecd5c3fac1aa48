"""Dates and times as numbers of days (ECMA-376 part 1, 18.17.4)."""

from __future__ import annotations

import datetime
import math
from typing import Final, NamedTuple

DAYS_1904: Final = 1_462
"""Of the system that counts from 1904 (18.17.4.1), in which the same day has a number that is so much smaller."""

_FIRST_1900: Final = datetime.date(1899, 12, 31).toordinal()
_LEAP_BUG: Final = 60
"""The 29th of February 1900, which is counted and never was (18.17.4.1)."""
_END: Final = 2_958_466
"""The first day of the year 10000."""
_DAY: Final = 86_400


class Moment(NamedTuple):
    """`weekday` counts from 0 for Sunday; `fraction` is of a second, in units of the digits that were asked for.

    `seconds` is the whole of the number in seconds, for elapsed times.
    """

    year: int
    month: int
    day: int
    weekday: int
    hour: int
    minute: int
    second: int
    fraction: int
    seconds: int


def moment(serial: float, digits: int, *, rounds: bool) -> Moment | None:
    """What the number of days since 1900 stands for; None where a calendar shows nothing.

    `digits`: of a second's fraction, to which the time is rounded if `rounds`, else the rest is left out.
    """
    if not 0 <= serial < _END:
        return None
    unit = 10**digits
    units = serial * _DAY * unit
    # Half a millisecond hides what a fraction of a day cannot hold exactly.
    whole = math.floor(units + 0.5) if rounds else math.floor(units + unit * 0.0005)
    seconds, fraction = divmod(whole, unit)
    days, time = divmod(seconds, _DAY)
    if days == _END:
        return None
    year, month, day = _calendar(days)
    hour, rest = divmod(time, 3_600)
    # Sundays are as the count says, which is off by one before March 1900 (18.17.4.1).
    return Moment(year, month, day, (days - 1) % 7, hour, rest // 60, rest % 60, fraction, seconds)


def _calendar(days: int) -> tuple[int, int, int]:
    if days == 0:
        return 1900, 1, 0
    if days == _LEAP_BUG:
        return 1900, 2, 29
    date = datetime.date.fromordinal(_FIRST_1900 + days - (days > _LEAP_BUG))
    return date.year, date.month, date.day


def serial(text: str) -> float | None:
    """The number of days since 1900 of an ISO 8601 date or time, as cells of type `d` hold it (18.18.11); else None."""
    try:
        if "-" not in text[1:]:
            time = datetime.time.fromisoformat(text.strip())
            return (time.hour * 3_600 + time.minute * 60 + time.second + time.microsecond / 1e6) / _DAY
        stamp = datetime.datetime.fromisoformat(text.strip()).replace(tzinfo=None)
    except ValueError:
        return None
    days = stamp.toordinal() - _FIRST_1900
    seconds = stamp.hour * 3_600 + stamp.minute * 60 + stamp.second + stamp.microsecond / 1e6
    return days + (days >= _LEAP_BUG) + seconds / _DAY
