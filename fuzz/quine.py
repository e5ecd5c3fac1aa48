"""An archive whose one entry inflates to the archive itself, checksum and all (Cox, Zip Files All The Way Down, 2010).

Whoever opens archives within archives never comes to an end. Deflate is used as a language of two instructions:
print what follows (a stored block, five bytes of head), and repeat the last bytes (a match in a fixed block, made
five bytes long as well). With P for all that comes before the data and S for all that comes after:

    P · L(P,L) P L · R(P,L) · L5 R · L5 L5 · L20 R L5 L5 L20 · R20 · LN (R20 LN)… · R20 · LN RN S · RN S

Each instruction prints what stands one or two instructions before it, until print and program meet.
"""

from __future__ import annotations

import struct
import zlib

from fumehood.fuzz.archives import DEFLATED, central_header, end_record, local_header

_UNIT = 5
_FOUR = 4 * _UNIT
_NAME = b"again/and/again/and/again.docx"
"""As long as makes the repetition of P and its print instruction 30 bits, which an empty block fills up to 40."""
_LENGTHS = ((3, 257, 0), (11, 265, 1), (19, 269, 2), (35, 273, 3), (67, 277, 4), (131, 281, 5))


class _Bits:
    """Bits as deflate packs them: least significant first, but Huffman codes from their highest bit (RFC 1951, 3.1.1)."""

    def __init__(self) -> None:
        self.value = self.count = 0

    def number(self, value: int, width: int) -> None:
        self.value |= value << self.count
        self.count += width

    def code(self, value: int, width: int) -> None:
        self.number(int(f"{value:0{width}b}"[::-1], 2), width)

    def bytes(self, least: int = 0) -> bytes:
        return self.value.to_bytes(max(least, (self.count + 7) // 8), "little")


def _print(size: int) -> bytes:
    """The head of a stored block of `size` bytes (3.2.4)."""
    return struct.pack("<BHH", 0, size, size ^ 0xFFFF)


def _repeat(distance: int, lengths: tuple[int, ...], *, last: bool = False) -> bytes:
    """A block of fixed codes (3.2.6) that copies from `distance` back, once for each length."""
    bits = _Bits()
    bits.number(int(last), 1)
    bits.number(1, 2)
    for length in lengths:
        base, symbol, extra = next(row for row in reversed(_LENGTHS) if row[0] <= length)
        symbol += (length - base) >> extra
        bits.code(symbol - 256, 7) if symbol < 280 else bits.code(0xC0 + symbol - 280, 8)
        bits.number((length - base) & ((1 << extra) - 1), extra)
        _distance(bits, distance)
    bits.code(0, 7)
    if bits.count == 30:
        bits.number(0b010, 3)  # an empty block of fixed codes
        bits.code(0, 7)
    return bits.bytes(_UNIT)


def _distance(bits: _Bits, distance: int) -> None:
    extra = max(0, (distance - 1).bit_length() - 2)
    symbol = 2 * extra + ((distance - 1) >> extra)
    bits.code(symbol, 5)
    bits.number((distance - 1) & ((1 << extra) - 1), extra)


def _program(head: bytes, tail: bytes) -> bytes:
    again = len(head) + _UNIT
    first, one, four = _print(again), _print(_UNIT), _print(_FOUR)
    repeat_first, repeat_four = _repeat(again, (again,)), _repeat(_FOUR, (10, 10))
    size = len(tail) + _UNIT
    last, repeat_last = _print(size), _repeat(size, (size,), last=True)
    return b"".join(
        [
            first, head, first,
            repeat_first,
            one, repeat_first,
            one, one,
            four, repeat_first, one, one, four,
            repeat_four,
            last, (repeat_four + last) * (size // 10),
            repeat_four,
            last, repeat_last, tail,
            repeat_last,
        ]
    )  # fmt: skip


def _archive(crc: int) -> bytes:
    """The archive that claims `crc`; its sizes are found first, since they do not change its length."""
    size = packed = 0
    for _ in range(2):
        facts: dict[str, int | bytes] = {
            "version": 20,
            "flags": 0,
            "method": DEFLATED,
            "crc": crc,
            "packed": packed,
            "size": size,
            "name": _NAME,
            "offset": 0,
        }
        head, directory = local_header(facts), central_header(facts)
        bare = len(directory) + len(end_record(1, 0, 0)) + _UNIT
        tail = directory + end_record(1, len(directory), len(head) + packed, b" " * (-bare % 10))
        program = _program(head, tail)
        packed, size = len(program), len(head) + len(program) + len(tail)
    return head + program + tail


def quine() -> bytes:
    """The archive whose checksum is its own: a fixed point of what is an affine map over GF(2)."""
    constant = zlib.crc32(_archive(0))
    columns = [zlib.crc32(_archive(1 << bit)) ^ constant ^ (1 << bit) for bit in range(32)]
    return _archive(_solved(columns, constant))


def _solved(columns: list[int], wanted: int) -> int:
    """The combination of `columns` whose sum is `wanted`, by elimination. Raises `ValueError` if there is none."""
    pivots: dict[int, tuple[int, int]] = {}
    for bit, vector in enumerate(columns):
        vector, which = _reduced(vector, 1 << bit, pivots)
        if vector:
            pivots[vector.bit_length()] = (vector, which)
    rest, which = _reduced(wanted, 0, pivots)
    if rest:
        raise ValueError("no checksum fits")
    return which


def _reduced(vector: int, which: int, pivots: dict[int, tuple[int, int]]) -> tuple[int, int]:
    for height in sorted(pivots, reverse=True):
        if vector.bit_length() == height:
            vector ^= pivots[height][0]
            which ^= pivots[height][1]
    return vector, which
