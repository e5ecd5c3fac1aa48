"""Values of form fields (ISO 32000-2, 12.7), and what they look like where nothing draws them: a viewer does as it opens the file."""

from __future__ import annotations

from typing import Any, Final

from pdfminer.pdftypes import resolve1

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.pdf_file import array_of, dictionary
from fumehood.loaders.shared.pdf_geometry import Matrix, bounds
from fumehood.loaders.shared.pdf_glyphs import BELOW, Canvas, GlyphRun, Ink, Style
from fumehood.loaders.shared.pdf_pages import rectangle
from fumehood.loaders.shared.pdf_strings import text_string
from fumehood.loaders.shared.pdf_xml import rich_text, string_of

_DEEPEST: Final = 32
"""Fields within fields; attributes are inherited (12.7.4.1)."""
_PASSWORD: Final = 1 << 13
"""Flag of text fields whose value is not to be seen (table 231)."""
_PUSH_BUTTON: Final = 1 << 16
"""Flag of buttons that keep no value (table 229)."""
_ON, _OFF = "\u2612", "\u2610"
"""Check boxes, and buttons of which one is chosen: their appearances are drawings."""
_LARGEST: Final = 12.0
_WIDTH: Final = 0.5
"""Of the size, about how wide a letter is."""


def is_secret(widget: dict[str, Any]) -> bool:
    """Whether it is of a password: what is typed there is never shown, whatever its appearance says."""
    return _kind(widget) == "Tx" and bool(_flags(widget) & _PASSWORD)


def is_typed(widget: dict[str, Any]) -> bool:
    """Whether it is of a field whose value is its text, which a viewer can draw by itself."""
    return _kind(widget) in ("Tx", "Ch")


def draw(widget: dict[str, Any], canvas: Canvas, matrix: Matrix, budget: Budget, *, is_seen: bool = True) -> None:
    """Puts what a field says where its widget is, each of its lines below the one before: values of text and choice
    fields, marks for the states of check boxes and radio buttons, captions of push buttons. Spends `nodes`.
    """
    place = rectangle(widget.get("Rect"))
    lines = [line for line in _said(widget, budget).splitlines() if line.strip()]
    if place is None or not lines:
        return
    left, bottom, _, top = bounds(matrix, place)
    size = max(1.0, min(_LARGEST, (top - bottom) / len(lines)))
    style = Style() if is_seen else Style(Ink.HIDDEN)
    runs = canvas.runs.setdefault(0, [])
    # One line stands in the middle of its field, several begin at the top.
    first = (top + bottom) / 2 - (0.5 - BELOW) * size if len(lines) == 1 else top - size
    for index, line in enumerate(lines):
        base = first - size * index
        at = left + size * _WIDTH
        for word in line.split():
            end = at + len(word) * size * _WIDTH
            runs.append(GlyphRun(at, end, base, size, word + " ", style))
            at = end + size * _WIDTH


def value(field: dict[str, Any], budget: Budget) -> str:
    """What was typed into a text field, or chosen in a choice field; of buttons the state, unless it is off.

    Empty for passwords and for what holds no text. Spends `nodes`, and `xml_elements` for rich text.
    """
    kind = _kind(field)
    if kind == "Tx" and not is_secret(field):
        plain = string_of(_inherited(field, "V"))
        return plain if plain.strip() else rich_text(_inherited(field, "RV"), budget)
    if kind == "Ch":
        return _chosen(field, budget)
    if kind == "Btn" and not _flags(field) & _PUSH_BUTTON:
        state: str = getattr(_inherited(field, "V"), "name", "Off")
        return "" if state == "Off" else state
    return ""


def _said(widget: dict[str, Any], budget: Budget) -> str:
    if _kind(widget) != "Btn":
        return value(widget, budget)
    if _flags(widget) & _PUSH_BUTTON:
        return text_string(dictionary(widget.get("MK")).get("CA"))
    return _ON if _is_on(widget) else _OFF


def _chosen(widget: dict[str, Any], budget: Budget) -> str:
    """What is chosen, as the reader sees it: options may be pairs of what is stored and what is shown (table 234)."""
    found = _inherited(widget, "V")
    options = array_of(_inherited(widget, "Opt"))
    # Many fields may share their options, and their values.
    budget.spend("nodes", 1 + len(options) + len(array_of(found)))
    shown = {}
    for option in options:
        pair = array_of(option)
        if len(pair) == 2:
            shown[text_string(pair[0])] = text_string(pair[1])
    chosen = [text_string(part) for part in found] if isinstance(found, list) else [string_of(found)]
    return ", ".join(shown.get(part, part) for part in chosen)


def _is_on(widget: dict[str, Any]) -> bool:
    """By the widget's own state; without one, where the field's value is a state that it can be in (12.7.5.2)."""
    state: str | None = getattr(resolve1(widget.get("AS")), "name", None)
    if state is not None:
        return state != "Off"
    chosen: str = getattr(_inherited(widget, "V"), "name", "Off")
    states = resolve1(dictionary(widget.get("AP")).get("N"))
    return chosen != "Off" and (not isinstance(states, dict) or chosen in states)


def _kind(widget: dict[str, Any]) -> str:
    return getattr(_inherited(widget, "FT"), "name", "")


def _flags(widget: dict[str, Any]) -> int:
    flags = _inherited(widget, "Ff")
    return flags if isinstance(flags, int) else 0


def _inherited(field: dict[str, Any], key: str) -> Any:
    for _ in range(_DEEPEST):
        if key in field:
            return resolve1(field[key])
        field = dictionary(field.get("Parent"))
        if not field:
            break
    return None
