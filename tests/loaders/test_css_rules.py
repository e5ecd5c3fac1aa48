"""Rules out of the text of a style sheet: which count, and that reading them takes linear time."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.errors import Refusal
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared.css_rules import Compound, Rule, Sheet, is_for_screen, read


def sheet(text: str) -> Sheet:
    return read(text, Budget(Limits()))


def subjects(text: str) -> list[str]:
    """The classes that hide, in order."""
    return ["".join(rule.subject.classes) for rule in sheet(text).rules if rule.effect.display == "none"]


def only(text: str) -> Rule:
    (rule,) = sheet(text).rules
    return rule


def test_a_selector_is_its_chains_from_right_to_left() -> None:
    rule = only("DIV.a > .b  #c{display:none}")
    assert rule.chains == (
        (Compound("", frozenset(), "c"),),
        (Compound("", frozenset("b"), ""), Compound("div", frozenset("a"), "")),
    )
    assert rule.weight == (False, 1, 2, 1)
    assert only("*{display:none}").subject == Compound("", frozenset(), "")


@pytest.mark.parametrize(
    "selector", [".x:hover", ".x::before", "[x]", "a + b", "a ~ b", "> a", "a >", "a > > b", "", "&"]
)
def test_a_selector_that_asks_for_more_does_not_count(selector: str) -> None:
    assert sheet(f"{selector}, .a {{display:none}}").rules == sheet(".a{display:none}").rules


def test_what_is_important_is_a_rule_of_its_own() -> None:
    rules = sheet(".a{display:block; visibility:hidden!important}").rules
    assert [rule.weight[0] for rule in rules] == [False, True]


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("/* .b{display:none} */ .a{/*;*/display:none}", "a"),
        (".a{display:none", "a"),
        (".a{content:'}'; display:none} .b{display:none}", "ab"),
        (".a{background:url(x;{); display:none}", "a"),
        (".a{background:url( 'x;{' ); display:none}", "a"),
        (".a{content:'\\'}'; display:none}", "a"),
        ("@media print{.a{display:none}} .b{display:none}", "b"),
        ("@media screen, print{.a{display:none}} .b{display:none}", "ab"),
        ("@media (min-width:1px){.a{display:none}} @supports (x:y){.b{display:none}} .c{display:none}", "c"),
        ("@layer x{.a{display:none}} @font-face{src:url(a)} .b{display:none}", "ab"),
        (".a{color:red; .b{display:none} display:none} .c{display:none}", "ac"),
        ("} .a{display:none} .b{display:none}", "b"),
        ("<![CDATA[ .a{display:none} ]]> .b{display:none} .c{display:none}", "c"),
        ("<!-- .a{display:none} .b{display:none} -->", "ab"),
    ],
)
def test_structure(text: str, classes: str) -> None:
    assert "".join(subjects(text)) == classes


@pytest.mark.parametrize(
    ("text", "imports"),
    [
        ("@import 'a.css'; @import url(b.css) screen; @import url( \"c.css\" );", ("a.css", "b.css", "c.css")),
        ("@charset 'utf-8'; @import 'a.css'; p{color:red} @import 'late.css';", ("a.css",)),
        ("@import 'a.css' print; @import 'b.css' (min-width: 1px);", ()),
        ("/* @import 'a.css'; */", ()),
        ("@import 'a.css'", ("a.css",)),
    ],
)
def test_imports(text: str, imports: tuple[str, ...]) -> None:
    assert sheet(text).imports == imports


@pytest.mark.parametrize(
    ("media", "counts"),
    [
        ("", True),
        ("ALL", True),
        ("print, screen", True),
        ("print", False),
        ("screen and (color)", False),
        ("tv,", True),
    ],
)
def test_media(media: str, counts: bool) -> None:
    assert is_for_screen(media) is counts


@given(st.text(alphabet="{}()[];:\"'/*\\@.#,> aurl\n-!", max_size=200))
def test_any_text_is_a_sheet(text: str) -> None:
    assert sheet(text + "}" * 200) is not None


@pytest.mark.parametrize(
    "unit", ["/* ", "@x{}", "@media screen{", "(", "'a", "url(", "a{display:none}", "{", "! ", ";", "/"]
)
def test_time_is_linear(unit: str) -> None:
    """Quadratic, it would be minutes."""
    text = unit * (400_000 // len(unit))
    started = time.process_time()
    read(text, Budget(Limits()))
    assert time.process_time() - started < 4


def test_rules_and_selectors_are_counted() -> None:
    for text in ("a{}" * 1_001, "a," * 1_001 + "a{display:none}"):
        with pytest.raises(Refusal) as caught:
            read(text, Budget(Limits(nodes=1_000)))
        assert caught.value.code == "nodes"
