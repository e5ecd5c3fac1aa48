"""What arrives one by one, and is taken in groups: those that are there when nothing more is coming, or after a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

import anyio

_T = TypeVar("_T")


class Groups(Generic[_T]):
    """One task takes.

    - `size`: so many are a group. `seconds`: how long the first of them waits for others.
    - `most`: so many may wait while the last group is dealt with; they are one group then.
    """

    def __init__(self, size: int, seconds: float, *, most: int) -> None:
        self._size = size
        self._most = most
        self._seconds = seconds
        self._items: list[_T] = []
        self._coming = 0
        self._closed = False
        self._some = anyio.Event()
        self._enough = anyio.Event()
        self._taken = anyio.Event()

    @contextmanager
    def coming(self) -> Iterator[None]:
        """Something may be put until this ends, so that the first waits for it."""
        if not self._coming and not self._items:
            self._enough = anyio.Event()
        self._coming += 1
        try:
            yield
        finally:
            self._coming -= 1
            if not self._coming:
                self._enough.set()

    async def put(self, item: _T, *, at_once: bool = False) -> None:
        """Waits while as many wait as may. `at_once`: it waits for no others."""
        while len(self._items) >= self._most:
            await self._taken.wait()
        self._items.append(item)
        self._some.set()
        if at_once or len(self._items) >= self._size:
            self._enough.set()

    def close(self) -> None:
        """No more are put, and nothing is coming."""
        self._closed = True
        self._some.set()
        self._enough.set()

    async def take(self) -> list[_T]:
        """The next group, in the order in which they came; none at the end."""
        await self._some.wait()
        with anyio.move_on_after(self._seconds):
            await self._enough.wait()
        # Nothing is lost when time is up, since nothing was on its way: they lie here until this line.
        group, self._items = self._items, []
        if not self._closed:
            self._some = anyio.Event()
        if self._coming:
            self._enough = anyio.Event()
        self._taken.set()
        self._taken = anyio.Event()
        return group
