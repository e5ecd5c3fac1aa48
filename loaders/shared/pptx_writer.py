"""From the shapes of a slide to blocks: its title first, then what stands on it in the order in which it is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from fumehood.document import Locator
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder, LinkSpan
from fumehood.loaders.shared.grid import write_rows
from fumehood.loaders.shared.lines import Line, joined
from fumehood.loaders.shared.ooxml_graphic import write_graphic
from fumehood.loaders.shared.ooxml_graphic_parts import GraphicParts
from fumehood.loaders.shared.pptx_frame import Frame
from fumehood.loaders.shared.pptx_layouts import Form, Layout
from fumehood.loaders.shared.pptx_shapes import Shape
from fumehood.loaders.shared.pptx_text import Labels
from fumehood.loaders.shared.shape_order import Box, reading_order
from fumehood.loaders.shared.tally import Tally

_TITLES: Final = frozenset({"title", "ctrTitle"})
_PAGE_TEXTS: Final = frozenset({"hdr", "dt", "ftr"})
_NUMBER: Final = "sldNum"

# What PowerPoint once put there by itself: the name of the picture's file, or a number.
_NO_ALT: Final = re.compile(
    r"(?:.*[\\/])?[^\\/]*\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|webp|heic)|[\W\d_]*", re.IGNORECASE
)
_NO_FORM: Final = Form()


def type_of(shape: Shape) -> str:
    """The type of a shape's placeholder; empty if it is none."""
    placeholder = shape.frame.placeholder
    return "" if placeholder is None else placeholder.type


class SlideWriter:
    """Writes one slide. `click` gives where a shape's own link leads; `stage` is the slide's rectangle, if it is known."""

    def __init__(
        self,
        out: Builder,
        layout: Layout,
        graphics: GraphicParts,
        tally: Tally,
        locator: Locator,
        budget: Budget,
        click: Callable[[Frame], str | None],
        stage: Box | None,
    ) -> None:
        self._out = out
        self._layout = layout
        self._graphics = graphics
        self._tally = tally
        self._locator = locator
        self._budget = budget
        self._click = click
        self._stage = stage

    def write(self, shapes: Sequence[Shape], *, visible: bool) -> list[Line]:
        """Writes all but page text, and gives that: what fills the placeholders for dates and footers.

        The slide's number is left out: it is the locator.
        """
        page_texts: list[Line] = []
        others: list[Shape] = []
        for shape in shapes:
            kind = type_of(shape) if shape.what == "text" else ""
            if kind in _TITLES:
                self._title(shape, visible=visible and self._is_seen(shape))
                self._hidden([shape.unseen_text])
            elif kind in _PAGE_TEXTS:
                page_texts.append(joined([paragraph.line for paragraph in shape.paragraphs]))
                self._hidden([shape.unseen_text])
            elif kind != _NUMBER:
                others.append(shape)
        self._all(others, visible=visible)
        return page_texts

    def _all(self, shapes: Iterable[Shape], *, visible: bool) -> None:
        telling = [shape for shape in shapes if not self._is_mute(shape)]
        for place in reading_order([self._box(shape) for shape in telling], self._budget):
            self._shape(telling[place], visible=visible and self._is_seen(telling[place]))

    def _is_mute(self, shape: Shape) -> bool:
        """Whether there is nothing to say of it, and it need not be put in order."""
        if shape.what != "text":
            return False
        return not (shape.paragraphs or shape.children or shape.unseen_text or _alt(shape.frame))

    def _box(self, shape: Shape) -> Box | None:
        return shape.frame.box or self._form(shape.frame).box

    def _form(self, frame: Frame) -> Form:
        return _NO_FORM if frame.placeholder is None else self._layout.form(frame.placeholder)

    def _is_seen(self, shape: Shape) -> bool:
        """Unless it is switched off or beside the slide, which is counted. Shapes in a group have their places in it."""
        box, stage = self._box(shape), self._stage
        beside = (
            box is not None
            and stage is not None
            and (box.right < stage.left or box.left > stage.right or box.bottom < stage.top or box.top > stage.bottom)
        )
        if shape.frame.hidden or beside:
            self._tally.add("hidden-text", self._locator)
            return False
        return True

    # ---- shapes ----------------------------------------------------------------------------------

    def _shape(self, shape: Shape, *, visible: bool) -> None:
        self._say(shape)
        if shape.what != "text" or not shape.paragraphs:
            self._described(shape.frame, visible=visible)
        if shape.part is not None:
            read = self._graphics.chart if shape.what == "chart" else self._graphics.diagram
            write_graphic(read(shape.part), self._out, self._locator, visible=visible)
        self._table(shape, visible=visible)
        self._text(shape, visible=visible)
        self._hidden([shape.unseen_text])
        if shape.children:
            within, self._stage = self._stage, None
            self._all(shape.children, visible=visible)
            self._stage = within

    def _say(self, shape: Shape) -> None:
        if shape.what == "picture":
            self._tally.add("image-not-read", self._locator)
        elif shape.what in ("media", "object"):
            self._tally.add("object-not-read", self._locator)

    def _described(self, frame: Frame, *, visible: bool) -> None:
        """A shape's alternative text, and its link on that."""
        alt = _alt(frame)
        target = self._click(frame)
        if alt:
            links = [(0, len(alt), target)] if target else []
            self._out.paragraph(alt, role="caption", locator=self._locator, visible=visible, links=links)
        elif target:
            self._tally.add("link-dropped", self._locator)

    def _table(self, shape: Shape, *, visible: bool) -> None:
        write_rows(shape.rows, sorted(shape.columns), self._out, visible=visible)
        self._hidden(shape.covered)

    def _hidden(self, texts: Iterable[str]) -> None:
        for text in texts:
            if text.strip():
                self._tally.add("hidden-text", self._locator)
                self._out.paragraph(text, locator=self._locator, visible=False)

    # ---- text ------------------------------------------------------------------------------------

    def _title(self, shape: Shape, *, visible: bool) -> None:
        text, links = self._linked(shape.frame, joined([paragraph.line for paragraph in shape.paragraphs]))
        self._out.heading(text, 1, locator=self._locator, visible=visible, links=links)

    def _text(self, shape: Shape, *, visible: bool) -> None:
        labels = Labels((shape.frame.levels, *self._form(shape.frame).styles))
        group: int | None = None
        for paragraph in shape.paragraphs:
            label = labels.label(paragraph)
            text, links = self._linked(shape.frame, paragraph.line)
            if label is None:
                group = None
                self._out.paragraph(text, locator=self._locator, visible=visible, links=links)
                continue
            group = self._out.new_group() if group is None else group
            self._out.list_item(
                text, paragraph.level + 1, group, marker=label, locator=self._locator, visible=visible, links=links
            )

    def _linked(self, frame: Frame, line: Line) -> tuple[str, list[LinkSpan]]:
        """A text with its links; a click on its shape leads somewhere where none of its own does."""
        text, links = line
        target = None if links or frame.click is None else self._click(frame)
        return text, ([(0, len(text), target)] if target else links)


def _alt(frame: Frame) -> str:
    return "" if _NO_ALT.fullmatch(frame.alt) else frame.alt
