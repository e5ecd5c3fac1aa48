"""The graphics of content streams (ISO 32000-2, 8): the state and what saves it, paths, clips, colours.

Of what is painted, rules, areas of one colour and clips are kept; nothing is drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from fumehood.loaders.shared import pdf_colours
from fumehood.loaders.shared.pdf_geometry import multiplied
from fumehood.loaders.shared.pdf_glyphs import Canvas
from fumehood.loaders.shared.pdf_paths import Path
from fumehood.loaders.shared.pdf_state import State

_MOST_SAVED: Final = 10_000
"""Graphics states kept for later. Writers nest a few dozen (ISO 32000-1, annex C, asks for 28); some forget to restore."""


class Graphics:
    """The state of one content stream, and the operators that need nothing but it and the canvas."""

    def __init__(self, canvas: Canvas, resources: dict[str, Any], state: State) -> None:
        self._canvas = canvas
        self._resources = resources
        self._state = state
        self._saved: list[State] = []
        self._unsaved = 0
        """How many saves beyond the most that are kept await their restore."""
        self._path = Path()
        self._has_clip = False
        """Whether the path becomes part of the clip as it is painted (8.5.4)."""

    # ---- the state ---------------------------------------------------------------------------------

    def save(self, _: list[Any]) -> None:
        if len(self._saved) < _MOST_SAVED:
            self._saved.append(self._state.copy())
        else:
            self._unsaved += 1

    def restore(self, _: list[Any]) -> None:
        if self._unsaved:
            self._unsaved -= 1
        elif self._saved:
            self._state = self._saved.pop()

    def concatenate(self, operands: list[Any]) -> None:
        a, b, c, d, e, f = operands[-6:]
        self._state.ctm = multiplied((float(a), float(b), float(c), float(d), float(e), float(f)), self._state.ctm)

    # ---- paths -----------------------------------------------------------------------------------

    def path_move(self, operands: list[Any]) -> None:
        self._path.move(self._state.ctm, operands[-2], operands[-1])

    def path_line(self, operands: list[Any]) -> None:
        self._path.line(self._state.ctm, operands[-2], operands[-1])

    def path_curve(self, operands: list[Any]) -> None:
        self._path.curve(self._state.ctm, operands[len(operands) % 2 :])

    def path_rectangle(self, operands: list[Any]) -> None:
        x, y, width, height = operands[-4:]
        self._path.rectangle(self._state.ctm, x, y, width, height)

    def path_close(self, _: list[Any]) -> None:
        self._path.close()

    def clip(self, _: list[Any]) -> None:
        self._has_clip = True

    def _paint(self, *, fills: bool = False, strokes: bool = False) -> None:
        if not self._state.is_off:
            if fills and self._state.alpha:
                self._path.fill(self._canvas, self._state.fill)
            if strokes:
                self._path.stroke(self._canvas)
        if self._has_clip:
            self._state.clip = self._path.clipped(self._state.clip)
            self._has_clip = False
        self._path = Path()

    def end_path(self, _: list[Any]) -> None:
        self._paint()

    def stroke(self, _: list[Any]) -> None:
        self._paint(strokes=True)

    def close_and_stroke(self, _: list[Any]) -> None:
        self._path.close()
        self._paint(strokes=True)

    def fill(self, _: list[Any]) -> None:
        self._paint(fills=True)

    def fill_and_stroke(self, _: list[Any]) -> None:
        self._paint(fills=True, strokes=True)

    def close_fill_and_stroke(self, _: list[Any]) -> None:
        self._path.close()
        self._paint(fills=True, strokes=True)

    def shade(self, _: list[Any]) -> None:
        if not self._state.is_off:
            self._canvas.add_fill(self._state.clip, None)

    # ---- colours ---------------------------------------------------------------------------------

    def set_fill_space(self, operands: list[Any]) -> None:
        self._state.fill_space = pdf_colours.space_of(operands[-1], self._resources)
        self._state.fill = pdf_colours.initial(self._state.fill_space)

    def set_stroke_space(self, operands: list[Any]) -> None:
        self._state.stroke_space = pdf_colours.space_of(operands[-1], self._resources)
        self._state.stroke = pdf_colours.initial(self._state.stroke_space)

    def set_device_fill(self, space: str, operands: list[Any]) -> None:
        self._state.fill_space = space
        self.set_fill(operands)

    def set_device_stroke(self, space: str, operands: list[Any]) -> None:
        self._state.stroke_space = space
        self.set_stroke(operands)

    def set_fill(self, operands: list[Any]) -> None:
        self._state.fill = pdf_colours.colour(self._state.fill_space, operands)

    def set_stroke(self, operands: list[Any]) -> None:
        self._state.stroke = pdf_colours.colour(self._state.stroke_space, operands)


def _setters(space: str, names: tuple[bytes, bytes]) -> dict[bytes, Callable[[Graphics, list[Any]], None]]:
    """The operators that name a space and a colour in one (8.6.8): for fills, and for strokes."""

    def fill(run: Graphics, operands: list[Any]) -> None:
        run.set_device_fill(space, operands)

    def stroke(run: Graphics, operands: list[Any]) -> None:
        run.set_device_stroke(space, operands)

    return {names[0]: fill, names[1]: stroke}


GRAPHICS_OPERATORS: Final[dict[bytes, Callable[[Graphics, list[Any]], None]]] = {
    b"q": Graphics.save,
    b"Q": Graphics.restore,
    b"cm": Graphics.concatenate,
    b"m": Graphics.path_move,
    b"l": Graphics.path_line,
    b"c": Graphics.path_curve,
    b"v": Graphics.path_curve,
    b"y": Graphics.path_curve,
    b"re": Graphics.path_rectangle,
    b"h": Graphics.path_close,
    b"W": Graphics.clip,
    b"W*": Graphics.clip,
    b"n": Graphics.end_path,
    b"S": Graphics.stroke,
    b"s": Graphics.close_and_stroke,
    b"f": Graphics.fill,
    b"F": Graphics.fill,
    b"f*": Graphics.fill,
    b"B": Graphics.fill_and_stroke,
    b"B*": Graphics.fill_and_stroke,
    b"b": Graphics.close_fill_and_stroke,
    b"b*": Graphics.close_fill_and_stroke,
    b"sh": Graphics.shade,
    b"cs": Graphics.set_fill_space,
    b"CS": Graphics.set_stroke_space,
    b"sc": Graphics.set_fill,
    b"scn": Graphics.set_fill,
    b"SC": Graphics.set_stroke,
    b"SCN": Graphics.set_stroke,
    **_setters("gray", (b"g", b"G")),
    **_setters("rgb", (b"rg", b"RG")),
    **_setters("cmyk", (b"k", b"K")),
}
