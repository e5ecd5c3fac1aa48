"""Every benchmark says what it is before it runs for minutes, in a checkout where nothing else is on the path."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"
SCRIPTS = sorted(path.name for path in FOLDER.glob("*.py") if "__main__" in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", SCRIPTS)
def test_it_says_what_it_is(name: str, tmp_path: Path) -> None:
    command = [sys.executable, "-P", str(FOLDER / name), "--help"]
    environment = {**os.environ, "PYTHONPATH": str(FOLDER)}  # As its README says of -P.
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(f"usage: {name}")
    assert len(ran.stdout.split("\n\n")) > 2, "it does not say what it measures"


def test_all_are_in_the_readme() -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    started_by_others = {"peer_reader.py", "peers_chunking.py"}
    assert [name for name in SCRIPTS if name not in started_by_others and f"benchmarks/{name}" not in text] == []
