"""`fumehood ingest` on real files: what it prints, what it exits with, and that it can be stopped at any moment."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from fumehood import cli
from fumehood.index import SQLiteIndex
from tests.ingest.helpers import PlainReader

from .conftest import COMMAND, Run

Ran = subprocess.CompletedProcess[bytes]


@pytest.fixture
def ingest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Callable[..., Ran]:
    """The command in this process, with a reader that needs no sandbox."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("fumehood.cli.ingest.Reader", lambda limits, **_: PlainReader(limits=limits))
    monkeypatch.setenv("COLUMNS", "80")

    def ingest(*arguments: str, stdin: bytes = b"") -> Ran:
        (tmp_path / "stdin").write_bytes(stdin)
        kept, given = os.dup(0), os.open(tmp_path / "stdin", os.O_RDONLY)
        os.dup2(given, 0)
        try:
            code = cli.main(["ingest", *arguments])
        except SystemExit as ended:
            code = int(ended.code or 0)
        finally:
            os.dup2(kept, 0)
            os.close(kept)
            os.close(given)
        return Ran(arguments, code, *capfdbinary.readouterr())

    return ingest


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "a.md").write_text("# Apples\n\nred\n")
    (folder / "b.csv").write_text("fruit,colour\npear,green\n")
    (folder / "deep.json").write_text("[" * 1_000)
    return folder


def records(ran: Ran) -> dict[str, dict[str, Any]]:
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    return {Path(line["file"]).name: line for line in lines}


def stored(tmp_path: Path) -> set[str]:
    with SQLiteIndex(tmp_path / "index", create=False) as index:
        assert index.verify() == ()
        return {Path(entry.source).name for entry in index.documents()}


def test_a_folder_goes_in_and_a_second_run_finds_it_unchanged(run: Run, files: Path, tmp_path: Path) -> None:
    ran = run("ingest", "files", "--index", "index", columns=100)
    assert ran.returncode == 1
    assert re.fullmatch(rb"fumehood: \S+/files/deep\.json: refused \(nesting\): .*\n", ran.stderr)
    table = ran.stdout.decode().splitlines()
    assert table[0].split() == ["KIND", "READ", "UNCHANGED", "REFUSED", "FAILED", "CHUNKS", "PAGES", "TIME"]
    assert table[1].split()[:6] == ["csv", "1", "0", "0", "0", "1"]
    assert table[4].split()[:6] == ["all", "2", "0", "1", "0", "2"]
    assert "3 files, " in table[6]
    assert table[7] == "refused: 1 nesting"
    assert stored(tmp_path) == {"a.md", "b.csv"}

    again = run("ingest", "--json", str(files), "--index", "index")
    assert again.returncode == 1  # The refused file is still not in the index.
    said = records(again)
    assert said["a.md"]["status"] == said["b.csv"]["status"] == "unchanged"
    assert (said["deep.json"]["status"], said["deep.json"]["unchanged"]) == ("refused", True)
    assert said["deep.json"]["refusal"]["code"] == "nesting"

    (files / "deep.json").unlink()
    (files / "a.md").unlink()
    pruned = run("ingest", "--json", "files", "--index", "index")
    assert pruned.returncode == 0
    assert {name: line["status"] for name, line in records(pruned).items()} == {
        "a.md": "pruned",
        "b.csv": "unchanged",
        "deep.json": "pruned",
    }
    assert stored(tmp_path) == {"b.csv"}


def test_a_dry_run_makes_no_index(ingest: Callable[..., Ran], files: Path, tmp_path: Path) -> None:
    ran = ingest("--dry-run", "--json", "files", "--index", "index")
    assert ran.returncode == 0
    assert {line["status"] for line in records(ran).values()} == {"read"}
    assert all(line["dry_run"] for line in records(ran).values())
    assert not (tmp_path / "index").exists()


def test_paths_that_are_not_there_make_no_index(ingest: Callable[..., Ran], files: Path, tmp_path: Path) -> None:
    ran = ingest("--json", "flies", "nowhere", "--index", "index")
    assert ran.returncode == 1
    assert {line["status"] for line in records(ran).values()} == {"failed"}
    assert list(tmp_path.glob("index*")) == []
    # One that is there is kept up to date, and so is one of which a path is there.
    assert ingest("files/a.md", "nowhere", "--index", "index").returncode == 1
    assert stored(tmp_path) == {"a.md"}
    assert ingest("nowhere", "--index", "index").returncode == 1
    assert stored(tmp_path) == {"a.md"}


def test_a_folder_for_the_index_that_is_missing_is_told(ingest: Callable[..., Ran], files: Path) -> None:
    ran = ingest("files", "--index", "library/index")
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert ran.stderr == b"fumehood: index library/index: there is no folder library; make the folder first\n"


def test_a_pattern_that_nothing_matches_is_wrong_usage(ingest: Callable[..., Ran], files: Path, tmp_path: Path) -> None:
    for argument in ("--include", "--exclude"):
        ran = ingest("files", "--index", "index", argument, "")
        assert (ran.returncode, ran.stdout) == (2, b"")
        assert f"fumehood: {argument}: '' matches nothing".encode() in ran.stderr
    assert list(tmp_path.glob("index*")) == []


def test_the_index_and_the_report_are_not_ingested(ingest: Callable[..., Ran], files: Path) -> None:
    for _ in range(2):
        ran = ingest("--json", "files", "--index", "files/index", "--report", "files/report.html")
        assert set(records(ran)) == {"a.md", "b.csv", "deep.json"}
    assert (files / "report.html").read_text().startswith("<!doctype html>")


def test_standard_input_has_a_name(ingest: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ran = ingest("--json", "-", "empty", "--name", "upload.md", "--index", "index", stdin=b"# One\n")
    assert ran.returncode == 0
    assert records(ran)["upload.md"]["kind"] == "markdown"
    assert ingest("empty", "--index", "index").returncode == 0
    assert stored(tmp_path) == {"upload.md"}


def test_a_name_that_is_no_text_is_printed_safely(ingest: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / os.fsdecode(b"a\n\x1b[31m\xff.txt")).write_text("one\n")
    ran = ingest("--json", "files", "--index", "index")
    (line,) = records(ran).values()
    assert line["status"] == "read"
    assert line["file"].endswith("/files/a\\n\\x1b[31m\\udcff.txt")


def test_what_seems_to_be_gone_is_kept_and_told(ingest: Callable[..., Ran], files: Path, tmp_path: Path) -> None:
    ingest("files", "--index", "index")
    for path in files.iterdir():
        path.unlink()
    ran = ingest("files", "--index", "index")
    assert ran.returncode == 1
    assert b"3 sources of the index cannot be found, but nothing at all was listed there" in ran.stderr
    assert stored(tmp_path) == {"a.md", "b.csv"}
    assert ingest("files", "--index", "index", "--allow-empty").returncode == 0
    assert stored(tmp_path) == set()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("files", "--index", "text"), "it is not an index of fumehood"),
        (("files", "--index", "missing/index"), ""),
        (("missing", "--index", "index"), "missing: failed: No such file or directory"),
        (("files", "--index", "index", "--report", "missing/r.html"), "the report cannot be written"),
    ],
)
def test_trouble_is_told_in_a_line(
    ingest: Callable[..., Ran], files: Path, tmp_path: Path, arguments: list[str], said: str
) -> None:
    (tmp_path / "text").write_text("no index")
    ran = ingest(*arguments)
    assert ran.returncode == 1
    assert ran.stderr.startswith(b"fumehood: ")
    assert said in ran.stderr.decode()
    assert (tmp_path / "text").read_text() == "no index"


@pytest.mark.parametrize(
    "arguments",
    [
        ("files",),
        ("-", "-", "--index", "i"),
        ("files", "--name", "a", "--index", "i"),
        ("files", "--index", "i", "--strategy", "none"),
        ("files", "--index", "i", "--limit", "pages=0"),
        ("files", "--index", "i", "--namespace", ""),
        ("files", "--index", "i", "--namespace", "a\x1b"),
    ],
)
def test_wrong_usage_is_2(ingest: Callable[..., Ran], arguments: list[str], tmp_path: Path) -> None:
    assert ingest(*arguments).returncode == 2
    assert not (tmp_path / "i").exists()


def test_without_a_sandbox_no_index_is_left(run: Run, files: Path, tmp_path: Path) -> None:
    layers = json.loads(run("doctor", "--json").stdout)["layers"]
    lacking = [layer["name"] for layer in layers if layer["state"] != "enforced"]
    if not lacking:
        pytest.skip("this machine has every layer")
    before = sorted(tmp_path.iterdir())
    ran = run("ingest", "files", "--index", "index", "--require", lacking[0])
    assert ran.returncode == 3
    assert lacking[0] in ran.stderr.decode()
    assert sorted(tmp_path.iterdir()) == before


def test_without_a_sandbox_an_index_stays_as_it_is(ingest: Callable[..., Ran], files: Path, tmp_path: Path) -> None:
    assert ingest("files", "--index", "index").returncode == 1
    (files / "new.md").write_text("REFUSE sandbox-unavailable")
    assert ingest("files", "--index", "index").returncode == 3
    with SQLiteIndex(tmp_path / "index") as index:
        assert index.stats().sources == 3


def test_two_runs_at_once_fail_clearly(
    ingest: Callable[..., Ran], files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fumehood.cli.ingest.WAIT_SECONDS", 0.2)
    with SQLiteIndex(tmp_path / "index") as index, index.run():
        ran = ingest("files", "--index", "index")
    assert ran.returncode == 1
    assert b"another run is on it" in ran.stderr


def test_progress_shows_on_a_terminal(files: Path, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = [*COMMAND, "ingest", "files", "-", "--index", "index"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=theirs, cwd=tmp_path
    ) as process:
        os.close(theirs)
        said = b""
        while not re.search(rb"\r3 of 3 files, .* of .*, [0-9.]+/s, .*1 refused", said):
            said += os.read(ours, 1_000)
        process.communicate(b"the last", timeout=30)
    with contextlib.suppress(OSError):  # EIO: the last one at the other end has gone (pty(7)).
        while piece := os.read(ours, 1_000):
            said += piece
    os.close(ours)
    assert said.endswith(b"\r\x1b[K")


# ---- stopping --------------------------------------------------------------------------------------------


@contextlib.contextmanager
def under_way(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], list[psutil.Process]]]:
    """An ingest that has stored something and waits for its standard input."""
    command = [*COMMAND, "ingest", "--json", "files", "-", "--index", "index"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            children = psutil.Process(process.pid).children(recursive=True)
            assert children
            yield process, children
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_signal_ends_it_and_another_run_goes_on(
    ingest: Callable[..., Ran], files: Path, tmp_path: Path, number: signal.Signals
) -> None:
    with under_way(tmp_path) as (process, children):
        process.send_signal(number)
        process.communicate(timeout=10)
    assert process.returncode == 128 + number
    _, left = psutil.wait_procs(children, timeout=5)
    assert left == []
    assert len(stored(tmp_path)) <= 2
    ran = ingest("--json", "files", "--index", "index")
    assert {line["status"] for line in records(ran).values()} <= {"read", "unchanged", "refused"}
    assert stored(tmp_path) == {"a.md", "b.csv"}


def test_a_reader_that_leaves_ends_it_quietly(files: Path, tmp_path: Path) -> None:
    with under_way(tmp_path) as (process, children):
        assert process.stdout is not None
        process.stdout.close()
        assert process.stdin is not None
        process.stdin.write(b"more")
        process.stdin.close()
        assert process.wait(10) == 128 + signal.SIGPIPE
    _, left = psutil.wait_procs(children, timeout=5)
    assert left == []
