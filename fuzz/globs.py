"""The target `globs`: patterns of `fumehood ingest` on the names of files, which strangers choose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from fumehood.fuzz.bomb import READ
from fumehood.fuzz.oracle import broken
from fumehood.fuzz.target import Target
from fumehood.ingest.patterns import Patterns, matches

_MOST_PARTS = 12
"""The look through all ways to match, which is slow, has that many parts of a pattern and of a path."""


def targets() -> Iterator[Target]:
    yield Target("globs", globs)


def globs(data: bytes) -> str:
    """A line of a pattern, then a path: matched as a look through all ways says, and taken only with its folders."""
    text = data.decode("utf-8", "surrogateescape")
    pattern, _, path = text.partition("\n")
    parts = [part for part in path.split("/") if part not in ("", ".", "..")][:_MOST_PARTS] or ["a"]
    wanted = pattern.strip("/").split("/")
    if len(wanted) <= _MOST_PARTS and matches(pattern, parts) != _matches(wanted, parts):
        broken("a pattern that matches something else than it says", text)
    try:
        patterns = Patterns(include=(pattern,))
    except ValueError:
        if matches(pattern, parts):
            broken("a pattern is refused that something matches", text)
        return READ
    if patterns.takes(parts) and not matches(pattern, parts):
        broken("a file is taken that no pattern includes", text)
    if Patterns(exclude=(pattern,)).takes(parts) and matches(pattern, parts):
        broken("a file is taken that a pattern excludes", text)
    return READ


def _matches(wanted: Sequence[str], parts: Sequence[str]) -> bool:
    if len(wanted) == 1 and wanted[0] != "**":
        return fnmatchcase(parts[-1], wanted[0])
    return _leads(wanted, parts)


def _leads(wanted: Sequence[str], parts: Sequence[str]) -> bool:
    """Part by part, with every number of parts that `**` may stand for."""
    if not wanted:
        return not parts
    if wanted[0] == "**":
        return any(_leads(wanted[1:], parts[skipped:]) for skipped in range(len(parts) + 1))
    return bool(parts) and fnmatchcase(parts[0], wanted[0]) and _leads(wanted[1:], parts[1:])
