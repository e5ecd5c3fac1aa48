"""Values of form fields that nothing draws (ISO 32000-2, 12.7): a viewer makes their appearance as it opens the file."""

from __future__ import annotations

from typing import Any, Final

from pdfminer.pdftypes import PDFStream, resolve1

from fumehood.loaders.shared.pdf_file import array_of, dictionary
from fumehood.loaders.shared.pdf_geometry import Matrix, bounds
from fumehood.loaders.shared.pdf_glyphs import Canvas, GlyphRun, Style
from fumehood.loaders.shared.pdf_pages import rectangle
from fumehood.loaders.shared.pdf_strings import text_string

_DEEPEST: Final = 32
"""Fields within fields; attributes are inherited (12.7.4.1)."""
_PASSWORD: Final = 1 << 13
"""Flag of text fields whose value is not to be seen (table 231)."""
_LARGEST: Final = 12.0
_OF_HEIGHT: Final = 0.7
_WIDTH: Final = 0.5
"""Of the size, about how wide a letter is."""


def draw(widget: dict[str, Any], canvas: Canvas, matrix: Matrix) -> None:
    """Puts the value of a text or choice field where its widget is, each of its lines below the one before."""
    place = rectangle(widget.get("Rect"))
    if place is None or getattr(_inherited(widget, "FT"), "name", "") not in ("Tx", "Ch"):
        return
    flags = _inherited(widget, "Ff")
    if isinstance(flags, int) and flags & _PASSWORD:
        return
    lines = _text(_inherited(widget, "V")).splitlines()
    if not any(line.strip() for line in lines):
        return
    left, bottom, _, top = bounds(matrix, place)
    size = max(1.0, min(_LARGEST, _OF_HEIGHT * (top - bottom) / len(lines)))
    runs = canvas.runs.setdefault(0, [])
    for index, line in enumerate(lines):
        base = top - size * (index + 1)
        at = left + size * _WIDTH
        for word in line.split():
            end = at + len(word) * size * _WIDTH
            runs.append(GlyphRun(at, end, base, size, word + " ", Style()))
            at = end + size * _WIDTH


def _text(value: Any) -> str:
    """A string, a stream of one, or several of them that were chosen."""
    if isinstance(value, PDFStream):
        return text_string(value.get_data())
    if isinstance(value, list):
        return "\n".join(text_string(part) for part in array_of(value))
    return text_string(value)


def _inherited(field: dict[str, Any], key: str) -> Any:
    for _ in range(_DEEPEST):
        if key in field:
            return resolve1(field[key])
        field = dictionary(field.get("Parent"))
        if not field:
            break
    return None
