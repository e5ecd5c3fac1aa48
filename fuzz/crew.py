"""Starts fuzzing processes, a few at a time, hears their reports, and sees which of them hang or die."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec
import psutil

from fumehood.fuzz.reports import FINDING, Assignment, Found, Progress, Report
from fumehood.fuzz.slate import Slate

_JOB: Final = ("-P", "-m", "fumehood.fuzz.job")
_ATHERIS_JOB: Final = ("-P", str(Path(__file__).parent / "atheris_job.py"))
_TICK_SECONDS: Final = 0.25
_SLACK: Final = 10.0
"""A process in which nothing moves has used so many times the processor time that one execution may take."""
_STUCK_SECONDS: Final = 300.0
"""Or it waits, for so long of the clock that no busy machine is the reason."""
_OWN_END_SECONDS: Final = 5.0
_SAID: Final = 2_000

Hear = Callable[[Assignment, Report], None]

_decoder: Final = msgspec.json.Decoder(Report)


class JobFailed(Exception):
    """A process ended before its first execution: a module that cannot be imported, say. Its text says why."""


class _Job:
    """One process under way."""

    def __init__(self, assignment: Assignment, folder: Path, hear: Hear) -> None:
        self.assignment = assignment
        self._hear = hear
        path = folder / "slate"
        self._slate = Slate.open(path)
        self._stderr = (folder / "stderr").open("w+b")
        self.pipe, theirs = os.pipe()
        command = _ATHERIS_JOB if assignment.engine == "atheris" else _JOB
        told = (msgspec.json.encode(assignment).decode(), str(theirs), str(path))
        try:
            self.process = subprocess.Popen(
                [sys.executable, *command, *told],
                stdin=subprocess.DEVNULL,
                stdout=self._stderr,
                stderr=self._stderr,
                pass_fds=(theirs,),
                start_new_session=True,
            )
        finally:
            os.close(theirs)
        self._buffer = bytearray()
        self._count = 0
        self._moved = time.monotonic()
        self._used = 0.0
        self._is_stuck = False

    def take(self) -> bool:
        """Hears what arrived. False at the end of it."""
        piece = os.read(self.pipe, 1 << 16)
        self._buffer += piece
        *lines, rest = self._buffer.split(b"\n")
        self._buffer = bytearray(rest)
        for line in lines:
            self._hear(self.assignment, _decoder.decode(line))
        return bool(piece)

    def watch(self) -> None:
        """Kills a process in which nothing moves; its end is a finding then."""
        now, used = time.monotonic(), self._cpu_seconds()
        if self._slate.count != self._count:
            self._count, self._moved, self._used = self._slate.count, now, used
        if self._count and used - self._used > _SLACK * self.assignment.patience:
            self._is_stuck = True
        if now - self._moved > _STUCK_SECONDS:
            self._is_stuck = True
        if self._is_stuck:
            self.kill()

    def _cpu_seconds(self) -> float:
        """Of the process, without those it started; 0 once it is gone."""
        try:
            times = psutil.Process(self.process.pid).cpu_times()
        except psutil.Error:
            return 0.0
        return times.user + times.system

    def kill(self) -> None:
        """With all that it started: it leads a session of its own."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)

    def end(self, *, stopped: bool) -> None:
        """Waits for the process. What it was at when it was killed by anyone but us is a finding. Raises `JobFailed`."""
        os.close(self.pipe)
        if stopped:
            self._stop()
        code = self.process.wait()
        self._stderr.seek(0)
        said = self._stderr.read().decode("utf-8", "replace")[-_SAID:]
        self._stderr.close()
        data, count = self._slate.read(), self._slate.count
        self._slate.close()
        if code == 0 or stopped:
            return
        name = "a hang" if self._is_stuck else signal.Signals(-code).name if code < 0 else f"exit code {code}"
        if not count:
            raise JobFailed(f"the process for {self.assignment.target} ended, {name}: {said or 'nothing was said'}")
        # Between two inputs it is the harness that failed, which is to be mended as well, and no reason to stop.
        cause = f"{name}{' between two inputs' if data is None else ''} ({self.assignment.target})"
        self._hear(self.assignment, Progress({FINDING: 1}, 0, 0.0))
        self._hear(self.assignment, Found(self.assignment.target, cause, said or f"ended by {name}\n", data or b""))

    def _stop(self) -> None:
        """An isolated target has workers, which its own end takes down in good order."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(_OWN_END_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()


def work_off(assignments: Sequence[Assignment], jobs: int, hear: Hear, tick: Callable[[], None]) -> None:
    """Does all of `assignments`, `jobs` at once; `tick` is called a few times a second.

    Raises `JobFailed`. However it ends, by `KeyboardInterrupt` for one, no process is left.
    """
    waiting = list(assignments)[::-1]
    with tempfile.TemporaryDirectory(prefix="fumehood-fuzz-") as folder, selectors.DefaultSelector() as selector:
        running: dict[int, _Job] = {}
        try:
            number = 0
            while waiting or running:
                while waiting and len(running) < jobs:
                    place = Path(folder, str(number := number + 1))
                    place.mkdir()
                    job = _Job(waiting.pop(), place, hear)
                    running[job.pipe] = job
                    selector.register(job.pipe, selectors.EVENT_READ)
                for key, _ in selector.select(_TICK_SECONDS):
                    if not running[key.fd].take():
                        selector.unregister(key.fd)
                        running.pop(key.fd).end(stopped=False)
                for job in running.values():
                    job.watch()
                tick()
        finally:
            for job in running.values():
                job.end(stopped=True)
