"""What must hold of any reply, whatever was fed to the decoder."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from fumehood import Limits, Refusal
from fumehood.document import MAX_METADATA_VALUE, MAX_NOTICES, MAX_TITLE, Locator, is_link_target, is_metadata_key
from fumehood.errors import DETAILS
from fumehood.hygiene import clean
from fumehood.kinds import kinds
from fumehood.sandbox.reply import BadReply, Contents, Reply

_LIMITS: Final = Limits()
_NAMES: Final = DETAILS | {kind.name for kind in kinds()}


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
    assert all(map(is_metadata_key, found.metadata))
    assert all(_is_line(value, MAX_METADATA_VALUE) for value in found.metadata.values())
    assert found.title is None or _is_line(found.title, MAX_TITLE)
    assert all(is_link_target(link.target) for link in found.links)
    assert len(found.notices) <= MAX_NOTICES + 1
    assert all(not isinstance(each.detail, str) or each.detail in _NAMES for each in found.notices)
    places = (*(block.locator for block in found.blocks), *(notice.locator for notice in found.notices))
    assert all(place is None or _is_place(place) for place in places)


def _is_line(text: str, longest: int) -> bool:
    return 0 < len(text) <= longest and clean(text) == (text, 0) and "\n" not in text


def _is_place(locator: Locator) -> bool:
    spans = ((locator.paragraph, locator.paragraph_end), (locator.line, locator.line_end))
    names = (locator.part, locator.path)
    return all(last is None or (first is not None and first <= last) for first, last in spans) and all(
        name is None or (clean(name) == (name, 0) and "\n" not in name) for name in names
    )
