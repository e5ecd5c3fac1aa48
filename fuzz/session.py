"""Runs one target over inputs: counts how they end, and reports what must never be."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import islice
from types import FrameType
from typing import Final

from fumehood.fuzz.causes import cause_of, told
from fumehood.fuzz.minimise import minimised
from fumehood.fuzz.oracle import BrokenPromise
from fumehood.fuzz.reports import FINDING, Found, Progress, Report
from fumehood.fuzz.slate import Slate
from fumehood.fuzz.target import Target

_REPORT_SECONDS: Final = 0.5
_IN_FLIGHT: Final = 4
"""Reads at once of an isolated target: workers are forked ahead while others are read."""
_BATCH: Final = 64
_MOST_DESCRIPTORS: Final = 40
"""More than so many above those of the first batches are a leak: a reader keeps a few workers ahead."""
_MINIMISE_SECONDS: Final = 5.0
_MINIMISE_RUNS: Final = 2_000


class Hang(KeyboardInterrupt):
    """An execution used up its time. Of the one type that a loader's guard lets pass."""


class Session:
    """One target and what came of its inputs.

    `patience`: seconds of processor time for one in-process execution; `cuts_down`: whether findings are minimised.
    """

    def __init__(
        self,
        target: Target,
        report: Callable[[Report], None],
        slate: Slate,
        *,
        patience: float = 5.0,
        cuts_down: bool = True,
    ) -> None:
        self.corpus = 0
        self._target = target
        self._report = report
        self._slate = slate
        self._patience = patience
        self._cuts_down = cuts_down
        self._ends: Counter[str] = Counter()
        self._causes: set[str] = set()
        self._start = time.monotonic()
        self._reported = self._start
        self._runs = 0
        self._descriptors: int | None = None

    def run(self, inputs: Iterator[bytes], *, seconds: float, runs: int | None = None) -> None:
        """Until the time or the number of runs is spent, or the inputs are."""
        until = self._start + seconds
        inputs = islice(inputs, runs)
        while time.monotonic() < until:
            batch = self._isolated(inputs) if self._target.is_isolated else self._in_process(inputs, until)
            if not batch:
                break
            self._check_descriptors(batch[-1])
        self.finish()

    def one(self, data: bytes) -> None:
        """One execution in this process."""
        self._slate.write(data)
        self._judge(data, self._attempt(data))
        self._slate.clear()

    def finish(self) -> None:
        """Reports what was not reported yet."""
        now = time.monotonic()
        self._report(Progress(dict(self._ends), self.corpus, now - self._start))
        self._ends.clear()
        self._reported = now

    # ---- executions ------------------------------------------------------------------------------------

    def _in_process(self, inputs: Iterator[bytes], until: float) -> list[bytes]:
        done = []
        for data in islice(inputs, _BATCH):
            self.one(data)
            done.append(data)
            if time.monotonic() >= until:
                break
        return done

    def _isolated(self, inputs: Iterator[bytes]) -> list[bytes]:
        """Several at once. None of them can harm this process, so that none is written down beforehand."""
        batch = list(islice(inputs, _BATCH))
        self._slate.write(b"")
        with ThreadPoolExecutor(_IN_FLIGHT) as pool:
            for data, outcome in zip(batch, pool.map(self._ended, batch), strict=True):
                self._judge(data, outcome)
                self._slate.write(b"")
        self._slate.clear()
        return batch

    def _attempt(self, data: bytes) -> str | BaseException:
        if self._target.is_isolated:
            return self._ended(data)
        hung = False

        def interrupt(_number: int, _frame: FrameType | None) -> None:
            nonlocal hung
            hung = True
            raise Hang

        outcome: str | BaseException = Hang()
        # It may come a moment too late, or be caught and turned into something else.
        with suppress(Hang), _alarm(self._patience, interrupt):
            outcome = self._ended(data)
        return Hang() if hung else outcome

    def _ended(self, data: bytes) -> str | BaseException:
        try:
            return self._target(data)
        except (Exception, Hang) as error:
            return error

    # ---- findings --------------------------------------------------------------------------------------

    def _judge(self, data: bytes, outcome: str | BaseException) -> None:
        self._runs += 1
        self._ends[outcome if isinstance(outcome, str) else FINDING] += 1
        if isinstance(outcome, BaseException):
            self._found(data, outcome)
        if time.monotonic() - self._reported >= _REPORT_SECONDS:
            self.finish()

    def _found(self, data: bytes, error: BaseException) -> None:
        cause = self._cause(error)
        if cause in self._causes:
            return
        self._causes.add(cause)
        if self._cuts_down and not isinstance(error, Hang):
            data = minimised(
                data, lambda cut: self._fails_so(cut, cause), seconds=_MINIMISE_SECONDS, runs=_MINIMISE_RUNS
            )
        self._report(Found(self._target.name, cause, told(error), data))

    def _cause(self, error: BaseException) -> str:
        return f"a hang ({self._target.name})" if isinstance(error, Hang) else cause_of(self._target, error)

    def _fails_so(self, data: bytes, cause: str) -> bool:
        self._slate.write(data)
        outcome = self._attempt(data)
        return isinstance(outcome, BaseException) and self._cause(outcome) == cause

    def _check_descriptors(self, last: bytes) -> None:
        held = len(os.listdir("/proc/self/fd"))
        if self._descriptors is None:
            self._descriptors = held
        elif held > self._descriptors + _MOST_DESCRIPTORS:
            self._descriptors = held
            self._found_leak(last, held)

    def _found_leak(self, last: bytes, held: int) -> None:
        cause = f"descriptors that are not closed ({self._target.name})"
        if cause not in self._causes:
            self._causes.add(cause)
            self._ends[FINDING] += 1
            what = (
                f"{held} descriptors are open after {self._runs} executions; the last input may be none of the cause\n"
            )
            self._report(Found(self._target.name, cause, what, last))


@contextmanager
def _alarm(seconds: float, interrupt: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Counts processor time: other work on the machine is none of the target's. Again and again, where it is caught."""
    before = signal.signal(signal.SIGPROF, interrupt)
    signal.setitimer(signal.ITIMER_PROF, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


__all__ = ["BrokenPromise", "Hang", "Session"]
