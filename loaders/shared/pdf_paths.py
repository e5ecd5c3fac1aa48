"""Paths (ISO 32000-2, 8.5), as far as they are rules, areas of one colour, or clip what is shown."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Final

from fumehood.loaders.shared.pdf_geometry import Matrix, bounds
from fumehood.loaders.shared.pdf_glyphs import WHITE, Canvas, Colour, Rectangle

_MOST_POINTS: Final = 4_096
"""Of one path that are looked at; its bounds count them all."""
THIN: Final = 3.0
"""Points: an area that is no higher or no wider is a rule."""
_LEVEL: Final = 0.5
"""Points by which a rule may lean."""

_Point = tuple[float, float]


class Path:
    """The path under construction, in the page's coordinates."""

    def __init__(self) -> None:
        self._parts: list[list[_Point]] = []
        self._is_plain = True
        """Whether all parts are straight lines that are known."""
        self._count = 0
        self._beyond: list[_Point] = []
        """Two corners of what is around the points beyond the most that are looked at."""

    def move(self, matrix: Matrix, x: float, y: float) -> None:
        self._parts.append([])
        self.line(matrix, x, y)

    def line(self, matrix: Matrix, x: float, y: float) -> None:
        a, b, c, d, e, f = matrix
        point = a * x + c * y + e, b * x + d * y + f
        self._count += 1
        if self._count > _MOST_POINTS:
            self._is_plain = False
            left, bottom, right, top = _around([*self._beyond, point])
            self._beyond = [(left, bottom), (right, top)]
        elif self._parts:
            self._parts[-1].append(point)
        else:
            self._parts.append([point])

    def curve(self, matrix: Matrix, numbers: Sequence[float]) -> None:
        """By its points, `x` and `y` in turns: the line that they make is looked at only for what is around it."""
        self._is_plain &= not numbers
        a, b, c, d, e, f = matrix
        points = [(a * x + c * y + e, b * x + d * y + f) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        if self._parts and self._count + len(points) <= _MOST_POINTS:
            self._count += len(points)
            self._parts[-1] += points
            return
        for at in range(0, len(numbers), 2):
            self.line(matrix, numbers[at], numbers[at + 1])

    def close(self) -> None:
        part = self._parts[-1] if self._parts else []
        if len(part) > 1 and part[-1] != part[0]:
            part.append(part[0])

    def add(self, part: list[_Point], *, is_plain: bool) -> None:
        """A part whose points are in the page's coordinates already."""
        room = max(0, _MOST_POINTS - self._count)
        self._count += len(part)
        self._is_plain &= is_plain
        if len(part) > room:
            self._is_plain = False
            left, bottom, right, top = _around([*self._beyond, *part[room:]])
            self._beyond = [(left, bottom), (right, top)]
            part = part[:room]
        self._parts.append(part)

    def rectangle(self, matrix: Matrix, x: float, y: float, width: float, height: float) -> None:
        a, b, c, d, e, f = matrix
        to_x, to_y = x + width, y + height
        corners = [(a * x + c * y + e, b * x + d * y + f) for x, y in ((x, y), (to_x, y), (to_x, to_y), (x, to_y))]
        if corners[-1] != corners[0]:
            corners.append(corners[0])
        self.add(corners, is_plain=True)

    def _bounds(self) -> Rectangle | None:
        """What is around all of it; None for a path without points."""
        points = [*chain.from_iterable(self._parts), *self._beyond]
        return _around(points) if points else None

    # ---- what it is for ----------------------------------------------------------------------------

    def stroke(self, canvas: Canvas) -> None:
        """Its upright and level lines are rules of the page."""
        for part in self._parts:
            for (x, y), (to_x, to_y) in pairwise(part):
                if -_LEVEL <= x - to_x <= _LEVEL or -_LEVEL <= y - to_y <= _LEVEL:
                    left, right = (x, to_x) if x < to_x else (to_x, x)
                    canvas.add_rule((left, y, right, to_y) if y < to_y else (left, to_y, right, y))

    def fill(self, canvas: Canvas, colour: Colour | None) -> None:
        """Its rectangles are areas of that colour, or rules if they are thin; what else it covers is not known."""
        if not self._is_plain or not all(_is_rectangle(part) for part in self._parts):
            box = self._bounds()
            if box is not None:
                if not canvas.is_drawn and colour != WHITE:
                    self._outline(canvas)
                canvas.add_fill(box, None)
            return
        for part in self._parts:
            place = _around(part)
            if min(place[2] - place[0], place[3] - place[1]) <= THIN:
                canvas.add_rule(place)
            else:
                canvas.add_fill(place, colour)

    def _outline(self, canvas: Canvas) -> None:
        for part in self._parts:
            if len(part) > 2 and not (self._is_plain and _is_rectangle(part)):
                canvas.add_outline(_around(part))

    def clipped(self, clip: Rectangle) -> Rectangle:
        """What is left of `clip` within this path's bounds; an empty path leaves nothing (8.5.4)."""
        return intersection(clip, self._bounds() or (0.0, 0.0, 0.0, 0.0))


def _around(points: Sequence[_Point]) -> Rectangle:
    across, up = zip(*points, strict=True)
    return min(across), min(up), max(across), max(up)


def _is_rectangle(part: list[_Point]) -> bool:
    """Four corners, each next one level with it or upright above or below it."""
    corners = part[:-1] if len(part) == 5 and part[0] == part[-1] else part
    if len(corners) != 4:
        return False
    before_x, before_y = corners[-1]
    for x, y in corners:
        if not (-_LEVEL <= x - before_x <= _LEVEL or -_LEVEL <= y - before_y <= _LEVEL):
            return False
        before_x, before_y = x, y
    return True


def intersection(one: Rectangle, other: Rectangle) -> Rectangle:
    """What both cover. Where they have nothing in common its sides are the wrong way round, and nothing is inside."""
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


def clipped_to(clip: Rectangle, matrix: Matrix, box: Rectangle) -> Rectangle:
    """What is left of `clip` within `box` transformed: the bounding box of a form (8.10.2)."""
    return intersection(clip, bounds(matrix, box))
