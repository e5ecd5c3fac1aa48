"""How one source ended, and what came of a whole run: typed, immutable, and of a size that no run makes larger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Final, Literal

import msgspec

from fumehood.errors import NoticeCode, Refusal, RefusalCode
from fumehood.ingest.items import Skipped

Status = Literal["read", "unchanged", "refused", "failed", "pruned"]

UNKNOWN_KIND: Final = "unknown"
NOTHING_LISTED: Final = "nothing at all was listed there"
_COUNTED_IN: Final = ("pages", "slides", "sheets")
_MAX_DIGITS: Final = 9


class Outcome(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """How one source ended.

    - `status`: `read` (stored, new or anew), `unchanged`, `refused`, `failed` (it could not be opened or chunked),
      `pruned` (gone at the source, so gone from the index).
    - `kind`: of the document; of a refused one what its name suggests, as it may not be known.
    - `size`: bytes of the source. `chunks`, `pages`: of its document; slides and sheets count as pages.
    - `seconds`: of the clock, for the read. `peak_bytes`: of its worker, None where nothing was read to the end.
    - `refusal`, `error`: why, for `refused` and `failed`.
    - `unchanged`: a refusal that is on record; the source was not read again.
    """

    source: str
    status: Status
    kind: str = UNKNOWN_KIND
    size: int = 0
    chunks: int = 0
    pages: int = 0
    seconds: float = 0.0
    peak_bytes: int | None = None
    notices: tuple[NoticeCode, ...] = ()
    refusal: Refusal | None = None
    error: str | None = None
    unchanged: bool = False


def page_count(metadata: Mapping[str, str]) -> int:
    """Pages, slides or sheets, as a document's metadata says; 0 if it does not."""
    for name in _COUNTED_IN:
        said = metadata.get(name, "")
        if said.isascii() and said.isdigit() and len(said) <= _MAX_DIGITS:
            return int(said)
    return 0


@dataclass(frozen=True, slots=True)
class KindRow:
    """What came of the sources of one kind. `seconds`: of the clock, added up over reads that ran side by side."""

    read: int = 0
    unchanged: int = 0
    refused: int = 0
    failed: int = 0
    chunks: int = 0
    pages: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What came of a run.

    - `succeeded`: documents stored. `unchanged`, `refused`, `failed`, `pruned`: as in :class:`Outcome`.
    - `chunks`: of all documents that were read or unchanged. `bytes`: of all sources but the pruned ones.
    - `seconds`: of the clock.
    - `refusals`: how many by code. `skipped`: what the listing left out, by reason.
    - `by_kind`: the same by kind.
    - `kept`: sources that are not there and were not pruned, because nothing at all was listed where they were.
    - `dry_run`: nothing was read or stored; `succeeded` counts what would have been read.
    """

    succeeded: int = 0
    unchanged: int = 0
    refused: int = 0
    failed: int = 0
    pruned: int = 0
    chunks: int = 0
    bytes: int = 0
    seconds: float = 0.0
    refusals: Mapping[RefusalCode, int] = field(default_factory=lambda: MappingProxyType({}))
    skipped: Mapping[Skipped, int] = field(default_factory=lambda: MappingProxyType({}))
    by_kind: Mapping[str, KindRow] = field(default_factory=lambda: MappingProxyType({}))
    kept: int = 0
    dry_run: bool = False

    @property
    def sources(self) -> int:
        """Every source that there was: each ended in exactly one of these ways."""
        return self.succeeded + self.unchanged + self.refused + self.failed

    @property
    def total(self) -> KindRow:
        """All kinds together."""
        rows = self.by_kind.values()
        return KindRow(**{each.name: sum(getattr(row, each.name) for row in rows) for each in fields(KindRow)})


class Tally:
    """Adds outcomes up."""

    def __init__(self) -> None:
        self._statuses: Counter[Status] = Counter()
        self._refusals: Counter[RefusalCode] = Counter()
        self._rows: dict[str, KindRow] = {}
        self._bytes = 0
        self.skipped: Counter[Skipped] = Counter()

    @property
    def sources(self) -> int:
        return self._statuses.total() - self._statuses["pruned"]

    @property
    def bytes(self) -> int:
        return self._bytes

    @property
    def refused(self) -> int:
        return self._statuses["refused"]

    def add(self, outcome: Outcome) -> None:
        self._statuses[outcome.status] += 1
        if outcome.status == "pruned":
            return
        self._bytes += outcome.size
        if outcome.refusal is not None:
            self._refusals[outcome.refusal.code] += 1
        row = self._rows.get(outcome.kind, KindRow())
        self._rows[outcome.kind] = KindRow(
            row.read + (outcome.status == "read"),
            row.unchanged + (outcome.status == "unchanged"),
            row.refused + (outcome.status == "refused"),
            row.failed + (outcome.status == "failed"),
            row.chunks + outcome.chunks,
            row.pages + outcome.pages,
            row.seconds + outcome.seconds,
        )

    def summary(self, seconds: float, *, kept: int = 0, dry_run: bool = False) -> Summary:
        return Summary(
            succeeded=self._statuses["read"],
            unchanged=self._statuses["unchanged"],
            refused=self._statuses["refused"],
            failed=self._statuses["failed"],
            pruned=self._statuses["pruned"],
            chunks=sum(row.chunks for row in self._rows.values()),
            bytes=self._bytes,
            seconds=seconds,
            refusals=MappingProxyType(dict(self._refusals.most_common())),
            skipped=MappingProxyType(dict(self.skipped)),
            by_kind=MappingProxyType(dict(sorted(self._rows.items()))),
            kept=kept,
            dry_run=dry_run,
        )
