"""The engine: units to spans, section by section. One pass; text is looked at only where a unit exceeds the cap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from fumehood.chunking.cuts import INDIVISIBLE, Grain, atom_end, cut, resume, whole_cut
from fumehood.chunking.errors import UnitTooLarge
from fumehood.chunking.options import Options
from fumehood.chunking.segmentation import trimmed_end
from fumehood.document import Block


class Span(NamedTuple):
    """A chunk to be: `text[start:end]`; from `start` to `core` it is carried over from the one before."""

    start: int
    end: int
    core: int


def pack(text: str, units: Sequence[Block], starts: Sequence[int], options: Options) -> Iterator[list[Span]]:
    """The spans of each section, in order, without overlap. Raises `UnitTooLarge` if the options ask for it."""
    packer = _Packer(text, units, options)
    bounds = [*starts, len(units)]
    for first, last in pairwise(bounds):
        yield packer.section(first, last)


class _Packer:
    """What is open is `text[start:end]`, not yet a span; `bare` while it holds headings only.

    `apart`: it starts with rows that need their header beside them, so it goes into no chunk before it.
    """

    def __init__(self, text: str, units: Sequence[Block], options: Options) -> None:
        self._text = text
        self._units = units
        self._options = options
        self._cap = options.max_size - options.overlap
        # What prose and lists are filled to; tables and code that stand alone may be as long as the cap.
        self._room = min(options.target or self._cap, self._cap) if options.fill else self._cap
        # Nothing is carried into a section's first chunk, so one that is alone has all the room there is.
        self._lone = self._room if options.fill else options.max_size
        self._least = min(options.min_size, self._room)
        self._spans: list[Span] = []
        self._open: tuple[int, int] | None = None
        self._bare = False
        self._apart = False

    def section(self, first: int, last: int) -> list[Span]:
        begin, end = self._units[first].start, self._units[last - 1].end
        if end - begin <= self._lone and (last - first == 1 or self._options.keep_sections):
            return [Span(begin, end, begin)]
        self._spans = []
        at = first
        while at < last:
            following = self._run_end(at, last)
            self._add(at, following)
            at = following
        self._close()
        return self._spans

    def _run_end(self, first: int, last: int) -> int:
        """The end of the table or list that starts at `first`; other units stand alone."""
        unit = self._units[first]
        at = first + 1
        if unit.role in INDIVISIBLE:
            while at < last and self._units[at].role == unit.role and self._units[at].group == unit.group:
                at += 1
        return at

    # ---- a run: a table, a list, or one unit -----------------------------------------------------------

    def _add(self, first: int, last: int) -> None:
        unit = self._units[first]
        begin, end = unit.start, self._units[last - 1].end
        if self._open is not None and not self._bare and unit.role == "table-row" and unit.level is None:
            # Rows that go on behind a note have their header repeated only if they come first.
            self._close()
            self._apart = True
        if self._options.keep_runs and unit.role in ("table-row", "code"):
            self._add_alone(first, last)
        elif self._open is None:
            if end - begin <= self._room:
                self._begin(begin, end, bare=unit.role == "heading")
            else:
                self._spill(first, last, self._room)
        else:
            self._add_to_open(self._open, first, last)

    def _add_alone(self, first: int, last: int) -> None:
        if not self._bare:
            self._close()
        self._spill(first, last, self._cap)
        self._close()

    def _add_to_open(self, opened: tuple[int, int], first: int, last: int) -> None:
        start, open_end = opened
        begin, end = self._units[first].start, self._units[last - 1].end
        wanted = self._bare or open_end - start < self._least
        if wanted and end - start <= self._room:
            self._extend(end, self._units[first])
        elif wanted and (self._bare or self._options.fill or end - begin > self._room):
            self._spill(first, last, self._room)
        else:
            self._close()
            self._add(first, last)

    # ---- a run that does not fit -------------------------------------------------------------------------

    def _spill(self, first: int, last: int, room: int) -> None:
        """Fills chunks with the run's units, the open one first."""
        run_end = self._units[last - 1].end
        fill = max(1, int(room / (1 + self._options.overflow_margin)))
        for index in range(first, last):
            unit = self._units[index]
            start = unit.start if self._open is None else self._open[0]
            if run_end - start <= room:
                self._extend(run_end, unit)
                return
            if unit.end - start <= fill:
                self._extend(unit.end, unit)
            else:
                self._add_unit(unit, room, fill)

    def _add_unit(self, unit: Block, room: int, fill: int) -> None:
        """A unit that does not fit into what is open."""
        fits = unit.end - unit.start <= room
        start = unit.start if self._open is None else self._open[0]
        if fits and self._open is not None and self._bare and unit.end - start <= room:
            self._extend(unit.end, unit)
        elif fits and (unit.role in INDIVISIBLE or not (self._bare or self._options.fill)):
            self._close()
            self._begin(unit.start, unit.end, bare=unit.role == "heading")
        else:
            self._divide(unit, room, fill)

    def _divide(self, unit: Block, room: int, fill: int) -> None:
        """Ends chunks inside `unit`. What was open leads the first piece, if at least a line or sentence of it fits."""
        text = self._text
        lead, at = self._open, unit.start
        start = unit.start if lead is None else lead[0]
        end = trimmed_end(text, unit.start, unit.end)
        self._check_unit(unit, room)
        while end - start > room:
            limit = min(start + fill, end)
            if lead is not None and limit <= at:
                self._close()
                lead, start = None, at
                continue
            cut_at, grain = self._cut(unit, at, limit, min(start + room, end - 1))
            broken = grain == "nothing" or (unit.role == "code" and grain != "line")
            if lead is not None and (broken or self._leads_too_little(grain)):
                self._close()
                lead, start = None, at
                continue
            if broken:
                self._check_atom(unit, at, cut_at)
            if not text[start:cut_at].isspace():
                self._spans.append(Span(start, cut_at, start))
            self._open, self._bare, lead = None, False, None
            start = at = resume(text, cut_at, end, unit.role)
        self._open, self._bare = (start, end), False

    def _cut(self, unit: Block, at: int, limit: int, most: int) -> tuple[int, Grain]:
        """A cut by `limit`; where that would break a sentence, line or cluster that `most` has room for, behind that one."""
        by_words = self._options.fill
        found = cut(self._text, at, limit, unit.end, unit.role, by_words=by_words)
        fine = ("sentence", "line", "word") if by_words and unit.role != "code" else ("sentence", "line")
        if limit >= most or found[1] in fine:
            return found
        if found[1] == "nothing":
            return cut(self._text, at, most, unit.end, unit.role, by_words=by_words)
        return whole_cut(self._text, at, most, unit.end, unit.role, by_words=by_words) or found

    def _leads_too_little(self, grain: Grain) -> bool:
        """Half a sentence is no good end for a chunk that can do without; one of headings cannot."""
        return not self._bare and not self._options.fill and grain not in ("sentence", "line")

    def _check_unit(self, unit: Block, room: int) -> None:
        size = unit.end - unit.start
        if unit.role in INDIVISIBLE and self._options.on_too_large == "raise" and size > room:
            raise UnitTooLarge(unit.start, unit.end, unit.role, size, self._options.max_size)

    def _check_atom(self, unit: Block, start: int, end: int) -> None:
        """A line of code or a grapheme cluster that is longer than the cap."""
        if self._options.on_too_large == "raise":
            whole = max(end, atom_end(self._text, start, unit))
            raise UnitTooLarge(start, whole, unit.role, whole - start, self._options.max_size)

    # ---- the open chunk ------------------------------------------------------------------------------------

    def _begin(self, start: int, end: int, *, bare: bool) -> None:
        self._open = (start, end)
        self._bare = bare

    def _extend(self, end: int, unit: Block) -> None:
        if self._open is None:
            self._begin(unit.start, end, bare=unit.role == "heading")
        else:
            self._open = (self._open[0], end)
            self._bare = self._bare and unit.role == "heading"

    def _close(self) -> None:
        """Ends the open chunk, in the chunk before it if it is a small rest for which that has room."""
        if self._open is None:
            return
        start, end = self._open
        apart = self._apart
        self._open = None
        self._bare = self._apart = False
        small = end - start < self._least and not apart and not self._options.fill
        if small and self._spans and end - self._spans[-1].start <= self._room:
            start = self._spans.pop().start
        self._spans.append(Span(start, end, start))
