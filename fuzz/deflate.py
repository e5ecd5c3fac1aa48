"""Deflated data (RFC 1951) that inflates to far more than was ever held: a compressed block, written many times over."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from typing import NamedTuple

LEVEL = 9


class Packed(NamedTuple):
    """`raw` inflates to `size` bytes with the checksums `crc` (CRC-32) and `adler` (RFC 1950, 9)."""

    raw: bytes
    size: int
    crc: int
    adler: int

    @property
    def zlib(self) -> bytes:
        """The same in the wrapper of RFC 1950, which PDF wants."""
        return b"\x78\xda" + self.raw + struct.pack(">I", self.adler)


def packed(*pieces: bytes | tuple[bytes, int]) -> Packed:
    """The pieces one after another, a pair being a piece so many times over.

    A full flush ends on a byte and forgets what came before (zlib's manual, Z_FULL_FLUSH), so the block of a
    repeated piece is compressed once and written as often as it takes.
    """
    raw = bytearray()
    size = crc = 0
    adler = 1
    for piece, times in _pairs(pieces):
        packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
        raw += (packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)) * times
        size += len(piece) * times
        for _ in range(times):
            crc, adler = zlib.crc32(piece, crc), zlib.adler32(piece, adler)
    end = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return Packed(bytes(raw) + end.flush(), size, crc, adler)


def _pairs(pieces: Iterable[bytes | tuple[bytes, int]]) -> Iterable[tuple[bytes, int]]:
    for piece in pieces:
        yield piece if isinstance(piece, tuple) else (piece, 1)


def filling(block: bytes, total: int) -> tuple[bytes, int]:
    """`block` as a piece of about a MiB, as often as gives about `total` bytes."""
    piece = block * max(1, (1 << 20) // len(block))
    return piece, max(1, total // len(piece))


# ---- checksums of what is never held -------------------------------------------------------------------------


def crc_shift(size: int) -> list[int]:
    """What `size` bytes behind it do to a CRC-32, as the columns of a matrix over GF(2); for :func:`shifted`."""
    step = [0xEDB88320, *(1 << bit for bit in range(31))]  # one zero bit (ISO 3309, bits reversed)
    matrix = [1 << bit for bit in range(32)]
    bits = 8 * size
    while bits:
        if bits & 1:
            matrix = [shifted(column, step) for column in matrix]
        step = [shifted(column, step) for column in step]
        bits >>= 1
    return matrix


def shifted(crc: int, matrix: list[int]) -> int:
    """The part that the bytes of `crc` have in the checksum of themselves and what comes behind them."""
    result = 0
    for column in matrix:
        if crc & 1:
            result ^= column
        crc >>= 1
    return result
