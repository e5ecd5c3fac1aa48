"""What is gone at the source goes from the index, unless it may only seem to be gone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, Protocol

from fumehood.index import Run
from fumehood.ingest.outcome import Outcome
from fumehood.ingest.steps import Steps

_TOGETHER: Final = 32
"""So many are removed in one visit to a thread; each is a transaction of its own, so that what is told is true."""


class Scope(Protocol):
    """What a run is about: what is in it and was not seen is gone."""

    def scopes(self) -> tuple[str, ...]:
        """Names, each for itself and for all below it (`name/...`); "" is everything."""

    def covers(self, source: str) -> bool:
        """Asked of what was not seen, when all was listed: whether it would have been seen if it were there."""

    def is_empty(self, source: str) -> bool:
        """Whether nothing at all was listed where that source was: rather a disk that is not mounted."""


class Everything:
    """The scope of a run whose sources are all there are in the namespace."""

    def scopes(self) -> tuple[str, ...]:
        return ("",)

    def covers(self, source: str) -> bool:
        return True

    def is_empty(self, source: str) -> bool:
        return False


class Pruning:
    """Removes what is gone, batch by batch; `kept` counts what only seems to be.

    `empty`: whether the run saw no source at all. `allow_empty`: then, too, what is not there is gone.
    """

    def __init__(self, steps: Steps, run: Run, scope: Scope, *, empty: bool, allow_empty: bool) -> None:
        self._steps = steps
        self._scope = scope
        self._empty = empty
        self._allow_empty = allow_empty
        self._gone = iter(run.gone())
        self.kept = 0

    def batch(self) -> list[Outcome]:
        """Blocks. The outcomes of the next few; none at the end. Raises `StoreError`."""
        return list(islice(self._pruned(), _TOGETHER))

    def _pruned(self) -> Iterator[Outcome]:
        for source in self._gone:
            if not self._scope.covers(source):
                continue
            if (self._empty or self._scope.is_empty(source)) and not self._allow_empty:
                self.kept += 1
                continue
            if not self._steps.dry:
                self._steps.index.remove(source, namespace=self._steps.namespace)
            yield Outcome(source=source, status="pruned")
