"""Lines with Hebrew or Arabic in them, from what is seen to what is read (UAX #9, rule L2 undone)."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

Piece = tuple[str, bool | None]
"""The text of a glyph, and whether it runs from right to left; None if it goes either way."""


def logical(pieces: Sequence[str]) -> str:
    """The text of glyphs that stand in this order from the left. A glyph of several letters keeps their order.

    Words of the other direction than the line's are turned whole.
    """
    marked = [(text, direction(text)) for text in pieces]
    base = _is_backward(marked)
    runs = _runs(marked, base)
    if base:
        runs.reverse()
    return "".join("".join(_turned(texts)) if is_backward else "".join(texts) for is_backward, texts in runs)


def _is_backward(pieces: Sequence[Piece]) -> bool:
    """Whether the line runs from right to left: as both its ends do, else as most of its letters. Digits do not say (rule P2)."""
    strong = [(text, way) for text, way in pieces if way is not None and any(char.isalpha() for char in text)]
    if strong and strong[0][1] == strong[-1][1]:
        return bool(strong[0][1])
    backward = sum(len(text) for text, way in strong if way)
    return 2 * backward >= sum(len(text) for text, _ in strong)


def direction(text: str) -> bool | None:
    """Whether `text` runs from right to left, by its letters, or its digits without any; None without either.

    Glyphs that stand for letters of both directions hold them as they are read, like a line that runs forward.
    """
    kinds = {unicodedata.bidirectional(char) for char in text}
    if kinds & {"L", "EN", "AN"}:
        return False
    return True if kinds & {"R", "AL"} else None


def _turned(texts: Sequence[str]) -> list[str]:
    """From right to left; brackets face the other way there (rule L4)."""
    return [_MIRRORED.get(text, text) for text in reversed(texts)]


_MIRRORED: Final = {"(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{", "«": "»", "»": "«", "<": ">", ">": "<"}


def _runs(pieces: Sequence[Piece], base: bool) -> list[tuple[bool, list[str]]]:
    """Runs of one direction; what goes either way follows its neighbours where they agree, else the line (rules N1, N2)."""
    runs: list[tuple[bool, list[str]]] = []
    neutral: list[str] = []
    for text, is_backward in pieces:
        if is_backward is None:
            neutral.append(text)
            continue
        if runs and runs[-1][0] is is_backward:
            runs[-1][1].extend([*neutral, text])
        else:
            if neutral:
                _extend(runs, base, neutral)
            _extend(runs, is_backward, [text])
        neutral = []
    if neutral:
        _extend(runs, base, neutral)
    return runs


def _extend(runs: list[tuple[bool, list[str]]], is_backward: bool, texts: list[str]) -> None:
    if runs and runs[-1][0] is is_backward:
        runs[-1][1].extend(texts)
    else:
        runs.append((is_backward, list(texts)))
