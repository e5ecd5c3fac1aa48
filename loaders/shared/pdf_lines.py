"""From glyph runs to lines: what stands on one base line without a wide gap (a line, or one column's part of it)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from operator import attrgetter, sub
from typing import Final

import msgspec
from msgspec.structs import replace

from fumehood.loaders.shared import pdf_bidi
from fumehood.loaders.shared.builder import LinkSpan
from fumehood.loaders.shared.pdf_fonts import RTL
from fumehood.loaders.shared.pdf_glyphs import BELOW, VARIABLE_GAP, WORD_GAP, GlyphRun, LinkArea

_SAME_BASE: Final = 0.25
"""Of the size, how far apart the base lines of one line may be: hand-placed words, scans that lean."""
_CJK_GAP: Final = 0.5
"""The same between ideographs, which are spaced out to fill lines."""
_COLUMN_GAP: Final = 1.0
"""Of the size, the gap that parts columns; what it parts for no reason is one line again later."""
_EVEN: Final = 0.05
"""Of the size, by how much the spaces of one justified line differ at most."""
_WIDEST_SPACE: Final = 3.0
_OVERLAP: Final = 0.6
"""Of the size, how far a run may start before the end of the last one: kerning, accents."""
_TWICE: Final = 0.8
"""Of its width, how much of a run another of the same text covers that only makes it look bold."""
_MOST_OPEN: Final = 8
"""Lines at one height that are looked at for where a run belongs."""
_SMALLEST: Final = 0.01
"""Points: text of no size is laid out too, and nothing is divided by nothing."""
_STEP: Final = 8.0
"""Points of height by which links are looked up."""
_MOST_STEPS: Final = 16
_MOST_AT_ONE_HEIGHT: Final = 64
_FARTHEST: Final = 1e6
_RAISED: Final = 0.85
"""Of the size of the text beside it, the most that a raised or lowered mark has."""
_INDEX_GAP: Final = 0.32
"""Of its own size, how far an index or an exponent may stand behind its variable."""
_MARK_GAP: Final = 0.25
"""Of the size, how far a mark or a bracket may do so, before which no space is expected."""
_CLOSE_TO_VARIABLES: Final = frozenset("()[]|.,;")
_ONE_PLACE: Final = 0.01
"""Points by which numbers in files are rounded."""
_TOGETHER: Final = 0.02
"""Of the size, how far apart a mark and what it stands above may begin."""
_BESIDE: Final = 0.3
"""Of the size of the text beside it, how far from it a mark is at most."""
_LONGEST_RAISED: Final = 24
_WIDEST_RAISED: Final = 4
"""Of the size of the text beside it, how wide a mark is at most."""
_MOST_HOSTS: Final = 64
_NOTE_MARK: Final = re.compile(r"(?:\d{1,2}|[*\u2217\u2020\u2021\u00a7\u00b6]{1,3}) ?")
"""The mark of a footnote, which may stand as far before it as a word does."""
_FIRST_OF_CJK: Final = "\u2e80"
CJK: Final = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff01-\uffe6]")
_NEUTRAL: Final = " .,:;!?()[]{}\"'/\\|-\u2013\u2014\u00ab\u00bb\u201c\u201d\u2026*"


class Line(msgspec.Struct, gc=False):
    """Text on one base line, in the frame of its direction. `size`, `is_bold` and `is_fixed` are those of most of it."""

    start: float
    end: float
    base: float
    size: float
    text: str
    is_bold: bool = False
    is_fixed: bool = False
    links: Sequence[LinkSpan] = ()
    item: int | None = None
    """The number of the item of a list that it is tagged as."""
    parts: Sequence[Line] = ()
    """What stands side by side in it, for no reason that the page alone tells."""

    @property
    def low(self) -> float:
        return self.base - BELOW * self.size

    @property
    def high(self) -> float:
        return self.base + (1 - BELOW) * self.size


class _Open:
    """A line while runs are added to it."""

    __slots__ = ("base", "end", "runs", "size", "start")

    def __init__(self, run: GlyphRun) -> None:
        self.runs = [run]
        self.start, self.end, self.base, self.size = run.start, run.end, run.base, run.size

    def is_again(self, run: GlyphRun) -> bool:
        """Whether the run is but the last one again, painted twice to look bold."""
        last = self.runs[-1]
        if run.text != last.text or not last.end - run.start > _TWICE * (run.end - run.start) > 0:
            return False
        self.runs[-1] = replace(last, style=replace(last.style, is_bold=True))
        return True

    def is_word(self) -> bool:
        """Whether it is one word, and no number."""
        return not any(run.text.endswith(" ") for run in self.runs[:-1]) and not any(
            char.isdigit() for run in self.runs for char in run.text
        )

    def add(self, run: GlyphRun) -> None:
        self.runs.append(run)
        if run.end > self.end:
            self.end = run.end
        if run.size > self.size:
            self.base, self.size = run.base, run.size


class Links:
    """Areas of links, in the frame of the text, to be found by height. Of many at one height the first are kept."""

    def __init__(self, areas: Iterable[LinkArea]) -> None:
        self._high: list[LinkArea] = []
        self._by_height: dict[int, list[LinkArea]] = {}
        for area in areas:
            first, last = (round(max(-_FARTHEST, min(_FARTHEST, area.place[at])) / _STEP) for at in (1, 3))
            if last - first > _MOST_STEPS:
                self._put(area, self._high)
            else:
                for step in range(first, last + 1):
                    self._put(area, self._by_height.setdefault(step, []))

    @staticmethod
    def _put(area: LinkArea, among: list[LinkArea]) -> None:
        if len(among) < _MOST_AT_ONE_HEIGHT:
            among.append(area)

    def at(self, line: _Open) -> list[LinkArea]:
        """Those that a line stands in, in part or whole."""
        if not self._high and not self._by_height:
            return []
        middle = max(-_FARTHEST, min(_FARTHEST, line.base + (0.5 - BELOW) * line.size))
        near = [*self._high, *self._by_height.get(round(middle / _STEP), ())]
        return [area for area in near if area.place[0] < line.end and line.start < area.place[2]]


_NO_LINKS: Final = Links(())
_NO_ITEMS: Final[Mapping[int, int]] = {}


def runs_backward(runs: Iterable[GlyphRun]) -> bool:
    """Whether most letters are of scripts that run from right to left."""
    text = "".join([run.text for run in runs])
    if text.isascii():
        return False
    backward = sum(1 for _ in RTL.finditer(text))
    return 2 * backward > sum(map(str.isalpha, text)) if backward else False


def lines_of(
    runs: Sequence[GlyphRun],
    links: Links = _NO_LINKS,
    *,
    is_backward: bool = False,
    items: Mapping[int, int] = _NO_ITEMS,
) -> list[Line]:
    """The lines, from the top. `is_backward`: whether most of the page runs from right to left.

    `items`: numbers of items of lists by the marks of their runs.
    """
    found: list[_Open] = []
    row: list[GlyphRun] = []
    last = 0.0
    for run in sorted(runs, key=_base, reverse=True):
        base = run.base
        if base != last:
            if last - base > _SAME_BASE * run.size and row:
                _split(row, found)
                row = []
            last = base
        row.append(run)
    _split(row, found)
    lines: list[Line] = []
    for one in _with_raised(found):
        line = _closed(one, links, is_backward)
        if line is not None:
            if items:
                marks = (run.style.mark for run in one.runs)
                line.item = next((items[mark] for mark in marks if mark is not None and mark in items), None)
            lines.append(line)
    return lines


_base: Final = attrgetter("base")
_by_start: Final = attrgetter("start", "end")


def _split(row: list[GlyphRun], found: list[_Open]) -> None:
    """Adds the lines of runs that stand at about one height."""
    opened: list[_Open] = []
    current: _Open | None = None
    size = narrowest = widest = level = 0.0
    last_text = ""
    for run in _in_order(row) if len(row) > 1 else row:
        text = run.text
        if current is not None:
            if text == last_text and current.is_again(run):
                continue
            # What `_goes_on` says and `add` does, which are called for larger runs alone: there are many of them.
            if run.size <= size:
                if narrowest <= run.start - current.end <= widest and -level <= run.base - current.base <= level:
                    current.runs.append(run)
                    if run.end > current.end:
                        current.end = run.end
                    last_text = text
                    continue
            elif _goes_on(current, run):
                current.add(run)
        last_text = text
        if current is None or current.runs[-1] is not run:
            current = next((one for one in reversed(opened[-_MOST_OPEN:]) if _goes_on(one, run)), None)
            if current is None:
                current = _Open(run)
                opened.append(current)
            else:
                current.add(run)
        size = current.size
        narrowest, widest, level = -_OVERLAP * size, _COLUMN_GAP * size, _SAME_BASE * size
    found += _mended_row(opened) if len(opened) > 2 else opened


def _in_order(row: list[GlyphRun]) -> list[GlyphRun]:
    """The runs from the left; of two that begin at one place, as nearly as files say it, the narrower first."""
    if _shortest_step(row) >= _ONE_PLACE:  # as most rows are painted
        return row
    found = sorted(row, key=_by_start)
    if _shortest_step(found) < _ONE_PLACE:
        for at in range(1, len(found)):
            before, run = found[at - 1], found[at]
            if run.start - before.start < _ONE_PLACE and run.end < before.end:
                found[at - 1], found[at] = run, before
    return found


def _shortest_step(row: Sequence[GlyphRun]) -> float:
    """How far at least each run of two or more begins to the right of the one before."""
    starts = [run.start for run in row]
    shortest: float = min(map(sub, starts[1:], starts))
    return shortest


def _mended_row(row: Sequence[_Open]) -> list[_Open]:
    """Words that are set apart by one and the same space, as nothing but justifying does, are one line."""
    before = row[0]
    found = [before]
    are_words = [line.is_word() for line in row]
    gaps = [other.start - one.end for one, other in pairwise(row)]
    for at, (gap, line) in enumerate(zip(gaps, row[1:], strict=True)):
        # Of three words, and the later ones small: cells of tables are mostly written large.
        is_even = any(
            abs(gap - gaps[other]) <= _EVEN * line.size and all(are_words[first : first + 3])
            for first, other in ((at - 1, at - 1), (at, at + 1))
            if 0 <= other < len(gaps)
        )
        if is_even and 0 < gap <= _WIDEST_SPACE * line.size and line.runs[0].text[:1].islower():
            before.runs += line.runs
            before.end = line.end
        else:
            before = line
            found.append(line)
    return found


def _goes_on(line: _Open, run: GlyphRun) -> bool:
    size = line.size if line.size > run.size else run.size
    gap = run.start - line.end
    return -_OVERLAP * size <= gap <= _COLUMN_GAP * size and -_SAME_BASE * size <= run.base - line.base <= (
        _SAME_BASE * size
    )


# ---- raised and lowered marks -------------------------------------------------------------------------


def _with_raised(lines: list[_Open]) -> list[_Open]:
    """Marks of footnotes, exponents and indices are taken into the line that they stand at."""
    if len({round(size, 1) for size in {line.size for line in lines}}) < 2:
        return lines
    largest = max(line.size for line in lines)
    by_base = sorted(lines, key=attrgetter("base"))
    bases = [line.base for line in by_base]
    taken: set[int] = set()
    hosts: set[int] = set()
    for line in lines:
        is_small = line.size <= _RAISED * largest and line.end - line.start < _WIDEST_RAISED * largest
        if is_small and sum(len(run.text) for run in line.runs[: _LONGEST_RAISED + 1]) <= _LONGEST_RAISED:
            host = _host(line, by_base, bases, taken)
            if host is None and len(line.runs) == 1 and _NOTE_MARK.fullmatch(line.runs[0].text):
                host = _host(line, by_base, bases, taken, before=1.0)
            if host is not None:
                host.runs.extend(line.runs)
                host.start, host.end = min(host.start, line.start), max(host.end, line.end)
                taken.add(id(line))
                hosts.add(id(host))
    if not taken:
        return lines
    left = [line for line in lines if id(line) not in taken]
    for line in left:
        if id(line) in hosts:
            _put_in_order(line)
    return _mended(left)


def _put_in_order(line: _Open) -> None:
    """From the left. Of what begins at one place marks come last: they are set above or below it, the upper ones first."""
    line.runs.sort(key=_by_start)
    found: list[GlyphRun] = []
    for run in line.runs:
        at = len(found)
        last = max(0, at - _MOST_OPEN)
        while at > last and run.start - found[at - 1].start < _TOGETHER * line.size and _is_before(run, found[at - 1]):
            at -= 1
        found.insert(at, run)
    line.runs = found


def _is_before(run: GlyphRun, other: GlyphRun) -> bool:
    """Whether a run comes first of two that begin at one place."""
    if run.size <= _RAISED * other.size or other.size <= _RAISED * run.size:
        return run.size > other.size
    return run.base > other.base + _SAME_BASE * run.size


def _host(
    line: _Open, by_base: Sequence[_Open], bases: Sequence[float], taken: AbstractSet[int], before: float = _BESIDE
) -> _Open | None:
    """The line that `line` is a mark of: larger, and level with it or a little above or below, with no gap between.

    `before`: of the line's size, how far before it the mark may end.
    """
    reach = 2 * line.size
    first = bisect_left(bases, line.base - reach)
    for host in by_base[first : first + _MOST_HOSTS]:
        if host.base > line.base + reach:
            break
        if host is line or id(host) in taken or line.size > _RAISED * host.size:
            continue
        rise = line.base - host.base
        if (
            -0.35 * host.size <= rise <= 0.65 * host.size
            and line.end >= host.start - before * host.size
            and line.start <= host.end + _BESIDE * host.size
            and line.end - line.start < _WIDEST_RAISED * host.size
        ):
            return host
    return None


def _mended(lines: list[_Open]) -> list[_Open]:
    """Lines that only a mark between them had parted are one."""
    found: list[_Open] = []
    by_base: dict[float, _Open] = {}
    for line in sorted(lines, key=lambda line: (-round(line.base, 1), line.start)):
        before = by_base.get(round(line.base, 1))
        if before is not None and before.size == line.size and abs(line.start - before.end) <= 0.4 * line.size:
            before.runs.extend(line.runs)
            before.end = max(before.end, line.end)
        else:
            found.append(line)
            by_base[round(line.base, 1)] = line
    return found


# ---- text ---------------------------------------------------------------------------------------------


def _closed(line: _Open, links: Links, is_backward: bool) -> Line | None:
    """The line with spaces where there are gaps; None if it is white space alone."""
    runs = line.runs
    parts: list[str] = []
    last = runs[0]
    size, style, before, is_even = last.size, last.style, " ", True
    for run in runs:
        text = run.text
        parts.append(" " + text if before != " " and _is_apart(last, run) else text)
        if run.size != size or (run.style is not style and run.style != style):
            is_even = False
        before, last = text[-1:], run
    areas = links.at(line)
    text = "".join(parts)
    spans = _link_spans(runs, parts, areas) if areas else []
    if not text.isascii() and RTL.search(text):
        text = pdf_bidi.logical(_glyphs(parts), page_is_backward=is_backward)
        # Its words stand elsewhere now: the whole line leads where its first link does.
        spans = [(0, len(text.strip()), target) for _, _, target in spans[:1]]
    text = text.strip() if spans else " ".join(text.split())
    if not text:
        return None
    base, is_bold, is_fixed = runs[0].base, style.is_bold, style.is_fixed
    if not is_even:
        size, base, is_bold, is_fixed = _of_most(runs)
    return Line(line.start, line.end, base, max(size, _SMALLEST), text, is_bold, is_fixed, spans)


def _of_most(runs: Sequence[GlyphRun]) -> tuple[float, float, bool, bool]:
    """The size of most letters, the base line of what has it, and whether most are bold, and of one width."""
    bold = fixed = count = 0
    sizes: dict[float, int] = {}
    for run in runs:
        length = len(run.text)
        count += length
        bold += length * run.style.is_bold
        fixed += length * run.style.is_fixed
        sizes[run.size] = sizes.get(run.size, 0) + length
    size = max(sizes, key=lambda size: (sizes[size], size))
    return size, next(run.base for run in runs if run.size == size), 2 * bold > count, 2 * fixed > count


def _is_apart(last: GlyphRun, run: GlyphRun) -> bool:
    """Whether a space is to be seen between two runs, the first of which ends in none of its own."""
    if run.text[:1] == " ":
        return False
    gap = run.start - last.end
    size = last.size if last.size < run.size else run.size
    if gap <= WORD_GAP * size:
        return False
    if gap > _CJK_GAP * size:
        return True
    if last.style.is_variable and last.text[-1:].isalpha() and gap <= _correction(last, run):
        return False
    return not are_cjk(last.text, run.text)


def are_cjk(before: str, after: str) -> bool:
    """Whether what meets of two texts are ideographs, or what is spaced as these are."""
    return before[-1:] >= _FIRST_OF_CJK and CJK.match(before[-1:]) is not None and CJK.match(after[:1]) is not None


def _correction(last: GlyphRun, run: GlyphRun) -> float:
    """How far behind a variable what belongs to it may stand, in points."""
    if run.size <= _RAISED * last.size and run.base != last.base:
        return _INDEX_GAP * run.size
    size = last.size if last.size > run.size else run.size
    if run.text[:1] in _CLOSE_TO_VARIABLES:
        return _MARK_GAP * size
    return (VARIABLE_GAP if run.style.is_variable else WORD_GAP) * size


def _glyphs(parts: Sequence[str]) -> list[str]:
    """The pieces with the spaces and marks around words apart: these go either way."""
    found: list[str] = []
    for part in parts:
        word = part.strip(_NEUTRAL)
        at = part.find(word) if word else len(part)
        found += part[:at]
        if word:
            found.append(word)
        found += part[at + len(word) :]
    return found


def _link_spans(runs: Sequence[GlyphRun], parts: Sequence[str], links: Sequence[LinkArea]) -> list[LinkSpan]:
    """Where the words stand, in the joined `parts`, whose middle lies in the area of a link; neighbours are one span."""
    spans: list[LinkSpan] = []
    at = -len(parts[0]) if parts[0].isspace() else 0  # white space that the line does not begin with
    for run, part in zip(runs, parts, strict=True):
        target = _target(run, links)
        start, end = at + len(part) - len(part.lstrip()), at + len(part.rstrip())
        if target is not None and start < end:
            if spans and spans[-1][2] == target and spans[-1][1] >= at - 1:
                start = spans.pop()[0]
            spans.append((start, end, target))
        at += len(part)
    return spans


def _target(run: GlyphRun, links: Sequence[LinkArea]) -> str | None:
    x, y = (run.start + run.end) / 2, run.base + (0.5 - BELOW) * run.size
    for (left, bottom, right, top), target in links:
        if left <= x <= right and bottom <= y <= top:
            return target
    return None
