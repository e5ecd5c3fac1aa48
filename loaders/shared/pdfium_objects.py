"""The objects of a page as PDFium has parsed them: rules, areas and pictures for the canvas, and how each text looks."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Final, NamedTuple

from fumehood.limits.budget import Budget
from fumehood.loaders.shared import pdfium_library as pdfium
from fumehood.loaders.shared.pdf_fonts import is_bold, is_fixed
from fumehood.loaders.shared.pdf_geometry import FAR, Frame, Matrix, bounds, multiplied
from fumehood.loaders.shared.pdf_glyphs import BELOW, Canvas, Colour, Ink, Rectangle, Style
from fumehood.loaders.shared.pdf_paths import THIN, Path, intersection

_MOST_CLIP_SEGMENTS: Final = 64
"""Of a clipping path: a longer one clips by a shape that its bounds say little of."""
_OF_ONE_AREA: Final = 5
"""Segments of a rectangle. What has more may be several, some of them rules."""
_LINE, _CURVE, _MOVE = 0, 1, 2
"""`FPDF_SEGMENT_*` (fpdf_edit.h)."""
_LONGEST_NAME: Final = 128
_STROKED: Final = frozenset({1, 5})
_BOLD_MODES: Final = frozenset({2, 6})
"""Text rendering modes (9.3.6)."""


class Font(NamedTuple):
    """`number` tells fonts apart; a font without a name draws glyphs of its own (Type 3), of a size that is its own."""

    number: int
    name: str
    is_bold: bool
    is_fixed: bool


class Look(NamedTuple):
    """What all glyphs of one text object share: `size` in points, and the rectangle they are clipped to, the page's at most.

    Text that leans a little is level: `lean` is how far its base line rises for each point along it, from `start` on.
    """

    frame: Frame
    size: float
    style: Style
    font: Font
    clip: Rectangle
    start: float
    lean: float

    def middle(self, along: float, base: float) -> tuple[float, float]:
        """The point of the page that is `along` the line and in the middle of its letters' height."""
        across = base + (0.5 - BELOW) * self.size
        return (
            along * self.frame.cosine - across * self.frame.sine,
            along * self.frame.sine + across * self.frame.cosine,
        )


class Objects:
    """Goes through a page's objects once, in the order they are painted."""

    def __init__(self, canvas: Canvas, matrix: Matrix, budget: Budget) -> None:
        self.looks: dict[int, Look] = {}
        """By the handle of the text object."""
        self._canvas = canvas
        self._matrix = matrix
        self._budget = budget
        self._whole: Rectangle = (0.0, 0.0, canvas.width, canvas.height)
        self._fonts: dict[int, Font] = {}
        self._styles: dict[Style, Style] = {}
        """Each kept once: a page has a few, and many thousands of texts."""
        self._frames: dict[tuple[tuple[float, ...], bool], Frame] = {}
        self._floats = (ctypes.c_float * 6)()
        self._at = [ctypes.addressof(self._floats) + 4 * index for index in range(6)]
        self._numbers = (ctypes.c_uint * 4)()
        self._number_at = [ctypes.addressof(self._numbers) + 4 * index for index in range(4)]

    def walk(self, page: int) -> None:
        """Spends `nodes`. Raises the refusal `nesting` for forms within forms too deep."""
        for kind, handle, matrix in self._all(page):
            if kind == pdfium.TEXT:
                self._add_text(handle, matrix)
            elif kind == pdfium.PATH:
                self._add_path(handle, matrix)
            elif kind == pdfium.IMAGE:
                self._canvas.add_image(self._bounds(handle, matrix))
            elif kind == pdfium.SHADING:
                self._canvas.add_fill(self._bounds(handle, matrix), None)

    def _all(self, page: int) -> Iterator[tuple[int, int, Matrix]]:
        """Every object that is no form: its type, its handle, and what leads from its coordinates to the canvas's."""
        waiting = [(pdfium.page_object, page, 0, self._paid(pdfium.count_objects(page)), self._matrix)]
        while waiting:
            take, container, index, count, matrix = waiting.pop()
            while index < count:
                handle = take(container, index)
                index += 1
                kind = pdfium.object_type(handle)
                if kind != pdfium.FORM:
                    yield kind, handle, matrix
                    continue
                waiting.append((take, container, index, count, matrix))
                self._budget.check("nesting", len(waiting))
                inner = multiplied(self._matrix_of(handle), matrix)
                take, container, index, count, matrix = (
                    pdfium.object_in_form,
                    handle,
                    0,
                    self._paid(pdfium.count_in_form(handle)),
                    inner,
                )

    def _paid(self, count: int) -> int:
        self._budget.spend("nodes", max(0, count))
        return count

    # ---- what is asked of an object ----------------------------------------------------------------

    def _matrix_of(self, handle: int) -> Matrix:
        pdfium.object_matrix(handle, self._at[0])
        a, b, c, d, e, f = self._floats
        return a, b, c, d, e, f

    def _bounds(self, handle: int, matrix: Matrix) -> Rectangle:
        left, bottom, right, top, *_ = self._at
        if not pdfium.object_bounds(handle, left, bottom, right, top):
            return (0.0, 0.0, 0.0, 0.0)
        return bounds(matrix, (self._floats[0], self._floats[1], self._floats[2], self._floats[3]))

    def _colour(self, handle: int, *, is_stroke: bool = False) -> tuple[Colour | None, bool]:
        """The colour, None for patterns; and whether it is painted at all."""
        ask = pdfium.stroke_colour if is_stroke else pdfium.fill_colour
        if not ask(handle, *self._number_at):
            return None, True
        red, green, blue, alpha = self._numbers
        return (red / 255, green / 255, blue / 255), alpha > 0

    # ---- text ------------------------------------------------------------------------------------------

    def _add_text(self, handle: int, matrix: Matrix) -> None:
        own = multiplied(self._matrix_of(handle), matrix)
        pdfium.font_size(handle, self._at[0])
        em = self._floats[0]
        if not em:
            raise pdfium.Unsure  # PDFium leaves it out, and nobody can see it
        frame = self._frame(own, em < 0)
        size = abs(em * frame.y_across)
        font = self._font(pdfium.text_font(handle) or 0)
        mode = pdfium.render_mode(handle)
        mark = pdfium.object_mark(handle)
        style = Style(
            self._ink(handle, own, frame, em, mode),
            font.is_bold or mode in _BOLD_MODES,
            font.is_fixed,
            mark if mark >= 0 else None,
        )
        lean = frame.x_across / frame.x_along if frame.x_along else 0.0
        start = frame.along(own[4], own[5])
        style = self._styles.setdefault(style, style)
        self.looks[handle] = Look(frame, size, style, font, self._clip(handle, matrix), start, lean)

    def _frame(self, matrix: Matrix, is_mirrored: bool) -> Frame:
        """Kept from one text to the next: where a text is has no part in its frame, unless it is nowhere."""
        if max(abs(matrix[4]), abs(matrix[5])) >= FAR:
            return Frame.of(matrix, is_mirrored, is_vertical=False)
        key = matrix[:4], is_mirrored
        found = self._frames.get(key)
        if found is None:
            found = self._frames[key] = Frame.of(matrix, is_mirrored, is_vertical=False)
        return found

    def _ink(self, handle: int, matrix: Matrix, frame: Frame, em: float, mode: int) -> Ink:
        if frame.is_nowhere:
            return Ink.HIDDEN
        colour, is_painted = self._colour(handle, is_stroke=mode in _STROKED)
        if not is_painted:
            return Ink.UNPAINTED
        a, b, c, d, e, f = matrix
        x, y = 0.2 * em, 0.3 * em
        extent = abs(em) * min(abs(frame.x_along), abs(frame.y_across))
        return self._canvas.ink(extent, mode, colour, a * x + c * y + e, b * x + d * y + f)

    def _font(self, handle: int) -> Font:
        found = self._fonts.get(handle)
        if found is None:
            name = ctypes.create_string_buffer(_LONGEST_NAME)
            length = pdfium.font_name(handle, ctypes.addressof(name), _LONGEST_NAME) if handle else 0
            text = name.value.decode("utf-8", "replace") if length <= _LONGEST_NAME else "long"
            flags = pdfium.font_flags(handle) if handle else 0
            found = self._fonts[handle] = Font(handle, text, is_bold(text, flags), is_fixed(text, flags))
        return found

    def _clip(self, handle: int, matrix: Matrix) -> Rectangle:
        """The bounds of what clips the object, on the canvas."""
        path = pdfium.clip_path(handle)
        count = pdfium.count_clips(path) if path else 0
        clip = self._whole
        for number in range(min(count, _MOST_CLIP_SEGMENTS)):
            length = pdfium.count_clip_segments(path, number)
            if length > _MOST_CLIP_SEGMENTS:
                continue
            self._budget.spend("nodes", 1 + length // 16)
            points = [self._point(pdfium.clip_segment(path, number, index)) for index in range(length)]
            box = (0.0, 0.0, 0.0, 0.0)
            if points:
                across, up = [x for x, _ in points], [y for _, y in points]
                box = (min(across), min(up), max(across), max(up))
            clip = intersection(clip, bounds(matrix, box))
        return clip

    def _point(self, segment: int) -> tuple[float, float]:
        pdfium.segment_point(segment, self._at[0], self._at[1])
        return self._floats[0], self._floats[1]

    # ---- paths -----------------------------------------------------------------------------------------

    def _add_path(self, handle: int, matrix: Matrix) -> None:
        filled, stroked = self._number_at[0], self._number_at[1]
        if not pdfium.draw_mode(handle, filled, stroked):
            return
        is_filled, is_stroked = bool(self._numbers[0]), bool(self._numbers[1])
        if not is_stroked and (not is_filled or self._is_of_no_use(handle, matrix)):
            return
        count = pdfium.count_segments(handle)
        self._budget.spend("nodes", count)
        path = self._path(handle, count, multiplied(self._matrix_of(handle), matrix), needs_lines=is_stroked)
        if path is None:
            self._canvas.add_fill(self._bounds(handle, matrix), None)
            return
        if is_filled:
            colour, is_painted = self._colour(handle)
            if is_painted:
                path.fill(self._canvas, colour)
        if is_stroked:
            path.stroke(self._canvas)

    def _is_of_no_use(self, handle: int, matrix: Matrix) -> bool:
        """Whether an area that is no rule is one more than the canvas keeps."""
        if self._canvas.takes_fills:
            return False
        left, bottom, right, top = self._bounds(handle, matrix)
        return min(right - left, top - bottom) > THIN and pdfium.count_segments(handle) <= _OF_ONE_AREA

    def _path(self, handle: int, count: int, matrix: Matrix, *, needs_lines: bool) -> Path | None:
        """The path; None for a curved one of which no lines are needed: only its bounds matter."""
        path = Path()
        for index in range(count):
            segment = pdfium.path_segment(handle, index)
            kind = pdfium.segment_type(segment)
            if kind == _CURVE and not needs_lines:
                return None
            pdfium.segment_point(segment, self._at[0], self._at[1])
            if kind == _LINE:
                path.line(matrix, self._floats[0], self._floats[1])
            elif kind == _MOVE:
                path.move(matrix, self._floats[0], self._floats[1])
            else:
                path.curve(matrix, self._floats[0], self._floats[1])
            if needs_lines and pdfium.segment_closes(segment):
                path.close()
        return path
