"""Runs classic BPF as seccomp does, so that a filter can be tested for a machine that is not this one.

Only what our assembler writes is known; anything else is a fault of the program and raises (Documentation/
networking/filter.rst, seccomp(2)).
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from fumehood.sandbox.bpf import JUMP_ANY_BIT, JUMP_EQUAL, JUMP_GREATER_EQUAL, LOAD, RETURN, Instruction

MAX_INSTRUCTIONS = 4_096
"""BPF_MAXINSNS (linux/bpf_common.h)."""
_WORD = 4


def call_data(audit: int, number: int, *arguments: int) -> bytes:
    """`struct seccomp_data`: number, architecture, instruction pointer, six arguments of 64 bits; little-endian."""
    padded = [*arguments, *[0] * (6 - len(arguments))]
    return struct.pack("<IIQ6Q", number & 0xFFFFFFFF, audit, 0, *(value & 0xFFFFFFFFFFFFFFFF for value in padded))


def check(program: Sequence[Instruction]) -> None:
    """What the kernel checks before it takes a filter. Raises `ValueError`."""
    if not 0 < len(program) <= MAX_INSTRUCTIONS:
        raise ValueError(f"{len(program)} instructions")
    for at, (code, if_true, if_false, operand) in enumerate(program):
        if not (0 <= if_true <= 255 and 0 <= if_false <= 255 and 0 <= operand <= 0xFFFFFFFF):
            raise ValueError(f"instruction {at} does not fit struct sock_filter")
        if code in (JUMP_EQUAL, JUMP_GREATER_EQUAL, JUMP_ANY_BIT) and at + 1 + max(if_true, if_false) >= len(program):
            raise ValueError(f"instruction {at} jumps out of the program")
    if program[-1][0] != RETURN:
        raise ValueError("the program does not end in a return")


def run(program: Sequence[Instruction], data: bytes) -> int:
    """The action for one call. Every jump is forward, so it ends."""
    accumulator, at = 0, 0
    while True:
        code, if_true, if_false, operand = program[at]
        at += 1
        if code == RETURN:
            return operand
        if code == LOAD:
            if operand % _WORD or operand + _WORD > len(data):
                raise ValueError(f"a load at {operand}")
            accumulator = int.from_bytes(data[operand : operand + _WORD], "little")
        else:
            at += if_true if _holds(code, accumulator, operand) else if_false


def _holds(code: int, accumulator: int, operand: int) -> bool:
    if code == JUMP_EQUAL:
        return accumulator == operand
    if code == JUMP_GREATER_EQUAL:
        return accumulator >= operand
    if code == JUMP_ANY_BIT:
        return bool(accumulator & operand)
    raise ValueError(f"an instruction of code {code:#x}")
