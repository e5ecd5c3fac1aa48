"""Frames, shapes and what they hold: text boxes, pictures, formulas, charts, other documents (ODF 1.3 part 3, 10)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from fumehood.loaders.shared.odf_math import Formula
from fumehood.loaders.shared.odf_names import Attributes, qname
from fumehood.loaders.shared.odf_story import Emit
from fumehood.loaders.shared.odf_text import TextReader
from fumehood.loaders.shared.odf_xml import Dispatcher
from fumehood.loaders.shared.story_items import Item, Paragraph
from fumehood.loaders.shared.tally import Tally

_HREF: Final = qname("xlink:href")
_SHAPES: Final = (
    "custom-shape",
    "rect",
    "line",
    "polyline",
    "polygon",
    "regular-polygon",
    "path",
    "circle",
    "ellipse",
    "connector",
    "caption",
    "measure",
    "page-thumbnail",
    "control",
)

Place = Callable[[Attributes], Emit | None]
"""Where the text of a frame goes that is none of its surroundings'; None for where it stands."""
Embedded = Callable[[str, Emit], bool]
"""Reads the object at a path of the package; False if there is nothing to read."""


@dataclass(slots=True)
class _Frame:
    """A frame or a shape while it is read. Of what a frame holds, the first that can be shown is (10.4.2)."""

    is_shown: bool = False
    has_image: bool = False
    lost: bool = False
    formula: str = ""
    title: list[str] = field(default_factory=list)
    description: list[str] = field(default_factory=list)


class DrawingReader:
    """`embedded` reads objects; `place` says where a frame's text goes. In a chart, drawings hold nothing to read."""

    def __init__(self, dispatcher: Dispatcher, text: TextReader, tally: Tally, embedded: Embedded) -> None:
        self.place: Place = lambda attributes: None
        self._dispatcher = dispatcher
        self._text = text
        self._tally = tally
        self._embedded = embedded
        self._frames: list[_Frame] = []
        self._charts = 0
        on = dispatcher.on
        on("draw:frame", self._start_frame, self._end_frame)
        for shape in _SHAPES:
            on(f"draw:{shape}", self._start_frame, self._end_frame)
        on("draw:control", self._start_control, self._end_frame)
        on("dr3d:scene", self._start_frame, self._end_frame)
        on("draw:g", self._start_group, self._end_frame)
        on("draw:a", text.start_link, text.end_link)
        on("draw:text-box", self._shows)
        on("draw:image", self._image)
        on("draw:object", self._object)
        for unread in ("object-ole", "plugin", "applet", "floating-frame"):
            on(f"draw:{unread}", self._unread)
        on("svg:title", self._start_title, self._end_words)
        on("svg:desc", self._start_description, self._end_words)
        on("math:math", self._math)
        on("chart:chart", self._start_chart, self._end_chart)
        for words in ("title", "subtitle", "footer"):
            on(f"chart:{words}", self._start_caption, text.pop)
        dispatcher.skip_all("office:binary-data", "draw:glue-point", "draw:image-map", "draw:enhanced-geometry")

    # ---- frames ----------------------------------------------------------------------------------

    def _start_frame(self, attributes: Attributes) -> None:
        self._open(self.place(attributes))

    def _start_control(self, attributes: Attributes) -> None:
        """A field of a form, whose text belongs to the program that fills it in."""
        self._tally.add("object-not-read")
        self._open(None)

    def _start_group(self, attributes: Attributes) -> None:
        # In a chart's table, groups say which cells of another table its own were copied from.
        if self._charts:
            self._dispatcher.skip()
        else:
            self._open(None)

    def _open(self, emit: Emit | None) -> None:
        self._frames.append(_Frame())
        self._text.push(emit or self._text.apart())

    def _end_frame(self) -> None:
        frame = self._frames.pop()
        if frame.has_image and not frame.is_shown:
            self._tally.add("image-not-read")
        elif frame.lost and not frame.is_shown:
            self._tally.add("object-not-read")
        words = " ".join("".join(frame.description or frame.title).split())
        emit = self._text.story.emit
        self._text.pop()
        self._add(frame.formula, words, emit)

    def _add(self, formula: str, words: str, emit: Emit) -> None:
        """A formula and an alternative text stand in the sentence around the frame, where there is one."""
        line = self._text.story.line
        if line is not None:
            if formula:
                line.formula(formula)
            if words:
                line.apart(words)
            return
        for role, text in (("formula", formula), ("paragraph", words)):
            if text:
                count = max(1, self._text.count)
                emit(
                    Paragraph(text, role=role, locator=self._text.where(count, count), visible=self._text.story.visible)
                )

    def _shows(self, attributes: Attributes) -> None:
        if self._frames:
            self._frames[-1].is_shown = True

    def _image(self, attributes: Attributes) -> None:
        if self._frames:
            self._frames[-1].has_image = True
        else:
            self._tally.add("image-not-read")

    def _object(self, attributes: Attributes) -> None:
        """A formula, a chart or another document, in the package, or in the element itself."""
        if not self._frames:
            self._tally.add("object-not-read")
            return
        frame = self._frames[-1]
        path = attributes.get(_HREF, "")
        emit = self._text.story.emit

        def take(item: Item) -> None:
            if isinstance(item, Paragraph) and item.role == "formula":
                frame.formula = f"{frame.formula} {item.text}".strip()
            else:
                emit(item)

        if not path or self._embedded(path, take):
            frame.is_shown = True
        else:
            frame.lost = True

    def _unread(self, attributes: Attributes) -> None:
        if self._frames:
            self._frames[-1].lost = True
        else:
            self._tally.add("object-not-read")
        self._dispatcher.skip()

    # ---- words -----------------------------------------------------------------------------------

    def _start_title(self, attributes: Attributes) -> None:
        if self._frames and self._text.story.line is None:
            self._dispatcher.sink = self._frames[-1].title.append

    def _start_description(self, attributes: Attributes) -> None:
        if self._frames and self._text.story.line is None:
            self._dispatcher.sink = self._frames[-1].description.append

    def _end_words(self) -> None:
        if self._text.story.line is None:
            self._dispatcher.sink = None

    # ---- formulas and charts ---------------------------------------------------------------------

    def _math(self, attributes: Attributes) -> None:
        self._dispatcher.divert(Formula(self._take_formula))

    def _take_formula(self, text: str) -> None:
        if self._frames:
            frame = self._frames[-1]
            frame.is_shown = True
            frame.formula = f"{frame.formula} {text}".strip()
        elif text:
            count = max(1, self._text.count)
            self._text.apart()(Paragraph(text, role="formula", locator=self._text.where(count, count)))

    def _start_chart(self, attributes: Attributes) -> None:
        self._charts += 1

    def _end_chart(self) -> None:
        self._charts -= 1

    def _start_caption(self, attributes: Attributes) -> None:
        emit = self._text.apart()

        def caption(item: Item) -> None:
            if isinstance(item, Paragraph):
                item.role = "caption"
            emit(item)

        self._text.push(caption)
