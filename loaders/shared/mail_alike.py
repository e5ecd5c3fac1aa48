"""Whether two forms of one message say the same."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

# Scripts without spaces are compared by their characters: their lines are wrapped anywhere.
_WORD: Final = re.compile(r"[぀-ヿ㐀-鿿가-힣]|[^\W_぀-ヿ㐀-鿿가-힣]+")
_ADDRESS: Final = re.compile(r"(?:https?://|mailto:|cid:)\S+", re.IGNORECASE)
_SAME: Final = 0.8
"""Of the words of one form, in the other: plain text names pictures and footers in words of its own."""


def is_said(text: str, elsewhere: Counter[str]) -> bool:
    """Whether most words of `text` are among those of another as well, as often. Linear."""
    said = words(text)
    total = said.total()
    return not total or (said & elsewhere).total() >= _SAME * total


def words(text: str) -> Counter[str]:
    """How often each word is in `text`, addresses of links left out."""
    return Counter(word[0] for word in _WORD.finditer(_ADDRESS.sub(" ", text).casefold()))
