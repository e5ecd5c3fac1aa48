"""Bytes under way are bounded, however many sources there are."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import anyio

from fumehood.document import Document

_BLOCK_BYTES: Final = 300
"""A block with its numbers and its locator, on 64 bits (measured)."""
_LINK_BYTES: Final = 200


class Room:
    """So many bytes may be held at once; one holder alone may have any number. Who comes first is served first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = 0
        self._turn = anyio.Lock(fast_acquire=True)
        self._less = anyio.Event()

    @property
    def held(self) -> int:
        return self._held

    @property
    def wanted(self) -> bool:
        """Whether someone waits for more than there is."""
        return self._turn.locked()

    @contextmanager
    def share(self) -> Iterator[Share]:
        """A share of nothing at first; given back at the end."""
        share = Share(self)
        try:
            yield share
        finally:
            share.become(0)

    async def _wait_for(self, size: int) -> None:
        # One waits for room and all others for their turn: small ones, however many, do not overtake a large one.
        async with self._turn:
            while self._held and self._held + size > self._most:
                await self._less.wait()

    def _change(self, by: int) -> None:
        self._held += by
        if by < 0:
            self._less.set()
            self._less = anyio.Event()


class Share:
    """What one holder has of a room."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._size = 0

    def handed_on(self) -> Share:
        """A share of the same size, which its new holder gives back; this one is of nothing now."""
        share = Share(self._room)
        share._size, self._size = self._size, 0
        return share

    async def take(self, size: int) -> None:
        """Waits until there is room for `size` bytes, and holds them."""
        await self._room._wait_for(size)
        self.become(size)

    def become(self, size: int) -> None:
        """It is so many bytes now. Does not wait: they are here already."""
        self._room._change(size - self._size)
        self._size = size


def weight(document: Document) -> int:
    """About how many bytes of memory a document takes until it is stored; chunking takes up to the text's size (measured)."""
    return 2 * sys.getsizeof(document.text) + _BLOCK_BYTES * len(document.blocks) + _LINK_BYTES * len(document.links)
