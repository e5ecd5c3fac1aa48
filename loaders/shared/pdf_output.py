"""The pieces of a document's pages, written in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fumehood.document import Locator
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.pdf_furniture import Furniture
from fumehood.loaders.shared.pdf_headings import Headings
from fumehood.loaders.shared.pdf_layout import PageLayout
from fumehood.loaders.shared.pdf_paragraphs import Piece
from fumehood.loaders.shared.pdf_tables import Table


class Output:
    """Writes one document. A list or a paragraph's roles may go on from page to page."""

    def __init__(self, pages: Sequence[PageLayout], outline: Mapping[str, int], out: Builder) -> None:
        self._out = out
        self._furniture = Furniture()
        for number, page in enumerate(pages, start=1):
            self._furniture.add(page, number)
        self._headings = Headings((piece for page in pages for piece in page.pieces), outline)
        self._list: int | None = None
        self.hidden = 0

    def write(self, page: PageLayout, number: int, locator: Locator) -> None:
        """Writes a page, by its place in the file."""
        for piece in self._furniture.without(page, number):
            if piece.role != "list-item":
                self._list = None
            if piece.table is not None:
                self._write_table(piece.table, locator)
            else:
                self._write_text(piece, locator)
            self.hidden += not piece.is_visible

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

    def _write_table(self, table: Table, locator: Locator) -> None:
        group = self._out.new_group()
        columns = max(len(row) for row in table.rows)
        for index, row in enumerate(table.rows):
            self._out.table_row(
                [cell.text for cell in row],
                group,
                columns,
                header=index == 0,
                locator=locator,
                links={place: cell.links for place, cell in enumerate(row) if cell.links},
            )
