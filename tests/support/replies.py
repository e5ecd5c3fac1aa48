"""What must hold of any reply, whatever was fed to the decoder."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from fumehood import Limits, Refusal
from fumehood.hygiene import clean
from fumehood.kinds import kinds
from fumehood.sandbox.reply import BadReply, Contents, Reply

_LIMITS: Final = Limits()


def fed(pieces: Iterable[bytes], limits: Limits = _LIMITS, *, sniff: bool = False) -> Reply | None:
    """The reply that took all of it, or None if it would not. Any other exception is the failure of a test."""
    reply = Reply(limits, sniff=sniff)
    try:
        for piece in pieces:
            reply.feed(piece)
    except (BadReply, Refusal):
        return None
    return reply


def contents(reply: Reply) -> Contents:
    return asyncio.run(reply.contents())


def check_valid(reply: Reply | None) -> None:
    """A reply that claims to be complete is one thing only, and keeps every promise of the model."""
    if reply is None or not reply.complete:
        return
    if reply.refused is not None or reply.kind is not None:
        assert reply.kind is None or reply.kind in {kind.name for kind in kinds()}
        return
    found = contents(reply)
    assert clean(found.text) == (found.text, 0)
    assert all(0 <= block.start < block.end <= len(found.text) for block in found.blocks)
    assert all(one.end <= two.start for one, two in pairwise(found.blocks))
    assert all(0 <= link.start < link.end <= len(found.text) for link in found.links)
    assert all("\n" not in value for value in found.metadata.values())
