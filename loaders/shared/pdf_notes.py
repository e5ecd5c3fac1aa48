"""Roles that a piece has by its place on the page and its first words: footnotes and captions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from fumehood.loaders.shared.pdf_paragraphs import Piece

_SMALLER: Final = 0.93
"""Of the size of most text, the most that footnotes are set in."""
_NOTE: Final = re.compile(
    r"(?:\d{1,2}|[*\u2217\u2020\u2021\u00a7\u00b6]{1,3}|[a-z](?=[.)]|\s?[A-Z\"(\u201c]))[.)]?\s*(?=[^\W\d_]|[\"(\u201c])"
)
_CAPTION: Final = re.compile(
    r"(?:Figure|Fig\.|Table|Tab\.|Scheme|Chart|Plate|Listing|Algorithm|Exhibit|Abbildung|Abb\.|Tabelle|Tableau|Figura"
    r"|Tabla|Tabella|Tabela|\u56f3|\u8868|\u56fe)\s?[0-9A-Z]{1,3}(?:[.\-\u2013][0-9]{1,3}){0,3}\s?(?:[.:|\u2013\u2014]|(?= [A-Z\"(]))",
)
_LONGEST_CAPTION: Final = 600


def with_roles(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces of a page, footnotes behind everything else of it."""
    texts = [piece for piece in pieces if piece.table is None]
    for piece in texts:
        if piece.role == "paragraph" and len(piece.text) <= _LONGEST_CAPTION and _CAPTION.match(piece.text):
            piece.role = "caption"
    usual = _usual_size(texts)
    notes = {id(piece) for piece in _notes(texts, usual)}
    if not notes:
        return list(pieces)
    return [piece for piece in pieces if id(piece) not in notes] + [piece for piece in pieces if id(piece) in notes]


def _usual_size(pieces: Sequence[Piece]) -> float:
    counts: Counter[float] = Counter()
    for piece in pieces:
        counts[round(piece.size, 1)] += len(piece.text)
    return max(counts, key=lambda size: (counts[size], size), default=0.0)


def _notes(pieces: Sequence[Piece], usual: float) -> list[Piece]:
    """Small text below all ordinary text, from the first piece on that begins with a mark."""
    small = [piece for piece in pieces if piece.size <= _SMALLER * usual]
    floor = min((piece.low for piece in pieces if piece.size > _SMALLER * usual and piece.line_count > 1), default=None)
    if floor is None:
        return []
    found: list[Piece] = []
    for piece in small:
        is_below = piece.high <= floor + usual or (found and piece.start == found[-1].start)
        if not is_below or piece.role == "caption":
            continue
        if _NOTE.match(_marked(piece)):
            piece.role = "note"
            piece.text, piece.marker = _marked(piece), ""
            found.append(piece)
        elif found and piece.high <= found[-1].low + usual and piece.line_count > 1:
            piece.role = "note"
            found.append(piece)
    return found


def _marked(piece: Piece) -> str:
    """Its text, with the number that it has if it was taken for an item of a list."""
    return f"{piece.marker} {piece.text}" if piece.marker and piece.marker != "-" else piece.text
