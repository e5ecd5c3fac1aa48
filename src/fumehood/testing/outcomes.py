"""One input read in every way there is: here, by a real worker, and by one that is watched."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import msgspec

from fumehood import kinds
from fumehood.document import Document
from fumehood.errors import Refusal, SandboxUnavailable
from fumehood.fuzz.targets import FUZZ_LIMITS
from fumehood.kinds import Kind
from fumehood.limits.budget import Budget
from fumehood.limits.policy import MIB, Limits
from fumehood.reader import read_isolated
from fumehood.sandbox import loading
from fumehood.testing.watched import Report, Visit, Warm

Outcome = Document | Refusal

LIMITS: Final = FUZZ_LIMITS.replace(cpu_seconds=2, wall_seconds=20.0)
"""Seconds that no input of the suite may take, on the slowest machine."""
_WATCHED_LIMITS: Final = Limits.generous().replace(heap_bytes=1_024 * MIB, cpu_seconds=10)


def in_process(kind: Kind, data: bytes, limits: Limits = LIMITS, budget: Budget | None = None) -> Outcome:
    """Without a jail; after a worker has shown that it ends."""
    try:
        return loading.read_in_process(kind, data, limits, None, budget)
    except Refusal as refused:
        return refused


def in_jail(kind: Kind, data: bytes, limits: Limits = LIMITS) -> Outcome:
    """By a worker; without the receipt, which differs each time.

    Raises `ImportError` if the loader can have no worker, and `SandboxUnavailable` if this machine has none.
    """
    try:
        return msgspec.structs.replace(read_isolated(kind.name, data, limits=limits), receipt=None)
    except SandboxUnavailable:
        raise
    except Refusal as refused:
        return refused


class Watcher:
    """Reads in workers that report what the loader did."""

    def __init__(self, watching: Kind, kind: Kind) -> None:
        self._watching = watching
        self._kind = msgspec.structs.replace(kind, specimen=b"")

    def read(self, data: bytes) -> Report | None:
        """None if the report itself was refused: too much of something, which an ordinary read shows better."""
        visit = msgspec.msgpack.encode(Visit(self._kind, data, LIMITS))
        try:
            document = read_isolated(self._watching.name, visit, limits=_WATCHED_LIMITS)
        except Refusal:
            return None
        return msgspec.json.decode(document.text, type=Report)


@contextmanager
def watched(kind: Kind) -> Iterator[Watcher]:
    """A watcher of `kind`, whose zygote is warmed up by what warms up that of `kind`: its whole family."""
    specimen = msgspec.msgpack.encode(Warm(kinds.of_family(kind.family)))
    name = f"watched-{hashlib.sha256(kind.family.encode()).hexdigest()[:16]}"
    with kinds.registered(Kind(name, "fumehood.testing.watched", specimen=specimen)) as watching:
        yield Watcher(watching, kind)
