"""`max_tokens`: spans that exceed it are split, evenly, by a search that is bounded. It counts what a model is given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fumehood.chunking.cuts import INDIVISIBLE, atom_end, cut, resume
from fumehood.chunking.dress import Dresser, Surroundings
from fumehood.chunking.errors import SearchExhausted, UnitTooLarge
from fumehood.chunking.model import Context, embedding_text
from fumehood.chunking.options import Options
from fumehood.chunking.pack import Span
from fumehood.chunking.tokens import ApproximateTokenizer, Tokenizer
from fumehood.document import Block

_WORK_PER_CHARACTER = 64
_LEAST_WORK = 1_000_000
_SHRINK = 0.95
"""How much below what a proportional guess gives the next probe goes, so that few are needed."""


class Meter:
    """Counts tokens, and how many characters that has cost in one document."""

    def __init__(self, options: Options, text_length: int) -> None:
        self.tokenizer: Tokenizer = options.tokenizer or ApproximateTokenizer()
        default = _WORK_PER_CHARACTER * text_length + _LEAST_WORK
        self._left = self._bound = options.max_search_work or default

    def count(self, text: str) -> int:
        """Raises `SearchExhausted`."""
        self._left -= len(text)
        if self._left < 0:
            raise SearchExhausted(self._bound)
        return self.tokenizer.count(text)


class _Candidate(NamedTuple):
    """An end that might do; `least`: nothing smaller is whole."""

    end: int
    least: bool


class Bounder:
    """Splits spans so that each fits `max_tokens` with all that is repeated. Spans come in order."""

    def __init__(
        self, text: str, units: Sequence[Block], dresser: Dresser, meter: Meter, most: int, options: Options
    ) -> None:
        self._text = text
        self._units = units
        self._dresser = dresser
        self._meter = meter
        self._most = most
        self._raise = options.on_too_large == "raise"
        self._overheads: dict[Context, Context] = {}

    def fitting(self, span: Span) -> Iterator[tuple[Span, Surroundings]]:
        """The span, or the parts of it that fit. What was carried over is given up before anything is split."""
        self._dresser.come_to(span.start)
        around, count = self._measured(span)
        if count > self._most and span.start < span.core:
            span = Span(span.core, span.end, span.core)
            around, count = self._measured(span)
        if count <= self._most:
            yield span, around
        else:
            yield from self._parts(span, count)

    def _parts(self, span: Span, count: int) -> Iterator[tuple[Span, Surroundings]]:
        start, end = span.start, span.end
        share = (end - start) * self._most / count
        while start < end:
            left = end - start
            pieces = max(1, -(-left // max(1, int(share * _SHRINK))))
            part, around = self._part(start, start + -(-left // pieces), end)
            if not self._text[part.start : part.end].isspace():
                yield part, around
            unit = self._units[around.last]
            start = resume(self._text, part.end, end, unit.role if part.end < unit.end else "paragraph")

    def _part(self, start: int, limit: int, end: int) -> tuple[Span, Surroundings]:
        """The longest span from `start` that a few probes find. Each probe is shorter than the one before."""
        split = False
        while True:
            candidate = self._candidate(start, min(limit, end), end, split)
            part = Span(start, candidate.end, start)
            around, count = self._measured(part)
            if count <= self._most:
                return part, around
            if candidate.least:
                self._refuse_or_split(start, candidate.end, count, split)
                split = True
                limit = min(limit, candidate.end - 1)
            else:
                proportional = int((candidate.end - start) * self._most / count * _SHRINK)
                limit = start + max(1, min(proportional, candidate.end - start - 1))

    def _refuse_or_split(self, start: int, end: int, count: int, split: bool) -> None:
        if self._raise or split or end - start <= 1:
            unit = self._units[self._dresser.unit_at(start)]
            raise UnitTooLarge(start, end, unit.role, count, self._most, "tokens")

    # ---- where a part may end ------------------------------------------------------------------------------

    def _candidate(self, start: int, limit: int, end: int, split: bool) -> _Candidate:
        """The last boundary up to `limit`, between units if there is one behind more than a heading."""
        if limit >= end:
            return _Candidate(end, least=False)
        first = index = self._dresser.unit_at(start)
        best, bare = start, True
        while self._units[index].end <= limit:
            bare = bare and self._units[index].role == "heading"
            best = self._units[index].end
            index += 1
        if best > start and not bare:
            return _Candidate(best, least=False)
        inside = self._inside(start, limit, best, self._units[index], first == index and split)
        # The unit may go on behind the span, which ends in the middle of it.
        return inside._replace(end=min(inside.end, end))

    def _inside(self, start: int, limit: int, best: int, unit: Block, split: bool) -> _Candidate:
        """A boundary inside `unit`, the first one that does not end by `limit`; `best`: headings before it do."""
        at = max(start, unit.start)
        if not split and unit.role in INDIVISIBLE and start <= unit.start:
            return _Candidate(best, least=False) if best > start else _Candidate(unit.end, least=True)
        if limit <= at:
            return _Candidate(best if best > start else at + 1, least=best <= start)
        ended, grain = cut(self._text, at, limit, unit.end, "paragraph" if split else unit.role)
        if not split and unit.role == "code" and grain != "line":
            line = _Candidate(atom_end(self._text, at, unit), least=True)
            return _Candidate(best, least=False) if best > start else line
        if grain == "nothing" and not split:
            return _Candidate(ended, least=self._raise)
        return _Candidate(ended, least=ended - at <= 1)

    # ---- counting ------------------------------------------------------------------------------------------

    def _measured(self, span: Span) -> tuple[Surroundings, int]:
        around = self._dresser.surroundings(span)
        context = self._affordable(around.context, self._units[around.first].role == "code")
        text = self._text[span.start : span.end]
        return around._replace(context=context), self._meter.count(embedding_text(text, context))

    def _affordable(self, context: Context, fenced: bool) -> Context:
        """What of the context leaves half of the bound to the text: first the breadcrumb goes, then the table's header."""
        known = self._overheads.get(context)
        if known is None:
            known = context
            if self._is_too_much(known):
                known = Context("", context.opening, context.closing)
            if not fenced and self._is_too_much(known):
                known = Context("", "", context.closing)
            self._overheads[context] = known
        return known

    def _is_too_much(self, context: Context) -> bool:
        return context != Context() and self._meter.count(embedding_text("", context)) > self._most // 2
