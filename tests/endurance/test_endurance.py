"""Reads without end while everything around them dies: each is answered once, and nothing stays behind.

A few hundred reads here; `make endurance` sets FUMEHOOD_ENDURANCE to ten thousand for each event loop.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests.endurance import holdings, orphans, storm

ROOT: Final = Path(__file__).parents[2]
QUICK: Final = 120
READS: Final = int(os.environ.get("FUMEHOOD_ENDURANCE", QUICK))
_LONG: Final = 5_000
"""From so many reads on a slope says something: fewer are lost in how the allocator steps."""
_SLOPE: Final = 64.0
"""Bytes a read: a leak of the smallest object of each read is more."""

pytestmark = pytest.mark.timeout(120 + READS // 10)


def _script(module: str, *arguments: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", f"tests.endurance.{module}", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    print(done.stdout)
    return json.loads(done.stdout)


@pytest.mark.parametrize("backend", ["trio", "asyncio"])
def test_a_storm(backend: str) -> None:
    seen = _script("storm", "--reads", str(READS), "--backend", backend, "--seed", str(READS))
    assert seen["wrong"] == []
    assert sum(seen["ended"].values()) == READS + READS // 4
    assert seen["ended"].get("calm crashed", 0) <= seen["zygotes_killed"] * storm.WORKERS
    assert seen["zygotes_killed"] > 0
    assert not seen["left"], (seen["before"], seen["after"])
    if READS >= _LONG:
        assert seen["parent_bytes_a_read"] < _SLOPE
        assert seen["zygote_bytes_a_read"] < _SLOPE


def test_a_killed_application_leaves_nothing_alive() -> None:
    seen = _script("orphans", *(["--few"] if READS < _LONG else []))
    assert {stage["stage"] for stage in seen if stage["left"]} == {orphans.CONTROL}
    assert {stage["stage"] for stage in seen} == set(orphans.STAGES if READS >= _LONG else orphans.FEW)


def test_what_is_left_is_seen() -> None:
    before = holdings.holdings()
    descriptor = os.memfd_create("left")
    child = subprocess.Popen(["/bin/sleep", "60"])
    try:
        now = holdings.holdings()
    finally:
        os.close(descriptor)
        child.kill()
        child.wait()
    assert (now.processes, now.descriptors) == (before.processes + 1, before.descriptors + 1)
    assert set(now.shared) - set(before.shared) == {"/memfd:left (deleted)"}


def test_a_slope_is_not_moved_by_outliers() -> None:
    points = [(float(at), 100.0 + 2 * at) for at in range(40)]
    points[7] = (7.0, 1e9)
    assert holdings.slope(points) == pytest.approx(2.0)
    assert holdings.slope([]) == 0.0
