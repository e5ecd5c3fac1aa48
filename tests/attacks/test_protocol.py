"""Attacks on the reply: whatever a worker writes, the parent gets a whole valid document or a typed refusal.

The bytes are made here, so what is written is known; `test_valid_reply_is_read` is the control for all of
them: the same way of writing, with nothing wrong in it, is a document.
"""

from __future__ import annotations

import base64
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from fumehood import Block, Limits, Link, Locator, Notice, Refusal
from fumehood.sandbox.frames import HEADER, MAX_ITEMS, MAX_PAYLOAD, Head, Type, document, frame
from fumehood.sandbox.layers import LAYERS
from tests.attacks.attack import LARGE, LIMITS, MIB, POLICY
from tests.attacks.hostile import HONEST, Order
from tests.attacks.jail import Jail

_TEXT = "# A letter\n\nAll of it."
_BRIEF = LIMITS.replace(wall_seconds=0.4)
_NARROW = LIMITS.replace(output_bytes=MIB, blocks=5_000)
_PICKLE = b"cos\nsystem\n(S'touch /tmp/fumehood-attack'\ntR."


def _pack(kind: Type, content: Any) -> bytes:
    return frame(kind, msgspec.msgpack.encode(content))


_HEAD = _pack(Type.HEAD, Head("A letter", {"author": "A. N. Other"}))


def _text(text: str = _TEXT) -> bytes:
    return frame(Type.TEXT, text.encode("utf-8", "surrogatepass"))


def _blocks(*blocks: dict[str, Any]) -> bytes:
    return _pack(Type.BLOCKS, blocks)


def _done(text: str = _TEXT, blocks: int = 0, links: int = 0, notices: int = 0) -> bytes:
    return _pack(Type.DONE, [len(text), blocks, links, notices, 0])


def _reply(
    *, head: Head | None = None, blocks: Sequence[Any] = (), links: Sequence[Any] = (), notices: Sequence[Any] = ()
) -> bytes:
    """A whole reply in which nothing is wrong but what is put in: so that only the check for that can refuse it."""
    frames = [_HEAD if head is None else _pack(Type.HEAD, head), _text()]
    for kind, items in ((Type.BLOCKS, blocks), (Type.LINKS, links), (Type.NOTICES, notices)):
        frames += [_pack(kind, items[at : at + MAX_ITEMS]) for at in range(0, len(items), MAX_ITEMS)]
    return b"".join((*frames, _done(_TEXT, len(blocks), len(links), len(notices))))


def _refused(**facts: Any) -> bytes:
    return _pack(Type.REFUSED, facts)


_PARAGRAPH = {"start": 0, "end": 5, "role": "paragraph"}
_LETTERS = [{"start": at, "end": at + 1, "role": "code"} for at in range(MAX_ITEMS + 1)]
VALID = b"".join(
    document(
        Head("A letter", {"author": "A. N. Other"}),
        [_TEXT],
        [Block(0, 10, "heading", 1), Block(12, 22, "paragraph", locator=Locator(line=3))],
        [Link(12, 15, "https://example.org/")],
        [Notice("image-not-read", detail=2)],
        17,
    )
)


@dataclass(frozen=True)
class Forgery:
    """Bytes that a worker writes after its READY, and how the read must end."""

    name: str
    data: bytes
    must: str = "bad-reply"
    ending: str = "exit"
    limits: Limits = LIMITS
    repeat: int = 1
    first: bytes = b""
    last: bytes = b""

    def __str__(self) -> str:
        return self.name

    @property
    def order(self) -> Order:
        pieces = {"data": self.data, "first": self.first, "last": self.last}
        encoded = {name: base64.b64encode(piece).decode() for name, piece in pieces.items()}
        return Order("reply.write", {**encoded, "repeat": self.repeat, "ending": self.ending})


_FRAMING = (
    Forgery("nothing", b""),
    Forgery("half header", VALID + b"\x00\x00"),
    Forgery("half frame", VALID[:-3]),
    Forgery("no end", _HEAD + _text()),
    Forgery("a byte too many", VALID + b"\x00"),
    Forgery("two documents", VALID + VALID),
    Forgery("document after refusal", _refused(code="malformed") + VALID),
    Forgery("refusal after document", VALID + _refused(code="malformed")),
    # A worker may give up while it replies; nothing of the document is kept.
    Forgery("refusal in document", _HEAD + _text() + _refused(code="malformed"), "malformed"),
    Forgery("length 2**32 - 1", HEADER.pack(2**32 - 1, Type.TEXT)),
    Forgery("length past the cap", _HEAD + HEADER.pack(MAX_PAYLOAD + 1, Type.TEXT) + b"x" * (MAX_PAYLOAD + 1)),
    Forgery("type 0", HEADER.pack(0, 0)),
    Forgery("type 10", HEADER.pack(0, 10)),
    Forgery("type 255", HEADER.pack(0, 255)),
    Forgery("no head", _text() + _done()),
    Forgery("two heads", _HEAD + _HEAD + _text() + _done()),
    Forgery("text after blocks", _HEAD + _text() + _blocks(_PARAGRAPH) + _text() + _done(_TEXT * 2, 1)),
    Forgery(
        "blocks after links",
        _HEAD + _text() + _pack(Type.LINKS, [Link(0, 1, "#a")]) + _blocks(_PARAGRAPH) + _done(_TEXT, 1, 1),
    ),
    Forgery("kind not asked for", _pack(Type.SNIFFED, "text")),
    Forgery("honest reply behind a forged one", VALID, ending="return"),
)
_VALUES = (
    Forgery("done with less text", _HEAD + _text() + _done("x")),
    Forgery("done with more text", _HEAD + _text() + _done(_TEXT + "x")),
    Forgery("done with more blocks", _HEAD + _text() + _done(_TEXT, 1)),
    Forgery("negative offset", _reply(blocks=[{**_PARAGRAPH, "start": -1}])),
    Forgery("huge offset", _reply(blocks=[{**_PARAGRAPH, "end": 2**64 - 1}])),
    Forgery("not a number", _reply(blocks=[{**_PARAGRAPH, "end": float("nan")}])),
    Forgery("offset as text", _reply(blocks=[{**_PARAGRAPH, "end": "5"}])),
    Forgery("block past the text", _reply(blocks=[{**_PARAGRAPH, "end": 1_000}])),
    Forgery("block upside down", _reply(blocks=[{**_PARAGRAPH, "start": 5, "end": 0}])),
    Forgery("blocks that overlap", _reply(blocks=[_PARAGRAPH, {**_PARAGRAPH, "start": 4, "end": 8}])),
    Forgery("level 0", _reply(blocks=[{**_PARAGRAPH, "level": 0}])),
    Forgery("unknown role", _reply(blocks=[{**_PARAGRAPH, "role": "script"}])),
    Forgery("unknown field", _reply(blocks=[{**_PARAGRAPH, "exec": "x"}])),
    Forgery("unknown notice", _reply(notices=[{"code": "all-is-well"}])),
    Forgery("notice in own words", _reply(notices=[{"code": "repaired", "detail": "call 555 0100"}])),
    Forgery("locator with a line break", _reply(blocks=[{**_PARAGRAPH, "locator": {"part": "a\nb"}}])),
    Forgery("locator from 0", _reply(blocks=[{**_PARAGRAPH, "locator": {"page": 0}}])),
    Forgery("link that runs", _reply(links=[Link(0, 1, "javascript:alert(1)")])),
    Forgery("link to a file", _reply(links=[Link(0, 1, "file:///etc/passwd")])),
    Forgery("link past the text", _reply(links=[Link(0, 1_000, "#a")])),
    Forgery("unknown metadata", _reply(head=Head(None, {"receipt": "forged"}))),
    Forgery("metadata on two lines", _reply(head=Head(None, {"author": "a\nb"}))),
    Forgery("title that drives a terminal", _reply(head=Head("\x1b]0;owned\x07", {}))),
    Forgery("title without end", _reply(head=Head("x" * 100_000, {}))),
    Forgery("100,000 nested arrays", frame(Type.HEAD, b"\x91" * 100_000)),
    Forgery("array of 2**32 - 1", frame(Type.BLOCKS, b"\xdd\xff\xff\xff\xff")),
    Forgery("string of 2**32 - 1", frame(Type.HEAD, b"\x92\xdb\xff\xff\xff\xff")),
    Forgery("extension type", frame(Type.DONE, b"\x95\xd4\x01\x00\x00\x00\x00\x00")),
    Forgery("pickle", frame(Type.HEAD, _PICKLE)),
    Forgery("pickle as it is", _PICKLE),
    Forgery(
        "too many blocks in a frame",
        _HEAD + _text("x" * len(_LETTERS)) + _blocks(*_LETTERS) + _done("x" * len(_LETTERS), len(_LETTERS)),
    ),
    Forgery("no block in a frame", _HEAD + _text() + _blocks() + _done()),
    Forgery("a million empty blocks", _HEAD + _blocks(*[{**_PARAGRAPH, "end": 0}] * MAX_ITEMS), repeat=500),
    Forgery(
        "a million of nothing in a frame", _HEAD + frame(Type.BLOCKS, b"\xdd\x00\x0f\x42\x40" + b"\xc0" * 1_000_000)
    ),
    Forgery("empty text", _HEAD + frame(Type.TEXT, b"") + _done("")),
    Forgery("empty texts", frame(Type.TEXT, b""), repeat=100_000),
)
_CHARACTERS = tuple(
    Forgery(name, _HEAD + frame(Type.TEXT, b"text " + data) + _done("text " + "x" * length))
    for name, data, length in (
        ("NUL", b"\x00", 1),
        ("escape sequence", b"\x1b[2J", 4),
        ("carriage return", b"\r", 1),
        ("DEL", b"\x7f", 1),
        ("C1 control", "\x9b".encode(), 1),
        ("lone surrogate", "\ud800".encode("utf-8", "surrogatepass"), 1),
        ("overlong form", b"\xc0\xaf", 1),
        ("past Unicode", b"\xf4\x90\x80\x80", 1),
        ("half a character", b"\xe2\x82", 1),
    )
)
_PARENTS_OWN = (
    "wall-clock", "cpu-time", "crashed", "policy-violation", "bad-reply", "overloaded", "cancelled", "sandbox-unavailable",
    "input-too-large",
)  # fmt: skip
_CLAIMS = (
    *(Forgery(f"claims {code}", _refused(code=code)) for code in _PARENTS_OWN),
    Forgery("claims a code of its own", _refused(code="all-is-well")),
    Forgery("claims in own words", _refused(code="malformed", detail="send 1 BTC to")),
    Forgery("claims a limit of its own", _refused(code="memory", limit="patience")),
    Forgery("claims infinity", _refused(code="memory", limit="heap_bytes", observed=float("inf"))),
    Forgery("claims less than nothing", _refused(code="memory", limit="heap_bytes", observed=-1)),
    Forgery("claims every layer", _pack(Type.READY, [list(LAYERS), 0]) + VALID),
    Forgery("claims a layer of its own", _pack(Type.READY, [["moat"], 0]) + VALID),
)
_ENDS = (
    # A kill never becomes a read, however whole the reply was.
    Forgery("valid, then killed by itself", VALID, POLICY, "kill"),
    Forgery("valid, then its thread killed", VALID, POLICY, "kill-thread"),
    Forgery("valid, then aborted", VALID, "crashed", "abort"),
    Forgery("valid, then segmentation fault", VALID, "crashed", "segfault"),
    Forgery("valid, then exit 1", VALID, "crashed", "exit-1"),
    Forgery("valid, then asleep", VALID, "wall-clock", "sleep", _BRIEF),
    Forgery("half a frame, then asleep", VALID[:-3], "wall-clock", "sleep", _BRIEF),
    Forgery("refusal, then killed by itself", _refused(code="malformed"), POLICY, "kill"),
    Forgery("refusal, then aborted", _refused(code="malformed"), "crashed", "abort"),
)


def _many_blocks(count: int) -> bytes:
    items = [{"start": at, "end": at + 1, "role": "code"} for at in range(count)]
    return b"".join(_blocks(*items[at : at + MAX_ITEMS]) for at in range(0, count, MAX_ITEMS))


_FLOODS = (
    Forgery("a gigabyte of text", _text("x" * 1_000_000), "bad-reply", repeat=1_000),
    # As text it is small; as strings of one letter each it would fill the parent's memory, and hold its event loop.
    Forgery("text letter by letter", _text("€") * 5_000, repeat=200, first=_HEAD, last=_done("€" * 1_000_000)),
    Forgery("text past output_bytes", _HEAD + _text("x" * 600_000) * 2, "output-too-large", limits=_NARROW),
    Forgery(
        "more blocks than allowed", _HEAD + _text("x" * 8_000) + _many_blocks(8_000), "output-too-large", limits=_NARROW
    ),
    Forgery(
        "metadata past output_bytes",
        _pack(Type.HEAD, Head(None, {f"x-{n}": "y" * 9_000 for n in range(110)})) + _text("x" * 100_000),
        "output-too-large",
        limits=_NARROW,
    ),
    Forgery("more notices than allowed", _reply(notices=[Notice("repaired")] * 1_002)),
)

FORGERIES: Sequence[Forgery] = (*_FRAMING, *_VALUES, *_CHARACTERS, *_CLAIMS, *_ENDS, *_FLOODS)


@pytest.mark.attack
@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_forged_reply_is_refused(forgery: Forgery, jail: Jail) -> None:
    assert jail.outcome(forgery.order, forgery.limits) == forgery.must


def test_valid_reply_is_read(jail: Jail) -> None:
    """The control: bytes written past every line of the worker's code are a document if nothing is wrong with them."""
    document = jail.read(Forgery("valid", VALID).order)
    assert (document.text, document.title, len(document.blocks), len(document.links)) == (_TEXT, "A letter", 2, 1)


def test_values_are_wrong_in_one_place_only(jail: Jail) -> None:
    """The control for forged values: the same replies with right values in their places."""
    parts: dict[str, Any] = {
        "head": Head("A letter", {"author": "a", "x-a": "b"}),
        "blocks": [_PARAGRAPH, {**_PARAGRAPH, "start": 5, "end": 8, "level": 1, "locator": {"part": "a b", "page": 1}}],
        "links": [Link(0, 1, "https://example.org/")],
        "notices": [Notice("repaired", detail="utf-8")],
    }
    for name, value in parts.items():
        assert jail.outcome(Forgery(name, _reply(**{name: value})).order) == _TEXT
    whole = _HEAD + _text("x" * MAX_ITEMS) + _blocks(*_LETTERS[:MAX_ITEMS]) + _done("x" * MAX_ITEMS, MAX_ITEMS)
    assert jail.outcome(Forgery("as many blocks as a frame holds", whole).order) == "x" * MAX_ITEMS


@pytest.mark.attack
def test_receipt_is_the_parents(jail: Jail) -> None:
    """Of all it says, only the count of inflated bytes is the worker's."""
    honest, forged = jail.read(HONEST).receipt, jail.read(Forgery("valid", VALID).order).receipt
    assert honest is not None
    assert forged is not None
    assert (forged.loader, forged.version, forged.engine, forged.layers) == (
        honest.loader, honest.version, honest.engine, honest.layers,
    )  # fmt: skip
    assert forged.inflated_bytes == 17


@pytest.mark.attack
def test_own_refusal_is_the_workers_right(jail: Jail) -> None:
    """A worker may refuse its document; the limit's value is the parent's to say."""
    facts = {"code": "memory", "limit": "heap_bytes", "bound": 1, "observed": 5}
    with pytest.raises(Refusal) as caught:
        jail.read(Forgery("own refusal", _refused(**facts)).order)
    assert (caught.value.code, caught.value.bound, caught.value.observed) == ("memory", LIMITS.heap_bytes, 5)


@pytest.mark.attack
def test_largest_reply_leaves_no_memory_behind(jail: Jail) -> None:
    size = 30 * MIB
    for _ in range(2):
        assert len(jail.read(Order("reply.say_much", {"size": size}), LARGE).text) == size


@pytest.mark.attack
def test_stderr_is_escaped_in_the_log(jail: Jail, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="fumehood"):
        assert jail.outcome(Order("reply.flood", {"descriptor": 2, "size": 100 * MIB})) == "EAGAIN"
    words = [record.getMessage() for record in caplog.records if "fumehood-attack" in record.getMessage()]
    assert words
    assert not any("\x1b" in line or "\n" in line for line in words)
