"""The names in an archive, whole, moved, cut or forged."""

from __future__ import annotations

import io
import zipfile

from hypothesis import given
from hypothesis import strategies as st

from fumehood.loaders.shared.zip_names import MAX_NAMES, entries, start_of


def archive(**bodies: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as package:
        for name, body in bodies.items():
            package.writestr(name, body, zipfile.ZIP_STORED if name == "plain" else zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def test_names_and_first_bytes_of_a_whole_archive() -> None:
    data = archive(Packed=b"x" * 500, plain=b"as it is")
    found = entries(data)
    assert list(found) == ["packed", "plain"]
    assert start_of(data, found["plain"]) == b"as it is"
    assert start_of(data, found["packed"], 10) == b"x" * 10


def test_junk_in_front_moves_everything() -> None:
    data = b"junk " * 100 + archive(plain=b"as it is")
    assert start_of(data, entries(data)["plain"]) == b"as it is"


def test_without_a_directory_the_local_headers_are_read() -> None:
    data = archive(Packed=b"x" * 500, plain=b"as it is")
    assert list(entries(data[:-60])) == ["packed", "plain"]


def test_the_names_are_bounded() -> None:
    assert (
        len(entries(b"".join(b"PK\x03\x04" + bytes(22) + b"\x04\0\0\0" + b"%04d" % (n % 10_000) for n in range(5_000))))
        == MAX_NAMES
    )


@given(st.binary(max_size=300), st.integers(-5, 400))
def test_any_bytes_have_names_or_none(data: bytes, at: int) -> None:
    for found in (entries(data), entries(archive(plain=b"x") + data), entries(b"PK\x03\x04" + data)):
        assert all(isinstance(name, str) for name in found)
    assert isinstance(start_of(b"PK\x03\x04" + data, at), bytes)
