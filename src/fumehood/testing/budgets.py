"""Whether a loader spends what it uses, and ends where a limit says so."""

from __future__ import annotations

from fumehood.document import Document
from fumehood.errors import Refusal
from fumehood.kinds import Kind
from fumehood.limits.budget import Budget
from fumehood.limits.policy import LIMIT_NAMES
from fumehood.testing.breach import breach
from fumehood.testing.outcomes import LIMITS, in_process


def check_budgets(kind: Kind, data: bytes) -> None:
    """Reads an honest document, then again with half of each limit that it spent from: each must refuse it by its name."""
    budget = Budget(LIMITS)
    document = in_process(kind, data, LIMITS, budget)
    if isinstance(document, Refusal):
        return
    _check_output(kind, data, document, budget)
    for name in LIMIT_NAMES:
        used = budget.used(name)
        if used >= 2:
            _check_half(kind, data, name, used)


def _check_output(kind: Kind, data: bytes, document: Document, budget: Budget) -> None:
    size = len(document.text.encode())
    for name, holds in (("output_bytes", size), ("blocks", len(document.blocks))):
        if budget.used(name) < holds:
            breach(
                kind.name,
                f"gave {holds:,} of {name}, of which the budget saw {budget.used(name):,}",
                "add text and blocks by the Builder's methods, which count, never to its lists",
                data,
            )


def _check_half(kind: Kind, data: bytes, name: str, used: int) -> None:
    outcome = in_process(kind, data, LIMITS.replace(**{name: used // 2}))
    if isinstance(outcome, Document):
        breach(
            kind.name,
            f"ignored the limit {name}: it spends {used:,} and was read with {used // 2:,}",
            "let the Refusal that `budget.spend` raises pass: catch the errors of your parser by name, never Exception",
            data,
        )
    if outcome.limit != name:
        breach(
            kind.name,
            f"was refused for {outcome.code}, not for {name}, though only that was halved to {used // 2:,}",
            "raise nothing in place of the Refusal that `budget.spend` raises",
            data,
        )
