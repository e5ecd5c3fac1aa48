"""The reply's framing: what a worker may write, and how large it may be.

    frame = length of payload, 4 bytes, big-endian · type, 1 byte · payload

Order is fixed: READY, then REFUSED or SNIFFED alone, or HEAD, TEXT*, BLOCKS*, LINKS*, NOTICES*, DONE; then
end-of-file. Payloads are MessagePack of a declared type, but TEXT, which is UTF-8 cut between code points.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from typing import Annotated, Final

import msgspec

from fumehood.document import Block, Link, Notice
from fumehood.errors import RefusalFacts
from fumehood.sandbox.layers import LayerName

HEADER: Final = struct.Struct(">IB")
MAX_PAYLOAD: Final = 1024 * 1024
MAX_ITEMS: Final = 2_000
"""Items a frame may hold, so that checking one frame takes a few milliseconds at most."""
TEXT_PIECE: Final = 256 * 1024
"""Code points a worker puts into a TEXT frame: at most four bytes each."""


class Type(IntEnum):
    READY = 1
    REFUSED = 2
    SNIFFED = 3
    HEAD = 4
    TEXT = 5
    BLOCKS = 6
    LINKS = 7
    NOTICES = 8
    DONE = 9


Count = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]


class Started(msgspec.Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """The worker is locked. `installed`: its own layers; `base_bytes`: resident memory before the first byte."""

    installed: tuple[LayerName, ...]
    base_bytes: Count


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    title: str | None
    metadata: dict[str, str]


class Done(msgspec.Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """What should have arrived, so that a cut reply cannot pass for a whole one."""

    length: Count
    blocks: Count
    links: Count
    notices: Count
    inflated_bytes: Count


def frame(kind: Type, payload: bytes) -> bytes:
    if len(payload) > MAX_PAYLOAD:
        raise ValueError(f"a frame of {len(payload):,} bytes; at most {MAX_PAYLOAD:,}")
    return HEADER.pack(len(payload), kind) + payload


def started(installed: Sequence[LayerName], base_bytes: int) -> bytes:
    return frame(Type.READY, msgspec.msgpack.encode(Started(tuple(installed), base_bytes)))


def refused(facts: RefusalFacts) -> bytes:
    return frame(Type.REFUSED, msgspec.msgpack.encode(facts))


def sniffed(kind: str) -> bytes:
    return frame(Type.SNIFFED, msgspec.msgpack.encode(kind))


def document(
    head: Head,
    text: Iterable[str],
    blocks: Sequence[Block],
    links: Sequence[Link],
    notices: Sequence[Notice],
    inflated_bytes: int,
) -> Iterator[bytes]:
    """The frames of one document, in order."""
    encode = msgspec.msgpack.Encoder().encode
    yield frame(Type.HEAD, encode(head))
    length = 0
    for piece in _pieces(text):
        length += len(piece)
        yield frame(Type.TEXT, piece.encode("utf-8"))
    yield from _items(Type.BLOCKS, blocks, encode)
    yield from _items(Type.LINKS, links, encode)
    yield from _items(Type.NOTICES, notices, encode)
    yield frame(Type.DONE, encode(Done(length, len(blocks), len(links), len(notices), inflated_bytes)))


def _items(kind: Type, items: Sequence[object], encode: Callable[[object], bytes]) -> Iterator[bytes]:
    """Frames of at most MAX_ITEMS; a slice of large items is halved until it fits."""
    stack = [(start, min(start + MAX_ITEMS, len(items))) for start in range(0, len(items), MAX_ITEMS)][::-1]
    while stack:
        start, end = stack.pop()
        payload = encode(items[start:end])
        if len(payload) <= MAX_PAYLOAD:
            yield frame(kind, payload)
            continue
        middle = (start + end) // 2
        stack += [(middle, end), (start, middle)]


def _pieces(parts: Iterable[str]) -> Iterator[str]:
    """The same text in pieces of about TEXT_PIECE code points, never empty."""
    pending: list[str] = []
    size = 0
    for part in parts:
        if len(part) > TEXT_PIECE:
            yield from filter(None, ["".join(pending)])
            pending, size = [], 0
            yield from (part[at : at + TEXT_PIECE] for at in range(0, len(part), TEXT_PIECE))
            continue
        if pending and size + len(part) > TEXT_PIECE:
            yield "".join(pending)
            pending, size = [], 0
        if part:
            pending.append(part)
            size += len(part)
    yield from filter(None, ["".join(pending)])
