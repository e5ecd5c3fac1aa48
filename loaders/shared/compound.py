"""The names at the top of a compound file (OLE2), to recognise a format by: MS-CFB, sections 2.2, 2.3 and 2.6."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

MAGIC: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
MAX_SECTORS: Final = 512
"""Of the directory; at 512 bytes a sector that is 2,048 entries."""

_HEADER: Final = 512
_IN_HEADER: Final = 109
"""Numbers of sectors of the allocation table that the header itself holds."""
_ENTRY: Final = 128
_ROOT: Final = 5
_MAX_REGULAR: Final = 0xFFFF_FFFA
_END_OF_CHAIN: Final = 0xFFFF_FFFE


class _Entry(NamedTuple):
    name: str
    kind: int
    left: int
    right: int
    child: int


def top_names(data: bytes) -> list[str]:
    """The names of the streams and storages directly in the root, in lower case.

    Not those deeper down: a document may embed another one. Of a file whose tree is broken, all names
    that can be read. Bounded; never raises for broken files.
    """
    entries = list(_entries(data))
    if not entries or entries[0].kind != _ROOT:
        return [entry.name for entry in entries]
    found: list[str] = []
    seen: set[int] = set()
    waiting = [entries[0].child]
    while waiting:
        at = waiting.pop()
        if at in seen or at >= len(entries):
            continue
        seen.add(at)
        found.append(entries[at].name)
        waiting += [entries[at].left, entries[at].right]
    return found or [entry.name for entry in entries[1:]]


def _entries(data: bytes) -> Iterator[_Entry]:
    if len(data) < _HEADER:
        return
    shift, first = struct.unpack_from("<30xH16xI", data, 0)
    if not 7 <= shift <= 12:
        return
    size = 1 << shift
    for sector in _chain(data, first, size):
        start = (sector + 1) * size
        for at in range(start, min(start + size, len(data) - _ENTRY + 1), _ENTRY):
            yield _entry(data, at)


def _entry(data: bytes, at: int) -> _Entry:
    name_size, kind, left, right, child = struct.unpack_from("<64xHBxIII", data, at)
    name = data[at : at + max(0, min(name_size, 64) - 2)].decode("utf-16-le", "replace")
    return _Entry(name.lower(), kind, left, right, child)


def _chain(data: bytes, sector: int, size: int) -> Iterator[int]:
    """The directory's sectors, from the first one on."""
    per_sector = size // 4
    for _ in range(MAX_SECTORS):
        if sector > _MAX_REGULAR or (sector + 1) * size >= len(data):
            return
        yield sector
        which, offset = divmod(sector, per_sector)
        sector = _number(data, (_table_sector(data, which, size) + 1) * size + 4 * offset)


def _table_sector(data: bytes, which: int, size: int) -> int:
    """The sector that holds part `which` of the allocation table: the header lists the first 109, a chain the others."""
    if which < _IN_HEADER:
        return _number(data, 76 + 4 * which)
    per_sector = size // 4 - 1
    steps, offset = divmod(which - _IN_HEADER, per_sector)
    at = (_number(data, 68) + 1) * size
    for _ in range(min(steps, MAX_SECTORS)):
        at = (_number(data, at + 4 * per_sector) + 1) * size
    return _number(data, at + 4 * offset)


def _number(data: bytes, at: int) -> int:
    """The number at `at`, 32 bits; the mark of a chain's end where the file is too short."""
    return int(struct.unpack_from("<I", data, at)[0]) if at + 4 <= len(data) else _END_OF_CHAIN
