"""ZIP bombs (APPNOTE 6.3.10), each inside of what would otherwise be a small Word document."""

from __future__ import annotations

import dataclasses
import struct
import zlib
from collections.abc import Iterable

from fumehood.fuzz import archives
from fumehood.fuzz.archives import Entry, archive, entry, local_header
from fumehood.fuzz.bomb import READ, Bomb, bomb
from fumehood.fuzz.deflate import crc_shift, filling, packed, shifted
from fumehood.fuzz.ooxml import CLOSE, DECLARATION, OPEN, document, docx, embedded, paragraph, parts, picture, related
from fumehood.fuzz.quine import quine

GIB = 1 << 30
_A = paragraph("A")


# ---- entries that share bytes (Fifield, A better zip bomb, WOOT 2019) ----------------------------------------


def full_overlap(copies: int) -> bytes:
    """Every directory entry names the same local header."""
    out = bytearray()
    kernel = entry("word/media/f.png", packed(filling(b"a", 16 << 20)))
    *placed, last = _write([*parts(), kernel], out)
    return archives.finished(out, [*placed, *([last] * copies)])


def quoted_overlap(copies: int) -> bytes:
    """Every entry quotes the next one's local header in a stored block and runs on into the data of all.

    The sizes and checksums are honest: only that they share bytes gives the entries away.
    """
    kernel = packed(filling(b"a", 20 << 20))
    past_kernel = crc_shift(kernel.size)
    body, quoted = kernel.raw, b""
    directory: list[dict[str, int | bytes]] = []
    for number in reversed(range(copies)):
        one = Entry(
            name=b"word/media/f%05d.png" % number,
            body=body,
            size=len(quoted) + kernel.size,
            crc=shifted(zlib.crc32(quoted), past_kernel) ^ kernel.crc,
        )
        head = local_header(one.facts())
        # Offsets are counted from the end here, since what stands before is not known yet.
        directory.append({**one.facts(), "offset": -len(head + body)})
        body, quoted = _quote(head) + head + body, head + quoted
    out = bytearray()
    placed = _write(parts(), out)
    out += body[len(_quote(b"")) :]
    placed += [{**facts, "offset": len(out) + _number(facts["offset"])} for facts in reversed(directory)]
    return archives.finished(out, placed)


def _quote(data: bytes) -> bytes:
    """The head of a stored block that holds `data` (RFC 1951, 3.2.4)."""
    return struct.pack("<BHH", 0, len(data), len(data) ^ 0xFFFF)


def _number(value: int | bytes) -> int:
    assert isinstance(value, int)
    return value


def _write(entries: Iterable[Entry], out: bytearray) -> list[dict[str, int | bytes]]:
    """Puts local headers and data into `out`; returns what the directory is to say."""
    placed = []
    for each in entries:
        placed.append({**each.facts(), "offset": len(out), **each.central})
        out += local_header(each.facts()) + each.body
    return placed


def forged_size() -> bytes:
    """The directory says that an entry's data is shorter than it is, so that another entry begins inside of it.

    A check that sums up what the directory claims sees no overlap (python/cpython 151307).
    """
    inner = entry("word/media/b.png", packed(filling(b"b", 16 << 20)))
    hidden = local_header(inner.facts()) + inner.body
    outer = entry("word/media/a.png", hidden, stored=True)
    out = bytearray()
    placed = _write([*parts(), dataclasses.replace(outer, central={"packed": 1, "size": 1})], out)
    return archives.finished(out, [*placed, {**inner.facts(), "offset": len(out) - len(hidden)}])


# ---- archives in archives -------------------------------------------------------------------------------------


def nested(levels: int, fan: int) -> bytes:
    """An archive of archives of archives; the innermost hold 64 MiB each."""
    inner = archive([entry("0.png", packed(filling(b"\0", 64 << 20)))])
    for _ in range(levels):
        inner = archive([entry(f"{number}.zip", inner) for number in range(fan)])
    main = document(paragraph("Hello.") + embedded())
    return docx(main, [related(("package", "embeddings/a.zip")), entry("word/embeddings/a.zip", inner)])


# ---- numbers ----------------------------------------------------------------------------------------------------


def many_entries(count: int) -> bytes:
    return docx(further=(entry(f"word/media/e{number:05d}", b"", stored=True) for number in range(count)))


def lying_sizes(size: int) -> bytes:
    """The main part is a GiB; both of its headers say 1,000 bytes."""
    main = entry("word/document.xml", packed(DECLARATION + OPEN, filling(_A, size), CLOSE))
    lie = {"size": 1_000}
    return archive([*parts()[:2], dataclasses.replace(main, local=lie, central=lie)])


def read_part(size: int) -> bytes:
    """The main part is a GiB and says so."""
    return docx(packed(DECLARATION + OPEN, filling(_A, size), CLOSE))


def read_text(size: int) -> bytes:
    """The main part is one run of text of a GiB."""
    opening, closing = paragraph("A").split(b"A")
    return docx(packed(DECLARATION + OPEN + opening, filling(b"A", size), closing + CLOSE))


def unread_part(size: int) -> bytes:
    """A picture that nobody looks into is a GiB."""
    main = document(paragraph("Hello.") + picture())
    return docx(main, [related(("image", "media/a.png")), entry("word/media/a.png", packed(filling(b"\0", size)))])


BOMBS: tuple[Bomb, ...] = (
    bomb("overlap-full.docx", "250 entries with one local header", lambda: full_overlap(250), "zip-overlap"),
    bomb("overlap-quoted.docx", "250 entries that quote each other: 5 GB", lambda: quoted_overlap(250), "zip-overlap"),
    bomb("overlap-forged.docx", "an entry in another whose size is forged", forged_size, "zip-overlap"),
    bomb(
        "nested.docx",
        "archives in archives, 4,096 times 64 MiB",
        lambda: nested(3, 16),
        READ,
        notice="object-not-read",
        holds="Hello.",
    ),
    bomb("quine.docx", "an archive that holds itself", quine, "kind-mismatch"),
    bomb("entries-60000.docx", "60,000 empty entries", lambda: many_entries(60_000), "too-many-entries"),
    bomb("sizes-lie.docx", "a part of 1 GiB that says 1,000 bytes", lambda: lying_sizes(GIB), "zip-lie"),
    bomb(
        "part-read.docx",
        "a main part of 1 GiB of paragraphs",
        lambda: read_part(GIB),
        "inflated-too-large",
        spends="entry_bytes",
    ),
    bomb("text-read.docx", "one text of 1 GiB", lambda: read_text(GIB), "inflated-too-large", spends="entry_bytes"),
    bomb(
        "part-unread.docx",
        "a picture of 1 GiB",
        lambda: unread_part(GIB),
        READ,
        notice="image-not-read",
        holds="Hello.",
    ),
)
