"""`fumehood fuzz`: looks for documents that break a promise, and shows what it does and finds."""

from __future__ import annotations

import importlib
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from fumehood.cli import exits, streams
from fumehood.cli.table import table, width
from fumehood.fuzz import campaign, found
from fumehood.fuzz.board import HEADS, Board
from fumehood.fuzz.crew import JobFailed
from fumehood.fuzz.inputs import Engine
from fumehood.fuzz.targets import TARGETS
from fumehood.hygiene import printable
from fumehood.ingest.units import counted

_LINE_SECONDS: Final = 1.0
_LOG_SECONDS: Final = 30.0
_CLEAR_LINE: Final = "\r\x1b[K"


def list_targets(modules: Sequence[str]) -> int:
    """Prints their names. Raises `ImportError`."""
    _import(modules)
    streams.put_text("\n".join(TARGETS))
    return exits.DONE


def explore(
    kind: str | None,
    targets: Sequence[str],
    engine: Engine,
    *,
    seconds: int,
    runs: int | None,
    jobs: int | None,
    seed: int,
    seeds: str | None,
    findings: str,
    modules: Sequence[str],
) -> int:
    """Runs until the time is spent or somebody interrupts; returns 1 if there is any finding.

    Raises `ImportError` and `ValueError` for a mistake in what was asked for.
    """
    _import(modules)
    campaign.check_engine(engine)
    if seeds is not None and not Path(seeds).is_dir():
        raise ValueError(f"--seeds {seeds} is no folder")
    if not found.can_be_saved(Path(findings)):
        raise ValueError(f"--findings {findings} is no folder that can be written to")
    plan = campaign.Plan(
        targets=campaign.chosen(kind, targets, engine),
        engine=engine,
        seconds=seconds,
        runs=runs,
        jobs=jobs or len(os.sched_getaffinity(0)),
        seed=seed,
        seeds=Path(seeds) if seeds else None,
        findings=Path(findings),
        modules=tuple(modules),
    )
    board = Board()
    code = _run(plan, board)
    streams.put_text(table(HEADS, board.rows(), width()))
    for each in board.findings.values():
        path = found.path_of(plan.findings, each)
        streams.put_text(f"\n{printable(each.cause)}\n  {printable(found.command(path, plan.modules))}")
    streams.put_text(f"\n{counted(board.executions, 'execution')}, {counted(len(board.findings), 'finding')}")
    return exits.SOME_REFUSED if board.findings else code


def reproduce(file: str, targets: Sequence[str], modules: Sequence[str]) -> int:
    """Runs one file once, and prints how it ends; returns 1 if it breaks a promise.

    Raises `ImportError` and `ValueError` for a mistake in what was asked for.
    """
    _import(modules)
    try:
        board = campaign.reproduce(Path(file), targets[0] if targets else None, tuple(modules))
    except OSError as error:
        raise ValueError(f"{file} cannot be opened: {error.strerror}") from None
    except JobFailed as error:
        return _failed(str(error))
    for each in board.findings.values():
        told = "\n".join(map(printable, each.what.splitlines()))
        streams.put_text(f"{printable(each.cause)}\n\n{told}")
    if board.findings:
        return exits.SOME_REFUSED
    streams.put_text("\n".join(f"{name}: {end}" for name, tally in board.tallies.items() for end in tally.ends))
    return exits.DONE


def _import(modules: Sequence[str]) -> None:
    for module in modules:
        importlib.import_module(module)  # noqa: TID251, the caller's own, which the caller names


def _run(plan: campaign.Plan, board: Board) -> int:
    status = _Status(board)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        campaign.run(plan, board, status.tick)
    except KeyboardInterrupt:
        return exits.INTERRUPTED
    except JobFailed as error:
        return _failed(str(error))
    except OSError as error:
        return _failed(f"the run ended early: {error}")
    finally:
        status.clear()
        signal.signal(signal.SIGTERM, before)
    return exits.DONE


def _failed(why: str) -> int:
    lines = "\n".join(map(printable, why.splitlines()))
    streams.remark(f"fumehood: {lines}\n".encode())
    return exits.SOME_REFUSED


class _Status:
    """A line that changes on a terminal; a line now and then in a log."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._is_terminal = os.isatty(streams.ERR)
        self._every = _LINE_SECONDS if self._is_terminal else _LOG_SECONDS
        self._next = time.monotonic() + self._every

    def tick(self) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + self._every
        line = self._board.line()
        shown = _CLEAR_LINE + line[: width() - 1] if self._is_terminal else line + "\n"
        streams.remark(shown.encode())

    def clear(self) -> None:
        if self._is_terminal:
            streams.remark(_CLEAR_LINE.encode())
