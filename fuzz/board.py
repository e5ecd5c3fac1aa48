"""What a run has come to so far: a line while it lasts, a table at its end."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field

from fumehood.fuzz.reports import FINDING, Assignment, Found, Progress, Report


@dataclass(slots=True)
class Tally:
    """Of one target. `seconds` of all its processes together, without their start."""

    ends: Counter[str] = field(default_factory=Counter)
    corpus: int = 0
    seconds: dict[Assignment, float] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """Executions a second of one process."""
        spent = sum(self.seconds.values())
        return self.ends.total() / spent if spent else 0.0


class Board:
    """Hears every report."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self.tallies: dict[str, Tally] = {}
        self.findings: dict[str, Found] = {}
        """By cause, the smallest input of each."""

    def hear(self, assignment: Assignment, report: Report) -> None:
        tally = self.tallies.setdefault(assignment.target, Tally())
        if isinstance(report, Progress):
            tally.ends.update(report.ends)
            tally.corpus = report.corpus or tally.corpus
            tally.seconds[assignment] = max(report.seconds, tally.seconds.get(assignment, 0.0))
            return
        known = self.findings.get(report.cause)
        if known is None or len(report.data) < len(known.data):
            self.findings[report.cause] = report

    @property
    def executions(self) -> int:
        return sum(tally.ends.total() for tally in self.tallies.values())

    def line(self) -> str:
        """One line: how many, how fast, how they ended, what was found."""
        spent = max(time.monotonic() - self._start, 1e-9)
        ends = sum((tally.ends for tally in self.tallies.values()), Counter[str]())
        corpus = sum(tally.corpus for tally in self.tallies.values())
        return (
            f"{spent:.0f} s  {self.executions:,} executions, {self.executions / spent:,.0f} a second  {_listed(ends)}  "
            f"corpus {corpus:,}  findings {len(self.findings)}"
        )

    def rows(self) -> list[tuple[str, ...]]:
        """For each target: its name, executions, those a second in one process, corpus, ends."""
        return [
            (name, f"{tally.ends.total():,}", f"{tally.rate:,.0f}", f"{tally.corpus:,}", _listed(tally.ends))
            for name, tally in self.tallies.items()
        ]


def _listed(ends: Counter[str]) -> str:
    findings = ends[FINDING]
    others = [f"{name} {count:,}" for name, count in ends.most_common() if name != FINDING]
    return ", ".join([f"{FINDING} {findings:,}"] * bool(findings) + others) or "-"


HEADS = ("TARGET", "EXECUTIONS", "A SECOND", "CORPUS", "ENDS")
