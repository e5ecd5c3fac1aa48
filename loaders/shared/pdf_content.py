"""Draws what pages, forms and annotations hold on canvases, keeping what they share (ISO 32000-2, 7.8, 8.10, 12.5.5)."""

from __future__ import annotations

from typing import Any, Final

from pdfminer.pdftypes import PDFStream

from fumehood.loaders.shared import pdf_session
from fumehood.loaders.shared.pdf_fonts import Faces
from fumehood.loaders.shared.pdf_geometry import Matrix, bounds, matrix_of, multiplied
from fumehood.loaders.shared.pdf_glyphs import Canvas, Rectangle
from fumehood.loaders.shared.pdf_interpreter import Interpreter
from fumehood.loaders.shared.pdf_layers import Layers
from fumehood.loaders.shared.pdf_pages import Page, rectangle
from fumehood.loaders.shared.pdf_state import State

_KEPT_FORMS: Final = 16 * 1024 * 1024
"""Bytes of decoded forms kept: a letterhead is drawn on every page."""


def placed_page(page: Page) -> tuple[Canvas, Matrix]:
    """An empty canvas for the page, and what leads from the page's coordinates to the canvas's."""
    left, bottom, right, top = page.box
    width, height = right - left, top - bottom
    if page.rotate == 90:
        return Canvas(height, width), (0.0, -1.0, 1.0, 0.0, -bottom, right)
    if page.rotate == 180:
        return Canvas(width, height), (-1.0, 0.0, 0.0, -1.0, right, top)
    if page.rotate == 270:
        return Canvas(height, width), (0.0, 1.0, -1.0, 0.0, top, -left)
    return Canvas(width, height), (1.0, 0.0, 0.0, 1.0, -left, -bottom)


class Drawer:
    """Draws the pages of one document, keeping its fonts and small forms from one to the next."""

    def __init__(self, catalog: dict[str, Any]) -> None:
        self.faces = Faces()
        self.layers = Layers(catalog)
        self._forms: dict[int, bytes] = {}
        self._kept = 0
        self._last: tuple[Page, bytes] | None = None

    def paint(self, page: Page, _number: int) -> tuple[Canvas, Matrix]:
        """The page on a canvas of its own, and what leads from its coordinates to the canvas's."""
        canvas, matrix = placed_page(page)
        self.draw_page(page, canvas, matrix)
        return canvas, matrix

    def draw_page(self, page: Page, canvas: Canvas, matrix: Matrix) -> None:
        """The page's contents. A stream that cannot be decoded is a fault of the canvas, and the others are drawn."""
        data = self.contents(page)
        Interpreter(self, canvas, page.resources, State(matrix, canvas), frozenset()).execute(data)

    def contents(self, page: Page) -> bytes:
        """What the page draws by itself; that of the last page is kept."""
        if self._last is None or self._last[0] is not page:
            budget = pdf_session.current().budget
            parts = []
            for stream in page.contents():
                budget.spend("nodes")
                parts.append(stream.get_data())
            # One stream in pieces (7.8.2), which end between tokens.
            self._last = page, parts[0] if len(parts) == 1 else b"\n".join(parts)
        return self._last[1]

    def draw_form(self, form: PDFStream, canvas: Canvas, resources: dict[str, Any], matrix: Matrix) -> None:
        """A form on its own: the appearance of an annotation (12.5.5)."""
        Interpreter(self, canvas, resources, State(matrix, canvas), frozenset()).draw_form(form)

    def form_data(self, form: PDFStream) -> bytes:
        kept = self._forms.get(form.objid) if form.objid is not None else None
        if kept is not None:
            return kept
        data = form.get_data()
        if form.objid is not None and self._kept + len(data) <= _KEPT_FORMS:
            self._forms[form.objid] = data
            self._kept += len(data)
        return data


def appearance_matrix(form: PDFStream, place: Rectangle, matrix: Matrix) -> Matrix | None:
    """Algorithm of 12.5.5: what fits an appearance into the annotation's rectangle, then goes on with `matrix`."""
    box = rectangle(form.attrs.get("BBox"))
    if box is None:
        return None
    left, bottom, right, top = bounds(matrix_of(form.attrs.get("Matrix")), box)
    if right <= left or top <= bottom:
        return None
    x, y = (place[2] - place[0]) / (right - left), (place[3] - place[1]) / (top - bottom)
    return multiplied((x, 0.0, 0.0, y, place[0] - left * x, place[1] - bottom * y), matrix)
