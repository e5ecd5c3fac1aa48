"""How a read ended, judged from what the parent and the kernel saw, never from what the worker says.

A worker may always refuse its own document; it can never turn a kill into a read.
"""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from typing import Literal

from fumehood.errors import Refusal, refusal
from fumehood.limits.policy import Limits
from fumehood.sandbox.messages import Exited

KilledFor = Literal["deadline", "memory"]


@dataclass(frozen=True, slots=True)
class Ending:
    """What was seen. `exited` is None if the zygote died with the worker; `spoilt`: why the reply was cut off by us."""

    exited: Exited | None
    killed_for: KilledFor | None
    spoilt: Refusal | None
    refused: Refusal | None
    complete: bool
    wall_seconds: float
    peak_bytes: int


def judge(ending: Ending, limits: Limits) -> Refusal | None:
    """The refusal, or None if the reply may be believed to be whole."""
    if ending.killed_for == "deadline":
        return _wall_clock(ending, limits)
    if ending.killed_for == "memory":
        return _memory(ending, limits)
    if ending.spoilt is not None:
        return ending.spoilt
    if ending.exited is None:
        return refusal("crashed")
    if os.WIFSIGNALED(ending.exited.status):
        return _by_signal(os.WTERMSIG(ending.exited.status), ending, ending.exited, limits)
    if os.waitstatus_to_exitcode(ending.exited.status) != 0:
        return refusal("crashed")
    if not ending.complete:
        return refusal("bad-reply", stage="reply")
    return ending.refused


def _by_signal(number: int, ending: Ending, exited: Exited, limits: Limits) -> Refusal:
    if number == signal.SIGSYS:
        return refusal("policy-violation")
    # Whoever ignores SIGXCPU at the soft limit gets SIGKILL at the hard one, a second later.
    if number == signal.SIGXCPU or (number == signal.SIGKILL and exited.cpu_seconds >= limits.cpu_seconds):
        return refusal("cpu-time", limit="cpu_seconds", bound=limits.cpu_seconds, observed=round(exited.cpu_seconds, 3))
    # The worker's own timer, where the parent was too busy to be first.
    if number == signal.SIGKILL and ending.wall_seconds >= limits.wall_seconds:
        return _wall_clock(ending, limits)
    # C and C++ code that cannot allocate calls abort(); the kernel's out-of-memory killer sends SIGKILL.
    if number in (signal.SIGABRT, signal.SIGKILL) and ending.peak_bytes >= limits.heap_bytes / 2:
        return _memory(ending, limits)
    return refusal("crashed")


def _wall_clock(ending: Ending, limits: Limits) -> Refusal:
    return refusal(
        "wall-clock", limit="wall_seconds", bound=limits.wall_seconds, observed=round(ending.wall_seconds, 3)
    )


def _memory(ending: Ending, limits: Limits) -> Refusal:
    return refusal("memory", limit="heap_bytes", bound=limits.heap_bytes, observed=ending.peak_bytes)


def died_of_its_own(exited: Exited | None, killed: bool) -> bool:
    """Whether a worker ended by a signal that we did not send: a crash, or an attempt at something."""
    return not killed and exited is not None and os.WIFSIGNALED(exited.status)
