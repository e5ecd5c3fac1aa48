r"""RTF's syntax (RTF 1.9.1, "RTF Syntax"): groups, control words, control symbols, text, and binary data.

Control words come in runs that writers repeat thousands of times, `\rtlch\fcs1 \af0 \ltrch\fcs0` before every piece of
text. A run is one token, and what it means is worked out once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from fumehood.limits.budget import Budget

TEXT, WORDS, HEX, BRACE, UNICODE, BINARY, SYMBOL = range(1, 8)
"""The groups of `TOKEN`, one of which each match has; line ends, which mean nothing, have none."""

# Runs are bounded: the engine keeps a frame for each repetition.
TOKEN: Final = re.compile(
    rb"""
      ([^\\{}\r\n]+)
    | ((?:\\(?!bin(?![a-zA-Z])|u-?[0-9])[a-zA-Z]+(?:-?[0-9]+)?[ ]?[\r\n]*){1,64})
    | ((?:\\'[0-9a-fA-F]{2}){1,4096})
    | ([{}])
    | \\u(-?[0-9]+)[ ]?
    | \\bin(-?[0-9]*)[ ]?
    | \\(.)
    | [\r\n]+
    """,
    re.VERBOSE | re.DOTALL,
)
_WORD: Final = re.compile(rb"\\([a-zA-Z]+)(-?[0-9]+)?")
_STRUCTURE: Final = re.compile(rb"([{}])|\\bin(?![a-zA-Z])(-?[0-9]*)[ ]?|\\.", re.DOTALL)

_MAX_DIGITS: Final = 11
"""A parameter is a signed 32-bit number; converting a million digits takes quadratic time."""
_MAX_KNOWN: Final = 8_192
_MAX_LENGTH: Final = 256
"""Runs that are remembered, and how long: a bound on memory for files that never repeat one."""

Handler = Callable[[int | None], None]
"""What a control word does; its argument is the parameter, None if it has none."""


class Run(NamedTuple):
    """What a run of control words does. `known`: whether there is a handler for its first word; `words`: how many."""

    known: bool
    words: int
    effects: tuple[tuple[Handler, int | None], ...]


class Runs:
    """Works out what runs of control words do. Words without a handler do nothing."""

    def __init__(self, handlers: Mapping[bytes, Handler]) -> None:
        self._handlers = handlers
        self._known: dict[bytes, Run] = {}

    def of(self, run: bytes) -> Run:
        known = self._known.get(run)
        if known is None:
            known = self._read(run)
            if len(self._known) < _MAX_KNOWN and len(run) <= _MAX_LENGTH:
                self._known[run] = known
        return known

    def _read(self, run: bytes) -> Run:
        words = _WORD.findall(run)
        effects = tuple(
            (handler, number(digits) if digits else None)
            for word, digits in words
            if (handler := self._handlers.get(word)) is not None
        )
        return Run(words[0][0] in self._handlers, len(words), effects)


def words(run: bytes) -> list[tuple[bytes, int | None]]:
    """The control words of a run with their parameters, in order."""
    return [(word, number(digits) if digits else None) for word, digits in _WORD.findall(run)]


def number(digits: bytes) -> int:
    """A parameter; one of too many digits is cut and then out of every range."""
    return int(digits[:_MAX_DIGITS])


def binary_end(start: int, digits: bytes, size: int) -> int:
    r"""Where the data of a `\bin` that starts at `start` end, if they are there; past `size` if they are not."""
    return start + max(0, number(digits)) if digits.strip(b"-") else start


def group_end(data: bytes, at: int, depth: int, budget: Budget) -> int:
    """Where the brace stands that closes the group `at` is in, or the end of `data`. `depth` is the group's.

    Nothing is read on the way, and so a picture costs next to nothing. Raises the refusal `nesting`.
    """
    outside = depth - 1
    while True:
        for match in _STRUCTURE.finditer(data, at):
            if match[1] == b"{":
                depth += 1
                budget.check("nesting", depth)
                budget.spend("nodes")
            elif match[1] == b"}":
                depth -= 1
                if depth == outside:
                    return match.start()
            elif match[2] is not None:
                at = binary_end(match.end(), match[2], len(data))
                break
        else:
            return len(data)
