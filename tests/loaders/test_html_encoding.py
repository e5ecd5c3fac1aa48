"""The encoding of a page: a mark, what the caller knows, what the page declares, and then a guess."""

from __future__ import annotations

import time

import pytest

from fumehood import kinds
from fumehood.kinds import ReadOptions
from fumehood.loaders.shared.html_encoding import declared
from fumehood.sandbox.loading import read_in_process

HTML = kinds.get("html")


def text_of(data: bytes, charset: str | None = None) -> str:
    return read_in_process(HTML, data, options=ReadOptions(charset=charset)).text


# The cases of the standard's prescan (WHATWG HTML, 13.2.3.2), in the manner of html5lib's encoding tests.
@pytest.mark.parametrize(
    ("head", "wanted"),
    [
        (b"<meta charset=euc-jp>", "euc-jp"),
        (b"<META CharSet = 'EUC-JP'>", "euc-jp"),
        (b'<meta charset="euc-jp"', None),
        (b"<meta/charset=euc-jp/>", None),
        (b"<meta/charset=euc-jp />", "euc-jp"),
        (b"<meta x='>' charset=euc-jp>", "euc-jp"),
        (b"<metacharset=euc-jp>", None),
        (b"<meta charset=nonsense><meta charset=euc-jp>", "euc-jp"),
        (b"<meta charset=euc-jp charset=big5>", "euc-jp"),
        (b"<meta http-equiv=Content-Type content='text/html; charset=euc-jp'>", "euc-jp"),
        (b"<meta content='text/html; charset=euc-jp' http-equiv=content-type>", "euc-jp"),
        (b"<meta http-equiv=content-type content='charset = \"euc-jp\"'>", "euc-jp"),
        (b"<meta content='text/html; charset=euc-jp'>", None),
        (b"<meta http-equiv=refresh content='charset=euc-jp'>", None),
        (b"<!-- <meta charset=big5> --><meta charset=euc-jp>", "euc-jp"),
        (b"<!--><meta charset=euc-jp>-->", "euc-jp"),
        (b"<!-- <meta charset=euc-jp>", None),
        (b"<?x <meta charset=big5>?><meta charset=euc-jp>", "euc-jp"),
        (b"<!x <meta charset=big5><meta charset=euc-jp>", "euc-jp"),
        (b"<a title='<meta charset=big5>'><meta charset=euc-jp>", "euc-jp"),
        (b"</meta charset=big5><meta charset=euc-jp>", "euc-jp"),
        (b"<script>'<meta charset=euc-jp>'</script>", "euc-jp"),
        (b" " * 1010 + b"<p><meta charset=euc-jp>", None),
        (b" " * 900 + b"<meta charset=euc-jp>", "euc-jp"),
        (b"<meta charset=iso-8859-1>", "cp1252"),
        (b"<meta charset=us-ascii>", "cp1252"),
        (b"<meta charset=gb2312>", "gb18030"),
        (b"<meta charset=shift_jis>", "cp932"),
        (b"<meta charset=ks_c_5601-1987>", "cp949"),
        (b"<meta charset=utf-16>", "utf-8"),
        (b"<meta charset=utf-16le>", "utf-8"),
        (b"<meta charset=x-user-defined>", "cp1252"),
        (b"<meta charset=utf-7>", None),
        (b"<meta charset=utf-32>", None),
        (b"<?xml version='1.0' encoding='iso-8859-2'?>", "iso8859-2"),
        (b"<?xml version='1.0' encoding='big5'?><meta charset=euc-jp>", "euc-jp"),
        (b"", None),
        (b"no markup at all", None),
        (b"<meta", None),
        (b"<", None),
    ],
)
def test_what_is_declared(head: bytes, wanted: str | None) -> None:
    assert declared(head) == wanted


# Every kind of case that html5lib's encoding tests have, but what a script would write.
@pytest.mark.parametrize(
    ("head", "wanted"),
    [
        (b"<!DOCTYPE html><meta charset='koi8-r'>", "koi8-r"),
        (b"<!DOCTYPE html><meta\ncharset=koi8-r>", "koi8-r"),
        (b'<meta charset="\nkoi8-r\n">', "koi8-r"),
        (b"<meta charset=\nkoi8-r\n>", "koi8-r"),
        (b"<meta    charset  =   'koi8-r'>", "koi8-r"),
        (b"<meta charset=koi8-r><meta charset=iso-8859-1>", "koi8-r"),
        (b"<meta charset=bogus><meta charset=koi8-r>", "koi8-r"),
        (b"<!--<meta charset=iso-8859-1>--><meta charset=koi8-r>", "koi8-r"),
        # Quotes that are not closed, or stand where none are expected.
        (b'<meta charset="koi8-r><p>"</p>', None),
        (b'<meta charset=koi8-r"><p>"</p>', None),
        (b'<meta " charset=koi8-r><p>"</p>', "koi8-r"),
        (b'<meta x" charset=koi8-r><p>"</p>', "koi8-r"),
        (b'<meta x=" charset=koi8-r><p>"</p>', None),
        (b"<meta x=\"' charset=koi8-r><p>\"'</p>", None),
        (b"<meta x='\" charset=koi8-r><p>'\"</p>", None),
        (b'<meta x="" charset=koi8-r>', "koi8-r"),
        (b'<meta x=y" charset=koi8-r><p>"</p>', "koi8-r"),
        (b'<p title="x><meta charset=koi8-r><p>"</p>', None),
        (b'<p title="x>"><meta charset=koi8-r><p>"</p>', "koi8-r"),
        # What a pragma must be, and what it may say.
        (b"<meta http-equiv=Content-Type content=text/html; charset=koi8-r>", "koi8-r"),
        (b"<meta content='\ntext/html; charset=koi8-r\n' http-equiv=Content-Type>", "koi8-r"),
        (b"<meta http-equiv='Content-Type ' content='text/html; charset=koi8-r'>", None),
        (b"<meta content='text/html; charset=koi8-r' http-equiv='Content-Type>'>", None),
        (b"<meta http-equiv=Content-Style-Type content='text/css; charset=koi8-r'>", None),
        (b"<meta name=Content-Style-Type content='text/css; charset=koi8-r'>", None),
        (b"<meta content=' text/html; charset = koi8-r '>", None),
        (b"<meta http-equiv='Content-Type content='text/html; charset=koi8-r'>", None),
        (b"<meta http-equiv=Content-Type content=\"text/html; charset='koi8-r'\">", "koi8-r"),
        (b'<meta http-equiv=Content-Type content="text/html; charset=\'koi8-r">', None),
        # The prescan takes no notice of elements.
        (b"<p><meta charset=koi8-r></p>", "koi8-r"),
        (b"<style type=text/plain><meta charset=koi8-r></style>", "koi8-r"),
        (b"<script>document.write('<meta charset=koi8-r>')</script>", "koi8-r"),
        (b"<html a=\xc3\xb1><meta charset=koi8-r>", "koi8-r"),
        (b"<html \xc3\xb1><meta charset=koi8-r>", "koi8-r"),
        (b"<html>\xc3\xb1<meta charset=koi8-r>", "koi8-r"),
        # Cut off anywhere.
        (b"<!", None),
        (b'<meta charset = "', None),
        (b"<meta charset=koi8-r", None),
        (b"<meta <meta charset=koi8-r>", "koi8-r"),
        (b"<!-- --><meta http-equiv=Content-Type content='text/html; charset=koi8", None),
        (b"<meta http-equiv='Content-Type<meta charset='koi8-r'>", None),
        (b"<meta" + b" " * 1_100, None),
        (b"<meta charset" + b" " * 1_100 + b"=", None),
        # Behind the prescan it is the parser that meets it.
        *(
            (b"<!--" + b"x" * size + b"-->\n<meta charset=koi8-r>", "koi8-r")
            for size in (500, 980, 1_024, 4_096, 8_192)
        ),
        (b"<title>" + b"x" * 1_100 + b"</title><meta http-equiv=content-type content='x;charset=koi8-r'>", "koi8-r"),
        (b"<script>/*" + b"x" * 1_100 + b"*/'<p>'</script ><noscript></noscript><meta charset=koi8-r>", "koi8-r"),
        (b"<script>/*" + b"x" * 1_100 + b"*/'<meta charset=koi8-r>'</script>", None),
        (b"<style>" + b"x" * 1_100 + b"<meta charset=koi8-r>", None),
        (b"<head>" + b" " * 1_100 + b"</head><meta charset=koi8-r><body>", "koi8-r"),
        (b"<head>" + b" " * 1_100 + b"</head><body><meta charset=koi8-r>", None),
        (b"<head>" + b" " * 1_100 + b"<header><meta charset=koi8-r>", None),
    ],
)
def test_what_is_declared_as_html5lib_has_it(head: bytes, wanted: str | None) -> None:
    assert declared(head) == wanted


def test_a_declaration_is_looked_for_in_linear_time() -> None:
    def spent(times: int) -> float:
        start = time.process_time()
        for unit in (b"<meta <", b"<script>", b"<meta x='", b"<!--", b"<title"):
            assert declared(unit * times) is None
        return time.process_time() - start

    assert spent(24_000) < 20 * spent(4_000) + 0.1


def test_a_page_is_read_by_what_its_head_declares_late() -> None:
    page = (
        "<head><style>" + "p { color: red }\n" * 90 + "</style><meta charset=iso-8859-2></head><p>\u015a\u0142o\u0144ce"
    )
    assert text_of(page.encode("iso-8859-2")) == "\u015a\u0142o\u0144ce"


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("shift_jis", "cp932", "\u65e5\u672c\u8a9e\u306e\u30da\u30fc\u30b8"),
        ("euc-jp", "euc-jp", "\u65e5\u672c\u8a9e"),
        ("iso-8859-1", "cp1252", "m\u00f6s\u2014\u201cse\u201d"),
        ("windows-1251", "cp1251", "\u041f\u0440\u0438\u0432\u0435\u0442"),
        ("gb18030", "gb18030", "\u7535\u89c6\u673a"),
        ("utf-8", "utf-8", "\u05e9\u05dc\u05d5\u05dd"),
    ],
)
def test_a_declared_page_is_read_by_its_declaration(label: str, codec: str, text: str) -> None:
    assert text_of(f"<meta charset={label}><p>{text}".encode(codec)) == text


def test_a_mark_wins_over_all() -> None:
    data = "\ufeff<meta charset=shift_jis><p>caf\u00e9".encode()
    assert text_of(data) == "caf\u00e9"
    assert text_of(data, "cp1251") == "caf\u00e9"


def test_the_caller_wins_over_the_page() -> None:
    data = "<meta charset=utf-8><p>\u0416\u0443\u043a".encode("cp1251")
    assert text_of(data, "windows-1251") == "\u0416\u0443\u043a"


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_seen_without_being_declared(codec: str) -> None:
    assert text_of("<html><body><p>Some caf\u00e9".encode(codec)) == "Some caf\u00e9"


def test_undeclared_western_text_is_windows_1252() -> None:
    assert text_of(b"<p>It\x92s \x93quoted\x94") == "It\u2019s \u201cquoted\u201d"


def test_bytes_that_are_wrong_are_said() -> None:
    document = read_in_process(HTML, b"<meta charset=utf-8><p>a\xffb")
    assert document.text == "a\ufffdb"
    assert "repaired" in {notice.code for notice in document.notices}
