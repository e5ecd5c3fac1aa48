"""What one form of a message says that another does not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

# Scripts without spaces are compared by their characters: their lines are wrapped anywhere.
_WORD: Final = re.compile(r"[぀-ヿ㐀-鿿가-힣]|[^\W_぀-ヿ㐀-鿿가-힣]+")
_ADDRESS: Final = re.compile(r"(?:https?://|mailto:|cid:)\S+", re.IGNORECASE)
_MOST: Final = 1_000_000
"""Characters that are compared; of what is longer, nobody is told in what its forms differ."""


class Shown:
    """What was said of the form that is shown: its words and which follow which. Linear in what is added."""

    def __init__(self) -> None:
        self._left = _MOST
        self._pairs: set[tuple[str, str]] = set()
        self._last = ""

    def add(self, text: str) -> None:
        """More of it, in order."""
        self._left -= len(text)
        if self._left < 0:
            return
        for word in _words(text):
            self._pairs.add((self._last, word))
            self._pairs.add(("", word))
            self._last = word

    def says(self, text: str) -> bool:
        """Whether each word of `text` follows the one before it there as well; addresses of links are not compared."""
        if self._left < 0:
            return True
        last = ""
        for word in _words(text):
            if (last, word) not in self._pairs:
                return False
            last = word
        return True


def _words(text: str) -> Iterator[str]:
    return (word[0] for word in _WORD.finditer(_ADDRESS.sub(" ", text).casefold()))
