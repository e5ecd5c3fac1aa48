"""Instructions of Word's fields (ECMA-376 part 1, 17.16.4 and 17.16.5), which docx and rtf have alike."""

from __future__ import annotations

import re
from typing import Final

_LONGEST: Final = 8_192

# 17.16.5.25: the address, then switches; \\l names a place in it. An argument in quotes may hold escaped ones.
_ARGUMENT: Final = r"(?:\"((?:[^\"\\]|\\.)*+)\"|([^\s\\\"]\S*))"
_HYPERLINK: Final = re.compile(rf"\s*HYPERLINK\b(?:\s+{_ARGUMENT})?", re.IGNORECASE)
_PLACE: Final = re.compile(rf"\\l\s+{_ARGUMENT}", re.IGNORECASE)
# 17.16.5.62: the character's code, and the font that it is of.
_SYMBOL: Final = re.compile(r"\s*SYMBOL\s+(?:0x([0-9a-f]{1,6})|([0-9]{1,7}))\b", re.IGNORECASE)
_FONT: Final = re.compile(rf"\\f\s+{_ARGUMENT}", re.IGNORECASE)


def link_target(instruction: str) -> str | None:
    """Where a `HYPERLINK` instruction points; None for any other."""
    instruction = instruction[:_LONGEST]
    match = _HYPERLINK.match(instruction)
    if match is None:
        return None
    address = re.sub(r"\\(.)", r"\1", match[1] or "") or match[2] or ""
    place = _PLACE.search(instruction, match.end())
    if place:
        address += "#" + (place[1] or place[2] or "")
    return address or None


def symbol(instruction: str) -> tuple[int, str | None] | None:
    """The code and the font of a `SYMBOL` instruction; None for any other."""
    instruction = instruction[:_LONGEST]
    match = _SYMBOL.match(instruction)
    if match is None:
        return None
    font = _FONT.search(instruction, match.end())
    return int(match[1], 16) if match[1] else int(match[2]), (font[1] or font[2]) if font else None
