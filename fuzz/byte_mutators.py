"""Mutators that know nothing of the format: functions of bytes and a seeded source of chance that give other bytes."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Final

Mutator = Callable[[bytes, Random], bytes]

MOST_BYTES: Final = 1 << 20
"""Nothing grows beyond that: most faults need little room, and time is better spent on more inputs."""
_INTERESTING: Final = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF)
_LONGEST_PIECE: Final = 64


def flip(data: bytes, rng: Random) -> bytes:
    """One bit."""
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


def change(data: bytes, rng: Random) -> bytes:
    """One byte."""
    at = rng.randrange(len(data))
    return data[:at] + rng.randbytes(1) + data[at + 1 :]


def insert(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.randbytes(rng.randint(1, 8)) + data[at:]


def delete(data: bytes, rng: Random) -> bytes:
    start, end = _piece(data, rng)
    return data[:start] + data[end:]


def duplicate(data: bytes, rng: Random) -> bytes:
    start, end = _piece(data, rng)
    return data[:start] + data[start:end] * rng.choice((2, 3, 50)) + data[end:]


def move(data: bytes, rng: Random) -> bytes:
    start, end = _piece(data, rng)
    rest = data[:start] + data[end:]
    at = rng.randrange(len(rest) + 1)
    return rest[:at] + data[start:end] + rest[at:]


def interesting(data: bytes, rng: Random) -> bytes:
    """A number at the edge of what its field holds, in either byte order."""
    value, width = rng.choice(_INTERESTING), rng.choice((1, 2, 4))
    number = (value & (1 << 8 * width) - 1).to_bytes(width, rng.choice(("little", "big")))
    at = rng.randrange(len(data))
    return data[:at] + number + data[at + width :]


def digits(data: bytes, rng: Random) -> bytes:
    """A number in digits: another near it, or one at an edge."""
    found = list(re.finditer(rb"[0-9]{1,12}", data[:MOST_BYTES]))
    if not found:
        return change(data, rng)
    match = rng.choice(found)
    value = int(match[0])
    other = rng.choice((value + 1, max(0, value - 1), -value, value * 2, 0, 2**31, 2**63, 10**30, rng.randrange(100)))
    return data[: match.start()] + b"%d" % other + data[match.end() :]


def truncate(data: bytes, rng: Random) -> bytes:
    return data[: rng.randrange(len(data))]


BYTES: Final[tuple[Mutator, ...]] = (
    flip,
    change,
    insert,
    delete,
    duplicate,
    move,
    interesting,
    digits,
    truncate,
)


def splice(data: bytes, other: bytes, rng: Random) -> bytes:
    """The beginning of one and the end of another."""
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def _piece(data: bytes, rng: Random) -> tuple[int, int]:
    start = rng.randrange(len(data))
    return start, min(len(data), start + rng.randint(1, _LONGEST_PIECE))


def shuffled(tokens: list[bytes], rng: Random, replaced: Callable[[bytes], bytes]) -> bytes:
    """The tokens with one of them taken out, doubled, exchanged, nested in a run of itself, or replaced."""
    if not tokens:
        return rng.randbytes(4)
    at, other = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    act = rng.randrange(6)
    if act == 0:
        del tokens[at]
    elif act == 1:
        tokens[at] = tokens[at] * rng.choice((2, 3, 300))
    elif act == 2:
        tokens[at], tokens[other] = tokens[other], tokens[at]
    elif act == 3:
        tokens[at:at] = tokens[min(at, other) : min(at, other) + rng.randint(1, 20)]
    else:
        tokens[at] = replaced(tokens[at])
    return b"".join(tokens)
