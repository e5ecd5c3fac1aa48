"""`fumehood fuzz` from the outside: what it prints, what it saves, and its exit codes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Run

MISTAKES = {
    "no such target": (("--target", "load:docy"), b"there is no target load:docy; `fumehood fuzz --list` names them"),
    "no such kind": (("--kind", "docy"), b"there is no kind 'docy'"),
    "no such engine": (("--engine", "magic"), b"'mutate'"),
    "no time": (("--seconds", "0"), b"--seconds: takes a whole number from 1"),
    "no folder": (("--seeds", "nowhere"), b"--seeds nowhere is no folder"),
    "no room for findings": (("--findings", "/dev/null/here"), b"--findings /dev/null/here is no folder"),
    "no such module": (("--import", "nowhere"), b"No module named 'nowhere'"),
    "nothing to see again": (("--reproduce", "zip-0.bin"), b"zip-0.bin cannot be opened"),
    "a finding of nobody": (("--reproduce", "letter.pdf"), b"name it with --target"),
    "coverage of another process": (("--target", "jail:pdf", "--engine", "atheris"), b"engine atheris"),
    "a kind and a target": (("--kind", "pdf", "--target", "zip"), b"not allowed with"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_and_exits_with_2(run: Run, mistake: str) -> None:
    arguments, said = MISTAKES[mistake]
    ran = run("fuzz", *arguments)
    assert ran.returncode == 2
    assert said in ran.stderr
    assert b"Traceback" not in ran.stderr


def test_what_is_not_installed_is_told_with_how_to_get_it() -> None:
    code = "import sys; sys.modules['hypothesis'] = None\nfrom fumehood.cli import main\nmain(['fuzz', '--engine', 'generate'])"
    ran = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, timeout=60)
    assert ran.returncode == 2
    assert b"pip install 'fumehood[fuzz]'" in ran.stderr


def test_a_run_that_finds_nothing(run: Run, tmp_path: Path) -> None:
    ran = run("fuzz", "--target", "reply", "--target", "zip", "--runs", "100", "--jobs", "2")
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"\n200 executions, 0 findings\n" in ran.stdout
    assert not (tmp_path / "findings").exists()


def test_targets_are_listed(run: Run) -> None:
    listed = run("fuzz", "--list").stdout.decode().split("\n")
    assert {"load:pdf", "tight:pdf", "jail:pdf", "auto", "chunk:markdown", "reply", "arguments"} <= set(listed)


LENIENT = """
from fumehood.fuzz import oracle, replies
def lost(data):
    if b"a" in data:
        oracle.broken("an a", data)
    return "read"
replies.reply = lost
"""


def test_a_finding_is_saved_printed_and_seen_again(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lenient.py").write_text(LENIENT)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    ran = run("fuzz", "--import", "lenient", "--target", "reply", "--runs", "300", "--findings", "here")
    assert ran.returncode == 1
    (path,) = (tmp_path / "here").glob("*.bin")
    assert path.read_bytes() == b"a"
    command = f"fumehood fuzz --import lenient --reproduce here/{path.name}"
    assert command in ran.stdout.decode()
    again = run(*command.split()[1:])
    assert again.returncode == 1
    assert b"an a (reply, " in again.stdout
    assert b"BrokenPromise" in again.stdout
    mended = run("fuzz", "--reproduce", f"here/{path.name}")
    assert (mended.returncode, mended.stdout) == (0, b"reply: bad-reply\n")
