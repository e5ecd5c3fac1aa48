"""What a loader is tried on: honest documents, and what becomes of them by chance and by accident."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from fumehood.fuzz.mutators import mutated
from fumehood.kinds import Kind

LONGEST: Final = 64 * 1024
"""Bytes of an input. What costs a loader seconds at that size is a fault, not a large document."""
_RANDOM_BYTES: Final = 200
_EDGES: Final = (
    b"\0",
    b"\n",
    b"\xff" * 300,
    b" \t\r\n" * 20,
    b"\xff\xfea\0",
    b"\xef\xbb\xbf",
    b"PK\x05\x06" + bytes(18),
)


def inputs(kind: Kind, honest: Sequence[bytes], count: int, seed: int) -> list[bytes]:
    """`count` inputs beside the edges, no two alike, the same for the same `seed`; mutations, cuts and noise in turn."""
    rng = Random(seed)  # noqa: S311, chance that can be had again
    ways = itertools.cycle((_mutated, _mutated, _cut, _flipped, _noise))
    made = (way(kind, rng.choice(honest), rng, honest) for way in ways)
    return list(dict.fromkeys((*_EDGES, *itertools.islice(_short(made), count))))


def _short(made: Iterator[bytes]) -> Iterator[bytes]:
    return (data[:LONGEST] for data in made)


def _mutated(kind: Kind, data: bytes, rng: Random, honest: Sequence[bytes]) -> bytes:
    """By the format's structure, where there are mutators for it."""
    return mutated(data, rng, kind.name, honest)


def _cut(_kind: Kind, data: bytes, rng: Random, _honest: Sequence[bytes]) -> bytes:
    return data[: rng.randrange(1, len(data) + 1)]


def _flipped(_kind: Kind, data: bytes, rng: Random, _honest: Sequence[bytes]) -> bytes:
    """Some bits, a thousandth of them at most."""
    flipped = bytearray(data)
    for _ in range(1 + len(data) // 1_000):
        flipped[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(flipped)


def _noise(_kind: Kind, data: bytes, rng: Random, _honest: Sequence[bytes]) -> bytes:
    """Random bytes, behind the first ones of a document where they show its format."""
    return data[: rng.choice((0, 4, 16, len(data) // 2))] + rng.randbytes(rng.randrange(1, _RANDOM_BYTES))
