"""System calls as the filter sees them: a name, and of the arguments only those that a rule looks at."""

from __future__ import annotations

import errno
import signal
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from fumehood.sandbox import seccomp
from fumehood.sandbox.bpf import ALLOW, OneOf, OneOfPairs, OnlyBits, Rule, Span
from tests.sandbox.bpf_simulator import call_data, run

PID: Final = 4711
"""The worker's own process id, wherever a rule or a call names it."""
_ERRNO: Final = 0x00050000
_ERRNO_MASK: Final = 0xFFFF
_PARAMETERS: Final[dict[str, dict[int, str]]] = {
    "mmap": {2: "protection", 3: "flags"},
    "mprotect": {2: "protection"},
    "madvise": {2: "advice"},
    "read": {0: "descriptor"},
    "write": {0: "descriptor"},
    "futex": {1: "operation"},
    "tgkill": {0: "process", 2: "signal"},
}
_NEWER: Final = {"clone3": 435, "openat2": 437, "faccessat2": 439}
"""Calls that the filter names by number, common to all architectures."""
_GENERIC: Final = {
    "open": "openat",
    "stat": "newfstatat",
    "lstat": "newfstatat",
    "access": "faccessat",
    "readlink": "readlinkat",
}
"""What takes the place of a call that only the older architectures have (include/uapi/asm-generic/unistd.h)."""


class Call(NamedTuple):
    """`arguments`: index and value, of those that a rule looks at."""

    name: str
    arguments: tuple[tuple[int, int], ...] = ()

    def __str__(self) -> str:
        return " ".join((self.name, *(f"{_parameter(self.name, at)}={value:#x}" for at, value in self.arguments)))

    @classmethod
    def parse(cls, text: str) -> Call:
        name, *words = text.split()
        places = {parameter: at for at, parameter in _PARAMETERS.get(name, {}).items()}
        pairs = (word.split("=") for word in words)
        return cls(name, tuple((places[parameter], int(value, 16)) for parameter, value in pairs))


def _parameter(name: str, at: int) -> str:
    return _PARAMETERS[name][at]


def numbers(machine: str) -> dict[str, int]:
    return seccomp.ARCHITECTURES[machine].numbers | _NEWER


def _rules(machine: str) -> Iterator[tuple[str, Rule]]:
    names = {number: name for name, number in numbers(machine).items()}
    for rule in seccomp.rules(seccomp.ARCHITECTURES[machine].numbers, PID):
        if not isinstance(rule, Span):
            yield names[rule.number], rule


def _conditions(rule: Rule) -> Iterator[OnlyBits | OneOf]:
    """A worker's own filter judges each argument by itself; pairs are for the zygote's."""
    for condition in rule.conditions:
        assert not isinstance(condition, OneOfPairs)
        yield condition


def looked_at(machine: str) -> dict[str, tuple[int, ...]]:
    """Of each call, the arguments that its rule looks at."""
    return {name: tuple(condition.index for condition in _conditions(rule)) for name, rule in _rules(machine)}


def action(machine: str, call: Call) -> str:
    """What the filter, run by the simulator, says to a call: `allowed`, the name of an errno, or `killed`."""
    number = numbers(machine).get(call.name)
    if number is None:
        return "killed"
    given = dict(call.arguments)
    data = call_data(seccomp.ARCHITECTURES[machine].audit, number, *(given.get(at, 0) for at in range(6)))
    answer = run(seccomp.program(machine, PID), data)
    if answer == ALLOW:
        return "allowed"
    return errno.errorcode[answer & _ERRNO_MASK] if answer & ~_ERRNO_MASK == _ERRNO else "killed"


def on(machine: str, call: Call) -> Call:
    """The same call on a machine that may not have it by that name."""
    return call if call.name in numbers(machine) else call._replace(name=_GENERIC.get(call.name, call.name))


def grants(machine: str) -> frozenset[str]:
    """All that the filter allows, piece by piece: each call, each value and each bit of an argument."""
    return frozenset(
        grant for name, rule in _rules(machine) if rule.action == ALLOW for grant in (name, *_pieces(name, rule))
    )


def _pieces(name: str, rule: Rule) -> Iterator[str]:
    for condition in _conditions(rule):
        yield from _granted(name, condition)


def _granted(name: str, condition: OnlyBits | OneOf) -> Iterator[str]:
    parameter = _parameter(name, condition.index)
    if isinstance(condition, OneOf):
        yield from (f"{name} {parameter}={value:#x}" for value in condition.values)
    else:
        yield from (f"{name} {parameter}|{bit:#x}" for bit in _bits(condition.mask))


def _bits(mask: int) -> list[int]:
    return [1 << at for at in range(mask.bit_length()) if mask >> at & 1]


def used(machine: str, calls: Iterable[Call]) -> frozenset[str]:
    """The grants that these calls need."""
    found: set[str] = set()
    kinds = {name: {condition.index: condition for condition in _conditions(rule)} for name, rule in _rules(machine)}
    for call in calls:
        found.add(call.name)
        for at, value in call.arguments:
            parameter = _parameter(call.name, at)
            if isinstance(kinds[call.name][at], OneOf):
                found.add(f"{call.name} {parameter}={value:#x}")
            else:
                found.update(f"{call.name} {parameter}|{bit:#x}" for bit in _bits(value))
    return frozenset(found)


ABORT: Final = Call("tgkill", ((0, PID), (2, int(signal.SIGABRT))))
