"""What a fuzzing process and the command that started it say to each other: one line of JSON each, on a pipe."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from fumehood.fuzz.inputs import Engine


class Assignment(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What one process has to do.

    - `seconds` to spend; `runs`: at most so many executions, or None.
    - `patience`: seconds of processor time that one in-process execution may take.
    - `seeds`: a folder, or None; `kept`: the folder where an engine keeps inputs that reached something new.
    - `replay`: a file to run once instead.
    - `modules`: imported first, for what they register.
    """

    target: str
    engine: Engine
    seed: int
    seconds: float
    runs: int | None = None
    patience: float = 5.0
    seeds: str | None = None
    kept: str | None = None
    replay: str | None = None
    modules: tuple[str, ...] = ()


class Progress(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag=True):
    """Since the last one: executions by how they ended. `corpus`: seeds now; `seconds` since the first
    ended: what comes before is the start of a zygote, or of a parser.
    """

    ends: Mapping[str, int]
    corpus: int
    seconds: float


class Found(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag=True):
    """An input that breaks a promise, cut down; `what` is for a person."""

    target: str
    cause: str
    what: str
    data: bytes


Report = Progress | Found
FINDING = "FINDING"
"""Among the ends of executions."""
