"""The order in which shapes on a page are read: by where they stand, since they are stored by what covers what."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final, NamedTuple

from fumehood.limits.budget import Budget


class Box(NamedTuple):
    """A rectangle, in any unit, from the top left. Sides may be in any order that a document gives them."""

    left: float
    top: float
    right: float
    bottom: float


MOST: Final = 5_000
"""Shapes that are put in order; nobody reads more from one page."""

_Shape = tuple[int, Box]
_SLACK: Final = 0.1
"""Of a box's own size, how far others may reach into it: text seldom fills its box, so boxes of neighbours overlap."""
_ALIKE: Final = 0.75
"""Of the widest gap, from which other gaps part as much as it does."""
_DEEPEST: Final = 24


def reading_order(boxes: Sequence[Box | None], budget: Budget) -> list[int]:
    """The places of `boxes` in the order to read them; as they are stored if it is unknown where any of them is.

    The widest gap from one side to the other parts what is read first from what is read next, again and again, so
    that columns are read one after another where they are further apart than what stands in them. What nothing
    parts stays as it is, and so do more than can be looked at. Spends `nodes`, one for each box and cut.
    """
    known = [(place, box) for place, box in enumerate(boxes) if box is not None]
    if len(known) < len(boxes) or len(boxes) > MOST:
        return list(range(len(boxes)))
    found: list[int] = []
    waiting: list[tuple[int, list[_Shape]]] = [(0, known)]
    while waiting:
        depth, shapes = waiting.pop()
        parts = [shapes]
        if len(shapes) > 1 and depth < _DEEPEST:
            budget.spend("nodes", len(shapes))
            parts = _parts(shapes)
        if len(parts) == 1:
            found += [place for place, _ in shapes]
        else:
            waiting += [(depth + 1, part) for part in reversed(parts)]
    return found


def _parts(shapes: list[_Shape]) -> list[list[_Shape]]:
    """What the widest gaps part, or a shape and all that stands on it; one part if neither is there."""
    rows, high = _gaps([(box.top, box.bottom) for _, box in shapes])
    columns, wide = _gaps([(box.left, box.right) for _, box in shapes])
    if rows or columns:
        cuts, across = (rows, False) if high >= wide else (columns, True)
        return _split(shapes, cuts, across=across)
    return _lifted(shapes)


def _gaps(sides: Sequence[tuple[float, float]]) -> tuple[list[float], float]:
    """Where in one direction nothing stands, as far as the gap is about as wide as the widest, and how wide that is."""
    reach: float | None = None
    gaps: list[tuple[float, float]] = []
    shrunk = [(start + _SLACK * (end - start), end - _SLACK * (end - start)) for start, end in sides]
    for start, end in sorted(shrunk):
        if reach is not None and start > reach:
            gaps.append((start - reach, (start + reach) / 2))
        reach = end if reach is None else max(reach, end)
    widest = max((gap for gap, _ in gaps), default=0.0)
    return [at for gap, at in gaps if gap >= _ALIKE * widest], widest


def _split(shapes: list[_Shape], cuts: list[float], *, across: bool) -> list[list[_Shape]]:
    parts: list[list[_Shape]] = [[] for _ in range(len(cuts) + 1)]
    for shape in shapes:
        box = shape[1]
        middle = (box.left + box.right) / 2 if across else (box.top + box.bottom) / 2
        parts[bisect_right(cuts, middle)].append(shape)
    return [part for part in parts if part]


def _lifted(shapes: list[_Shape]) -> list[list[_Shape]]:
    """A shape on which most others stand is their ground: it comes before them."""
    ground = max(shapes, key=lambda shape: _area(shape[1]))
    others = [shape for shape in shapes if shape is not ground]
    upon = sum(_stands_on(box, ground[1]) for _, box in others)
    return [[ground], others] if 2 * upon > len(others) else [shapes]


def _area(box: Box) -> float:
    return (box.right - box.left) * (box.bottom - box.top)


def _stands_on(box: Box, ground: Box) -> bool:
    middle, height = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    return ground.left <= middle <= ground.right and ground.top <= height <= ground.bottom
