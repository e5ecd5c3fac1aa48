"""Whether the harness finds what it is there for: `python -m fumehood.fuzz.self_test [--write README.md]`.

Each bug of `bugs.py` is put into a process of its own, in which its target runs over mutations of our own seeds.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from itertools import takewhile
from pathlib import Path
from typing import Final

from fumehood.fuzz.bugs import BUGS, Bug
from fumehood.fuzz.inputs import mutated, seeds_for
from fumehood.fuzz.reports import Found, Report
from fumehood.fuzz.session import Session
from fumehood.fuzz.slate import Slate
from fumehood.fuzz.targets import TARGETS

MOST_SECONDS: Final = 60.0
_SEED: Final = 1
_PATIENCE: Final = 1.0
_BEGIN, _END = "<!-- self-test -->\n", "<!-- end of self-test -->\n"
_HEAD: Final = "| bug | what was done | target | found after | by |\n|---|---|---|---|---|\n"


def find(bug: Bug) -> tuple[float, str] | None:
    """Seconds until a finding and its cause, with the bug in this process; None if there is none in a minute."""
    bug.inject()
    target = TARGETS[bug.target]

    start = time.monotonic()
    found: list[tuple[float, str]] = []

    def report(said: Report) -> None:
        if isinstance(said, Found):
            found.append((time.monotonic() - start, said.cause.partition(" (")[0]))

    inputs = mutated(target, seeds_for(target, None), _SEED)
    with tempfile.TemporaryDirectory() as folder:
        session = Session(target, report, Slate.open(Path(folder, "slate")), patience=_PATIENCE)
        # The first finding is enough.
        session.run(takewhile(lambda _: not found, inputs), seconds=MOST_SECONDS)
    return found[0] if found else None


def rows() -> list[str]:
    """A line for each bug. Raises `RuntimeError` for one that is not found."""
    made = []
    for bug in BUGS:
        command = [sys.executable, "-P", "-m", "fumehood.fuzz.self_test", "--bug", bug.name]
        ran = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
        if ran.returncode:
            raise RuntimeError(f"the bug {bug.name!r} was not found: {ran.stderr}")
        seconds, _, cause = ran.stdout.strip().partition(" ")
        made.append(f"| {bug.name} | {bug.what} | `{bug.target}` | {seconds} s | {cause} |")
        print(made[-1], flush=True)
    return made


def main() -> int:
    """0 if every bug was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bug", choices=[bug.name for bug in BUGS], help="only this one, in this process")
    parser.add_argument("--write", type=Path, metavar="README", help="put the table into this file")
    chosen = parser.parse_args()
    if chosen.bug:
        result = find(next(bug for bug in BUGS if bug.name == chosen.bug))
        if result is None:
            return 1
        print(f"{result[0]:.1f} {result[1]}")
        return 0
    table = _HEAD + "".join(f"{row}\n" for row in rows())
    if chosen.write:
        text = chosen.write.read_text(encoding="utf-8")
        before, after = text.split(_BEGIN)[0], text.split(_END)[1]
        chosen.write.write_text(before + _BEGIN + table + _END + after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
