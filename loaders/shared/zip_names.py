"""The names in a ZIP archive, without inflating a byte: to recognise a format by (APPNOTE.TXT, sections 4.3.7, 4.3.12, 4.3.16).

This is for recognition only: it believes what it reads. The checks that make an archive safe to open come after.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

MAX_NAMES: Final = 2_000

_LOCAL: Final = b"PK\x03\x04"
_CENTRAL: Final = b"PK\x01\x02"
_END: Final = b"PK\x05\x06"
_END_SIZE: Final = 22
_MAX_COMMENT: Final = 65_535
_LOCAL_SCAN: Final = 1 << 20
"""How much of an archive without a directory is searched for local headers, in bytes."""


def names(data: bytes) -> list[str]:
    """At most `MAX_NAMES` names, in lower case, with `/` between folders: of the directory, else of local headers."""
    found = list(_central_names(data)) or list(_local_names(data))
    return [name.decode("utf-8", "replace").replace("\\", "/").lower() for name in found]


def stored_first(data: bytes, name: bytes) -> bytes | None:
    """The start of the first entry's data if it is called `name` and stored, as `mimetype` must be (ODF 1.3 part 2, 3.3)."""
    if len(data) < 30 or not data.startswith(_LOCAL):
        return None
    method, name_size, extra_size = struct.unpack_from("<8xH16xHH", data, 0)
    start = 30 + name_size + extra_size
    return data[start : start + 128] if method == 0 and data[30 : 30 + name_size] == name else None


def _central_names(data: bytes) -> Iterator[bytes]:
    end = data.rfind(_END, max(0, len(data) - _END_SIZE - _MAX_COMMENT))
    if end < 0 or end + _END_SIZE > len(data):
        return
    (size,) = struct.unpack_from("<12xI", data, end)
    # Right before the end record, wherever junk in front of the archive moved it.
    at = end - size if size <= end and data.startswith(_CENTRAL, end - size) else data.find(_CENTRAL, 0, end)
    for _ in range(MAX_NAMES):
        if at < 0 or at + 46 > end or not data.startswith(_CENTRAL, at):
            return
        name_size, extra_size, comment_size = struct.unpack_from("<28xHHH", data, at)
        yield data[at + 46 : at + 46 + name_size]
        at += 46 + name_size + extra_size + comment_size


def _local_names(data: bytes) -> Iterator[bytes]:
    at = data.find(_LOCAL)
    for _ in range(MAX_NAMES):
        if at < 0 or at + 30 > len(data):
            return
        (name_size,) = struct.unpack_from("<26xH", data, at)
        yield data[at + 30 : at + 30 + name_size]
        at = data.find(_LOCAL, at + 30, _LOCAL_SCAN)
