"""Cell formats whose text has the colour of the cell (ECMA-376 part 1, 18.8.22, 18.8.20 and 18.3.1.15)."""

from __future__ import annotations

from typing import Final

from fumehood.loaders.shared.ooxml_names import Element, names

Color = tuple[str, ...]
"""How a colour is named: by what, its value and its tint."""

_COLOR: Final = names("s:color")
_PATTERN: Final = names("s:patternFill")
_FOREGROUND: Final = names("s:fgColor")
_NAMES: Final = ("rgb", "theme", "indexed")
_OPAQUE_WHITE: Final = ("rgb", "FFFFFF", "")
_WHITES: Final = frozenset({_OPAQUE_WHITE, ("indexed", "1", ""), ("indexed", "9", "")})
"""The two of the palette (18.8.27). The theme's background is whatever the theme says."""


class Looks:
    """Fonts and fills, as cell formats name them: by number."""

    def __init__(self) -> None:
        self._fonts: list[Color | None] = []
        self._fills: list[Color | None] = []

    def add_font(self, font: Element) -> None:
        color = next(font.iterchildren(*_COLOR), None)
        self._fonts.append(None if color is None else _color(color))

    def add_fill(self, fill: Element) -> None:
        """A cell without a pattern is white, which is what the window is; one with any but `solid` has two colours."""
        found: Color | None = None
        for pattern in fill.iterchildren(*_PATTERN):
            kind = pattern.get("patternType") or "none"
            if kind == "none":
                found = _OPAQUE_WHITE
            elif kind == "solid":
                found = next(map(_color, pattern.iterchildren(*_FOREGROUND)), None)
        self._fills.append(found)

    def is_unseen(self, font: int | None, fill: int | None) -> bool:
        color = _at(self._fonts, font)
        behind = _at(self._fills, fill)
        return color is not None and behind is not None and (color == behind or {color, behind} <= _WHITES)


def _at(colors: list[Color | None], number: int | None) -> Color | None:
    return colors[number] if number is not None and number < len(colors) else None


def _color(element: Element) -> Color | None:
    """None for one that is not said, or that the reader's settings decide."""
    for name in _NAMES:
        value = element.get(name)
        if value is not None:
            # The first of four bytes is opacity, of which spreadsheets take no notice.
            return name, value.upper()[-6:] if name == "rgb" else value, element.get("tint") or ""
    return None
