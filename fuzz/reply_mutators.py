"""Mutators of what a worker sends its parent (sandbox/frames.py)."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import msgspec

from fumehood.fuzz.byte_mutators import BYTES, change
from fumehood.fuzz.text_mutators import places
from fumehood.sandbox.frames import HEADER

_REPLY_VALUES: Final[tuple[Any, ...]] = (
    None, True, 0, 1, -1, 2**31, 2**53, 2**63, -(2**63), 1.5, float("inf"), float("nan"), "", "a", "\n", "\x00", "x" * 5_000, b"", b"\xff",
    [], {}, [[]], {"start": 0}, {"code": "unparsed"}, "pdf", "nodes", "heading", "javascript:a", "#a", "malformed", "crashed",
)  # fmt: skip


def reply_frame(data: bytes, rng: Random) -> bytes:
    """A value inside of one frame's payload, or a whole frame; lengths are put right. The first byte is the target's."""
    frames = _frames(data[1:])
    if not frames:
        return change(data, rng) if data else rng.randbytes(4)
    at, other = rng.randrange(len(frames)), rng.randrange(len(frames))
    act = rng.randrange(8)
    if act == 0:
        del frames[at]
    elif act == 1:
        frames.insert(at, frames[other])
    elif act == 2:
        frames[at], frames[other] = frames[other], frames[at]
    else:
        kind, payload = frames[at]
        frames[at] = (kind, _payload_changed(payload, rng))
    return data[:1] + b"".join(HEADER.pack(len(payload), kind) + payload for kind, payload in frames)


def _frames(data: bytes) -> list[tuple[int, bytes]]:
    found: list[tuple[int, bytes]] = []
    at = 0
    while at + HEADER.size <= len(data):
        size, kind = HEADER.unpack_from(data, at)
        at += HEADER.size + size
        found.append((kind, data[at - size : at]))
    return found


def _payload_changed(payload: bytes, rng: Random) -> bytes:
    try:
        tree = msgspec.msgpack.decode(payload)
        found = places(tree)
        if not found:
            return msgspec.msgpack.encode(rng.choice(_REPLY_VALUES))
        holder, key = rng.choice(found)
        holder[key] = rng.choice((*_REPLY_VALUES, rng.choice(found)[0]))
        return msgspec.msgpack.encode(tree)
    except (ValueError, TypeError, RecursionError):
        # Text, which is no MessagePack; or what would hold itself.
        return rng.choice(BYTES)(payload, rng) if payload else b"a"
