"""Names of entries: how they are decoded, compared, and which are forbidden."""

from __future__ import annotations

import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.limits import zip_names
from fumehood.limits.zip_names import UTF8_FLAG


def test_a_flagged_name_is_utf8_and_another_is_code_page_437() -> None:
    assert zip_names.decoded("größe".encode(), UTF8_FLAG) == "größe"
    assert zip_names.decoded(b"gr\x94\xe1e", 0) == "größe"
    assert zip_names.decoded(b"plain", 0) == zip_names.decoded(b"plain", UTF8_FLAG) == "plain"


def test_a_flag_that_is_not_true_is_an_error() -> None:
    with pytest.raises(UnicodeDecodeError):
        zip_names.decoded(b"\xff", UTF8_FLAG)


def test_a_name_is_read_as_utf8_where_it_can_be() -> None:
    assert zip_names.as_utf8("名".encode()) == "名"
    assert zip_names.as_utf8(b"gr\x94\xe1e") is None


def test_a_unicode_path_counts_while_it_is_of_this_name() -> None:
    field = b"\1" + struct.pack("<I", zlib.crc32(b"name")) + "名".encode()
    assert zip_names.unicode_path(b"name", field) == "名"
    assert zip_names.unicode_path(b"other", field) is None
    assert zip_names.unicode_path(b"name", b"\2" + field[1:]) is None
    assert zip_names.unicode_path(b"name", b"\1\0") is None


@pytest.mark.parametrize("name", ["/a", "C:/a", "c:a", "..", "../a", "a/../b", "a/..", "a\\b", "a\0", "\0"])
def test_names_that_aim_elsewhere_are_forbidden(name: str) -> None:
    assert zip_names.forbidden(name)


@pytest.mark.parametrize(
    "name", ["a", "a/b", "a..b", "..a", "a../b", "[trash]/0000.dat", "ab:c", "./a", "a//b", "a/", ""]
)
def test_names_that_are_merely_odd_are_not(name: str) -> None:
    assert not zip_names.forbidden(name)


@given(st.text())
def test_folding_changes_ascii_letters_only(name: str) -> None:
    folded = zip_names.folded(name)
    assert len(folded) == len(name)
    assert all(new == old or (old.isascii() and new == old.lower()) for old, new in zip(name, folded, strict=True))


def test_two_names_that_differ_in_case_are_ambiguous() -> None:
    assert zip_names.ambiguous(["word/a.xml", "Word/A.xml"])
    assert not zip_names.ambiguous(["É", "é", "a", "b"])
