"""What annotations show on a page, and what they say (ISO 32000-2, 12.5)."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from pdfminer.pdftypes import PDFStream, resolve1

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.pdf_content import Drawer, appearance_matrix
from fumehood.loaders.shared.pdf_file import array_of, dictionary
from fumehood.loaders.shared.pdf_geometry import Matrix
from fumehood.loaders.shared.pdf_glyphs import Canvas
from fumehood.loaders.shared.pdf_metadata import text_string
from fumehood.loaders.shared.pdf_pages import Page, rectangle

_NOT_SEEN: Final = 0b10 | 0b100000
"""Flags Hidden and NoView (table 167)."""
_SHOWN_ELSEWHERE: Final = frozenset({"Link", "Popup", "Widget", "FreeText", "PrinterMark", "TrapNet", "Watermark"})
"""Kinds whose /Contents is no remark of its own: it is drawn, or describes what is."""


class Remarks(NamedTuple):
    """What the annotations of a page say beside it: comments, and how many files are attached."""

    comments: list[str]
    attachments: int


def draw(page: Page, drawer: Drawer, canvas: Canvas, matrix: Matrix, budget: Budget) -> Remarks:
    """Draws the appearances onto the page's canvas; values of form fields are there. Spends `nodes`."""
    comments: list[str] = []
    attachments = 0
    for reference in array_of(page.attributes.get("Annots")):
        budget.spend("nodes")
        annotation = dictionary(reference)
        flags = resolve1(annotation.get("F"))
        if isinstance(flags, int) and flags & _NOT_SEEN:
            continue
        subtype = getattr(resolve1(annotation.get("Subtype")), "name", "")
        attachments += subtype == "FileAttachment"
        form = _appearance(annotation)
        place = rectangle(annotation.get("Rect"))
        if form is not None and place is not None and subtype != "Popup":
            fitted = appearance_matrix(form, place, matrix)
            if fitted is not None:
                drawer.draw_form(form, canvas, page.resources, fitted)
        if subtype not in _SHOWN_ELSEWHERE or (subtype == "FreeText" and form is None):
            comments.append(text_string(annotation.get("Contents")))
    return Remarks([comment for comment in comments if comment.strip()], attachments)


def _appearance(annotation: dict[str, Any]) -> PDFStream | None:
    """The normal appearance, of the state that the annotation is in (12.5.5)."""
    normal = resolve1(dictionary(annotation.get("AP")).get("N"))
    if isinstance(normal, dict):
        state = getattr(resolve1(annotation.get("AS")), "name", None)
        normal = resolve1(normal.get(state)) if state is not None else None
    return normal if isinstance(normal, PDFStream) else None
