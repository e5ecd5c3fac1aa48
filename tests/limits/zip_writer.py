"""Writes ZIP archives that may lie: any field of any record can be said to be what it is not (APPNOTE 6.3.10, 4.3).

write([Member(b"a.txt", b"text", local={"crc": 0})], end={"count": 7})
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

STORED: Final = 0
DEFLATED: Final = 8
FULL16: Final = 0xFFFF
FULL32: Final = 0xFFFF_FFFF

Fields = Mapping[str, int | bytes]

_LOCAL: Final = (
    "<4sHHHHHIIIHH",
    [
        "signature",
        "needed",
        "flags",
        "method",
        "time",
        "date",
        "crc",
        "compressed_size",
        "size",
        "name_size",
        "extra_size",
    ],
)
_CENTRAL: Final = (
    "<4sHHHHHHIIIHHHHHII",
    [
        "signature",
        "made_by",
        "needed",
        "flags",
        "method",
        "time",
        "date",
        "crc",
        "compressed_size",
        "size",
        "name_size",
        "extra_size",
        "comment_size",
        "disk",
        "internal",
        "external",
        "offset",
    ],
)
_END: Final = ("<4sHHHHIIH", ["signature", "disk", "directory_disk", "here", "count", "size", "offset", "comment_size"])
_END64: Final = (
    "<4sQHHIIQQQQ",
    ["signature", "rest", "made_by", "needed", "disk", "directory_disk", "here", "count", "size", "offset"],
)
_LOCATOR: Final = ("<4sIQI", ["signature", "disk", "offset", "disks"])


@dataclass(frozen=True)
class Member:
    """One entry, honest but for what `local`, `central` and `descriptor_fields` say instead.

    - `descriptor`: bytes of its sizes and whether it has a signature: `"32"`, `"32-signed"`, `"64"`, `"64-signed"`.
    - `payload`: the compressed bytes, if not those of `data`.
    - `zip64`: sizes and offset in the extra field, however small.
    - `hidden`: written, but left out of the directory.
    """

    name: bytes
    data: bytes = b""
    method: int = DEFLATED
    flags: int = 0
    payload: bytes | None = None
    descriptor: str | None = None
    descriptor_fields: Fields = field(default_factory=dict)
    local: Fields = field(default_factory=dict)
    central: Fields = field(default_factory=dict)
    local_name: bytes | None = None
    local_extra: bytes = b""
    central_extra: bytes = b""
    comment: bytes = b""
    zip64: bool = False
    hidden: bool = False
    padding: bytes = b""


def deflated(data: bytes, level: int = 9) -> bytes:
    """Raw deflate (RFC 1951)."""
    engine = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    return engine.compress(data) + engine.flush()


def extra(identifier: int, data: bytes) -> bytes:
    """One extra field (4.5.1)."""
    return struct.pack("<HH", identifier, len(data)) + data


def write(
    members: Sequence[Member],
    *,
    prefix: bytes = b"",
    offsets_count_prefix: bool = False,
    before_directory: bytes = b"",
    comment: bytes = b"",
    trailing: bytes = b"",
    zip64: bool = False,
    end: Fields | None = None,
    end64: Fields | None = None,
    locator: Fields | None = None,
) -> bytes:
    """The archive. Offsets are from the first byte after `prefix`, unless `offsets_count_prefix`."""
    base = len(prefix) if offsets_count_prefix else 0
    body = bytearray()
    directory = bytearray()
    listed = 0
    for member in members:
        body += member.padding
        at = base + len(body)
        body += local_part(member)
        if not member.hidden:
            directory += central_header(member, at)
            listed += 1
    body += before_directory
    truth: dict[str, int | bytes] = {
        "here": listed,
        "count": listed,
        "size": len(directory),
        "offset": base + len(body),
    }
    records = bytearray()
    if zip64:
        at = base + len(body) + len(directory)
        records += _pack(_END64, {"signature": b"PK\x06\x06", "rest": 44, "made_by": 45, "needed": 45}, truth, end64)
        records += _pack(_LOCATOR, {"signature": b"PK\x06\x07", "offset": at, "disks": 1}, locator)
        truth |= {"here": FULL16, "count": FULL16, "size": FULL32, "offset": FULL32}
    records += _pack(_END, {"signature": b"PK\x05\x06", "comment_size": len(comment)}, truth, end)
    return bytes(prefix + body + directory + records + comment + trailing)


def payload_of(member: Member) -> bytes:
    if member.payload is not None:
        return member.payload
    return deflated(member.data) if member.method == DEFLATED else member.data


def local_part(member: Member) -> bytes:
    """Local header, data and data descriptor of one entry."""
    payload = payload_of(member)
    truth = _truth(member)
    more = member.local_extra
    if member.zip64:
        more = extra(1, struct.pack("<QQ", len(member.data), len(payload))) + more
        truth |= {"size": FULL32, "compressed_size": FULL32}
    if member.descriptor is not None:
        truth |= {"crc": 0, "size": 0, "compressed_size": 0}
    name = member.name if member.local_name is None else member.local_name
    truth |= {"signature": b"PK\x03\x04", "name_size": len(name), "extra_size": len(more)}
    return _pack(_LOCAL, truth, member.local) + name + more + payload + _descriptor(member)


def central_header(member: Member, at: int) -> bytes:
    """The entry of the directory for a local header at `at`."""
    truth = _truth(member) | {"offset": at}
    more = member.central_extra
    if member.zip64:
        more = extra(1, struct.pack("<QQQ", len(member.data), len(payload_of(member)), at)) + more
        truth |= {"size": FULL32, "compressed_size": FULL32, "offset": FULL32}
    sizes: dict[str, int | bytes] = {
        "name_size": len(member.name),
        "extra_size": len(more),
        "comment_size": len(member.comment),
    }
    header = _pack(_CENTRAL, truth | sizes | {"signature": b"PK\x01\x02", "made_by": 20}, member.central)
    return header + member.name + more + member.comment


def _truth(member: Member) -> dict[str, int | bytes]:
    flags = member.flags | (8 if member.descriptor is not None else 0)
    return {
        "needed": 20,
        "flags": flags,
        "method": member.method,
        "date": 0x5021,
        "crc": zlib.crc32(member.data),
        "compressed_size": len(payload_of(member)),
        "size": len(member.data),
    }


def _descriptor(member: Member) -> bytes:
    if member.descriptor is None:
        return b""
    form = "<IQQ" if member.descriptor.startswith("64") else "<III"
    signature = b"PK\x07\x08" if member.descriptor.endswith("signed") else b""
    return signature + _pack((form, ["crc", "compressed_size", "size"]), _truth(member), member.descriptor_fields)


def _pack(form: tuple[str, list[str]], *said: Fields | None) -> bytes:
    """The record of what is said of its fields, last word last; what nothing is said of is 0."""
    layout, names = form
    last = {name: value for fields in said if fields for name, value in fields.items()}
    return struct.pack(layout, *(last.get(name, 0) for name in names))
