"""Paragraphs of DrawingML (ECMA-376 part 1, 21.1.2): in shapes, tables, charts and diagrams of every Office format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import LinkSpan
from fumehood.loaders.shared.lines import Line, joined
from fumehood.loaders.shared.ooxml_math import TooDeep, linear
from fumehood.loaders.shared.ooxml_names import Element, by_name, chosen, names
from fumehood.loaders.shared.ooxml_text import is_usual, usual
from fumehood.loaders.shared.tally import Tally
from fumehood.loaders.shared.text_look import LEAST_POINTS

Target = Callable[[Element], str | None]
"""Where an `a:hlinkClick` leads; None if nowhere that can be kept."""

_PARAGRAPH: Final = names("a:p")
_TEXT: Final = names("a:t")
_RUN_PROPERTIES: Final = names("a:rPr")
_CLICK: Final = names("a:hlinkClick")
_FONTS: Final = names("a:sym", "a:latin")
_FILL: Final = names("a:solidFill")
_RGB: Final = names("a:srgbClr")
_EFFECTS: Final = names("a:ln", "a:effectLst", "a:effectDag", "a:highlight")
_LEAST_SIZE: Final = round(100 * LEAST_POINTS)
"""In hundredths of a point (21.1.2.3.9)."""

_KINDS: Final = by_name(
    {
        "a:r": "run",
        "a:fld": "run",
        "a:br": "break",
        "a14:m": "math",
        "m:oMath": "math",
        "m:oMathPara": "math",
        "mc:AlternateContent": "alternates",
    }
)


@dataclass(slots=True)
class Unseen:
    """What a shape's readers do not see: too small, or of the colour that the shape is filled with, `fill`, as RRGGBB."""

    fill: str | None = None
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """A line for each paragraph."""
        return "".join(self.parts).strip()


def solid_fill(properties: Element) -> str | None:
    """The colour of an `a:solidFill` right below `properties`, if it is said as it is and nothing changes it."""
    for fill in properties.iterchildren(*_FILL):
        for color in fill.iterchildren(*_RGB):
            return None if len(color) else (color.get("val") or "").upper() or None
    return None


def nowhere(_click: Element) -> str | None:
    """For text in which nobody can click."""
    return None


def read_text(body: Element, budget: Budget, tally: Tally, target: Target = nowhere) -> Line:
    """The paragraphs right below `body`, an `a:txBody` or anything of that shape, a line each; empty ones are left out."""
    lines = [read_paragraph(paragraph, budget, tally, target) for paragraph in body.iterchildren(*_PARAGRAPH)]
    return joined([line for line in lines if line[0].strip()])


def read_paragraph(
    paragraph: Element, budget: Budget, tally: Tally, target: Target = nowhere, unseen: Unseen | None = None
) -> Line:
    """The text of one `a:p`. A field gives what it showed last; a line break is a newline (21.1.2.2.1).

    Runs that nobody sees are given to `unseen`, if there is one.
    """
    reader = _Reader(budget, tally, target, unseen)
    before = len(unseen.parts) if unseen is not None else 0
    reader.read(paragraph)
    if unseen is not None and len(unseen.parts) > before:
        unseen.parts.append("\n")
    return "".join(reader.parts), reader.links


class _Reader:
    """Reads one paragraph."""

    def __init__(self, budget: Budget, tally: Tally, target: Target, unseen: Unseen | None) -> None:
        self._budget = budget
        self._tally = tally
        self._target = target
        self._unseen = unseen
        self._length = 0
        self.parts: list[str] = []
        self.links: list[LinkSpan] = []

    def read(self, parent: Element) -> None:
        for child in parent:
            kind = _KINDS.get(child.tag)
            if kind == "run":
                self._run(child)
            elif kind == "break":
                self._add("\n")
            elif kind == "math":
                self._math(child)
            elif kind == "alternates":
                branch = chosen(child, self._budget)
                if branch is not None:
                    self.read(branch)

    def _add(self, text: str) -> None:
        self.parts.append(text)
        self._length += len(text)

    def _run(self, run: Element) -> None:
        start = self._length
        unseen = self._unseen if self._unseen is not None and _is_unseen(run, self._unseen.fill) else None
        for element in run.iterchildren(*_TEXT):
            text = element.text
            if text:
                text = text if is_usual(text) else usual(text, lambda: _font_of(run), self._tally)
                if unseen is None:
                    self._add(text)
                else:
                    unseen.parts.append(text)
        for properties in run.iterchildren(*_RUN_PROPERTIES):
            for click in properties.iterchildren(*_CLICK):
                self._link(start, self._target(click))

    def _link(self, start: int, target: str | None) -> None:
        if not target or start == self._length:
            return
        if self.links and self.links[-1][1:] == (start, target):
            # Runs of one link differ in how they look.
            start = self.links.pop()[0]
        self.links.append((start, self._length, target))

    def _math(self, element: Element) -> None:
        try:
            text = linear(element)
        except TooDeep:
            raise self._budget.exceeded("nesting", self._budget.limits.nesting + 1) from None
        self._add(text if is_usual(text) else usual(text, lambda: None, self._tally))


def _is_unseen(run: Element, behind: str | None) -> bool:
    for properties in run.iterchildren(*_RUN_PROPERTIES):
        size = properties.get("sz") or ""
        if size.isascii() and size.isdigit() and len(size) < 4 and int(size) < _LEAST_SIZE:
            return True
        return (
            behind is not None
            and solid_fill(properties) == behind
            and next(properties.iterchildren(*_EFFECTS), None) is None
        )
    return False


def _font_of(run: Element) -> str | None:
    """The font of a run's symbols, else of its letters (21.1.2.3.7, 21.1.2.3.10)."""
    for properties in run.iterchildren(*_RUN_PROPERTIES):
        found = {font.tag: font.get("typeface") for font in properties.iterchildren(*_FONTS)}
        return next((found[tag] for tag in _FONTS if tag in found), None)
    return None
