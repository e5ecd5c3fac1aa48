"""What is printed of an ingest."""

from __future__ import annotations

import json

from fumehood.cli.ingested import line, remark, table_of
from fumehood.errors import refusal
from fumehood.ingest import Outcome
from fumehood.ingest.outcome import Tally

READ = Outcome(source="a\n.pdf", status="read", kind="pdf", size=10, chunks=2, pages=1, seconds=0.5)
REFUSED = Outcome(source="b", status="refused", size=3, seconds=0.25, refusal=refusal("malformed"))
KNOWN = Outcome(source="b", status="refused", refusal=refusal("malformed"), unchanged=True)
FAILED = Outcome(source="c", status="failed", error="Permission denied")
PRUNED = Outcome(source="d", status="pruned")


def test_a_line_for_programs_has_file_and_status() -> None:
    said = [json.loads(line(each, dry_run=False)) for each in (READ, REFUSED, KNOWN, FAILED, PRUNED)]
    assert [each["status"] for each in said] == ["read", "refused", "refused", "failed", "pruned"]
    assert said[0] == {
        "file": "a\\n.pdf", "status": "read", "kind": "pdf", "size": 10, "chunks": 2, "pages": 1, "seconds": 0.5
    }  # fmt: skip
    assert (said[1]["refusal"]["code"], said[1]["unchanged"]) == ("malformed", False)
    assert said[2]["unchanged"] is True
    assert said[3]["error"] == "Permission denied"
    assert said[4] == {"file": "d", "status": "pruned"}
    assert json.loads(line(PRUNED, dry_run=True))["dry_run"] is True


def test_people_are_told_what_went_wrong_when_it_does() -> None:
    assert remark(READ) == remark(PRUNED) == remark(KNOWN) == b""
    assert remark(REFUSED) == b"fumehood: b: refused (malformed): the document is broken beyond reading\n"
    assert remark(FAILED) == b"fumehood: c: failed: Permission denied\n"


def test_the_table_has_a_row_for_each_kind_and_one_for_all() -> None:
    tally = Tally()
    for outcome in (READ, REFUSED, FAILED, PRUNED):
        tally.add(outcome)
    tally.skipped["special-file"] = 1
    rows = [row.split() for row in table_of(tally.summary(2.0), 100).splitlines()]
    assert rows[1] == ["pdf", "1", "0", "0", "0", "2", "1", "500", "ms"]
    assert rows[2] == ["unknown", "0", "0", "1", "1", "0", "0", "250", "ms"]
    assert rows[3] == ["all", "1", "0", "1", "1", "2", "1", "750", "ms"]
    assert " ".join(rows[5]) == "3 files, 13 B, in 2 s: 1 read, 0 unchanged, 1 refused, 1 failed; 1 pruned"
    assert [" ".join(row) for row in rows[6:]] == ["refused: 1 malformed", "left out: 1 special-file"]
    dry = table_of(tally.summary(2.0, dry_run=True), 100)
    assert "1 would be read" in dry
    assert "1 would be pruned" in dry


def test_one_file_is_no_files() -> None:
    tally = Tally()
    tally.add(READ)
    assert "\n1 file, 10 B, in 1 s: 1 read," in table_of(tally.summary(1.0), 100)
