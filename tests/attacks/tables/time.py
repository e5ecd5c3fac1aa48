"""Attacks on time: nothing goes on for ever."""

from __future__ import annotations

from tests.attacks.attack import LIMITS, POLICY, RUNNING, Attack
from tests.attacks.tables import reasons

_BRIEF = LIMITS.replace(wall_seconds=0.3)
_BUSY = LIMITS.replace(cpu_seconds=1)

ATTACKS = (
    Attack("time.loop", "cpu-time", limits=_BUSY, outside=RUNNING, alone=reasons.LATER),
    # The soft limit's signal is blocked: the hard limit is one second later.
    Attack("time.loop_without_signals", "cpu-time", limits=_BUSY, outside=RUNNING, alone=reasons.LATER),
    Attack("time.loop_in_spite_of_everything", "cpu-time", limits=_BUSY, outside=RUNNING, alone=reasons.LATER),
    Attack("time.loop", "wall-clock", limits=_BRIEF, outside=RUNNING, name="loop_past_deadline"),
    Attack("time.match_for_ever", "wall-clock", limits=_BRIEF, outside=RUNNING),
    Attack("time.sleep", "wall-clock", limits=_BRIEF, outside=RUNNING),
    Attack("time.sleep_without_signals", "wall-clock", limits=_BRIEF, outside=RUNNING),
    Attack("time.wait_for_nobody", "wall-clock", limits=_BRIEF, outside=RUNNING),
    Attack("time.pause", POLICY, limits=_BRIEF, outside=RUNNING),
)
