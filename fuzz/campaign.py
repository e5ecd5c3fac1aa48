"""What `fumehood fuzz` does: plans a run over targets, works it off, saves what it finds; and reproduces a finding."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from fumehood import kinds
from fumehood.fuzz import found
from fumehood.fuzz.board import Board
from fumehood.fuzz.crew import work_off
from fumehood.fuzz.inputs import EXTRA, Engine
from fumehood.fuzz.reports import Assignment, Found, Report
from fumehood.fuzz.targets import TARGETS

_LEAST_SECONDS: Final = 1.0
"""For one target: less would be spent on starting its process alone."""
_NEEDED: Final = {"generate": "hypothesis", "atheris": "atheris"}
_KEPT: Final = "seeds"
_PATIENCE: Final = 5.0
_PATIENCE_MEASURED: Final = 30.0
"""Seconds of processor time, where coverage is measured: a loader is rewritten when it is first imported, slow afterwards."""
_FOREVER: Final = 24 * 3_600.0
"""Seconds: one execution ends by other means."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One run. `seconds` of the clock for all targets together; `runs`: at most so many executions of each process."""

    targets: Sequence[str]
    engine: Engine = "mutate"
    seconds: float = 60.0
    runs: int | None = None
    jobs: int = 1
    seed: int = 0
    seeds: Path | None = None
    findings: Path = Path("findings")
    modules: tuple[str, ...] = ()


def chosen(kind: str | None, names: Sequence[str], engine: Engine) -> list[str]:
    """The targets of a kind, or those named, or all. Raises `ValueError` for a name of none, or if the engine runs none."""
    if kind is not None:
        wanted = [name for name in TARGETS if TARGETS[name].kind == kinds.get(kind).name]
    else:
        unknown = sorted(set(names) - set(TARGETS))
        if unknown:
            raise ValueError(f"there is no target {', '.join(unknown)}; `fumehood fuzz --list` names them")
        wanted = list(dict.fromkeys(names)) or list(TARGETS)
    if engine == "atheris":
        # It measures its own process, in which an isolated target parses nothing.
        wanted = [name for name in wanted if not TARGETS[name].is_isolated]
        if not wanted:
            raise ValueError("the engine atheris runs targets in-process only; name one that does not start with jail:")
    return wanted


def check_engine(engine: Engine) -> None:
    """Raises `ValueError` that says what to install."""
    needed = _NEEDED.get(engine)
    if needed is not None and find_spec(needed) is None:
        raise ValueError(f"the engine {engine} needs the package {needed}: {EXTRA}")


def run(plan: Plan, board: Board, tick: Callable[[], None]) -> None:
    """Works the plan off; every finding is a file at once. Raises `OSError` and `crew.JobFailed`."""

    def hear(assignment: Assignment, report: Report) -> None:
        board.hear(assignment, report)
        if isinstance(report, Found):
            found.save(plan.findings, report, plan.modules)

    work_off(assignments(plan), plan.jobs, hear, tick)


def assignments(plan: Plan) -> list[Assignment]:
    """One for each process: every target has the same time, and as many processes as keep all jobs busy."""
    rounds = max(1, math.ceil(plan.jobs / len(plan.targets)))
    seconds = max(_LEAST_SECONDS, plan.seconds * plan.jobs / (len(plan.targets) * rounds))
    return [
        Assignment(
            target=name,
            engine=plan.engine,
            seed=plan.seed + number,
            seconds=min(seconds, plan.seconds),
            runs=plan.runs,
            patience=_PATIENCE_MEASURED if plan.engine == "atheris" else _PATIENCE,
            seeds=str(plan.seeds.resolve()) if plan.seeds else None,
            kept=_kept(plan, name),
            modules=plan.modules,
        )
        for number in range(rounds)
        for name in plan.targets
    ]


def _kept(plan: Plan, target: str) -> str | None:
    """A folder beside the findings, which the next run goes on from."""
    if plan.engine != "atheris":
        return None
    folder = plan.findings / _KEPT / target.replace(":", ".", 1)
    folder.mkdir(parents=True, exist_ok=True)
    return str(folder.resolve())


def reproduce(path: Path, target: str | None, modules: tuple[str, ...]) -> Board:
    """One execution of a saved input. Raises `OSError`, `ValueError` for a target that is none, and `crew.JobFailed`."""
    name = target or found.target_of(path)
    if name not in set(TARGETS):
        raise ValueError(f"there is no target {name}; name one with --target")
    with path.open("rb"):
        pass  # so that a file that cannot be opened is told here
    board = Board()
    once = Assignment(
        target=name, engine="mutate", seed=0, seconds=_FOREVER, replay=str(path.resolve()), modules=modules
    )
    work_off([once], 1, board.hear, lambda: None)
    return board
