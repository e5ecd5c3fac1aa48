"""The loader says what a log says, and keeps what every loader promises."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tidelog import KIND, SPECIMEN

from fumehood import Refusal, kinds, read_isolated
from fumehood.testing import check_loader

OLD = "TIDELOG 1\nkeeper: J. M\u00fcller\n\n[1994-11-30]\n23:59 10.05 high\n! Storm; nobody slept.\n00:31 9.90 low\n?\n"


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with kinds.registered(KIND):
        yield


def test_the_loader_conforms() -> None:
    check_loader(KIND, [OLD.encode("cp850")], grow=a_long_log)


def a_long_log(size: int) -> bytes:
    return b"TIDELOG 1\n[2026-03-01]\n" + b"06:12 3.41 high\n" * (size // 16)


def test_a_log_becomes_days_readings_and_remarks() -> None:
    document = read_isolated("auto", SPECIMEN.encode(), name="harwich.tide")
    assert document.kind == "tidelog"
    assert (document.title, document.metadata) == ("Harwich", {"author": "M. Brown"})
    assert [block.role for block in document.blocks] == ["heading", *["table-row"] * 3, "note"]
    assert "| 12:30 | 0.62 | low |" in document.text


def test_what_is_no_log_is_refused_and_what_is_no_reading_is_kept() -> None:
    with pytest.raises(Refusal, match="not of the kind"):
        read_isolated("tidelog", b"dear sir\n")
    document = read_isolated("tidelog", OLD.encode("cp850"))
    assert [notice.code for notice in document.notices] == ["encoding-guessed", "unparsed"]
    assert document.text.endswith("?")
