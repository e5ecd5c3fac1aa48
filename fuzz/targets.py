"""Every fuzz target by its name: functions of bytes whose oracle is what the contract promises.

A target returns how its input ended, `read` or a refusal's code, and raises `BrokenPromise`, or whatever escaped, if
something is wrong with us. `TARGETS` follows the registries: a kind or a strategy that was registered a moment ago has
its targets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from fumehood.fuzz import arguments, chunked, differences, globs, pdf_decoders, prechecks, queries, reads, replies
from fumehood.fuzz.oracle import BrokenPromise
from fumehood.fuzz.target import BAD_REPLY, FUZZ_LIMITS, Target

SOURCES: Final[tuple[Callable[[], Iterator[Target]], ...]] = (
    reads.targets,
    chunked.targets,
    replies.targets,
    prechecks.targets,
    pdf_decoders.targets,
    differences.targets,
    arguments.targets,
    queries.targets,
    globs.targets,
)
"""Each says which targets there are now. A new target is a line in one of these, or a source of its own here."""


class Targets(Mapping[str, Target]):
    """Every target by its name."""

    def __getitem__(self, name: str) -> Target:
        for target in _now():
            if target.name == name:
                return target
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (target.name for target in _now())

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _now() -> Iterator[Target]:
    for source in SOURCES:
        yield from source()


TARGETS: Final[Mapping[str, Target]] = Targets()

__all__ = ["BAD_REPLY", "FUZZ_LIMITS", "TARGETS", "BrokenPromise", "Target"]
