"""Charsets of bodies: believed where they can be true."""

from __future__ import annotations

import pytest

from fumehood.loaders.shared.mail_charset import declared, known


@pytest.mark.parametrize(
    ("label", "data", "wanted"),
    [
        ("us-ascii", b"abc", "cp1252"),
        ("us-ascii", "é".encode(), None),
        ("us-ascii", b"\xe9", None),
        ("iso-8859-1", b"\xe9", "cp1252"),
        ("iso-8859-1", "é".encode(), None),
        ("utf-8", "é".encode(), "utf-8"),
        ("utf-8", b"\xe9", None),
        ("koi8-r", b"\xe9", "koi8-r"),
        ("iso-2022-jp", "é".encode(), None),
        ("gb2312", b"\xff", "gb18030"),
        ("unheard-of", b"abc", None),
        ("", b"abc", None),
        ("\u00e9", b"abc", None),
    ],
)
def test_labels(label: str, data: bytes, wanted: str | None) -> None:
    assert declared(label, data) == wanted


def test_what_a_label_means() -> None:
    assert known("KS_C_5601-1987") == "cp949"
    assert known("none") is None
