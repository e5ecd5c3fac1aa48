"""Dates as documents write them in metadata."""

from __future__ import annotations

import datetime
import re
from typing import Final

# The W3C's profile of ISO 8601 (NOTE-datetime), of which RFC 3339 takes the full dates and times.
_DATE: Final = re.compile(r"(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?", re.ASCII)


def date(text: str) -> str | None:
    """A date and time in RFC 3339's form, with the zone that it has and no other; None if it is none."""
    match = _DATE.fullmatch(text.strip())
    if match is None:
        return None
    day, minutes, seconds, zone = match.groups()
    try:
        if minutes is None:
            return datetime.date.fromisoformat(day).isoformat()
        datetime.datetime.fromisoformat(f"{day}T{minutes}{(seconds or ':00')[:3]}{zone or ''}")
    except ValueError:
        return None
    return f"{day}T{minutes}{seconds or ':00'}{zone or ''}"
