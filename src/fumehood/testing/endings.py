"""Ends that no input of the suite may have, and what to do about each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fumehood.errors import Refusal
from fumehood.kinds import Kind
from fumehood.testing.breach import breach
from fumehood.testing.outcomes import Outcome

_ADVICE: Final[Mapping[str, str]] = {
    "crashed": "find what ends the process: a fault or too deep a recursion in compiled code, os._exit, a signal",
    "policy-violation": "a loader reads its bytes and makes text: no sockets, processes, threads or files",
    "bad-reply": "the parent rejects what cannot be true: use the Builder's methods, count locators from 1, and take "
    "details of notices from the closed lists in fumehood.errors",
    "cpu-time": "bound every loop by the input, and spend `nodes` or what fits where the work is done",
    "wall-clock": "never wait; bound every loop by the input, and spend `nodes` or what fits where the work is done",
    "memory": "make nothing larger than the input before `budget.spend` or `budget.inflate` allowed it",
}


def check_ending(kind: Kind, data: bytes, outcome: Outcome) -> None:
    """Raises `AssertionError` for a read that ended badly, rather than in a document or in a refusal of it."""
    if isinstance(outcome, Refusal) and outcome.code in _ADVICE:
        breach(kind.name, f"ends as {outcome.code} on {len(data):,} bytes", _ADVICE[outcome.code], data)
