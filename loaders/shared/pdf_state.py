"""The parts of the graphics state (ISO 32000-2, 8.4, 9.3) that place text, or decide whether it is seen."""

from __future__ import annotations

from fumehood.loaders.shared.pdf_colours import BLACK
from fumehood.loaders.shared.pdf_fonts import Face
from fumehood.loaders.shared.pdf_geometry import Matrix
from fumehood.loaders.shared.pdf_glyphs import Canvas, Colour, Rectangle


class State:
    """One graphics state; `copy` gives what `q` saves. `clip` is a rectangle around what may be seen."""

    __slots__ = (
        "alpha",
        "charspace",
        "clip",
        "ctm",
        "face",
        "fill",
        "fill_space",
        "is_off",
        "leading",
        "mark",
        "render",
        "rise",
        "scale",
        "size",
        "stroke",
        "stroke_space",
        "wordspace",
    )

    def __init__(self, ctm: Matrix, canvas: Canvas) -> None:
        self.ctm = ctm
        self.face: Face | None = None
        self.size = 0.0
        self.charspace = 0.0
        self.wordspace = 0.0
        self.scale = 1.0
        self.leading = 0.0
        self.rise = 0.0
        self.render = 0
        self.fill: Colour | None = BLACK
        self.stroke: Colour | None = BLACK
        self.fill_space = "gray"
        self.stroke_space = "gray"
        self.alpha = 1.0
        self.clip: Rectangle = (0.0, 0.0, canvas.width, canvas.height)
        self.is_off = False
        self.mark: int | None = None

    def copy(self) -> State:
        other = State.__new__(State)
        other.ctm, other.face, other.size, other.charspace = self.ctm, self.face, self.size, self.charspace
        other.wordspace, other.scale, other.leading = self.wordspace, self.scale, self.leading
        other.rise, other.render, other.fill, other.stroke = self.rise, self.render, self.fill, self.stroke
        other.fill_space, other.stroke_space, other.alpha = self.fill_space, self.stroke_space, self.alpha
        other.clip, other.is_off, other.mark = self.clip, self.is_off, self.mark
        return other
