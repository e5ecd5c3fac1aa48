"""From source to tree: XHTML in HTML's words, and the bounds of the parser."""

from __future__ import annotations

import pytest

from fumehood.errors import Refusal
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared.html_nodes import text_of
from fumehood.loaders.shared.html_source import is_xml, loses_end, normalised, parse


def text(source: str, *, xml: bool = False) -> str:
    return text_of(parse(source, Budget(Limits()), xml=xml))


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("<title/>a", "a"),
        ("<script src='x'/>a<p/>b", "ab"),
        ("<a id='1' title=\"/>\" />b<br/>c", "bc"),
        ("<![CDATA[<b>&amp;]]>c", "<b>&amp;c"),
        ("<!DOCTYPE html [\n<!ENTITY x 'y'>\n]><p>a</p>", "a"),
        ("<p>a/>b</p>", "a/>b"),
        ("<p>a<![CDATA[b</p>", "a"),
    ],
)
def test_xhtml(source: str, wanted: str) -> None:
    assert text(source, xml=True) == wanted


def test_in_html_a_slash_closes_nothing() -> None:
    assert text("<title/>a") == text("<title>a")


def test_xml_says_so() -> None:
    assert is_xml("\ufeff <?xml version='1.0'?><html/>")
    assert is_xml("<!DOCTYPE html><html lang='en' xmlns='http://www.w3.org/1999/xhtml'>")
    assert not is_xml("<html><?xml version='1.0'?>")


def test_declarations_and_instructions_are_no_text() -> None:
    assert text("<?xml version='1.0'?><!DOCTYPE html><p>a<?php x ?><!x>b</ x>c") == "abc"


def test_where_nodes_stand_is_known() -> None:
    root = parse("<?x?>\n<p>a\n<b>b", Budget(Limits()))
    waiting, places = [root], {}
    while waiting:
        node = waiting.pop()
        places[node.name] = node.origin_offset
        waiting.extend(getattr(node, "children", None) or ())
    assert (places["p"], places["b"]) == (6, 11)


def test_many_brackets_take_linear_time_and_stay() -> None:
    assert text("a" + "<" * 20_000) == "a" + "<" * 20_000


@pytest.mark.parametrize(
    ("source", "lost"),
    [("a<!-- b", True), ("a<b c='d", True), ("<!-->a", False), ("<p>a</p>", False), ("a < b", False)],
)
def test_an_end_that_is_lost_is_seen(source: str, lost: bool) -> None:
    assert loses_end(source) is lost


def test_line_ends_are_newlines() -> None:
    assert normalised("a\r\nb\rc") == "a\nb\nc"


def test_elements_are_counted_before_the_parser_runs() -> None:
    with pytest.raises(Refusal) as caught:
        parse("<p>" * 11, Budget(Limits(nodes=10)))
    assert (caught.value.limit, caught.value.observed) == ("nodes", 11)


@pytest.mark.parametrize(
    "source",
    [
        "".join(f"<b id={number}>" for number in range(500)) + "<p>x" * 500,
        "".join(f"<i id={number}><div>" for number in range(500)) + "</i>" * 500,
    ],
)
def test_what_the_parser_does_again_and_again_is_counted(source: str) -> None:
    with pytest.raises(Refusal) as caught:
        parse(source, Budget(Limits(nodes=20_000)))
    assert caught.value.limit == "nodes"
