"""The pieces of a document's pages, written in order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from fumehood.document import Locator
from fumehood.loaders.shared import pdf_edges
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.pdf_carried import are_alike, is_number, matched, running_key
from fumehood.loaders.shared.pdf_furniture import Furniture
from fumehood.loaders.shared.pdf_headings import Headings
from fumehood.loaders.shared.pdf_layout import PageLayout
from fumehood.loaders.shared.pdf_paragraphs import Piece
from fumehood.loaders.shared.pdf_tables import Cell, Table

_FURNITURE: Final = frozenset({"header", "footer"})
_MOST_HEADS: Final = 3
"""Rows that a table may say again on each of its pages."""


@dataclass(slots=True)
class _Open:
    """A table whose rows were written last. `heads`: the texts of its first rows."""

    table: Table
    group: int
    columns: int
    heads: list[list[str]]

    def places(self, table: Table) -> Sequence[int] | None:
        """Which of its columns those of `table` are; None if that is another table."""
        if not are_alike(table.size, self.table.size):
            return None
        if len(table.columns) != self.columns and len(table.rows) > 1:
            return None
        return matched(table.columns, self.table.columns)


class Output:
    """Writes one document. A list, a table or a paragraph's roles may go on from page to page."""

    def __init__(self, pages: Sequence[PageLayout], outline: Mapping[str, int], out: Builder) -> None:
        self._out = out
        pdf_edges.take_heads(pages)
        self._furniture = Furniture()
        for number, page in enumerate(pages, start=1):
            self._furniture.add(page, number)
        self._headings = Headings((piece for page in pages for piece in page.pieces), outline)
        self._list: int | None = None
        self._open: _Open | None = None
        self._held: list[tuple[Piece, Locator]] = []
        """Headers and footers that stand between the rows of a table that may go on."""
        self._running: AbstractSet[str] = frozenset()
        """What stands at the edges of the page before."""
        self.hidden = 0

    def write(self, page: PageLayout, number: int, locator: Locator) -> None:
        """Writes a page, by its place in the file, but for what may stand within a table: :meth:`finish` does."""
        pieces = list(self._furniture.without(page, number))
        first, end = 0, len(pieces)
        while first < end and self._is_above(pieces[first], page):
            first += 1
        while end > first and (pieces[end - 1].role in _FURNITURE or pdf_edges.is_at_bottom(page, pieces[end - 1])):
            end -= 1
        self._running = pdf_edges.running(page)
        if not all(self._is_running(piece) for piece, _ in self._held):
            self.finish()
        if first < end and self._writes_on(pieces[first].table, locator):
            self._held += ((piece, locator) for piece in pieces[:first])
            first += 1
            if first < end:
                self.finish()
        else:
            self.finish()
            first = 0
        self._write(pieces[first:end], locator)
        if self._open is not None:
            self._held += ((piece, locator) for piece in pieces[end:])
        else:
            self._write(pieces[end:], locator)

    def _is_above(self, piece: Piece, page: PageLayout) -> bool:
        """Whether it is running, as far as two pages can say that, and no part of the text."""
        return self._is_running(piece) and (piece.role in _FURNITURE or pdf_edges.is_at_top(page, piece))

    def _is_running(self, piece: Piece) -> bool:
        return piece.role in _FURNITURE or running_key(piece.text) in self._running

    def finish(self) -> None:
        """Writes what was held back. No table goes on from here."""
        self._open = None
        held, self._held = self._held, []
        for piece, locator in held:
            self._write([piece], locator)

    def _write(self, pieces: Iterable[Piece], locator: Locator) -> None:
        for piece in pieces:
            if piece.role != "list-item":
                self._list = None
            self._open = None
            if piece.table is None:
                self._write_text(piece, locator)
                self.hidden += not piece.is_visible
            elif piece.is_visible:
                self._open = self._write_table(piece.table, locator)
            else:
                self._write_table(piece.table, locator, is_visible=False)
                self.hidden += len(piece.table.rows)

    def _write_text(self, piece: Piece, locator: Locator) -> None:
        level = self._headings.level(piece)
        if level is not None:
            self._out.heading(piece.text, level, locator=locator, links=piece.links)
        elif piece.role == "list-item":
            if self._list is None:
                self._list = self._out.new_group()
            self._out.list_item(
                piece.text,
                piece.depth,
                self._list,
                marker=piece.marker,
                locator=locator,
                visible=piece.is_visible,
                links=piece.links,
            )
        else:
            self._out.paragraph(
                piece.text, role=piece.role, locator=locator, visible=piece.is_visible, links=piece.links
            )

    def _write_table(self, table: Table, locator: Locator, *, is_visible: bool = True) -> _Open:
        columns = max(len(row) for row in table.rows)
        written = _Open(table, self._out.new_group(), columns, _heads(table))
        for index, row in enumerate(table.rows):
            self._write_row(row, written, locator, is_header=index == 0, is_visible=is_visible)
        return written

    def _writes_on(self, table: Table | None, locator: Locator) -> bool:
        """Writes more rows of the open table, without those that it says again; whether it is that one."""
        if table is None or self._open is None:
            return False
        places = self._open.places(table)
        if places is None:
            return False
        rows: list[list[Cell]] = []
        for row in table.rows:
            cells = [Cell() for _ in range(self._open.columns)]
            for place, cell in zip(places, row, strict=False):
                cells[place] = cell
            rows.append(cells)
        again = 0
        for head, row in zip(self._open.heads, rows[:-1], strict=False):
            if head != [cell.text for cell in row]:
                break
            again += 1
        for row in rows[again:]:
            self._write_row(row, self._open, locator)
        return True

    def _write_row(
        self,
        row: Sequence[Cell],
        table: _Open,
        locator: Locator,
        *,
        is_header: bool = False,
        is_visible: bool = True,
    ) -> None:
        self._out.table_row(
            [cell.text for cell in row],
            table.group,
            table.columns,
            header=is_header,
            locator=locator,
            visible=is_visible,
            links={place: cell.links for place, cell in enumerate(row) if cell.links},
        )


def _heads(table: Table) -> list[list[str]]:
    """The first row, and those below it that hold no number: what is said again may be no row of values."""
    rows = [[cell.text for cell in row] for row in table.rows[:_MOST_HEADS]]
    return rows[:1] + list(takewhile(lambda row: not any(map(is_number, row)), rows[1:]))
