"""ZIP archives that cannot hurt: the records are judged before a byte is inflated, and inflating is counted.

What is refused, and as what:

- `malformed`: no end record, or records that point outside of the file; split archives; names that APPNOTE 4.4.17.1
  forbids (absolute, with a drive, `..`, backslash, NUL) or that are not the UTF-8 they are flagged to be.
- `too-many-entries`: more than `archive_entries`, by the end record's word, before anything is allocated.
- `zip-overlap`: two entries, or an entry and the directory, claim one byte.
- `zip-lie`: two end records; local and central headers that differ; a data descriptor that differs; an entry that the
  directory does not name; two names that are the same to a reader that ignores case (ECMA-376 part 2, 6.2.2.3 and
  annex B: readers would disagree on which is the part); sizes that cannot be true.
- `encrypted`: an entry that is asked for is encrypted; any, if the directory itself is masked.
- `inflated-too-large`, `zip-ratio`: an entry that is asked for gives more than the limits allow.

An entry that nobody asks for is judged by its headers alone, whatever its method and its size.

What is odd and read: directories, data descriptors in every form, ZIP64 on small files, bytes before the archive
(4.1.9) and behind it, comments, padding between entries, names in UTF-8 and in code page 437.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Self

from fumehood.errors import refusal
from fumehood.limits import zip_names, zip_records
from fumehood.limits.budget import Budget
from fumehood.limits.zip_records import DEFLATED, DESCRIPTOR_FLAG, ENCRYPTED_FLAG, STORED, Record, refused

_INPUT: Final = 16 * 1024
"""Fed to zlib at once, in bytes; what is left over of it is copied for every piece of output."""
_OUTPUT: Final = 256 * 1024
"""The largest piece that comes out, in bytes."""


class BadEntry(Exception):
    """One entry is damaged: its checksum or size is wrong, or its data are cut off, broken or of a method not read here.

    The archive's other entries are untouched by that, so the loader decides: a notice, or `malformed`.
    """


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of an archive. Sizes in bytes; `start` is where its data begin in the archive."""

    name: str
    compressed_size: int
    size: int
    method: int
    crc: int
    is_directory: bool
    start: int
    is_encrypted: bool = False


class Archive:
    """The entries of an archive that passed the precheck."""

    __slots__ = ("_budget", "_by_folded_name", "_by_name", "_data", "entries")

    def __init__(self, data: bytes, budget: Budget, entries: tuple[Entry, ...], spellings: dict[str, Entry]) -> None:
        self._data = data
        self._budget = budget
        self.entries = entries
        """In the order of the directory."""
        self._by_name = spellings | {entry.name: entry for entry in entries if not entry.is_directory}
        self._by_folded_name = {zip_names.folded(name): entry for name, entry in self._by_name.items()}

    @classmethod
    def check(cls, data: bytes, budget: Budget) -> Self:
        """Judges the records of `data`. Raises a `Refusal` of stage `precheck`; nothing is inflated."""
        with budget.during("precheck"):
            end = zip_records.find_end(data)
            records = zip_records.read_directory(data, end, budget)
            starts = _judge_entries(data, records, end)
        entries = tuple(map(_entry, records, starts))
        _judge_names(entries)
        spellings = {
            spelled: entry
            for record, entry in zip(records, entries, strict=True)
            if not record.raw.isascii() and (spelled := zip_names.as_utf8(record.raw)) is not None
        }
        return cls(data, budget, entries, spellings)

    def find(self, name: str) -> Entry | None:
        """The entry of that name, else of that name but for the case of ASCII letters (ECMA-376 part 2, 6.2.2.3).

        Directories are never found. A name in UTF-8 that is not flagged as such is found by both readings.
        """
        return self._by_name.get(name) or self._by_folded_name.get(zip_names.folded(name))

    def chunks(self, entry: Entry) -> Iterator[bytes]:
        """The entry's bytes in pieces of at most 256 KiB, spent from the budget as they come out.

        Raises a `Refusal` when a limit is passed, when more comes out than was declared (`zip-lie`), or when the entry
        is encrypted; `BadEntry` when it is damaged, which may be after all pieces but the last were given.
        """
        if entry.is_encrypted:
            raise refusal("encrypted", stage=self._budget.stage)
        total = crc = 0
        for piece in self._pieces(entry):
            total += len(piece)
            self._budget.inflate(len(piece), total, entry.compressed_size)
            if total > entry.size:
                raise refusal("zip-lie", stage=self._budget.stage)
            crc = zlib.crc32(piece, crc)
            yield piece
        if total != entry.size or crc != entry.crc:
            raise BadEntry

    def read(self, entry: Entry) -> bytes:
        """All of the entry's bytes. Raises as `chunks` does."""
        return b"".join(self.chunks(entry))

    def _pieces(self, entry: Entry) -> Iterator[bytes]:
        if entry.method == DEFLATED:
            return _inflated(self._data, entry)
        if entry.method == STORED:
            return _copied(self._data, entry)
        raise BadEntry


def _judge_entries(data: bytes, records: list[Record], end: zip_records.End) -> list[int]:
    """Where the data of each entry start. Overlaps come first: an overlap shows as a contradiction, too."""
    locals_ = [zip_records.read_local(data, record, end) for record in records]
    described = [
        bool(local.flags & DESCRIPTOR_FLAG) and zip_records.with_descriptor(data, record, local)
        for record, local in zip(records, locals_, strict=True)
    ]
    zip_records.no_overlap(data, locals_, records, end)
    for record, local, has_descriptor in zip(records, locals_, described, strict=True):
        zip_records.agree(record, local, described=has_descriptor)
        zip_records.plausible(record)
    return [local.start for local in locals_]


def _entry(record: Record, start: int) -> Entry:
    return Entry(
        record.name,
        record.compressed_size,
        record.size,
        record.method,
        record.crc,
        record.name.endswith("/"),
        start,
        bool(record.flags & ENCRYPTED_FLAG),
    )


def _judge_names(entries: tuple[Entry, ...]) -> None:
    if any(zip_names.forbidden(entry.name) for entry in entries):
        raise refused("malformed")
    if any(entry.is_directory and entry.size for entry in entries):
        # 4.3.8: a directory has no data, and no reader would look for any.
        raise refused("zip-lie")
    if zip_names.ambiguous(entry.name for entry in entries if not entry.is_directory):
        raise refused("zip-lie")


def _copied(data: bytes, entry: Entry) -> Iterator[bytes]:
    stop = entry.start + entry.compressed_size
    for at in range(entry.start, stop, _OUTPUT):
        yield data[at : min(at + _OUTPUT, stop)]


def _inflated(data: bytes, entry: Entry) -> Iterator[bytes]:
    """Raw deflate (RFC 1951). Raises `BadEntry` for a stream that is broken or cut off."""
    engine = zlib.decompressobj(-zlib.MAX_WBITS)
    stop = entry.start + entry.compressed_size
    with memoryview(data) as view:
        for at in range(entry.start, stop, _INPUT):
            yield from _outputs(engine, view[at : min(at + _INPUT, stop)])
            if engine.eof:
                return
    raise BadEntry


def _outputs(engine: zlib._Decompress, waiting: bytes | memoryview) -> Iterator[bytes]:
    full = True
    # A full piece may leave output behind for which there is no input left to give.
    while (waiting or full) and not engine.eof:
        try:
            piece = engine.decompress(waiting, _OUTPUT)
        except zlib.error:
            raise BadEntry from None
        waiting = engine.unconsumed_tail
        full = len(piece) == _OUTPUT
        if piece:
            yield piece
