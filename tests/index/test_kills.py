"""SIGKILL at any moment leaves an index that opens, is whole, and holds each document as it was or as it became.

FUMEHOOD_KILLS=200 for the long run.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

from fumehood.index import SQLiteIndex

KILLS = int(os.environ.get("FUMEHOOD_KILLS", "6"))
SOURCES = 8

_WRITER = """
import itertools, sys
from fumehood import Document, chunk
from fumehood.index import SQLiteIndex
with SQLiteIndex(sys.argv[1], wait_seconds=30) as index:
    print("open", flush=True)
    for turn in itertools.count(int(sys.argv[2])):
        source = f"{turn % 8}.md"
        if turn % 5 == 4:
            index.remove(source)
        else:
            made = Document.from_markdown("".join(f"# turn{turn}\\n\\nwords part{part} end\\n\\n" for part in range(40)))
            index.replace(source, made, chunk(made, min_size=0), metadata={"turn": turn})
        print(turn, flush=True)
"""


def _killed(path: Path, turn: int, seconds: float) -> int:
    """Runs the writer from `turn` on and kills it; the last turn it said was done, or the one before the first."""
    writer = subprocess.Popen(
        [sys.executable, "-P", "-c", _WRITER, path, str(turn)], stdout=subprocess.PIPE, start_new_session=True
    )
    assert writer.stdout is not None
    writer.stdout.readline()
    try:
        writer.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(writer.pid, signal.SIGKILL)
    said = writer.stdout.read().split()
    writer.wait()
    writer.stdout.close()
    return int(said[-1]) if said else turn - 1


def test_kills_at_random_moments(path: Path) -> None:
    rng = random.Random(1)
    turn = 0
    for _ in range(KILLS):
        done = _killed(path, turn, rng.uniform(0.0, 0.15))
        with SQLiteIndex(path) as index:
            assert index.verify() == ()
            for number in range(SOURCES):
                _check(index, number, done)
        turn = done + 1


def _check(index: SQLiteIndex, number: int, done: int) -> None:
    """What the last turns that were said to be done left, or what the one after it made."""
    mine = [each for each in range(max(0, done - 2 * SOURCES), done + 2) if each % SOURCES == number]
    allowed = {None if each % 5 == 4 else each for each in mine[-1:]} or {None}
    if mine and mine[-1] == done + 1:
        before = mine[-2:-1]
        allowed |= {None if each % 5 == 4 else each for each in before} or {None}
    stored = index.get(f"{number}.md")
    turn = None if stored is None else stored.entry.caller_metadata["turn"]
    assert turn in allowed
    if stored is not None:
        assert len(stored.chunks) == 40
        assert {each.chunk.headings for each in stored.chunks} == {(f"turn{turn}",)}
