"""`fumehood read` on real files: what it prints, in which order, what it exits with, and that it leaves nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from fumehood import Document

from .conftest import COMMAND, Run

HOSTILE = b"a\n\x1b[31m\xff\xe2\x80\xae.txt"
"""A line break, an escape sequence, a byte that is no UTF-8, and a right-to-left override."""
PRINTED = "a\\n\\x1b[31m\\udcff\\u202e.txt"


def records(ran: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ran.stdout.splitlines()]


# ---- exit codes ----------------------------------------------------------------------------------------


def test_all_read_is_0(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    ran = run("read", "a.txt")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"one\n", b"")


def test_a_refusal_is_1_and_goes_to_stderr(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    (tmp_path / "b.txt").write_text("much too long\n")
    ran = run("read", "--limit", "input_bytes=10", "a.txt", "b.txt")
    assert ran.returncode == 1
    assert ran.stdout == b"==> a.txt <==\none\n"
    assert ran.stderr == (
        b"fumehood: b.txt: refused (input-too-large): the input is larger than allowed: input_bytes is 10, seen 11; "
        b"--limit input_bytes=... allows more\n"
    )


def test_a_missing_file_is_1_and_the_others_are_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    ran = run("read", "missing.txt", "a.txt")
    assert ran.returncode == 1
    assert b"one\n" in ran.stdout
    assert ran.stderr == b"fumehood: missing.txt: cannot be read: No such file or directory\n"


def test_a_directory_says_what_to_do(run: Run, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    ran = run("read", "folder")
    assert ran.returncode == 1
    assert (
        ran.stderr == b"fumehood: folder: cannot be read: it is a directory; name the files in it, as in DIRECTORY/*\n"
    )


def test_a_sandbox_that_is_not_available_is_3_whatever_else_happened(run: Run, tmp_path: Path) -> None:
    layers = json.loads(run("doctor", "--json").stdout)["layers"]
    lacking = [layer["name"] for layer in layers if layer["state"] != "enforced"]
    if not lacking:
        pytest.skip("this machine has every layer")
    (tmp_path / "a.txt").write_text("one\n")
    ran = run("read", "--format", "json", "--require", lacking[0], "missing.txt", "a.txt")
    assert ran.returncode == 3
    assert [sorted(record) for record in records(ran)] == [["error", "file", "ok"], ["file", "ok", "refusal"]]
    assert records(ran)[1]["refusal"]["code"] == "sandbox-unavailable"
    assert lacking[0] in records(ran)[1]["refusal"]["message"]
    assert run("read", "--require", "none", "a.txt").returncode == 0


# ---- what is printed -----------------------------------------------------------------------------------


def test_json_has_one_object_a_line_in_input_order(run: Run, tmp_path: Path) -> None:
    (tmp_path / "large.csv").write_text("a,b\n" + "1,2\n" * 20_000)  # Read last, printed first.
    (tmp_path / "deep.json").write_text("[" * 1_000)
    (tmp_path / "a.md").write_text("# One\n")
    ran = run("read", "--format", "json", "large.csv", "deep.json", "missing", "a.md", "large.csv")
    assert ran.returncode == 1
    assert ran.stderr == b""
    large, deep, missing, small, again = records(ran)
    assert [record["file"] for record in records(ran)] == ["large.csv", "deep.json", "missing", "a.md", "large.csv"]
    assert sorted(large) == sorted(small) == sorted(again) == ["document", "file", "ok"]
    assert deep["ok"] is False
    assert deep["refusal"]["code"] == "nesting"
    assert sorted(deep["refusal"]) == ["bound", "code", "detail", "limit", "message", "observed", "stage"]
    assert missing == {"file": "missing", "ok": False, "error": "No such file or directory"}
    document = Document.from_json(json.dumps(small["document"]))
    assert (document.kind, document.title, document.text) == ("markdown", "One", "# One\n")
    assert document.receipt is not None


def test_markdown_is_the_whole_text_and_notices_are_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("café au lait\n".encode("cp1252"))
    ran = run("read", "a.txt")
    assert ran.stdout.decode() == "café au lait\n"
    assert ran.stderr == b"fumehood: a.txt: noticed encoding-guessed cp1252\n"


def test_a_text_without_a_last_newline_gets_one(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one")
    assert run("read", "--format", "text", "a.txt").stdout == b"one\n"


def test_standard_input(run: Run) -> None:
    ran = run("read", "--format", "json", "-", stdin=b'{"a": 1}')
    assert ran.returncode == 0
    (record,) = records(ran)
    assert (record["file"], record["document"]["kind"]) == ("-", "json")


def test_a_file_s_name_is_a_hint(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("plain words\n")
    (record,) = records(run("read", "--format", "json", "a.md"))
    assert record["document"]["kind"] == "markdown"


def test_no_more_is_read_than_is_needed_to_refuse(run: Run) -> None:
    (record,) = records(run("read", "--format", "json", "--limit", "input_bytes=1MiB", "/dev/zero"))
    assert record["refusal"]["code"] == "input-too-large"
    assert record["refusal"]["observed"] == 1024 * 1024 + 1


def test_a_charset_that_does_not_exist_is_wrong_usage(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    ran = run("read", "--option", "charset=klingon", "a.txt")
    assert ran.returncode == 2
    assert b"klingon" in ran.stderr
    assert b"Traceback" not in ran.stderr


@pytest.mark.parametrize("form", ["json", "markdown"])
def test_hostile_names_are_printed_safely(run: Run, tmp_path: Path, form: str) -> None:
    Path(os.fsdecode(os.path.join(os.fsencode(tmp_path), HOSTILE))).write_text("one\n")
    ran = run("read", "--format", form, HOSTILE, b"missing" + HOSTILE)
    assert ran.returncode == 1
    for printed in (ran.stdout, ran.stderr):
        assert b"\x1b" not in printed
        assert b"\xff" not in printed
        assert "\u202e".encode() not in printed
    if form == "json":
        assert [record["file"] for record in records(ran)] == [PRINTED, "missing" + PRINTED]
    else:
        assert ran.stdout.decode() == f"==> {PRINTED} <==\none\n"
        assert ran.stderr.decode() == f"fumehood: missing{PRINTED}: cannot be read: No such file or directory\n"


def test_many_files_never_overload(run: Run, tmp_path: Path) -> None:
    names = [f"{number:03}.txt" for number in range(100)]
    for name in names:
        (tmp_path / name).write_text(f"{name}\n")
    ran = run("read", "--kind", "text", "--format", "json", "--workers", "1", *names)
    assert ran.returncode == 0
    assert [(record["file"], record["document"]["text"]) for record in records(ran)] == [
        (name, f"{name}\n") for name in names
    ]


# ---- the end -------------------------------------------------------------------------------------------


@contextmanager
def waiting(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], list[psutil.Process]]]:
    """The command when it has read one file and waits for another, and the processes that it started."""
    (tmp_path / "a.txt").write_text("one\n")
    os.mkfifo(tmp_path / "never")
    command = [*COMMAND, "read", "a.txt", "never"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == b"==> a.txt <==\n"
            children = psutil.Process(process.pid).children(recursive=True)
            assert children
            yield process, children
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda number: number.name)
def test_a_signal_ends_it_and_leaves_no_process(tmp_path: Path, number: signal.Signals) -> None:
    with waiting(tmp_path) as (process, children):
        process.send_signal(number)
        _, said = process.communicate(timeout=10)
    assert process.returncode == (-9 if number is signal.SIGKILL else 128 + number)
    assert said == b""
    _, left = psutil.wait_procs(children, timeout=5)
    assert left == []


def test_a_reader_that_leaves_ends_it_quietly(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("words " * 100_000)
    command = [*COMMAND, "read", "--kind", "text", *["a.txt"] * 20]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        children = psutil.Process(process.pid).children(recursive=True)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(10) == 128 + signal.SIGPIPE
    _, left = psutil.wait_procs(children, timeout=5)
    assert left == []


@pytest.mark.parametrize("arguments", [("read", "a.txt"), ("kinds",), ("doctor",), ("--version",)], ids=" ".join)
def test_output_that_cannot_be_written_is_told(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    with open("/dev/full", "wb") as full:
        ran = subprocess.run([*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, cwd=tmp_path, timeout=60)
    assert ran.returncode == 1
    assert ran.stderr == b"fumehood: the output cannot be written: No space left on device\n"


def test_closed_standard_streams_are_not_taken_for_files(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    ran = run("read", "a.txt", "missing", command=("sh", "-c", 'exec "$0" "$@" <&- >&- 2>&-', *COMMAND))
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, b"", b"")


@pytest.mark.parametrize(
    ("closing", "says"),
    [
        (">&-", b"fumehood: the output cannot be written: Bad file descriptor\n"),
        ("<&-", b"fumehood: -: cannot be read: Bad file descriptor\n"),
    ],
)
def test_a_closed_stream_is_no_empty_one(run: Run, closing: str, says: bytes) -> None:
    """Nothing is lost silently: neither a text that goes nowhere nor a document that was never there."""
    ran = run("read", "-", command=("sh", "-c", f'exec "$0" "$@" {closing}', *COMMAND), stdin=b"text")
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, b"", says)


# ---- chunks --------------------------------------------------------------------------------------------


def test_chunks_are_lines_of_json(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# One\n\ntext\n\n## Two\n\nmore\n")
    (tmp_path / "b.txt").write_text("plain\n")
    ran = run("read", "--chunks", "a.md", "b.txt", "missing")
    assert ran.returncode == 1
    first, second, third, missing = records(ran)
    assert (first["file"], first["ok"], first["chunk"]["text"]) == ("a.md", True, "# One\n\ntext")
    assert second["embedding_text"] == "One > Two\n\n## Two\n\nmore"
    assert third["embedding_text"] == "b.txt\n\nplain"
    assert (missing["file"], missing["ok"]) == ("missing", False)


def test_a_strategy_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# One\n\ntext\n\n## Two\n\nmore\n")
    (only,) = records(run("read", "--chunks", "--strategy", "fixed", "a.md"))
    assert only["chunk"]["roles"] == ["heading", "paragraph"]
    for wrong in (("--strategy", "fixed"), ("--chunks", "--strategy", "none"), ("--chunks", "--format", "text")):
        ran = run("read", *wrong, "a.md")
        assert (ran.returncode, ran.stdout) == (2, b"")
