"""Classic BPF, as seccomp runs it: just enough of an assembler (Documentation/networking/filter.rst).

A filter is a list of rules; each rule is tried in order and either decides or falls through to the next.
The kernel gives the program `struct seccomp_data`: number, architecture, instruction pointer, six
64-bit arguments, which classic BPF loads 32 bits at a time (seccomp(2)).
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

LOAD: Final = 0x20  # BPF_LD | BPF_W | BPF_ABS
JUMP_EQUAL: Final = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
JUMP_GREATER_EQUAL: Final = 0x35  # BPF_JMP | BPF_JGE | BPF_K
JUMP_ANY_BIT: Final = 0x45  # BPF_JMP | BPF_JSET | BPF_K
RETURN: Final = 0x06  # BPF_RET | BPF_K

OFFSET_NUMBER: Final = 0
OFFSET_ARCH: Final = 4
OFFSET_ARGUMENTS: Final = 16

KILL_PROCESS: Final = 0x80000000
ALLOW: Final = 0x7FFF0000
_ERRNO: Final = 0x00050000

INSTRUCTION_BYTES: Final = 8
OPERAND_OFFSET: Final = 4

Instruction = tuple[int, int, int, int]
"""`struct sock_filter`: code, jump if true, jump if false, operand."""


def errno_action(number: int) -> int:
    """The action that makes the call fail with errno `number`."""
    return _ERRNO | number


@dataclass(frozen=True, slots=True)
class OnlyBits:
    """Argument `index` has no bit outside `mask`, in either half."""

    index: int
    mask: int


@dataclass(frozen=True, slots=True)
class OneOf:
    """The low half of argument `index` is one of `values`; the high half is 0."""

    index: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OneOfPairs:
    """The low halves of arguments `first` and `second` are together one of `pairs`; the high halves are 0."""

    first: int
    second: int
    pairs: tuple[tuple[int, int], ...]


Condition = OnlyBits | OneOf | OneOfPairs


@dataclass(frozen=True, slots=True)
class Rule:
    """Call `number` gets `action`; if any of `conditions` fails, `otherwise`."""

    number: int
    action: int = ALLOW
    conditions: tuple[Condition, ...] = ()
    otherwise: int = KILL_PROCESS


@dataclass(frozen=True, slots=True)
class Span:
    """Calls from `first` to `last`, both included, get `action`."""

    first: int
    last: int
    action: int


def _halves(index: int) -> tuple[int, int]:
    """Offsets of the low and the high half of an argument; both supported architectures are little-endian."""
    low = OFFSET_ARGUMENTS + 8 * index
    return low, low + 4


def _zero(offset: int, otherwise: int) -> list[Instruction]:
    return [(LOAD, 0, 0, offset), (JUMP_EQUAL, 1, 0, 0), (RETURN, 0, 0, otherwise)]


def _only_bits(condition: OnlyBits, otherwise: int) -> list[Instruction]:
    low, high = _halves(condition.index)
    return [
        *_zero(high, otherwise),
        (LOAD, 0, 0, low),
        (JUMP_ANY_BIT, 0, 1, ~condition.mask & 0xFFFFFFFF),
        (RETURN, 0, 0, otherwise),
    ]


def _one_of(condition: OneOf, otherwise: int) -> list[Instruction]:
    low, high = _halves(condition.index)
    count = len(condition.values)
    tests: list[Instruction] = [
        (JUMP_EQUAL, count - position, 0, value & 0xFFFFFFFF) for position, value in enumerate(condition.values)
    ]
    return [*_zero(high, otherwise), (LOAD, 0, 0, low), *tests, (RETURN, 0, 0, otherwise)]


def _one_of_pairs(condition: OneOfPairs, otherwise: int) -> list[Instruction]:
    first_low, first_high = _halves(condition.first)
    second_low, second_high = _halves(condition.second)
    body: list[Instruction] = []
    for first, second in reversed(condition.pairs):
        # Each pair that does not fit goes on to the next; the one that fits jumps over all that follow and the refusal.
        body = [
            (LOAD, 0, 0, first_low),
            (JUMP_EQUAL, 0, 2, first),
            (LOAD, 0, 0, second_low),
            (JUMP_EQUAL, len(body) + 1, 0, second),
            *body,
        ]
    return [*_zero(first_high, otherwise), *_zero(second_high, otherwise), *body, (RETURN, 0, 0, otherwise)]


def _condition(condition: Condition, otherwise: int) -> list[Instruction]:
    match condition:
        case OnlyBits():
            return _only_bits(condition, otherwise)
        case OneOf():
            return _one_of(condition, otherwise)
        case OneOfPairs():
            return _one_of_pairs(condition, otherwise)


def _body(rule: Rule) -> list[Instruction]:
    body: list[Instruction] = []
    for condition in rule.conditions:
        body += _condition(condition, rule.otherwise)
    body.append((RETURN, 0, 0, rule.action))
    return body


def _tried(rule: Rule | Span) -> list[Instruction]:
    """One rule: decides, or falls through with the call's number still loaded."""
    if isinstance(rule, Span):
        return [
            (JUMP_GREATER_EQUAL, 0, 2, rule.first),
            (JUMP_GREATER_EQUAL, 1, 0, rule.last + 1),
            (RETURN, 0, 0, rule.action),
        ]
    body = _body(rule)
    return [(JUMP_EQUAL, 0, len(body), rule.number), *body]


def assemble(arch: int, rules: Sequence[Rule | Span], *, refuse_from: int | None, default: int) -> list[Instruction]:
    """The program: another architecture or a number from `refuse_from` on is killed, no rule is `default`."""
    program: list[Instruction] = [
        (LOAD, 0, 0, OFFSET_ARCH),
        (JUMP_EQUAL, 1, 0, arch),
        (RETURN, 0, 0, KILL_PROCESS),
        (LOAD, 0, 0, OFFSET_NUMBER),
    ]
    if refuse_from is not None:
        program += [(JUMP_GREATER_EQUAL, 0, 1, refuse_from), (RETURN, 0, 0, KILL_PROCESS)]
    for rule in rules:
        program += _tried(rule)
    program.append((RETURN, 0, 0, default))
    return program


def encode(program: Sequence[Instruction]) -> bytes:
    """The program as an array of `struct sock_filter`."""
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
