"""Bytes under way are bounded, however many sources are: files of the largest size are taken one by one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio


class Room:
    """`most` bytes may be held at once; one holder alone may have any number."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = 0
        self._less = anyio.Event()

    @property
    def held(self) -> int:
        return self._held

    @asynccontextmanager
    async def hold(self, size: int) -> AsyncIterator[None]:
        """Waits until there is room for `size` bytes, and holds them."""
        while self._held and self._held + size > self._most:
            await self._less.wait()
        self._held += size
        try:
            yield
        finally:
            self._held -= size
            self._less.set()
            self._less = anyio.Event()
