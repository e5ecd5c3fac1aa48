"""Numbers, sizes and times as people read them."""

from __future__ import annotations

import pytest

from fumehood.ingest.units import counted, size_text, time_text


def test_numbers() -> None:
    assert [counted(count, "file") for count in (0, 1, 2, 1_051)] == ["0 files", "1 file", "2 files", "1,051 files"]


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (0, "0 B"),
        (1_023, "1023 B"),
        (1_024, "1 KiB"),
        (1_536, "1.5 KiB"),
        (64 * 2**20, "64 MiB"),
        (3 * 2**40, "3 TiB"),
        (2**52, "4096 TiB"),
    ],
)
def test_sizes(size: int, said: str) -> None:
    assert size_text(size) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "0 ms"),
        (0.0034, "3 ms"),
        (0.9999, "1.0 s"),
        (1, "1 s"),
        (1.46, "1.5 s"),
        (59.4, "59 s"),
        (125, "2 min 05 s"),
        (3_720, "1 h 02 min"),
        (360_000, "100 h 00 min"),
    ],
)
def test_times(seconds: float, said: str) -> None:
    assert time_text(seconds) == said
