"""The names in a ZIP archive, and how its entries start: to recognise a format by (APPNOTE.TXT, sections 4.3.7, 4.3.12, 4.3.16).

This is for recognition only: it believes what it reads. The checks that make an archive safe to open come after.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Final

MAX_NAMES: Final = 2_000

_LOCAL: Final = b"PK\x03\x04"
_CENTRAL: Final = b"PK\x01\x02"
_END: Final = b"PK\x05\x06"
_LOCAL_SIZE: Final = 30
_CENTRAL_SIZE: Final = 46
_END_SIZE: Final = 22
_MAX_COMMENT: Final = 65_535
_STORE: Final = 0
_DEFLATE: Final = 8
_STORED: Final = 128
_LOCAL_SCAN: Final = 1 << 20
"""How much of an archive without a directory is searched for local headers, in bytes."""


def entries(data: bytes) -> dict[str, int]:
    """At most `MAX_NAMES` names, in lower case with `/` between folders, and where their local headers should start.

    Those of the directory; of an archive without one, those of the local headers.
    """
    found = list(_central(data)) or list(_local(data))
    return {name.decode("utf-8", "replace").replace("\\", "/").lower(): at for name, at in found}


def start_of(data: bytes, at: int, most: int = _STORED) -> bytes:
    """The first bytes, `most` of them, of the entry whose local header starts at `at`; empty if they cannot be had."""
    if at < 0 or at + _LOCAL_SIZE > len(data) or not data.startswith(_LOCAL, at):
        return b""
    method, size, name_size, extra_size = struct.unpack_from("<8xH8xI4xHH", data, at)
    start = at + _LOCAL_SIZE + name_size + extra_size
    if method == _STORE:
        return data[start : start + min(size, most)]
    if method != _DEFLATE:
        return b""
    try:
        # Nothing that is compressed can need more input than this for so little output, but for empty blocks.
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(data[start : start + 2 * most + 64], most)
    except zlib.error:
        return b""


def _central(data: bytes) -> Iterator[tuple[bytes, int]]:
    end = data.rfind(_END, max(0, len(data) - _END_SIZE - _MAX_COMMENT))
    if end < 0 or end + _END_SIZE > len(data):
        return
    size, declared = struct.unpack_from("<12xII", data, end)
    # Right before the end record, wherever junk in front of the archive moved it.
    at = end - size
    if at < 0 or not data.startswith(_CENTRAL, at):
        return
    moved = at - declared
    for _ in range(MAX_NAMES):
        if at + _CENTRAL_SIZE > end or not data.startswith(_CENTRAL, at):
            return
        name_size, extra_size, comment_size, local = struct.unpack_from("<28xHHH8xI", data, at)
        yield data[at + _CENTRAL_SIZE : at + _CENTRAL_SIZE + name_size], local + moved
        at += _CENTRAL_SIZE + name_size + extra_size + comment_size


def _local(data: bytes) -> Iterator[tuple[bytes, int]]:
    at = data.find(_LOCAL)
    for _ in range(MAX_NAMES):
        if at < 0 or at + _LOCAL_SIZE > len(data):
            return
        (name_size,) = struct.unpack_from("<26xH", data, at)
        yield data[at + _LOCAL_SIZE : at + _LOCAL_SIZE + name_size], at
        at = data.find(_LOCAL, at + _LOCAL_SIZE, _LOCAL_SCAN)
