"""Text bodies of PresentationML: their paragraphs, and what stands in front of these (ECMA-376 part 1, 21.1.2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from fumehood.loaders.shared.lines import Line, behind
from fumehood.loaders.shared.numerals import written
from fumehood.loaders.shared.ooxml_names import Element, by_name, names

LEVELS: Final = 9
MARK: Final = "-"
"""Stands for any bullet that is no number."""

_PROPERTIES: Final = names("a:pPr")
_BULLETS: Final = by_name({"a:buNone": "", "a:buChar": MARK, "a:buBlip": MARK, "a:buAutoNum": "number"})
_LEVEL_STYLES: Final = by_name({f"a:lvl{level}pPr": level - 1 for level in range(1, LEVELS + 1)})
_COUNT: Final = re.compile(r"[0-9]{1,5}")
# 20.1.10.61: the kind of number, then what stands around it. Those of other scripts are written in digits.
_SCHEME: Final = re.compile(r"(arabic|alphaLc|alphaUc|romanLc|romanUc)?\w*?(Period|ParenR|ParenBoth|Plain|Minus)")
_FORMS: Final = {
    "arabic": "decimal",
    "alphaLc": "lowerLetter",
    "alphaUc": "upperLetter",
    "romanLc": "lowerRoman",
    "romanUc": "upperRoman",
}
_AROUND: Final = {"Period": "{}.", "ParenR": "{})", "ParenBoth": "({})", "Plain": "{}", "Minus": "{}-"}


class Bullet(NamedTuple):
    """What stands in front of a paragraph. `kind`: empty for nothing, `-` for a mark, or `number`."""

    kind: str
    scheme: str = ""
    start: int = 1


Levels = Mapping[int, Bullet]
"""The bullets of a list style, by the level from 0, as far as it says so."""


class Paragraph(NamedTuple):
    """A paragraph with its text. `bullet`: its own; None if it is the list style's at its `level`, from 0."""

    line: Line
    level: int = 0
    bullet: Bullet | None = None


def read_paragraph_style(paragraph: Element) -> tuple[int, Bullet | None]:
    """The level of an `a:p`, from 0, and its own bullet."""
    for properties in paragraph.iterchildren(*_PROPERTIES):
        level = properties.get("lvl") or "0"
        return (int(level) if level in "012345678" else 0), bullet_of(properties)
    return 0, None


def read_levels(style: Element) -> dict[int, Bullet]:
    """The bullets of an `a:lstStyle` or anything of its shape."""
    found: dict[int, Bullet] = {}
    for child in style:
        level = _LEVEL_STYLES.get(child.tag)
        bullet = None if level is None else bullet_of(child)
        if level is not None and bullet is not None:
            found[level] = bullet
    return found


def bullet_of(properties: Element) -> Bullet | None:
    """What paragraph properties say of a bullet; None if nothing."""
    for child in properties:
        kind = _BULLETS.get(child.tag)
        if kind == "number":
            start = child.get("startAt") or ""
            return Bullet(kind, child.get("type") or "", int(start) if _COUNT.fullmatch(start) else 1)
        if kind is not None:
            return Bullet(kind)
    return None


class Labels:
    """What stands in front of the paragraphs of one text body, one after another."""

    def __init__(self, styles: Iterable[Levels] = ()) -> None:
        """`styles`: list styles that hold for the body, the nearest first."""
        self._styles = tuple(style for style in styles if style)
        self._counts: list[tuple[Bullet, int] | None] = [None] * LEVELS

    def label(self, paragraph: Paragraph) -> str | None:
        """`-` for a mark, a number as it is shown; None if it is no item of a list. Counts those that are."""
        level = paragraph.level
        bullet = paragraph.bullet or next((style[level] for style in self._styles if level in style), None)
        before = self._counts[level]
        self._counts[level:] = [None] * (LEVELS - level)
        if bullet is None or not bullet.kind:
            return None
        if bullet.kind == MARK:
            return MARK
        count = before[1] + 1 if before is not None and before[0] == bullet else bullet.start
        self._counts[level] = (bullet, count)
        return _numbered(bullet.scheme, count)

    def labelled(self, paragraph: Paragraph) -> Line:
        """The paragraph with its label as text, where a block can be no list."""
        label = self.label(paragraph)
        return paragraph.line if label is None else behind(f"{label} ", paragraph.line)


def _numbered(scheme: str, count: int) -> str:
    match = _SCHEME.fullmatch(scheme)
    form, around = (match[1], match[2]) if match else (None, "Period")
    return _AROUND[around].format(written(count, _FORMS.get(form or "", "decimal")))
