"""Pages by PDFium where it is sure of them, and by our own interpreter where it is not.

PDFium is many times as fast, and right about most pages: text from left to right, by fonts that say what their glyphs
mean. What it does not tell, or puts in an order of its own, our interpreter reads as it does for the other engine, so
that both give the same.
"""

from __future__ import annotations

import contextlib
from typing import Final

from fumehood.limits.budget import Budget
from fumehood.loaders.shared import pdf_session, pdfium_objects
from fumehood.loaders.shared import pdfium_library as pdfium
from fumehood.loaders.shared.pdf_content import Drawer, placed_page
from fumehood.loaders.shared.pdf_geometry import Matrix
from fumehood.loaders.shared.pdf_glyphs import Canvas
from fumehood.loaders.shared.pdf_pages import Page
from fumehood.loaders.shared.pdfium_fonts import OwnFonts
from fumehood.loaders.shared.pdfium_forms import FormWeights
from fumehood.loaders.shared.pdfium_objects import Objects
from fumehood.loaders.shared.pdfium_text import page_text
from fumehood.loaders.shared.pdfium_typefaces import Typefaces
from fumehood.loaders.shared.pdfium_words import Words

_SAME_SIZE: Final = 1.0
"""Points by which the two may differ on a page's size and still mean the same page."""


class PdfiumPainter:
    """Paints the pages of one file. To be closed."""

    def __init__(self, data: bytes, password: str | None, drawer: Drawer, budget: Budget) -> None:
        """`password`: the one that has opened the file, if it needed one. `drawer`: our own interpreter."""
        self._budget = budget
        self._drawer = drawer
        self._weights = FormWeights(drawer, budget)
        self._document: pdfium.Document | None = None
        if not drawer.layers:  # PDFium does not tell what belongs to a layer
            with contextlib.suppress(ValueError):
                self._document = pdfium.Document(data, password)
        self._typefaces = Typefaces(self._document) if self._document is not None else None

    def close(self) -> None:
        if self._document is not None and self._typefaces is not None:
            self._typefaces.close()
            self._document.close()

    def paint(self, page: Page, number: int) -> tuple[Canvas, Matrix]:
        """Page `number`, from 1, and what leads from its coordinates to the canvas's."""
        canvas, matrix = placed_page(page)
        if self._is_drawn(page, number, canvas, matrix):
            return canvas, matrix
        return self._drawer.paint(page, number)

    def _is_drawn(self, page: Page, number: int, canvas: Canvas, matrix: Matrix) -> bool:
        """Draws the page by PDFium. Where it returns False, what is on the canvas is of no use."""
        if self._document is None or self._typefaces is None or number > self._document.page_count:
            return False
        session = pdf_session.current()
        damaged = session.damaged_streams
        try:
            # PDFium inflates and draws without a bound: what it will is counted here, before it does.
            self._weights.check(page)
            if session.damaged_streams > damaged:
                return False
            with self._document.page(number - 1) as found:
                if found is None or not _is_same(found, canvas):
                    return False
                if self._weights.may_replace_text:
                    pdfium_objects.show_what_is_seen(found.handle)
                objects = Objects(
                    self._typefaces,
                    canvas,
                    matrix,
                    self._budget,
                    has_marks=self._weights.may_mark,
                    has_clips=self._weights.may_clip,
                )
                fonts = OwnFonts(page, self._drawer.faces)
                self._draw(found, objects, fonts, canvas, matrix)
        except pdfium.Unsure:
            return False
        finally:
            self._typefaces.end_page()
        return True

    def _draw(self, page: pdfium.Page, objects: Objects, fonts: OwnFonts, canvas: Canvas, matrix: Matrix) -> None:
        with page.letters() as letters:
            text = self._text(letters)
            objects.walk(page.handle)
            left = Words(letters, text, objects, fonts, canvas, matrix).put()
        if left:
            # Twice printed texts are two to the layout. What is left now is printed three times, or not known to PDFium.
            objects.keep_only(left)
            with page.letters() as letters:
                if Words(letters, self._text(letters), objects, fonts, canvas, matrix).put():
                    raise pdfium.Unsure

    def _text(self, letters: pdfium.Reference) -> str:
        """Raises `Unsure` for a page of pictures, or one that PDFium could not decode: both are read at once."""
        count = pdfium.count_chars(letters)
        self._budget.check("output_bytes", self._budget.used("output_bytes") + max(0, count))
        text = page_text(letters, count) if count > 0 else ""
        if not text.strip():
            raise pdfium.Unsure
        return text


def _is_same(page: pdfium.Page, canvas: Canvas) -> bool:
    """Whether PDFium has found the same page at that number: damage may have been mended in different ways."""
    return abs(page.width - canvas.width) <= _SAME_SIZE and abs(page.height - canvas.height) <= _SAME_SIZE
