"""A page of memory that outlives its process: the input that is being tried, so that one which kills is known."""

from __future__ import annotations

import mmap
import struct
from pathlib import Path
from typing import Final, Self

_HEAD: Final = struct.Struct("<QQ")
"""How many inputs were written, and the length of the last one plus one; 0 while none is tried."""
_ROOM: Final = 2 << 20


class Slate:
    """Written by one process before each execution, read by the one that watches it."""

    def __init__(self, page: mmap.mmap) -> None:
        self._page = page
        self._count = 0

    @classmethod
    def open(cls, path: Path) -> Self:
        """A new one if there is none. Raises `OSError`."""
        with path.open("a+b") as file:
            file.truncate(_HEAD.size + _ROOM)
            return cls(mmap.mmap(file.fileno(), _HEAD.size + _ROOM))

    def write(self, data: bytes) -> None:
        """Longer inputs are cut at 2 MiB, which no engine passes."""
        self._count += 1
        kept = data[:_ROOM]
        self._page[_HEAD.size : _HEAD.size + len(kept)] = kept
        _HEAD.pack_into(self._page, 0, self._count, len(kept) + 1)

    def clear(self) -> None:
        """Nothing is tried now."""
        self._count += 1
        _HEAD.pack_into(self._page, 0, self._count, 0)

    @property
    def count(self) -> int:
        """Changes with every execution."""
        count: int = _HEAD.unpack_from(self._page)[0]
        return count

    def read(self) -> bytes | None:
        """The input that is being tried, if there is one."""
        length = _HEAD.unpack_from(self._page)[1]
        return self._page[_HEAD.size : _HEAD.size + length - 1] if length else None

    def close(self) -> None:
        self._page.close()
