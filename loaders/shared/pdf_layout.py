"""From placed glyphs to paragraphs in reading order.

The rules are those of pdfminer's `LAParams` (glyphs near each other make lines, lines near and aligned
make boxes, the nearest boxes are grouped first), worked out in linear time: pdfminer merges boxes of lines
at quadratic cost and groups boxes at cubic cost. Text that runs in different directions is laid out
direction by direction, each turned upright first.
"""

from __future__ import annotations

import heapq
import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.pdf_content import Canvas, Placed

_LINE_OVERLAP: Final = 0.5
"""Of the lower glyph's height, what two glyphs of one line share at least."""
_CHAR_MARGIN: Final = 2.0
"""Of the wider glyph's width, how far apart two glyphs of one line may be."""
_NARROWEST: Final = 0.4
"""Of its height, the width that a glyph counts for at least: `i` and `l` keep their neighbours."""
_WORD_MARGIN: Final = 0.1
"""Of a glyph's larger side, the gap that is a space."""
_LINE_MARGIN: Final = 0.5
"""Of a line's size, how far lines of one box may be apart and out of alignment."""
_SIZE_TOLERANCE: Final = 0.15
_WINDOW: Final = 64
"""Lines above that a line is compared with: a dozen columns side by side."""
_NODES_PER_LINE: Final = 4
MOST_BOXES: Final = 60
"""Boxes that are grouped by nearness; more are put in order by rows and columns."""
_BOXES_FLOW: Final = 0.5
_DEEPEST_CUT: Final = 24

_RTL: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_CJK: Final = re.compile("[\u2e80-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60\uffe0-\uffe6]")
_HYPHENS: Final = "-\u00ad\u2010"
_WHITE_SPACE: Final = re.compile(r"[^\S\n]+")


@dataclass(slots=True)
class Line:
    """Glyphs side by side, in the frame of their direction. `size` is the height of most of them."""

    start: float
    end: float
    low: float
    high: float
    size: float
    text: str
    is_hidden: bool


class Paragraph(NamedTuple):
    """A box of lines. `line_count` and `size` tell headings from text."""

    text: str
    size: float
    line_count: int
    is_hidden: bool


class Box(NamedTuple):
    start: float
    low: float
    end: float
    high: float
    lines: Sequence[Line]


def paragraphs(canvas: Canvas, budget: Budget) -> tuple[list[Paragraph], bool]:
    """The page's paragraphs in reading order, and whether some were put in order by the simpler rule. Spends `nodes`."""
    found: list[Paragraph] = []
    is_simplified = False
    by_count = sorted(canvas.glyphs.items(), key=lambda item: (-len(item[1]), item[0]))
    for degrees, glyphs in by_count:
        lines = lines_of(glyphs)
        budget.spend("nodes", _NODES_PER_LINE * len(lines))
        _judge_visibility(lines, degrees, canvas)
        boxes = boxes_of(lines)
        if len(boxes) > MOST_BOXES:
            is_simplified = True
            ordered = by_rows_and_columns(boxes)
        else:
            ordered = by_nearness(boxes)
        for box in ordered:
            text = joined(box)
            if text:
                found.append(Paragraph(text, box.lines[0].size, len(box.lines), box.lines[0].is_hidden))
    return found, is_simplified


def _judge_visibility(lines: Iterable[Line], degrees: int, canvas: Canvas) -> None:
    """Text is hidden that is not painted, unless it lies over a picture as a scan's recognised text, or that is off the page."""
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    for line in lines:
        along, across = (line.start + line.end) / 2, (line.low + line.high) / 2
        x, y = along * cosine - across * sine, along * sine + across * cosine
        if line.is_hidden:
            line.is_hidden = not any(
                left <= x <= right and low <= y <= high for left, low, right, high in canvas.images
            )
        line.is_hidden |= not (0 <= x <= canvas.width and 0 <= y <= canvas.height)


# ---- lines ----------------------------------------------------------------------------------------------


def lines_of(glyphs: Sequence[Placed]) -> list[Line]:
    """Lines, from glyphs in the order they were drawn. Lines of white space alone are left out."""
    found: list[Line] = []
    current: list[Placed] = []
    last: Placed | None = None
    for glyph in glyphs:
        if last is not None and not _on_one_line(last, glyph):
            _close(current, found)
            current = []
        current.append(glyph)
        last = glyph
    _close(current, found)
    return found


def _on_one_line(last: Placed, glyph: Placed) -> bool:
    start, end, low, high, _, is_hidden = glyph
    last_start, last_end, last_low, last_high, _, was_hidden = last
    height, last_height = high - low, last_high - last_low
    overlap = (high if high < last_high else last_high) - (low if low > last_low else last_low)
    if is_hidden is not was_hidden or overlap <= _LINE_OVERLAP * (height if height < last_height else last_height):
        return False
    gap = start - last_end if start > last_end else last_start - end
    return gap < _CHAR_MARGIN * max(end - start, last_end - last_start, _NARROWEST * height)


def _close(glyphs: list[Placed], found: list[Line]) -> None:
    """Makes a line of `glyphs`, with a space where there is a gap."""
    if not glyphs:
        return
    parts: list[str] = []
    sizes: dict[float, int] = {}
    last_start, last_end = glyphs[0].start, glyphs[0].end
    for start, end, low, high, text, _ in glyphs:
        margin = _WORD_MARGIN * max(end - start, high - low)
        if start - last_end > margin or last_start - end > margin:
            parts.append(" ")
        parts.append(text)
        last_start, last_end = start, end
        size = round(high - low, 1)
        sizes[size] = sizes.get(size, 0) + 1
    text = "".join(parts)
    if _RTL.search(text):
        text = _logical(glyphs)
    text = _WHITE_SPACE.sub(" ", text.replace("\n", " ")).strip()
    if text:
        found.append(
            Line(
                min(glyph.start for glyph in glyphs),
                max(glyph.end for glyph in glyphs),
                min(glyph.low for glyph in glyphs),
                max(glyph.high for glyph in glyphs),
                max(sizes, key=lambda size: (sizes[size], size)),
                text,
                glyphs[0].is_hidden,
            )
        )


def _logical(glyphs: Sequence[Placed]) -> str:
    """A line with Hebrew or Arabic in it, from what is seen to what is read (UAX #9, rule L2 undone).

    The glyphs are taken as they stand on the page, whatever order they were drawn in. A glyph of several
    letters keeps their order.
    """
    ordered = sorted(glyphs, key=lambda glyph: (glyph.start + glyph.end, glyph.start))
    pieces: list[tuple[str, bool | None]] = []  # text, and whether it runs from right to left (None: either way)
    last_end = ordered[0].end
    for start, end, low, high, text, _ in ordered:
        if start - last_end > _WORD_MARGIN * max(end - start, high - low):
            pieces.append((" ", None))
        pieces.append((text, _direction(text)))
        last_end = max(last_end, end)
    base = sum(1 for _, direction in pieces if direction) >= sum(1 for _, direction in pieces if direction is False)
    runs = _runs(pieces, base)
    if base:
        runs.reverse()
    return "".join("".join(reversed(texts) if direction else texts) for direction, texts in runs)


def _direction(text: str) -> bool | None:
    for char in text:
        kind = unicodedata.bidirectional(char)
        if kind in ("R", "AL"):
            return True
        if kind in ("L", "EN", "AN"):
            return False
    return None


def _runs(pieces: Sequence[tuple[str, bool | None]], base: bool) -> list[tuple[bool, list[str]]]:
    """Runs of one direction; what goes either way follows its neighbours where they agree, else the line (rules N1, N2)."""
    runs: list[tuple[bool, list[str]]] = []
    neutral: list[str] = []
    for text, direction in pieces:
        if direction is None:
            neutral.append(text)
            continue
        if runs and runs[-1][0] is direction:
            runs[-1][1].extend([*neutral, text])
        else:
            if neutral:
                _extend(runs, base, neutral)
            _extend(runs, direction, [text])
        neutral = []
    if neutral:
        _extend(runs, base, neutral)
    return runs


def _extend(runs: list[tuple[bool, list[str]]], direction: bool, texts: list[str]) -> None:
    if runs and runs[-1][0] is direction:
        runs[-1][1].extend(texts)
    else:
        runs.append((direction, list(texts)))


# ---- boxes ----------------------------------------------------------------------------------------------


def boxes_of(lines: Sequence[Line]) -> list[Box]:
    """Lines below one another and aligned at the left, the right or in the middle make a box."""
    ordered = sorted(lines, key=lambda line: (-line.high, line.start))
    parents = list(range(len(ordered)))

    def root(index: int) -> int:
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    for index, line in enumerate(ordered):
        for other in range(max(0, index - _WINDOW), index):
            if _in_one_box(ordered[other], line):
                parents[root(index)] = root(other)
    groups: dict[int, list[Line]] = {}
    for index, line in enumerate(ordered):
        groups.setdefault(root(index), []).append(line)
    return [
        Box(
            min(line.start for line in group),
            min(line.low for line in group),
            max(line.end for line in group),
            max(line.high for line in group),
            group,
        )
        for group in groups.values()
    ]


def _in_one_box(above: Line, line: Line) -> bool:
    tolerance = _LINE_MARGIN * line.size
    if above.low - line.high > tolerance or above.is_hidden is not line.is_hidden:
        return False
    if abs(above.size - line.size) > _SIZE_TOLERANCE * max(above.size, line.size):
        return False
    if line.start > above.end or above.start > line.end:
        return False
    left, right = abs(above.start - line.start), abs(above.end - line.end)
    return (
        left <= tolerance or right <= tolerance or abs(above.start + above.end - line.start - line.end) <= 2 * tolerance
    )


# ---- reading order --------------------------------------------------------------------------------------


class _Group:
    """A box, or groups that were joined. Numbered, so that equal distances are decided the same way each time."""

    __slots__ = ("box", "end", "high", "low", "number", "parts", "start")

    def __init__(self, number: int, box: Box | None, parts: Sequence[_Group] = ()) -> None:
        members: Sequence[Box | _Group] = parts or ([box] if box else [])
        self.number = number
        self.box = box
        self.start: float = min(member.start for member in members)
        self.low: float = min(member.low for member in members)
        self.end: float = max(member.end for member in members)
        self.high: float = max(member.high for member in members)
        self.parts = sorted(
            parts, key=lambda part: (1 - _BOXES_FLOW) * part.start - (1 + _BOXES_FLOW) * (part.low + part.high)
        )

    def area(self) -> float:
        return (self.end - self.start) * (self.high - self.low)


def by_nearness(boxes: Sequence[Box]) -> list[Box]:
    """Joins the two nearest groups with nothing between them, again and again; each pair is read from the top left.

    Nearness is the area that a joint rectangle would add. Cost grows with the cube of the boxes: few only.
    """
    alive = {number: _Group(number, box) for number, box in enumerate(boxes)}
    waiting = [
        (False, _distance(alive[one], alive[other]), one, other)
        for one in alive
        for other in range(one + 1, len(boxes))
    ]
    heapq.heapify(waiting)
    number = len(boxes)
    while waiting:
        was_put_off, distance, one, other = heapq.heappop(waiting)
        if one not in alive or other not in alive:
            continue
        if not was_put_off and _is_between(alive[one], alive[other], alive.values()):
            heapq.heappush(waiting, (True, distance, one, other))
            continue
        group = _Group(number, None, (alive.pop(one), alive.pop(other)))
        for key, rest in alive.items():
            heapq.heappush(waiting, (False, _distance(group, rest), key, number))
        alive[number] = group
        number += 1
    return [box for group in alive.values() for box in _boxes(group)]


def _distance(one: _Group, other: _Group) -> float:
    width = max(one.end, other.end) - min(one.start, other.start)
    height = max(one.high, other.high) - min(one.low, other.low)
    return width * height - one.area() - other.area()


def _is_between(one: _Group, other: _Group, groups: Iterable[_Group]) -> bool:
    start, end = min(one.start, other.start), max(one.end, other.end)
    low, high = min(one.low, other.low), max(one.high, other.high)
    return any(
        group.start < end and start < group.end and group.low < high and low < group.high
        for group in groups
        if group is not one and group is not other
    )


def _boxes(group: _Group) -> Iterable[Box]:
    waiting = [group]
    while waiting:
        current = waiting.pop()
        if current.box is not None:
            yield current.box
        waiting.extend(reversed(current.parts))


def by_rows_and_columns(boxes: Sequence[Box], depth: int = 0) -> list[Box]:
    """Cuts the page at its gutters while both sides look like columns of text, else reads row by row.

    For pages of many boxes: tables, forms, maps. Cost is that of sorting.
    """
    sides = _cut(boxes) if depth < _DEEPEST_CUT else None
    if sides is None:
        return _rows(boxes)
    return [box for side in sides for box in by_rows_and_columns(side, depth + 1)]


def _cut(boxes: Sequence[Box]) -> tuple[list[Box], list[Box]] | None:
    """The two sides of the widest gutter from top to bottom, if their boxes fill most of their widths."""
    ordered = sorted(boxes, key=lambda box: box.start)
    reach, widest, at = -math.inf, 0.0, 0
    for index, box in enumerate(ordered):
        if index and box.start - reach > widest:
            widest, at = box.start - reach, index
        reach = max(reach, box.end)
    left, right = ordered[:at], ordered[at:]
    return (left, right) if _is_column(left) and _is_column(right) else None


def _is_column(boxes: Sequence[Box]) -> bool:
    if len(boxes) < 3:
        return False
    width = max(box.end for box in boxes) - min(box.start for box in boxes)
    return sum(box.end - box.start for box in boxes) > 0.5 * width * len(boxes)


def _rows(boxes: Sequence[Box]) -> list[Box]:
    """A row is what shares half of its height with the row's first box."""
    found: list[Box] = []
    row: list[Box] = []
    for box in sorted(boxes, key=lambda box: (-box.high, box.start)):
        if row and min(box.high, row[0].high) - max(box.low, row[0].low) < 0.5 * min(
            box.high - box.low, row[0].high - row[0].low
        ):
            found.extend(sorted(row, key=lambda box: box.start))
            row = []
        row.append(box)
    found.extend(sorted(row, key=lambda box: box.start))
    return found


# ---- text -----------------------------------------------------------------------------------------------


def joined(box: Box) -> str:
    """The box's lines as text: words broken at a line's end are whole again, and line breaks that were meant stay.

    A break is meant where the next line's first word would still have fitted (as in verses, addresses, lists).
    """
    parts: list[str] = []
    previous: Line | None = None
    for line in box.lines:
        if previous is not None:
            parts[-1], separator = _seam(parts[-1], line.text, is_meant=_would_fit(previous, line, box))
            parts.append(separator)
        parts.append(line.text)
        previous = line
    return "".join(parts).replace("\u00ad", "").strip()


def _would_fit(previous: Line, line: Line, box: Box) -> bool:
    word = line.text.split(" ", 1)[0]
    width = (line.end - line.start) * (len(word) + 1) / max(1, len(line.text))
    return width < box.end - previous.end


def _seam(before: str, after: str, *, is_meant: bool) -> tuple[str, str]:
    """The text before a line's end as it stays, and what separates it from the text after."""
    if before[-1:] in _HYPHENS and before[-2:-1].isalpha() and after[:1].islower():
        return before[:-1], ""
    if is_meant:
        return before, "\n"
    return before, "" if _CJK.match(before[-1:]) and _CJK.match(after[:1]) else " "
