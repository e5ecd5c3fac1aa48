"""A run over processes: what it plans, what it hears, what it saves, and how a finding is seen again."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from fumehood import kinds
from fumehood.fuzz import campaign, crew, found
from fumehood.fuzz.board import Board
from fumehood.fuzz.campaign import Plan, assignments, chosen
from fumehood.fuzz.crew import JobFailed
from fumehood.fuzz.reports import FINDING, Found
from fumehood.fuzz.targets import TARGETS

FAULTY = """
import os, signal
from fumehood import kinds
from fumehood.kinds import Kind

ENGINES = {}

def load(data, out, budget, options):
    if b"STAY" in data:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGPROF])
        while True:
            pass
    if b"BOOM" in data:
        os.kill(os.getpid(), signal.SIGSEGV)
    out.paragraph(data.decode("latin-1"))

kinds.register(Kind("faulty", __name__, extensions=("faulty",), specimen=b"a"))
"""


@pytest.fixture
def faulty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, ...]]:
    """A module that registers a kind whose loader kills its process for some inputs."""
    (tmp_path / "faulty_loader.py").write_text(FAULTY)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(kinds, "_registry", dict(kinds._registry))
    importlib.import_module("faulty_loader")
    yield ("faulty_loader",)
    del sys.modules["faulty_loader"]


def run(tmp_path: Path, targets: Sequence[str], **more: Any) -> Board:
    board = Board()
    campaign.run(Plan(targets=targets, findings=tmp_path / "findings", **more), board, lambda: None)
    return board


def test_the_same_seed_gives_the_same_run(tmp_path: Path) -> None:
    boards = [run(tmp_path, ["load:csv", "reply"], runs=150, jobs=2, seed=seed) for seed in (3, 3, 4)]
    first, second, other = ({name: tally.ends for name, tally in board.tallies.items()} for board in boards)
    assert first == second
    assert first["reply"] != other["reply"]
    assert boards[0].executions == 300
    assert not boards[0].findings
    assert "300 executions" in boards[0].line()
    assert {row[0] for row in boards[0].rows()} == {"load:csv", "reply"}


def test_what_kills_its_process_is_found_saved_and_seen_again(tmp_path: Path, faulty: tuple[str, ...]) -> None:
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    (seeds / "a.faulty").write_bytes(b"a BOOM")
    board = run(tmp_path, ["load:faulty"], seeds=seeds, runs=50, modules=faulty)
    (each,) = board.findings.values()
    assert each.cause == "SIGSEGV (load:faulty)"
    assert b"BOOM" in each.data
    path = found.path_of(tmp_path / "findings", each)
    assert path.read_bytes() == each.data
    assert f"fumehood fuzz --import faulty_loader --reproduce {path}" in path.with_suffix(".txt").read_text()
    again = campaign.reproduce(path, None, faulty)
    assert list(again.findings) == [each.cause]


def test_what_cannot_be_interrupted_is_a_hang(
    tmp_path: Path, faulty: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew, "_SLACK", 0.2)
    path = tmp_path / "load.faulty-00000000.bin"
    path.write_bytes(b"STAY")
    again = campaign.reproduce(path, None, faulty)
    assert [(each.cause, each.data) for each in again.findings.values()] == [("a hang (load:faulty)", b"STAY")]


def test_what_is_mended_is_no_finding_any_more(tmp_path: Path) -> None:
    path = tmp_path / "load.csv-00000000.bin"
    path.write_bytes(b"a,b\n1,2\n")
    board = campaign.reproduce(path, None, ())
    assert not board.findings
    assert board.tallies["load:csv"].ends == {"read": 1}
    assert campaign.reproduce(path, "load:json", ()).tallies["load:json"].ends == {"malformed": 1}


def test_a_module_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(JobFailed, match="No module named 'nowhere'"):
        run(tmp_path, ["load:csv"], runs=1, modules=("nowhere",))


def test_generated_inputs_run(tmp_path: Path) -> None:
    board = run(tmp_path, ["load:json"], engine="generate", runs=60)
    assert board.tallies["load:json"].ends.total() == 60


def test_coverage_keeps_seeds(tmp_path: Path) -> None:
    pytest.importorskip("atheris")
    board = run(tmp_path, ["zip"], engine="atheris", runs=400, seconds=30)
    tally = board.tallies["zip"]
    assert tally.ends.total() == 400  # the first of them under the hook that measures
    assert len(list((tmp_path / "findings" / "seeds" / "zip").iterdir())) > tally.ends[FINDING]


# ---- plans -----------------------------------------------------------------------------------------------------------


def test_every_target_has_the_same_time() -> None:
    plan = Plan(targets=["zip", "xml", "reply"], seconds=60, jobs=2)
    assert [(each.target, each.seconds) for each in assignments(plan)] == [("zip", 40), ("xml", 40), ("reply", 40)]


def test_every_job_is_busy() -> None:
    made = assignments(Plan(targets=["zip"], seconds=60, jobs=3, seed=5))
    assert [(each.target, each.seconds, each.seed) for each in made] == [("zip", 60, 5), ("zip", 60, 6), ("zip", 60, 7)]


def test_targets_are_chosen_by_kind_or_by_name() -> None:
    assert chosen("docx", (), "mutate") == ["load:docx", "tight:docx", "jail:docx", "differ:docx"]
    assert chosen(None, ["zip", "xml", "zip"], "mutate") == ["zip", "xml"]
    assert chosen(None, (), "mutate") == list(TARGETS)
    assert not any(TARGETS[name].is_isolated for name in chosen(None, (), "atheris"))
    with pytest.raises(ValueError, match="no target zap"):
        chosen(None, ["zap"], "mutate")
    with pytest.raises(ValueError, match="in-process only"):
        chosen(None, ["jail:pdf"], "atheris")


@pytest.mark.parametrize("target", ["load:json", "jail:a.b+c-d", "markdown-scan", "zip"])
def test_a_findings_name_says_its_target(target: str, tmp_path: Path) -> None:
    path = found.path_of(tmp_path, Found(target, "a cause", "", b""))
    assert ":" not in path.name
    assert found.target_of(path) == target


def test_a_file_that_is_no_finding_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="--target"):
        found.target_of(tmp_path / "letter.pdf")
    with pytest.raises(FileNotFoundError):
        campaign.reproduce(tmp_path / "zip-0.bin", None, ())


def test_findings_go_where_there_is_a_folder_or_room_for_one(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert found.can_be_saved(tmp_path)
    assert found.can_be_saved(tmp_path / "a" / "b")
    assert not found.can_be_saved(tmp_path / "file")
    assert not found.can_be_saved(tmp_path / "file" / "b")


def test_a_run_whose_findings_cannot_be_saved_raises(tmp_path: Path) -> None:
    (tmp_path / "findings").touch()
    finding = Found("zip", "a cause", "", b"")
    with pytest.raises(FileExistsError):
        found.save(tmp_path / "findings", finding)


def test_the_smaller_input_of_a_cause_is_kept(tmp_path: Path) -> None:
    for data in (b"long", b"s", b"longer"):
        path = found.save(tmp_path, Found("zip", "a cause", "", data))
    assert path.read_bytes() == b"s"
