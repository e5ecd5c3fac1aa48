"""What a chunk carries over from the one before: whole rows, items and lines, else sentences, else words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fumehood.chunking.cuts import INDIVISIBLE
from fumehood.chunking.pack import Span
from fumehood.chunking.segmentation import first_cluster, first_sentence_start, first_word_start
from fumehood.document import Block


def with_overlap(
    text: str, units: Sequence[Block], sections: Iterator[list[Span]], overlap: int
) -> Iterator[list[Span]]:
    """The spans of each section, each but the first starting up to `overlap` characters earlier."""
    at = 0
    for spans in sections:
        carried: list[Span] = []
        for span in spans:
            if not carried:
                carried.append(span)
                continue
            before = carried[-1]
            floor = max(before.core, span.core - overlap)
            while units[at].end <= floor:
                at += 1
            start = _start(text, units, at, floor, before.core, span.core)
            carried.append(Span(start, span.end, span.core))
        yield carried


def _start(text: str, units: Sequence[Block], at: int, floor: int, known: int, core: int) -> int:
    """Where to start between `floor` and `core`; `known` is a boundary between grapheme clusters before `floor`."""
    unit = units[at]
    if floor <= unit.start:
        return min(unit.start, core)
    stop = min(unit.end, core)
    following = units[at + 1].start if at + 1 < len(units) else core
    behind = min(following, core)
    if unit.role in INDIVISIBLE:
        return behind
    if unit.role == "code":
        line = text.find("\n", floor - 1, stop)
        return line + 1 if 0 <= line < stop - 1 else behind
    for find in (first_sentence_start, first_word_start):
        start = find(text, floor, stop)
        if start is not None:
            return start
    if stop < core:
        return behind
    start = first_cluster(text, known, floor, stop)
    return start if start < stop else behind
