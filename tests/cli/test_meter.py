"""The line of progress says what is done, how fast, and what is left."""

from __future__ import annotations

from fumehood.cli.meter import Meter
from fumehood.errors import refusal
from fumehood.ingest import Item, Outcome, Unlisted


def test_the_line_knows_the_end_once_everything_is_counted() -> None:
    meter = Meter()
    meter.add(Outcome(source="a", status="read", size=1_024))
    assert meter.text(4.0) == "1 file, 1 KiB, 0.2/s, 0 refused"
    meter.add(Outcome(source="b", status="refused", size=1_024, refusal=refusal("malformed")))
    assert meter.text(4.0) == "2 files, 2 KiB, 0.5/s, 1 refused"
    meter.count([Item("a", bytes, 1_024), Item("b", bytes, 1_024), Item("c", bytes, 6_144), Unlisted("d", OSError())])
    assert meter.text(4.0) == "2 of 4 files, 2 KiB of 8 KiB, 0.5/s, 12 s left, 1 refused"
    meter.add(Outcome(source="e", status="pruned"))
    assert meter.done == 2


def test_counting_ends_with_the_run() -> None:
    meter = Meter()
    meter.close()
    meter.count(iter([Item("a", bytes, 5)]))
    assert meter.text(1.0) == "0 files, 0 B, 0.0/s, 0 refused"
