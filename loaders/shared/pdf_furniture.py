"""Headers, footers and page numbers: what stands at the edges of several pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from fumehood.loaders.shared.pdf_layout import PageLayout
from fumehood.loaders.shared.pdf_paragraphs import Piece

_EDGE: Final = 0.12
"""Of the page's height, how far from its edge headers and footers stand."""
_PER_EDGE: Final = 3
"""Pieces looked at on each edge of a page."""
_LONGEST: Final = 200
_MOST_LINES: Final = 3
_MOST_KEYS: Final = 20_000
_FEWEST_PAGES: Final = 3
_DIGITS: Final = re.compile(r"\d+|^[ivxlc]+(?= )|(?<= )[ivxlc]+$")
_NUMBER: Final = re.compile(
    r"\W{0,3}(?:(?:page|seite|p\.|pg\.?|página|pagina|стр\.)\s*)?(?:\d{1,5}|[ivxlcdm]{1,8})"
    r"(?:\s*(?:/|of|von|de|sur|из)\s*\d{1,5})?\W{0,3}",
    re.IGNORECASE,
)

_Key = tuple[bool, str]
"""Whether it stands at the top, and its text without its numbers."""


class Furniture:
    """What stands at the edges of the pages added so far. The state is bounded: a key for each text, up to a bound."""

    def __init__(self) -> None:
        self._seen: Counter[_Key] = Counter()
        self._said: set[_Key] = set()

    def add(self, page: PageLayout) -> None:
        """Takes note of a page's edges."""
        for key in {_key(page, piece) for piece in _at_edges(page)}:
            if key in self._seen or len(self._seen) < _MOST_KEYS:
                self._seen[key] += 1

    def without(self, page: PageLayout) -> Iterator[Piece]:
        """The page's pieces; what is repeated as header or footer where it first stands, and not again."""
        edges = {id(piece): _key(page, piece) for piece in _at_edges(page)}
        for piece in page.pieces:
            key = edges.get(id(piece))
            if key is None or self._seen[key] < _FEWEST_PAGES:
                yield piece
            elif key not in self._said:
                self._said.add(key)
                piece.role = "header" if key[0] else "footer"
                yield piece


def _at_edges(page: PageLayout) -> Iterable[Piece]:
    candidates = [piece for piece in page.pieces if _is_candidate(piece)]
    top = sorted((piece for piece in candidates if piece.low > (1 - _EDGE) * page.height), key=lambda one: -one.high)
    bottom = sorted((piece for piece in candidates if piece.high < _EDGE * page.height), key=lambda one: one.low)
    return [*top[:_PER_EDGE], *bottom[:_PER_EDGE]]


def _is_candidate(piece: Piece) -> bool:
    return piece.table is None and piece.is_visible and piece.line_count <= _MOST_LINES and len(piece.text) <= _LONGEST


def _key(page: PageLayout, piece: Piece) -> _Key:
    is_top = piece.low > page.height / 2
    text = f"{piece.marker} {piece.text}".strip() if piece.marker != "-" else piece.text
    # The numbers of pages are one text wherever they stand; others are told by what stands around their digits.
    return is_top, "#" if _NUMBER.fullmatch(text) else _DIGITS.sub("#", " ".join(text.split()))
