"""Font tables: which encoding the bytes of a font are in."""

from __future__ import annotations

import pytest

from fumehood import Limits
from fumehood.errors import CHARSETS
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import rtf_fonts
from fumehood.loaders.shared.rtf_fonts import Fonts, code_page


def fonts(table: bytes) -> Fonts:
    found = Fonts()
    found.read(table, Budget(Limits()))
    return found


def test_every_codec_is_one_that_is_kept_ready() -> None:
    used = {*rtf_fonts._CHARSETS.values(), *rtf_fonts._CODE_PAGES.values(), rtf_fonts.ANSI}
    assert used <= CHARSETS
    assert {code_page(page) for page in (0, -1, 99999, None)} == {None}


@pytest.mark.parametrize(
    ("entry", "encoding"),
    [
        (rb"{\f1\fcharset0 Arial;}", ("cp1252", None)),
        (rb"{\f1\fcharset1 Arial;}", ("cp1251", None)),
        (rb"{\f1\fcharset999 Arial;}", ("cp1251", None)),
        (rb"{\f1\fnil Arial;}", ("cp1251", None)),
        (rb"{\f1\fcharset238 Arial CE;}", ("cp1250", None)),
        (rb"{\f1\cpg932\fcharset0 Arial;}", ("cp932", None)),
        (rb"{\f1\fcharset2 Wingdings 2;}", ("cp1251", "wingdings 2")),
        (rb"{\f1\fnil{\*\panose 05}Symbol{\*\falt Arial};}", ("cp1251", "symbol")),
        (rb"{\f1\fcharset134 \'cb\'ce{\*\falt Symbol};}", ("gb18030", None)),
        (rb"\f0 x;\f1\fcharset161 Greek;\f2 y;", ("cp1253", None)),
        (rb"{\f1\fcharset161 a;}{\f1\fcharset204 b;}", ("cp1253", None)),
        (rb"{\f2\fcharset161 a;}", ("cp1251", None)),
    ],
)
def test_the_encoding_of_a_font(entry: bytes, encoding: tuple[str, str | None]) -> None:
    found = fonts(rb"\fonttbl" + entry)
    found.document = "cp1251"
    assert found.encoding(1) == encoding
    assert found.encoding(None) == ("cp1251", None)
