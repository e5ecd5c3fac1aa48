"""Whether the time of a loader grows as its input does: four times the bytes, about four times the time.

Sizes grow from small ones, and only while a read is quick, so that a loader that is worse than linear is found before
it takes long. What counts is this thread's processor time, the least of several runs: other work on the machine and
slow clocks must not fail a good loader.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from fumehood.kinds import Kind
from fumehood.testing.breach import breach
from fumehood.testing.endings import check_ending
from fumehood.testing.outcomes import in_jail, in_process

Grow = Callable[[int], bytes]
"""Makes the document of about so many bytes."""

_FIRST_BYTES: Final = 4 * 1024
_FACTOR: Final = 4
_MOST_RATIO: Final = 9.0
"""Linear is 4, quadratic 16. Between them stand caches that overflow, and n·log n."""
_FLOOR_SECONDS: Final = 0.06
"""A read that is quicker than that at the larger size proves nothing, and harms nobody."""
_ENOUGH_SECONDS: Final = 0.6
_RUNS: Final = 3
_MOST_MARKS: Final = 8
_MARKS_WITHIN: Final = 4 * 1024


def check_growth(kind: Kind, honest: bytes, grow: Grow | None, most_bytes: int) -> None:
    """Repeats of `honest`, of its lines and of the marks in it up to `most_bytes`; and what `grow` makes."""
    for pattern in (*_patterns(honest), *([grow] if grow else [])):
        _check(kind, pattern, most_bytes)


def _patterns(honest: bytes) -> Iterator[Grow]:
    """Many documents in a row, many of its first lines, and each mark again and again behind where it first stands."""
    for piece in dict.fromkeys((honest, *honest.splitlines(keepends=True)[:2])):
        yield partial(_repeated, b"", piece)
    marks = [byte for byte in dict.fromkeys(honest[:_MARKS_WITHIN]) if byte < 0x80 and not chr(byte).isalnum()]
    for mark in marks[:_MOST_MARKS]:
        yield partial(_repeated, honest[: honest.index(mark)], bytes([mark]))


def _repeated(head: bytes, piece: bytes, size: int) -> bytes:
    return (head + piece * (size // len(piece) + 1))[:size]


def _check(kind: Kind, grow: Grow, most_bytes: int) -> None:
    size = _FIRST_BYTES
    data = grow(size)
    before = _first_seconds(kind, data)
    while before < _ENOUGH_SECONDS and len(data) * _FACTOR <= most_bytes:
        smaller, size = data, size * _FACTOR
        data = grow(size)
        took = _first_seconds(kind, data)
        worst = _MOST_RATIO * _scale(smaller, data)
        if took > max(_FLOOR_SECONDS, before * worst):
            before = min(before, *(_seconds(kind, smaller) for _ in range(_RUNS)))
            took = min(took, *(_seconds(kind, data) for _ in range(_RUNS)))
            if took > before * worst:
                breach(
                    kind.name,
                    f"took {took:.2f} s for {len(data):,} bytes and {before:.3f} s for {len(smaller):,}",
                    "look for a search, a copy or a regular expression that goes over the rest again for each part of it",
                    data,
                )
        before = took


def _scale(smaller: bytes, larger: bytes) -> float:
    """How much more than expected the input grew: a document with a head of its own grows less."""
    return max(1.0, len(larger) / max(1, len(smaller)) / _FACTOR)


def _first_seconds(kind: Kind, data: bytes) -> float:
    """After a worker has shown that it ends, and how: this process must survive."""
    check_ending(kind, data, in_jail(kind, data))
    return _seconds(kind, data)


def _seconds(kind: Kind, data: bytes) -> float:
    began = time.thread_time()
    in_process(kind, data)
    return time.thread_time() - began
