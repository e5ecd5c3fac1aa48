"""Text in frames: what stands in one is read together, whatever stands beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec

from fumehood.loaders.shared.pdf_glyphs import BELOW, GlyphRun, Rectangle
from fumehood.loaders.shared.pdf_lines import Line
from fumehood.loaders.shared.pdf_tables import Table

_MOST: Final = 64
"""Frames of a page that are looked at; a page of more is a form or a drawing."""
_LARGEST: Final = 0.5
"""Of the page's area: a larger one frames the page."""
_SMALLEST: Final = 20.0
"""Points, across and high: smaller ones have no room for two lines."""
_FEWEST_HEIGHTS: Final = 2
_EDGE: Final = 1.0
"""Points by which a word may stand over a frame's edge."""


class Box(msgspec.Struct):
    """What a frame holds: `regions` in reading order, as of a page."""

    start: float
    end: float
    low: float
    high: float
    size: float
    items: list[Line | Table | Box] = msgspec.field(default_factory=list)
    regions: list[list[Line | Table | Box]] = msgspec.field(default_factory=list)

    @classmethod
    def of(cls, place: Rectangle, lines: Sequence[Line], tables: Iterable[Table]) -> Box:
        """The frame at a place, with its lines, and with those of the tables that stand in it."""
        left, bottom, right, top = place
        inner = [table for table in tables if left <= table.start and table.end <= right and bottom <= table.low <= top]
        sizes = sorted(line.size for line in lines)
        return cls(left, right, bottom, top, sizes[len(sizes) // 2], [*lines, *inner])

    @property
    def right(self) -> float:
        """Where a full line ends: as far from the frame as the longest begins, or nearer."""
        margin = min(item.start for item in self.items) - self.start
        return max(self.end - margin, *(item.end for item in self.items))

    @property
    def text(self) -> str:
        return "\n".join(item.text for item in self.items)


@dataclass(slots=True)
class Framed:
    """The runs that stand in a frame."""

    place: Rectangle
    runs: list[GlyphRun] = field(default_factory=list)


def shared_out(
    runs: Sequence[GlyphRun], frames: Sequence[Rectangle], page: float
) -> tuple[list[GlyphRun], list[Framed]]:
    """The runs in no frame, and those of each that holds several lines. `page`: the page's area."""
    chosen = [frame for frame in frames if _is_frame(frame, page)]
    if not chosen or len(chosen) > _MOST:
        return list(runs), []
    found = []
    left = list(runs)
    # Smaller ones first, since they may stand in larger ones.
    for place in sorted(chosen, key=_area):
        framed = Framed(place)
        others: list[GlyphRun] = []
        is_crossed = False
        for run in left:
            where = _where(run, place)
            is_crossed |= where is None
            (framed.runs if where else others).append(run)
        if not is_crossed and len({round(run.base) for run in framed.runs}) >= _FEWEST_HEIGHTS:
            found.append(framed)
            left = others
    return left, found


def _is_frame(frame: Rectangle, page: float) -> bool:
    left, bottom, right, top = frame
    return min(right - left, top - bottom) >= _SMALLEST and _area(frame) <= _LARGEST * page


def _area(frame: Rectangle) -> float:
    return (frame[2] - frame[0]) * (frame[3] - frame[1])


def _where(run: GlyphRun, place: Rectangle) -> bool | None:
    """Whether it is in there; None if it goes over the edge."""
    left, bottom, right, top = place
    if not bottom <= run.base + (0.5 - BELOW) * run.size <= top or run.end <= left or run.start >= right:
        return False
    return True if left - _EDGE <= run.start and run.end <= right + _EDGE else None
