"""Every bomb in a real worker: it ends as it says, and within its bounds."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

import pytest

from fumehood import Document, ReadOptions, Refusal, read_isolated
from fumehood.errors import REFUSAL_CODES
from fumehood.fuzz import bombs_pdf
from fumehood.fuzz.bomb import READ, Bomb
from fumehood.fuzz.bombs import BOMBS, of_registered_kinds
from fumehood.fuzz.bombs_pdf import run_lengths
from fumehood.fuzz.bombs_zip import forged_size, full_overlap, lying_sizes, quoted_overlap, unread_part
from fumehood.fuzz.deflate import filling, packed
from fumehood.fuzz.quine import quine
from fumehood.limits.policy import LIMIT_NAMES

MOST_SECONDS = 2.0
"""Of processor time, because other work on the machine is none of the bomb's."""
MOST_BYTES = 64 << 20


@pytest.mark.parametrize("bomb", of_registered_kinds(), ids=lambda bomb: bomb.name)
def test_a_bomb_ends_as_it_says(bomb: Bomb) -> None:
    check(bomb, outcome_of(bomb))


@pytest.mark.parametrize("bomb", bombs_pdf.BOMBS, ids=lambda bomb: bomb.name)
def test_a_bomb_ends_as_it_says_where_native_code_reads_it(bomb: Bomb) -> None:
    pytest.importorskip("pypdfium2_raw")
    check(bomb, outcome_of(bomb, ReadOptions(engine="pdfium")))


def check(bomb: Bomb, outcome: Document | Refusal) -> None:
    if isinstance(outcome, Refusal):
        assert outcome.code in bomb.ends
        return
    assert READ in bomb.ends
    assert bomb.notice is None or bomb.notice in {notice.code for notice in outcome.notices}
    assert bomb.holds is None or bomb.holds in outcome.text
    assert outcome.receipt is not None
    if bomb.spends is None:
        assert outcome.receipt.cpu_seconds < MOST_SECONDS
        assert outcome.receipt.peak_bytes < MOST_BYTES


def outcome_of(bomb: Bomb, options: ReadOptions | None = None) -> Document | Refusal:
    try:
        return read_isolated(bomb.kind, bomb.make(), options=options)
    except Refusal as refused:
        return refused


@pytest.mark.parametrize("bomb", BOMBS, ids=lambda bomb: bomb.name)
def test_a_bomb_says_what_there_is_to_say(bomb: Bomb) -> None:
    assert bomb.ends
    assert bomb.ends <= {READ, *REFUSAL_CODES}
    assert bomb.spends is None or bomb.spends in LIMIT_NAMES
    assert READ in bomb.ends or (bomb.notice is None and bomb.holds is None)


def test_names_are_distinct() -> None:
    assert len({bomb.name for bomb in BOMBS}) == len(BOMBS)


# ---- the bombs are what they claim to be --------------------------------------------------------------------------


def test_what_is_deflated_block_by_block_inflates_to_the_whole() -> None:
    made = packed(b"begin ", filling(b"abc", 3 << 20), b" end")
    plain = zlib.decompress(made.zlib)
    assert plain.startswith(b"begin abcabc")
    assert plain.endswith(b"abc end")
    assert len(plain) == made.size
    assert (zlib.crc32(plain), zlib.adler32(plain)) == (made.crc, made.adler)
    assert zlib.decompress(made.raw, -zlib.MAX_WBITS) == plain


def test_a_quine_holds_itself() -> None:
    archive = quine()
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        (info,) = opened.infolist()
        assert opened.read(info) == archive
    assert quine() == archive


def test_quoted_entries_are_honest_but_for_their_bytes() -> None:
    """Each inflates to the quoted headers and the kernel, with the right checksum: an archiver finds no fault.

    By hand, since the standard library compares the ranges of entries from 3.11.8 and 3.12.2 on (CVE-2024-0450).
    """
    data = quoted_overlap(3)
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        quoted = [info for info in opened.infolist() if "media" in info.filename]
    sizes = []
    for info in quoted:
        names, extra = struct.unpack_from("<HH", data, info.header_offset + 26)
        inflated = zlib.decompressobj(-zlib.MAX_WBITS).decompress(data[info.header_offset + 30 + names + extra :])
        assert (len(inflated), zlib.crc32(inflated)) == (info.file_size, info.CRC)
        sizes.append(len(inflated))
    assert len(sizes) == 3
    assert sorted(sizes, reverse=True) == sizes


def test_overlapping_archives_open_as_ordinary_ones() -> None:
    for data, count in ((full_overlap(5), 8), (forged_size(), 5), (unread_part(1 << 20), 5)):
        with zipfile.ZipFile(io.BytesIO(data)) as opened:
            assert len(opened.namelist()) == count


def test_a_lying_size_stands_in_both_headers() -> None:
    with zipfile.ZipFile(io.BytesIO(lying_sizes(1 << 20))) as opened:
        assert opened.getinfo("word/document.xml").file_size == 1_000


def test_a_chain_of_run_lengths_is_small() -> None:
    assert len(run_lengths(4)) < 1_000


def test_bombs_are_the_same_every_time() -> None:
    """The large ones are made by the same writers, and take long."""
    small = [bomb for bomb in BOMBS if not any(size in bomb.what for size in ("GiB", "000", "million", "MB"))]
    assert len(small) > 15
    for bomb in small:
        assert bomb.make() == bomb.make(), bomb.name
