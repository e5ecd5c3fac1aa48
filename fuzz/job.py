"""One fuzzing process: `python -m fumehood.fuzz.job ASSIGNMENT PIPE SLATE`, as the command starts it.

In-process targets run parsers over hostile bytes without a jail, so they do it here and not in the command's own
process: what hangs in a library, or kills, is seen from there.
"""

from __future__ import annotations

import importlib
import os
import resource
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from fumehood.fuzz.inputs import generated, mutated, seeds_for
from fumehood.fuzz.reports import Assignment, Report
from fumehood.fuzz.session import Session
from fumehood.fuzz.slate import Slate
from fumehood.fuzz.target import FUZZ_LIMITS
from fumehood.fuzz.targets import TARGETS
from fumehood.sandbox import rlimits

Work = Callable[[Assignment, Session], None]


def main(arguments: Sequence[str], work: Work) -> int:
    """Does what the first argument says. Raises what importing a module of the caller's raises."""
    assignment = msgspec.json.decode(arguments[0], type=Assignment)
    pipe, slate = int(arguments[1]), Slate.open(Path(arguments[2]))
    for module in assignment.modules:
        importlib.import_module(module)  # noqa: TID251, the caller's own, which the caller names

    def report(said: Report) -> None:
        line = memoryview(msgspec.json.encode(said) + b"\n")
        while line:
            line = line[os.write(pipe, line) :]

    target = TARGETS[assignment.target]
    if not target.is_isolated:
        _cap_memory()
    cuts_down = assignment.replay is None
    session = Session(target, report, slate, patience=assignment.patience, cuts_down=cuts_down)
    work(assignment, session)
    return 0


def _cap_memory() -> None:
    """As in a worker, so that what takes too much ends as `memory` and not this machine (setrlimit(2))."""
    most = rlimits.own_size().data + FUZZ_LIMITS.heap_bytes
    resource.setrlimit(resource.RLIMIT_DATA, (most, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def explore(assignment: Assignment, session: Session) -> None:
    """One input again, or mutations or generated inputs until the time is spent."""
    target = TARGETS[assignment.target]
    if assignment.replay is not None:
        session.run(iter([Path(assignment.replay).read_bytes()]), seconds=assignment.seconds)
        return
    if assignment.engine == "generate":
        inputs = generated(target, assignment.seed)
    else:
        starts = seeds_for(target, Path(assignment.seeds) if assignment.seeds else None)
        session.corpus = len(starts)
        inputs = mutated(target, starts, assignment.seed)
    session.run(inputs, seconds=assignment.seconds, runs=assignment.runs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], explore))
