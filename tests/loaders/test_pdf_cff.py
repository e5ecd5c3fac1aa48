"""The encodings of compact fonts."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import ReadOptions
from fumehood.kinds import get
from fumehood.loaders.shared.pdf_cff import builtin_encoding
from fumehood.sandbox.loading import read_in_process
from tests.loaders.pdf_writer import document


def index(*objects: bytes) -> bytes:
    if not objects:
        return b"\0\0"
    offsets, at = bytearray([1]), 1
    for one in objects:
        at += len(one)
        offsets.append(at)
    return len(objects).to_bytes(2, "big") + b"\1" + bytes(offsets) + b"".join(objects)


def number(value: int) -> bytes:
    return b"\x1d" + value.to_bytes(4, "big")


def font(encoding: bytes, charset: bytes, *strings: bytes) -> bytes:
    """A font without outlines: header, names, Top DICT, strings, then the encoding and the charset."""
    start = b"\1\0\4\1" + index(b"X")
    at = len(start) + len(index(bytes(12))) + len(index(*strings))
    top = number(at) + b"\x10" + number(at + len(encoding)) + b"\x0f"
    return start + index(top) + index(*strings) + encoding + charset


def sid(*identifiers: int) -> bytes:
    return b"".join(one.to_bytes(2, "big") for one in identifiers)


NAMES = {1: "A", 2: "fi", 7: "gamma"}
FORMATS = {
    "lists": font(b"\0\3\1\2\7", b"\0" + sid(34, 109, 391), b"gamma"),
    "ranges of codes": font(b"\1\2\1\1\7\0", b"\0" + sid(34, 109, 391), b"gamma"),
    "ranges of names": font(b"\0\3\1\2\7", b"\1" + sid(34) + b"\0" + sid(109) + b"\0" + sid(391) + b"\0", b"gamma"),
    "long ranges": font(b"\0\3\1\2\7", b"\2" + sid(34, 0, 109, 0, 391, 500), b"gamma"),
}


@pytest.mark.parametrize("form", FORMATS)
def test_codes_have_names(form: str) -> None:
    assert builtin_encoding(FORMATS[form]) == NAMES


def test_a_predefined_encoding_is_not_told() -> None:
    assert builtin_encoding(b"\1\0\4\1" + index(b"X") + index(b"\x8b\x10") + index()) == {}


@pytest.mark.parametrize("cut", range(1, len(FORMATS["lists"]), 3))
def test_a_font_that_is_cut(cut: int) -> None:
    with suppress(IndexError, ValueError):
        builtin_encoding(FORMATS["lists"][:cut])


@given(st.binary(max_size=200))
def test_junk(data: bytes) -> None:
    with suppress(IndexError, ValueError):
        builtin_encoding(b"\1\0\4\1" + data)


@pytest.mark.parametrize(("encoding", "text"), [("", "Afi\u03b3"), ("/Encoding<</Differences[7/delta]>>", "Afi\u03b4")])
def test_text_is_read_by_the_fonts_own_encoding(encoding: str, text: str) -> None:
    objects: dict[str, bytes | tuple[bytes, str]] = {
        "C": (FORMATS["lists"], "/Subtype/Type1C"),
        "F": b"<</Type/Font/Subtype/Type1/BaseFont/X/FirstChar 0/LastChar 9/Widths[%s]%s/FontDescriptor"
        b"<</Type/FontDescriptor/FontName/X/Flags 4/FontFile3 {C}>>>>" % (b"500 " * 10, encoding.encode()),
    }
    data = document([b"BT /F2 12 Tf 50 700 Td <010207> Tj ET"], resources="/Font<</F2 {F}>>", objects=objects)
    assert read_in_process(get("pdf"), data, options=ReadOptions()).text == text
