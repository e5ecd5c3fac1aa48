"""From spans to chunks: heading path, locators, roles, context. Spans come in order, so every unit is passed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from fumehood.chunking.fences import fence_lines, is_closed
from fumehood.chunking.model import NO_CONTEXT, Context, Piece, Value
from fumehood.chunking.options import Options
from fumehood.chunking.outline import Outline
from fumehood.chunking.pack import Span
from fumehood.chunking.segmentation import skip_space
from fumehood.document import Block, Locator, Role
from fumehood.hygiene import clean_line
from fumehood.markdown_inline import heading_text

MAX_PATH: Final = 64
"""Headings in a path: the innermost. Honest documents have fewer than ten levels."""
MAX_HEADING: Final = 500
"""Characters of a heading in a path."""
SEPARATOR: Final = " > "


class Surroundings(NamedTuple):
    """What is known of a span: the path of headings with the innermost one's level, the units from `first` to `last`.

    `core` is the unit that it starts in without what is carried over.
    """

    headings: tuple[str, ...]
    level: int
    context: Context
    first: int
    core: int
    last: int


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Below which headings a text stands: the innermost one's level, the path of names, what chunks repeat of it.

    Nothing changes it, so that looking at a longer span leaves no trace on a shorter one.
    """

    level: int
    path: tuple[str, ...]
    context: Context
    above: Place | None


class Passed:
    """What the way through a document has led past: the headings in force, the header rows of tables."""

    def __init__(self, name: str, max_breadcrumb: int) -> None:
        self._name = name
        self._max = max_breadcrumb
        self.place = Place(0, (), self._context(()), None)
        self.tables: dict[int, tuple[int, int]] = {}
        """By group, where its header row starts and ends: the last table, and those that what is carried over may start in."""

    def below(self, place: Place, level: int, name: str) -> Place:
        """Where what follows a heading stands that itself stands at `place`."""
        above = place
        while above.above is not None and above.level >= level:
            above = above.above
        path = (*above.path, name)[-MAX_PATH:]
        return Place(level, path, self._context(path), above)

    def _context(self, path: tuple[str, ...]) -> Context:
        parts = path if path[:1] == (self._name,) or not self._name else (self._name, *path)
        breadcrumb = cut_left(SEPARATOR.join(parts), self._max)
        return Context(breadcrumb) if breadcrumb else NO_CONTEXT


def cut_left(breadcrumb: str, most: int) -> str:
    """At most `most` characters of it: whole parts from the right, or the end of the last one."""
    if len(breadcrumb) <= most:
        return breadcrumb
    first = len(breadcrumb) - most
    separator = breadcrumb.find(SEPARATOR, max(0, first - len(SEPARATOR)))
    return breadcrumb[first:].lstrip() if separator < 0 else breadcrumb[separator + len(SEPARATOR) :]


class Dresser:
    """Answers what surrounds spans, which must come in order of `core`; :meth:`come_to` tells of each that is whole."""

    def __init__(self, text: str, outline: Outline, passed: Passed, options: Options) -> None:
        self._text = text
        self._units = outline.units
        self._promoted = outline.headings
        self._passed = passed
        self._max_size = options.max_size
        self._entered = 0  # units that count for all that comes
        self._ahead: dict[int, Place] = {}  # behind later ones, which a span began with
        self._core = 0  # the unit that the last core started in
        self._first = 0
        self._within: Surroundings | None = None  # of the last span, if it was a part of one unit

    def come_to(self, start: int) -> None:
        """No span from here on starts before `start`. Parts of the one before, which was split, may have started behind."""
        units, first = self._units, self._first
        while first and units[first - 1].end > start:
            first -= 1
        while units[first].end <= start:
            first += 1
        self._first = first
        self._forget_tables(units[first])

    def surroundings(self, span: Span) -> Surroundings:
        units = self._units
        core, first = self.unit_at(span.core), self._first
        unit, within = units[core], self._within
        # What surrounds a part of code depends on which part it is.
        is_within = unit.start <= span.start and span.end <= unit.end and unit.role != "code"
        if is_within and within is not None and within.core == core:
            return within
        while units[first].end <= span.start:
            first += 1
        self._first = first
        self._enter(core)
        place = self._begun(core, span.end)
        last = core
        count = len(units)
        while last + 1 < count and units[last + 1].start < span.end:
            last += 1
        context = self._context(span, place.context, first, last)
        around = Surroundings(place.path, place.level, context, first, core, last)
        self._within = around if is_within else None
        return around

    def finish(self) -> None:
        """Passes what is left: it counts for what comes behind these units."""
        self._enter(len(self._units))

    def unit_at(self, start: int) -> int:
        """The unit that `start` lies in, or the next one."""
        core = self._core
        units = self._units
        while units[core].end <= start:
            core += 1
        self._core = core
        return core

    def _enter(self, core: int) -> None:
        """Enters the units before `core`: no later span starts in them."""
        passed, units = self._passed, self._units
        for at in range(self._entered, core):
            unit = units[at]
            if unit.role == "heading" or at in self._promoted:
                ahead = self._ahead.pop(at, None)
                passed.place = self._behind(at, passed.place) if ahead is None else ahead
            if unit.role == "table-row" and unit.level is not None and unit.group is not None:
                passed.tables[unit.group] = (unit.start, unit.end)
        self._entered = core

    def _forget_tables(self, first: Block) -> None:
        """No later span starts before `first`, so that tables before it are not gone on with."""
        tables = self._passed.tables
        if len(tables) > 1:
            self._passed.tables = {
                group: header for group, header in tables.items() if group == first.group or header[0] >= first.start
            }

    def _begun(self, core: int, end: int) -> Place:
        """Where a span up to `end` stands: below the headings that it starts with, too. A shorter one may ask next."""
        units = self._units
        place = self._passed.place
        at = core
        while at < len(units) and units[at].start < end and (units[at].role == "heading" or at in self._promoted):
            place = self._ahead.get(at) or self._behind(at, place)
            self._ahead[at] = place
            at += 1
        return place

    def _behind(self, index: int, place: Place) -> Place:
        """Where what follows a unit stands that itself stands at `place`."""
        unit = self._units[index]
        if not unit.visible:
            return place  # it heads nothing that people see
        if unit.role == "heading":
            name = clean_line(heading_text(self._text[unit.start : min(unit.end, unit.start + MAX_HEADING)]))
            return self._passed.below(place, unit.level or 1, name)
        if index in self._promoted:
            return self._passed.below(place, *self._promoted[index])
        return place

    def _context(self, span: Span, repeated: Context, first: int, last: int) -> Context:
        """What is repeated; the same object for all chunks of a section that need no more than the breadcrumb."""
        before, after = self._units[first], self._units[last]
        opening = closing = ""
        if before.role == "table-row":
            opening = self._table_header(before, span.start)
        elif before.role == "code" and span.start > before.start:
            opening = self._fence(before)[0]
        if after.role == "code" and (span.end < after.end or not self._is_closed(after)):
            closing = self._fence(after)[1]
        if not opening and not closing:
            return repeated
        return Context(repeated.breadcrumb, opening, closing)

    def _table_header(self, row: Block, start: int) -> str:
        """Not repeated where it is longer than a chunk may be: it would be the bulk of everything."""
        found = self._passed.tables.get(row.group) if row.group is not None else None
        if found is None or found[0] >= row.start or found[1] > start or found[1] - found[0] > self._max_size:
            return ""
        return self._text[found[0] : found[1]]

    def _fence(self, code: Block) -> tuple[str, str]:
        return fence_lines(self._text, code) or ("", "")

    def _is_closed(self, code: Block) -> bool:
        return fence_lines(self._text, code) is None or is_closed(self._text, code)


# ---- what a span holds -----------------------------------------------------------------------------------


def piece_of(text: str, units: Sequence[Block], span: Span, around: Surroundings) -> Piece:
    """Which part of a block that was split the span holds. White space at a block's end is nothing."""
    before, after = units[around.core], units[around.last]
    ends_inside = span.end < after.end and skip_space(text, span.end, after.end) < after.end
    if before.start < span.core:
        return "middle" if ends_inside and around.core == around.last else "end"
    return "start" if ends_inside else "whole"


def roles_of(units: Sequence[Block], first: int, last: int) -> tuple[Role, ...]:
    """Each role once, in the order of the text."""
    if first == last:
        return (units[first].role,)
    return tuple(dict.fromkeys([unit.role for unit in units[first : last + 1]]))


def locators_of(units: Sequence[Block], first: int, last: int) -> tuple[Locator, ...]:
    """The first and the last source position of the units; one if they are the same."""
    begin, end = first, last
    while begin <= last and units[begin].locator is None:
        begin += 1
    if begin > last:
        return ()
    while units[end].locator is None:
        end -= 1
    one, other = units[begin].locator, units[end].locator
    if one is None or other is None or one == other:
        return () if one is None else (one,)
    return one, other


def section_metadata(metadata: Mapping[str, Value], path: tuple[str, ...], level: int, source: str) -> dict[str, Value]:
    """The caller's metadata with the keys `heading.*` of a section, which win."""
    return {
        **metadata,
        "heading.text": path[-1] if path else "",
        "heading.level": level,
        "heading.path": SEPARATOR.join(path),
        "heading.source": source,
    }
