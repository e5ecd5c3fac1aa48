"""Filters give back what was packed, count it, and keep the beginning of what is damaged."""

from __future__ import annotations

import base64
import gzip
import random
import time
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import Limits, Refusal
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import pdf_filters as filters


def meter(consumed: int = 1, **limits: int) -> filters.Meter:
    return filters.Meter(Budget(Limits().replace(**limits)), consumed)


def lzw_packed(data: bytes) -> bytes:
    """LZW as PDF has it: early change, a clear code in front, an end code."""
    table = {bytes((value,)): value for value in range(256)}
    codes: list[tuple[int, int]] = [(256, 9)]
    width, following, current = 9, 258, b""
    for byte in data:
        longer = current + bytes((byte,))
        if longer in table:
            current = longer
            continue
        codes.append((table[current], width))
        if following < 4096:
            table[longer] = following
            following += 1
            if following + 1 > 1 << width and width < 12:
                width += 1
        current = bytes((byte,))
    if current:
        codes.append((table[current], width))
        # The reader adds an entry for this code as well, and widens with it.
        if following + 1 >= 1 << width and width < 12:
            width += 1
    codes.append((257, width))
    bits = "".join(f"{code:0{size}b}" for code, size in codes)
    return int(bits.ljust(-(-len(bits) // 8) * 8, "0"), 2).to_bytes(-(-len(bits) // 8), "big")


@given(st.binary(max_size=3_000))
def test_flate(data: bytes) -> None:
    count = meter()
    assert filters.flate(zlib.compress(data), count) == data
    assert (count.total, count.damaged) == (len(data), False)


@given(st.binary(min_size=100, max_size=2_000), st.integers(0, 100))
def test_flate_cut_short_gives_its_beginning(data: bytes, cut: int) -> None:
    packed = zlib.compress(data, 0)
    count = meter()
    found = filters.flate(packed[: len(packed) - 1 - cut], count)
    assert data.startswith(found)
    assert count.damaged


def test_flate_with_a_broken_checksum_gives_everything() -> None:
    packed = bytearray(zlib.compress(b"text " * 10_000))
    packed[-1] ^= 1
    count = meter(len(packed))
    assert filters.flate(bytes(packed), count) == b"text " * 10_000
    assert count.damaged


@pytest.mark.parametrize(
    "packed",
    [
        b"\0\0" + zlib.compress(b"text")[2:-4],
        zlib.compress(b"text")[2:-4],
        b"\r\n" + zlib.compress(b"text"),
        gzip.compress(b"text", mtime=0),
    ],
)
def test_flate_without_its_header_or_with_another(packed: bytes) -> None:
    count = meter()
    assert (filters.flate(packed, count), count.damaged) == (b"text", False)


def test_two_megabytes_of_gzip_cut_short() -> None:
    packed = gzip.compress(random.Random(1).randbytes(2_000_000))[:-40_000]
    started = time.process_time()
    count = meter(len(packed))
    assert len(filters.flate(packed, count)) > 1_900_000
    assert count.damaged
    assert time.process_time() - started < 1


def test_a_megabyte_of_damage_takes_no_time_worth_telling() -> None:
    packed = bytearray(zlib.compress(bytes(range(256)) * 4_000, 0))
    packed[-2_000] ^= 0xFF
    packed[500_000] ^= 0xFF
    assert filters.flate(bytes(packed), meter(len(packed)))


@given(
    st.one_of(
        st.binary(max_size=2_000),
        st.integers(0, 6_000).map(bytes),
        st.binary(min_size=1, max_size=3).map(lambda piece: piece * 3_000),
    )
)
def test_lzw(data: bytes) -> None:
    count = meter(len(data) + 1)
    assert filters.lzw(lzw_packed(data), count) == data
    assert (count.total, count.damaged) == (len(data), False)


@given(st.binary(max_size=500))
def test_lzw_of_anything_ends(data: bytes) -> None:
    filters.lzw(data, meter(len(data) + 1))


@given(st.binary(max_size=500))
def test_ascii_filters(data: bytes) -> None:
    assert filters.ascii_hex(data.hex().encode() + b">trailing", meter()) == data
    assert filters.ascii_85(base64.a85encode(data, wrapcol=20) + b"~>", meter()) == data
    assert filters.ascii_85(base64.a85encode(data, adobe=True), meter()) == data
    assert filters.ascii_85(base64.a85encode(data), meter()) == data


@given(st.binary(max_size=500))
def test_ascii_filters_of_anything_end(data: bytes) -> None:
    filters.ascii_hex(data, meter(len(data) + 1))
    filters.ascii_85(data, meter(len(data) + 1))
    filters.run_length(data, meter(len(data) + 1))


def test_run_length() -> None:
    assert filters.run_length(b"\x02abc\xfed\x80rest", meter()) == b"abcddd"


def png(rows: list[bytes], kind: int, pixel: int) -> bytes:
    """The rows filtered as the PNG specification, 9.2, says."""
    out, above = b"", bytes(len(rows[0]))
    for row in rows:
        filtered = []
        for at, value in enumerate(row):
            left = row[at - pixel] if at >= pixel else 0
            corner = above[at - pixel] if at >= pixel else 0
            up = above[at]
            estimate = left + up - corner
            nearest = min((left, up, corner), key=lambda one: abs(estimate - one))
            filtered.append((value - (0, left, up, (left + up) // 2, nearest)[kind]) & 255)
        out += bytes([kind, *filtered])
        above = row
    return out


@given(
    st.lists(st.binary(min_size=12, max_size=12), min_size=1, max_size=9), st.integers(0, 4), st.sampled_from([1, 3, 4])
)
def test_png_predictors(rows: list[bytes], kind: int, colors: int) -> None:
    found = filters.predicted(
        png(rows, kind, colors), meter(), predictor=15, colors=colors, bits=8, columns=12 // colors
    )
    assert found == b"".join(rows)


def test_tiff_predictor() -> None:
    assert (
        filters.predicted(b"\x01\x02\x03\x01\xff\x01", meter(), predictor=2, colors=1, bits=8, columns=3)
        == b"\x01\x03\x06\x01\x00\x01"
    )


@pytest.mark.parametrize("number", [0, -1, 1 << 40])
def test_predictors_do_not_believe_what_is_declared(number: int) -> None:
    for predictor in (2, 12):
        filters.predicted(bytes(100), meter(), predictor=predictor, colors=number, bits=number, columns=number)
        filters.predicted(bytes(100), meter(), predictor=predictor, colors=1, bits=8, columns=number)


def test_every_byte_is_counted_as_it_comes_out() -> None:
    with pytest.raises(Refusal) as caught:
        filters.flate(zlib.compress(bytes(10_000_000)), meter(10_000, entry_bytes=1_000_000))
    assert (caught.value.limit, (caught.value.observed or 0) < 1_500_000) == ("entry_bytes", True)
