"""The coordinates of text that does not run to the right, and text whose direction is not what its font says."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final

from msgspec.structs import replace

from fumehood.loaders.shared.pdf_glyphs import BELOW, GlyphRun, Rectangle

_FEWEST: Final = 20
_MOSTLY: Final = 0.9
_WIDER: Final = 3
"""How many more places level glyphs have along their lines than lines."""
_FARTHEST: Final = 2.0
"""Of its size, how far a glyph is from the one before it on a level line."""
_HALF: Final = 0.4
"""Of its size, how far a glyph of unknown width reaches to each side."""


class Turn:
    """From the page's coordinates to those of a direction, and back."""

    def __init__(self, degrees: int) -> None:
        self._cosine, self._sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        self.is_square = degrees % 90 == 0
        self._is_upright = degrees == 0

    def place(self, place: Rectangle) -> Rectangle:
        if self._is_upright:
            return place
        corners = [(x, y) for x in (place[0], place[2]) for y in (place[1], place[3])]
        along = [x * self._cosine + y * self._sine for x, y in corners]
        across = [y * self._cosine - x * self._sine for x, y in corners]
        return min(along), min(across), max(along), max(across)

    def middle(self, run: GlyphRun) -> tuple[float, float]:
        along, across = (run.start + run.end) / 2, run.base + (0.5 - BELOW) * run.size
        return along * self._cosine - across * self._sine, along * self._sine + across * self._cosine


def set_upright(runs: Mapping[int, Sequence[GlyphRun]]) -> dict[int, list[GlyphRun]]:
    """The runs by direction. Glyphs of a vertical font that are placed one by one along level lines run along these."""
    found: dict[int, list[GlyphRun]] = {}
    for degrees, some in runs.items():
        if _are_level(some):
            found.setdefault((degrees + 90) % 360, []).extend(_turned(run) for run in some)
        else:
            found.setdefault(degrees, []).extend(some)
    return found


def _are_level(runs: Sequence[GlyphRun]) -> bool:
    """Whether single glyphs stand side by side in a few rows, rather than below one another in a few columns."""
    if len(runs) < _FEWEST or _has_words(runs, (1 - _MOSTLY) * len(runs)):
        return False
    lines, places = {round(run.base) for run in runs}, {round(run.start) for run in runs}
    if len(lines) <= _WIDER * len(places):
        return False
    last = runs[0]
    beside = 0
    for run in runs:
        beside += run.start == last.start and 0 < run.base - last.base < _FARTHEST * run.size
        last = run
    return 2 * beside > len(runs)


def _has_words(runs: Sequence[GlyphRun], most: float) -> bool:
    """Whether more than so many of them are more than one glyph."""
    words = (run for run in runs if len(run.text) != 1)
    return next(islice(words, math.floor(most), None), None) is not None


def _turned(run: GlyphRun) -> GlyphRun:
    middle = run.base + (0.5 - BELOW) * run.size
    reach = _HALF * run.size
    return replace(run, start=middle - reach, end=middle + reach, base=BELOW * run.size - run.end)
