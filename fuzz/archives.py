"""Writes ZIP archives record by record (APPNOTE 6.3.10), so that any record may lie."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fumehood.fuzz.deflate import Packed, packed

STORED, DEFLATED = 0, 8
LOCAL = struct.Struct("<4s5H3I2H")
CENTRAL = struct.Struct("<4s6H3I5H2I")
END = struct.Struct("<4s4H2IH")
_VERSION = 20
_DATE = 0x5021  # 1 January 2020, so that two runs give the same bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry as it is; `local` and `central` say what its two headers claim instead, by name of the field.

    Their fields: `version flags method crc packed size name`, in the central header `offset` as well.
    """

    name: bytes
    body: bytes
    method: int = DEFLATED
    size: int
    crc: int
    local: Mapping[str, int | bytes] = field(default_factory=dict)
    central: Mapping[str, int | bytes] = field(default_factory=dict)

    def facts(self) -> dict[str, int | bytes]:
        """What honest headers say."""
        return {
            "version": _VERSION,
            "flags": 0,
            "method": self.method,
            "crc": self.crc,
            "packed": len(self.body),
            "size": self.size,
            "name": self.name,
        }


def entry(name: str | bytes, data: bytes | Packed, *, stored: bool = False) -> Entry:
    """An honest entry."""
    plain = packed(data) if isinstance(data, bytes) else data
    name = name.encode() if isinstance(name, str) else name
    if stored:
        assert isinstance(data, bytes)
        return Entry(name=name, body=data, method=STORED, size=plain.size, crc=plain.crc)
    return Entry(name=name, body=plain.raw, size=plain.size, crc=plain.crc)


def local_header(facts: Mapping[str, int | bytes]) -> bytes:
    """APPNOTE 4.3.7."""
    name = facts["name"]
    assert isinstance(name, bytes)
    return (
        LOCAL.pack(
            b"PK\x03\x04",
            facts["version"],
            facts["flags"],
            facts["method"],
            0,
            _DATE,
            facts["crc"],
            facts["packed"],
            facts["size"],
            len(name),
            0,
        )
        + name
    )


def central_header(facts: Mapping[str, int | bytes]) -> bytes:
    """APPNOTE 4.3.12."""
    name = facts["name"]
    assert isinstance(name, bytes)
    head = CENTRAL.pack(
        b"PK\x01\x02",
        _VERSION,
        facts["version"],
        facts["flags"],
        facts["method"],
        0,
        _DATE,
        facts["crc"],
        facts["packed"],
        facts["size"],
        len(name),
        0,
        0,
        0,
        0,
        0,
        facts["offset"],
    )
    return head + name


def end_record(count: int, size: int, start: int, comment: bytes = b"") -> bytes:
    """APPNOTE 4.3.16."""
    return END.pack(b"PK\x05\x06", 0, 0, count & 0xFFFF, count & 0xFFFF, size, start, len(comment)) + comment


def archive(entries: Iterable[Entry], *, prefix: bytes = b"", comment: bytes = b"") -> bytes:
    """The archive of the entries, in order, with as many lies as they hold."""
    out = bytearray(prefix)
    directory: list[dict[str, int | bytes]] = []
    for each in entries:
        facts = each.facts()
        directory.append({**facts, "offset": len(out), **each.central})
        out += local_header({**facts, **each.local}) + each.body
    return finished(out, directory, comment)


def finished(out: bytearray, directory: Sequence[Mapping[str, int | bytes]], comment: bytes = b"") -> bytes:
    """`out`, which holds what the local headers head, closed with a directory and its end."""
    start = len(out)
    for facts in directory:
        out += central_header(facts)
    return bytes(out + end_record(len(directory), len(out) - start, start, comment))
