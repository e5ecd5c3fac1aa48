"""Which paragraphs are headings, and of what level: by the outline, by size, by weight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from fumehood.loaders.shared.pdf_paragraphs import Piece

_RATIO: Final = 1.15
"""How much larger than the document's text a heading is at least."""
_LONGEST: Final = 200
_LONGEST_BOLD: Final = 100
_MOST_LINES: Final = 4
_LEVELS: Final = 6
_MOSTLY: Final = 0.3
"""Of the document's text, how much may be bold for bold lines to be headings."""
_ENDS: Final = ".,;:!?"
_FIRST_LETTERS: Final = 8
"""Characters that are looked at before the whole of a text is."""


class Headings:
    """Levels by what the document's pieces are set in. `outline`: levels by titles, as :func:`title_key` gives them."""

    def __init__(self, pieces: Iterable[Piece], outline: Mapping[str, int]) -> None:
        self._outline = outline
        characters: Counter[float] = Counter()
        candidates: set[float] = set()
        bold = 0
        for piece in pieces:
            if not piece.is_visible:
                continue
            size = _step(piece.size)
            characters[size] += _length(piece)
            bold += _length(piece) * piece.is_bold
            if _may_be_heading(piece):
                candidates.add(size)
        self._body = max(characters, key=lambda size: (characters[size], -size), default=0.0)
        larger = sorted((size for size in candidates if size >= self._body * _RATIO), reverse=True)
        self._levels = {size: min(rank, _LEVELS) for rank, size in enumerate(larger, start=1)}
        self._has_bold_headings = bold <= _MOSTLY * characters.total()

    def level(self, piece: Piece) -> int | None:
        """The piece's level as a heading; None if it is none."""
        if not _may_be_heading(piece):
            return None
        by_outline = self._outline.get(title_key(piece.text)) if self._outline else None
        if by_outline is not None:
            return min(by_outline, _LEVELS)
        size = _step(piece.size)
        if size in self._levels:
            return self._levels[size]
        is_bold = piece.is_bold and self._has_bold_headings and size >= self._body
        if is_bold and piece.line_count <= 2 and len(piece.text) <= _LONGEST_BOLD and piece.text[-1] not in _ENDS:
            return min(len(self._levels) + 1, _LEVELS)
        return None


def title_key(title: str) -> str:
    """What titles in the outline and on the page have in common: letters and digits."""
    return "".join(filter(str.isalnum, title.casefold()))


def _step(size: float) -> float:
    """Sizes that differ by less than half a point are one size to the reader."""
    return round(size * 2) / 2


def _length(piece: Piece) -> int:
    return len(piece.text) if piece.table is None else len(piece.table.text)


def _may_be_heading(piece: Piece) -> bool:
    return (
        piece.table is None
        and piece.is_visible
        and not piece.is_aside
        and not piece.is_entry
        and piece.role == "paragraph"
        and len(piece.text) <= _LONGEST
        and piece.line_count <= _MOST_LINES
        and _has_letters(piece.text)
    )


def _has_letters(text: str) -> bool:
    """Whether there are two, which most texts begin with."""
    return sum(map(str.isalpha, text[:_FIRST_LETTERS])) > 1 or sum(map(str.isalpha, text)) > 1
