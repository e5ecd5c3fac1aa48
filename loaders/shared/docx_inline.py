"""The text of paragraphs: runs and all that may stand around and between them (ECMA-376 part 1, 17.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, Literal

from fumehood.hygiene import clean
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import text_look
from fumehood.loaders.shared.builder import LinkSpan
from fumehood.loaders.shared.docx_fields import Field, Fields, form_text
from fumehood.loaders.shared.docx_looks import VAL, look_of
from fumehood.loaders.shared.docx_styles import Styles
from fumehood.loaders.shared.ooxml_math import TooDeep, linear
from fumehood.loaders.shared.ooxml_names import Element, attribute, by_name, chosen, names
from fumehood.loaders.shared.ooxml_symbols import UNMAPPED, mapped
from fumehood.loaders.shared.ooxml_text import is_usual, usual
from fumehood.loaders.shared.opc import Relationship
from fumehood.loaders.shared.story_items import AsideKind, Box, Drawn, Hiding, Paragraph, Reference
from fumehood.loaders.shared.tally import Tally
from fumehood.loaders.shared.text_look import Look

_RPR: Final = names("w:rPr")
_RUN_STYLE: Final = names("w:rStyle")
_FONTS: Final = names("w:rFonts")
_FONT_ATTRIBUTES: Final = names("w:ascii", "w:hAnsi", "w:cs")
_ID: Final = names("w:id")
_R_ID: Final = names("r:id")
_DIAGRAM_DATA: Final = names("r:dm")
_ANCHOR: Final = names("w:anchor")
_CHAR: Final = names("w:char")
_FONT: Final = names("w:font")
_CLICK: Final = names("a:hlinkClick")
_FIELD_CHAR_TYPE: Final = names("w:fldCharType")
_FORM_DATA: Final = names("w:ffData")
_INSTRUCTION: Final = names("w:instr")
_HEX: Final = re.compile(r"[0-9A-Fa-f]{1,6}")


class InlineReader:
    """Reads paragraphs one after another; fields go on from one to the next.

    `hides` says whether the part can hide text at all: looking for it in every run would take half as long again.
    """

    def __init__(
        self,
        styles: Styles,
        relationships: Mapping[str, Relationship],
        tally: Tally,
        budget: Budget,
        *,
        hides: bool,
    ) -> None:
        self._styles = styles
        self._relationships = relationships
        self._tally = tally
        self._budget = budget
        self._hides = hides
        self._fields = Fields()
        self._hiding: Hiding | None = None
        self._look = text_look.NONE
        self._on_white = False
        self._reset()

    def _reset(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._links: list[LinkSpan] = []
        self._references: list[Reference] = []
        self._hidden: list[tuple[Hiding, int, list[str]]] = []
        self._code: list[str] = []
        self._formulas = 0
        self._spoken = False
        self.boxes: list[Box] = []
        self.drawn: list[Drawn] = []

    @property
    def has_text(self) -> bool:
        return self._length > 0

    def read(
        self,
        paragraph: Element,
        hiding: Hiding | None = None,
        look: Look = text_look.NONE,
        *,
        on_white: bool = False,
    ) -> None:
        """Adds the text of a `w:p`, or of an `m:oMathPara` that stands for one.

        `hiding`: why all of it is hidden. `look`: of its text, where the runs say nothing else; `on_white`: on what.
        """
        self._hiding = hiding
        self._look, self._on_white = look, on_white
        if paragraph.tag in _MATH:
            self._formula(paragraph)
        else:
            self._walk(paragraph)
        self._hiding = None
        if self._fields.in_code and self._code:
            # An instruction that does not end here: what it held is better read than lost.
            self._parts += self._code
            self._length += sum(map(len, self._code))
        self._code = []
        for field in self._fields.close_paragraph():
            self._link(field.start, field.target)
            field.start = 0

    def take(self) -> Paragraph:
        """What was read since the last call."""
        hidden: list[tuple[Hiding, str]] = [(why, "".join(pieces)) for why, _, pieces in self._hidden]
        taken = Paragraph("".join(self._parts), self._links, self._references, hidden)
        if self._formulas and not self._spoken:
            taken.role = "formula"
        self._reset()
        return taken

    # ---- text ------------------------------------------------------------------------------------

    def _add(self, text: str) -> None:
        if self._fields.in_code:
            self._code.append(text)
        elif self._hiding is None:
            self._parts.append(text)
            self._length += len(text)
            self._spoken = self._spoken or not text.isspace()
        elif self._hidden and self._hidden[-1][:2] == (self._hiding, self._length):
            self._hidden[-1][2].append(text)
        else:
            self._hidden.append((self._hiding, self._length, [text]))

    def _text(self, element: Element) -> None:
        text = element.text
        if text:
            self._add(text if is_usual(text) else usual(text, lambda: _font_of(element.getparent()), self._tally))

    def _apart(self, text: str) -> None:
        """Text that belongs to no sentence: what a picture says, for one."""
        text = " ".join(clean(text)[0].split())
        if text:
            self._add(f" {text} " if self._length else f"{text} ")

    def _link(self, start: int, target: str | None) -> None:
        if target and start < self._length:
            # A space is no part of an address (RFC 3986, appendix C), but people type it.
            self._links.append((start, self._length, target.strip().replace(" ", "%20")))

    # ---- elements --------------------------------------------------------------------------------

    def _walk(self, parent: Element) -> None:
        for child in parent:
            handler = _HANDLERS.get(child.tag, InlineReader._walk)
            if handler is not None:
                handler(self, child)

    def _run(self, run: Element) -> None:
        if self._hides and self._hiding is None and self._is_unseen(run):
            self._hiding = "hidden-text"
            self._walk(run)
            self._hiding = None
        else:
            self._walk(run)

    def _is_unseen(self, run: Element) -> bool:
        """By its own properties, else its character style's, else the paragraph's (17.7.2)."""
        look = self._look
        for properties in run.iterchildren(*_RPR):
            named = next(properties.iterchildren(*_RUN_STYLE), None)
            by_style = self._styles.look(None if named is None else attribute(named, VAL))
            look = look_of(properties).over(by_style).over(look)
        return look.is_unseen(on_white=self._on_white)

    def _deleted(self, element: Element) -> None:
        before, self._hiding = self._hiding, "deleted-text"
        self._walk(element)
        self._hiding = before

    def _deleted_text(self, element: Element) -> None:
        before, self._hiding = self._hiding, "deleted-text"
        self._text(element)
        self._hiding = before

    def _tab(self, element: Element) -> None:
        self._add("\t")

    def _break(self, element: Element) -> None:
        self._add("\n")

    def _hyphen(self, element: Element) -> None:
        self._add("-")

    def _symbol(self, element: Element) -> None:
        code = attribute(element, _CHAR) or ""
        text = mapped(int(code, 16), attribute(element, _FONT)) if _HEX.fullmatch(code) else UNMAPPED
        text = clean(text)[0]
        if text == UNMAPPED:
            self._tally.add("unmapped-glyphs")
        if text:
            self._add(text)

    def _alternates(self, element: Element) -> None:
        branch = chosen(element, self._budget)
        if branch is not None:
            self._walk(branch)

    def _hyperlink(self, element: Element) -> None:
        start = self._length
        self._walk(element)
        self._label(start, self._target(element))

    def _label(self, start: int, target: str | None) -> None:
        """A link whose label is what was added since `start`; one without any cannot be kept."""
        if target and start == self._length and self._hiding is None:
            self._tally.add("link-dropped")
        self._link(start, target)

    def _target(self, element: Element) -> str | None:
        identifier, anchor = attribute(element, _R_ID), attribute(element, _ANCHOR)
        relationship = self._relationships.get(identifier or "")
        if identifier and relationship is None:
            self._tally.add("link-dropped")
        target = "" if relationship is None else relationship.target
        if anchor and "#" not in target:
            target += f"#{anchor}"
        return target or None

    def _ruby(self, element: Element) -> None:
        """The base, then how it is read in parentheses (17.3.3.25)."""
        for base in element.iterchildren(*names("w:rubyBase")):
            self._walk(base)
        for reading in element.iterchildren(*names("w:rt")):
            self._add("(")
            self._walk(reading)
            self._add(")")

    # ---- fields ----------------------------------------------------------------------------------

    def _field_char(self, element: Element) -> None:
        kind = attribute(element, _FIELD_CHAR_TYPE)
        if kind == "begin":
            shown = "".join(form_text(data) for data in element.iterchildren(*_FORM_DATA))
            if shown:
                self._add(clean(shown)[0])
            self._fields.begin()
        elif kind == "separate":
            self._fields.separate(self._length)
            self._forget_code()
        elif kind == "end":
            self._end_field(self._fields.end())

    def _end_field(self, field: Field | None) -> None:
        self._forget_code()
        if field is not None and not field.in_code:
            self._link(field.start, field.target)

    def _forget_code(self) -> None:
        """Text within an instruction that has ended is seen by nobody."""
        if not self._fields.in_code:
            self._code = []

    def _instruction(self, element: Element) -> None:
        self._fields.instruction(element.text or "")

    def _simple_field(self, element: Element) -> None:
        nested = Fields()
        nested.begin()
        nested.instruction(attribute(element, _INSTRUCTION) or "")
        nested.separate(self._length)
        self._walk(element)
        field = nested.end()
        if field is not None:
            self._link(field.start, field.target)

    # ---- what is no text -------------------------------------------------------------------------

    def _formula(self, element: Element) -> None:
        spoken = self._spoken
        try:
            text = linear(element)
        except TooDeep:
            raise self._budget.exceeded("nesting", self._budget.limits.nesting + 1) from None
        text, removed = clean(text)
        if removed:
            self._tally.add("controls-removed", count=removed)
        if text.strip():
            self._add(text)
            self._formulas += 1
        self._spoken = spoken

    def _box(self, element: Element) -> None:
        self.boxes.append(Box(element, self._hiding))

    def _described(self, element: Element) -> None:
        """A drawing's alternative text (20.4.2.5), its title if there is no other; and where a click on it leads."""
        start = self._length
        self._apart(element.get("descr") or element.get("title") or "")
        for click in element.iterchildren(*_CLICK):
            self._label(start, self._target(click))

    def _shape(self, element: Element) -> None:
        """A VML shape may say what it shows (part 4, 19.1.2.19)."""
        self._apart(element.get("alt") or "")
        self._walk(element)

    def _text_path(self, element: Element) -> None:
        """Text along a path (part 4, 19.1.2.23): watermarks."""
        self._apart(element.get("string") or "")

    def _image(self, element: Element) -> None:
        self._tally.add("image-not-read")

    def _chart(self, element: Element) -> None:
        self._draw("chart", attribute(element, _R_ID))

    def _diagram(self, element: Element) -> None:
        self._draw("diagram", attribute(element, _DIAGRAM_DATA))

    def _draw(self, what: Literal["chart", "diagram"], identifier: str | None) -> None:
        named = self._relationships.get(identifier or "")
        if named is None or not named.is_part:
            self._tally.add("object-not-read")
        else:
            self.drawn.append(Drawn(what, named.target, self._hiding))

    def _object(self, element: Element) -> None:
        self._tally.add("object-not-read")

    def _refer(self, element: Element, kind: AsideKind) -> None:
        self._references.append(Reference(kind, attribute(element, _ID) or "", self._hiding is None))

    def _footnote(self, element: Element) -> None:
        self._refer(element, "footnote")

    def _endnote(self, element: Element) -> None:
        self._refer(element, "endnote")

    def _comment(self, element: Element) -> None:
        self._refer(element, "comment")


_Handler = Callable[[InlineReader, Element], None]

# What is not named here is looked into: wrappers that were invented later hold runs as well.
_HANDLERS: Final[dict[str, _Handler | None]] = by_name(
    {
        "w:r": InlineReader._run,
        "w:t": InlineReader._text,
        "w:pPr": None,
        "w:rPr": None,
        "w:sdtPr": None,
        "w:sdtEndPr": None,
        "w:smartTagPr": None,
        "w:customXmlPr": None,
        "w:proofErr": None,
        "w:bookmarkStart": None,
        "w:bookmarkEnd": None,
        "w:lastRenderedPageBreak": None,
        "w:tab": InlineReader._tab,
        "w:ptab": InlineReader._tab,
        "w:br": InlineReader._break,
        "w:cr": InlineReader._break,
        "w:noBreakHyphen": InlineReader._hyphen,
        "w:softHyphen": None,
        "w:sym": InlineReader._symbol,
        "w:hyperlink": InlineReader._hyperlink,
        "w:del": InlineReader._deleted,
        "w:moveFrom": InlineReader._deleted,
        "w:delText": InlineReader._deleted_text,
        "w:delInstrText": None,
        "w:ruby": InlineReader._ruby,
        "w:fldChar": InlineReader._field_char,
        "w:instrText": InlineReader._instruction,
        "w:fldSimple": InlineReader._simple_field,
        "w:fldData": None,
        "w:footnoteReference": InlineReader._footnote,
        "w:endnoteReference": InlineReader._endnote,
        "w:commentReference": InlineReader._comment,
        "w:txbxContent": InlineReader._box,
        "w:control": InlineReader._object,
        "w:contentPart": InlineReader._object,
        "w:subDoc": InlineReader._object,
        "m:oMath": InlineReader._formula,
        "m:oMathPara": InlineReader._formula,
        "mc:AlternateContent": InlineReader._alternates,
        "wp:docPr": InlineReader._described,
        "pic:pic": InlineReader._image,
        "c:chart": InlineReader._chart,
        "cx:chart": InlineReader._chart,
        "dgm:relIds": InlineReader._diagram,
        "a:t": InlineReader._text,
        "v:shape": InlineReader._shape,
        "v:rect": InlineReader._shape,
        "v:roundrect": InlineReader._shape,
        "v:oval": InlineReader._shape,
        "v:group": InlineReader._shape,
        "v:textpath": InlineReader._text_path,
        "v:imagedata": InlineReader._image,
        "o:OLEObject": InlineReader._object,
    }
)
_MATH: Final = names("m:oMath", "m:oMathPara")


def _font_of(run: Element | None) -> str | None:
    """The font of a run's own properties, as far as it is named there."""
    if run is not None:
        for properties in run.iterchildren(*_RPR):
            for fonts in properties.iterchildren(*_FONTS):
                return attribute(fonts, _FONT_ATTRIBUTES)
    return None
