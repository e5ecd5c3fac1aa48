"""The objects of a page as PDFium has parsed them: rules, areas and pictures for the canvas, and how each text looks."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterator
from itertools import repeat
from typing import Final

import msgspec

from fumehood.limits.budget import Budget
from fumehood.loaders.shared import pdfium_library as pdfium
from fumehood.loaders.shared.pdf_geometry import FAR, IDENTITY, Frame, Matrix, bounds, multiplied
from fumehood.loaders.shared.pdf_glyphs import BELOW, SHORTEST_RULE, Canvas, Colour, Ink, Rectangle, Style
from fumehood.loaders.shared.pdf_paths import THIN, Path, intersection
from fumehood.loaders.shared.pdfium_typefaces import Font, Measures, Typefaces

_MOST_CLIP_SEGMENTS: Final = 64
"""Of a clipping path: a longer one clips by a shape that its bounds say little of."""
_OF_ONE_LINE: Final = 2
"""Segments of a single line, which is not filled."""
_OF_ONE_AREA: Final = 5
"""Segments of a rectangle. What has more may be several, some of them rules."""
_MOST_COLOURS: Final = 256
"""Of a page that are kept, as PDFium gives them."""
_LINE, _CURVE, _MOVE = 0, 1, 2
"""`FPDF_SEGMENT_*` (fpdf_edit.h)."""
_STROKED: Final = frozenset({1, 5})
_BOLD_MODES: Final = frozenset({2, 6})
"""Text rendering modes (9.3.6)."""


class Setting(msgspec.Struct, frozen=True, gc=False):
    """What all texts share that are shown by one matrix but for their place, in one font and mode: `size` in points.

    `ink`: what they leave to see in a colour that can be told from what is behind it. `within`: from where a text begins
    to a point within its first letter, on the page. Text that leans a little is level: `lean` is how far its base line
    rises for each point along it. `stretch`: how far an em goes along the line, below 0 in mirrored text.
    """

    frame: Frame
    size: float
    ink: Ink
    within: tuple[float, float]
    font: Font
    is_bold: bool
    lean: float
    stretch: float
    measures: Measures
    looks: dict[tuple[Ink, int, Rectangle | None], Look]
    """Of level texts, each kept once."""


class Look(msgspec.Struct, frozen=True, gc=False):
    """How the glyphs of a text object look, and the rectangle they are clipped to, the page's at most.

    `level`: where along its line the base of leaning text is taken. `is_plain`: the text runs to the right, along level
    lines, on a page that is not turned. `stretch`: how far an em goes along the line, below 0 in mirrored text.
    """

    frame: Frame
    size: float
    style: Style
    font: Font
    clip: Rectangle
    level: float
    lean: float
    is_plain: bool
    stretch: float
    measures: Measures

    def middle(self, along: float, base: float) -> tuple[float, float]:
        """The point of the page that is `along` the line and in the middle of its letters' height."""
        across = base + (0.5 - BELOW) * self.size + (along - self.level) * self.lean
        return (
            along * self.frame.cosine - across * self.frame.sine,
            along * self.frame.sine + across * self.frame.cosine,
        )


def show_what_is_seen(page: pdfium.Reference) -> None:
    """Takes `ActualText` (14.9.4) from the marks of a page's texts, so that PDFium gives what their glyphs say."""
    waiting = [(pdfium.page_object, page, pdfium.count_objects(page))]
    while waiting:
        take, container, count = waiting.pop()
        for handle in map(take, repeat(container, count), range(count)):
            kind = pdfium.object_type(handle)
            if kind == pdfium.FORM:
                waiting.append((pdfium.object_in_form, handle, pdfium.count_in_form(handle)))
            elif kind == pdfium.TEXT:
                for index in range(pdfium.count_marks(handle)):
                    pdfium.remove_parameter(handle, pdfium.mark_at(handle, index), b"ActualText")


class Objects:
    """Goes through a page's objects once, in the order they are painted."""

    def __init__(
        self,
        typefaces: Typefaces,
        canvas: Canvas,
        matrix: Matrix,
        budget: Budget,
        *,
        has_marks: bool = True,
        has_clips: bool = True,
    ) -> None:
        """`has_marks`, `has_clips`: whether a text may stand in marked content, or be clipped, else neither is asked."""
        self.looks: dict[int, Look] = {}
        """By the handle of the text object."""
        self._outer: dict[int, Matrix] = {}
        """Of text objects within forms, what leads from their coordinates to the canvas's."""
        self._canvas = canvas
        self._matrix = matrix
        self._is_upright = matrix[:4] == IDENTITY[:4]
        self._budget = budget
        self._whole: Rectangle = (0.0, 0.0, canvas.width, canvas.height)
        self._typefaces = typefaces
        self._has_marks = has_marks
        self._has_clips = has_clips
        self._settings: dict[tuple[float, ...], Setting] = {}
        self._colours: dict[bytes, tuple[Colour, bool]] = {}
        self._clear = canvas.clear
        self._floats = array("f", bytes(24))
        self._numbers = array("I", bytes(16))
        self._at = places(self._floats)
        self._matrix_at = self._at[0]
        self._corners_at = self._at[:4]
        self._number_at = places(self._numbers)

    def walk(self, page: pdfium.Reference) -> None:
        """Spends `nodes`. Raises the refusal `nesting` for forms within forms too deep."""
        type_of = pdfium.object_type
        waiting = [(self._within(pdfium.page_object, page, pdfium.count_objects(page)), self._matrix)]
        while waiting:
            handles, matrix = waiting[-1]
            for handle in handles:
                kind = type_of(handle)
                if kind == pdfium.TEXT:
                    self._add_text(handle, matrix)
                elif kind == pdfium.FORM:
                    inner = self._within(pdfium.object_in_form, handle, pdfium.count_in_form(handle))
                    waiting.append((inner, self._matrix_of(handle, matrix)))
                    self._budget.check("nesting", len(waiting) - 1)
                    break
                else:
                    self._add(kind, handle, matrix)
            else:
                waiting.pop()

    def _within(
        self, take: Callable[..., pdfium.Pointer], container: pdfium.Pointer | pdfium.Reference, count: int
    ) -> Iterator[pdfium.Pointer]:
        """The handles of what a page or a form has."""
        self._budget.spend("nodes", max(0, count))
        return map(take, repeat(container, max(0, count)), range(count))

    def _add(self, kind: int, handle: pdfium.Pointer, matrix: Matrix) -> None:
        """`matrix`: what leads from the coordinates of an object to the canvas's."""
        if kind == pdfium.PATH:
            self._add_path(handle, matrix)
        elif kind == pdfium.IMAGE:
            self._canvas.add_image(self._bounds(handle, matrix))
        elif kind == pdfium.SHADING:
            self._canvas.add_fill(self._bounds(handle, matrix), None)

    def origin(self, handle: int) -> tuple[float, float]:
        """Where a text object begins, on the canvas."""
        *_, x, y = self._matrix_of(pdfium.Pointer(handle), self._outer.get(handle, self._matrix))
        return x, y

    def keep_only(self, handles: Collection[int]) -> None:
        """Takes all other texts off the page, and forgets them.

        They are moved away as well: PDFium compares texts that it leaves out with such that are not there any more.
        """
        for handle in self.looks.keys() - handles:
            pdfium.set_active(pdfium.Pointer(handle), 0)
            pdfium.move_object(handle, 1.0, 0.0, 0.0, 1.0, 2 * FAR, 0.0)
        self.looks = {handle: look for handle, look in self.looks.items() if handle in handles}

    # ---- what is asked of an object ----------------------------------------------------------------

    def _matrix_of(self, handle: pdfium.Pointer, outer: Matrix) -> Matrix:
        """What leads from the coordinates of an object's own to the canvas's, `outer` being what it stands in."""
        pdfium.object_matrix(handle, self._matrix_at)
        a, b, c, d, e, f = self._floats
        return (a, b, c, d, e, f) if outer == IDENTITY else multiplied((a, b, c, d, e, f), outer)

    def _bounds(self, handle: pdfium.Pointer, matrix: Matrix) -> Rectangle:
        if not pdfium.object_bounds(handle, *self._corners_at):
            return (0.0, 0.0, 0.0, 0.0)
        left, bottom, right, top, *_ = self._floats
        return (left, bottom, right, top) if matrix == IDENTITY else bounds(matrix, (left, bottom, right, top))

    def _colour(self, handle: pdfium.Pointer, *, is_stroke: bool = False) -> tuple[Colour | None, bool]:
        """The colour, None for patterns; and whether it is painted at all."""
        ask = pdfium.stroke_colour if is_stroke else pdfium.fill_colour
        if not ask(handle, *self._number_at):
            return None, True
        numbers = self._numbers.tobytes()
        found = self._colours.get(numbers)
        if found is None:
            red, green, blue, alpha = self._numbers
            found = (red / 255, green / 255, blue / 255), alpha > 0
            if len(self._colours) < _MOST_COLOURS:
                self._colours[numbers] = found
        return found

    # ---- text ------------------------------------------------------------------------------------------

    def _add_text(self, handle: pdfium.Pointer, matrix: Matrix) -> None:
        floats, at = self._floats, self._matrix_at
        pdfium.object_matrix(handle, at)
        a, b, c, d, x, y = floats
        if matrix != IDENTITY:
            a, b, c, d, x, y = multiplied((a, b, c, d, x, y), matrix)
        pdfium.font_size(handle, at)
        em = floats[0]
        if not em:
            raise pdfium.Unsure  # PDFium leaves it out, and nobody can see it
        mode = pdfium.render_mode(handle)
        font = pdfium.text_font(handle) or 0
        # Where a text is has no part in its setting, unless it is nowhere.
        setting = self._settings.get((a, b, c, d, em, font, mode))
        if setting is None or not (-FAR < x < FAR and -FAR < y < FAR):
            setting = self._new_setting((a, b, c, d, x, y), em, font, mode)
            if not setting.frame.is_nowhere:
                self._settings[a, b, c, d, em, font, mode] = setting
        ink = self._ink(handle, x, y, setting, mode)
        mark = pdfium.object_mark(handle) if self._has_marks else -1
        clip = self._clip(handle, matrix) if self._has_clips else None
        look = setting.looks.get((ink, mark, clip))
        if look is None:
            look = self._look(setting, (a, b, c, d, x, y), ink, mark, clip)
            if not setting.lean:
                setting.looks[ink, mark, clip] = look
        number = handle.value or 0
        self.looks[number] = look
        if matrix is not self._matrix:
            self._outer[number] = matrix

    def _new_setting(self, matrix: Matrix, em: float, number: int, mode: int) -> Setting:
        frame = Frame.of(matrix, em < 0, is_vertical=False)
        size = abs(em * frame.y_across)
        font = self._typefaces.of(number)
        measures = font.measured(size, em * frame.x_along)
        extent = abs(em) * min(abs(frame.x_along), abs(frame.y_across))
        ink = Ink.HIDDEN if frame.is_nowhere else self._canvas.ink_at_best(extent, mode)
        a, b, c, d, _, _ = matrix
        within = (0.2 * a + 0.3 * c) * em, (0.2 * b + 0.3 * d) * em
        is_bold = font.is_bold or mode in _BOLD_MODES
        return Setting(frame, size, ink, within, font, is_bold, frame.lean, em * frame.x_along, measures, {})

    def _look(self, setting: Setting, matrix: Matrix, ink: Ink, mark: int, clip: Rectangle | None) -> Look:
        frame, font = setting.frame, setting.font
        style = Style(ink, setting.is_bold, font.is_fixed, mark if mark >= 0 else None, font.is_variable)
        level = frame.along(matrix[4], matrix[5])
        if setting.lean:
            level = self._canvas.level(frame.degrees, setting.lean, level)
        is_plain = self._is_upright and not setting.lean and not frame.degrees and frame.x_along > 0
        lean, stretch, measures = setting.lean, setting.stretch, setting.measures
        return Look(frame, setting.size, style, font, clip or self._whole, level, lean, is_plain, stretch, measures)

    def _ink(self, handle: pdfium.Pointer, x: float, y: float, setting: Setting, mode: int) -> Ink:
        """Of a text that begins at a place on the page."""
        if setting.frame.is_nowhere:
            return Ink.HIDDEN
        colour, is_painted = self._colour(handle, is_stroke=mode in _STROKED)
        if not is_painted:
            return Ink.UNPAINTED
        if setting.ink is not Ink.SEEN or colour is None or colour in self._clear:
            return setting.ink
        right, up = setting.within
        return Ink.HIDDEN if self._canvas.is_lost(colour, x + right, y + up) else Ink.SEEN

    def _clip(self, handle: pdfium.Pointer, matrix: Matrix) -> Rectangle:
        """The bounds of what clips the object, on the canvas."""
        path = pdfium.clip_path(handle)
        count = pdfium.count_clips(path) if path else 0
        clip = self._whole
        for number in range(min(count, _MOST_CLIP_SEGMENTS)):
            length = pdfium.count_clip_segments(path, number)
            if length > _MOST_CLIP_SEGMENTS:
                continue
            self._budget.spend("nodes", 1 + length // 16)
            clip = intersection(clip, bounds(matrix, self._clip_box(path, number, length)))
        return clip

    def _clip_box(self, path: pdfium.Pointer, number: int, length: int) -> Rectangle:
        if length <= 0:
            return (0.0, 0.0, 0.0, 0.0)
        floats, x_at, y_at = self._floats, self._at[0], self._at[1]
        across, up = [], []
        for index in range(length):
            pdfium.segment_point(pdfium.clip_segment(path, number, index), x_at, y_at)
            across.append(floats[0])
            up.append(floats[1])
        return min(across), min(up), max(across), max(up)

    # ---- paths -----------------------------------------------------------------------------------------

    def _add_path(self, handle: pdfium.Pointer, matrix: Matrix) -> None:
        filled, stroked, *_ = self._number_at
        if not pdfium.draw_mode(handle, filled, stroked):
            return
        is_filled, is_stroked = bool(self._numbers[0]), bool(self._numbers[1])
        count = pdfium.count_segments(handle)
        if self._is_of_no_use(handle, count, matrix, is_filled=is_filled, is_stroked=is_stroked):
            return
        self._budget.spend("nodes", count)
        path = self._path(handle, count, self._matrix_of(handle, matrix), needs_lines=is_stroked)
        if path is None:
            self._canvas.add_fill(self._bounds(handle, matrix), None)
            return
        if is_filled:
            colour, is_painted = self._colour(handle)
            if is_painted:
                path.fill(self._canvas, colour)
        if is_stroked:
            path.stroke(self._canvas)

    def _is_of_no_use(
        self, handle: pdfium.Pointer, count: int, matrix: Matrix, *, is_filled: bool, is_stroked: bool
    ) -> bool:
        """Whether a path of so many segments is but a dot, or an area that is one more than the canvas keeps."""
        if not (is_filled or is_stroked):
            return True
        is_area = is_filled and self._canvas.takes_fills
        if (count > _OF_ONE_AREA or (count > _OF_ONE_LINE and is_area)) if is_stroked else is_area:
            return False
        left, bottom, right, top = self._bounds(handle, matrix)
        width, height = right - left, top - bottom
        if width < SHORTEST_RULE and height < SHORTEST_RULE:
            return True
        return not is_stroked and count <= _OF_ONE_AREA and width > THIN and height > THIN

    def _path(self, handle: pdfium.Pointer, count: int, matrix: Matrix, *, needs_lines: bool) -> Path | None:
        """The path; None for a curved one of which no lines are needed: only its bounds matter."""
        path = Path()
        a, b, c, d, e, f = matrix
        floats, x_at, y_at = self._floats, self._at[0], self._at[1]
        segment_at, type_of, point_of = pdfium.path_segment, pdfium.segment_type, pdfium.segment_point
        part: list[tuple[float, float]] = []
        is_plain = True
        last = handle
        for segment in map(segment_at, repeat(handle, count), range(count)):
            kind = type_of(segment)
            if kind == _MOVE:
                self._end(path, part, last, is_plain=is_plain)
                part = []
            elif kind != _LINE:
                if not needs_lines:
                    return None
                is_plain = False
            point_of(segment, x_at, y_at)
            x, y = floats[0], floats[1]
            part.append((a * x + c * y + e, b * x + d * y + f))
            last = segment
        self._end(path, part, last, is_plain=is_plain)
        return path

    def _end(self, path: Path, part: list[tuple[float, float]], last: pdfium.Pointer, *, is_plain: bool) -> None:
        """Adds a part that ends with the segment `last`, which may close it."""
        if part:
            if part[-1] != part[0] and pdfium.segment_closes(last):
                part.append(part[0])
            path.add(part, is_plain=is_plain)


def places(numbers: array[float] | array[int]) -> list[pdfium.Reference]:
    """Where each of the numbers is in memory."""
    start, count = numbers.buffer_info()
    return [pdfium.reference(start + numbers.itemsize * index) for index in range(count)]
