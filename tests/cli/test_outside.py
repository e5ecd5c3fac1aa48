"""`--register`: kinds of the user's own on the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from .conftest import Run

MINE = """
from fumehood import Kind

KIND = Kind("mine", "mine_loader", extensions=("mine",), specimen=b"x")
OTHER = 7
"""
LOADER = """
ENGINES = {}

def load(data, out, budget, options):
    out.paragraph("mine: " + data.decode())
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of the user's own, where Python finds it, and a file of its kind."""
    folder = tmp_path / "packages"
    folder.mkdir()
    (folder / "mine.py").write_text(MINE)
    (folder / "mine_loader.py").write_text(LOADER)
    (folder / "broken.py").write_text("raise RuntimeError('not \\x1b[31m today')")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    (tmp_path / "a.mine").write_bytes(b"hello")
    return folder


@pytest.mark.usefixtures("mine")
def test_a_file_is_read_by_a_loader_of_one_s_own(run: Run) -> None:
    found = run("read", "--register", "mine:KIND", "--format", "json", "a.mine")
    document = json.loads(found.stdout)["document"]
    assert (document["kind"], document["text"]) == ("mine", "mine: hello")
    named = run("read", "--register", "mine:KIND", "--kind", "mine", "-", stdin=b"you")
    assert (named.returncode, named.stdout) == (0, b"mine: you\n")


@pytest.mark.usefixtures("mine")
def test_it_is_listed_only_where_it_was_registered(run: Run) -> None:
    listed = {kind["name"]: kind for kind in json.loads(run("kinds", "--json", "--register", "mine:KIND").stdout)}
    assert listed["mine"]["extensions"] == ["mine"]
    assert "mine" not in {kind["name"] for kind in json.loads(run("kinds", "--json").stdout)}


@pytest.mark.usefixtures("mine")
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mine", b"--register: takes MODULE:NAME"),
        (":KIND", b"--register: takes MODULE:NAME"),
        ("no_such:KIND", b"No module named 'no_such'; install it, or name its folder in PYTHONPATH"),
        ("broken:KIND", b"--register: broken cannot be imported: RuntimeError: not \\x1b[31m today"),
        (".mine:KIND", b"--register: .mine cannot be imported: TypeError"),
        ("mine:NONE", b"--register: mine has no Kind named NONE"),
        ("mine:OTHER", b"--register: mine has no Kind named OTHER"),
    ],
)
def test_what_is_no_kind_is_wrong_usage(run: Run, name: str, said: bytes) -> None:
    for command in (["read", "a.mine"], ["kinds"]):
        ran = run(command[0], "--register", name, *command[1:])
        assert (ran.returncode, ran.stdout) == (2, b"")
        assert said in ran.stderr


@pytest.mark.usefixtures("mine")
def test_the_command_does_not_import_the_loader(run: Run) -> None:
    code = "import sys; from fumehood.cli import main; main(sys.argv[1:]); sys.exit('mine_loader' in sys.modules)"
    ran = run("read", "--register", "mine:KIND", "a.mine", command=(sys.executable, "-c", code))
    assert (ran.returncode, ran.stdout) == (0, b"mine: hello\n")


@pytest.mark.usefixtures("mine")
@pytest.mark.parametrize("command", [("read",), ("read", "--format", "json"), ("ingest", "--index", "x.sqlite")])
def test_a_loader_that_cannot_be_imported_is_told_in_a_line(run: Run, command: tuple[str, ...], mine: Path) -> None:
    (mine / "fails.py").write_text('from fumehood import Kind\nKIND = Kind("fails", "broken", extensions=("mine",))\n')
    ran = run(*command, "--register", "fails:KIND", "--kind", "fails", "a.mine")
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert ran.stderr.startswith(b"fumehood: the loader of fails cannot be used: ")
    assert rb"RuntimeError: not \x1b[31m today" in ran.stderr
    assert b"Traceback" not in ran.stderr
