"""The edges of pages: where running headers and footers are, set solid against paragraphs too, and where tables go on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Final, NamedTuple

from msgspec.structs import replace

from fumehood.loaders.shared.builder import LinkSpan
from fumehood.loaders.shared.pdf_aligned import as_row
from fumehood.loaders.shared.pdf_carried import NOTHING, Carried, are_alike, going_on, is_number, matched, running_key
from fumehood.loaders.shared.pdf_layout import PageLayout
from fumehood.loaders.shared.pdf_paragraphs import Piece
from fumehood.loaders.shared.pdf_tables import Table

EDGE: Final = 0.12
"""Of the page's height, how far from its edge headers and footers stand."""
MOST_LINES: Final = 3
"""Of a header or footer."""
_FEWEST_COLUMNS: Final = 3
_LONGEST_HEAD: Final = 45
"""Characters."""


class Cut(NamedTuple):
    """A piece as its first line, or its last, and the rest."""

    line: Piece
    rest: Piece


def first_line(piece: Piece) -> Cut | None:
    """The piece without its first line; None if that is joined to the next otherwise than by white space."""
    line = piece.first_line
    at = len(line)
    if not line or not piece.text.startswith(line) or not piece.text[at : at + 1].isspace():
        return None
    middle = piece.high - piece.size
    head = replace(piece, text=line, links=_links(piece, 0, at), low=middle)
    rest = replace(
        piece, text=piece.text[at + 1 :], links=_links(piece, at + 1, len(piece.text)), high=middle, first_line=""
    )
    return _counted(head, rest, piece)


def last_line(piece: Piece) -> Cut | None:
    """The piece without its last line, as :func:`first_line` does it."""
    line = piece.last_line
    at = len(piece.text) - len(line)
    if not line or not piece.text.endswith(line) or not piece.text[at - 1 : at].isspace():
        return None
    middle = piece.low + piece.size
    foot = replace(piece, text=line, links=_links(piece, at, len(piece.text)), high=middle)
    rest = replace(piece, text=piece.text[: at - 1], links=_links(piece, 0, at - 1), low=middle, last_line="")
    return _counted(foot, rest, piece)


def _counted(line: Piece, rest: Piece, piece: Piece) -> Cut:
    line.line_count, line.first_line, line.last_line = 1, "", ""
    rest.line_count = piece.line_count - 1
    if rest.line_count == 1:
        rest.first_line = rest.last_line = ""
    return Cut(line, rest)


def _links(piece: Piece, start: int, end: int) -> list[LinkSpan]:
    return [
        (max(one, start) - start, min(other, end) - start, target)
        for one, other, target in piece.links
        if one < end and start < other
    ]


def outermost(page: PageLayout) -> Iterator[tuple[Piece, bool]]:
    """Paragraphs of several lines that nothing is above, or below: their first or last line is at the page's edge. With
    whether it is the upper one.
    """
    pieces = [piece for piece in page.pieces if piece.is_visible and not piece.is_aside]
    top = max((piece.high for piece in pieces), default=0.0)
    bottom = min((piece.low for piece in pieces), default=0.0)
    edge = EDGE * page.height
    for piece in pieces:
        if piece.table is not None or piece.role != "paragraph" or piece.line_count < 2:
            continue
        if piece.high >= top - piece.size / 2 and piece.high - piece.size > page.height - edge:
            yield piece, True
        if piece.low <= bottom + piece.size / 2 and piece.low + piece.size < edge:
            yield piece, False


def carried(page: PageLayout) -> Carried:
    """The table that the page ends with, but for what may be a footer."""
    last = next((piece for piece in reversed(page.pieces) if not is_at_bottom(page, piece)), None)
    if last is None or last.table is None or not last.is_visible:
        return NOTHING
    return going_on(last.table, running(page))


def take_heads(pages: Sequence[PageLayout]) -> None:
    """Makes tables of rows that a page ends with, and that are the head of the table that the next page begins with."""
    for page, after in pairwise(pages):
        table = _first_table(after, running(page))
        if table is None:
            continue
        above = running(after)
        last = next((piece for piece in reversed(page.pieces) if piece.parts or not is_at_bottom(page, piece)), None)
        if last is None or not last.parts or not last.is_visible or running_key(last.text) in above:
            continue
        row = as_row(last.parts)
        if _is_head(row, table):
            last.table, last.text, last.parts = row, "", ()


def _first_table(page: PageLayout, running: AbstractSet[str]) -> Table | None:
    """The table that a page begins with, below what the page before has at its edges too."""
    pieces = (piece for piece in page.pieces if not (is_at_top(page, piece) and running_key(piece.text) in running))
    first = next(pieces, None)
    return first.table if first is not None and first.is_visible else None


def _is_head(row: Table, table: Table) -> bool:
    """Whether a row has a word for each column of a table of three or more: of two, anything may be above."""
    words = [cell.text for cell in row.rows[0]]
    return (
        _FEWEST_COLUMNS <= len(words) == len(table.columns)
        and all(words)
        and max(map(len, words)) <= _LONGEST_HEAD
        and not any(map(is_number, words))
        and are_alike(row.size, table.size)
        and matched(row.columns, table.columns) is not None
    )


def running(page: PageLayout) -> set[str]:
    """The keys of what may be running on the page."""
    edges = (piece for piece in page.pieces if is_at_top(page, piece) or is_at_bottom(page, piece))
    return {running_key(piece.first_line or piece.text) for piece in edges}


def is_at_top(page: PageLayout, piece: Piece) -> bool:
    return _is_short(piece) and piece.low > (1 - EDGE) * page.height


def is_at_bottom(page: PageLayout, piece: Piece) -> bool:
    return _is_short(piece) and piece.high < EDGE * page.height


def _is_short(piece: Piece) -> bool:
    return piece.table is None and piece.is_visible and piece.line_count <= MOST_LINES
