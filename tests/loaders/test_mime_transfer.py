"""Transfer encodings, whole and damaged."""

from __future__ import annotations

import base64
import binascii
import quopri

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.loaders.shared.mime_transfer import Decoded, decode, uu_file


@pytest.mark.parametrize(
    ("encoding", "data", "wanted"),
    [
        ("base64", b"aGVsbG8=", Decoded(b"hello")),
        (" BASE64 ", b"aGVs\r\n bG8\r\n", Decoded(b"hello")),
        ("base64", b"aGVs*bG8=", Decoded(b"hello", True)),
        ("base64", b"aGVsbG8=a", Decoded(b"hello", True)),
        ("base64", b"aGVsbG8=aGVsbG8=", Decoded(b"hellohello")),
        ("base64", b"aGVsbG8=\r\n____\r\nA list.", Decoded(b"hello", True, b"____\r\nA list.")),
        ("base64", b"aGVs\r\n\r\nA list!", Decoded(b"hel", True, b"A list!")),
        ("quoted-printable", b"a=3Db=\r\nc  \r\nd", Decoded(b"a=bc\r\nd")),
        ("quoted-printable", b"a=b 100% =\n", Decoded(b"a=b 100% ", True)),
        ("quoted-printable", b"=e9=C3=", Decoded(b"\xe9\xc3", True)),
        ("x-uuencode", b"x\nbegin 644 a.txt\n#0V%T\n`\nend\n", Decoded(b"Cat")),
        ("x-uuencode", b"begin 644 a.txt\n#0V%T", Decoded(b"Cat", True)),
        ("x-uuencode", b"no file", Decoded(b"no file", True)),
        ("8bit", b"\xe9", Decoded(b"\xe9")),
        ("unheard-of", b"a=3D", Decoded(b"a=3D")),
        ("", b"", Decoded(b"")),
    ],
)
def test_decoding(encoding: str, data: bytes, wanted: Decoded) -> None:
    assert decode(data, encoding) == wanted


@given(st.binary())
def test_what_is_encoded_well_comes_back(data: bytes) -> None:
    assert decode(base64.encodebytes(data), "base64") == Decoded(data)
    lines = data.replace(b"\r", b"")  # The encoder, not the decoder, makes all line ends alike.
    assert decode(quopri.encodestring(lines, quotetabs=True), "quoted-printable") == Decoded(lines)
    encoded = b"".join(binascii.b2a_uu(data[at : at + 45]) for at in range(0, len(data), 45))
    if data:
        assert decode(b"begin 600 x\n" + encoded + b"`\nend\n", "x-uuencode") == Decoded(data)


@given(st.binary(), st.sampled_from(["base64", "quoted-printable", "x-uuencode", "7bit"]))
def test_anything_is_decoded_somehow(data: bytes, encoding: str) -> None:
    decoded = decode(data, encoding)
    assert len(decoded.data) <= len(data)


def test_a_file_in_a_text() -> None:
    text = b"see\nbegin 644 a b.txt\r\n#0V%T\r\n`\r\nend\r\nyes"
    found = uu_file(text)
    assert found is not None
    assert (found.name, found.data, found.repaired) == (b"a b.txt", b"Cat", False)
    assert text[: found.start] + text[found.end :] == b"see\nyes"
    assert uu_file(text, found.end) is None
    assert uu_file(b"begin 644 things\nthat are not files\n") is None
