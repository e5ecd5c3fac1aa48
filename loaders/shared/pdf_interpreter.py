"""Carries out content streams of pages, forms and annotations, as far as they show text (ISO 32000-2, 7.8, 8.10, 9.4).

What is drawn is collected on a `Canvas`: words with their places, pictures as rectangles, and of paths what
is a rule, an area of one colour, or clips. Each operator is a node of the budget, and so are 32 bytes of
a stream, each time it is drawn: a form drawn a million times costs a million times its size.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from pdfminer.pdftypes import PDFStream, resolve1
from pdfminer.psparser import LIT

from fumehood.loaders.shared import pdf_session
from fumehood.loaders.shared.pdf_file import array_of, dictionary
from fumehood.loaders.shared.pdf_fonts import Faces
from fumehood.loaders.shared.pdf_geometry import IDENTITY, bounds, matrix_of, multiplied
from fumehood.loaders.shared.pdf_glyphs import Canvas, Rectangle
from fumehood.loaders.shared.pdf_graphics import GRAPHICS_OPERATORS, Graphics
from fumehood.loaders.shared.pdf_layers import Layers
from fumehood.loaders.shared.pdf_operations import operations
from fumehood.loaders.shared.pdf_pages import rectangle
from fumehood.loaders.shared.pdf_paths import clipped_to
from fumehood.loaders.shared.pdf_state import State
from fumehood.loaders.shared.pdf_syntax import DICT
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
_MOST_MARKED: Final = 10_000
_SPEND_EVERY: Final = 256
_DAMAGE: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What an operator raises whose operands are none of its own."""


class Shared(Protocol):
    """What the content streams of a document have in common."""

    faces: Faces
    layers: Layers

    def form_data(self, form: PDFStream, /) -> bytes: ...


class Interpreter(Graphics):
    """One content stream being carried out."""

    def __init__(
        self, shared: Shared, canvas: Canvas, resources: dict[str, Any], state: State, inside: frozenset[int]
    ) -> None:
        """`inside`: numbers of the forms around this stream."""
        super().__init__(canvas, resources, state)
        self._shared = shared
        self._fonts = dictionary(resources.get("Font"))
        self._inside = inside
        self._writing = Writing(shared.faces, canvas)
        self._marked: list[tuple[int | None, bool]] = []
        """For each marked content around: the mark and the visibility that hold again behind it."""
        self._budget = pdf_session.current().budget

    def execute(self, data: bytes) -> None:
        """Carries out the operators of `data`. One that fails is passed over, as viewers do."""
        self._budget.spend("nodes", 1 + len(data) // _BYTES_PER_NODE)
        count = 0
        for operator, operands in operations(data):
            count += 1
            if count == _SPEND_EVERY:
                self._budget.spend("nodes", count)
                count = 0
            act = _OPERATORS.get(operator)
            if act is None:
                continue
            try:
                act(self, operands)
            except _DAMAGE:
                self._canvas.faults += 1
        self._budget.spend("nodes", count)

    # ---- objects ---------------------------------------------------------------------------------

    def add_image(self, _: list[Any]) -> None:
        """`ID`, which stands for the whole of an inline image here."""
        self._add_image()

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
            if not self._shared.layers.is_off(stream.attrs.get("OC")):
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
        state.is_off |= self._shared.layers.is_off(form.attrs.get("OC"))
        Interpreter(self._shared, self._canvas, resources, state, self._inside | {number}).execute(
            self._shared.form_data(form)
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
            self._state.is_off |= self._shared.layers.is_off(named)
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
        self._state.face = self._shared.faces.of(self._fonts.get(operands[-2].name))

    def set_graphics_state(self, operands: list[Any]) -> None:
        """`gs` sets how opaque fills are, and may set a font (table 57)."""
        parameters = dictionary(dictionary(self._resources.get("ExtGState")).get(operands[-1].name))
        alpha = resolve1(parameters.get("ca"))
        if isinstance(alpha, int | float):
            self._state.alpha = float(alpha)
        font = array_of(parameters.get("Font"))
        if len(font) == 2:
            self._state.face = self._shared.faces.of(font[0])
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


_OPERATORS: Final[dict[bytes, Callable[[Interpreter, list[Any]], None]]] = {
    **GRAPHICS_OPERATORS,
    b"ID": Interpreter.add_image,
    b"gs": Interpreter.set_graphics_state,
    b"Do": Interpreter.draw_object,
    b"BT": Interpreter.begin_text,
    b"Tc": Interpreter.set_charspace,
    b"Tw": Interpreter.set_wordspace,
    b"Tz": Interpreter.set_scale,
    b"TL": Interpreter.set_leading,
    b"Tf": Interpreter.set_font,
    b"Tr": Interpreter.set_render,
    b"Ts": Interpreter.set_rise,
    b"Td": Interpreter.move,
    b"TD": Interpreter.move_and_lead,
    b"Tm": Interpreter.set_matrix,
    b"T*": Interpreter.next_line,
    b"Tj": Interpreter.show,
    b"TJ": Interpreter.show_adjusted,
    b"'": Interpreter.show_on_next_line,
    b'"': Interpreter.show_spaced_on_next_line,
    b"BDC": Interpreter.begin_marked,
    b"BMC": Interpreter.begin_unnumbered,
    b"EMC": Interpreter.end_marked,
}
