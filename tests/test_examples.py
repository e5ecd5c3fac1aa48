"""The examples do what the README says of them."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fumehood import Chunk

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_the_upload_pipeline_reads_the_inbox() -> None:
    command = [sys.executable, str(EXAMPLES / "upload.py"), str(EXAMPLES / "inbox")]
    ran = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "5 read, 3 refused" in ran.stdout
    for expected in (
        "bomb.pdf: refused, inflated-too-large",
        "deep.json: refused, nesting",
        "locked.pdf: refused, encrypted",
        "letter.txt: text, ",
        "notes.md: markdown, ",
        "report.pdf: pdf, ",
        "settings.json: json, ",
        "soundings.csv: csv, ",
        "| # Harbour survey",
    ):
        assert f"{expected}" in ran.stdout


def test_the_inbox_can_be_made_anew(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(EXAMPLES / "make_inbox.py"), str(tmp_path)], check=True, timeout=60)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        path.name for path in (EXAMPLES / "inbox").iterdir()
    )


def test_files_become_chunks() -> None:
    names = ("notes.md", "soundings.csv", "bomb.pdf")
    command = [sys.executable, str(EXAMPLES / "chunks.py"), *(str(EXAMPLES / "inbox" / name) for name in names)]
    ran = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "bomb.pdf: refused, inflated-too-large\n")
    chunks = [Chunk.from_json(line) for line in ran.stdout.splitlines()]
    assert {piece.metadata["file"] for piece in chunks} == {"notes.md", "soundings.csv"}
    assert any(piece.headings for piece in chunks)


def test_chunks_that_nobody_wants_any_more_end_quietly() -> None:
    command = [sys.executable, str(EXAMPLES / "chunks.py"), str(EXAMPLES / "inbox" / "notes.md")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait(60) == 128 + signal.SIGPIPE


@pytest.mark.parametrize("name", ["chunks.py", "make_inbox.py", "upload.py"])
@pytest.mark.parametrize("arguments", [(), ("--help",)])
def test_an_example_says_what_it_takes(name: str, arguments: tuple[str, ...], tmp_path: Path) -> None:
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert f"python examples/{name} " in ran.stderr
    assert list(tmp_path.iterdir()) == []


TIDELOG = EXAMPLES / "tidelog"


def test_a_loader_of_one_s_own_keeps_what_its_tests_say() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    ran = subprocess.run(command, cwd=TIDELOG, capture_output=True, text=True, timeout=100)
    assert ran.returncode == 0, ran.stdout
    assert "3 passed" in ran.stdout


def test_a_loader_of_one_s_own_on_the_command_line(tmp_path: Path) -> None:
    log = tmp_path / "harwich.tide"
    log.write_bytes(b"TIDELOG 1\n[2026-03-01]\n06:12 3.41 high\n")
    command = [sys.executable, "-m", "fumehood", "read", "--register", "tidelog:KIND", str(log)]
    ran = subprocess.run(command, cwd=TIDELOG, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("# 2026-03-01\n\n| time | height | tide |\n")
