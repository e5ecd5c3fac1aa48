"""Strings of a PDF that are text, or dates (ISO 32000-2, 7.9.2.2 and 7.9.4)."""

from __future__ import annotations

import datetime
import re
from typing import Any, Final

from pdfminer.pdftypes import resolve1
from pdfminer.utils import PDFDocEncoding

_LONGEST_STRING: Final = 40_000
_DATE: Final = re.compile(
    r"(?:D:)?(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})"
    r"(?:(?P<hour>\d{2})(?:(?P<minute>\d{2})(?P<second>\d{2})?)?(?P<zone>Z|[-+]\d{2}'?(?:\d{2})?)?)?"
)


def text_string(value: Any) -> str:
    """A text string (7.9.2.2): UTF-16 or UTF-8 by its mark, else PDFDocEncoding. Anything else is empty."""
    raw = resolve1(value)
    if not isinstance(raw, bytes):
        return ""
    raw = raw[:_LONGEST_STRING]
    if raw.startswith(b"\xfe\xff"):
        return raw[2:].decode("utf-16-be", "ignore")
    if raw.startswith(b"\xff\xfe"):
        return raw[2:].decode("utf-16-le", "ignore")
    if raw.startswith(b"\xef\xbb\xbf"):
        return raw[3:].decode("utf-8", "replace")
    return "".join(map(PDFDocEncoding.__getitem__, raw))


def date(value: Any) -> str | None:
    """A date (7.9.4) in RFC 3339's form, to the precision and with the zone that it gives; None if it is none."""
    match = _DATE.match(text_string(value).strip())
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    try:
        moment = datetime.datetime(year, month, day, hour, minute, second)
    except ValueError:
        return None
    if match["hour"] is None:
        return moment.date().isoformat()
    return moment.isoformat() + _zone(match["zone"])


def _zone(zone: str | None) -> str:
    if not zone:
        return ""
    digits = re.sub(r"\D", "", zone)
    if zone == "Z" or not digits.strip("0"):
        return "Z"
    hours, minutes = digits[:2], digits[2:4] or "00"
    return f"{zone[0]}{hours}:{minutes}" if hours < "24" and minutes < "60" else ""
