"""Lines with Hebrew or Arabic in them, from what is seen to what is read (UAX #9, rule L2 undone)."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final

Piece = tuple[str, bool | None]
"""The text of a glyph, and whether it runs from right to left; None if it goes either way."""


def logical(pieces: Sequence[str], *, page_is_backward: bool = False) -> str:
    """The text of glyphs that stand in this order from the left. A glyph of several letters keeps their order.

    Words of the other direction than the line's are turned whole. `page_is_backward`: whether most of the text around
    the line runs from right to left.
    """
    marked = _with_signs([(text, direction(text)) for text in pieces])
    base = _is_backward(marked, page_is_backward)
    runs = _runs(marked, base)
    if base:
        runs.reverse()
    # Some writers say which bracket was meant, not which one is seen.
    return min(_written(runs, _MIRRORED), _written(runs, {}), key=_unmatched)


def _written(runs: Sequence[tuple[bool, list[str]]], mirrored: Mapping[str, str]) -> str:
    """Those that run from right to left turned; brackets face the other way there (rule L4)."""
    return "".join(
        "".join([mirrored.get(text, text) for text in reversed(texts)] if is_backward else texts)
        for is_backward, texts in runs
    )


def _unmatched(text: str) -> int:
    """How many brackets have no other half."""
    found = 0
    for opening, closing in ("()", "[]", "{}"):
        depth = 0
        for char in text if opening in text or closing in text else "":
            depth += (char == opening) - (char == closing)
            if depth < 0:
                found, depth = found + 1, 0
        found += depth
    return found


def _is_backward(pieces: Sequence[Piece], page: bool) -> bool:
    """Whether the line runs from right to left: as both its ends do, else as most of its letters; in doubt, as its page.

    Digits do not say (rule P2). A glyph of letters of both directions is read as it stands, and so is its line.
    """
    if any(way is False and _kinds(text) & {"R", "AL"} for text, way in pieces):
        return False
    strong = [(text, bool(way)) for text, way in pieces if way is not None and any(char.isalpha() for char in text)]
    backward = sum(len(text) for text, way in strong if way)
    is_mostly = 2 * backward >= sum(len(text) for text, _ in strong)
    if strong and strong[0][1] == strong[-1][1]:
        return strong[0][1] or (page and is_mostly)
    return page or is_mostly


def _with_signs(pieces: list[Piece]) -> list[Piece]:
    """Signs at a number that follows Hebrew go with it (rules W2 and W5); at one that follows Arabic they do not."""
    found = list(pieces)
    follows_arabic = False
    for at in range(len(pieces) - 1, -1, -1):
        text, way = pieces[at]
        if way is True:
            follows_arabic = "AL" in _kinds(text)
        elif way is False and not follows_arabic and unicodedata.bidirectional(text[0]) == "EN":
            for beside in (at - 1, at + 1):
                if 0 <= beside < len(pieces) and _is_sign(pieces[beside][0]):
                    found[beside] = pieces[beside][0], False
    return found


def _is_sign(text: str) -> bool:
    return _kinds(text) == {"ET"}


def _is_number(text: str) -> bool:
    return any(char.isdigit() for char in text) and not any(char.isalpha() for char in text)


def direction(text: str) -> bool | None:
    """Whether `text` runs from right to left, by its letters, or its digits without any; None without either.

    Glyphs that stand for letters of both directions hold them as they are read, like a line that runs forward.
    """
    kinds = _kinds(text)
    if kinds & {"L", "EN", "AN"}:
        return False
    return True if kinds & {"R", "AL"} else None


def _kinds(text: str) -> set[str]:
    return {unicodedata.bidirectional(char) for char in text}


_MIRRORED: Final[Mapping[str, str]] = {
    "(": ")",
    ")": "(",
    "[": "]",
    "]": "[",
    "{": "}",
    "}": "{",
    "«": "»",
    "»": "«",
    "<": ">",
    ">": "<",
}


def _runs(pieces: Sequence[Piece], base: bool) -> list[tuple[bool, list[str]]]:
    """Runs of one direction; what goes either way follows its neighbours where they agree, else the line (rules N1, N2)."""
    runs: list[tuple[bool, list[str]]] = []
    neutral: list[str] = []
    last = ""
    for text, is_backward in pieces:
        if is_backward is None:
            neutral.append(text)
            continue
        are_apart = base and bool(neutral) and _is_number(last) and _is_number(text) and not _joins(neutral)
        if runs and runs[-1][0] is is_backward and not are_apart:
            runs[-1][1].extend([*neutral, text])
        else:
            if neutral:
                _extend(runs, base, neutral)
            _extend(runs, is_backward, [text])
        neutral = []
        last = text
    if neutral:
        _extend(runs, base, neutral)
    return runs


def _joins(between: Sequence[str]) -> bool:
    """Whether it makes two numbers one (rule W4); others stand in the order of the line (rule N1)."""
    return len(between) == 1 and len(between[0]) == 1 and unicodedata.bidirectional(between[0]) in ("ES", "CS")


def _extend(runs: list[tuple[bool, list[str]]], is_backward: bool, texts: list[str]) -> None:
    if runs and runs[-1][0] is is_backward:
        runs[-1][1].extend(texts)
    else:
        runs.append((is_backward, list(texts)))
