"""The target `reply`: the parent's decoder of what a worker sends."""

from __future__ import annotations

from collections.abc import Iterator

from fumehood.document import Document
from fumehood.errors import Refusal
from fumehood.fuzz.bomb import READ
from fumehood.fuzz.oracle import broken, check_document, check_refusal
from fumehood.fuzz.target import BAD_REPLY, FUZZ_LIMITS, Target
from fumehood.limits.policy import Limits
from fumehood.sandbox.reply import BadReply, Contents, Reply


def targets() -> Iterator[Target]:
    yield Target("reply", reply)


def accepted(sent: bytes, limits: Limits) -> Contents:
    """What the parent takes of a document's frames. Raises `BrokenPromise` if it would not take them."""
    reply = Reply(limits, sniff=False)
    try:
        reply.feed(sent)
    except BadReply as error:
        broken("a document that the parent takes for no reply", str(error))
    except Refusal as refused:
        # The builder counts too; that it let pass what the parent does not would cost a worker's whole work.
        broken("a document whose caps only the parent saw passed", refused.facts)
    if not reply.complete:
        broken("a document that is no whole reply")
    return _contents(reply)


def _contents(reply: Reply) -> Contents:
    """What a coroutine gives that never waits for anything here."""
    coroutine = reply.contents()
    try:
        coroutine.send(None)
    except StopIteration as ended:
        contents: Contents = ended.value
        return contents
    coroutine.close()
    return broken("a decoder that waits")


def reply(data: bytes) -> str:
    """The parent's decoder, in one piece and byte by byte: the same end, and never more than it was sent."""
    sniffing = bool(data[:1]) and data[0] & 1 == 1
    whole, pieces = _decoded([data[1:]], sniff=sniffing), _decoded(_torn(data[1:]), sniff=sniffing)
    if whole != pieces:
        broken("a reply whose end depends on how it arrives", (whole, pieces))
    return whole


def _torn(data: bytes) -> Iterator[bytes]:
    step = 1 if len(data) < 4_096 else 997
    return (data[at : at + step] for at in range(0, len(data), step))


def _decoded(pieces: Iterator[bytes] | list[bytes], *, sniff: bool) -> str:
    decoder = Reply(FUZZ_LIMITS, sniff=sniff)
    try:
        for piece in pieces:
            decoder.feed(piece)
    except BadReply:
        return BAD_REPLY
    except Refusal as refused:
        check_refusal(refused, FUZZ_LIMITS)
        return refused.code
    if not decoder.complete:
        return BAD_REPLY
    if decoder.refused is not None:
        return decoder.refused.code
    if decoder.kind is not None:
        return READ
    contents = _contents(decoder)
    check_document(
        Document(
            "any", contents.title, contents.metadata, contents.text, contents.blocks, contents.links, contents.notices
        ),
        "any",
        FUZZ_LIMITS,
    )
    return READ
