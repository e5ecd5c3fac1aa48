"""The harness finds what it is there for, and its page lists what it was tried with."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from fumehood.fuzz.bugs import BUGS
from fumehood.fuzz.targets import TARGETS

README = Path(__file__).parents[2] / "fuzz" / "README.md"
QUICK = ("bare exception", "missing budget", "off-by-one offset", "lost hygiene rule", "wrong refusal code")


def test_the_page_lists_every_bug_with_a_time() -> None:
    listed = re.findall(r"\n\| ([^|]+) \| ([^|]+) \| `([^`]+)` \| ([\d.]+) s \|", README.read_text(encoding="utf-8"))
    assert [(name, what, target) for name, what, target, _ in listed] == [
        (bug.name, bug.what, bug.target) for bug in BUGS
    ]
    assert all(float(seconds) < 60 for *_, seconds in listed)
    assert len(BUGS) == 10


@pytest.mark.parametrize("name", QUICK)
def test_a_bug_is_found(name: str) -> None:
    """In a process of its own. The others take longer; `python -m fumehood.fuzz.self_test` runs all."""
    command = [sys.executable, "-P", "-m", "fumehood.fuzz.self_test", "--bug", name]
    ran = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=100)
    assert ran.returncode == 0, ran.stderr


def test_every_bug_has_a_target_that_exists() -> None:
    assert {bug.target for bug in BUGS} <= set(TARGETS)
