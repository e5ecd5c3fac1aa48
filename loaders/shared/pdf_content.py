"""Content streams of pages, forms and annotations, as far as they show text (ISO 32000-2, 7.8, 8.10, 9.4).

What is drawn is collected on a `Canvas`: words with their places, pictures as rectangles, and of paths what
is a rule, an area of one colour, or clips. Each operator is a node of the budget, and so are 32 bytes of
a stream, each time it is drawn: a form drawn a million times costs a million times its size.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from pdfminer.pdftypes import PDFStream, resolve1
from pdfminer.psparser import LIT

from fumehood.loaders.shared import pdf_colours, pdf_session
from fumehood.loaders.shared.pdf_file import array_of, dictionary
from fumehood.loaders.shared.pdf_fonts import Faces
from fumehood.loaders.shared.pdf_geometry import IDENTITY, Matrix, bounds, matrix_of, multiplied
from fumehood.loaders.shared.pdf_glyphs import Canvas, Rectangle
from fumehood.loaders.shared.pdf_layers import Layers
from fumehood.loaders.shared.pdf_pages import Page, rectangle
from fumehood.loaders.shared.pdf_paths import Path, clipped_to
from fumehood.loaders.shared.pdf_state import State
from fumehood.loaders.shared.pdf_syntax import ARRAY, ARRAY_END, DICT, Keyword, tokens
from fumehood.loaders.shared.pdf_writing import Writing

_FORM: Final = LIT("Form")
_IMAGE: Final = LIT("Image")
_LAYER: Final = LIT("OC")
_MARK: Final = LIT("MCID")
_UNIT: Final[Rectangle] = (0.0, 0.0, 1.0, 1.0)
"""What a picture fills (8.9.5.1)."""
_BYTES_PER_NODE: Final = 32
_NODES_PER_FORM: Final = 8
"""Setting one up takes as long as so many operators. Within others it counts once for each: that is what multiplies."""
_MOST_OPERANDS: Final = 64
_MOST_SAVED: Final = 10_000
"""Graphics states kept for later. Writers nest a few dozen (ISO 32000-1, annex C, asks for 28); some forget to restore."""
_MOST_MARKED: Final = 10_000
_SPEND_EVERY: Final = 256
_KEPT_FORMS: Final = 16 * 1024 * 1024
"""Bytes of decoded forms kept: a letterhead is drawn on every page."""

_INLINE_END: Final = re.compile(rb"[\0\t\n\f\r ]EI(?![^\0\t\n\f\r ])")
_TEXT_FOLLOWS: Final = re.compile(rb"[\0\t\n\f\r -~]{12}|[\0\t\n\f\r -~]{0,11}\Z")


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
        _Run(self, canvas, page.resources, State(matrix, canvas), frozenset()).execute(data)

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
        _Run(self, canvas, resources, State(matrix, canvas), frozenset()).draw_form(form)

    def form_data(self, form: PDFStream) -> bytes:
        kept = self._forms.get(form.objid) if form.objid is not None else None
        if kept is not None:
            return kept
        data = form.get_data()
        if form.objid is not None and self._kept + len(data) <= _KEPT_FORMS:
            self._forms[form.objid] = data
            self._kept += len(data)
        return data


class _Run:
    """One content stream being carried out."""

    def __init__(
        self, drawer: Drawer, canvas: Canvas, resources: dict[str, Any], state: State, inside: frozenset[int]
    ) -> None:
        self._drawer = drawer
        self._canvas = canvas
        self._resources = resources
        self._fonts = dictionary(resources.get("Font"))
        self._state = state
        self._inside = inside
        """Numbers of the forms around this stream."""
        self._saved: list[State] = []
        self._unsaved = 0
        """How many saves beyond the most that are kept await their restore."""
        self._writing = Writing(drawer.faces, canvas)
        self._path = Path()
        self._has_clip = False
        """Whether the path becomes part of the clip as it is painted (8.5.4)."""
        self._marked: list[tuple[int | None, bool]] = []
        """For each marked content around: the mark and the visibility that hold again behind it."""
        self._budget = pdf_session.current().budget

    # ---- reading -------------------------------------------------------------------------------

    def execute(self, data: bytes) -> None:
        """Carries out the operators of `data`. One that fails is passed over, as viewers do."""
        self._budget.spend("nodes", 1 + len(data) // _BYTES_PER_NODE)
        at: int | None = 0
        while at is not None:
            at = self._execute_from(data, at)

    def _execute_from(self, data: bytes, at: int) -> int | None:
        """From `at` to the end, or to an inline image: then to where it goes on behind it."""
        operands: list[Any] = []
        nested: list[Any] | None = None
        count = 0
        for end, token in tokens(data, at):
            if isinstance(token, Keyword):
                count += 1
                if count == _SPEND_EVERY:
                    self._budget.spend("nodes", count)
                    count = 0
                operator = _OPERATORS.get(token)
                if operator is not None:
                    self._carry_out(operator, operands)
                elif token == b"ID":
                    self._budget.spend("nodes", count)
                    self._add_image()
                    return _after_inline_image(data, end, operands)
                operands = []
                nested = None
            elif token is ARRAY:
                nested = []
            elif token is ARRAY_END:
                if nested is not None:
                    operands.append(nested)
                nested = None
            elif nested is not None:
                nested.append(token)
            else:
                operands.append(token)
                if len(operands) > _MOST_OPERANDS:
                    del operands[0]
        self._budget.spend("nodes", count)
        return None

    def _carry_out(self, operator: Callable[[_Run, list[Any]], None], operands: list[Any]) -> None:
        try:
            operator(self, operands)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            self._canvas.faults += 1

    # ---- graphics state and objects --------------------------------------------------------------

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

    def _add_image(self) -> None:
        if not self._state.is_off:
            self._canvas.add_image(bounds(self._state.ctm, _UNIT))

    def draw_object(self, operands: list[Any]) -> None:
        reference = dictionary(self._resources.get("XObject")).get(operands[-1].name)
        stream = resolve1(reference)
        if not isinstance(stream, PDFStream):
            return
        subtype = resolve1(stream.attrs.get("Subtype"))
        if subtype is _IMAGE:
            if not self._drawer.layers.is_off(stream.attrs.get("OC")):
                self._add_image()
        elif subtype is _FORM or "BBox" in stream.attrs:
            self.draw_form(stream)

    def draw_form(self, form: PDFStream) -> None:
        """8.10.1. A form inside of itself is passed over; forms without resources of their own use ours."""
        number = form.objid if form.objid is not None else -id(form)
        if number in self._inside:
            pdf_session.current().cycles += 1
            return
        self._budget.check("nesting", len(self._inside) + 1)
        self._budget.spend("nodes", _NODES_PER_FORM * (len(self._inside) + 1))
        resources = dictionary(form.attrs.get("Resources")) or self._resources
        state = self._state.copy()
        state.ctm = multiplied(matrix_of(form.attrs.get("Matrix")), self._state.ctm)
        box = rectangle(form.attrs.get("BBox"))
        if box is not None:
            state.clip = clipped_to(state.clip, state.ctm, box)
        state.is_off |= self._drawer.layers.is_off(form.attrs.get("OC"))
        _Run(self._drawer, self._canvas, resources, state, self._inside | {number}).execute(
            self._drawer.form_data(form)
        )

    # ---- marked content --------------------------------------------------------------------------

    def begin_marked(self, operands: list[Any]) -> None:
        """`BDC` (14.6): its properties stand there, or in the resources by a name."""
        self._begin_marked()
        tag, properties = operands[0], operands[1:]
        if properties and properties[0] is DICT:
            if _MARK in properties[:-1]:
                mark = properties[properties.index(_MARK) + 1]
                self._state.mark = mark if isinstance(mark, int) else None
            return
        named = dictionary(self._resources.get("Properties")).get(properties[0].name)
        if tag is _LAYER:
            self._state.is_off |= self._drawer.layers.is_off(named)
        else:
            mark = resolve1(dictionary(named).get("MCID"))
            self._state.mark = mark if isinstance(mark, int) else self._state.mark

    def begin_unnumbered(self, _: list[Any]) -> None:
        self._begin_marked()

    def _begin_marked(self) -> None:
        if len(self._marked) < _MOST_MARKED:
            self._marked.append((self._state.mark, self._state.is_off))

    def end_marked(self, _: list[Any]) -> None:
        if self._marked:
            self._state.mark, self._state.is_off = self._marked.pop()

    # ---- paths -----------------------------------------------------------------------------------

    def path_move(self, operands: list[Any]) -> None:
        self._path.move(self._state.ctm, operands[-2], operands[-1])

    def path_line(self, operands: list[Any]) -> None:
        self._path.line(self._state.ctm, operands[-2], operands[-1])

    def path_curve(self, operands: list[Any]) -> None:
        for at in range(len(operands) % 2, len(operands), 2):
            self._path.curve(self._state.ctm, operands[at], operands[at + 1])

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

    # ---- text state ------------------------------------------------------------------------------

    def set_charspace(self, operands: list[Any]) -> None:
        self._state.charspace = float(operands[-1])

    def set_wordspace(self, operands: list[Any]) -> None:
        self._state.wordspace = float(operands[-1])

    def set_scale(self, operands: list[Any]) -> None:
        self._state.scale = float(operands[-1]) / 100

    def set_leading(self, operands: list[Any]) -> None:
        self._state.leading = float(operands[-1])

    def set_rise(self, operands: list[Any]) -> None:
        self._state.rise = float(operands[-1])

    def set_render(self, operands: list[Any]) -> None:
        self._state.render = int(operands[-1])

    def set_font(self, operands: list[Any]) -> None:
        self._state.size = float(operands[-1])
        self._state.face = self._drawer.faces.of(self._fonts.get(operands[-2].name))

    def set_graphics_state(self, operands: list[Any]) -> None:
        """`gs` sets how opaque fills are, and may set a font (table 57)."""
        parameters = dictionary(dictionary(self._resources.get("ExtGState")).get(operands[-1].name))
        alpha = resolve1(parameters.get("ca"))
        if isinstance(alpha, int | float):
            self._state.alpha = float(alpha)
        font = array_of(parameters.get("Font"))
        if len(font) == 2:
            self._state.face = self._drawer.faces.of(font[0])
            self._state.size = float(resolve1(font[1]))

    # ---- text ------------------------------------------------------------------------------------

    def begin_text(self, _: list[Any]) -> None:
        self._writing.place(IDENTITY)

    def move(self, operands: list[Any]) -> None:
        self._writing.move(float(operands[-2]), float(operands[-1]))

    def move_and_lead(self, operands: list[Any]) -> None:
        self._state.leading = -float(operands[-1])
        self._writing.move(float(operands[-2]), float(operands[-1]))

    def set_matrix(self, operands: list[Any]) -> None:
        a, b, c, d, e, f = operands[-6:]
        self._writing.place((float(a), float(b), float(c), float(d), float(e), float(f)))

    def next_line(self, _: list[Any]) -> None:
        self._writing.move(0.0, -self._state.leading)

    def show(self, operands: list[Any]) -> None:
        self._show(operands[-1:])

    def show_adjusted(self, operands: list[Any]) -> None:
        self._show(operands[-1])

    def show_on_next_line(self, operands: list[Any]) -> None:
        self.next_line(operands)
        self._show(operands[-1:])

    def show_spaced_on_next_line(self, operands: list[Any]) -> None:
        self._state.wordspace, self._state.charspace = float(operands[-3]), float(operands[-2])
        self.show_on_next_line(operands)

    def _show(self, items: list[Any]) -> None:
        shown = sum(len(item) for item in items if isinstance(item, bytes))
        self._budget.check("output_bytes", self._budget.used("output_bytes") + shown)
        self._writing.show(self._state, items)


def _setters(space: str, names: tuple[bytes, bytes]) -> dict[bytes, Callable[[_Run, list[Any]], None]]:
    """The operators that name a space and a colour in one (8.6.8): for fills, and for strokes."""

    def fill(run: _Run, operands: list[Any]) -> None:
        run.set_device_fill(space, operands)

    def stroke(run: _Run, operands: list[Any]) -> None:
        run.set_device_stroke(space, operands)

    return {names[0]: fill, names[1]: stroke}


_OPERATORS: Final[dict[bytes, Callable[[_Run, list[Any]], None]]] = {
    b"q": _Run.save,
    b"Q": _Run.restore,
    b"cm": _Run.concatenate,
    b"gs": _Run.set_graphics_state,
    b"Do": _Run.draw_object,
    b"BT": _Run.begin_text,
    b"Tc": _Run.set_charspace,
    b"Tw": _Run.set_wordspace,
    b"Tz": _Run.set_scale,
    b"TL": _Run.set_leading,
    b"Tf": _Run.set_font,
    b"Tr": _Run.set_render,
    b"Ts": _Run.set_rise,
    b"Td": _Run.move,
    b"TD": _Run.move_and_lead,
    b"Tm": _Run.set_matrix,
    b"T*": _Run.next_line,
    b"Tj": _Run.show,
    b"TJ": _Run.show_adjusted,
    b"'": _Run.show_on_next_line,
    b'"': _Run.show_spaced_on_next_line,
    b"BDC": _Run.begin_marked,
    b"BMC": _Run.begin_unnumbered,
    b"EMC": _Run.end_marked,
    b"m": _Run.path_move,
    b"l": _Run.path_line,
    b"c": _Run.path_curve,
    b"v": _Run.path_curve,
    b"y": _Run.path_curve,
    b"re": _Run.path_rectangle,
    b"h": _Run.path_close,
    b"W": _Run.clip,
    b"W*": _Run.clip,
    b"n": _Run.end_path,
    b"S": _Run.stroke,
    b"s": _Run.close_and_stroke,
    b"f": _Run.fill,
    b"F": _Run.fill,
    b"f*": _Run.fill,
    b"B": _Run.fill_and_stroke,
    b"B*": _Run.fill_and_stroke,
    b"b": _Run.close_fill_and_stroke,
    b"b*": _Run.close_fill_and_stroke,
    b"sh": _Run.shade,
    b"cs": _Run.set_fill_space,
    b"CS": _Run.set_stroke_space,
    b"sc": _Run.set_fill,
    b"scn": _Run.set_fill,
    b"SC": _Run.set_stroke,
    b"SCN": _Run.set_stroke,
    **_setters("gray", (b"g", b"G")),
    **_setters("rgb", (b"rg", b"RG")),
    **_setters("cmyk", (b"k", b"K")),
}


def _after_inline_image(data: bytes, at: int, operands: list[Any]) -> int:
    """Behind the `EI` of the inline image (8.9.7) whose data starts at `at`; the end of the data if it has none.

    The image's bytes may hold the two letters as well: text must follow them. ASCII85 has an end mark of its own.
    """
    if any(getattr(operand, "name", None) in ("A85", "ASCII85Decode") for operand in operands):
        end = data.find(b"~>", at)
        at = end if end >= 0 else at
    for match in _INLINE_END.finditer(data, at):
        if _TEXT_FOLLOWS.match(data, match.end()):
            return match.end()
    return len(data)


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
