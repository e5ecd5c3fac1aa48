"""What a report says is bounded, however long a run is."""

from __future__ import annotations

from fumehood.errors import refusal
from fumehood.ingest import Outcome
from fumehood.ingest.findings import MOST_LISTED, MOST_RANKED, Findings


def test_the_largest_are_kept_and_the_rest_is_counted() -> None:
    findings = Findings()
    for number in range(3_000):
        findings.add(
            Outcome(
                source=f"{number}",
                status="read",
                size=100 + number,
                seconds=0.001 * (number % 1_500 + 1),
                peak_bytes=1_000 * number,
                notices=("repaired", "repaired"),
            )
        )
        findings.add(
            Outcome(source=f"r{number}", status="refused", size=10, seconds=0.01, refusal=refusal("malformed"))
        )
    assert len(findings.refused) == MOST_LISTED
    assert (findings.notices["repaired"], findings.noticed["repaired"]) == (6_000, 3_000)
    assert [each.source for each in findings.heaviest.largest()] == [f"{2_999 - at}" for at in range(MOST_RANKED)]
    assert [each.source for each in findings.slowest.largest()][:2] == ["1499", "2999"]
    places = findings.times.places()
    assert len(places) < 300
    assert sum(count for _, _, _, count in places) == 6_000


def test_points_lie_within_an_eighth_of_an_octave() -> None:
    findings = Findings()
    findings.add(Outcome(source="a", status="read", size=12_345, seconds=0.678, peak_bytes=0))
    ((size, seconds, refused, count),) = findings.times.places()
    assert 2**-0.125 <= size / 12_345 <= 2**0.125
    assert 2**-0.125 <= seconds / 0.678 <= 2**0.125
    assert (refused, count) == (False, 1)
    ((_, memory, _, _),) = findings.memory.places()
    assert memory == 64 * 1024


def test_what_was_not_read_in_this_run_has_no_time() -> None:
    findings = Findings()
    findings.add(Outcome(source="a", status="unchanged", size=5))
    findings.add(Outcome(source="b", status="pruned"))
    findings.add(Outcome(source="c", status="refused", refusal=refusal("malformed"), unchanged=True))
    assert findings.times.places() == []
    assert [each.source for each in findings.refused] == ["c"]
