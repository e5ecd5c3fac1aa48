"""Runs one target over inputs: counts how they end, and reports what must never be."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from types import FrameType
from typing import Final

import trio

from fumehood import Reader
from fumehood.fuzz.causes import cause_of, told
from fumehood.fuzz.minimise import minimised
from fumehood.fuzz.oracle import BrokenPromise
from fumehood.fuzz.reports import FINDING, Found, Progress, Report
from fumehood.fuzz.slate import Slate
from fumehood.fuzz.target import Target

_REPORT_SECONDS: Final = 0.5
_AHEAD: Final = 2
"""Reads of an isolated target that wait for a worker, so that none waits for a read."""
_BATCH: Final = 64
"""Executions between two looks at the descriptors."""
_MOST_DESCRIPTORS: Final = 40
"""More than so many above those of the first batches are a leak: a reader keeps a few workers ahead."""
_MINIMISE_SECONDS: Final = 5.0
_MINIMISE_RUNS: Final = 2_000


_Read = Callable[[Reader, bytes], Awaitable[str]]


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
        self._began: float | None = None
        self._runs = 0
        self._descriptors: int | None = None

    def run(self, inputs: Iterator[bytes], *, seconds: float, runs: int | None = None) -> None:
        """Until the time or the number of runs is spent, or the inputs are."""
        until = self._start + seconds
        inputs = islice(inputs, runs)
        if self._target.read is None:
            self._run_here(inputs, until)
        else:
            trio.run(self._run_isolated, self._target.read, inputs, until)
        self.finish()

    def one(self, data: bytes) -> None:
        """One execution in this process."""
        self._slate.write(data)
        self._judge(data, self._attempt(data))
        self._slate.clear()

    def finish(self) -> None:
        """Reports what was not reported yet."""
        now = time.monotonic()
        self._report(Progress(dict(self._ends), self.corpus, now - (self._began or now)))
        self._ends.clear()
        self._reported = now

    # ---- executions ------------------------------------------------------------------------------------

    def _run_here(self, inputs: Iterator[bytes], until: float) -> None:
        for data in inputs:
            self.one(data)
            self._check_descriptors(data)
            if time.monotonic() >= until:
                break

    async def _run_isolated(self, read: _Read, inputs: Iterator[bytes], until: float) -> None:
        """Several at once. None of them can harm this process, so that none is written down beforehand."""
        self._slate.write(b"")
        async with Reader() as reader, trio.open_nursery() as nursery:
            for _ in range(reader.workers + _AHEAD):
                nursery.start_soon(self._read_on, partial(read, reader), inputs, until)
        self._slate.clear()

    async def _read_on(self, read: Callable[[bytes], Awaitable[str]], inputs: Iterator[bytes], until: float) -> None:
        for data in inputs:
            try:
                outcome: str | BaseException = await read(data)
            except Exception as error:
                outcome = error
            self._judge(data, outcome)
            self._slate.write(b"")
            self._check_descriptors(data)
            if time.monotonic() >= until:
                break

    def _attempt(self, data: bytes) -> str | BaseException:
        if self._target.is_isolated:
            return self._ended(data)  # its worker has caps of its own
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
        if self._began is None:
            self._began = time.monotonic()
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
        if self._runs % _BATCH:
            return
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
