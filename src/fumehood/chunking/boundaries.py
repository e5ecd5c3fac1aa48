"""Which units start a section: headings, and the elements of data."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from fumehood.chunking.options import Options
from fumehood.chunking.outline import Outline
from fumehood.document import Block, Locator

DEEPEST = 1_000_000
"""No heading's level is higher."""


def section_starts(outline: Outline, options: Options) -> list[int]:
    """The indexes of the units that start a section, in order; the first is 0."""
    units = outline.units
    starts = _headings(outline, options)
    if options.boundaries == "records":
        starts = sorted({*starts, *_records(units)})
    return starts if starts and starts[0] == 0 else [0, *starts]


def _headings(outline: Outline, options: Options) -> list[int]:
    structural = DEEPEST if options.structural_levels is None else options.structural_levels
    found = [
        index for index, unit in enumerate(outline.units) if unit.role == "heading" and (unit.level or 1) <= structural
    ]
    if outline.headings and structural:
        found = sorted({*found, *outline.headings})
    return _with_titles_joined(outline, found) if options.merge_headings else found


def _with_titles_joined(outline: Outline, starts: list[int]) -> list[int]:
    """Without a heading that stands right below a higher one: the two head one section."""
    kept: list[int] = []
    previous, above = -2, 0
    for index in starts:
        level = _level(outline, index)
        if index != previous + 1 or level <= above or not _is_title(outline, previous):
            kept.append(index)
        previous, above = index, level
    return kept


def _level(outline: Outline, index: int) -> int:
    heading = outline.headings.get(index)
    return heading.level if heading is not None else outline.units[index].level or 1


def _is_title(outline: Outline, index: int) -> bool:
    """Whether the unit is a heading and no more: a numbered point holds its own text."""
    heading = outline.headings.get(index)
    unit = outline.units[index]
    return unit.role == "heading" or (heading is not None and unit.end - unit.start <= len(heading.name))


def _records(units: Sequence[Block]) -> list[int]:
    """Where the top-level element of data changes (the first token of a JSON pointer), and where a mail's body begins."""
    found: list[int] = []
    elements = [_element(unit.locator) for unit in units]
    for index, (before, unit) in enumerate(pairwise(units), 1):
        # A table's header row stays with the first element below it.
        heads = before.role == "table-row" and before.level == 1 and unit.group == before.group
        other = not heads and elements[index - 1] != elements[index]
        if other or (before.role == "header" and unit.role != "header"):
            found.append(index)
    return found


def _element(locator: Locator | None) -> tuple[int | None, str]:
    if locator is None:
        return None, ""
    path = locator.path or ""
    return locator.sheet, path[1:].partition("/")[0] if path.startswith("/") else ""
