"""From the lines of a region to paragraphs, items of lists and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Final

import msgspec

from fumehood.document import Role
from fumehood.loaders.shared.builder import LinkSpan
from fumehood.loaders.shared.pdf_aligned import Row, rows_of, with_tables
from fumehood.loaders.shared.pdf_boxes import Box
from fumehood.loaders.shared.pdf_carried import NOTHING, Carried
from fumehood.loaders.shared.pdf_columns import Item
from fumehood.loaders.shared.pdf_joining import joined, would_fit
from fumehood.loaders.shared.pdf_lines import Line, are_cjk
from fumehood.loaders.shared.pdf_tables import Rule, Table

_LEADING: Final = 1.3
"""Of the usual distance of lines, the most within a paragraph."""
_TIGHTEST: Final = 1.5
"""Of their size, how far apart lines of a paragraph may be in any case."""
_WIDEST: Final = 2.6
_SIZE_TOLERANCE: Final = 0.15
_INDENT: Final = 0.8
"""Of the size, how far a line stands in at least to begin a paragraph."""
_END: Final = re.compile(r"[.!?:\u3002\uff01\uff1f\u2026][\"'\u201d\u2019)\]]?\Z")
_ENTRY: Final = re.compile(r"(?:[.\u2026_]\s?){4,}\s*\S{1,8}\Z")
"""The end of a line in a table of contents."""
_FEWEST_LEADERS: Final = 4
_LONGEST_END: Final = 80
_PAGE: Final = re.compile(r" \d{1,4}\Z")
"""The end of an entry without leaders: a chapter's, above its sections'."""
_NOTE: Final = re.compile(r"(?:\d{1,2}|[*\u2217\u2020\u2021\u00a7\u00b6])(?=[A-Z])")
"""The mark of a footnote, raised right before its first word."""
_COUNTED: Final = re.compile(r"(\d{1,3}) +(?=[^\W\d_])")
_BULLET: Final = re.compile(
    "([\u2022\u2023\u25aa\u25ab\u25cf\u25cb\u25e6\u25a0\u25a1\u25ba\u2043\u2219\u27a2\u2713\u2714\u2756\u00b7\ue000-\uf8ff]"
    "|[-*\u2013\u2014](?= ))[ ]*(?=\\S)"
)
_NUMBER: Final = re.compile(r"(\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)])[ ]+(?=\S)")
_DASHES: Final = "-*\u2013\u2014"


class Piece(msgspec.Struct):
    """A block to be, in reading order. `rows` of tables; `marker` and `depth` of items of lists; `role` of the others."""

    text: str
    size: float
    start: float
    low: float
    high: float
    line_count: int = 1
    is_bold: bool = False
    is_fixed: bool = False
    is_visible: bool = True
    is_aside: bool = False
    """Whether it runs in another direction than most of its page."""
    is_entry: bool = False
    """Whether it is an entry of a table of contents, or a chapter above its sections there."""
    role: Role = "paragraph"
    marker: str = ""
    depth: int = 0
    links: Sequence[LinkSpan] = ()
    table: Table | None = None
    first_line: str = ""
    """Of several lines: what may be a running header, set solid against the text. `last_line` alike."""
    last_line: str = ""
    parts: Sequence[Line] = ()
    """Of a single line: what stands side by side in it, if it does."""


def pieces_of(
    items: Sequence[Item],
    known: AbstractSet[str],
    floors: Sequence[Rule] = (),
    begun: set[int] | None = None,
    carried: Carried = NOTHING,
    right: float | None = None,
) -> list[Piece]:
    """The pieces of a region from the top. `known`: compounds of the page; `floors`: its level rules, from the lowest.

    `begun`: numbers of tagged items that have begun on the page, which is added to. `carried`: a table that may go on
    in the first rows. `right`: where lines would have to end to be full, if not where the longest does.
    """
    begun = set() if begun is None else begun
    lines = [item for item in items if isinstance(item, Line)]
    parts: list[Row | Table | Box] = [item for item in items if not isinstance(item, Line)]
    parts += with_tables(rows_of(lines), floors, NOTHING if parts else carried)
    parts.sort(key=_top)
    if right is None:
        right = max((item.end for item in items if not isinstance(item, Box)), default=0.0)
    found: list[Piece] = []
    texts: list[Line] = []
    for part in parts:
        if isinstance(part, Table):
            found += _of_text(texts, right, known, begun)
            texts = []
            found.append(Piece("", part.size, part.start, part.low, part.high, table=part))
        elif isinstance(part, Box):
            found += _of_text(texts, right, known, begun)
            texts = []
            for region in part.regions:
                found += pieces_of(region, known, floors, begun, right=part.right if len(part.regions) == 1 else None)
        else:
            texts.append(part[0] if len(part) == 1 else _one(part))
    found += _of_text(texts, right, known, begun)
    return found


def _top(part: Row | Table | Box) -> float:
    return -max(line.high for line in part) if isinstance(part, list) else -part.high


def _one(row: Row) -> Line:
    """What stands side by side for no reason that we know, as one line."""
    parts: list[str] = []
    length = 0
    links: list[LinkSpan] = []
    for line in row:
        if parts:
            separator = "" if are_cjk(parts[-1], line.text) else " "
            parts.append(separator)
            length += len(separator)
        links += [(start + length, end + length, target) for start, end, target in line.links]
        parts.append(line.text)
        length += len(line.text)
    first = max(row, key=lambda line: len(line.text))
    return Line(
        row[0].start,
        max(line.end for line in row),
        first.base,
        first.size,
        "".join(parts),
        all(line.is_bold for line in row),
        all(line.is_fixed for line in row),
        links,
        row[0].item,
        row,
    )


# ---- paragraphs ---------------------------------------------------------------------------------------


def _of_text(lines: Sequence[Line], right: float, known: AbstractSet[str], begun: set[int]) -> list[Piece]:
    if not lines:
        return []
    markers = _markers(lines, begun)
    ends = _ends_of_entries(lines)
    leading = _usual_leading(lines)
    groups: list[list[Line]] = []
    firsts: list[int] = []
    for index, line in enumerate(lines):
        if (
            groups
            and markers[index] is None
            and not ends[index - 1]
            and not _begins(groups[-1], line, right, leading, markers[firsts[-1]])
        ):
            groups[-1].append(line)
        else:
            groups.append([line])
            firsts.append(index)
    found = [_piece(group, markers[first], right, known) for group, first in zip(groups, firsts, strict=True)]
    for piece, after in zip(found, firsts[1:], strict=False):
        piece.is_entry = ends[after - 1]
    _set_depths(found)
    return [piece for piece in found if piece.text]


def _usual_leading(lines: Sequence[Line]) -> float:
    """The distance of base lines, of their size, that most lines of one size have."""
    distances = sorted(
        (above.base - line.base) / line.size
        for above, line in pairwise(lines)
        if abs(above.size - line.size) <= _SIZE_TOLERANCE * line.size and above.base - line.base <= _WIDEST * line.size
    )
    return distances[len(distances) // 2] if distances else 1.2


def _begins(group: Sequence[Line], line: Line, right: float, leading: float, marker: str | None) -> bool:
    """Whether `line` begins a paragraph, rather than going on with the group's."""
    last = group[-1]
    gap = last.base - line.base
    if abs(last.size - line.size) > _SIZE_TOLERANCE * max(last.size, line.size) or gap < 0:
        return True
    if _NOTE.match(line.text) or _follows(group[0], line):
        return True
    if gap > max(_TIGHTEST, _LEADING * leading) * line.size:
        return True
    if gap > _TIGHTEST * line.size and would_fit(last, line, right):
        return True  # set apart as far as lines of double spacing, but none that was full
    if last.is_bold is not line.is_bold and (would_fit(last, line, right, 3) or line.is_bold):
        return True
    if not line.text[:1].islower() and _END.search(last.text[-2:]) and would_fit(last, line, right, 2):
        return True
    return _is_moved(group, line, right, marker)


def _ends_of_entries(lines: Sequence[Line]) -> list[bool]:
    """Of each line but the last, whether an entry of a table of contents ends with it, by itself or by the next one."""
    entries = [_is_entry(line.text[-_LONGEST_END:]) for line in lines]
    if not any(entries):
        return entries[1:]
    return [
        entry or (following and _PAGE.search(line.text) is not None)
        for line, (entry, following) in zip(lines, pairwise(entries), strict=False)
    ]


def _is_entry(end: str) -> bool:
    leaders = end.count(".") + end.count("\u2026") + end.count("_")
    return leaders >= _FEWEST_LEADERS and _ENTRY.search(end) is not None


def _follows(first: Line, line: Line) -> bool:
    """Whether `line` begins with the number after the one that the paragraph began with: notes, one below the other."""
    if not first.text[:1].isdecimal():
        return False
    one, other = _COUNTED.match(first.text), _COUNTED.match(line.text)
    return one is not None and other is not None and int(other[1]) == int(one[1]) + 1


def _is_moved(group: Sequence[Line], line: Line, right: float, marker: str | None) -> bool:
    """Whether the line's left edge says that it begins a paragraph."""
    last = group[-1]
    indent = line.start - last.start
    margin = _INDENT * line.size
    if abs(indent) < margin or abs(last.start + last.end - line.start - line.end) < 2 * margin:
        return False  # as the last, or both in the middle
    if len(group) == 1:
        # A first line stands in, or out before the lines of an item.
        return indent < 0 and marker is not None if indent < 0 else would_fit(last, line, right)
    return True


def _piece(group: Sequence[Line], marker: str | None, right: float, known: AbstractSet[str]) -> Piece:
    text, links = joined(group, right, known)
    if marker is not None:
        match = _BULLET.match(text) or _NUMBER.match(text)
        cut = match.end() if match is not None else 0
        text = text[cut:]
        links = [(max(0, start - cut), end - cut, target) for start, end, target in links if end > cut]
    first = group[0]
    return Piece(
        text,
        first.size,
        first.start,
        group[-1].low,
        first.high,
        len(group),
        all(line.is_bold for line in group),
        all(line.is_fixed for line in group),
        marker=marker or "",
        role="paragraph" if marker is None else "list-item",
        links=links,
        first_line=first.text if len(group) > 1 else "",
        last_line=group[-1].text if len(group) > 1 else "",
        parts=first.parts if len(group) == 1 else (),
    )


# ---- lists --------------------------------------------------------------------------------------------


def _markers(lines: Sequence[Line], begun: set[int]) -> list[str | None]:
    """The mark of each line that begins an item, as its text shows or its tags say.

    One number alone, or one dash, makes no list.
    """
    found: list[str | None] = []
    for line in lines:
        bullet = _BULLET.match(line.text)
        number = None if bullet is not None else _NUMBER.match(line.text)
        found.append(bullet[1] if bullet is not None else number[1] if number is not None else None)
    dashes = sum(1 for mark in found if mark is not None and mark in _DASHES)
    numbers = set(_in_sequence([mark for mark in found if mark is not None]))
    for index, mark in enumerate(found):
        item = lines[index].item
        if item is not None and item not in begun:
            begun.add(item)
            found[index] = mark if mark is not None and mark[-1] in ".)" else "-"
        elif mark is None:
            continue
        elif mark in _DASHES:
            found[index] = "-" if dashes > 1 else None
        elif mark[-1] in ".)":
            found[index] = mark if mark in numbers else None
        else:
            found[index] = "-"
    return found


def _in_sequence(marks: Sequence[str]) -> Iterator[str]:
    """The numbered marks that have a neighbour, one more or one less, of the same form."""
    known = set(marks)
    for mark in known:
        number = mark.strip("(.)")
        if number.isdigit():
            near = [str(int(number) - 1), str(int(number) + 1)]
        elif len(number) == 1:
            near = [chr(ord(number) - 1), chr(ord(number) + 1)]
        else:
            near = []
        near += _ROMAN_NEIGHBOURS.get(number, [])
        if any(mark.replace(number, one) in known for one in near):
            yield mark


_ROMAN: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv")
_ROMAN_NEIGHBOURS: Final = {
    number: [*_ROMAN[max(0, index - 1) : index], *_ROMAN[index + 1 : index + 2]] for index, number in enumerate(_ROMAN)
}


def _set_depths(pieces: Sequence[Piece]) -> None:
    """Items that stand further to the right are inside of those before them."""
    starts: list[float] = []
    for piece in pieces:
        if piece.role != "list-item":
            starts.clear()
            continue
        while starts and piece.start < starts[-1] - 0.5 * piece.size:
            starts.pop()
        if not starts or piece.start > starts[-1] + 0.5 * piece.size:
            starts.append(piece.start)
        piece.depth = len(starts)
