"""What annotations show on a page, what they say, and where links lead (ISO 32000-2, 12.5)."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from pdfminer.pdftypes import PDFStream, resolve1

from fumehood.document import is_link_target
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import pdf_fields
from fumehood.loaders.shared.pdf_content import Drawer, appearance_matrix
from fumehood.loaders.shared.pdf_destinations import Destinations
from fumehood.loaders.shared.pdf_file import array_of, dictionary
from fumehood.loaders.shared.pdf_geometry import Matrix, bounds
from fumehood.loaders.shared.pdf_glyphs import Canvas
from fumehood.loaders.shared.pdf_pages import Page, rectangle
from fumehood.loaders.shared.pdf_strings import text_string
from fumehood.loaders.shared.pdf_xml import rich_text

_NOT_SEEN: Final = 0b10 | 0b100000
"""Flags Hidden and NoView (table 167)."""
_SHOWN_ELSEWHERE: Final = frozenset({"Link", "Popup", "FreeText", "PrinterMark", "TrapNet", "Watermark"})
"""Kinds whose /Contents is no remark of its own: it is drawn, or describes what is."""


class Comment(NamedTuple):
    text: str
    is_visible: bool


class Remarks(NamedTuple):
    """What the annotations of a page hold beside it: comments, specifications of files, links that are not kept.

    `widgets`: references to the form fields, or parts of some, that the page has, whether seen or not.
    """

    comments: list[Comment]
    files: list[Any]
    dropped: int
    widgets: list[Any]


def draw(
    page: Page,
    drawer: Drawer,
    destinations: Destinations,
    canvas: Canvas,
    matrix: Matrix,
    budget: Budget,
    *,
    are_stale: bool = False,
) -> Remarks:
    """Draws the appearances onto the page's canvas; values of form fields are there. Spends `nodes`.

    `are_stale`: whether viewers are told to draw fields anew, by their values (/NeedAppearances, table 224).
    """
    comments: list[Comment] = []
    files: list[Any] = []
    widgets: list[Any] = []
    dropped = 0
    for reference in array_of(page.attributes.get("Annots")):
        budget.spend("nodes")
        annotation = dictionary(reference)
        subtype = getattr(resolve1(annotation.get("Subtype")), "name", "")
        if subtype == "FileAttachment":
            files.append(annotation.get("FS"))
        flags = resolve1(annotation.get("F"))
        is_seen = not (isinstance(flags, int) and flags & _NOT_SEEN)
        if subtype == "Widget":
            widgets.append(reference)
            _draw_widget(annotation, page, drawer, canvas, matrix, budget, is_seen=is_seen, is_stale=are_stale)
            continue
        is_drawn = is_seen and subtype != "Popup" and _draw_appearance(annotation, page, drawer, canvas, matrix)
        if subtype == "Link" and is_seen:
            dropped += _add_link(annotation, destinations, canvas, matrix)
        elif subtype not in _SHOWN_ELSEWHERE or (subtype == "FreeText" and not is_drawn):
            comments.append(Comment(_remark(annotation, budget), is_seen))
    return Remarks([comment for comment in comments if comment.text.strip()], files, dropped, widgets)


def _remark(annotation: dict[str, Any], budget: Budget) -> str:
    """Its text, which some programs write as rich text alone (table 172)."""
    plain = text_string(annotation.get("Contents"))
    return plain if plain.strip() else rich_text(annotation.get("RC"), budget)


def _draw_widget(
    widget: dict[str, Any],
    page: Page,
    drawer: Drawer,
    canvas: Canvas,
    matrix: Matrix,
    budget: Budget,
    *,
    is_seen: bool,
    is_stale: bool,
) -> None:
    """What a form field shows; where that says nothing, or is no longer true, its value or its state."""
    if pdf_fields.is_secret(widget):
        return
    before = _run_count(canvas)
    is_current = is_seen and not (is_stale and pdf_fields.is_typed(widget))
    if is_current:
        _draw_appearance(widget, page, drawer, canvas, matrix)
    if _run_count(canvas) == before:
        pdf_fields.draw(widget, canvas, matrix, budget, is_seen=is_seen)


def _run_count(canvas: Canvas) -> int:
    return sum(len(runs) for runs in canvas.runs.values())


def _draw_appearance(annotation: dict[str, Any], page: Page, drawer: Drawer, canvas: Canvas, matrix: Matrix) -> bool:
    form = _appearance(annotation)
    if form is None:
        return False
    place = rectangle(annotation.get("Rect"))
    fitted = appearance_matrix(form, place, matrix) if place is not None else None
    if fitted is not None:
        drawer.draw_form(form, canvas, page.resources, fitted)
    return True


def _add_link(annotation: dict[str, Any], destinations: Destinations, canvas: Canvas, matrix: Matrix) -> int:
    """Marks what the link is over. Returns how many links were not kept: none, or one that leads elsewhere."""
    place, target = rectangle(annotation.get("Rect")), destinations.target(annotation)
    if place is None:
        return 0
    if target is None or not is_link_target(target):
        return int(target is not None or "A" in annotation)
    canvas.add_link(bounds(matrix, place), target)
    return 0


def _appearance(annotation: dict[str, Any]) -> PDFStream | None:
    """The normal appearance, of the state that the annotation is in (12.5.5)."""
    normal = resolve1(dictionary(annotation.get("AP")).get("N"))
    if isinstance(normal, dict):
        state = getattr(resolve1(annotation.get("AS")), "name", None)
        normal = resolve1(normal.get(state)) if state is not None else None
    return normal if isinstance(normal, PDFStream) else None
