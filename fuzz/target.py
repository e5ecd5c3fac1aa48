"""What a target is, and the limits that targets read under."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from fumehood import Reader
from fumehood.limits.policy import KIB, MIB, Limits

FUZZ_LIMITS: Final = Limits(
    cpu_seconds=10,
    wall_seconds=120,
    inflated_bytes=32 * MIB,
    entry_bytes=16 * MIB,
    xml_elements=200_000,
    nodes=200_000,
    table_cells=100_000,
    output_bytes=1 * MIB,
    blocks=50_000,
)
"""Small enough that an input which spends a cap does so in a fraction of a second; the clock is only for what waits."""

TIGHT_LIMITS: Final = FUZZ_LIMITS.replace(
    inflated_bytes=64 * KIB,
    entry_bytes=32 * KIB,
    archive_entries=20,
    xml_elements=400,
    nodes=400,
    nesting=12,
    table_cells=6,
    pages=2,
    parts=8,
    output_bytes=600,
    blocks=12,
)
"""So small that many seeds are read under it and most mutations of them pass one of its caps."""

BAD_REPLY: Final = "bad-reply"
"""Beside the codes of refusals: what the decoder says of what is no reply."""


@dataclass(frozen=True, slots=True)
class Target:
    """One target.

    - `kind`: whose seeds suit it, or None.
    - `read`: the same as `run` on a reader, where it takes a worker.
    - `choices`: so many first bytes choose among options; engines draw them, before whatever they make of seeds.
    """

    name: str
    run: Callable[[bytes], str]
    kind: str | None = None
    read: Callable[[Reader, bytes], Awaitable[str]] | None = None
    choices: int = 0

    @property
    def is_isolated(self) -> bool:
        """Whether nothing is parsed in this process."""
        return self.read is not None

    def __call__(self, data: bytes) -> str:
        """How the input ended: `read`, or a refusal's code. Raises `BrokenPromise`, or whatever escaped."""
        return self.run(data)
