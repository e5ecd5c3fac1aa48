"""Styles of WordprocessingML (ECMA-376 part 1, 17.7), as far as they say what a paragraph or a run is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from fumehood.limits.budget import Budget
from fumehood.loaders.shared import text_look
from fumehood.loaders.shared.docx_looks import VAL, is_shaded, look_of
from fumehood.loaders.shared.ooxml_names import Element, attribute, names
from fumehood.loaders.shared.ooxml_xml import release, stream
from fumehood.loaders.shared.text_look import Look, together
from fumehood.loaders.shared.word_styles import HEADING, ROLES, TITLE

MAX_CHAIN: Final = 64
"""Styles based on each other; Word follows eleven."""

_STYLE: Final = names("w:style")
_STYLE_ID: Final = names("w:styleId")
_TYPE: Final = names("w:type")
_DEFAULT: Final = names("w:default")
_NAME: Final = names("w:name")
_BASED_ON: Final = names("w:basedOn")
_PPR: Final = names("w:pPr")
_RPR: Final = names("w:rPr")
_OUTLINE: Final = names("w:outlineLvl")
_NUM_PR: Final = names("w:numPr")
_NUM_ID: Final = names("w:numId")
_ILVL: Final = names("w:ilvl")
_SHADING: Final = names("w:shd")

_OFF: Final = frozenset({"0", "false", "off"})
_BODY_TEXT: Final = 9
"""The outline level of what is no heading (17.3.1.20)."""


@dataclass(slots=True)
class _Style:
    name: str = ""
    based_on: str | None = None
    outline: int | None = None
    num_id: str | None = None
    level: int | None = None
    look: Look = text_look.NONE


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """What a paragraph's style, with all that it is based on, says.

    - `heading`: the level of a heading, from 1; None for anything else.
    - `role`: `paragraph`, `caption` or `quote`.
    - `num_id`, `level`: the list it belongs to and the depth there, from 0; `style_id` is the style that says so.
    - `look`: of its text, where the runs say nothing else.
    """

    heading: int | None = None
    role: str = "paragraph"
    num_id: str | None = None
    level: int | None = None
    style_id: str | None = None
    look: Look = text_look.NONE


def number(element: Element) -> int | None:
    """The value of a whole-number property, within nine digits; None for anything else."""
    value = (attribute(element, VAL) or "").strip()
    return int(value) if re.fullmatch(r"-?[0-9]{1,9}", value) else None


class Styles:
    """The styles of a document by identifier. Answers are remembered, and loops of styles end."""

    def __init__(self) -> None:
        self._styles: dict[str, _Style] = {}
        self._default: str | None = None
        self._paragraphs: dict[str | None, ParagraphStyle] = {}
        self._looks: dict[str | None, Look] = {None: text_look.NONE}
        self.hide: bool = False
        """Whether any style makes text unseen."""

    def read(self, part: bytes, budget: Budget) -> None:
        """Adds the styles of a styles part. Raises `BrokenXml`, with what came before kept."""
        for event, element in stream(part, budget, _STYLE):
            if event == "end":
                self._add(element)
                release(element)

    def _add(self, element: Element) -> None:
        identifier = attribute(element, _STYLE_ID)
        if identifier is None:
            return
        style = _read(element)
        self._styles.setdefault(identifier, style)
        self.hide = self.hide or style.look.is_unseen(on_white=True)
        is_default = (attribute(element, _DEFAULT) or "0").lower() not in _OFF
        if is_default and attribute(element, _TYPE) == "paragraph":
            self._default = identifier

    def paragraph(self, identifier: str | None) -> ParagraphStyle:
        """What the paragraph style `identifier` says; None is the document's default style."""
        known = self._paragraphs.get(identifier)
        if known is None:
            known = self._resolved(identifier)
            self._paragraphs[identifier] = known
        return known

    def look(self, identifier: str | None) -> Look:
        """What the character style `identifier` says of its text; nothing for None."""
        known = self._looks.get(identifier)
        if known is None:
            known = self._looks[identifier] = together(style.look for _, style in self._chain(identifier))
        return known

    def numbering(self, identifier: str) -> str | None:
        """The list that the numbering style `identifier` stands for (17.7.4.14)."""
        return next((style.num_id for _, style in self._chain(identifier) if style.num_id), None)

    def _resolved(self, identifier: str | None) -> ParagraphStyle:
        chain = list(self._chain(self._default if identifier is None else identifier))
        if not chain:
            # A style that is nowhere defined is the default one to Word, but its name was given for a reason.
            heading = HEADING.fullmatch(identifier or "")
            return ParagraphStyle(int(heading[1]) if heading else None)
        numbered = next(((key, style) for key, style in chain if style.num_id is not None), None)
        return ParagraphStyle(
            _heading_level([style for _, style in chain]),
            next((role for _, style in chain if (role := ROLES.get(style.name))), "paragraph"),
            numbered[1].num_id if numbered else None,
            next((style.level for _, style in chain if style.level is not None), None),
            numbered[0] if numbered else None,
            together(style.look for _, style in chain),
        )

    def _chain(self, identifier: str | None) -> list[tuple[str, _Style]]:
        """The style and all that it is based on, the nearest first; a loop ends where it would start again."""
        found: dict[str, _Style] = {}
        while identifier is not None and identifier not in found and len(found) < MAX_CHAIN:
            style = self._styles.get(identifier)
            if style is None:
                break
            found[identifier] = style
            identifier = style.based_on
        return list(found.items())


def _heading_level(chain: list[_Style]) -> int | None:
    """From the built-in names, which are the same in every language (17.7.4.9), or else the outline level."""
    for style in chain:
        if style.outline is not None:
            return style.outline + 1 if 0 <= style.outline < _BODY_TEXT else None
        if named := HEADING.fullmatch(style.name):
            return int(named[1])
        if style.name == TITLE:
            return 1
    return None


def _read(element: Element) -> _Style:
    style = _Style()
    for child in element:
        if child.tag in _NAME:
            style.name = (attribute(child, VAL) or "").strip().lower()
        elif child.tag in _BASED_ON:
            style.based_on = attribute(child, VAL)
        elif child.tag in _PPR:
            _read_paragraph(child, style)
        elif child.tag in _RPR:
            style.look = look_of(child).over(style.look)
    return style


def _read_paragraph(properties: Element, style: _Style) -> None:
    for child in properties:
        if child.tag in _OUTLINE:
            style.outline = number(child)
        elif child.tag in _NUM_PR:
            style.num_id, style.level = numbering_of(child)
        elif child.tag in _SHADING and is_shaded(child):
            style.look = style.look._replace(backed=True)


def numbering_of(properties: Element) -> tuple[str | None, int | None]:
    """The list and the level, from 0, that a `w:numPr` names (17.3.1.19)."""
    num_id: str | None = None
    level: int | None = None
    for child in properties:
        if child.tag in _NUM_ID:
            num_id = attribute(child, VAL)
        elif child.tag in _ILVL:
            level = number(child)
    return num_id, level
