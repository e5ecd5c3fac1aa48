"""What comes before the root element: its encoding, and no document type in any."""

from __future__ import annotations

import codecs
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fumehood import Refusal
from fumehood.limits.xml_prolog import MAX_PROLOG, in_utf8, root_start, without_document_type

BOMS = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE, "utf-8": codecs.BOM_UTF8}


def root_of(part: bytes) -> bytes:
    """The document from its root element's `<` on, in UTF-8."""
    text = in_utf8(part)
    return text[root_start(text, utf16=text is not part) :]


def refused(part: bytes) -> bool:
    try:
        root_of(part)
    except Refusal as refusal:
        return (refusal.code, refusal.stage) == ("malformed", "precheck")
    return False


PROLOGS = [
    "",
    "\n \t",
    '<?xml version="1.0"?>',
    '<?xml version="1.0" encoding="{encoding}" standalone="yes"?>\r\n',
    "<?xml version='1.0' encoding = '{encoding}'?>",
    '\n<?xml version="1.1" encoding="{encoding}"?>',
    "<!-- <!DOCTYPE a> -->",
    "<?pi <!DOCTYPE a> ?><!---->\n<!-- é -->",
    "<?xml-stylesheet href='a'?>",
]
ENCODINGS = ["utf-8", "utf-16-le", "utf-16-be"]


@pytest.mark.parametrize("bom", [True, False])
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("prolog", PROLOGS)
def test_the_root_is_found_behind_any_prolog(prolog: str, encoding: str, bom: bool) -> None:
    if not bom and prolog.startswith("\n") and encoding != "utf-8":
        pytest.skip("nothing says that this is UTF-16 (XML 1.0, appendix F)")
    text = prolog.replace("{encoding}", encoding[:6].upper()) + "<r>\u00e9</r>"
    part = (BOMS[encoding] if bom else b"") + text.encode(encoding)
    assert root_of(part) == "<r>\u00e9</r>".encode()


DOCTYPES = [
    "<!DOCTYPE r>",
    '<!DOCTYPE r [<!ENTITY a "aa">]>',
    '<!DOCTYPE r [<!ENTITY % p SYSTEM "http://localhost/x">%p;]>',
    '<!DOCTYPE r SYSTEM "file:///etc/passwd">',
    '<!DOCTYPE r PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://localhost/x">',
    "<!-- a --><!DOCTYPE r>",
    "<?pi?>\n<!DOCTYPE r>",
    "<!doctype r>",
    '<!ENTITY a "b">',
]


@pytest.mark.parametrize("bom", [True, False])
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("declaration", ["", '<?xml version="1.0" encoding="{encoding}"?>'])
@pytest.mark.parametrize("doctype", DOCTYPES)
def test_a_document_type_is_refused_in_every_encoding(doctype: str, declaration: str, encoding: str, bom: bool) -> None:
    text = declaration.replace("{encoding}", encoding[:6]) + doctype + "<r/>"
    assert refused((BOMS[encoding] if bom else b"") + text.encode(encoding))


@pytest.mark.parametrize("bom", [b"", b"\xff\xfe\0\0", b"\0\0\xfe\xff"])
@pytest.mark.parametrize("encoding", ["utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", ["<r/>", "<!DOCTYPE r><r/>"])
def test_utf32_is_not_read(text: str, encoding: str, bom: bytes) -> None:
    assert refused(bom + text.encode(encoding))


@pytest.mark.parametrize(
    "encoding", ["utf-7", "UTF_7", "utf-16", "iso-2022-jp", "hz-gb-2312", "cp037", "ucs-4", "johab", "klingon"]
)
def test_an_encoding_that_could_hide_markup_is_not_read(encoding: str) -> None:
    assert refused(f'<?xml version="1.0" encoding="{encoding}"?><r/>'.encode())


def test_ebcdic_is_not_read() -> None:
    assert refused('<?xml version="1.0" encoding="cp037"?><r/>'.encode("cp037"))


@pytest.mark.parametrize(
    "encoding", ["US-ASCII", "ISO-8859-1", "iso-8859-15", "windows-1252", "Shift_JIS", "GB18030", "koi8-r"]
)
def test_an_encoding_that_includes_ascii_is_the_parsers_business(encoding: str) -> None:
    assert root_of(f'<?xml version="1.0" encoding="{encoding}"?><!-- \u00e9 --><r/>'.encode("latin-1")) == b"<r/>"


def test_utf16_that_says_it_is_utf8_contradicts_itself() -> None:
    assert refused('<?xml version="1.0" encoding="UTF-8"?><r/>'.encode("utf-16"))


@pytest.mark.parametrize(
    "part",
    [
        b"",
        b"text",
        b"   ",
        b"<",
        b"</r>",
        b"<!",
        b"<!--",
        b"<!-- a",
        b"<?pi",
        b"<?xml version='1.0'",
        b"x<r/>",
        b"\0<r/>",
        b"\xff<r/>",
        b"<r/>".ljust(5, b"\0")[::-1],
        "<r/>".encode("utf-16")[:-1],
        b"<\0\0\xd8",
        b"<!-- a -- b --><r/>",
        b"<![CDATA[a]]><r/>",
        b"<?xml version='1.0'?><?xml version='1.0'?><r/>",
        b"<?xml encoding='utf-7'?><r/>",
        b"<?xml version='1.0' encoding=utf-7?><r/>",
        b"""<?xml version=" encoding='utf-8'" encoding='utf-7'?><r/>""",
    ],
)
def test_what_has_no_prolog_is_malformed(part: bytes) -> None:
    assert refused(part)


def test_a_prolog_has_an_end() -> None:
    assert root_of(b"<!--" + b"x" * (MAX_PROLOG - 20) + b"--><r/>") == b"<r/>"
    assert refused(b"<!---->" * (MAX_PROLOG // 7) + b"       <r/>")


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["<", "!", "<!", "--", ">", "<?", "?>", "DOCTYPE", " r", "[", "]", "<!--", "-->", "\n", "x", "é"]
        ),
        max_size=12,
    )
)
def test_no_way_around_the_search(pieces: list[str]) -> None:
    part = "".join([*pieces, "<!DOCTYPE r><r/>"]).encode()
    if not refused(part):
        # Then it is text inside something that is closed, or behind the root.
        assert re.match(rb"<[^!?/]", root_of(part))


EXTERNAL = [
    "<!DOCTYPE r>",
    "<!DOCTYPE office:document-content >",
    '<!DOCTYPE r SYSTEM "file:///etc/passwd">',
    "<!DOCTYPE r SYSTEM 'office.dtd' >",
    '<!DOCTYPE r PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "office.dtd">',
    "<!DOCTYPE\n\tr\n  PUBLIC '-//W3C//DTD XHTML 1.1//EN'\n  \"http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd\"\n>",
]


@pytest.mark.parametrize("bom", [True, False])
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("declaration", ["", '<?xml version="1.0" encoding="{encoding}"?>', "<!-- <!DOCTYPE a> -->\n"])
@pytest.mark.parametrize("doctype", EXTERNAL)
def test_a_document_type_that_declares_nothing_can_be_taken_out(
    doctype: str, declaration: str, encoding: str, bom: bool
) -> None:
    text = declaration.replace("{encoding}", encoding[:6]) + doctype + "<!-- b --><r>\u00e9</r>"
    part = (BOMS[encoding] if bom else b"") + text.encode(encoding)
    stripped = without_document_type(part)
    assert b"DOCTYPE r" not in in_utf8(stripped)
    assert root_of(stripped) == "<r>\u00e9</r>".encode()


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE r [<!ENTITY a "aa">]>',
        "<!DOCTYPE r []>",
        '<!DOCTYPE r SYSTEM "x.dtd" [<!ENTITY % p SYSTEM "http://localhost/x">%p;]>',
        '<!DOCTYPE r PUBLIC "-//X" "x.dtd"[]>',
        "<!DOCTYPE r><!DOCTYPE r>",
        '<!DOCTYPE r SYSTEM "x.dtd"><!DOCTYPE r [<!ENTITY a "b">]>',
        '<!DOCTYPE r SYSTEM "a>"<!ENTITY a "b">',
        "<!DOCTYPE r SYSTEM>",
        '<!DOCTYPE r PUBLIC "-//X">',
        '<!DOCTYPE "r">',
        "<!DOCTYPE r",
        "<!doctype r>",
        "<!DOCTYPEr>",
        "<!ENTITY a 'b'>",
    ],
)
def test_a_document_type_that_could_declare_something_stays_and_is_refused(doctype: str, encoding: str) -> None:
    part = BOMS[encoding] + (doctype + "<r/>").encode(encoding)
    assert refused(part)
    assert refused(without_document_type(part))


@pytest.mark.parametrize("part", [b"", b"<r/>", b"\n<!-- a --><r/>", b"<r><!DOCTYPE r></r>", b"text"])
def test_what_has_no_document_type_stays_as_it_is(part: bytes) -> None:
    assert without_document_type(part) is part


def test_an_encoding_that_could_hide_a_document_type_is_not_read() -> None:
    assert refused_to_strip(b'<?xml version="1.0" encoding="utf-7"?><!DOCTYPE r><r/>')
    assert refused_to_strip(b"<!-- a")


def refused_to_strip(part: bytes) -> bool:
    try:
        without_document_type(part)
    except Refusal as refusal:
        return (refusal.code, refusal.stage) == ("malformed", "precheck")
    return False
