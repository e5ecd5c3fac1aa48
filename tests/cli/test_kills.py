"""SIGKILL at random moments: the index opens, holds whole documents only, and the next run goes on.

`make kills` does it 200 times.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.kills import storm

ROUNDS = int(os.environ.get("FUMEHOOD_KILLS", "2"))


@pytest.mark.timeout(60 + 10 * ROUNDS)
def test_an_ingest_may_be_killed_at_any_moment(tmp_path: Path) -> None:
    told = storm(ROUNDS, seed=20_261_130, work=tmp_path)
    assert told.kills
    print(f"{told.kills} kills, {told.ended} runs ended before; at most {told.most} documents were there after a kill")
