"""What RTF says of itself (RTF 1.9.1, "Information Group")."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from typing import Final

from fumehood.loaders.shared.rtf_tokens import words

TEXTS: Final[Mapping[bytes, str]] = {
    b"title": "title",
    b"subject": "subject",
    b"author": "author",
    b"keywords": "keywords",
    b"generator": "generator",
    b"manager": "x-manager",
    b"company": "x-company",
    b"operator": "x-last-modified-by",
    b"category": "x-category",
    b"doccomm": "x-comments",
}
"""Destinations whose text is metadata, by control word."""

NUMBERS: Final[Mapping[bytes, str]] = {b"nofpages": "pages", b"nofwords": "words"}

TIMES: Final[Mapping[bytes, str]] = {b"creatim": "created", b"revtim": "modified"}

_TIME: Final = re.compile(rb"(?:\\(?:yr|mo|dy|hr|min|sec)[0-9]+ ?){1,6}")
_PARTS: Final = (b"yr", b"mo", b"dy", b"hr", b"min", b"sec")


def moment(group: bytes) -> str | None:
    r"""The time that a group such as `\creatim` tells, in RFC 3339 without a zone, which RTF does not know; or None."""
    found = _TIME.search(group)
    if found is None:
        return None
    parts = dict(words(found[0]))
    year, month, day, hour, minute, second = (parts.get(word) or 0 for word in _PARTS)
    try:
        return datetime.datetime(year, month, day, hour, minute, second).isoformat()
    except (ValueError, OverflowError):
        return None
