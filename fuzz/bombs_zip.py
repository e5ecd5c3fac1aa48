"""ZIP bombs (APPNOTE 6.3.10), each inside of what would otherwise be a small Word document."""

from __future__ import annotations

import dataclasses
import struct

from fumehood.fuzz import archives
from fumehood.fuzz.archives import Entry, archive, central_header, end_record, entry, local_header
from fumehood.fuzz.bomb import READ, Bomb, bomb
from fumehood.fuzz.deflate import filling, packed
from fumehood.fuzz.ooxml import CLOSE, CONTENT_TYPES, DECLARATION, HELLO, OPEN, RELATIONSHIPS, docx, paragraph, parts

GIB = 1 << 30
_A = paragraph("A")


# ---- entries that share bytes (Fifield, A better zip bomb, WOOT 2019) ----------------------------------------


def full_overlap(copies: int) -> bytes:
    """Every directory entry names the same local header."""
    out = bytearray()
    directory = []
    for each in parts():
        directory.append({**each.facts(), "offset": len(out)})
        out += local_header(each.facts()) + each.body
    kernel = entry("word/media/f.png", packed(filling(b"a", 16 << 20)))
    directory += [{**kernel.facts(), "offset": len(out)}] * copies
    out += local_header(kernel.facts()) + kernel.body
    return archives.finished(out, directory)


def quoted_overlap(copies: int) -> bytes:
    """Every entry quotes the next one's local header in a stored block and runs on into the data of all.

    The sizes and checksums are honest: only that they share bytes gives the entries away.
    """
    kernel = packed(filling(b"a", 20 << 20))
    heads: list[bytes] = []
    directory: list[dict[str, int | bytes]] = []
    behind = kernel.raw
    plain = b"a" * kernel.size
    quoted = b""
    for number in reversed(range(copies)):
        name = b"word/media/f%05d.png" % number
        # The checksum is taken over the quoted headers, which come out first, and the kernel.
        one = Entry(name=name, body=behind, size=len(quoted) + len(plain), crc=_crc(quoted, kernel.crc, len(plain)))
        head = local_header(one.facts())
        heads.append(head)
        directory.append(one.facts())
        behind = struct.pack("<BHH", 0, len(head), len(head) ^ 0xFFFF) + head + behind
        quoted = head + quoted
    front = [
        entry("[Content_Types].xml", CONTENT_TYPES),
        entry("_rels/.rels", RELATIONSHIPS),
        entry("word/document.xml", HELLO),
    ]
    out = bytearray()
    placed: list[dict[str, int | bytes]] = []
    for each in front:
        placed.append({**each.facts(), "offset": len(out)})
        out += local_header(each.facts()) + each.body
    # `behind` begins with a stored block that quotes the first head; the first entry begins at that head itself.
    base = len(out)
    out += behind[_STORED_HEAD:]
    offset = base
    for facts, head in zip(reversed(directory), reversed(heads), strict=True):
        placed.append({**facts, "offset": offset})
        offset += len(head) + _STORED_HEAD
    return archives.finished(out, placed)


_STORED_HEAD = 5


def _crc(quoted: bytes, crc: int, size: int) -> int:
    """CRC-32 of `quoted` and `size` more bytes whose own checksum is `crc`: CRCs are linear over GF(2)."""
    return _shifted(_plain_crc(quoted), size) ^ crc


def _plain_crc(data: bytes) -> int:
    import zlib

    return zlib.crc32(data)


def _shifted(crc: int, size: int) -> int:
    """What `size` zero bytes make of a checksum, without its pre- and post-conditioning, by squaring a matrix."""
    matrix = [0xEDB88320, *(1 << bit for bit in range(31))]  # one zero bit (ISO 3309, bits reversed)
    bits = size * 8
    while bits:
        if bits & 1:
            crc = _times(matrix, crc)
        matrix = [_times(matrix, row) for row in matrix]
        bits >>= 1
    return crc


def _times(matrix: list[int], vector: int) -> int:
    result, row = 0, 0
    while vector:
        if vector & 1:
            result ^= matrix[row]
        vector >>= 1
        row += 1
    return result


def forged_size() -> bytes:
    """The directory says that an entry's data is shorter than it is, so that another entry begins inside of it.

    A check that sums up what the directory claims sees no overlap (python/cpython 151307).
    """
    inner = entry("word/media/b.png", packed(filling(b"b", 16 << 20)))
    shell_body = local_header(inner.facts()) + inner.body
    outer = Entry(
        name=b"word/media/a.png",
        body=shell_body,
        method=archives.STORED,
        size=len(shell_body),
        crc=_plain_crc(shell_body),
        central={"packed": 1, "size": 1},
    )
    out = bytearray()
    directory: list[dict[str, int | bytes]] = []
    for each in [*parts(), outer]:
        directory.append({**each.facts(), "offset": len(out), **each.central})
        out += local_header(each.facts())
        body_at = len(out)
        out += each.body
    directory.append({**inner.facts(), "offset": body_at})
    return archives.finished(out, directory)


# ---- archives in archives -------------------------------------------------------------------------------------


def nested(levels: int, fan: int) -> bytes:
    """An archive of archives of archives; the innermost hold 64 MiB each."""
    inner = archive([entry("0.png", packed(filling(b"\0", 64 << 20)))])
    for _ in range(levels):
        inner = archive([entry(f"{number}.zip", inner) for number in range(fan)])
    return docx(further=[entry("word/embeddings/oleObject1.zip", inner)])


def quine() -> bytes:
    """An archive whose one entry inflates to the archive itself (Cox, Zip Files All The Way Down, 2010).

    The deflate data is his pattern: every stored block prints the instructions that follow, and pairs of a
    stored block and a copy make both halves meet.
    """
    name = b"r/r.zip"
    facts: dict[str, int | bytes] = {
        "version": 20, "flags": 0, "method": 8, "crc": 0, "packed": 0, "size": 0, "name": name, "offset": 0
    }  # fmt: skip
    for crc, size in ((0, 0), (0, 440)):
        facts |= {"crc": crc, "packed": size, "size": size}
    head = local_header(facts)
    tail_directory = central_header(facts)
    tail = tail_directory + end_record(1, len(tail_directory), 0)
    body = _quine_body(head, tail)
    facts |= {"packed": len(body), "size": len(head) + len(body) + len(tail)}
    # With the sizes in place the headers keep their length, so the offsets in the pattern stay right.
    head, tail_directory = local_header(facts), central_header(facts)
    tail = tail_directory + end_record(1, len(tail_directory), len(head) + len(body))
    return head + _quine_body(head, tail) + tail


def _quine_body(head: bytes, tail: bytes) -> bytes:
    """Stored blocks of head and tail around copies of what is already out; its checksum is left wrong."""

    def stored(data: bytes, last: bool = False) -> bytes:
        return struct.pack("<BHH", int(last), len(data), len(data) ^ 0xFFFF) + data

    first = stored(head)
    return first + stored(first) + stored(tail, last=True)


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
    return docx(further=[entry("word/media/image1.png", packed(filling(b"\0", size)))])


BOMBS: tuple[Bomb, ...] = (
    bomb("overlap-full.docx", "250 entries with one local header", lambda: full_overlap(250), "zip-overlap"),
    bomb(
        "overlap-quoted.docx", "250 entries that quote each other: 5 GB", lambda: quoted_overlap(250), "zip-overlap"
    ),
    bomb("overlap-forged.docx", "an entry in another whose size is forged", forged_size, "zip-overlap", "zip-lie"),
    bomb("nested.docx", "archives in archives, 16 to the 4th times 64 MiB", lambda: nested(3, 16), READ, holds="Hello."),
    bomb("quine.docx", "an archive that holds itself", quine, "zip-nested", "malformed", "kind-mismatch"),
    bomb("entries-60000.docx", "60,000 empty entries", lambda: many_entries(60_000), "too-many-entries"),
    bomb("sizes-lie.docx", "a part of 1 GiB that says 1,000 bytes", lambda: lying_sizes(GIB), "zip-lie"),
    bomb(
        "part-read.docx",
        "a main part of 1 GiB of paragraphs",
        lambda: read_part(GIB),
        "inflated-too-large",
        "zip-ratio",
    ),
    bomb("text-read.docx", "one text of 1 GiB", lambda: read_text(GIB), "inflated-too-large", "zip-ratio"),
    bomb("part-unread.docx", "a picture of 1 GiB", lambda: unread_part(GIB), READ, holds="Hello."),
)  # fmt: skip
