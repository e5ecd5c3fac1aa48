"""A loader that does as the document says: `sleep 5`, `spin`, `abort`, `exit 0`, `allocate 100`, `say hello`, `fill 1000 x`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Final, cast

from fumehood.errors import RefusalCode, refusal
from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder

ENGINES: dict[str, str] = {}

_ERRORS: Final[dict[str, type[BaseException]]] = {
    "ValueError": ValueError,
    "MemoryError": MemoryError,
    "RecursionError": RecursionError,
    "SystemExit": SystemExit,
}


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    order, _, rest = data.decode("utf-8").partition(" ")
    _ACTS[order](rest, out, budget)


def _spin(_rest: str, _out: Builder, _budget: Budget) -> None:
    while True:
        pass


def _raise(rest: str, _out: Builder, _budget: Budget) -> None:
    raise _ERRORS[rest]("a secret")


def _recurse(rest: str, out: Builder, budget: Budget) -> None:
    _recurse(rest, out, budget)


def _fill(rest: str, out: Builder, _budget: Budget) -> None:
    count, _, piece = rest.partition(" ")
    out.paragraph(piece * (int(count) // len(piece)))


def _mutate(rest: str, _out: Builder, _budget: Budget) -> None:
    os.environ["MUTATED"] = rest


def _spend(rest: str, _out: Builder, budget: Budget) -> None:
    limit, _, amount = rest.partition(" ")
    budget.spend(limit, int(amount))


def _refuse(rest: str, _out: Builder, _budget: Budget) -> None:
    raise refusal(cast("RefusalCode", rest))


_ACTS: Final[dict[str, Callable[[str, Builder, Budget], object]]] = {
    "sleep": lambda rest, _out, _budget: time.sleep(float(rest)),
    "spin": _spin,
    "abort": lambda _rest, _out, _budget: os.abort(),
    "exit": lambda rest, _out, _budget: os._exit(int(rest)),
    "raise": _raise,
    "recurse": _recurse,
    "allocate": lambda rest, out, _budget: out.paragraph(str(len(bytearray(int(rest) * 1024 * 1024)))),
    "fill": _fill,
    "mutate": _mutate,
    "spend": _spend,
    "refuse": _refuse,
    "environment": lambda _rest, out, _budget: out.paragraph(str(dict(os.environ))),
    "stderr": lambda rest, _out, _budget: os.write(2, rest.encode("utf-8")),
    "say": lambda rest, out, _budget: out.paragraph(rest),
}
