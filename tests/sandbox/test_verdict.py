"""How a read ended is judged from what the kernel says, whatever the worker said."""

from __future__ import annotations

import signal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.errors import refusal
from fumehood.limits.policy import MIB, Limits
from fumehood.sandbox.messages import Exited
from fumehood.sandbox.verdict import Ending, judge

LIMITS = Limits(heap_bytes=100 * MIB, cpu_seconds=5)
ENCRYPTED = refusal("encrypted")


def ending(status: int | None = 0, *, cpu: float = 0.1, peak: int = 0, **fields: Any) -> Ending:
    exited = None if status is None else Exited(1, status, cpu, peak)
    facts: dict[str, Any] = {"killed_for": None, "spoilt": None, "refused": None, "complete": True, "wall_seconds": 1.0}
    return Ending(exited=exited, peak_bytes=peak, **(facts | fields))


@pytest.mark.parametrize(
    ("seen", "code"),
    [
        (ending(0), None),
        (ending(0, refused=ENCRYPTED), "encrypted"),
        (ending(0, complete=False), "bad-reply"),
        (ending(256), "crashed"),
        (ending(None), "crashed"),
        (ending(signal.SIGSEGV), "crashed"),
        (ending(signal.SIGSYS), "policy-violation"),
        (ending(signal.SIGXCPU, cpu=5.0), "cpu-time"),
        (ending(signal.SIGKILL, cpu=6.0), "cpu-time"),
        (ending(signal.SIGKILL), "crashed"),
        (ending(signal.SIGKILL, peak=60 * MIB), "memory"),
        (ending(signal.SIGKILL, wall_seconds=30.5), "wall-clock"),
        (ending(signal.SIGSEGV, wall_seconds=30.5), "crashed"),
        (ending(signal.SIGABRT), "crashed"),
        (ending(signal.SIGABRT, peak=49 * MIB), "crashed"),
        (ending(signal.SIGABRT, peak=50 * MIB), "memory"),
        (ending(signal.SIGKILL, killed_for="deadline"), "wall-clock"),
        (ending(signal.SIGKILL, killed_for="memory"), "memory"),
        (ending(signal.SIGKILL, spoilt=refusal("bad-reply", stage="reply")), "bad-reply"),
    ],
)
def test_each_ending_has_its_code(seen: Ending, code: str | None) -> None:
    judged = judge(seen, LIMITS)
    assert (judged.code if judged else None) == code


@given(
    number=st.integers(1, 64),
    complete=st.booleans(),
    refused=st.sampled_from([None, ENCRYPTED]),
    cpu=st.floats(0, 10),
    peak=st.integers(0, 2**40),
)
def test_a_kill_is_never_a_read_nor_the_workers_own_word(
    number: int, complete: bool, refused: Any, cpu: float, peak: int
) -> None:
    judged = judge(ending(number, cpu=cpu, peak=peak, complete=complete, refused=refused), LIMITS)
    assert judged is not None
    assert judged.code in {"crashed", "memory", "cpu-time", "policy-violation"}
