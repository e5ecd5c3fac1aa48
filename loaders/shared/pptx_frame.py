"""What any shape on a slide says of itself before what it holds (ECMA-376 part 1, 19.3.1)."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final, NamedTuple

from fumehood.loaders.shared.ooxml_names import Element, by_name, names
from fumehood.loaders.shared.pptx_text import Levels, read_levels
from fumehood.loaders.shared.shape_order import Box

_ABOUT: Final = by_name(
    {
        "p:nvSpPr": "about",
        "p:nvPicPr": "about",
        "p:nvGrpSpPr": "about",
        "p:nvGraphicFramePr": "about",
        "p:nvCxnSpPr": "about",
        "p:spPr": "place",
        "p:grpSpPr": "place",
        "p:xfrm": "transform",
        "p:txBody": "text",
    }
)
_COMMON: Final = names("p:cNvPr")
_SPECIAL: Final = names("p:nvPr")
_PLACEHOLDER: Final = names("p:ph")
_TRANSFORM: Final = names("a:xfrm")
_OFFSET: Final = names("a:off")
_EXTENT: Final = names("a:ext")
_LIST_STYLE: Final = names("a:lstStyle")
_CLICK: Final = names("a:hlinkClick")
_DECORATIVE: Final = names("adec:decorative")
_MEDIA: Final = names("a:audioCd", "a:wavAudioFile", "a:audioFile", "a:videoFile", "a:quickTimeFile")
_ON: Final = frozenset({"1", "true", "on"})

# ST_Coordinate (20.1.10.16): English Metric Units, or a number with its unit (22.9.2.15).
_LENGTH: Final = re.compile(r"(-?[0-9]{1,15}(?:\.[0-9]{1,15})?)(mm|cm|in|pt|pc|pi)?")
_UNITS: Final = {"mm": 36_000, "cm": 360_000, "in": 914_400, "pt": 12_700, "pc": 152_400, "pi": 152_400}


_NO_LEVELS: Final[Levels] = MappingProxyType({})


class Placeholder(NamedTuple):
    """`type`: as 19.7.10 names it, `obj` where it names none; `number` is what a slide's and its layout's share."""

    type: str
    number: str

    @property
    def is_title(self) -> bool:
        return self.type in ("title", "ctrTitle")


class Frame(NamedTuple):
    """One shape without what it holds.

    - `alt`: its alternative text. `click`: the link of the whole shape.
    - `box`: in the units of what holds it; None where the layout says it, or nobody.
    - `levels`: of its own list style.
    """

    placeholder: Placeholder | None = None
    alt: str = ""
    click: Element | None = None
    hidden: bool = False
    media: bool = False
    box: Box | None = None
    levels: Levels = _NO_LEVELS


def is_on(value: str | None, default: str = "0") -> bool:
    """An `xsd:boolean`, as an attribute has it."""
    return (default if value is None else value) in _ON


def read_frame(shape: Element) -> Frame:
    """Of a `p:sp`, `p:pic`, `p:grpSp`, `p:graphicFrame` or `p:cxnSp`."""
    about = box = None
    levels: Levels = _NO_LEVELS
    for child in shape:
        what = _ABOUT.get(child.tag)
        if what == "about":
            about = child
        elif what == "place":
            for transform in child.iterchildren(*_TRANSFORM):
                box = _box(transform)
        elif what == "transform":
            box = _box(child)
        elif what == "text":
            for style in child.iterchildren(*_LIST_STYLE):
                levels = read_levels(style)
    if about is None:
        return Frame(box=box, levels=levels)
    placeholder, media = _special(about)
    alt, click, hidden = _common(about)
    return Frame(placeholder, alt, click, hidden, media, box, levels)


def placeholder_of(shape: Element) -> Placeholder | None:
    """The placeholder that a shape fills, and no more of what it says of itself."""
    for child in shape:
        if _ABOUT.get(child.tag) == "about":
            return _special(child)[0]
    return None


def _common(about: Element) -> tuple[str, Element | None, bool]:
    """Alternative text, link, and whether it is hidden (20.1.2.2.8)."""
    for common in about.iterchildren(*_COMMON):
        # Most shapes say no more of themselves than their names.
        decorative = len(common) and any(is_on(mark.get("val")) for mark in common.iter(*_DECORATIVE))
        alt = "" if decorative else common.get("descr") or common.get("title") or ""
        return " ".join(alt.split()), next(common.iterchildren(*_CLICK), None), is_on(common.get("hidden"))
    return "", None, False


def _special(about: Element) -> tuple[Placeholder | None, bool]:
    """The placeholder it fills, and whether it plays something (19.3.1.33)."""
    for special in about.iterchildren(*_SPECIAL):
        placeholder = None
        for found in special.iterchildren(*_PLACEHOLDER):
            placeholder = Placeholder(found.get("type") or "obj", found.get("idx") or "0")
        return placeholder, next(special.iterchildren(*_MEDIA), None) is not None
    return None, False


def _box(transform: Element) -> Box | None:
    offset = next(transform.iterchildren(*_OFFSET), None)
    extent = next(transform.iterchildren(*_EXTENT), None)
    if offset is None or extent is None:
        return None
    left, top = _length(offset.get("x")), _length(offset.get("y"))
    width, height = _length(extent.get("cx")), _length(extent.get("cy"))
    if left is None or top is None or width is None or height is None:
        return None
    return Box(left, top, left + max(0, width), top + max(0, height))


def _length(text: str | None) -> float | None:
    match = _LENGTH.fullmatch(text or "")
    return None if match is None else float(match[1]) * _UNITS.get(match[2] or "", 1)
