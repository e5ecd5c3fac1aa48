"""The fuzzing process of the engine `atheris`, started by its path: coverage of our code and of the parsers guides it.

What is to be measured has to be imported under atheris's hook, so that comes before anything of this package.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from random import Random
from typing import Final, NoReturn

import atheris

_MEASURED: Final = ["fumehood", "pdfminer", "justhtml", "yaml", "charset_normalizer"]
_STRUCTURED: Final = 0.5
"""The share of mutations that know the format; the others are libFuzzer's own, which know what was compared."""
_NEVER: Final = 10**6

with atheris.instrument_imports(include=_MEASURED):
    from fumehood.fuzz import job
    from fumehood.fuzz.inputs import seeds_for
    from fumehood.fuzz.mutators import mutated
    from fumehood.fuzz.reports import Assignment
    from fumehood.fuzz.seeds import MOST_BYTES
    from fumehood.fuzz.session import Session
    from fumehood.fuzz.targets import TARGETS


def explore(assignment: Assignment, session: Session) -> NoReturn:
    """Never returns: libFuzzer ends the process. `kept` has the inputs that reached something new, one file each."""
    target = TARGETS[assignment.target]
    kept = Path(assignment.kept or ".")
    starts = seeds_for(target, Path(assignment.seeds) if assignment.seeds else None)
    with atheris.instrument_imports(include=_MEASURED):
        session.one(bytes(target.choices) + starts[0])  # which imports the loader
    for number, data in enumerate(starts):
        (kept / f"seed-{number:05}").write_bytes(bytes(target.choices) + data)
    until = time.monotonic() + assignment.seconds
    runs = 1  # the one above

    def one(data: bytes) -> None:
        nonlocal runs
        if runs % 512 == 0:
            session.corpus = sum(1 for _ in os.scandir(kept))
        session.one(data)
        runs += 1
        if time.monotonic() >= until or runs == assignment.runs:
            session.finish()
            os._exit(0)

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        rng = Random(seed)
        if rng.random() < _STRUCTURED:
            chosen = rng.choice((data[: target.choices], rng.randbytes(target.choices)))
            return (chosen + mutated(data[target.choices :], rng, target.kind or target.name))[:most]
        made: bytes = atheris.Mutate(data, most)
        return made

    # Its own caps are off: ours tell more, and an input that dies is written down already.
    settings = (
        f"-seed={assignment.seed % 2**31 + 1}",
        f"-timeout={_NEVER}",
        "-rss_limit_mb=0",
        f"-max_len={MOST_BYTES}",
        "-exact_artifact_path=/dev/null",
        "-verbosity=0",
    )
    atheris.Setup([sys.argv[0], *settings, str(kept)], one, custom_mutator=mutate)
    atheris.Fuzz()
    os._exit(0)


if __name__ == "__main__":
    sys.exit(job.main(sys.argv[1:], explore))
