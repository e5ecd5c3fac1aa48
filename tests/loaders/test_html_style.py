"""What declarations of style hide."""

from __future__ import annotations

import pytest

from fumehood.loaders.shared.html_style import NOTHING, color, inline, of_rule


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


def test_declarations_of_a_rule_say_which_are_important_and_no_colours() -> None:
    common, important = of_rule("color:red; display:block; visibility: hidden ! Important; background:red")
    assert common == (False, NOTHING._replace(display="block", items=False))
    assert important == (True, NOTHING._replace(shown=False))
    assert of_rule("margin: 0") == ()
