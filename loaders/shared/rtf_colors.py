r"""Colours of RTF, as far as they decide whether text is seen (RTF 1.9.1, "Color Table", "Character Formatting Properties")."""

from __future__ import annotations

import re
from typing import Final

from fumehood.limits.budget import Budget

LIT: Final = (b"highlight", b"cb", b"chcbpat", b"chshdng", b"chbrdr", b"outl", b"shad", b"embo", b"impr")
"""What draws something behind or around letters, with a number that is 0 for nothing."""
SHADED: Final = (
    *(b"cbpat", b"cfpat", b"shading"),
    *(b"bghoriz", b"bgvert", b"bgfdiag", b"bgbdiag", b"bgcross", b"bgdcross"),
    *(b"bgdkhoriz", b"bgdkvert", b"bgdkfdiag", b"bgdkbdiag", b"bgdkcross", b"bgdkdcross"),
)
"""The same behind a paragraph."""

_WHITE: Final = {b"red": 255, b"green": 255, b"blue": 255}
_PART: Final = re.compile(rb"\\(red|green|blue)([0-9]{1,3})")
_PAINTED: Final = re.compile(rb"\\background(?![a-z])|\\shpfblwtxt1|\\dodhgt")


def is_painted(data: bytes) -> bool:
    """Whether pages have a colour, or shapes may stand behind their text."""
    return _PAINTED.search(data) is not None


def white_colors(table: bytes, budget: Budget) -> frozenset[int]:
    r"""The numbers of the colours in a `\colortbl` that are white."""
    colors = table.split(b";")
    budget.spend("nodes", len(colors))
    return frozenset(
        at for at, color in enumerate(colors) if {part: int(value) for part, value in _PART.findall(color)} == _WHITE
    )
