from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from fumehood import Document, Locator, chunk
from fumehood.index import SQLiteIndex

from .conftest import Run


@pytest.fixture
def filled(tmp_path: Path) -> None:
    with SQLiteIndex(tmp_path / "i.sqlite") as index:
        for name, page, text in (
            ("report.pdf", 4, "The annual revenue rose; \u202eevil"),
            ("copies/report.pdf", 4, "The annual revenue rose; \u202eevil"),
            ("bad\x1b[31m\udcff.pdf", 9, "No revenue, and much filler. " * 20),
        ):
            made = Document.from_markdown(f"# Title\n\n{text}")
            chunks = [msgspec.structs.replace(each, locators=(Locator(page=page),)) for each in chunk(made)]
            index.replace(name, made, chunks, metadata={"page": page})


@pytest.mark.usefixtures("filled")
def test_hits_for_people(run: Run) -> None:
    ran = run("search", "annual", "revenue", "--index", "i.sqlite")
    lines = ran.stdout.decode().splitlines()
    assert lines[0].startswith("copies/report.pdf p. 4  (")
    assert lines[0].endswith("Title")
    assert lines[1] == "report.pdf p. 4"
    assert "The annual revenue rose; \\u202eevil" in lines[2]
    assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.usefixtures("filled")
def test_names_and_text_cannot_drive_a_terminal(run: Run) -> None:
    ran = run("search", "filler", "--index", "i.sqlite")
    assert b"bad\\x1b[31m\\udcff.pdf p. 9" in ran.stdout
    assert b"\x1b" not in ran.stdout
    assert all(len(line) <= 80 for line in ran.stdout.decode().splitlines())


@pytest.mark.usefixtures("filled")
def test_json_is_a_line_for_each_hit(run: Run) -> None:
    ran = run("search", "revenue", "--index", "i.sqlite", "--json")
    hits = [json.loads(line) for line in ran.stdout.splitlines()]
    assert sorted(hit["source"] for hit in hits) == ["bad\\x1b[31m\\udcff.pdf", "copies/report.pdf"]
    assert hits[0]["score"] >= hits[1]["score"]
    (first,) = (hit for hit in hits if hit["source"] == "copies/report.pdf")
    assert [each["source"] for each in first["sources"]] == ["copies/report.pdf", "report.pdf"]
    assert (first["place"], first["locators"]) == ("p. 4", [{"page": 4}])
    ((start, end),) = first["marks"]
    assert first["snippet"][start:end] == "revenue"
    assert first["metadata"] == {"page": 4}


@pytest.mark.usefixtures("filled")
def test_filters_and_pages(run: Run) -> None:
    def count(*arguments: str) -> int:
        ran = run("search", "revenue", "--index", "i.sqlite", "--json", *arguments)
        assert ran.returncode == 0, ran.stderr
        return len(ran.stdout.splitlines())

    assert count("--where", "page=9", "--namespace", "default", "--role", "paragraph") == 1
    assert count("--source", "copies/", "--kind", "markdown") == 1
    assert count("--since", "2024") == 0
    assert count("--offset", "1") == 1
    assert b"--offset 1 goes on" in run("search", "revenue", "--index", "i.sqlite", "--limit", "1").stderr


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("query", ['" (( NOT', "\ud800"])
def test_no_text_breaks_it(run: Run, query: str) -> None:
    ran = run("search", query.encode("utf-8", "surrogatepass"), "--index", "i.sqlite")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"fumehood: nothing found\n")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("x", "--index", "none.sqlite"), 1, b"none.sqlite: there is none; `fumehood ingest` makes one"),
        (("x", "--index", "i.sqlite", "--since", "soon"), 2, b"'soon' is no date"),
        (("x", "--index", "i.sqlite", "--limit", "0"), 2, b"--limit: takes a whole number from 1"),
        (("x", "--index", "i.sqlite", "--limit", "9999"), 2, b"limit is between 1 and 1,000"),
        (("x", "--index", "i.sqlite", "--kind", "docy"), 2, b"there is no kind 'docy'"),
        (("x", "--index", "i.sqlite", "--where", "x"), 2, b"takes NAME=VALUE"),
        (("x",), 2, b"--index"),
    ],
)
@pytest.mark.usefixtures("filled")
def test_mistakes(run: Run, arguments: tuple[str, ...], code: int, said: bytes) -> None:
    ran = run("search", *arguments)
    assert ran.returncode == code
    assert said in ran.stderr
    assert ran.stdout == b""


def test_a_file_that_is_no_index(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("Dear Sir or Madam, " * 100)
    ran = run("search", "x", "--index", "x")
    assert ran.returncode == 1
    assert b"it is not an index of fumehood" in ran.stderr
