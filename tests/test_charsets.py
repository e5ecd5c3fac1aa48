"""Labels of encodings, as callers and documents spell them."""

from __future__ import annotations

import pytest

from fumehood.charsets import charset
from fumehood.errors import CHARSETS


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("UTF-8", "utf-8"),
        (" utf8 ", "utf-8"),
        ("utf-16le", "utf-16-le"),
        ("Windows-1252", "cp1252"),
        ("iso-8859-1", "cp1252"),
        ("us-ascii", "cp1252"),
        ("latin2", "iso8859-2"),
        ("ISO_8859-7:1987", "iso8859-7"),
        ("shift_jis", "cp932"),
        ("gb2312", "gb18030"),
        ("euc-kr", "cp949"),
        ("macintosh", "mac-roman"),
        ("x-mac-cyrillic", "mac-cyrillic"),
        ("cp037", "cp037"),
        ("iso2022_jp", "iso2022-jp"),
    ],
)
def test_labels_of_the_web_and_names_of_codecs(label: str, name: str) -> None:
    assert charset(label) == name


@pytest.mark.parametrize(
    "label", ["", "klingon", "rot13", "idna", "unicode_escape", "base64", "../utf-8", "a" * 10_000]
)
def test_what_is_no_charset_is_the_callers_mistake(label: str) -> None:
    with pytest.raises(ValueError, match="no charset"):
        charset(label)


def test_every_name_we_may_report_is_a_codec_that_can_be_asked_for() -> None:
    for name in CHARSETS:
        assert isinstance(b"a".decode(name, "replace"), str)
        assert charset(name) in CHARSETS
