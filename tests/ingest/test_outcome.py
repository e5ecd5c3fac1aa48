"""Every source is counted exactly once."""

from __future__ import annotations

import pytest

from fumehood.errors import refusal
from fumehood.ingest import KindRow, Outcome
from fumehood.ingest.outcome import Tally, page_count


def test_a_summary_adds_up() -> None:
    tally = Tally()
    for outcome in (
        Outcome(source="a", status="read", kind="pdf", size=10, chunks=3, pages=2, seconds=0.5),
        Outcome(source="b", status="unchanged", kind="pdf", size=20, chunks=1, pages=1),
        Outcome(source="c", status="refused", kind="csv", size=5, seconds=0.25, refusal=refusal("malformed")),
        Outcome(source="d", status="failed", error="no"),
        Outcome(source="e", status="pruned"),
    ):
        tally.add(outcome)
    summary = tally.summary(2.0)
    assert (summary.succeeded, summary.unchanged, summary.refused, summary.failed, summary.pruned) == (1, 1, 1, 1, 1)
    assert (summary.sources, summary.chunks, summary.bytes, summary.seconds) == (4, 4, 35, 2.0)
    assert summary.by_kind["pdf"] == KindRow(read=1, unchanged=1, chunks=4, pages=3, seconds=0.5)
    assert list(summary.by_kind) == ["csv", "pdf", "unknown"]
    assert summary.total == KindRow(read=1, unchanged=1, refused=1, failed=1, chunks=4, pages=3, seconds=0.75)
    assert dict(summary.refusals) == {"malformed": 1}


@pytest.mark.parametrize(
    ("metadata", "pages"),
    [
        ({"pages": "12"}, 12),
        ({"slides": "3"}, 3),
        ({"sheets": "2"}, 2),
        ({}, 0),
        ({"pages": "²"}, 0),
        ({"pages": "9" * 99}, 0),
    ],
)
def test_pages_are_what_metadata_says_if_it_is_a_number(metadata: dict[str, str], pages: int) -> None:
    assert page_count(metadata) == pages
