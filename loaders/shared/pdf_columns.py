"""Reading order: a page is parted into bands, a band into its columns, and a column into bands again.

A band is what the same gutters run through: a heading across a page ends the band above it. Each part is
looked at by its lines' places alone, sorted, so that the cost is n log n in its lines for each depth.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.pdf_boxes import Box
from fumehood.loaders.shared.pdf_lines import CJK, Line
from fumehood.loaders.shared.pdf_tables import Rule, Table

Item = Line | Table | Box
Interval = tuple[float, float]

_DEEPEST: Final = 16
_GUTTER: Final = 0.8
"""Of the size of a band's text, how wide a gutter is at least."""
_SHRUNK: Final = 0.2
"""Of its height, how far a line is taken to be lower than it is: lines that are set solid touch."""
_FEWEST_LINES: Final = 3
_FEWEST_CHARACTERS: Final = 9
"""On average in a line of a column: less is a column of numbers or marks, read with what stands beside it."""
_TEXT: Final = 25
"""The same in a column that is surely text."""
_FEWEST_FLOWING: Final = 5
_FULL: Final = 0.5
"""Of a column's width, how long its lines are on average at least: cells of tables are shorter."""
_BREAK: Final = 1.0
"""Of its size, the gap above a line that may belong to what comes after a band."""
_LARGER: Final = 1.15
"""Of the usual size, how large a heading is at least that ends a band."""
_FILLED: Final = 0.8
"""Of a column's width, how long a line is that fills it."""
_REACHED: Final = 2.0
"""Of the size, how near to the edge of its column a line of running text comes at least."""
_BALANCED: Final = 0.4
"""Of the highest column's height, how high one is at least where text was set in columns to be even."""
_LONGEST_BLOCK: Final = 8
"""Lines of an address, or of what stands opposite, at most."""
_LABELLED: Final = re.compile(r"[^\W\d_][^:]{1,30}: \S")
"""A label with its value."""
_MOST_GUTTERS: Final = 64
_MOST_HANDED: Final = 8
"""Lines that are handed from one band to the next."""
_MOST_COLUMNS: Final = 12
_MOST_TRIED: Final = 4
"""Gutters, the widest, that are tried for a column of text beside something else."""
_REPEATED: Final = 3
"""Lines that a column has at least that is but another's again."""


@dataclass(slots=True)
class Order:
    """Regions in reading order, each without columns, its items in no order."""

    regions: list[list[Item]] = field(default_factory=list)
    repeated: int = 0
    """Columns left out because they say what the one before them says."""


@dataclass(slots=True)
class _Band:
    """Items from the top, and where they stand together, from the left."""

    strips: list[list[Item]]
    covered: list[Interval]

    def items(self) -> list[Item]:
        return [item for strip in self.strips for item in strip]


def in_order(items: Sequence[Item], budget: Budget, walls: Sequence[Rule] = ()) -> Order:
    """Items in regions that are read one after another, columns from the left. Spends `nodes`.

    `walls`: upright rules, which may part what would else be read together.
    """
    order = Order()
    _put_in_order(list(items), order, budget, 0, walls)
    return order


def _put_in_order(items: list[Item], order: Order, budget: Budget, depth: int, walls: Sequence[Rule]) -> None:
    if depth == _DEEPEST or (len(items) <= _FEWEST_LINES and not any(isinstance(item, Box) for item in items)):
        order.regions.append(items)
        return
    budget.spend("nodes", len(items))
    plain: list[Item] = []
    size = _usual_size(items)
    parts = [part for band in _bands(_strips(items), _GUTTER * size) for part in _at_headings(band, size)]
    for band in [band for part in parts for band in _rest_apart(part, size)]:
        columns = _columns(band)
        if len(columns) < 2:
            plain += band.items()
            continue
        _put_plain(plain, order, budget, depth, walls)
        plain = []
        for column in _without_repeats(columns, order):
            _put_in_order(column, order, budget, depth + 1, walls)
    _put_plain(plain, order, budget, depth, walls)


def _put_plain(items: list[Item], order: Order, budget: Budget, depth: int, walls: Sequence[Rule]) -> None:
    """What has no columns: one region, unless a wall stands between two things that have no rows in common."""
    for at, wall in enumerate(walls):
        left, right = _sides_of(wall, items)
        if not _are_parted(left, right):
            continue
        others = walls[at + 1 :]
        inside = {id(item) for item in (*left, *right)}
        rest = [item for item in items if id(item) not in inside]
        _put_plain([item for item in rest if item.low >= wall.start], order, budget, depth, others)
        for side in (left, right):
            _put_in_order(side, order, budget, depth + 1, others)
        _put_plain([item for item in rest if item.low < wall.start], order, budget, depth, others)
        return
    if items:
        order.regions.append(items)


def _sides_of(wall: Rule, items: Sequence[Item]) -> tuple[list[Item], list[Item]]:
    """What stands to the left and to the right of a wall; nothing if something goes through it."""
    inside = [item for item in items if wall.start <= (item.low + item.high) / 2 <= wall.end]
    left = [item for item in inside if item.end <= wall.at]
    right = [item for item in inside if item.start >= wall.at]
    return (left, right) if len(left) + len(right) == len(inside) else ([], [])


def _are_parted(left: Sequence[Item], right: Sequence[Item]) -> bool:
    if len(left) < 2 or len(right) < 2 or len(left) + len(right) <= _FEWEST_LINES + 1:
        return False
    return not _are_level(left, right) and not _are_level(right, left)


def _usual_size(items: Sequence[Item]) -> float:
    sizes = sorted(item.size for item in items)
    return sizes[len(sizes) // 2]


# ---- bands --------------------------------------------------------------------------------------------


def _strips(items: Sequence[Item]) -> list[list[Item]]:
    """Items from the top, together where nothing level parts them."""
    found: list[list[Item]] = []
    reach = 0.0
    for item in sorted(items, key=lambda item: -item.high):
        shrink = _SHRUNK * item.size
        if found and item.high - shrink > reach:
            found[-1].append(item)
            reach = min(reach, item.low + shrink)
        else:
            found.append([item])
            reach = item.low + shrink
    return found


def _covered(items: Sequence[Item], before: Sequence[Interval] = ()) -> list[Interval]:
    """Where items stand, seen from above: intervals from the left, apart from each other."""
    found: list[Interval] = []
    for start, end in sorted([*before, *((item.start, item.end) for item in items)]):
        if found and start <= found[-1][1]:
            if end > found[-1][1]:
                found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _joined(covered: Sequence[Interval], min_gutter: float) -> list[Interval]:
    """Intervals, those together that no gutter parts."""
    found: list[Interval] = []
    for start, end in covered:
        if found and start - found[-1][1] < min_gutter:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    # What has so many gutters is no text, and would be costly to compare.
    return found if len(found) <= _MOST_GUTTERS else [(found[0][0], found[-1][1])]


def _widened(covered: list[Interval], own: list[Interval], min_gutter: float) -> list[Interval]:
    """Where a band stands with one more strip, which mostly is no wider than it was."""
    if len(covered) == len(own) == 1 and covered[0][0] <= own[0][0] and own[0][1] <= covered[0][1]:
        return covered
    return _joined(_covered((), [*covered, *own]), min_gutter)


def _bands(strips: Sequence[list[Item]], min_gutter: float) -> list[_Band]:
    found: list[_Band] = []
    for strip in strips:
        own = [(strip[0].start, strip[0].end)] if len(strip) == 1 else _joined(_covered(strip), min_gutter)
        band = found[-1] if found else None
        if band is None:
            found.append(_Band([strip], own))
            continue
        both = _widened(band.covered, own, min_gutter)
        # What has a gutter goes on while one is left, what has none while nothing has.
        if (len(both) > 1) if len(band.covered) > 1 else (len(own) == 1):
            band.strips.append(strip)
            band.covered = both
        else:
            found.append(_Band([strip], own))
            _hand_over(band, found[-1], min_gutter)
            _take_back(band, found[-1])
            if not band.strips:
                del found[-2]
    return found


def _hand_over(band: _Band, after: _Band, min_gutter: float) -> None:
    """The last strips of a band with gutters that stand in one column, apart from it, belong to what follows."""
    if len(band.covered) < 2:
        return
    at = len(band.strips)
    while (
        at > 1
        and len(band.strips) - at < _MOST_HANDED
        and len(band.strips[at - 1]) == 1
        and _breaks(band.strips[at - 2], band.strips[at - 1][0])
    ):
        at -= 1
    if at < len(band.strips):
        after.strips[:0] = band.strips[at:]
        del band.strips[at:]
        after.covered = _joined(_covered(after.items()), min_gutter)


def _at_headings(band: _Band, size: float) -> list[_Band]:
    """The band in parts: a larger line alone, apart from what is above it, begins one if columns go on below it."""
    if len(band.covered) < 2:
        return [band]
    parts = [_Band([], [])]
    reach = 0.0
    for at, strip in enumerate(band.strips):
        head = strip[0]
        if (
            at
            and len(strip) == 1
            and head.size >= _LARGER * size
            and reach - head.high > _BREAK * size
            and any(len(_covered(_unframed(below))) > 1 for below in band.strips[at + 1 : at + 3])
        ):
            parts.append(_Band([], []))
        reach = min(item.low for item in strip)
        parts[-1].strips.append(strip)
    for part in parts:
        part.covered = band.covered
    return parts


def _unframed(items: Sequence[Item]) -> list[Item]:
    """A frame is level with much that it has nothing to do with."""
    return [item for item in items if not isinstance(item, Box)]


def _rest_apart(band: _Band, size: float) -> list[_Band]:
    """The band, and what stands alone below its columns: a heading, a list, a table that no longer fill any of them."""
    starts = [start for start, _ in band.covered]
    if len(starts) < 2:
        return [band]
    places = [{bisect_right(starts, item.start) for item in strip} for strip in band.strips]
    column = places[-1]
    at = len(places)
    while at > 1 and len(places[at - 1]) == 1 and places[at - 1] == column:
        at -= 1
    beside = [[item for item in strip if {bisect_right(starts, item.start)} == column] for strip in band.strips[:at]]
    before = next((strip for strip in reversed(beside) if strip), [])
    while at < len(places) and (not before or _gap(before, band.strips[at]) <= _BREAK * size):
        before = band.strips[at]
        at += 1
    above, rest = _Band(band.strips[:at], band.covered), _Band(band.strips[at:], [])
    if not rest.strips or not _are_balanced(above):
        return [band]
    edge = max(item.end for item in _parts(above)[max(column) - 1])
    if any(item.end > edge - _REACHED * size for item in rest.items()):
        return [band]
    rest.covered = _covered(rest.items())
    return [above, rest]


def _gap(above: Sequence[Item], below: Sequence[Item]) -> float:
    return min(item.low for item in above) - max(item.high for item in below)


def _are_balanced(band: _Band) -> bool:
    """Whether it is of columns of text, none of them much shorter than another."""
    parts = _parts(band)
    heights = [max(item.high for item in part) - min(item.low for item in part) for part in parts if part]
    if len(heights) < len(parts) or min(heights) < _BALANCED * max(heights):
        return False
    return all(_is_text(part) or (_is_column(part) and _is_flowing(part)) for part in parts)


def _take_back(band: _Band, after: _Band) -> None:
    """One column may begin higher than the others: what stands alone up there is its own, if nothing wider is close above."""
    if len(band.covered) != 1 or len(after.covered) < 2:
        return
    size = after.strips[0][0].size
    columns = [(start - 0.5 * size, end + 0.5 * size) for start, end in after.covered]
    below = after.strips[0]
    at = len(band.strips)
    while at:
        strip = band.strips[at - 1]
        if min(item.low for item in strip) - max(item.high for item in below) > _BREAK * size:
            break
        start, end = min(item.start for item in strip), max(item.end for item in strip)
        if not any(left <= start and end <= right for left, right in columns):
            return
        below = strip
        at -= 1
    after.strips[:0] = band.strips[at:]
    del band.strips[at:]


def _breaks(above: Sequence[Item], item: Item) -> bool:
    floor = min(one.low for one in above)
    return floor - item.high > _BREAK * item.size or all(abs(one.size - item.size) > 0.1 * item.size for one in above)


# ---- columns ------------------------------------------------------------------------------------------


def _columns(band: _Band) -> list[list[Item]]:
    """The band's columns from the left; a gutter with something beside it that is no column is none."""
    if len(band.covered) < 2:
        return [[]]
    parts = [part for part in _parts(band) if part]
    if len(parts) > _MOST_COLUMNS:
        return _sides(parts)
    found: list[list[Item]] = []
    for part in parts:
        if found and not _are_columns(found[-1], part):
            found[-1] = found[-1] + part
        else:
            found.append(part)
    return found if len(found) > 1 else _sides(parts)


def _parts(band: _Band) -> list[list[Item]]:
    """The band's items by the gutters between them."""
    starts = [start for start, _ in band.covered]
    parts: list[list[Item]] = [[] for _ in starts]
    for item in band.items():
        parts[max(0, bisect_right(starts, item.start) - 1)].append(item)
    return parts


def _are_columns(left: Sequence[Item], right: Sequence[Item]) -> bool:
    """Whether both are columns of text: at the same heights, sentences must go on in one of them."""
    if not (_is_column(left) and _is_column(right)):
        return False
    if any(_is_flowing(side) for side in (left, right)):
        return True
    if not _are_level(left, right):
        return True
    if _are_labels(left):
        return False
    if _are_far(left, right) or (_is_full(left) and _is_full(right)):
        return True
    return _are_blocks(left, right) or _are_blocks(right, left)


def _are_labels(items: Sequence[Item]) -> bool:
    """Whether most lines wait for a value: those of a form, however far from these they stand."""
    return 3 * sum(isinstance(item, Line) and item.text.endswith(":") for item in items) >= 2 * len(items)


def _are_blocks(plain: Sequence[Item], labelled: Sequence[Item]) -> bool:
    """Whether short blocks stand side by side: one of lines that say each what it is, so that none is a value of the
    other's, and one of lines that label nothing, an address.
    """
    lines = [item for item in labelled if isinstance(item, Line)]
    return (
        len(lines) == len(labelled) <= _LONGEST_BLOCK >= len(plain)
        and 3 * sum(_LABELLED.match(line.text) is not None for line in lines) >= 2 * len(lines)
        and not any(isinstance(item, Line) and ":" in item.text for item in plain)
    )


def _are_far(left: Sequence[Item], right: Sequence[Item]) -> bool:
    """Whether more is between them than either takes: two blocks, an address and what stands opposite."""
    end, start = max(item.end for item in left), min(item.start for item in right)
    return start - end > max(end - min(item.start for item in left), max(item.end for item in right) - start)


def _sides(parts: Sequence[list[Item]]) -> list[list[Item]]:
    """Two parts, one of them a column of text, and the other what stands beside it at heights of its own: a figure."""
    gutters = [
        (min(item.start for item in right) - max(item.end for item in left), at)
        for at, (left, right) in enumerate(pairwise(parts), start=1)
    ]
    for _, at in sorted(gutters, reverse=True)[:_MOST_TRIED]:
        left = [item for part in parts[:at] for item in part]
        right = [item for part in parts[at:] for item in part]
        for text, other in ((left, right), (right, left)):
            is_text = len(other) >= _FEWEST_LINES and _is_text(text)
            if is_text and (_is_flowing(text) or not _are_level(text, other)):
                return [left, right]
    return [[]]


def _is_text(items: Sequence[Item]) -> bool:
    lines = [item for item in items if isinstance(item, Line)]
    return _is_column(items) and sum(_length(line.text) for line in lines) >= _TEXT * len(lines) > 0


def _length(text: str) -> int:
    """In letters: an ideograph says as much as two, and leaders say nothing."""
    length = len(text) - text.count(".")
    return length if text.isascii() else length + sum(1 for _ in CJK.finditer(text))


def _is_flowing(items: Sequence[Item]) -> bool:
    """Whether sentences run on from line to line: cells of tables seldom begin with small letters."""
    return len(items) >= _FEWEST_FLOWING and 3 * sum(item.text[:1].islower() for item in items) >= len(items)


def _is_full(items: Sequence[Item]) -> bool:
    """Whether most lines fill their column, as cells seldom do."""
    width = max(item.end for item in items) - min(item.start for item in items)
    full = sum(1 for item in items if item.end - item.start > _FILLED * width)
    return len(items) > _FEWEST_LINES and 3 * full >= 2 * len(items) and _is_text(items)


def _are_level(text: Sequence[Item], other: Sequence[Item]) -> bool:
    """Whether most of the others stand on the base lines of the text: rows of a table, names before values."""
    heights = sorted(item.low for item in text)
    level = 0
    for item in other:
        at = bisect_right(heights, item.low - 0.2 * item.size)
        level += at < len(heights) and heights[at] <= item.low + 0.2 * item.size
    return 2 * level > len(other)


def _is_column(items: Sequence[Item]) -> bool:
    lines = [item for item in items if isinstance(item, Line)]
    if len(lines) < len(items):
        return True
    if len(lines) < _FEWEST_LINES:
        return False
    width = max(line.end for line in lines) - min(line.start for line in lines)
    # Wide spaces part lines of narrow columns: what counts is what stands at one height.
    rows = len({round(line.base) for line in lines})
    lengths = sum(_length(line.text) for line in lines)
    covered = sum(line.end - line.start for line in lines)
    return rows >= _FEWEST_LINES and lengths >= _FEWEST_CHARACTERS * rows and covered > _FULL * width * rows


def _without_repeats(columns: Sequence[list[Item]], order: Order) -> list[list[Item]]:
    """A sheet with the same page on it twice, side by side, is read once."""
    texts = [sorted(item.text for item in column) for column in columns]
    found = [columns[0]]
    for column, (before, text) in zip(columns[1:], pairwise(texts), strict=True):
        if len(text) >= _REPEATED and text == before:
            order.repeated += 1
        else:
            found.append(column)
    return found
