"""What the rules of all sheets of a page do to an element by where it stands."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from fumehood import kinds
from fumehood.document import Document
from fumehood.errors import Refusal
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared import css_rules
from fumehood.loaders.shared.css_rules import Sheet
from fumehood.loaders.shared.html_sheets import Place, Styles, StyleSheet, nowhere
from fumehood.loaders.shared.html_source import parse
from fumehood.loaders.shared.html_style import Effect
from fumehood.loaders.shared.tally import Tally
from fumehood.sandbox.loading import read_in_process

HTML = kinds.get("html")


def sheet(*texts: str) -> StyleSheet:
    budget = Budget(Limits())
    return StyleSheet([css_rules.read(text, budget) for text in texts], budget)


def at(rules: StyleSheet, *path: str) -> Effect:
    """What is done to the last of elements written as `name.class.class#id`, each in the one before."""
    place = rules.root
    assert place is not None
    for step in path:
        rest, _, identifier = step.partition("#")
        name, *classes = rest.split(".")
        found = place.element(name, " ".join(classes), identifier)
        place = found.inside()
    return found.effect


def seen(page: str, limits: Limits | None = None) -> str:
    return read_in_process(HTML, page.encode(), limits).visible_text


def page(style: str, body: str) -> str:
    return f"<!doctype html><style>{style}</style>{body}"


# ---- selectors -----------------------------------------------------------------------------------------------------


def test_a_rule_asks_for_type_class_and_id() -> None:
    rules = sheet("p.a, #b { display: none } .d.e{visibility:hidden}")
    assert at(rules, "p.x.a").display == "none"
    assert at(rules, "div.a").display is None
    assert at(rules, "div#b").display == "none"
    assert at(rules, "p.d").shown is None
    assert at(rules, "p.e.d").shown is False


def test_a_rule_asks_for_what_is_above() -> None:
    rules = sheet(".a p, .b > p, .c > .d .e > p {display:none}")
    assert at(rules, "div.a", "div", "p").display == "none"
    assert at(rules, "p.a").display is None
    assert at(rules, "div.b", "p").display == "none"
    assert at(rules, "div.b", "i", "p").display is None
    assert at(rules, "i.c", "i.d", "i", "i.e", "p").display == "none"
    # The nearest `.d` is no child of a `.c`, one above it is.
    assert at(rules, "i.c", "i.d", "i", "i.d", "i.e", "p").display == "none"
    assert at(rules, "i.c", "i", "i.d", "i.e", "p").display is None
    assert at(sheet("* > p{display:none}"), "p").display is None
    assert at(sheet("* > p{display:none}"), "div", "p").display == "none"


def test_the_cascade() -> None:
    """The more special rule wins, then the later one, of the later sheet; before all, what is important."""
    assert at(sheet(".a.b{display:block} .a{display:none}"), "p.a.b").display == "block"
    assert at(sheet("div .a{display:block} .a{display:none}"), "div", "p.a").display == "block"
    assert at(sheet(".a{display:none} .a{display:block}"), "p.a").display == "block"
    assert at(sheet(".a{display:none}", ".b{display:block}", ".a{display:none}"), "p.a.b").display == "none"
    assert at(sheet(".a{display:none!important} #b.a{display:block}"), "p.a#b").display == "none"


def test_elements_that_stand_alike_share_a_place() -> None:
    rules = sheet("ul .a{display:none}")
    root = rules.root
    assert isinstance(root, Place)
    assert root.element("ul", "x", "y") is root.element("ul", "z x", "")
    assert root.element("ul", "a", "") is not root.element("ul", "", "")
    flat = sheet(".a{display:none}").root
    assert flat is not None
    assert flat.element("p", "a", "").inside() is flat


def test_rules_that_every_element_is_asked_of_are_counted() -> None:
    style = "".join(f".a.b{number}{{display:none}}" for number in range(200))
    body = "".join(f"<p class='a b{number}'>x" for number in range(200))
    with pytest.raises(Refusal) as caught:
        seen(page(style, body), Limits(nodes=20_000))
    assert caught.value.code == "nodes"


def test_what_stands_above_is_counted() -> None:
    """Asked of every one of many nested elements, whether something stands above it that does not."""
    with pytest.raises(Refusal) as caught:
        seen(page(".x i{display:none}", "<i>" * 2_000), Limits(nodes=500_000))
    assert caught.value.code == "nodes"


# ---- pages -----------------------------------------------------------------------------------------------------------


def test_where_a_sheet_stands_makes_no_difference() -> None:
    assert seen("<p class=a>x<p>y<style>.a{display:none}</style>") == "y"


def test_a_page_within_has_sheets_of_its_own() -> None:
    inner = "<iframe srcdoc='<style>.b{display:none}</style><p class=a>1<p class=b>2'></iframe>"
    assert seen(page(".a{display:none}", f"<p class=a>3<p class=b>4{inner}<p class=a>5<p class=b>6")) == "4\n\n1\n\n6"


def test_lines_that_style_makes_within_a_paragraph_are_lines() -> None:
    verse = "<p><span class=l>one</span><span class=l>two <b>and</b></span></p>"
    assert seen(page(".l{display:block}", verse)) == "one\ntwo and"
    assert seen(page(".l{display:block}", verse.replace("p>", "div>"))) == "one\n\ntwo and"


def test_words_of_blocks_that_style_makes_are_not_joined() -> None:
    menu = "<div><a href=/x>One</a><a href=/y>Two</a><q>Three</q><img alt=Four><b>Five</b></div>"
    assert seen(page("div > * {display:block}", menu)) == "One\n\nTwo\n\n\u201cThree\u201d\n\nFour\n\nFive"
    assert seen(page("a, q, img, b {display:block}", menu.replace("div", "p"))) == (
        "One\nTwo\n\u201cThree\u201d\nFour\nFive"
    )


@pytest.mark.parametrize(
    ("head", "elsewhere"),
    [
        ("<link rel=stylesheet href=a.css>", 1),
        ("<link rel='Stylesheet' type=text/css media='print, screen' href=a.css><style>@import 'b.css';</style>", 2),
        ("<link rel=stylesheet media=print href=a.css>", 0),
        ("<link rel='alternate stylesheet' href=a.css><link rel=stylesheet><link rel=icon href=a>", 0),
        ("<link rel=stylesheet type=text/less href=a.less>", 0),
        ("<?xml-stylesheet type='text/css' href='a.css'?>", 1),
        ("<?xml-stylesheet type='text/xsl' href='a.xsl'?>", 0),
    ],
)
def test_sheets_in_other_files_are_said(head: str, elsewhere: int) -> None:
    document: Document = read_in_process(HTML, f"{head}<p>x".encode())
    assert [notice.detail for notice in document.notices if notice.code == "external-target"] == [elsewhere] * (
        elsewhere > 0
    )


def test_pages_with_the_same_sheets_share_them() -> None:
    budget = Budget(Limits())
    styles = Styles(Tally(), budget)
    found = css_rules.read(".a{display:none}", budget)

    def find(address: str) -> Sequence[Sheet]:
        return (found,)

    linked = parse("<link rel=stylesheet href=a>", budget)
    assert styles.of(linked, find) is styles.of(parse("<p><link rel=stylesheet href=b>", budget), find)
    assert styles.of(linked, find) is not styles.of(linked, nowhere)
