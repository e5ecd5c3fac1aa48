"""What a report says beyond a summary, gathered while a run goes on, and of a size that no run makes larger."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from typing import Final, NamedTuple

from fumehood.errors import NoticeCode
from fumehood.ingest.outcome import Outcome

MOST_LISTED: Final = 500
"""Refusals, and failures, with their names; more are counted only."""
MOST_RANKED: Final = 20
PER_OCTAVE: Final = 4
"""Points of a plot nearer than a quarter of an octave are one."""


class Bin(NamedTuple):
    """Where the sources of one point lie: `size` in bytes and what was measured, on scales of logarithms."""

    size: int
    measured: int
    refused: bool


class Cloud:
    """How many sources lie where, for one measure; values below `least` count as `least`."""

    def __init__(self, least: float) -> None:
        self.least = least
        self.bins: Counter[Bin] = Counter()

    def add(self, outcome: Outcome, measured: float) -> None:
        self.bins[Bin(_bin(outcome.size), _bin(measured / self.least), outcome.status == "refused")] += 1

    def places(self) -> list[tuple[float, float, bool, int]]:
        """Each point: bytes, what was measured, whether refused, and how many sources it stands for."""
        return sorted(
            (2 ** (at.size / PER_OCTAVE), self.least * 2 ** (at.measured / PER_OCTAVE), at.refused, count)
            for at, count in self.bins.items()
        )


def _bin(value: float) -> int:
    return round(PER_OCTAVE * math.log2(max(value, 1.0)))


class Ranking:
    """The `MOST_RANKED` largest of what was measured, each with its outcome."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Outcome]] = []
        self._seen = 0

    def add(self, outcome: Outcome, measured: float) -> None:
        self._seen += 1
        entry = (measured, -self._seen, outcome)
        if len(self._heap) < MOST_RANKED:
            heapq.heappush(self._heap, entry)
        else:
            heapq.heappushpop(self._heap, entry)

    def largest(self) -> list[Outcome]:
        return [outcome for _, _, outcome in sorted(self._heap, reverse=True)]


class Findings:
    """Add every outcome of a run; then the report has what it shows."""

    def __init__(self) -> None:
        self.refused: list[Outcome] = []
        self.failed: list[Outcome] = []
        self.notices: Counter[NoticeCode] = Counter()
        self.noticed: Counter[NoticeCode] = Counter()
        self.slowest = Ranking()
        self.heaviest = Ranking()
        self.times = Cloud(0.001)
        self.memory = Cloud(64 * 1024.0)

    def add(self, outcome: Outcome) -> None:
        if outcome.status in ("unchanged", "pruned"):
            return
        listed = {"refused": self.refused, "failed": self.failed}.get(outcome.status)
        if listed is not None and len(listed) < MOST_LISTED:
            listed.append(outcome)
        self.notices.update(outcome.notices)
        self.noticed.update(set(outcome.notices))
        if outcome.seconds:
            self.slowest.add(outcome, outcome.seconds)
            self.times.add(outcome, outcome.seconds)
        if outcome.peak_bytes is not None:
            self.heaviest.add(outcome, outcome.peak_bytes)
            self.memory.add(outcome, outcome.peak_bytes)
