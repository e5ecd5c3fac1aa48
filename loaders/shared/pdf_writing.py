"""Where shown text stands (ISO 32000-2, 9.4): from strings to words on the canvas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from fumehood.loaders.shared.pdf_fonts import Face, Faces
from fumehood.loaders.shared.pdf_geometry import IDENTITY, Frame, Matrix, multiplied
from fumehood.loaders.shared.pdf_glyphs import (
    BACK,
    BELOW,
    VARIABLE_GAP,
    WIDEST_SPACING,
    WORD_GAP,
    Canvas,
    GlyphRun,
    Ink,
    Rectangle,
    Style,
)
from fumehood.loaders.shared.pdf_state import State

_SPACES: Final = frozenset(" \t\n\r\u00a0\u2002\u2003")
_STROKED: Final = frozenset({1, 5})
_FILLED_AND_STROKED: Final = frozenset({2, 6})
_ALMOST: Final = 0.8
"""Of the space between letters (`Tc`), how much an adjustment (`TJ`) takes back that is there to undo it."""


class Writing:
    """The text object of one content stream: the place that the next glyph goes to."""

    def __init__(self, faces: Faces, canvas: Canvas) -> None:
        self._faces = faces
        self._canvas = canvas
        self._line: Matrix = IDENTITY
        """The text line matrix (9.4.1)."""
        self._x = 0.0
        self._y = 0.0
        """Where the next glyph goes, in text space from the line's start."""

    def place(self, matrix: Matrix) -> None:
        self._line, self._x, self._y = matrix, 0.0, 0.0

    def move(self, x: float, y: float) -> None:
        a, b, c, d, e, f = self._line
        self.place((a, b, c, d, x * a + y * c + e, x * b + y * d + f))

    def show(self, state: State, items: list[Any]) -> None:
        """Shows strings, with numbers between them that take back space in thousandths (`TJ`)."""
        face = state.face if state.face is not None else self._faces.of(None)
        if face.is_vertical:
            self._show_vertical(state, face, items)
        else:
            self._show_horizontal(state, face, items)

    def _show_horizontal(self, state: State, face: Face, items: list[Any]) -> None:
        """9.4.4, in the frame of the direction that the text runs to."""
        size, scale = state.size * face.em, state.scale
        line = self._line
        matrix = multiplied(line, state.ctm)
        frame = Frame.of(matrix, state.size * scale < 0, is_vertical=False)
        height = size * frame.y_across
        start = level = frame.along(matrix[4], matrix[5])
        lean = frame.lean if frame.x_across else 0.0
        base = frame.across(matrix[4], matrix[5]) + state.rise * frame.y_across
        if lean:
            level = self._canvas.level(frame.degrees, lean, start + self._x * frame.x_along)
            base += (level - start) * lean
        if height < 0:  # upside down in its own line: what is below the base line is above
            base += (1 - 2 * BELOW) * height
        words = _Words(
            frame,
            base,
            abs(height),
            start,
            self._style(state, face, matrix, frame, min(abs(height), abs(size * scale * frame.x_along))),
        )
        length = state.size * scale
        charspace = state.charspace * scale
        wordspace = 0.0 if face.is_multibyte else state.wordspace * scale
        if charspace and not _takes_back(items, charspace, length):
            words.space_out(charspace)
        x, glyph_of, add, unmapped = self._x, face.glyph, words.add, 0
        for item in items:
            if isinstance(item, bytes):
                for code in face.codes(item):
                    text, advance, _, is_alone = glyph_of(code)
                    end = x + advance * length
                    if text is None:
                        unmapped += 1
                    else:
                        add(text, x, end, is_alone)
                    x = end + charspace
                    if code == 32:
                        x += wordspace
            elif isinstance(item, int | float):
                x -= item * length / 1000
        self._x = x
        words.level, words.lean = level, lean
        self._put(words, unmapped, state)

    def _show_vertical(self, state: State, face: Face, items: list[Any]) -> None:
        """9.7.4.3: glyphs go down; to the reader their column is a line that runs downwards."""
        size = state.size
        matrix = multiplied(self._line, state.ctm)
        frame = Frame.of(matrix, size < 0, is_vertical=True)
        start = frame.along(matrix[4], matrix[5])
        # The origin of a glyph is in the middle of its column, unless the font has its own mind.
        height = abs(size * frame.x_across)
        base = frame.across(matrix[4], matrix[5]) - (0.5 - BELOW) * height
        style = self._style(state, face, matrix, frame, height)
        runs: list[GlyphRun] = []
        y, unmapped = self._y, 0
        for item in items:
            if isinstance(item, bytes):
                for code in face.codes(item):
                    text, advance, _, _ = face.glyph(code)
                    length = advance * size
                    if text is None:
                        unmapped += 1
                    else:
                        one, other = sorted((start + y * frame.y_along, start + (y + length) * frame.y_along))
                        runs.append(GlyphRun(one, other, base, height, text, style))
                    y += length - state.charspace
            elif isinstance(item, int | float):
                y -= item * size / 1000
        self._y = y
        words = _Words(frame, 0.0, height, start, style)
        words.runs = runs
        self._put(words, unmapped, state)

    def _style(self, state: State, face: Face, matrix: Matrix, frame: Frame, extent: float) -> Style:
        is_bold = face.is_bold or state.render in _FILLED_AND_STROKED
        return Style(self._ink(state, matrix, frame, extent), is_bold, face.is_fixed, state.mark, face.is_variable)

    def _ink(self, state: State, matrix: Matrix, frame: Frame, extent: float) -> Ink:
        if state.is_off or frame.is_nowhere:
            return Ink.HIDDEN
        if not state.alpha:
            return Ink.UNPAINTED
        a, b, c, d, e, f = matrix
        x, y = self._x + 0.2 * state.size, self._y + 0.3 * state.size
        colour = state.stroke if state.render in _STROKED else state.fill
        return self._canvas.ink(extent, state.render, colour, a * x + c * y + e, b * x + d * y + f)

    def _put(self, words: _Words, unmapped: int, state: State) -> None:
        self._canvas.unmapped += unmapped
        runs = words.finished()
        if not runs:
            return
        if words.lean or not _are_within(runs, words.frame, state.clip):
            runs = _clipped(runs, words, state.clip)
        self._canvas.runs.setdefault(words.frame.degrees, []).extend(runs)


def _takes_back(items: Sequence[Any], charspace: float, length: float) -> bool:
    """Whether the space between most letters is taken back: then it parts those words where it is not."""
    if not charspace > WORD_GAP * abs(length):
        return False
    least = _ALMOST * charspace * 1000 / abs(length)
    back = sum(1 for item in items if isinstance(item, int | float) and item >= least)
    return 2 * back >= sum(len(item) for item in items if isinstance(item, bytes)) - 1


class _Words:
    """Gathers the glyphs of one string into words, in text space, and places them."""

    def __init__(self, frame: Frame, base: float, height: float, start: float, style: Style) -> None:
        self.frame = frame
        self.level = 0.0
        self.lean = 0.0
        """How far the base line rises for each point along it, and where it is at its base."""
        self.runs: list[GlyphRun] = []
        self._base = base
        self._height = height
        self._start = start
        self._style = style
        self._along = frame.x_along
        scale = abs(frame.x_along) or 1.0
        self._em = height / scale
        self._gap = WORD_GAP * self._em
        self._wider_gap = VARIABLE_GAP * self._em if style.is_variable else self._gap
        self._back = -BACK * self._em
        self._parts: list[str] = []
        self._from = 0.0
        self._to = 0.0

    def space_out(self, charspace: float) -> None:
        """Letters that are spaced out still are one word, and so are those set closer, unless a gap is seen."""
        if charspace <= WIDEST_SPACING * self._em:
            self._back += charspace
            if charspace > 0:
                self._gap += charspace
                self._wider_gap += charspace

    def add(self, text: str, start: float, end: float, is_alone: bool) -> None:
        """A glyph."""
        if text in _SPACES:
            if self._parts:
                self._parts.append(" ")
                self._close()
            elif not self.runs:
                self._emit(start, start, " ")
            return
        if self._parts and (is_alone or not self._back <= start - self._to <= self._gap) and self._is_apart(start):
            self._close()
        if not self._parts:
            self._from = start
        self._parts.append(text)
        self._to = end
        if is_alone:
            self._close()

    def _is_apart(self, start: float) -> bool:
        """Whether a glyph that is no neighbour of the last one is none of its word: variables stand farther apart."""
        return not self._gap < start - self._to <= self._wider_gap or not self._parts[-1].isalpha()

    def _close(self) -> None:
        self._emit(self._from, self._to, "".join(self._parts))
        self._parts.clear()

    def _emit(self, start: float, end: float, text: str) -> None:
        one, other = self._start + start * self._along, self._start + end * self._along
        if one > other:
            one, other = other, one
        self.runs.append(GlyphRun(one, other, self._base, self._height, text, self._style))

    def finished(self) -> list[GlyphRun]:
        if self._parts:
            self._close()
        return self.runs


def _are_within(runs: Sequence[GlyphRun], frame: Frame, clip: Rectangle) -> bool:
    """Whether all of an upright string is in the clip, by its first and its last run; for others, not known."""
    if frame.degrees:
        return False
    first, last = runs[0], runs[-1]
    left, bottom, right, top = clip
    height = first.base + (0.5 - BELOW) * first.size
    return left <= first.start <= last.end <= right and bottom <= height <= top and left <= last.start


def _clipped(runs: Sequence[GlyphRun], words: _Words, clip: Rectangle) -> list[GlyphRun]:
    frame, found = words.frame, []
    for run in runs:
        along = (run.start + run.end) / 2
        across = run.base + (0.5 - BELOW) * run.size + (along - words.level) * words.lean
        x = along * frame.cosine - across * frame.sine
        y = along * frame.sine + across * frame.cosine
        found.append(run.clipped(clip, x, y))
    return found
