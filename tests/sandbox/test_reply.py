"""The parent's decoder: whatever bytes come, cut wherever they are, it gives a whole valid reply or a typed error.

Nothing but `BadReply` and `Refusal` may leave it, and what it keeps is bounded by what it was fed.
"""

from __future__ import annotations

import contextlib
import tracemalloc
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, Final, NamedTuple

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from replies import check_valid, contents, fed

from fumehood import Block, Limits, Link, Locator, Notice, Refusal
from fumehood.document import ROLES
from fumehood.errors import NOTICE_CODES, REFUSAL_CODES, RefusalFacts
from fumehood.hygiene import clean
from fumehood.kinds import kinds
from fumehood.sandbox import frames
from fumehood.sandbox.frames import HEADER, MAX_ITEMS, MAX_PAYLOAD, TEXT_PIECE, Head, Type
from fumehood.sandbox.layers import LAYERS, LayerName
from fumehood.sandbox.reply import BadReply, Contents, Reply

MIB: Final = 1024 * 1024
_LIMITS: Final = Limits()
unhurried = settings(deadline=None, max_examples=150)
thorough = settings(deadline=None, max_examples=400)


class Sent(NamedTuple):
    """A document as a worker would send it."""

    head: Head
    text: str
    blocks: list[Block]
    links: list[Link]
    notices: list[Notice]
    inflated_bytes: int

    def encoded(self) -> bytes:
        body = frames.document(self.head, [self.text], self.blocks, self.links, self.notices, self.inflated_bytes)
        return _READY + b"".join(body)


_READY: Final = frames.started(("seccomp", "landlock"), 30 * MIB)

# ---- strategies ------------------------------------------------------------------------------------------

clean_text = st.text(max_size=300).map(lambda text: clean(text)[0])
lines = clean_text.map(lambda text: " ".join(text.split())).filter(bool)
ordinals = st.integers(1, 2**53 - 1)
names = st.one_of(st.just("xl/sheet1.xml"), lines.map(lambda line: line[:1_000]))
locators = st.builds(
    Locator,
    page=st.none() | ordinals,
    sheet=st.none() | ordinals,
    cells=st.none() | st.sampled_from(["A1", "A2:F40", "XFD1048576"]),
    part=st.none() | names,
    line=st.none() | ordinals,
    path=st.none() | names,
)
targets = st.sampled_from(["https://example.org/a?b=c", "http://x", "mailto:a@b.example", "#here"])
details = st.none() | st.integers(0, 2**53 - 1) | st.sampled_from(["utf-8", "zip", "font", "markdown"])
notices = st.builds(Notice, st.sampled_from(NOTICE_CODES), st.none() | locators, details)
metadata = st.dictionaries(st.sampled_from(["author", "created", "pages", "x-a", "x-long.name_1"]), lines, max_size=4)
heads = st.builds(Head, st.none() | lines.map(lambda line: line[:1_000]), metadata)


@st.composite
def _blocks(draw: st.DrawFn, length: int) -> list[Block]:
    """Disjoint, in order, never empty."""
    edges = sorted(draw(st.sets(st.integers(0, length), max_size=12)))
    return [
        Block(
            start, end, draw(st.sampled_from(ROLES)), draw(st.none() | st.integers(1, 9)), draw(st.none() | ordinals),
            draw(st.none() | locators), draw(st.booleans()),
        )
        for start, end in zip(edges[::2], edges[1::2], strict=False)
    ]  # fmt: skip


@st.composite
def _links(draw: st.DrawFn, length: int) -> list[Link]:
    if length == 0:
        return []
    starts = draw(st.lists(st.integers(0, length - 1), max_size=5))
    return [Link(start, draw(st.integers(start + 1, length)), draw(targets)) for start in starts]


@st.composite
def documents(draw: st.DrawFn) -> Sent:
    text = draw(clean_text)
    return Sent(
        draw(heads),
        text,
        draw(_blocks(len(text))),
        draw(_links(len(text))),
        draw(st.lists(notices, max_size=5)),
        draw(st.integers(0, 2**53 - 1)),
    )


facts = st.builds(
    RefusalFacts,
    st.sampled_from(REFUSAL_CODES),
    st.none() | st.sampled_from(["heap_bytes", "nodes", "patience"]),
    st.none() | st.integers(-(2**63), 2**64 - 1) | st.floats(),
    st.none() | st.integers(-(2**63), 2**64 - 1) | st.floats(),
    st.sampled_from(["ingress", "sniff", "precheck", "load", "reply"]),
    st.none() | st.sampled_from(["pdf", "send money"]),
)
cuts = st.lists(st.integers(0, 2_000), max_size=20)


# ---- feeding ---------------------------------------------------------------------------------------------


def _pieces(data: bytes, at: Iterable[int]) -> list[bytes]:
    edges = [0, *sorted(cut for cut in at if cut < len(data)), len(data)]
    return [data[start:end] for start, end in pairwise(edges)]


# ---- what is valid ---------------------------------------------------------------------------------------


@unhurried
@given(sent=documents(), at=cuts)
def test_valid_reply_round_trips(sent: Sent, at: list[int]) -> None:
    reply = fed(_pieces(sent.encoded(), at))
    assert reply is not None
    assert reply.complete
    assert reply.refused is None
    assert contents(reply) == Contents(
        sent.head.title,
        sent.head.metadata,
        sent.text,
        tuple(sent.blocks),
        tuple(sent.links),
        tuple(sent.notices),
        sent.inflated_bytes,
    )


@unhurried
@given(sent=documents())
def test_one_byte_at_a_time_is_the_same(sent: Sent) -> None:
    data = sent.encoded()
    reply = fed(data[at : at + 1] for at in range(len(data)))
    assert reply is not None
    assert reply.complete
    assert contents(reply).text == sent.text


@pytest.mark.parametrize("size", [0, 1, TEXT_PIECE - 1, TEXT_PIECE, TEXT_PIECE + 1, 3 * TEXT_PIECE + 7])
@pytest.mark.parametrize("character", ["a", "é", "€", "😀"])
def test_texts_longer_than_a_frame(size: int, character: str) -> None:
    reply = fed([Sent(Head(None, {}), character * size, [], [], [], 0).encoded()])
    assert reply is not None
    assert reply.complete
    assert contents(reply).text == character * size


def test_more_items_than_a_frame_holds() -> None:
    count = 3 * MAX_ITEMS + 1
    blocks = [Block(at, at + 1, "code", locator=Locator(part="p" * 900, line=at + 1)) for at in range(count)]
    reply = fed([Sent(Head(None, {}), "x" * count, blocks, [], [], 0).encoded()])
    assert reply is not None
    assert contents(reply).blocks == tuple(blocks)


@given(installed=st.lists(st.sampled_from(LAYERS), max_size=18), base=st.integers(0, 2**53 - 1))
def test_ready_round_trips(installed: list[LayerName], base: int) -> None:
    reply = fed([frames.started(installed, base)])
    assert reply is not None
    assert not reply.complete
    assert reply.started == frames.Started(tuple(installed), base)


@pytest.mark.parametrize("kind", [kind.name for kind in kinds()])
def test_sniffed_kind_round_trips(kind: str) -> None:
    reply = fed([_READY + frames.sniffed(kind)], sniff=True)
    assert reply is not None
    assert reply.complete
    assert reply.kind == kind


# ---- what is not -----------------------------------------------------------------------------------------


@thorough
@given(data=st.binary(max_size=400), at=cuts, sniff=st.booleans(), ready=st.booleans())
def test_random_bytes(data: bytes, at: list[int], sniff: bool, ready: bool) -> None:
    check_valid(fed(_pieces(_READY * ready + data, at), sniff=sniff))


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text(max_size=20)
    | st.binary(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=12,
)
wild_frames = st.builds(
    lambda kind, content: frames.frame(kind, msgspec.msgpack.encode(content)), st.sampled_from(Type), anything
)
tame_frames = st.builds(lambda sent: sent.encoded(), documents()).map(lambda data: data[len(_READY) :])


@thorough
@given(parts=st.lists(wild_frames | tame_frames, max_size=6), at=cuts, sniff=st.booleans())
def test_well_framed_nonsense(parts: list[bytes], at: list[int], sniff: bool) -> None:
    check_valid(fed(_pieces(_READY + b"".join(parts), at), sniff=sniff))


@st.composite
def _mutations(draw: st.DrawFn) -> bytes:
    """A valid reply with bytes changed, taken out, put in, or repeated."""
    data = bytearray(draw(documents()).encoded())
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(data)))
        match draw(st.sampled_from(["change", "cut", "insert", "repeat"])):
            case "change" if at < len(data):
                data[at] = draw(st.integers(0, 255))
            case "cut":
                del data[at : at + draw(st.integers(1, 40))]
            case "insert":
                data[at:at] = draw(st.binary(min_size=1, max_size=8))
            case _:
                data[at:at] = data[at : at + draw(st.integers(1, 40))]
    return bytes(data)


@thorough
@given(data=_mutations(), at=cuts)
def test_mutated_replies(data: bytes, at: list[int]) -> None:
    check_valid(fed(_pieces(data, at)))


@unhurried
@given(sent=documents(), cut=st.integers(1, 10_000))
def test_cut_reply_is_never_complete(sent: Sent, cut: int) -> None:
    data = sent.encoded()
    reply = fed([data[: -min(cut, len(data))]])
    assert reply is None or not reply.complete


@unhurried
@given(sent=documents(), more=st.binary(min_size=1, max_size=40))
def test_lengthened_reply_is_never_complete(sent: Sent, more: bytes) -> None:
    reply = fed([sent.encoded(), more])
    assert reply is None or not reply.complete


@unhurried
@given(sent=documents(), data=st.data())
def test_cutting_changes_nothing(sent: Sent, data: st.DataObject) -> None:
    """How bytes were cut on their way says nothing: the same error or the same document."""
    whole = data.draw(_mutations())
    at = data.draw(cuts)
    together, apart = fed([whole]), fed(_pieces(whole, at))
    assert (together is None) == (apart is None)
    if together is not None and apart is not None:
        assert together.complete == apart.complete


@thorough
@given(untrusted=facts, ready=st.booleans())
def test_refusals(untrusted: RefusalFacts, ready: bool) -> None:
    """A worker's refusal is of its own codes, its numbers are finite, and the bound is the parent's."""
    reply = fed([_READY * ready + frames.refused(untrusted)])
    if reply is None:
        return
    assert reply.refused is not None
    assert (reply.refused.code == "sandbox-unavailable") is not ready
    assert reply.refused.bound == (None if untrusted.limit is None else getattr(_LIMITS, untrusted.limit))
    assert reply.refused.observed is None or 0 <= reply.refused.observed <= 2**63
    assert reply.refused.detail != "send money" or not ready


_SENT: Final = Sent(
    Head("A letter", {"author": "A. N. Other"}),
    "# A letter\n\nAll of it.",
    [Block(0, 10, "heading", 1), Block(12, 22, "paragraph", locator=Locator(line=3))],
    [Link(12, 15, "https://example.org/")],
    [Notice("encoding-guessed", detail="utf-8")],
    17,
)
_BLOCK, _NOTICE = _SENT.blocks[1], _SENT.notices[0]


def _placed(place: Locator) -> Sent:
    return _SENT._replace(blocks=[Block(0, 1, "code", locator=place)])


@pytest.mark.parametrize(
    ("spoilt", "says"),
    [
        (_SENT._replace(head=Head("a\nb", {})), "a line"),
        (_SENT._replace(head=Head("", {})), "a line"),
        (_SENT._replace(head=Head("x" * 100_000, {})), "a line"),
        (_SENT._replace(head=Head("\x1b[2J", {})), "a line"),
        (_SENT._replace(head=Head(None, {"author": "a\nb"})), "a line"),
        (_SENT._replace(head=Head(None, {"receipt": "x"})), "a metadata key"),
        (_SENT._replace(head=Head(None, {f"x-{number}": "x" for number in range(1_001)})), "too many metadata"),
        (_SENT._replace(text="# A letter\r\nAll of it."), "text that is"),
        (_SENT._replace(blocks=[_BLOCK, _BLOCK]), "a block"),
        (_SENT._replace(blocks=_SENT.blocks[::-1]), "a block"),
        (_SENT._replace(blocks=[Block(12, 23, "paragraph")]), "a block"),
        (_SENT._replace(blocks=[Block(12, 12, "paragraph")]), "a block"),
        (_placed(Locator(paragraph_end=1)), "a locator that ends"),
        (_placed(Locator(line=2, line_end=1)), "a locator that ends"),
        (_placed(Locator(part="a\nb")), "a locator that is not clean"),
        (_placed(Locator(path="\x9b")), "a locator that is not clean"),
        (_SENT._replace(links=[Link(12, 23, "#a")]), "a link out"),
        (_SENT._replace(links=[Link(12, 12, "#a")]), "a link out"),
        (_SENT._replace(links=[Link(12, 15, "javascript:alert(1)")]), "a link target"),
        (_SENT._replace(notices=[Notice("repaired", detail="send money")]), "a notice with a detail"),
        (_SENT._replace(notices=[Notice("repaired", Locator(part="a\nb"))]), "a locator that is not clean"),
        (_SENT._replace(notices=[_NOTICE] * 1_002), "too many notices"),
    ],
)
def test_each_check_refuses_by_itself(spoilt: Sent, says: str) -> None:
    """Nothing else is wrong with the reply, so that no other check stands in for one that is missing."""
    assert fed([_SENT.encoded()]) is not None
    reply = Reply(_LIMITS, sniff=False)
    with pytest.raises(BadReply, match=says):
        reply.feed(spoilt.encoded())


@pytest.mark.parametrize("more", range(4), ids=["text", "blocks", "links", "notices"])
def test_more_announced_than_arrived_is_refused(more: int) -> None:
    counts = [len(_SENT.text), len(_SENT.blocks), len(_SENT.links), len(_SENT.notices), 17]
    whole = _SENT.encoded().removesuffix(_frame_of(Type.DONE, counts))
    counts[more] += 1
    reply = Reply(_LIMITS, sniff=False)
    with pytest.raises(BadReply, match="than was announced"):
        reply.feed(whole + _frame_of(Type.DONE, counts))


# ---- how much --------------------------------------------------------------------------------------------


def _frame_of(kind: Type, content: Any) -> bytes:
    return frames.frame(kind, msgspec.msgpack.encode(content))


_HEAD: Final = _frame_of(Type.HEAD, Head(None, {}))


def test_text_is_capped() -> None:
    limits = Limits(output_bytes=10 * MIB)
    reply = Reply(limits, sniff=False)
    reply.feed(_READY + _HEAD)
    for _ in range(10):
        reply.feed(frames.frame(Type.TEXT, b"x" * MIB))
    with pytest.raises(Refusal) as caught:
        reply.feed(frames.frame(Type.TEXT, b"x"))
    assert (caught.value.code, caught.value.limit, caught.value.bound) == ("output-too-large", "output_bytes", 10 * MIB)


def test_blocks_are_capped() -> None:
    reply = Reply(Limits(blocks=100), sniff=False)
    reply.feed(_READY + _HEAD + frames.frame(Type.TEXT, b"x" * 200))
    with pytest.raises(Refusal) as caught:
        reply.feed(_frame_of(Type.BLOCKS, [Block(at, at + 1, "code") for at in range(101)]))
    assert (caught.value.code, caught.value.limit) == ("output-too-large", "blocks")


@pytest.mark.parametrize("size", [MAX_PAYLOAD + 1, 2**31, 2**32 - 1])
def test_length_is_refused_before_anything_is_allocated(size: int) -> None:
    reply = Reply(_LIMITS, sniff=False)
    tracemalloc.start()
    try:
        with pytest.raises(BadReply):
            reply.feed(HEADER.pack(size, Type.TEXT))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MIB


def test_unfinished_frame_holds_no_more_than_a_frame() -> None:
    reply = Reply(_LIMITS, sniff=False)
    reply.feed(_READY + _HEAD)
    tracemalloc.start()
    try:
        for _ in range(5):
            reply.feed(frames.frame(Type.TEXT, b"x" * 40_000))
        reply.feed(HEADER.pack(MAX_PAYLOAD, Type.TEXT))
        for _ in range(MAX_PAYLOAD // 4096 - 1):
            reply.feed(b"x" * 4096)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * MIB
    assert not reply.complete


@pytest.mark.parametrize("letter", ["x", "é", "€", "😀"])
def test_text_letter_by_letter_costs_no_more_than_text(letter: str) -> None:
    """A string of its own for each letter would take thirty times the room, and hold the event loop."""
    piece = frames.frame(Type.TEXT, letter.encode()) * 5_000
    reply = Reply(_LIMITS, sniff=False)
    reply.feed(_READY + _HEAD)
    tracemalloc.start()
    try:
        with contextlib.suppress(BadReply):
            for _ in range(20):
                reply.feed(piece)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 2 * MIB


@pytest.mark.parametrize(
    "payload", [b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff", b"\xdb\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff", b"\x91" * 100_000, b"\x81" * 100_000],
    ids=["array", "map", "string", "bytes", "nested arrays", "nested maps"],
)  # fmt: skip
@pytest.mark.parametrize("kind", list(Type), ids=lambda kind: kind.name)
def test_lengths_inside_a_payload_allocate_nothing(kind: Type, payload: bytes) -> None:
    prefix = b"" if kind is Type.READY else _READY + (b"" if kind in (Type.REFUSED, Type.HEAD, Type.SNIFFED) else _HEAD)
    reply = Reply(_LIMITS, sniff=kind is Type.SNIFFED)
    reply.feed(prefix)
    tracemalloc.start()
    try:
        with pytest.raises(BadReply):
            reply.feed(frames.frame(kind, payload))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MIB
