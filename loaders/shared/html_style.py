"""What declarations of style say about who sees a text: of their properties, those that hide, and those that make lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, NamedTuple

Display = Literal["none", "block", "inline"]
Preserved = Literal["", "lines", "all"]
"""What of white space stands as it is (CSS Text 3, 3)."""


class Effect(NamedTuple):
    """What declarations do to an element; None where they say nothing.

    - `display`: whether it is not there, makes lines of its own, or stands in a line.
    - `shown`: `visibility`, which descendants may take back.
    - `unseen`: it is there, but nobody sees it: no size, no opacity, off the screen.
    - `tiny`: its letters have no size; descendants may have another.
    - `preserves`: which white space stands as it is.
    - `items`: its children make lines of their own.
    - `color`, `background`: as :func:`_color` names them; an empty background is a picture or unknown.
    """

    display: Display | None = None
    shown: bool | None = None
    unseen: bool | None = None
    tiny: bool | None = None
    preserves: Preserved | None = None
    color: str | None = None
    background: str | None = None
    items: bool | None = None

    def under(self, other: Effect) -> Effect:
        """Both, where `other` wins."""
        return Effect(
            other.display or self.display,
            self.shown if other.shown is None else other.shown,
            self.unseen if other.unseen is None else other.unseen,
            self.tiny if other.tiny is None else other.tiny,
            self.preserves if other.preserves is None else other.preserves,
            self.color if other.color is None else other.color,
            self.background if other.background is None else other.background,
            self.items if other.items is None else other.items,
        )


NOTHING: Final = Effect()

_TELLING: Final = re.compile(
    r"display|visibility|font|color|background|position|width|height|opacity|clip|indent|mso-hide|white-space|content-vis|float",
    re.IGNORECASE,
)
_IMPORTANT: Final = re.compile(r"!\s*important\s*$", re.IGNORECASE)
_LENGTH: Final = re.compile(
    r"([+-]?(?:[0-9]{1,9}\.?[0-9]{0,9}|\.[0-9]{1,9}))(px|pt|em|rem|ex|ch|cm|mm|in|pc|vw|vh|%)?$"
)
_TO_PIXELS: Final = {
    "pt": 1.33,
    "em": 16.0,
    "rem": 16.0,
    "ex": 8.0,
    "ch": 8.0,
    "cm": 37.8,
    "mm": 3.78,
    "in": 96.0,
    "pc": 16.0,
}
_OFF_SCREEN: Final = -500.0
"""Left of it, or above, by so many pixels nothing is seen; honest margins are smaller."""
_TINY: Final = 1.0
_INLINE: Final = frozenset({"inline", "inline-block", "inline-flex", "inline-grid", "inline-table", "contents", "ruby"})
_PRESERVING: Final[Mapping[str, Preserved]] = {
    "pre": "all",
    "pre-wrap": "all",
    "break-spaces": "all",
    "pre-line": "lines",
}
_COLORS: Final = {
    "white": "ffffff",
    "black": "000000",
    "red": "ff0000",
    "lime": "00ff00",
    "blue": "0000ff",
    "yellow": "ffff00",
    "aqua": "00ffff",
    "cyan": "00ffff",
    "fuchsia": "ff00ff",
    "magenta": "ff00ff",
    "silver": "c0c0c0",
    "gray": "808080",
    "grey": "808080",
    "maroon": "800000",
    "green": "008000",
    "navy": "000080",
    "olive": "808000",
    "teal": "008080",
    "purple": "800080",
}
_HEX: Final = re.compile(r"#([0-9a-f]{6}|[0-9a-f]{3})")
_RGB: Final = re.compile(
    r"rgba?\(\s*([0-9]{1,3})[\s,]+([0-9]{1,3})[\s,]+([0-9]{1,3})\s*(?:[,/]\s*([0-9.]{1,9})%?\s*)?\)"
)


@lru_cache(maxsize=4_096)
def inline(style: str) -> Effect:
    """What the value of a `style` attribute does."""
    if _TELLING.search(style) is None:
        return NOTHING
    return _effect(style.split(";"))


def color(value: str) -> str | None:
    """A colour as six hexadecimal digits where it can be told, in small letters; None for what is none.

    Of colours with names, those of HTML 4 are known; any other name stands for itself.
    """
    value = value.strip().lower()
    found = _HEX.match(value)
    if found is not None:
        digits = found[1]
        return digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)
    found = _RGB.match(value)
    if found is not None:
        if found[4] is not None and float(found[4].rstrip(".") or 0) == 0:
            return "transparent"
        return "".join(f"{min(int(part), 255):02x}" for part in found.groups()[:3])
    return (
        _COLORS.get(value, value) if value.isalpha() and value not in {"inherit", "initial", "unset", "none"} else None
    )


def of_rule(declarations: str) -> tuple[tuple[bool, Effect], ...]:
    """What the declarations of a rule do, those that are `!important` apart.

    Colours of rules are left alone: what else lies behind a text, simple rules do not tell.
    """
    if _TELLING.search(declarations) is None:
        return ()
    common: list[str] = []
    important: list[str] = []
    for declaration in declarations.split(";"):
        (important if _IMPORTANT.search(declaration) else common).append(declaration)
    made = [(False, _effect(common))] + ([(True, _effect(important))] if important else [])
    return tuple((says, effect._replace(color=None, background=None)) for says, effect in made)


def _effect(declarations: list[str]) -> Effect:
    found: dict[str, str] = {}
    for declaration in declarations:
        name, colon, value = declaration.partition(":")
        if colon:
            found[name.strip().lower()] = _IMPORTANT.sub("", value).strip().lower()
    return Effect(
        _display(found),
        _shown(found),
        _unseen(found) or None,
        _tiny(found),
        _PRESERVING.get(found["white-space"], "") if "white-space" in found else None,
        color(found["color"]) if "color" in found else None,
        _background(found),
        found["display"].endswith(("flex", "grid")) if "display" in found else None,
    )


def _display(found: Mapping[str, str]) -> Display | None:
    display = found.get("display", "")
    if display == "none" or found.get("mso-hide") == "all" or found.get("content-visibility") == "hidden":
        return "none"
    # What is placed by itself, or beside the text, is a block whatever it was (CSS 2.1, 9.7). So would be what floats to
    # the left, but a capital that does is the first letter of a word.
    if found.get("position") in {"absolute", "fixed"} or found.get("float") == "right":
        return "block"
    if not display or display in {"inherit", "initial", "unset", "revert"} or "{" in display:
        return None
    return "inline" if display in _INLINE else "block"


def _shown(found: Mapping[str, str]) -> bool | None:
    visibility = found.get("visibility")
    if visibility in {"hidden", "collapse"}:
        return False
    return True if visibility == "visible" else None


def _unseen(found: Mapping[str, str]) -> bool:
    if _is(found, "opacity", 0):
        return True
    if found.get("overflow", "").startswith(("hidden", "clip")) and (
        _is(found, "width", _TINY)
        or _is(found, "height", _TINY)
        or _is(found, "max-height", 0)
        or _is(found, "max-width", 0)
    ):
        return True
    placed = found.get("position") in {"absolute", "fixed"}
    if placed and (_is(found, "left", _OFF_SCREEN) or _is(found, "top", _OFF_SCREEN) or _clips(found)):
        return True
    return _is(found, "text-indent", _OFF_SCREEN)


def _tiny(found: Mapping[str, str]) -> bool | None:
    if "font-size" in found:
        return _is(found, "font-size", 0)
    return found["font"].startswith(("0 ", "0px", "0/")) if "font" in found else None


def _clips(found: Mapping[str, str]) -> bool:
    clip = found.get("clip", "").replace(" ", "").replace("px", "")
    return clip in {"rect(0,0,0,0)", "rect(0000)", "rect(1,1,1,1)", "rect(1111)"} or "inset(50%)" in found.get(
        "clip-path", ""
    )


def _is(found: Mapping[str, str], name: str, most: float) -> bool:
    """Whether the length of that property is given and at most so many pixels."""
    length = _LENGTH.match(found.get(name, "").strip())
    return length is not None and float(length[1]) * _TO_PIXELS.get(length[2] or "", 1.0) <= most


def _background(found: Mapping[str, str]) -> str | None:
    value = found.get("background-color") or found.get("background")
    if found.get("background-image", "none") != "none" or (value and ("url(" in value or "gradient" in value)):
        return ""
    if not value:
        return None
    named = color(value.split()[0] if "(" not in value else value)
    return None if named == "transparent" else named or ""
