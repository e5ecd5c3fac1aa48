"""What properties of OpenDocument say of how text looks (ODF 1.3 part 3, 16.29.28 and 20)."""

from __future__ import annotations

import re
from typing import Final

from fumehood.loaders.shared.odf_names import Attributes, qname
from fumehood.loaders.shared.text_look import LEAST_POINTS, Look

_DISPLAY: Final = qname("text:display")
_COLOR: Final = qname("fo:color")
_BACKGROUND: Final = qname("fo:background-color")
_SIZE: Final = qname("fo:font-size")
_SHADOW: Final = qname("fo:text-shadow")
_OUTLINE: Final = qname("style:text-outline")
_AUTOMATIC: Final = qname("style:use-window-font-color")
_FILL: Final = qname("draw:fill")

_WHITE: Final = "#ffffff"
_NOTHING: Final = frozenset({"transparent", _WHITE, "none", "false", ""})
_HREF: Final = qname("xlink:href")
_RUN_THROUGH: Final = qname("style:run-through")
_POINTS: Final = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,9})?)pt")


def look_of(attributes: Attributes) -> Look:
    """Of a `style:text-properties`."""
    display, color, size = attributes.get(_DISPLAY), attributes.get(_COLOR), attributes.get(_SIZE)
    white = None if color is None else color.strip().lower() == _WHITE
    if attributes.get(_AUTOMATIC) == "true":
        white = False
    return Look(
        None if display is None else display == "none",
        None if size is None else _is_tiny(size),
        white,
        any(attributes.get(name, "").strip().lower() not in _NOTHING for name in (_BACKGROUND, _SHADOW, _OUTLINE)),
    )


def is_filled(attributes: Attributes) -> bool:
    """Whether properties of a paragraph or a page draw anything but white behind it."""
    return any(attributes.get(name, "").strip().lower() not in _NOTHING for name in (_BACKGROUND, _FILL))


def is_picture(attributes: Attributes) -> bool:
    """Whether a `style:background-image` shows one: it may also say that there is none."""
    return bool(attributes.get(_HREF))


def is_behind(attributes: Attributes) -> bool:
    """Whether a `style:graphic-properties` lets shapes stand behind text (20.362)."""
    return attributes.get(_RUN_THROUGH) == "background"


def _is_tiny(size: str) -> bool:
    points = _POINTS.fullmatch(size.strip())
    return points is not None and float(points[1]) < LEAST_POINTS
