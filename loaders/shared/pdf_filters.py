"""The filters that PDF streams of text are packed in (ISO 32000-2, 7.4), decoded in bounded steps.

Every function takes the packed bytes and a :class:`Meter`, counts what comes out as it comes out, and
returns what could be decoded: a damaged stream gives its beginning and marks the meter. Work is linear
in input plus output, whatever the bytes are.
"""

from __future__ import annotations

import re
import struct
import zlib
from binascii import unhexlify
from itertools import accumulate
from typing import Final

from fumehood.limits.budget import Budget

_IN_STEP: Final = 16 * 1024
_OUT_STEP: Final = 256 * 1024
_ZLIB_OR_GZIP: Final = 32 + zlib.MAX_WBITS
_BEFORE: Final = re.compile(rb"[\0\t\n\f\r ]{1,64}")
"""White space that `stream` should not be followed by."""
_BYTES_PER_NODE: Final = 32
"""What is undone byte by byte in Python is charged as `nodes` as well."""


class Meter:
    """Counts the output of one filter against the budget; `damaged` once something could not be decoded."""

    __slots__ = ("_budget", "_consumed", "damaged", "total")

    def __init__(self, budget: Budget, consumed: int) -> None:
        self._budget = budget
        self._consumed = consumed
        self.total = 0
        self.damaged = False

    def add(self, produced: int) -> None:
        """Raises the budget's refusal once the stream, its ratio or the document passes a bound."""
        self.total += produced
        self._budget.inflate(produced, self.total, self._consumed)

    def charge(self, steps: int) -> None:
        """Spends `nodes` for work that is not output."""
        self._budget.spend("nodes", steps)


# ---- Flate (7.4.4) ------------------------------------------------------------------------------------


def flate(data: bytes | memoryview, meter: Meter) -> bytes:
    """zlib (RFC 1950), or gzip (RFC 1952) by mistake; where neither begins, deflate data (RFC 1951), in the way that
    gives most.
    """
    out, fault = _inflated(data, _ZLIB_OR_GZIP, meter)
    if fault and not out:
        start = _BEFORE.match(data)
        ways = ((start.end() if start else 0, _ZLIB_OR_GZIP), (2, -zlib.MAX_WBITS), (0, -zlib.MAX_WBITS))
        tried = [_inflated(data[at:], bits, meter) for at, bits in ways]
        out, fault = max(tried, key=lambda one: (not one[1], len(one[0])))
    meter.damaged |= fault
    return out


def _inflated(data: bytes | memoryview, bits: int, meter: Meter) -> tuple[bytes, bool]:
    inflater = zlib.decompressobj(bits)
    out: list[bytes] = []
    for start in range(0, len(data), _IN_STEP):
        if inflater.eof:
            break
        piece = data[start : start + _IN_STEP]
        before = inflater.copy() if start else None
        try:
            produced = _steps(inflater, piece, meter)
        except zlib.error:
            # The fault is in this piece: what comes before it is found one byte at a time.
            out.append(_up_to_fault(before or zlib.decompressobj(bits), piece, meter))
            return b"".join(out), True
        out.extend(produced)
    return b"".join(out), not inflater.eof


def _steps(inflater: zlib._Decompress, piece: bytes | memoryview, meter: Meter) -> list[bytes]:
    # Small pieces in, because each step copies what it has not consumed yet.
    produced: list[bytes] = []
    pending: bytes | memoryview = piece
    while True:
        chunk = inflater.decompress(pending, _OUT_STEP)
        meter.add(len(chunk))
        produced.append(chunk)
        pending = inflater.unconsumed_tail
        if not pending and len(chunk) < _OUT_STEP:
            return produced


def _up_to_fault(inflater: zlib._Decompress, piece: bytes | memoryview, meter: Meter) -> bytes:
    out: list[bytes] = []
    try:
        for at in range(len(piece)):
            out.extend(_steps(inflater, piece[at : at + 1], meter))
    except zlib.error:
        pass
    return b"".join(out)


# ---- LZW (7.4.4) --------------------------------------------------------------------------------------

_CLEAR: Final = 256
_END: Final = 257
_LARGEST_TABLE: Final = 4_096


def lzw(data: bytes | memoryview, meter: Meter, early_change: int = 1) -> bytes:
    """Codes of 9 to 12 bits, most significant bit first. A full table stays as it is until it is cleared."""
    meter.charge(len(data) // _BYTES_PER_NODE)
    singles = [bytes((value,)) for value in range(256)]
    table: list[bytes] = [*singles, b"", b""]
    out: list[bytes] = []
    pending = 0  # output not yet counted: a call for each code would double the cost
    width, previous = 9, b""
    bits = held = 0
    for byte in data:
        held = (held << 8) | byte
        bits += 8
        if bits < width:
            continue
        bits -= width
        code = held >> bits
        held &= (1 << bits) - 1
        if code == _CLEAR:
            table = [*singles, b"", b""]
            width, previous = 9, b""
            continue
        if code == _END:
            break
        if code < len(table):
            entry = table[code]
        elif previous and code == len(table):
            entry = previous + previous[:1]
        else:
            meter.damaged = True
            break
        if previous and len(table) < _LARGEST_TABLE:
            table.append(previous + entry[:1])
            if len(table) + early_change >= 1 << width and width < 12:
                width += 1
        previous = entry
        out.append(entry)
        pending += len(entry)
        if pending > _IN_STEP:
            meter.add(pending)
            pending = 0
    meter.add(pending)
    return b"".join(out)


# ---- run lengths and the ASCII filters (7.4.2, 7.4.3, 7.4.5) -----------------------------------------


def run_length(data: bytes | memoryview, meter: Meter) -> bytes:
    """A length byte below 128 copies what follows, one above repeats the next byte, 128 ends the data."""
    meter.charge(len(data) // _BYTES_PER_NODE)
    out: list[bytes] = []
    at, size, pending = 0, len(data), 0
    while at < size:
        length = data[at]
        if length == 128:
            break
        if length < 128:
            piece = bytes(data[at + 1 : at + 2 + length])
            at += 2 + length
        else:
            piece = bytes(data[at + 1 : at + 2]) * (257 - length)
            at += 2
        out.append(piece)
        pending += len(piece)
        if pending > _IN_STEP:
            meter.add(pending)
            pending = 0
    meter.add(pending)
    return b"".join(out)


_NOT_HEX: Final = re.compile(rb"[^0-9A-Fa-f]+")
_NOT_85: Final = re.compile(rb"[^!-uz]+")
_GROUPS: Final = 4_096


def ascii_hex(data: bytes | memoryview, meter: Meter) -> bytes:
    """Two digits a byte up to `>`; a last single digit stands for its high half."""
    digits = _NOT_HEX.sub(b"", bytes(data).partition(b">")[0])
    if len(digits) % 2:
        digits += b"0"
    meter.add(len(digits) // 2)
    return unhexlify(digits)


def ascii_85(data: bytes | memoryview, meter: Meter) -> bytes:
    """Five characters for four bytes up to `~`; `z` is four zeros, and a last short group is cut."""
    raw = bytes(data)
    start = raw.find(b"<~", 0, 64) + 2 if raw[:64].lstrip()[:2] == b"<~" else 0
    digits = _NOT_85.sub(b"", raw[start:].partition(b"~")[0]).replace(b"z", b"!!!!!")
    lacking = -len(digits) % 5
    digits += b"u" * lacking
    out: list[bytes] = []
    for at in range(0, len(digits), 5 * _GROUPS):
        block = digits[at : at + 5 * _GROUPS]
        values = [
            (((((a - 33) * 85 + b - 33) * 85 + c - 33) * 85 + d - 33) * 85 + e - 33) & 0xFFFFFFFF
            for a, b, c, d, e in zip(block[::5], block[1::5], block[2::5], block[3::5], block[4::5], strict=True)
        ]
        meter.add(4 * len(values))
        out.append(struct.pack(f">{len(values)}I", *values))
    decoded = b"".join(out)
    return decoded[: len(decoded) - lacking] if lacking else decoded


# ---- predictors (7.4.4.4) -----------------------------------------------------------------------------


_UP: Final = 2
_LOW_BYTE: Final = (255).__and__


def predicted(data: bytes, meter: Meter, *, predictor: int, colors: int, bits: int, columns: int) -> bytes:
    """Undoes TIFF's predictor 2 (8 bits a component) and PNG's 10 to 15; any other leaves the data as it is."""
    if predictor < 2 or not data:
        return data
    meter.charge(len(data) // _BYTES_PER_NODE)
    # A row cannot be longer than the data, whatever is declared.
    pixel = max(1, min(colors, 32) * min(max(bits, 1), 32) // 8)
    row = max(
        1, min((min(max(colors, 1), 32) * min(max(bits, 1), 32) * min(max(columns, 1), 1 << 30) + 7) // 8, len(data))
    )
    if predictor == 2:
        return _tiff(data, pixel, row) if bits == 8 else data
    return _png(data, pixel, row, meter)


def _tiff(data: bytes, pixel: int, row: int) -> bytes:
    return b"".join(_sub(data[start : start + row], pixel) for start in range(0, len(data), row))


def _png(data: bytes, pixel: int, row: int, meter: Meter) -> bytes:
    """Each row has its filter in front (PNG specification, 9.2)."""
    kinds = data[:: row + 1]
    if kinds.count(_UP) == len(kinds) >= row and len(data) % (row + 1) == 0:
        return _up(data, row)
    out: list[bytes] = []
    above = bytes(row)
    for start in range(0, len(data), row + 1):
        kind, line = data[start], data[start + 1 : start + 1 + row]
        if kind == 1:
            line = _sub(line, pixel)
        elif kind == _UP:
            line = bytes([(value + up) & 255 for value, up in zip(line, above, strict=False)])
        elif kind == 3:
            line = _average(line, above, pixel)
        elif kind == 4:
            line = _paeth(line, above, pixel)
        elif kind > 4:
            meter.damaged = True
        out.append(line)
        above = line if len(line) == row else line + bytes(row - len(line))
    return b"".join(out)


def _up(data: bytes, row: int) -> bytes:
    """Rows that each say by how much they differ from the one above, as all of a cross-reference stream do: by columns."""
    out = bytearray(len(data) // (row + 1) * row)
    for column in range(row):
        out[column::row] = bytes(map(_LOW_BYTE, accumulate(data[1 + column :: row + 1])))
    return bytes(out)


def _sub(line: bytes, pixel: int) -> bytes:
    undone = bytearray(len(line))
    for channel in range(min(pixel, len(line))):
        undone[channel::pixel] = bytes(value & 255 for value in accumulate(line[channel::pixel]))
    return bytes(undone)


def _average(line: bytes, above: bytes, pixel: int) -> bytes:
    undone = bytearray(line)
    for at, value in enumerate(line):
        left = undone[at - pixel] if at >= pixel else 0
        undone[at] = (value + (left + above[at]) // 2) & 255
    return bytes(undone)


def _paeth(line: bytes, above: bytes, pixel: int) -> bytes:
    undone = bytearray(line)
    for at, value in enumerate(line):
        left = undone[at - pixel] if at >= pixel else 0
        corner = above[at - pixel] if at >= pixel else 0
        up = above[at]
        estimate = left + up - corner
        to_left, to_up, to_corner = abs(estimate - left), abs(estimate - up), abs(estimate - corner)
        nearest = left if to_left <= to_up and to_left <= to_corner else up if to_up <= to_corner else corner
        undone[at] = (value + nearest) & 255
    return bytes(undone)
