"""Every snippet of Python and every command that the documents show runs as it is printed."""

from __future__ import annotations

import ast
import hashlib
import inspect
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import anyio
import pytest

from fumehood import read_isolated
from fumehood.chunking import registry
from fumehood.fuzz.bombs_zip import full_overlap

ROOT: Final = Path(__file__).parents[1]
INBOX: Final = ROOT / "examples" / "inbox"
DOCUMENTS: Final = (
    "README.md",
    "docs/chunking.md",
    "docs/index.md",
    "docs/ingest.md",
    "docs/loaders.md",
    "docs/operating.md",
)
_ELSEWHERE: Final = {
    "from_tiktoken": "needs a tokenizer's files; chunking/test_tokens.py",
    "# tidelog/": "a file of its own; test_docs.py",
    "from tidelog import": "needs the package; examples/tidelog, test_docs.py",
}
_NOT_RUN: Final = {"fumehood fuzz": "runs for ten minutes; cli/test_fuzz.py", "make ": "sets up an environment"}


def _blocks(document: str, language: str) -> list[str]:
    text = (ROOT / document).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def _commands(document: str) -> list[str]:
    lines = [line for block in _blocks(document, "console") for line in block.splitlines()]
    return [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current directory of somebody who follows the documents: some files of their own, and an upload."""
    for folder in ("inbox", "reports", "letters"):
        (tmp_path / folder).mkdir()
        shutil.copy(INBOX / "report.pdf", tmp_path / folder)
        shutil.copy(INBOX / "notes.md", tmp_path / folder)
    shutil.copy(INBOX / "report.pdf", tmp_path / "upload")
    for name in ("report.pdf", "notes.md"):
        shutil.copy(INBOX / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    before = dict(registry._registry)
    yield tmp_path
    registry._registry.clear()
    registry._registry.update(before)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_snippets_of_python_run(document: str, place: Path) -> None:
    """One after the other, as a page is read; `upload`, `store` and `reject` are the reader's own."""
    data = (place / "upload").read_bytes()
    stored: list[Any] = []
    known = {
        "upload": data,
        "data": data,
        "document": read_isolated("auto", data),
        "store": lambda *values: stored.append(values),
        "reject": lambda *values: pytest.fail(f"refused: {values}"),
    }
    for block in _blocks(document, "python"):
        if not any(mark in block for mark in _ELSEWHERE):
            _run(block, known)
    assert stored or "store(" not in (ROOT / document).read_text(encoding="utf-8")


def _run(block: str, known: dict[str, Any]) -> None:
    code = compile(block, "<snippet>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    if not code.co_flags & inspect.CO_COROUTINE:
        exec(code, known)
        return

    async def run() -> None:
        await eval(code, known)

    anyio.run(run, backend="trio")


def test_the_quarantine_that_is_shown_takes_tricks_and_nothing_else(place: Path) -> None:
    known: dict[str, Any] = {"upload": b"Dear Sir", "store": lambda document: None}
    (block,) = (block for block in _blocks("docs/operating.md", "python") if "QUARANTINE" in block)
    _run(block, known)
    trick = full_overlap(250)
    for data in (trick, trick, (INBOX / "locked.pdf").read_bytes()):
        assert known["receive"](data, "../../letter.docx") is None
    (kept,) = (place / "quarantine").iterdir()
    assert kept.name == hashlib.sha256(trick).hexdigest()
    assert kept.read_bytes() == trick
    assert kept.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("document", [name for name in DOCUMENTS if _commands(name)])
def test_commands_run(document: str, place: Path) -> None:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}"}
    if document == "docs/index.md":  # Its page is about an index that is there.
        subprocess.run(_shell(_commands("docs/ingest.md")[0]), env=environment, cwd=place, check=True)
    for command in sorted(_commands(document), key=lambda line: "fumehood ingest" not in line):
        if any(command.startswith(start) for start in _NOT_RUN):
            continue
        ran = subprocess.run(
            _shell(command), capture_output=True, text=True, env=environment, cwd=place, timeout=60, check=False
        )
        assert ran.returncode == 0, (command, ran.stderr)


def _shell(command: str) -> list[str]:
    """As a user types it; a comment is no argument."""
    return ["/bin/sh", "-c", command]
