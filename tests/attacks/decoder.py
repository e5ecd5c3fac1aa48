"""Replies against the parent's decoder by the thousand: each starts whole and is spoilt, by a seed that finds it again.

What hypothesis searches cleverly in tests/sandbox/test_reply.py, this does in bulk: every field of every frame at
its extremes, and bytes, frames and their order changed at random.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec
from replies import check_valid, fed

from fumehood import Block, Link, Locator, Notice
from fumehood.errors import RefusalFacts
from fumehood.sandbox.frames import HEADER, Done, Head, Started, Type

_TEXT: Final = "# A letter\n\nAll of it, for ä€😀 and nobody else."
_EXTREMES: Final[tuple[Any, ...]] = (
    -1, 0, 1, 2**31, 2**53, 2**63 - 1, 2**63, 2**64 - 1, -(2**63), 0.5, float("nan"), float("inf"), -float("inf"), True,
    None, "", "x", "5", "\n", "\0", "\x1b[2J", "\u202e", "\x9b", "x" * 70_000, "é" * 600, "javascript:alert(1)",
    "file:///etc/passwd", "https://" + "x" * 5_000, "seccomp", "malformed", "memory", "__class__", b"", b"\xff", [], {},
    [[]], {"": ""}, {"start": 0}, [None] * 1_000, {"x-a": "b"}, {"author": "\n"},
    msgspec.msgpack.Ext(1, b"x"), msgspec.msgpack.Ext(-1, bytes(12)),
)  # fmt: skip

Frame = tuple[int, Any]
"""A type, and the payload: plain values, or bytes as they are."""


def _plain(value: object) -> Any:
    return msgspec.to_builtins(value)


def _whole(choose: random.Random) -> list[Frame]:
    """The frames of a reply that is read as it is."""
    ready = (Type.READY, _plain(Started(("seccomp", "landlock"), 30_000_000)))
    kind = choose.randrange(10)
    if kind == 0:
        facts = RefusalFacts("memory", "heap_bytes", 1, 2, "load", None)
        return [ready, (Type.REFUSED, _plain(facts))]
    if kind == 1:
        return [ready, (Type.SNIFFED, "text")]
    locator = Locator(page=1, sheet=2, cells="A1:B2", part="a/b", paragraph=1, paragraph_end=2, path="/x")
    blocks = [
        Block(0, 10, "heading", 1),
        Block(12, 20, "paragraph", None, 7, locator),
        Block(21, 30, "note", visible=False),
    ]
    links = [Link(12, 15, "https://example.org/"), Link(12, 20, "#here")]
    notices = [Notice("image-not-read", locator, 2), Notice("encoding-guessed", None, "utf-8")]
    metadata = {"author": "A. N. Other", "x-a": "b"}
    return [
        ready,
        (Type.HEAD, _plain(Head("A letter", metadata))),
        (Type.TEXT, _TEXT.encode()),
        (Type.BLOCKS, _plain(blocks)),
        (Type.LINKS, _plain(links)),
        (Type.NOTICES, _plain(notices)),
        (Type.DONE, _plain(Done(len(_TEXT), len(blocks), len(links), len(notices), 17))),
    ]


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value within, itself first."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list | tuple) else ()
    for key, item in inner:
        yield from _places(item, (*path, key))


def _replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copied = dict(value) if isinstance(value, dict) else dict(enumerate(value))
    copied[path[0]] = _replaced(copied[path[0]], path[1:], new)
    return copied if isinstance(value, dict) else list(copied.values())


def _spoil_value(frames: list[Frame], choose: random.Random) -> None:
    at = choose.randrange(len(frames))
    kind, content = frames[at]
    frames[at] = kind, _replaced(content, choose.choice(list(_places(content))), choose.choice(_EXTREMES))


def _spoil_key(frames: list[Frame], choose: random.Random) -> None:
    """A field that is not there, one too many, or one more element."""
    at = choose.randrange(len(frames))
    kind, content = frames[at]
    path = choose.choice(list(_places(content)))
    inner: Any = content
    for key in path:
        inner = inner[key]
    if isinstance(inner, dict):
        inner = {**inner, choose.choice(("exec", "end", "", "code")): choose.choice(_EXTREMES)}
        inner.pop(choose.choice(list(inner)))
    elif isinstance(inner, list | tuple):
        inner = [*inner, choose.choice(_EXTREMES)][choose.randrange(2) :]
    frames[at] = kind, _replaced(content, path, inner)


def _spoil_order(frames: list[Frame], choose: random.Random) -> None:
    one, other = choose.randrange(len(frames)), choose.randrange(len(frames))
    act = choose.randrange(4)
    if act == 0:
        frames[one], frames[other] = frames[other], frames[one]
    elif act == 1:
        frames.insert(one, frames[other])
    elif act == 2:
        del frames[one]
    else:
        frames[one] = choose.randrange(256), frames[other][1]


_SPOIL: Final[tuple[Callable[[list[Frame], random.Random], None], ...]] = (
    _spoil_value,
    _spoil_value,
    _spoil_key,
    _spoil_order,
)


def _encoded(frame: Frame) -> bytes:
    kind, content = frame
    payload = content if isinstance(content, bytes) else msgspec.msgpack.encode(content)
    return HEADER.pack(len(payload), kind) + payload


def _spoil_bytes(data: bytearray, choose: random.Random) -> None:
    at = choose.randrange(len(data))
    act = choose.randrange(4)
    if act == 0:
        data[at] ^= 1 << choose.randrange(8)
    elif act == 1:
        data[at : at + 4] = choose.choice(
            (b"\xff\xff\xff\xff", b"\x00\x00\x00\x00", b"\xdd\xff\xff\xff", b"\x00\x10\x00\x01")
        )
    elif act == 2:
        del data[at : at + choose.randrange(1, 20)]
    else:
        data[at:at] = choose.randbytes(choose.randrange(1, 20))


def reply(seed: int) -> bytes:
    """A reply that is spoilt in up to three places, or in none; always the same for the same seed."""
    choose = random.Random(seed)
    frames = _whole(choose)
    for _ in range(choose.randrange(4)):
        if frames:
            choose.choice(_SPOIL)(frames, choose)
    data = bytearray(b"".join(map(_encoded, frames)))
    for _ in range(choose.choice((0, 0, 0, 1, 3))):
        if data:
            _spoil_bytes(data, choose)
    return bytes(data)


def attack(seed: int) -> bool:
    """Feeds one reply to the decoder, in two pieces. Whether it was taken as complete.

    Raises what no decoder may raise, and `AssertionError` if what it took breaks a promise.
    """
    data = reply(seed)
    middle = seed % (len(data) + 1)
    taken = fed((data[:middle], data[middle:]), sniff=seed % 2 == 0)
    check_valid(taken)
    return taken is not None and taken.complete
