"""What run properties of WordprocessingML say of how text looks (ECMA-376 part 1, 17.3.2)."""

from __future__ import annotations

import re
from typing import Final

from fumehood.loaders.shared.ooxml_names import Element, attribute, by_name, names
from fumehood.loaders.shared.text_look import LEAST_POINTS, Look

VAL: Final = names("w:val")
_FILL: Final = names("w:fill")
_THEME_FILL: Final = names("w:themeFill")
_THEME_COLOR: Final = names("w:themeColor")
_THEME_SHADE: Final = names("w:themeShade")
_PROPERTIES: Final = by_name(
    {
        "w:vanish": "hidden",
        "w:sz": "size",
        "w:color": "color",
        "w:shd": "shading",
        # White letters with a marker behind them, an outline, a shadow or a filling of their own are seen.
        **dict.fromkeys(
            (
                *("w:highlight", "w:outline", "w:shadow", "w:emboss", "w:imprint", "w:effect", "w:bdr"),
                *("w14:textOutline", "w14:textFill", "w14:shadow", "w14:glow"),
            ),
            "effect",
        ),
    }
)
_OFF: Final = frozenset({"0", "false", "off"})
_WHITE: Final = "FFFFFF"
_NO_FILL: Final = frozenset({"AUTO", _WHITE})
_NO_PATTERN: Final = frozenset({None, "clear", "nil"})
_UNSEEN: Final = re.compile(rb':vanish|:color [^>]{0,200}"[Ff]{6}"|:sz [^>]{0,200}"[0-2]"')
_PAINTED: Final = re.compile(rb':background[ >]|behindDoc="(?:1|true)|z-index:-')


def may_be_unseen(part: bytes) -> bool:
    """Whether anything in the part can make text unseen. In an encoding that does not hold ASCII it is not known."""
    return b"\0" in part[:200] or _UNSEEN.search(part) is not None


def paints(part: bytes) -> bool:
    """Whether pages have a colour, or something stands behind their text."""
    return b"\0" in part[:200] or _PAINTED.search(part) is not None


def is_on(element: Element) -> bool:
    """The value of a toggle or other boolean property (17.17.4): there and not said to be off."""
    return (attribute(element, VAL) or "true").lower() not in _OFF


def look_of(properties: Element) -> Look:
    """Of a `w:rPr`, without the style that it names."""
    hidden = tiny = white = None
    backed = False
    for child in properties:
        kind = _PROPERTIES.get(child.tag)
        if kind is None:
            continue
        if kind == "hidden":
            hidden = is_on(child)
        elif kind == "size":
            tiny = _is_tiny(attribute(child, VAL) or "")
        elif kind == "color":
            white = _is_white(child)
        else:
            backed = backed or (is_shaded(child) if kind == "shading" else _is_drawn(child))
    return Look(hidden, tiny, white, backed)


def is_shaded(shading: Element) -> bool:
    """Whether a `w:shd` draws anything but white (17.3.5)."""
    return (
        (attribute(shading, _FILL) or "auto").upper() not in _NO_FILL
        or attribute(shading, _THEME_FILL) is not None
        or attribute(shading, VAL) not in _NO_PATTERN
    )


def _is_drawn(element: Element) -> bool:
    return (attribute(element, VAL) or "true").lower() not in (*_OFF, "none", "nil", "white")


def _is_tiny(size: str) -> bool:
    """Of a size in half points (17.3.2.38)."""
    return size.isascii() and size.isdigit() and len(size) < 4 and int(size) < 2 * LEAST_POINTS


def _is_white(color: Element) -> bool:
    """The colour itself, which stands beside the theme's that it was chosen as (17.3.2.6)."""
    return (
        (attribute(color, VAL) or "").upper() == _WHITE
        and attribute(color, _THEME_COLOR) in (None, "background1")
        and attribute(color, _THEME_SHADE) is None
    )
