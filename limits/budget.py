"""`Budget`: what a loader has spent so far of what its document may cost.

Counted where the work is done, never where it is declared. Passing a bound raises the refusal that
names the limit, the bound and what was seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from fumehood.errors import Refusal, RefusalCode, Stage, refusal
from fumehood.limits.policy import LIMIT_NAMES, MIB, Limits

_CODE: Final[dict[str, RefusalCode]] = {
    "input_bytes": "input-too-large",
    "heap_bytes": "memory",
    "inflated_bytes": "inflated-too-large",
    "entry_bytes": "inflated-too-large",
    "inflate_ratio": "zip-ratio",
    "archive_entries": "too-many-entries",
    "xml_elements": "xml-elements",
    "nodes": "nodes",
    "nesting": "nesting",
    "table_cells": "table-cells",
    "pages": "pages",
    "parts": "parts",
    "image_pixels": "image-pixels",
    "output_bytes": "output-too-large",
    "blocks": "output-too-large",
}

RATIO_GRACE: Final = 4 * MIB
"""Below so much output a ratio says nothing: honest spreadsheets pass 100:1 in small parts."""


class Budget:
    """Counters against one `Limits`. One per document; a container's parts spend from the same one."""

    __slots__ = ("_bounds", "_used", "limits", "stage")

    def __init__(self, limits: Limits, stage: Stage = "load") -> None:
        self.limits = limits
        self.stage: Stage = stage
        self._used: dict[str, int] = {}
        # Spending is done for every element of a document; an attribute looked up by name costs twice as much.
        self._bounds: dict[str, int | float] = {name: getattr(limits, name) for name in LIMIT_NAMES}

    @contextmanager
    def during(self, stage: Stage) -> Iterator[None]:
        """Refusals raised in the `with` block are of `stage`."""
        before, self.stage = self.stage, stage
        try:
            yield
        finally:
            self.stage = before

    def used(self, limit: str) -> int:
        """How much of `limit` was spent."""
        return self._used.get(limit, 0)

    def left(self, limit: str) -> int:
        """How much of `limit` is left; never negative."""
        return max(0, int(self._bounds[limit]) - self.used(limit))

    def is_passed(self, limit: str) -> bool:
        """Whether more of `limit` was spent than the whole document may: nothing more can be."""
        return self.used(limit) > self._bounds[limit]

    def spend(self, limit: str, amount: int = 1) -> None:
        """Adds `amount` to what `limit` counts; raises once the sum passes the bound."""
        used = self._used.get(limit, 0) + amount
        self._used[limit] = used
        if used > self._bounds[limit]:
            raise self.exceeded(limit, used)

    def check(self, limit: str, observed: int | float) -> None:
        """Raises if `observed` alone passes the bound: depths, one entry's size, one image's pixels."""
        if observed > self._bounds[limit]:
            raise self.exceeded(limit, observed)

    def inflate(self, produced: int, entry_total: int, consumed: int) -> None:
        """Accounts for `produced` more bytes out of an entry that has given `entry_total` from `consumed` bytes."""
        self.spend("inflated_bytes", produced)
        self.check("entry_bytes", entry_total)
        if entry_total > RATIO_GRACE and consumed > 0:
            self.check("inflate_ratio", round(entry_total / consumed, 1))

    def exceeded(self, limit: str, observed: int | float) -> Refusal:
        """The refusal for `limit`, ready to raise."""
        return refusal(_CODE[limit], limit=limit, bound=self._bounds[limit], observed=observed, stage=self.stage)
