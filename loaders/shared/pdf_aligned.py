"""Tables without upright rules: rows of several cells, between which the same gutters run down."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from fumehood.loaders.shared.pdf_carried import NOTHING, Carried, running_key
from fumehood.loaders.shared.pdf_lines import Line
from fumehood.loaders.shared.pdf_tables import Cell, Rule, Table

Row = list[Line]
"""Parts of one line from the left."""

_GUTTER: Final = 0.6
"""Of the size, how wide the gutter between two columns of a table is at least."""
_FARTHEST: Final = 3.0
"""Of the size, how far apart rows of one table may be; further, if all are."""
_LARGER: Final = 1.8
"""How much larger than the other one of two lines at one height is at most, or they have nothing in common."""
_FEWEST_ROWS: Final = 3
_LONGEST: Final = 45
"""Characters that the cells of a table have on average at most; more is text in columns."""
_SPARSEST: Final = 0.4
"""Of its cells, how many of a table hold something at least."""
_ACROSS: Final = 0.6
"""Of a table's width, how far a rule goes that parts its rows."""
_MOST_COLUMNS: Final = 256
_MOST_HEADS: Final = 2
"""Rows of heads that may span columns."""
_FEWEST_SLOTS: Final = 3
_LEADERS: Final = re.compile(r"(?:[.\u2026_]\s?){4}")
_LONGEST_PAGE: Final = 5
"""Digits of the number of a page."""
_MARK: Final = re.compile(r"\W{1,2}|\(?(?:\d{1,3}|[A-Za-z]|[ivxlcIVXLC]{1,5})[.)]")
"""What stands before an item of a list."""
_CONTINUED: Final = 1.4
"""Of the size, how far below a cell's line the next line of the same cell is at most."""


@dataclass(slots=True)
class _Block:
    """Rows that the same gutters part."""

    rows: list[Row] = field(default_factory=list)
    covered: list[tuple[float, float]] = field(default_factory=list)


def rows_of(lines: Sequence[Line]) -> list[Row]:
    """Lines at about one height together, from the top."""
    found: list[Row] = []
    for line in sorted(lines, key=lambda line: (-line.base, line.start)):
        last = found[-1][0] if found else line
        smaller, larger = sorted((line.size, last.size))
        if found and last.base - line.base <= 0.3 * smaller and larger <= _LARGER * smaller:
            found[-1].append(line)
        else:
            found.append([line])
    for row in found:
        row.sort(key=lambda line: line.start)
    return found


def with_tables(rows: Sequence[Row], floors: Sequence[Rule] = (), carried: Carried = NOTHING) -> list[Row | Table]:
    """The rows, those that make a table as one. `floors`: rules that may part rows of tables, from the lowest.

    `carried`: a table that may go on in the first rows, below what is running.
    """
    found: list[Row | Table] = []
    at = 0
    while at < len(rows):
        table, end = _table_at(rows, at, floors) if len(rows[at]) > 1 else (None, at + 1)
        if carried.columns and not _is_running(rows[at], carried):
            if table is None:
                table, end = _carried_at(rows, at, floors, carried) or (None, end)
            carried = NOTHING
        if table is None:
            found += rows[at:end]
        else:
            found.append(table)
        at = end
    return found


def _table_at(rows: Sequence[Row], at: int, floors: Sequence[Rule]) -> tuple[Table | None, int]:
    """The table that starts with a row, and where what follows starts. Rows that make none are not looked at twice."""
    block = _Block()
    end = at
    while end < len(rows) and _takes(block, rows[end]):
        end += 1
    while end - 1 > at and len(rows[end - 1]) == 1:
        end -= 1
        block.rows.pop()
    block.covered = _below_heads(block.rows)
    return (_table(block, floors) if _is_table(block) else None), end


def as_row(parts: Sequence[Line]) -> Table:
    """The table that a row alone would be, whatever its cells hold."""
    return _table(_Block([list(parts)], [(line.start, line.end) for line in parts]), ())


def _is_contents(rows: Sequence[Row]) -> bool:
    """Whether it is a table of contents: leaders, and numbers of pages that only grow."""
    ends = [row[-1].text.rsplit(" ", 1)[-1] for row in rows]
    pages = [int(number) for number in ends if number.isdecimal() and len(number) <= _LONGEST_PAGE]
    leaders = sum(any(_LEADERS.search(line.text) for line in row) for row in rows)
    return (
        2 * leaders >= len(rows) and 2 * len(pages) >= len(rows) and all(one <= other for one, other in pairwise(pages))
    )


def _below_heads(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """The columns, by the rows below heads that span some: these have fewer cells, and may hide gutters."""
    lengths = [len(row) for row in rows[: _MOST_HEADS + 1]]
    first = lengths.index(max(lengths))
    covered = _covered(rows[first:])
    starts = [start for start, _ in covered]
    are_apart = all(len({_place(line, starts, covered) for line in row}) == len(row) for row in rows[:first])
    return covered if are_apart else _covered(rows)


def _is_running(row: Row, carried: Carried) -> bool:
    return running_key(" ".join(line.text for line in row)) in carried.running


def _carried_at(rows: Sequence[Row], at: int, floors: Sequence[Rule], carried: Carried) -> tuple[Table, int] | None:
    """What goes on of a table in the columns that it has: a row is enough, with further lines of its cells."""
    block = _Block()
    end = at
    while end < len(rows) and _goes_on(block, rows[end], carried):
        block.rows.append(rows[end])
        end += 1
    if not block.rows:
        return None
    block.covered = _covered(block.rows)
    return _table(block, floors), end


def _goes_on(block: _Block, row: Row, carried: Carried) -> bool:
    if not carried.fits([line.text for line in row], [(line.start, line.end) for line in row], row[0].size):
        return False
    if not block.rows:
        return len(row) > 1 and sum(len(line.text) for line in row) <= _LONGEST * len(row)
    return block.rows[-1][0].base - row[0].base <= (_FARTHEST if len(row) > 1 else _CONTINUED) * row[0].size


def _covered(rows: Sequence[Row]) -> list[tuple[float, float]]:
    found: list[tuple[float, float]] = []
    gutter = _GUTTER * rows[0][0].size
    for line in sorted((line for row in rows for line in row), key=lambda line: line.start):
        if found and line.start - found[-1][1] < gutter:
            found[-1] = found[-1][0], max(found[-1][1], line.end)
        else:
            found.append((line.start, line.end))
    return found


def _takes(block: _Block, row: Row) -> bool:
    """Adds the row if gutters are left with it: at most as many fewer as a cell that spans two columns takes."""
    if not block.rows:
        block.rows.append(row)
        block.covered = _covered([row])
        return True
    last = block.rows[-1][0]
    gap = last.base - row[0].base
    farthest = _FARTHEST * last.size
    if len(block.rows) > 1:
        farthest = max(farthest, 1.3 * (block.rows[-2][0].base - last.base))
    if gap > farthest or abs(last.size - row[0].size) > 0.3 * last.size:
        return False
    gutter = _GUTTER * last.size
    both: list[tuple[float, float]] = []
    for start, end in sorted([*block.covered, *((line.start, line.end) for line in row)]):
        if both and start - both[-1][1] < gutter:
            both[-1] = both[-1][0], max(both[-1][1], end)
        else:
            both.append((start, end))
    if not 2 <= len(both) <= _MOST_COLUMNS or len(both) < min(len(block.covered), len(row)) - 1:
        return False
    if len(row) == 1 and not _is_within(row[0], both):
        return False
    block.rows.append(row)
    block.covered = both
    return True


def _is_within(line: Line, columns: Sequence[tuple[float, float]]) -> bool:
    """Whether a line alone stands in a column, rather than being a heading in the margin of one."""
    return any(start <= line.start and line.end <= end for start, end in columns)


def _is_table(block: _Block) -> bool:
    full = [row for row in block.rows if len(row) > 1]
    columns = len(block.covered)
    fewest = _FEWEST_ROWS if columns == 2 else _FEWEST_ROWS - 1
    if columns < 2 or len(full) < fewest or 2 * len(full) < len(block.rows):
        return False
    cells = [line for row in block.rows for line in row]
    if sum(len(line.text) for line in cells) > _LONGEST * len(cells) or len(cells) < _SPARSEST * columns * len(full):
        return False
    if _is_contents(full):
        return False
    firsts = [row[0] for row in full]
    return not (columns == 2 and sum(_MARK.fullmatch(line.text) is not None for line in firsts) * 2 > len(firsts))


def _table(block: _Block, floors: Sequence[Rule]) -> Table:
    starts = [start for start, _ in block.covered]
    widths = [end - start for start, end in block.covered]
    rows: list[list[Cell]] = []
    above: Row = []
    slots = _slots(block, floors)
    for index, row in enumerate(block.rows):
        places = [_place(line, starts, block.covered) for line in row]
        if slots:
            is_more = index > 0 and slots[index] == slots[index - 1]
        else:
            is_more = bool(rows) and places[0] > 0 and _continues(rows[-1], row, places, above, widths)
        if not is_more:
            rows.append([Cell() for _ in starts])
        for line, place in zip(row, places, strict=True):
            _put(rows[-1][place], line)
        above = row
    lines = [line for row in block.rows for line in row]
    return Table(
        starts[0],
        max(end for _, end in block.covered),
        min(line.low for line in lines),
        max(line.high for line in lines),
        lines[0].size,
        rows,
        block.covered,
    )


def _place(line: Line, starts: Sequence[float], covered: Sequence[tuple[float, float]]) -> int:
    """The column that it stands in: the first that it touches, else the one before it."""
    before = max(0, bisect_right(starts, line.start) - 1)
    is_past = line.start >= covered[before][1] and before + 1 < len(covered)
    return before + 1 if is_past and line.end > starts[before + 1] else before


def _slots(block: _Block, floors: Sequence[Rule]) -> list[int]:
    """For each row between which of the rules it stands, where rules part all rows; else nothing."""
    start, end = block.covered[0][0], block.covered[-1][1]
    heights = [rule.at for rule in floors if min(rule.end, end) - max(rule.start, start) >= _ACROSS * (end - start)]
    slots = [bisect_right(heights, row[0].base) for row in block.rows]
    if len(set(slots)) < _FEWEST_SLOTS:
        return []
    # Where several whole rows stand between two rules, these part groups of rows.
    more = [row for row, slot, before in zip(block.rows[1:], slots[1:], slots, strict=False) if slot == before]
    whole = sum(1 for row in more if len(row) == len(block.covered))
    return slots if whole * 4 <= len(more) or 3 * len(more) <= len(slots) else []


def _continues(cells: Sequence[Cell], row: Row, places: Sequence[int], above: Row, widths: Sequence[float]) -> bool:
    """Whether a row whose first cell is empty is the next line of cells above it, which were too long for one."""
    if above[0].base - row[0].base > _CONTINUED * row[0].size:
        return False
    wide = {line.text: line.end - line.start for line in above}
    return all(cells[place].text and max(wide.values()) > 0.6 * widths[place] for place in places)


def _put(cell: Cell, line: Line) -> None:
    shift = len(cell.text) + 1 if cell.text else 0
    cell.text = f"{cell.text} {line.text}" if cell.text else line.text
    if line.links:
        cell.links = [*cell.links, *((start + shift, end + shift, target) for start, end, target in line.links)]
