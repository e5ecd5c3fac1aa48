"""Whether the time of a loader grows as its input does: four times the bytes, about four times the time.

Sizes grow from small ones, and only while a read is quick, so that a loader that is worse than linear is found before
it takes long. What counts is this thread's processor time, the least of several runs: other work on the machine and
slow clocks must not fail a good loader.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Final

from fumehood.errors import Refusal
from fumehood.kinds import Kind
from fumehood.testing.breach import breach
from fumehood.testing.outcomes import in_jail, in_process

Grow = Callable[[int], bytes]
"""The document of a size: a number in, bytes out. What is `n` of it is up to whoever writes it."""

_FIRST_BYTES: Final = 4 * 1024
_FACTOR: Final = 4
_MOST_RATIO: Final = 9.0
"""Linear is 4, quadratic 16. Between them stand caches that overflow, and n·log n."""
_FLOOR_SECONDS: Final = 0.06
"""A read that is quicker than that at the larger size proves nothing, and harms nobody."""
_ENOUGH_SECONDS: Final = 0.6
_RUNS: Final = 4
_MOST_MARKS: Final = 12


def check_growth(kind: Kind, honest: bytes, grow: Grow | None, most_bytes: int) -> None:
    """Repeats of `honest` and of the marks in it up to `most_bytes`; and `grow`, doubled until a read takes a while."""
    for pattern in patterns(honest):
        _check(kind, lambda size, pattern=pattern: pattern(size), _FIRST_BYTES, most_bytes)  # type: ignore[misc]
    if grow is not None:
        _check(kind, grow, 16, most_bytes)


def patterns(honest: bytes) -> Iterator[Grow]:
    """Many documents in a row, many of its first lines, and each mark again and again behind where it first stands."""
    yield lambda size: (honest * (size // len(honest) + 1))[:size]
    for line in list(dict.fromkeys(honest.splitlines(keepends=True)))[:2]:
        yield lambda size, line=line: (line * (size // len(line) + 1))[:size]  # type: ignore[misc]
    marks = [byte for byte in dict.fromkeys(honest[:4_096]) if byte < 0x80 and not chr(byte).isalnum()]
    for mark in marks[:_MOST_MARKS]:
        head = honest[: honest.index(mark)]
        yield lambda size, head=head, mark=mark: head + bytes([mark]) * size  # type: ignore[misc]


def _check(kind: Kind, grow: Grow, size: int, most_bytes: int) -> None:
    data = grow(size)
    outcome = in_jail(kind, data)  # A time that is worse than any power would not end here.
    if isinstance(outcome, Refusal) and outcome.code in ("cpu-time", "wall-clock"):
        _say(kind, f"took all of its time ({outcome.code})", data)
    before = _seconds(kind, data)
    while before < _ENOUGH_SECONDS and len(data) * _FACTOR <= most_bytes:
        smaller, size = data, size * _FACTOR
        data = grow(size)
        took = _seconds(kind, data)
        if took > _FLOOR_SECONDS and took > _MOST_RATIO * before * _scale(smaller, data):
            before = min(before, *(_seconds(kind, smaller) for _ in range(_RUNS)))
            took = min(took, *(_seconds(kind, data) for _ in range(_RUNS - 2)))
            if took > _MOST_RATIO * before * _scale(smaller, data):
                _say(kind, f"took {took:.2f} s for {len(data):,} bytes and {before:.3f} s for {len(smaller):,}", data)
        before = took


def _scale(smaller: bytes, larger: bytes) -> float:
    """How much more than expected the input grew: a document with a head of its own grows less."""
    return max(1.0, len(larger) / max(1, len(smaller)) / _FACTOR)


def _seconds(kind: Kind, data: bytes) -> float:
    began = time.thread_time()
    in_process(kind, data)
    return time.thread_time() - began


def _say(kind: Kind, what: str, data: bytes) -> None:
    breach(
        kind.name,
        what,
        "look for a search, a copy or a regular expression that goes over the rest of the input again for each part of it",
        data,
    )
