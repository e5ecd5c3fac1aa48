"""Cuts an input down while what it does stays the same (delta debugging: Zeller and Hildebrandt, 2002, ddmin)."""

from __future__ import annotations

import time
from collections.abc import Callable


def minimised(data: bytes, is_same: Callable[[bytes], bool], *, seconds: float, runs: int) -> bytes:
    """The smallest input found of which `is_same` holds, as it does of `data`, within so much time and so many runs."""
    attempts = _Attempts(is_same, time.monotonic() + seconds, runs)
    count = 2
    while len(data) > 1 and not attempts.spent:
        size = max(1, len(data) // count)
        shorter = _shorter(data, size, attempts)
        if len(shorter) < len(data):
            data, count = shorter, max(2, count - 1)
        elif size == 1:
            break
        else:
            count = min(len(data), count * 2)
    return data


class _Attempts:
    def __init__(self, is_same: Callable[[bytes], bool], until: float, runs: int) -> None:
        self._is_same = is_same
        self._until = until
        self._left = runs

    @property
    def spent(self) -> bool:
        return self._left <= 0 or time.monotonic() >= self._until

    def same(self, data: bytes) -> bool:
        self._left -= 1
        return self._is_same(data)


def _shorter(data: bytes, size: int, attempts: _Attempts) -> bytes:
    """`data` without each piece of `size` bytes that can be spared, last ones first: they are spared more often."""
    for start in range((len(data) - 1) // size * size, -1, -size):
        if attempts.spent:
            break
        without = data[:start] + data[start + size :]
        if without and attempts.same(without):
            data = without
    return data
