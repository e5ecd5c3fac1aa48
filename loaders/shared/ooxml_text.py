"""The characters of a run: what XML may hold and text may not."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from fumehood.hygiene import clean
from fumehood.loaders.shared.ooxml_symbols import UNMAPPED, mapped
from fumehood.loaders.shared.tally import Tally

_ODD: Final = re.compile("[\x00-\x08\n\r\x0b-\x1f\x7f-\x9f\ud800-\udfff\ue000-\uf8ff]")
"""Characters that do not stand in text as they are: breaks of the XML's lines, controls, and private use."""
_PRIVATE: Final = re.compile("[\ue000-\uf8ff]")


def is_usual(text: str) -> bool:
    """Whether `text` may stand as it is."""
    return _ODD.search(text) is None


def usual(text: str, font: Callable[[], str | None], tally: Tally) -> str:
    """`text` without what cannot stand in it: symbols of a symbol font as Unicode, line ends of the XML as spaces.

    `font` is asked only where there are symbols.
    """
    text, removed = clean(text.replace("\r\n", " ").replace("\n", " ").replace("\r", " "))
    if removed:
        tally.add("controls-removed", count=removed)
    if _PRIVATE.search(text) is None:
        return text
    named = font()

    def symbol(match: re.Match[str]) -> str:
        found = mapped(ord(match[0]), named)
        if found == UNMAPPED:
            tally.add("unmapped-glyphs")
            return match[0]
        return found

    return _PRIVATE.sub(symbol, text)
