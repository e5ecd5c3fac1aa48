"""What style hides: inline declarations, and rules with simple selectors."""

from __future__ import annotations

import pytest

from fumehood.errors import Refusal
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared.html_style import NOTHING, StyleSheet, color, inline


@pytest.mark.parametrize(
    "style",
    [
        "display:none",
        "color:red; DISPLAY : none !important",
        "mso-hide:all",
        "content-visibility: hidden",
    ],
)
def test_what_is_not_there(style: str) -> None:
    assert inline(style).display == "none"


@pytest.mark.parametrize(
    "style",
    [
        "opacity:0",
        "position:absolute;left:-9999px",
        "position: fixed; top: -100em",
        "text-indent:-9999px",
        "width:0;height:0;overflow:hidden",
        "overflow: hidden; max-height: 0px",
        "position:absolute;width:1px;height:1px;overflow:hidden",
        "position:absolute;clip:rect(0 0 0 0)",
        "position:absolute;clip:rect(1px, 1px, 1px, 1px)",
    ],
)
def test_what_nobody_sees(style: str) -> None:
    assert inline(style).unseen


@pytest.mark.parametrize(
    "style",
    [
        "",
        "opacity:.5",
        "position:absolute;left:-20px",
        "text-indent:-1.5em",
        "width:0",
        "height:0",
        "overflow:hidden;height:20px",
        "display:block",
        "font-size:1px",
        "left:-9999px",
        "color:white",
        "background:url(display:none)",
    ],
)
def test_what_is_seen(style: str) -> None:
    effect = inline(style)
    assert effect.display != "none"
    assert not effect.unseen
    assert not effect.tiny


@pytest.mark.parametrize(("style", "tiny"), [("font-size:0", True), ("font:0/0 a", True), ("font-size:12px", False)])
def test_letters_without_size(style: str, tiny: bool) -> None:
    assert inline(style).tiny is tiny


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("#FFF", "ffffff"),
        ("#ffffff", "ffffff"),
        ("White", "ffffff"),
        ("rgb(255, 255,255)", "ffffff"),
        ("rgba(1,2,3,0)", "transparent"),
        ("inherit", None),
        ("var(--x)", None),
    ],
)
def test_colours_are_compared_by_what_they_are(value: str, wanted: str | None) -> None:
    assert color(value) == wanted


def sheet(text: str) -> StyleSheet:
    found = StyleSheet(Budget(Limits()))
    found.add(text)
    return found


def test_a_rule_asks_for_type_class_and_id() -> None:
    rules = sheet("p.a, #b { display: none } /* .c {display:none} */ .d.e{visibility:hidden}")
    assert rules.effect("p", "x a", "").display == "none"
    assert rules.effect("div", "a", "").display is None
    assert rules.effect("div", "", "b").display == "none"
    assert rules.effect("p", "c", "") == NOTHING
    assert rules.effect("p", "d", "") == NOTHING
    assert rules.effect("p", "e d", "").shown is False


def test_the_more_special_rule_wins_and_then_the_later_one() -> None:
    assert sheet(".a.b{display:block} .a{display:none}").effect("p", "a b", "").display == "block"
    assert sheet(".a{display:none} .a{display:block}").effect("p", "a", "").display == "block"


def test_rules_of_other_media_and_places_do_not_count() -> None:
    rules = sheet(
        "@media print { .a {display:none} } @supports (x:y) {.b {display:none}} div .c, .d:hover, .e>p {display:none}"
        "@media screen { .f {display: none} } .g {display:none"
    )
    assert [rules.effect("p", name, "").display for name in "abcdefg"] == [None] * 5 + ["none", "none"]


def test_rules_that_every_element_is_asked_of_are_counted() -> None:
    rules = StyleSheet(Budget(Limits(nodes=1_000)))
    rules.add("".join(f".a.b{number}{{display:none}}" for number in range(200)))
    for number in range(4):
        rules.effect("p", f"a c{number}", "")
    with pytest.raises(Refusal) as caught:
        [rules.effect("p", f"a d{number}", "") for number in range(4)]
    assert caught.value.code == "nodes"
