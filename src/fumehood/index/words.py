"""What a word is: one rule for what is stored, what is asked, and what is marked in a snippet.

FTS5 gets text that is already folded, for its `ascii` tokenizer: that one splits at ASCII characters other than
letters and digits, takes everything else for part of a word, and folds the case of ASCII. So only what is not ASCII is
folded here, by Unicode's own data instead of SQLite's, whose tables depend on how it was built:

- compatibility forms and case are folded (UAX #15 NFKC; Unicode 3.13, caseless matching);
- marks over Latin, Greek and Cyrillic letters and the vowel points of Hebrew and Arabic are dropped;
- other characters than letters, marks and digits part words; invisible formatting characters vanish;
- scripts written without spaces, and Hangul, whose words take endings, are stored as overlapping pairs of characters
  and a last single one. FTS5's own `trigram` finds nothing shorter than three characters, and most Chinese words
  have two.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from operator import add
from typing import Final

RULES: Final = f"1 {unicodedata.unidata_version}"
"""The version of these rules and of the data behind them: an index made by others is made again before it is changed."""

_UNSPACED: Final = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f"  # Myanmar
    "\u1780-\u17ff"  # Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"  # iteration marks, Hiragana, Katakana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\uac00-\ud7a3"  # Hangul
)
_RUN: Final = re.compile(f"[{_UNSPACED}]+")
_RUNS: Final = re.compile(f"({_RUN.pattern})")
"""Splits text into what lies between runs, and at the odd places the runs."""
_ASCII_SEPARATORS: Final = re.compile(r"[\x00-/:-@\[-`{-\x7f]+")

_POINTS: Final = (
    (0x0300, 0x036F),  # combining diacritical marks
    (0x0483, 0x0489),  # Cyrillic
    (0x0591, 0x05C7),  # Hebrew
    (0x0610, 0x061A),  # Arabic
    (0x064B, 0x065F),
    (0x0670, 0x0670),
    (0x06D6, 0x06ED),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x20D0, 0x20FF),
    (0xFE20, 0xFE2F),
)
_MOST_KEPT: Final = 50_000
"""More than the characters of all living scripts; a text of all there are must not fill the memory."""
_FEW: Final = 24
"""Characters that a text has replaced one after another."""
_ASCII: Final = bytes(range(0x80))
_JOINING_JAMO: Final = frozenset(map(chr, (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))))  # vowels and finals
_TATWEEL: Final = 0x0640
_ZERO_WIDTH_SPACE: Final = 0x200B


class _Folding(dict[int, int | str | None]):
    """A table for `str.translate` that fills itself: what becomes of a character after NFKD and case folding."""

    def __missing__(self, code: int) -> int | str | None:
        folded = _fold_character(code)
        if len(self) < _MOST_KEPT:
            self[code] = folded
        return folded


def _fold_character(code: int) -> int | str | None:
    if code == _TATWEEL:
        return None
    category = unicodedata.category(chr(code))
    if category == "Cf" and code != _ZERO_WIDTH_SPACE:
        return None
    if category.startswith("M"):
        return None if any(first <= code <= last for first, last in _POINTS) else code
    return code if category[0] in "LN" or code < 0x80 else " "


_FOLDING: Final = _Folding()


def fold(text: str) -> str:
    """`text` with its words folded, and its separators but those of ASCII made spaces."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return unicodedata.normalize("NFC", text.translate(_FOLDING))


def indexed(text: str) -> str:
    """`text` as it is given to FTS5: folded, but for the case of ASCII."""
    if text.isascii():
        return text
    unsure = list(set(_beyond_ascii(text)) - _ALONE.kept)
    if not unsure:
        return text
    folded = [_ALONE[char] for char in unsure]
    changed = [pair for pair in zip(unsure, folded, strict=True) if pair[0] != pair[1]]
    if len(changed) > _FEW or None in folded:
        return _paired(fold(text))
    for char, alone in changed:
        text = text.replace(char, alone or "")
    return _paired(text) if _RUN.search("".join(filter(None, folded))) else text


class _Alone(dict[str, str | None]):
    """What :func:`fold` makes of a character wherever it stands; None where that depends on the one before.

    `kept`: those met that stay as they are, and belong to no script without spaces.
    """

    def __init__(self) -> None:
        self.kept: set[str] = set()

    def __missing__(self, char: str) -> str | None:
        folded = None if _joins(char) else fold(char)
        if len(self) < _MOST_KEPT:
            self[char] = folded
            if folded == char and not _RUN.search(char):
                self.kept.add(char)
        return folded


_ALONE: Final = _Alone()


def _joins(char: str) -> bool:
    """Whether it can become one with what stands before it (UAX #15, 1.3; Unicode 3.12, conjoining jamo)."""
    first = unicodedata.normalize("NFKD", char)[0]
    return unicodedata.category(first).startswith("M") or first in _JOINING_JAMO


def _beyond_ascii(text: str) -> str:
    """The characters of `text` that are not ASCII, in order: in most texts they are few."""
    return text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")


def _paired(text: str) -> str:
    parts = _RUNS.split(text)
    parts[1::2] = map(_pairs, parts[1::2])
    return "".join(parts)


def _pairs(run: str) -> str:
    # Most runs of Hangul and of Kana are as short as that.
    if len(run) == 1:
        return f" {run} "
    if len(run) == 2:
        return f" {run} {run[1]} "
    return f" {' '.join(map(add, run, run[1:]))} {run[-1]} "


def words(text: str) -> list[str]:
    """The words of `text` in order, as FTS5 sees them but for pairs: a run of an unspaced script is one word."""
    return [word for part in _ASCII_SEPARATORS.split(fold(text)) if part for word in _parts(part)]


def _parts(text: str) -> Iterator[str]:
    at = 0
    for run in _RUN.finditer(text):
        if run.start() > at:
            yield text[at : run.start()]
        yield run[0]
        at = run.end()
    if at < len(text):
        yield text[at:]


def is_unspaced(word: str) -> bool:
    """Whether a word of :func:`words` is a run that is stored as pairs."""
    return _RUN.match(word) is not None


class _Separating(dict[int, int]):
    """A table for `str.translate` that fills itself: what parts words becomes a space, all else stays."""

    def __missing__(self, code: int) -> int:
        kept = 0x20 if _FOLDING[code] == " " else code
        if len(self) < _MOST_KEPT:
            self[code] = kept
        return kept


_SEPARATING: Final = _Separating()


def separated(text: str) -> str:
    """`text`, character for character, with spaces for whatever parts words and is not ASCII."""
    return text if text.isascii() else text.translate(_SEPARATING)
