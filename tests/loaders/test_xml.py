"""XML of any vocabulary: fields, prose, attributes, comments; with the paths of their elements."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import Limits, kinds
from fumehood.document import Document
from fumehood.errors import Refusal
from fumehood.kinds import ReadOptions
from fumehood.sandbox.loading import read_in_process

XML = kinds.get("xml")


def read(data: bytes | str, limits: Limits | None = None, **options: object) -> Document:
    raw = data if isinstance(data, bytes) else data.encode()
    return read_in_process(XML, raw, limits, ReadOptions(**options))  # type: ignore[arg-type]


def found(document: Document) -> list[tuple[str, str, str | None]]:
    return [
        (block.role, document.text[block.start : block.end], block.locator.path if block.locator else None)
        for block in document.blocks
    ]


def codes(document: Document) -> list[tuple[str, int | str | None]]:
    return [(notice.code, notice.detail) for notice in document.notices]


def test_short_elements_are_the_fields_of_a_record() -> None:
    document = read(
        "<library><book id='7' lang='en'><title>Tides</title><year>1998</year></book>\n"
        "<book><title>Winds</title><empty/></book></library>"
    )
    assert found(document) == [
        ("record", 'book id="7" lang="en"\ntitle: Tides\nyear: 1998', "/library/book"),
        ("record", "title: Winds", "/library/book[2]"),
    ]


def test_mixed_and_long_elements_are_paragraphs() -> None:
    prose = "word " * 50
    document = read(f"<doc><p>Some <b>bold <i>and</i></b>\n <i>text</i>.</p><p>{prose}</p><p n='1'>{prose}</p></doc>")
    assert found(document) == [
        ("paragraph", "Some bold and\ntext.", "/doc/p"),
        ("paragraph", prose.strip(), "/doc/p[2]"),
        ("paragraph", f'p n="1": {prose.strip()}', "/doc/p[3]"),
    ]
    assert document.notices == ()


def test_attributes_within_mixed_text_are_left_out_and_said() -> None:
    document = read("<p>See <a href='x'>this</a> and <a href='y'>that</a></p>")
    assert document.text == "See this and that"
    assert codes(document) == [("layout-simplified", 2)]


def test_what_comes_before_and_behind_the_first_text_of_an_element_is_of_one_paragraph() -> None:
    assert found(read("<a><b>x</b><c>y</c> z</a>")) == [("paragraph", "xy z", "/a")]
    assert found(read("<a><b>x<i>y</i></b> <b>u</b> v</a>")) == [("paragraph", "xy u v", "/a")]


def test_comments_are_not_visible_and_cdata_and_references_are_text() -> None:
    document = read("<!-- licence --><a><!-- b --><c>d &amp; <![CDATA[<e>]]> &#169;</c></a><?pi x?>")
    assert found(document) == [
        ("comment", "licence", None),
        ("comment", "b", "/a"),
        ("record", "c: d & <e> ©", "/a"),
    ]
    assert [block.visible for block in document.blocks] == [False, False, True]
    assert codes(document) == [("hidden-text", 2)]


def test_names_are_local() -> None:
    document = read("<n:a xmlns:n='urn:x' xmlns='urn:y'><b n:c='1'>d</b></n:a>")
    assert found(document) == [("record", 'b c="1": d', "/a")]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("<?xml version='1.0' encoding='iso-8859-1'?><a>\u00e9</a>".encode("latin-1"), "a: é"),
        ("<?xml version='1.0' encoding='windows-1251'?><a>Привет</a>".encode("cp1251"), "a: Привет"),
        ("<?xml version='1.0' encoding='shift_jis'?><a>日本</a>".encode("cp932"), "a: 日本"),
        ("<?xml version='1.0' encoding='utf-16'?><a>é</a>".encode("utf-16"), "a: é"),
        ("<?xml version='1.0'?><a>é</a>".encode("utf-8-sig"), "a: é"),
        ("<a>é</a>".encode(), "a: é"),
        ("<a>é ça va, à bientôt</a>".encode("cp1252"), "a: é ça va, à bientôt"),
        ("<?xml version='1.0' encoding='iso-2022-jp'?><a>日本</a>".encode("iso2022-jp"), "a: 日本"),
        (b"<?xml version='1.0' encoding='utf-7'?><a>+ADw-b+AD4-</a>", "a: +ADw-b+AD4-"),
        (b"<?xml version='1.0' encoding='utf-8'?><a>plain</a>", "a: plain"),
    ],
)
def test_encodings(data: bytes, text: str) -> None:
    assert read(data).text == text


def test_the_caller_may_know_the_encoding() -> None:
    assert read("<a>é</a>".encode("cp1252"), charset="latin1").text == "a: é"


@pytest.mark.parametrize(
    "data",
    [
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
        "<!DOCTYPE a [<!ENTITY % b SYSTEM 'file:///etc/passwd'> %b;]><a/>",
        "<a>&undefined;</a>",
        "<a><b></a>",
        "<a/><b/>",
        "",
        "words",
    ],
)
def test_document_types_and_broken_xml_are_refused(data: str) -> None:
    with pytest.raises(Refusal) as refused:
        read(data)
    assert refused.value.code == "malformed"


def test_a_document_type_that_declares_nothing_is_passed_over() -> None:
    for doctype in ("<!DOCTYPE a>", "<!DOCTYPE plist PUBLIC '-//x//y' 'http://a.example/b.dtd'>"):
        assert read(f"<?xml version='1.0'?>\n{doctype}\n<a>b</a>").text == "a: b"


def test_a_declaration_is_passed_over_where_it_is_one() -> None:
    assert read("<!-- c -->\n<?xml version='1.0'?><a>x</a>").visible_text == "a: x"
    assert "version" in read("<a><![CDATA[<?xml version='1.0'?>]]></a>").text


def test_spaces_behind_the_start_of_a_declaration_take_no_time() -> None:
    began = time.thread_time()
    with pytest.raises(Refusal):
        read("<?xml" + " " * 200_000)
    assert time.thread_time() - began < 2


def test_broken_xml_may_be_read_as_text() -> None:
    document = read("<a><b>words</a>", lenient=True)
    assert document.text == "<a><b>words</a>"
    assert codes(document) == [("unparsed", None)]


@pytest.mark.parametrize(
    ("data", "limits", "code"),
    [
        ("<a>" * 300 + "</a>" * 300, Limits(), "nesting"),
        ("<r>" + "<a/>" * 200 + "</r>", Limits(xml_elements=100), "xml-elements"),
        ("<r " + " ".join(f"a{n}=''" for n in range(200)) + "/>", Limits(nodes=100), "nodes"),
    ],
)
def test_size_is_bounded(data: str, limits: Limits, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        read(data, limits)
    assert refused.value.code == code


def test_long_names_within_each_other_do_not_multiply() -> None:
    name = "n" * 1_000
    document = read(f"<{name}>" * 200 + "<a>x</a>" * 100 + f"</{name}>" * 200)
    assert len(document.text) < 1_000
    assert all(len(path or "") <= 1_024 for _, _, path in found(document))


_TREES = st.recursive(
    st.text("ab é\n<&", max_size=6).map(lambda text: text.replace("&", "&amp;").replace("<", "&lt;")),
    lambda inner: st.tuples(st.sampled_from("xyz"), st.lists(inner, max_size=4)).map(
        lambda made: f"<{made[0]}>{''.join(made[1])}</{made[0]}>"
    ),
    max_leaves=15,
)


@given(_TREES)
def test_every_word_is_kept_once_and_in_order(tree: str) -> None:
    import re
    from html import unescape

    wanted = [unescape(word) for word in re.sub(r"</?[xyz]>", "", tree).split()]
    text = re.sub(r"(?m)^(?:[xyz]: )", "", read(f"<r>{tree}</r>").text).removeprefix("r: ")
    assert re.sub(r"[\s\\]", "", text) == "".join(wanted)
