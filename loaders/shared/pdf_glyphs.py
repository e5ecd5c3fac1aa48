"""What a page shows, as an engine hands it to the layout: glyph runs with their places, rules, pictures, links.

Both engines fill a :class:`Canvas`, one for each page, in the order things are painted; the layout reads
nothing else. Places on the page are in points from the lower left corner of the page as it is seen, turned.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

Rectangle = tuple[float, float, float, float]
"""`(left, bottom, right, top)`"""
Colour = tuple[float, float, float]
"""Red, green and blue, from 0 to 1."""

WHITE: Final[Colour] = (1.0, 1.0, 1.0)
BELOW: Final = 0.2
"""Of its size, how far a run reaches below its base line. Fonts' own descents are wrong too often."""

WORD_GAP: Final = 0.12
"""Of the font's size, the gap that parts words: fonts are kerned by less, and justified lines are set by more."""
VARIABLE_GAP: Final = 0.18
"""The same behind a variable: the space that lines are set with at their tightest is wider."""
BACK: Final = 0.3
"""Of the size, how far a word may go on before where it ended: kerning, and accents set over a letter."""
WIDEST_SPACING: Final = 1.0
"""Of the size, how far letters of one word are spaced out at most (`Tc`); more moves on to the next column of a table."""
_TINY: Final = 1 / 1000
"""Of the page's height: smaller text is a dot to who looks at it, or a line."""
_UNPAINTED: Final = frozenset({3, 7})
"""Text rendering modes that paint nothing (ISO 32000-2, 9.3.6)."""

SHORTEST_RULE: Final = 4.0
"""Points: what is shorter is a dot."""
_FEWEST_OUTLINES: Final = 12
_MOST_IMAGES: Final = 256
"""Places of pictures kept for a page; all are counted."""
_MOST_RULES: Final = 8_192
_MOST_FILLS: Final = 128
_MOST_LINKS: Final = 4_096
_LEANING: Final = 0.03
"""How far a base line rises for each point along it that leans more than a scan does."""
_ALIKE: Final = 0.08
"""Of a channel's range, how far colours may differ that nobody tells apart."""


class Ink(IntEnum):
    """Whether a run leaves anything to see, as far as the engine knows."""

    SEEN = 0
    UNPAINTED = 1
    """Shown in a rendering mode that paints nothing: over a picture, it is text recognised there."""
    HIDDEN = 2
    """Of the colour behind it, clipped away, of a layer that is switched off, or of no size."""


class Style(msgspec.Struct, frozen=True, gc=False):
    """What the glyphs of a run share.

    `mark`: the marked-content identifier that they stand in (14.7.5), if any. `is_variable`: the font is one of variables
    in formulas, which are followed by their italic correction, as wide as narrow spaces.
    """

    ink: Ink = Ink.SEEN
    is_bold: bool = False
    is_fixed: bool = False
    mark: int | None = None
    is_variable: bool = False


class GlyphRun(msgspec.Struct, frozen=True, gc=False):
    """Glyphs next to each other: a word at most, or a part of one.

    In the frame of their direction, that is, the page's coordinates turned so that the text runs to the
    right: from `start` to `end` (`start <= end`), on the base line at height `base`, in a font of `size`
    points. A vertical column is a line that runs downwards, turned: its middle is at `base + 0.3 * size`.

    `text` may end in a space, which `end` does not count. A glyph of a right-to-left script is a run of
    its own, so that the layout can put glyphs in order without taking apart what a single one stands for.
    """

    start: float
    end: float
    base: float
    size: float
    text: str
    style: Style

    def clipped(self, clip: Rectangle, x: float, y: float) -> GlyphRun:
        """The run with its middle at a point of the page; if that is clipped away, nobody sees anything of it."""
        left, bottom, right, top = clip
        if left <= x <= right and bottom <= y <= top:
            return self
        return replace(self, style=replace(self.style, ink=Ink.HIDDEN))


class LinkArea(NamedTuple):
    """What is shown within `place` leads to `target`, an address or `#name`."""

    place: Rectangle
    target: str


class Canvas:
    """One page, `width` by `height` points as it is seen."""

    def __init__(self, width: float, height: float) -> None:
        self.width = width
        self.height = height
        self.runs: dict[int, list[GlyphRun]] = {}
        """By the direction that the text runs to, in whole degrees counter-clockwise from the right; in the order painted."""
        self.rules: list[Rectangle] = []
        """Lines, upright or level: rectangles of a few points in one direction, or of none."""
        self.links: list[LinkArea] = []
        self.items: Mapping[int, int] = {}
        """Of a tagged page: numbers of items of lists, by the marks of their text."""
        self.images: list[Rectangle] = []
        self.image_count = 0
        self.outlines = 0
        """Filled shapes that may be letters, counted as far as :attr:`is_drawn` asks."""
        self.unmapped = 0
        """Glyphs for which the font says no character."""
        self.faults = 0
        """Operators and streams that could not be carried out."""
        self._fills: list[tuple[Rectangle, Colour | None]] = []
        self._tones: list[Colour] = [WHITE]
        self.clear: set[Colour] = set()
        """Colours that differ from all that areas were painted in so far."""
        self._has_all_fills = True
        self._levels: dict[tuple[int, float], float] = {}

    def level(self, degrees: int, lean: float, start: float) -> float:
        """How far along its direction the base line is taken of text that leans, and begins at `start`.

        Words of one leaning line are level if all are taken at one place, wherever each of them begins: where the
        first of the page does that leans alike. What leans as little as a scan is taken where it begins, since words
        of such a page often lean each in its own way.
        """
        if -_LEANING < lean < _LEANING:
            return start
        return self._levels.setdefault((degrees, round(lean, 2)), start)

    def add_image(self, place: Rectangle) -> None:
        self.image_count += 1
        if len(self.images) < _MOST_IMAGES:
            self.images.append(place)
        self.add_fill(place, None)

    def add_outline(self, place: Rectangle) -> None:
        """A filled shape that is no rectangle: a letter turned to curves is one or some. Dots and what is off the page are not."""
        left, bottom, right, top = place
        is_large = right - left >= SHORTEST_RULE or top - bottom >= SHORTEST_RULE
        self.outlines += is_large and left < self.width and right > 0 and bottom < self.height and top > 0

    @property
    def is_drawn(self) -> bool:
        """Whether there are as many shapes as of a short line of letters turned to curves."""
        return self.outlines >= _FEWEST_OUTLINES

    def add_rule(self, place: Rectangle) -> None:
        left, bottom, right, top = place
        if (right - left >= SHORTEST_RULE or top - bottom >= SHORTEST_RULE) and len(self.rules) < _MOST_RULES:
            self.rules.append(place)

    def add_link(self, place: Rectangle, target: str) -> None:
        if len(self.links) < _MOST_LINKS:
            self.links.append(LinkArea(place, target))

    def add_fill(self, place: Rectangle, colour: Colour | None) -> None:
        """An area painted in one colour, or in none that is known, over what was painted before."""
        if len(self._fills) == _MOST_FILLS:
            self._has_all_fills = False
            return
        self._fills.append((place, colour))
        if colour is not None and not any(_are_alike(colour, tone) for tone in self._tones):
            self._tones.append(colour)
            self.clear.clear()

    @property
    def takes_fills(self) -> bool:
        """Whether one more area would be kept, and not only be known to be missing."""
        return len(self._fills) < _MOST_FILLS or self._has_all_fills

    def is_lost(self, colour: Colour, x: float, y: float) -> bool:
        """Whether what is painted now at a point, in `colour`, cannot be told from what is there. Paper is white."""
        if not self._has_all_fills or colour in self.clear:
            return False
        if not any(_are_alike(colour, tone) for tone in self._tones):
            if len(self.clear) < _MOST_FILLS:
                self.clear.add(colour)
            return False
        for (left, bottom, right, top), behind in reversed(self._fills):
            if left <= x <= right and bottom <= y <= top:
                return behind is not None and _are_alike(colour, behind)
        return _are_alike(colour, WHITE)

    def ink(self, extent: float, render: int, colour: Colour | None, x: float, y: float) -> Ink:
        """What text leaves to see that is painted now at a point, in `colour` if that is known.

        `extent`: points that an em takes, along the line or across it, whichever is less: letters may be squeezed to
        nothing by the horizontal scaling (9.3.4) or their matrix.
        """
        best = self.ink_at_best(extent, render)
        if best is not Ink.SEEN or colour is None or colour in self.clear:
            return best
        return Ink.HIDDEN if self.is_lost(colour, x, y) else Ink.SEEN

    def ink_at_best(self, extent: float, render: int) -> Ink:
        """The same in a colour that can be told from what is there."""
        if extent < self.height * _TINY:
            return Ink.HIDDEN
        return Ink.UNPAINTED if render in _UNPAINTED else Ink.SEEN


def _are_alike(one: Colour, other: Colour) -> bool:
    return abs(one[0] - other[0]) < _ALIKE and abs(one[1] - other[1]) < _ALIKE and abs(one[2] - other[2]) < _ALIKE
