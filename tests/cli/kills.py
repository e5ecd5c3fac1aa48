"""Ingests that are killed: at a random moment, then looked at, then gone on with.

    python -P tests/cli/kills.py [ROUNDS] [SEED]

Every round kills an ingest with SIGKILL, and must find an index that opens, is consistent and holds only whole
documents, and no process left. When a run ends by itself before it is killed, the next round begins anew.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import psutil

from fumehood.index import NoIndex, SQLiteIndex

FILES = 60
LONGEST_SECONDS = 0.7
BETWEEN_SECONDS = 0.05
"""From what was told last to the kill: about what a group of documents takes until it is stored and told."""
WHILE_STORING = 0.8
"""The share of kills that come after a document was stored; the others, while the processes start."""


class Told(NamedTuple):
    """What happened: kills, runs that ended by themselves, documents that were there after a kill, at most."""

    kills: int
    ended: int
    most: int


def fill(folder: Path) -> None:
    """Files of several sizes: some make one chunk, some hundreds."""
    for number in range(FILES):
        paragraphs = 1 if number % 3 else 400
        words = "".join(f"paragraph {number} {each} {'word ' * 60}\n\n" for each in range(paragraphs))
        (folder / f"{number}.md").write_text(f"# Number {number}\n\n{words}")


def look(index: Path, folder: Path) -> int:
    """Documents in the index. Raises `AssertionError` for anything that is not whole."""
    try:
        with SQLiteIndex(index, create=False) as opened:
            assert opened.verify() == ()
            entries = list(opened.documents())
            for entry in entries:
                stored = opened.get(entry.source)
                assert stored is not None
                assert len(stored.chunks) == entry.chunks
                assert "".join(each.chunk.text for each in stored.chunks).count(
                    f"paragraph {Path(entry.source).stem} "
                ) == (1 if int(Path(entry.source).stem) % 3 else 400)
            return len(entries)
    except NoIndex:
        return 0


def kill(process: subprocess.Popen[bytes], after: float) -> bool:
    """Whether it was still running. Its processes must be gone soon."""
    try:
        process.wait(after)
        return False
    except subprocess.TimeoutExpired:
        pass
    children = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.wait()
    _, left = psutil.wait_procs(children, timeout=10)
    assert left == []
    return True


def storm(rounds: int, seed: int, work: Path) -> Told:
    chance = random.Random(seed)
    folder, index = work / "files", work / "index"
    folder.mkdir()
    fill(folder)
    command = [sys.executable, "-m", "fumehood", "ingest", str(folder), "--index", str(index), "--json"]
    kills = ended = most = 0
    for _ in range(rounds):
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            assert process.stdout is not None
            longest = LONGEST_SECONDS
            if chance.random() < WHILE_STORING:
                # Not `unchanged`: what was stored before is told before the first worker is ready.
                read = (line for line in process.stdout if b'"read"' in line)
                for _ in islice(read, chance.randrange(1, FILES // 2)):
                    longest = BETWEEN_SECONDS
            killed = kill(process, chance.uniform(0.0, longest))
        kills += killed
        most = max(most, look(index, folder))
        if not killed:
            assert process.returncode == 0
            ended += 1
            for path in work.glob("index*"):
                path.unlink()
    finished = subprocess.run(command, capture_output=True, check=True)
    lines = [json.loads(line) for line in finished.stdout.splitlines()]
    assert len(lines) == look(index, folder) == FILES
    return Told(kills, ended, most)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}")
    work = Path(tempfile.mkdtemp())
    try:
        print(storm(rounds, seed, work))
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
