"""Content streams of pages, forms and annotations, as far as they show text (ISO 32000-2, 7.8, 8.10, 9.4).

What is drawn is collected on a `Canvas`: glyphs with their places, and pictures as rectangles. Paths,
colours and shadings are passed over. Each operator is a node of the budget, and so are 32 bytes of
a stream, each time it is drawn: a form drawn a million times costs a million times its size.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from pdfminer.pdftypes import PDFStream, resolve1
from pdfminer.psparser import LIT

from fumehood.loaders.shared import pdf_session
from fumehood.loaders.shared.pdf_file import array_of, dictionary
from fumehood.loaders.shared.pdf_fonts import Face, Faces
from fumehood.loaders.shared.pdf_pages import Page, Rectangle, rectangle
from fumehood.loaders.shared.pdf_syntax import ARRAY, ARRAY_END, Keyword, tokens

Matrix = tuple[float, float, float, float, float, float]

_IDENTITY: Final[Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_FORM: Final = LIT("Form")
_IMAGE: Final = LIT("Image")
_BYTES_PER_NODE: Final = 32
_NODES_PER_FORM: Final = 8
"""Setting one up takes as long as so many operators. Within others it counts once for each: that is what multiplies."""
_MOST_OPERANDS: Final = 64
_MOST_SAVED: Final = 10_000
"""Graphics states kept for later. Writers nest a few dozen (ISO 32000-1, annex C, asks for 28); some forget to restore."""
_SPEND_EVERY: Final = 256
_KEPT_FORMS: Final = 16 * 1024 * 1024
"""Bytes of decoded forms kept: a letterhead is drawn on every page."""
_FAR: Final = 1e6
"""Coordinates beyond are no place on any page."""
_SKEW: Final = 5
"""Degrees by which a scanned page's lines may lean and still be upright."""
_MOST_IMAGES: Final = 256
"""Places of pictures kept for a page; all are counted."""
_INVISIBLE: Final = frozenset({3, 7})
"""Text rendering modes that paint nothing (9.3.6)."""

_INLINE_END: Final = re.compile(rb"[\0\t\n\f\r ]EI(?![^\0\t\n\f\r ])")
_TEXT_FOLLOWS: Final = re.compile(rb"[\0\t\n\f\r -~]{12}|[\0\t\n\f\r -~]{0,11}\Z")


class Placed(NamedTuple):
    """A glyph in the frame of its text's direction: `along` the line from `start` to `end`, across it from `low` to `high`."""

    start: float
    end: float
    low: float
    high: float
    text: str
    is_hidden: bool


class Canvas:
    """What one page shows. `width` and `height` of the page as seen, in points; coordinates from its lower left corner."""

    def __init__(self, width: float, height: float) -> None:
        self.width = width
        self.height = height
        self.glyphs: dict[int, list[Placed]] = {}
        """By the direction that the text runs to, in whole degrees counter-clockwise from the right."""
        self.images: list[Rectangle] = []
        self.image_count = 0
        self.unmapped = 0
        self.faults = 0
        """Operators and streams that could not be carried out."""

    def add_image(self, place: Rectangle) -> None:
        self.image_count += 1
        if len(self.images) < _MOST_IMAGES:
            self.images.append(place)


def multiplied(first: Matrix, second: Matrix) -> Matrix:
    """The transformation that is `first`, then `second` (8.3.4)."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def bounds(matrix: Matrix, box: Rectangle) -> Rectangle:
    """The upright rectangle around `box` transformed."""
    a, b, c, d, e, f = matrix
    corners = [(a * x + c * y + e, b * x + d * y + f) for x in (box[0], box[2]) for y in (box[1], box[3])]
    return (
        min(x for x, _ in corners),
        min(y for _, y in corners),
        max(x for x, _ in corners),
        max(y for _, y in corners),
    )


def matrix_of(value: Any) -> Matrix:
    """Six numbers as a matrix; the identity for anything else."""
    numbers = [resolve1(part) for part in array_of(value)[:6]]
    if len(numbers) != 6 or not all(isinstance(number, int | float) for number in numbers):
        return _IDENTITY
    a, b, c, d, e, f = (float(number) for number in numbers)
    return (a, b, c, d, e, f)


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


class _State:
    """The parts of the graphics state (8.4, 9.3) that place text."""

    __slots__ = ("charspace", "ctm", "face", "leading", "render", "rise", "scale", "size", "wordspace")

    def __init__(self, ctm: Matrix) -> None:
        self.ctm = ctm
        self.face: Face | None = None
        self.size = 0.0
        self.charspace = 0.0
        self.wordspace = 0.0
        self.scale = 1.0
        self.leading = 0.0
        self.rise = 0.0
        self.render = 0

    def copy(self, ctm: Matrix | None = None) -> _State:
        other = _State(self.ctm if ctm is None else ctm)
        other.face, other.size, other.charspace, other.wordspace = self.face, self.size, self.charspace, self.wordspace
        other.scale, other.leading, other.rise, other.render = self.scale, self.leading, self.rise, self.render
        return other


class Drawer:
    """Draws the pages of one document, keeping its fonts and small forms from one to the next."""

    def __init__(self) -> None:
        self.faces = Faces()
        self._forms: dict[int, bytes] = {}
        self._kept = 0

    def draw_page(self, page: Page, canvas: Canvas, matrix: Matrix) -> None:
        """The page's contents. A stream that cannot be decoded is a fault of the canvas, and the others are drawn."""
        budget = pdf_session.current().budget
        parts = []
        for stream in page.contents():
            budget.spend("nodes")
            parts.append(stream.get_data())
        # One stream in pieces (7.8.2), which end between tokens.
        data = parts[0] if len(parts) == 1 else b"\n".join(parts)
        _Run(self, canvas, page.resources, _State(matrix), frozenset()).execute(data)

    def draw_form(self, form: PDFStream, canvas: Canvas, resources: dict[str, Any], matrix: Matrix) -> None:
        """A form on its own: the appearance of an annotation (12.5.5)."""
        _Run(self, canvas, resources, _State(matrix), frozenset()).draw_form(form)

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
        self, drawer: Drawer, canvas: Canvas, resources: dict[str, Any], state: _State, inside: frozenset[int]
    ) -> None:
        self._drawer = drawer
        self._canvas = canvas
        self._resources = resources
        self._fonts = dictionary(resources.get("Font"))
        self._state = state
        self._inside = inside
        """Numbers of the forms around this stream."""
        self._saved: list[_State] = []
        self._unsaved = 0
        """How many saves beyond the most that are kept await their restore."""
        self._line: Matrix = _IDENTITY
        """The text line matrix (9.4.1)."""
        self._x = 0.0
        self._y = 0.0
        """Where the next glyph goes, in text space from the line's start."""
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
                    self._canvas.add_image(bounds(self._state.ctm, (0.0, 0.0, 1.0, 1.0)))
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

    def draw_object(self, operands: list[Any]) -> None:
        reference = dictionary(self._resources.get("XObject")).get(operands[-1].name)
        stream = resolve1(reference)
        if not isinstance(stream, PDFStream):
            return
        subtype = resolve1(stream.attrs.get("Subtype"))
        if subtype is _IMAGE:
            self._canvas.add_image(bounds(self._state.ctm, (0.0, 0.0, 1.0, 1.0)))
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
        state = self._state.copy(multiplied(matrix_of(form.attrs.get("Matrix")), self._state.ctm))
        _Run(self._drawer, self._canvas, resources, state, self._inside | {number}).execute(
            self._drawer.form_data(form)
        )

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
        """`gs` may set a font as well (table 57)."""
        parameters = dictionary(dictionary(self._resources.get("ExtGState")).get(operands[-1].name))
        font = array_of(parameters.get("Font"))
        if len(font) == 2:
            self._state.face = self._drawer.faces.of(font[0])
            self._state.size = float(resolve1(font[1]))

    # ---- text position ---------------------------------------------------------------------------

    def begin_text(self, _: list[Any]) -> None:
        self._line, self._x, self._y = _IDENTITY, 0.0, 0.0

    def _move(self, x: float, y: float) -> None:
        a, b, c, d, e, f = self._line
        self._line, self._x, self._y = (a, b, c, d, x * a + y * c + e, x * b + y * d + f), 0.0, 0.0

    def move(self, operands: list[Any]) -> None:
        self._move(float(operands[-2]), float(operands[-1]))

    def move_and_lead(self, operands: list[Any]) -> None:
        self._state.leading = -float(operands[-1])
        self._move(float(operands[-2]), float(operands[-1]))

    def set_matrix(self, operands: list[Any]) -> None:
        a, b, c, d, e, f = operands[-6:]
        self._line, self._x, self._y = (float(a), float(b), float(c), float(d), float(e), float(f)), 0.0, 0.0

    def next_line(self, _: list[Any]) -> None:
        self._move(0.0, -self._state.leading)

    # ---- text ------------------------------------------------------------------------------------

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
        state = self._state
        face = state.face if state.face is not None else self._drawer.faces.of(None)
        shown = sum(len(item) for item in items if isinstance(item, bytes))
        self._budget.check("output_bytes", self._budget.used("output_bytes") + shown)
        if face.is_vertical:
            self._show_vertical(face, items)
        else:
            self._show_horizontal(face, items)

    def _show_horizontal(self, face: Face, items: list[Any]) -> None:
        """9.4.4, in the frame of the direction that the text runs to."""
        state, canvas = self._state, self._canvas
        size, scale = state.size, state.scale
        matrix = multiplied(self._line, state.ctm)
        frame = _Frame.of(matrix, size * scale < 0, is_vertical=False)
        along, across = frame.x_along, frame.y_across
        start = frame.along(matrix[4], matrix[5])
        base = frame.across(matrix[4], matrix[5]) + (state.rise + face.descent * size) * across
        low, high = sorted((base, base + size * across))
        hidden = state.render in _INVISIBLE or frame.is_nowhere or high - low < canvas.height / 1000
        add = canvas.glyphs.setdefault(frame.degrees, []).append
        charspace, wordspace = state.charspace * scale, 0.0 if face.is_multibyte else state.wordspace * scale
        x, glyph_of = self._x, face.glyph
        for item in items:
            if isinstance(item, bytes):
                for code in face.codes(item):
                    text, advance, _ = glyph_of(code)
                    width = advance * size * scale
                    if text is None:
                        canvas.unmapped += 1
                    else:
                        one = start + x * along
                        other = one + width * along
                        add(
                            Placed(one, other, low, high, text, hidden)
                            if one <= other
                            else Placed(other, one, low, high, text, hidden)
                        )
                    x += width + charspace
                    if code == 32:
                        x += wordspace
            elif isinstance(item, int | float):
                x -= item * size * scale / 1000
        self._x = x

    def _show_vertical(self, face: Face, items: list[Any]) -> None:
        """9.7.4.3: glyphs go down; to the reader their column is a line that runs downwards."""
        state, canvas = self._state, self._canvas
        size = state.size
        matrix = multiplied(self._line, state.ctm)
        frame = _Frame.of(matrix, size < 0, is_vertical=True)
        start = frame.along(matrix[4], matrix[5])
        base = frame.across(matrix[4], matrix[5])
        hidden = state.render in _INVISIBLE or frame.is_nowhere
        add = canvas.glyphs.setdefault(frame.degrees, []).append
        y = self._y
        for item in items:
            if isinstance(item, bytes):
                for code in face.codes(item):
                    text, advance, origin = face.glyph(code)
                    left = base - (origin[0] if origin else 0.5) * size * frame.x_across
                    low, high = sorted((left, left + size * frame.x_across))
                    height = advance * size
                    if text is None:
                        canvas.unmapped += 1
                    else:
                        one, other = sorted((start + y * frame.y_along, start + (y + height) * frame.y_along))
                        add(Placed(one, other, low, high, text, hidden))
                    y += height - state.charspace
            elif isinstance(item, int | float):
                y -= item * size / 1000
        self._y = y


class _Frame(NamedTuple):
    """Coordinates turned so that text runs to the right: `x_along` is how far a text unit goes along, and so on."""

    degrees: int
    cosine: float
    sine: float
    x_along: float
    x_across: float
    y_along: float
    y_across: float
    is_nowhere: bool

    @classmethod
    def of(cls, matrix: Matrix, is_mirrored: bool, *, is_vertical: bool) -> _Frame:
        a, b, c, d, _, _ = matrix
        if not all(abs(value) < _FAR for value in matrix):
            return cls(0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, True)
        x, y = (-c, -d) if is_vertical else (a, b)
        if is_mirrored:
            x, y = -x, -y
        degrees = round(math.degrees(math.atan2(y, x))) % 360
        if (degrees + _SKEW) % 90 <= 2 * _SKEW:
            degrees = (degrees + _SKEW) // 90 * 90 % 360
        cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        return cls(
            degrees,
            cosine,
            sine,
            a * cosine + b * sine,
            b * cosine - a * sine,
            c * cosine + d * sine,
            d * cosine - c * sine,
            False,
        )

    def along(self, x: float, y: float) -> float:
        return 0.0 if self.is_nowhere else x * self.cosine + y * self.sine

    def across(self, x: float, y: float) -> float:
        return 0.0 if self.is_nowhere else y * self.cosine - x * self.sine


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
