"""Addresses and dates of mail (RFC 5322, 3.3, 3.4 and 4.3) as people read them."""

from __future__ import annotations

import datetime
import re
from typing import Final

# One that is never closed is matched to the end, so that nothing is looked at twice.
_QUOTED: Final = re.compile(r'"((?:[^"\\]+|\\.)*)("?)', re.DOTALL)
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_NEEDS_QUOTES: Final = re.compile(r'[,;:<>@"]')
_LONGEST_DATE: Final = 100
_COMMENT: Final = re.compile(r"\([^()]*\)")
_DATE: Final = re.compile(
    r"(?:[A-Za-z]+[ ,]*)?(\d{1,2})[ -]*([A-Za-z]{3})[A-Za-z]*[ -]*(\d{2,4})[ ,]+(\d{1,2}) ?: ?(\d{2})(?: ?: ?(\d{2}))?"
    r"(?:[ ]*([+-]\d{4}|[A-Za-z]+))?",
    re.ASCII,
)
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ZONES: Final = {
    "UT": "Z",
    "GMT": "Z",
    "UTC": "Z",
    "Z": "Z",
    "EST": "-05:00",
    "EDT": "-04:00",
    "CST": "-06:00",
    "CDT": "-05:00",
    "MST": "-07:00",
    "MDT": "-06:00",
    "PST": "-08:00",
    "PDT": "-07:00",
}


def shown(text: str) -> str:
    """Addresses without the quotes around names that need none to be told apart."""
    return _QUOTED.sub(_unquoted, text)


def _unquoted(match: re.Match[str]) -> str:
    name = _ESCAPED.sub(r"\1", match[1])
    return name if match[2] and not _NEEDS_QUOTES.search(name) else match[0]


def date(text: str) -> str | None:
    """A date of a mail in RFC 3339's form; None if it is none.

    `-0000` says that the sender's zone is not known (RFC 5322, 3.3), as `-00:00` does there. A zone's name that is not
    in RFC 5322, 4.3 says as little as none: the time stands without one.
    """
    match = _DATE.match(" ".join(_COMMENT.sub(" ", text[:_LONGEST_DATE]).split()))
    if match is None or match[2].lower() not in _MONTHS:
        return None
    day, _, year, hour, minute, second, zone = match.groups()
    full_year = int(year) + {2: 2000 if int(year) < 50 else 1900, 3: 1900}.get(len(year), 0)
    try:
        # A leap second is a second that datetime has not.
        moment = datetime.datetime(
            full_year, _MONTHS.index(match[2].lower()) + 1, int(day), int(hour), int(minute), min(int(second or 0), 59)
        )
    except ValueError:
        return None
    return moment.isoformat() + _zone(zone or "")


def _zone(zone: str) -> str:
    if zone[:1] in ("+", "-"):
        return f"{zone[:3]}:{zone[3:]}" if int(zone[1:3]) < 24 and int(zone[3:]) < 60 else ""
    return _ZONES.get(zone.upper(), "")
