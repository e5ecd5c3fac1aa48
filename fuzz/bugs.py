"""Ten bugs of the kinds that matter here, put in on purpose: a harness that misses one would miss the next real one.

Each takes a check or a bound out of the running process; nothing of the package is written to.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from fumehood import reader
from fumehood.document import Block
from fumehood.limits import budget
from fumehood.limits.budget import Budget
from fumehood.loaders import json
from fumehood.loaders.shared import builder
from fumehood.loaders.shared.builder import Builder
from fumehood.sandbox import loading, reply


@dataclass(frozen=True, slots=True)
class Bug:
    """`what` is wrong once `inject` ran; `target` should notice."""

    name: str
    what: str
    target: str
    inject: Callable[[], None]


def _replace(holder: object, name: str, value: object) -> None:
    """For the rest of the process. `holder` must have it: a bug in what is no more would be found by nobody."""
    if not hasattr(holder, name):
        raise AttributeError(f"{holder} has no {name} to be replaced")
    setattr(holder, name, value)


def _unchecked_length() -> None:
    checked = reply.Reply._check_line
    _replace(reply.Reply, "_check_line", lambda self, text, _longest: checked(self, text, 1 << 30))


def _bare_exception() -> None:
    load = json.load

    def careless(data: bytes, *rest: Any) -> None:
        data.rindex(b"]")
        load(data, *rest)

    _replace(json, "load", careless)
    _replace(loading, "guarded", lambda act, _budget: act())


def _missing_budget() -> None:
    for name in ("check", "spend"):
        _replace(Budget, name, _without_cells(getattr(Budget, name)))


def _without_cells(count: Callable[..., None]) -> Callable[..., None]:
    def uncounted(self: Budget, limit: str, *amount: float) -> None:
        if limit != "table_cells":
            count(self, limit, *amount)

    return uncounted


def _off_by_one() -> None:
    def shortened(start: int, end: int, *rest: Any) -> Block:
        return Block(start, max(start + 1, end - 1), *rest)

    _replace(builder, "Block", shortened)


class _LeakyOs:
    """The module `os`, but that nothing is closed."""

    def __getattr__(self, name: str) -> Any:
        return (lambda _descriptor: None) if name == "close" else getattr(os, name)


def _leaked_descriptor() -> None:
    _replace(reader, "os", _LeakyOs())


def _hang() -> None:
    load = json.load

    def without_end(data: bytes, *rest: Any) -> None:
        while b"[[" in data:
            pass
        load(data, *rest)

    _replace(json, "load", without_end)


def _lost_hygiene() -> None:
    _replace(builder, "clean", lambda text: (text, 0))


def _non_determinism() -> None:
    _replace(Builder, "new_group", lambda _self: secrets.randbelow(1_000))


def _wrong_code() -> None:
    budget._CODE["nesting"] = "nodes"


def _skipped_validation() -> None:
    _replace(reply, "is_link_target", lambda _target: True)


BUGS: Final = (
    Bug("unchecked length", "the parent's decoder takes titles of any length", "reply", _unchecked_length),
    Bug("bare exception", "a loader that needs a `]`, and nothing that guards it", "load:json", _bare_exception),
    Bug("missing budget", "nobody counts the cells of tables", "tight:csv", _missing_budget),
    Bug("off-by-one offset", "every block ends one character early", "load:json", _off_by_one),
    Bug("leaked descriptor", "the reader does not close the document's file", "jail:text", _leaked_descriptor),
    Bug("hang", "the loader waits for the end of `[[`", "load:json", _hang),
    Bug("lost hygiene rule", "loaders' text keeps its control characters", "load:text", _lost_hygiene),
    Bug("non-determinism", "groups are numbered by chance", "load:csv", _non_determinism),
    Bug("wrong refusal code", "what is nested too deep has too many nodes", "tight:json", _wrong_code),
    Bug("skipped validation in the parent", "the decoder takes links to anywhere", "reply", _skipped_validation),
)
