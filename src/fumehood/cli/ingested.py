"""What is printed of an ingest: for programs a line of JSON for each file, for people what went wrong and a table."""

from __future__ import annotations

from typing import Final

import msgspec

from fumehood.cli.results import refusal_text
from fumehood.cli.results import remark as remark_on
from fumehood.cli.table import paragraph, table
from fumehood.hygiene import printable
from fumehood.ingest import KindRow, Outcome, Summary
from fumehood.ingest.outcome import NOTHING_LISTED
from fumehood.ingest.units import counted, size_text, time_text

_HEADS: Final = ("KIND", "READ", "UNCHANGED", "REFUSED", "FAILED", "CHUNKS", "PAGES", "TIME")


def line(outcome: Outcome, *, dry_run: bool) -> bytes:
    """Every line has `file` and `status`; the rest stands where there is something to say."""
    said: dict[str, object] = {"file": printable(outcome.source), "status": outcome.status}
    if outcome.status != "pruned":
        said |= {"kind": outcome.kind, "size": outcome.size}
    if outcome.status in ("read", "unchanged"):
        said |= {"chunks": outcome.chunks, "pages": outcome.pages}
    if outcome.seconds:
        said["seconds"] = round(outcome.seconds, 6)
    if outcome.refusal is not None:
        said |= {"refusal": outcome.refusal.to_dict(), "unchanged": outcome.unchanged}
    if outcome.error is not None:
        said["error"] = outcome.error
    if dry_run:
        said["dry_run"] = True
    return msgspec.json.encode(said) + b"\n"


def remark(outcome: Outcome) -> bytes:
    """What a person is told at once; what was refused before is in the table only."""
    if outcome.error is not None:
        return remark_on(outcome.source, f"failed: {outcome.error}")
    if outcome.refusal is not None and not outcome.unchanged:
        return remark_on(outcome.source, refusal_text(outcome.refusal))
    return b""


def kept(summary: Summary) -> str:
    return (
        f"{counted(summary.kept, 'source')} of the index cannot be found, but {NOTHING_LISTED}; "
        "is something not mounted? --allow-empty prunes what is gone"
    )


def table_of(summary: Summary, columns: int) -> str:
    rows = [_row(kind, row) for kind, row in summary.by_kind.items()]
    if len(rows) != 1:
        rows.append(_row("all", summary.total))
    done = "would be read" if summary.dry_run else "read"
    pruned = "would be pruned" if summary.dry_run else "pruned"
    parts = [
        table(_HEADS, rows, columns),
        "",
        paragraph(
            f"{counted(summary.sources, 'file')}, {size_text(summary.bytes)}, in {time_text(summary.seconds)}: "
            f"{summary.succeeded:,} {done}, {summary.unchanged:,} unchanged, {summary.refused:,} refused, "
            f"{summary.failed:,} failed; {summary.pruned:,} {pruned}",
            columns,
        ),
    ]
    for said, counts in (("refused", summary.refusals), ("left out", summary.skipped)):
        if counts:
            listed = ", ".join(f"{count:,} {name}" for name, count in counts.items())
            parts.append(paragraph(f"{said}: {listed}", columns, rest="  "))
    return "\n".join(parts)


def _row(kind: str, row: KindRow) -> tuple[str, ...]:
    counts = (row.read, row.unchanged, row.refused, row.failed, row.chunks, row.pages)
    return (kind, *(f"{count:,}" for count in counts), time_text(row.seconds))
