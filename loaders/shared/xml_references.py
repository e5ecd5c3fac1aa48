"""The references of XML that need no declaration (XML 1.0, 4.1 and 4.6), in text that no parser has seen."""

from __future__ import annotations

import re
from typing import Final

_REFERENCE: Final = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#x([0-9A-Fa-f]{1,6}));|&")
_NAMED: Final = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


class Unusual(Exception):
    """The markup is written otherwise than the patterns know it: read it by a parser."""


def resolved(text: str) -> str:
    """`text` with its references resolved. Raises `Unusual` for any other `&`, and for what names no character."""
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    if match[1]:
        return _NAMED[match[1]]
    code = int(match[2]) if match[2] else int(match[3], 16) if match[3] else 0
    if not 0 < code < 0x110000:
        raise Unusual
    return chr(code)
