"""Headers, footers and page numbers: what stands at the edges of several pages.

What is left out must be a repetition: the same text, or the same but for a number that counts the pages. Numbers
that count anything else, as those of a hundred invoices in one file, are kept with their role.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from fumehood.loaders.shared import pdf_edges
from fumehood.loaders.shared.pdf_layout import PageLayout
from fumehood.loaders.shared.pdf_paragraphs import Piece

_PER_EDGE: Final = 3
"""Pieces looked at on each edge of a page."""
_LONGEST: Final = 200
_NEIGHBOUR: Final = 24
"""Characters next to a line that tell whether it stands in the same text on other pages."""
_MOST_KEYS: Final = 20_000
_FEWEST_PAGES: Final = 3
_FARTHEST: Final = 50
"""How far the number beside a running title may be from the page's own place in the file."""
_LARGER: Final = 1.15
"""Of the size of most of its page, how large what is a heading is at least."""
_COUNT: Final = re.compile(r"(?<!\S)\d{1,5}(?!\S)")
_OF: Final = r"\s{0,3}(?:/|of|von|de|sur|\u0438\u0437)\s{0,3}"
_ALONE: Final = re.compile(
    r"\W{0,3}(?:(?:page|seite|p\.|pg\.?|p\u00e1gina|pagina|\u0441\u0442\u0440\.)\s*)?(?P<number>\d{1,5}|[ivxlcdm]{1,8})"
    rf"(?:{_OF}\d{{1,5}})?\W{{0,3}}",
    re.IGNORECASE,
)
_TOTAL: Final = re.compile(rf"(?<!\S)(\d{{1,5}}){_OF}\d{{1,5}}\W{{0,3}}\Z", re.IGNORECASE)
"""The page and how many there are, at the end of a running title."""


class _Mark(NamedTuple):
    """What a piece is counted by: its edge, its text without the page's number, and how far this is from its page."""

    is_top: bool
    text: str
    distance: int | None
    is_large: bool


class Furniture:
    """What stands at the edges of the pages added so far. The state is bounded: a key for each text, up to a bound."""

    def __init__(self) -> None:
        self._seen: Counter[_Mark] = Counter()
        self._said: set[_Mark] = set()
        self._pages = 0

    def add(self, page: PageLayout, number: int) -> None:
        """Takes note of the edges of a page, by its place in the file."""
        self._pages += 1
        usual = _usual_size(page.pieces)
        marks = {mark for piece in _at_edges(page) for mark in _marks(page, piece, number, usual)}
        for piece, is_top in pdf_edges.outermost(page):
            cut = _cut(piece, is_top)
            if cut is not None:
                for mark in _marks(page, cut.line, number, usual):
                    marks |= {mark, _with_neighbour(mark, cut.rest)}
        for mark in marks:
            if mark in self._seen or len(self._seen) < _MOST_KEYS:
                self._seen[mark] += 1

    def without(self, page: PageLayout, number: int) -> Iterator[Piece]:
        """The page's pieces; what is repeated as header or footer where it first stands, and not again."""
        usual = _usual_size(page.pieces)
        edges = {id(piece): _marks(page, piece, number, usual) for piece in _at_edges(page)}
        solid: dict[int, list[bool]] = {}
        for piece, is_top in pdf_edges.outermost(page):
            solid.setdefault(id(piece), []).append(is_top)
        for piece in page.pieces:
            if self._are_repeated(edges.get(id(piece), ())):
                yield from self._said_once(piece, edges[id(piece)])
            elif id(piece) in solid:
                yield from self._parted(page, piece, number, usual, solid[id(piece)])
            else:
                yield piece

    def _parted(
        self, page: PageLayout, piece: Piece, number: int, usual: float, edges: Iterable[bool]
    ) -> Iterator[Piece]:
        """The piece, with its first or last line apart where that is one that other pages have, above other text."""
        after: list[Piece] = []
        for is_top in edges:
            cut = _cut(piece, is_top)
            if cut is None:
                continue
            marks = [
                mark
                for mark in _marks(page, cut.line, number, usual)
                if 2 * self._seen[_with_neighbour(mark, cut.rest)] <= self._seen[mark]
            ]
            if self._are_repeated(marks):
                line, piece = cut
                if is_top:
                    yield from self._said_once(line, marks)
                else:
                    after += self._said_once(line, marks)
        yield piece
        yield from after

    def _said_once(self, piece: Piece, marks: Iterable[_Mark]) -> Iterator[Piece]:
        """The piece with its role, unless it has been said."""
        repeated = [mark for mark in marks if self._is_repeated(mark)]
        piece.role = "header" if repeated[0].is_top else "footer"
        is_said = not self._said.isdisjoint(repeated)
        self._said.update(repeated)
        if not is_said:
            yield piece

    def _are_repeated(self, marks: Iterable[_Mark]) -> bool:
        return any(self._is_repeated(mark) for mark in marks)

    def _is_repeated(self, mark: _Mark) -> bool:
        """On three pages at least; what is set as large as a heading, on most of them."""
        return self._seen[mark] >= (max(_FEWEST_PAGES, self._pages // 2) if mark.is_large else _FEWEST_PAGES)


def _cut(piece: Piece, is_top: bool) -> pdf_edges.Cut | None:
    cut = pdf_edges.first_line(piece) if is_top else pdf_edges.last_line(piece)
    return cut if cut is not None and len(cut.line.text) <= _LONGEST else None


def _with_neighbour(mark: _Mark, rest: Piece) -> _Mark:
    """The mark with what stands next to it: where this is the same on many pages too, both are text of a form letter."""
    neighbour = rest.text[:_NEIGHBOUR] if mark.is_top else rest.text[-_NEIGHBOUR:]
    return mark._replace(text=f"{mark.text}\n{neighbour}")


def _at_edges(page: PageLayout) -> Iterable[Piece]:
    short = [piece for piece in page.pieces if len(piece.text) <= _LONGEST]
    top = sorted((piece for piece in short if pdf_edges.is_at_top(page, piece)), key=lambda one: -one.high)
    bottom = sorted((piece for piece in short if pdf_edges.is_at_bottom(page, piece)), key=lambda one: one.low)
    return [*top[:_PER_EDGE], *bottom[:_PER_EDGE]]


def _usual_size(pieces: Iterable[Piece]) -> float:
    lengths: Counter[float] = Counter()
    for piece in pieces:
        lengths[piece.size] += len(piece.text)
    return max(lengths, key=lambda size: (lengths[size], size), default=0.0)


def _marks(page: PageLayout, piece: Piece, number: int, usual: float) -> list[_Mark]:
    """The text itself; and without a number that may be the page's: alone, or first or last beside a running title.

    `usual`: the size of most of the page's text.
    """
    is_top = piece.low > page.height / 2
    text = " ".join((f"{piece.marker} {piece.text}" if piece.marker not in ("", "-") else piece.text).split())
    is_large = piece.size >= _LARGER * usual
    found = [_Mark(is_top, text, None, is_large)]
    if is_large:
        return found
    alone = _ALONE.fullmatch(text)
    if alone is not None:
        distance = int(alone["number"]) - number if alone["number"].isdecimal() else None
        found.append(_Mark(is_top, "", distance, False))
        return found
    total = _TOTAL.search(text)
    counts = [match.span() for match in _COUNT.finditer(text) if match.start() == 0 or match.end() == len(text)]
    if total is not None:
        counts.append(total.span(1))
    for start, end in counts:
        distance = int(text[start:end]) - number
        if abs(distance) <= _FARTHEST:
            found.append(_Mark(is_top, f"{text[:start]}#{text[end:]}", distance, False))
    return found
