"""The records of a ZIP archive, read from its bytes and judged one against the other, without inflating anything.

Section numbers are those of PKWARE's APPNOTE.TXT 6.3.10. `malformed` is what points outside of the file or is not
there at all; `zip-lie` is what contradicts another record, or cannot be true; `zip-overlap` is bytes that two
records claim.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from fumehood.errors import Refusal, RefusalCode, refusal
from fumehood.limits import zip_names
from fumehood.limits.budget import Budget
from fumehood.limits.zip_names import UTF8_FLAG

STORED: Final = 0
DEFLATED: Final = 8

ENCRYPTED_FLAG: Final = 0x0001
DESCRIPTOR_FLAG: Final = 0x0008
MASKED_FLAG: Final = 0x2000
"""General purpose bits 0, 3 and 13 (4.4.4)."""

_LOCAL: Final = b"PK\x03\x04"
_CENTRAL: Final = b"PK\x01\x02"
_END: Final = b"PK\x05\x06"
_END64: Final = b"PK\x06\x06"
_LOCATOR64: Final = b"PK\x06\x07"
_DESCRIPTOR: Final = b"PK\x07\x08"

_LOCAL_FIELDS: Final = struct.Struct("<4s2xHH4xIIIHH")
_CENTRAL_FIELDS: Final = struct.Struct("<4s4xHH4xIIIHHH8xI")
_END_FIELDS: Final = struct.Struct("<4sHHHHIIH")
_END64_FIELDS: Final = struct.Struct("<4sQ4xIIQQQQ")
_LOCATOR64_FIELDS: Final = struct.Struct("<4sIQI")
_DESCRIPTOR_FIELDS: Final = struct.Struct("<III")
_DESCRIPTOR64_FIELDS: Final = struct.Struct("<IQQ")

_MAX_COMMENT: Final = 0xFFFF
_END64_REST: Final = 44
"""What the size field of a ZIP64 end record says when no extensible data follows (4.3.14.1)."""
_FULL16: Final = 0xFFFF
_FULL32: Final = 0xFFFF_FFFF
"""A field so full says that the value is in the ZIP64 record (4.4.1.4)."""
_EXTRA64: Final = 0x0001
_EXTRA_UNICODE_PATH: Final = 0x7075

_MAX_DEFLATE_RATIO: Final = 1032
"""RFC 1951: at best two bits give a run of 258 bytes."""
_LEAST_DECLARED: Final = 0.9
_SMALL: Final = 320
"""A block of deflate with trees of its own says up to 289 bytes about them (RFC 1951, 3.2.7), for however little data."""


def refused(code: RefusalCode) -> Refusal:
    return refusal(code, stage="precheck")


@dataclass(frozen=True, slots=True)
class End:
    """Where the end records say that the directory is: its first byte, the byte after it, and its entries.

    `moved` is how far bytes in front of the archive have moved what the records' offsets speak of.
    """

    directory: int
    directory_end: int
    count: int
    moved: int


@dataclass(slots=True)
class Record:
    """One entry as its central header says (4.3.12), ZIP64 fields resolved; `at` is where its local header is."""

    raw: bytes
    name: str
    flags: int
    method: int
    crc: int
    compressed_size: int
    size: int
    at: int


@dataclass(slots=True)
class Local:
    """The local header of an entry (4.3.7), and the bytes that the entry takes: header, data, descriptor."""

    raw: bytes
    flags: int
    method: int
    crc: int
    compressed_size: int
    size: int
    start: int
    end: int


# ---- the end of central directory records (4.3.14 to 4.3.16) -------------------------------------------------------


def find_end(data: bytes) -> End:
    """The one end record, its ZIP64 record where there is one, and the place of the directory.

    The last signature counts, as for every reader that searches from the end; bytes may follow it. An earlier one
    whose comment reaches just to the end of the file is what a stricter reader would take: that is `zip-lie`.
    """
    window = max(0, len(data) - _END_FIELDS.size - _MAX_COMMENT)
    at = data.rfind(_END, window)
    if at < 0 or at + _END_FIELDS.size > len(data):
        raise refused("malformed")
    if any(_reaches_the_end(data, earlier) for earlier in _occurrences(data, _END, window, at)):
        raise refused("zip-lie")
    _, disk, directory_disk, here, count, size, offset, _ = _END_FIELDS.unpack_from(data, at)
    if disk not in (0, _FULL16) or directory_disk not in (0, _FULL16):
        # 4.4.19, 4.4.20: one of several volumes; the others are not here.
        raise refused("malformed")
    if here != count:
        raise refused("zip-lie")
    locator = at - _LOCATOR64_FIELDS.size
    if locator >= 0 and data.startswith(_LOCATOR64, locator):
        return _end64(data, locator, (count, size, offset))
    return _placed(directory_end=at, count=count, size=size, offset=offset)


def _occurrences(data: bytes, signature: bytes, start: int, stop: int) -> Iterator[int]:
    at = data.find(signature, start, stop)
    while at >= 0:
        yield at
        at = data.find(signature, at + 1, stop)


def _reaches_the_end(data: bytes, at: int) -> bool:
    if at + _END_FIELDS.size > len(data):
        return False
    comment: int = _END_FIELDS.unpack_from(data, at)[-1]
    return at + _END_FIELDS.size + comment == len(data)


def _end64(data: bytes, locator: int, plain: tuple[int, int, int]) -> End:
    """4.3.14, 4.3.15. Whatever the plain record says itself, not leaving it to this one, must be the same here."""
    _, disk, offset64, disks = _LOCATOR64_FIELDS.unpack_from(data, locator)
    if disk != 0 or disks > 1:
        raise refused("malformed")
    at = locator - _END64_FIELDS.size
    if at < 0 or not data.startswith(_END64, at):
        raise refused("zip-lie")
    _, rest, disk, directory_disk, here, count, size, offset = _END64_FIELDS.unpack_from(data, at)
    if rest != _END64_REST or here != count or disk != 0 or directory_disk != 0:
        raise refused("zip-lie")
    fulls = (_FULL16, _FULL32, _FULL32)
    for said, full, truth in zip(plain, fulls, (count, size, offset), strict=True):
        if said not in (full, truth):
            raise refused("zip-lie")
    end = _placed(directory_end=at, count=count, size=size, offset=offset)
    if offset64 + end.moved != at:
        raise refused("zip-lie")
    return end


def _placed(*, directory_end: int, count: int, size: int, offset: int) -> End:
    """4.4.23, 4.4.24. The directory ends where the end records start; what its offset lacks is a prefix (4.1.9)."""
    directory = directory_end - size
    if directory < 0 or offset > directory:
        raise refused("malformed")
    return End(directory, directory_end, count, directory - offset)


# ---- central headers (4.3.12) --------------------------------------------------------------------------------------


def read_directory(data: bytes, end: End, budget: Budget) -> list[Record]:
    """The entries in the order of the directory. Spends `archive_entries` before anything is kept."""
    budget.spend("archive_entries", end.count)
    if end.count * _CENTRAL_FIELDS.size > end.directory_end - end.directory:
        raise refused("zip-lie")
    records: list[Record] = []
    at = end.directory
    while at < end.directory_end:
        if len(records) == end.count:
            raise refused("zip-lie")
        record, at = _central(data, at, end)
        records.append(record)
    if len(records) != end.count:
        raise refused("zip-lie")
    return records


def _central(data: bytes, at: int, end: End) -> tuple[Record, int]:
    names = at + _CENTRAL_FIELDS.size
    if names > end.directory_end or not data.startswith(_CENTRAL, at):
        raise refused("malformed")
    fields = _CENTRAL_FIELDS.unpack_from(data, at)
    _, flags, method, crc, compressed, size, name_size, extra_size, comment_size, offset = fields
    extras = names + name_size
    following = extras + extra_size + comment_size
    if following > end.directory_end:
        raise refused("malformed")
    raw = data[names:extras]
    if flags & MASKED_FLAG:
        # 4.4.4, bit 13: sizes, checksum and names are behind the password too.
        raise refused("encrypted")
    try:
        name = zip_names.decoded(raw, flags)
        more = _extra_fields(data[extras : extras + extra_size]) if extra_size else {}
        if more is None:
            raise refused("malformed")
        if _EXTRA_UNICODE_PATH in more:
            name = _renamed(raw, name, more[_EXTRA_UNICODE_PATH])
    except UnicodeDecodeError:
        raise refused("malformed") from None
    if _FULL32 in (size, compressed, offset):
        size, compressed, offset = _resolved((size, compressed, offset), more.get(_EXTRA64, b""))
    return Record(raw, name, flags, method, crc, compressed, size, offset + end.moved), following


def _extra_fields(extra: bytes) -> dict[int, bytes] | None:
    """4.5.1: identifier, size, data. The first of each counts. None if one runs over the end; a rest under 4 bytes is padding."""
    found: dict[int, bytes] = {}
    at = 0
    while at + 4 <= len(extra):
        identifier, size = struct.unpack_from("<HH", extra, at)
        at += 4
        if at + size > len(extra):
            return None
        found.setdefault(identifier, extra[at : at + size])
        at += size
    return found


def _renamed(raw: bytes, name: str, field: bytes) -> str:
    """4.6.9. A name in ASCII needs no other spelling: one that differs is for readers that look elsewhere."""
    spelled = zip_names.unicode_path(raw, field)
    if spelled is None:
        return name
    if raw.isascii() and spelled != name:
        raise refused("zip-lie")
    return spelled


def _resolved(values: tuple[int, ...], extra64: bytes) -> list[int]:
    """4.5.3: for each field that is full, in this order, eight bytes."""
    resolved: list[int] = []
    at = 0
    for value in values:
        if value == _FULL32:
            if at + 8 > len(extra64):
                raise refused("malformed")
            (value,) = struct.unpack_from("<Q", extra64, at)
            at += 8
        resolved.append(value)
    return resolved


# ---- local headers (4.3.7) and data descriptors (4.3.9) ------------------------------------------------------------


def read_local(data: bytes, record: Record, end: End) -> Local:
    """The local header of `record`, and how far the entry reaches. Raises `malformed` if it is not there."""
    names = record.at + _LOCAL_FIELDS.size
    if names > end.directory or not data.startswith(_LOCAL, record.at):
        raise refused("malformed")
    _, flags, method, crc, compressed, size, name_size, extra_size = _LOCAL_FIELDS.unpack_from(data, record.at)
    extras = names + name_size
    start = extras + extra_size
    if size == _FULL32 or compressed == _FULL32:
        fields = _extra_fields(data[extras:start]) or {}
        size, compressed = _resolved((size, compressed), fields.get(_EXTRA64, b""))
    stop = start + record.compressed_size
    return Local(data[names:extras], flags, method, crc, compressed, size, start, stop)


def no_overlap(data: bytes, locals_: list[Local], records: list[Record], end: End) -> None:
    """Every byte belongs to one entry or to none. Raises `zip-overlap`, or `zip-lie` for an entry hidden in a gap.

    Fifield, "A better zip bomb", 2019: entries that share one kernel of data, or quote each other's headers.
    """
    spans = sorted((record.at, local.end) for record, local in zip(records, locals_, strict=True))
    reached = 0
    for at, stop in [*spans, (end.directory, end.directory_end)]:
        if at < reached:
            raise refused("zip-overlap")
        if at > reached and data.startswith(_LOCAL, reached):
            # A reader that goes from header to header, as of a stream, would read what the directory does not name.
            raise refused("zip-lie")
        reached = stop


def with_descriptor(data: bytes, record: Record, local: Local) -> bool:
    """Takes the data descriptor into the entry; False if none is there that says what the directory says.

    The signature is optional, and sizes are of 8 bytes under ZIP64 (4.3.9.1 to 4.3.9.3); writers disagree on when
    that is, so each form is tried.
    """
    at = local.end
    starts = (at + len(_DESCRIPTOR), at) if data.startswith(_DESCRIPTOR, at) else (at,)
    wanted = (record.crc, record.compressed_size, record.size)
    for start in starts:
        for form in (_DESCRIPTOR_FIELDS, _DESCRIPTOR64_FIELDS):
            if start + form.size <= len(data) and form.unpack_from(data, start) == wanted:
                local.end = start + form.size
                return True
    return False


def agree(record: Record, local: Local, *, described: bool) -> None:
    """The local header says what the central one says, except what a descriptor says later. Raises `zip-lie`.

    ECMA-376 part 2, annex B and 4.4.4: the two copies are the same; readers differ in which one they believe.
    """
    if local.raw != record.raw or local.method != record.method:
        raise refused("zip-lie")
    differing = local.flags ^ record.flags
    if differing & ENCRYPTED_FLAG or (differing & UTF8_FLAG and not record.raw.isascii()):
        raise refused("zip-lie")
    streamed = bool(local.flags & DESCRIPTOR_FLAG)
    said = (local.crc, local.compressed_size, local.size)
    wanted = (record.crc, record.compressed_size, record.size)
    if said == wanted:
        return
    if not streamed or not described:
        raise refused("zip-lie")
    if any(value not in (0, truth) for value, truth in zip(said, wanted, strict=True)):
        raise refused("zip-lie")


def plausible(record: Record) -> None:
    """Sizes that can be true. Raises `zip-lie`."""
    if record.flags & ENCRYPTED_FLAG:
        return
    if record.method == STORED and record.size != record.compressed_size:
        raise refused("zip-lie")
    if record.method != DEFLATED:
        return
    if record.size > _MAX_DEFLATE_RATIO * record.compressed_size:
        raise refused("zip-lie")
    if record.size + _SMALL < _LEAST_DECLARED * record.compressed_size:
        raise refused("zip-lie")
