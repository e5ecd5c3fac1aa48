"""Bodies in plain text: paragraphs, quotes, flowed lines, enriched text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import Limits
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import mail_text
from fumehood.loaders.shared.builder import Builder


def said(text: str, **parameters: str) -> list[tuple[str, str, int, int]]:
    """Role, text and lines of each block."""
    out = Builder(Budget(Limits()))
    mail_text.say(text, parameters, out)
    whole = out.text()
    return [
        (block.role, whole[block.start : block.end], block.locator.line or 0, block.locator.line_end or 0)
        for block in out.blocks
        if block.locator
    ]


def test_paragraphs_and_quotes() -> None:
    assert said("On Monday:\r\n> one\r\n>two\r\n> > three\r\n>\r\n> four\r\nyes\r\n\r\nno\r\n") == [
        ("paragraph", "On Monday:", 1, 0),
        ("quote", "> one\n> two", 2, 3),
        ("quote", "> \\> three", 4, 0),
        ("quote", "> four", 6, 0),
        ("paragraph", "yes", 7, 0),
        ("paragraph", "no", 9, 0),
    ]


def test_flowed_lines_are_one() -> None:
    """RFC 3676, 4.1 to 4.5: soft ends, quotes by their depth, stuffed space, and a signature that is no soft end."""
    text = "soft \nend.\n >not quoted\n> one \n> line\n>> deeper \n> other\n-- \nme \n"
    assert said(text, format="flowed") == [
        ("paragraph", "soft end.\n\\>not quoted", 1, 3),
        ("quote", "> one line", 4, 5),
        ("quote", "> \\> deeper", 6, 0),
        ("quote", "> other", 7, 0),
        ("paragraph", "\\--\nme", 8, 10),
    ]


def test_a_space_that_ends_a_flowed_line_may_not_be_text() -> None:
    assert said("よい \n天気\n", format="Flowed", delsp="YES") == [("paragraph", "よい天気", 1, 2)]
    assert said("よい \n天気\n", format="flowed") == [("paragraph", "よい 天気", 1, 2)]


def test_lines_that_are_not_flowed_stay() -> None:
    assert said("one \ntwo") == [("paragraph", "one\ntwo", 1, 2)]


@pytest.mark.parametrize(
    ("text", "is_richtext", "wanted"),
    [
        ("<bold>Now</bold> is << time\nfor\n\nall", False, "Now is < time for\nall"),
        ("<color><param>red</param>x</color>", False, "x"),
        ("<param>never closed", False, "never closed"),
        ("<bold>a</bold>\nb<nl>c<lt>d<comment>e</comment>", True, "a b\nc<d"),
        ("1 < 2 > 0", False, "1 < 2 > 0"),
    ],
)
def test_enriched_text(text: str, is_richtext: bool, wanted: str) -> None:
    assert mail_text.plain_of(text, is_richtext=is_richtext) == wanted


@given(st.text(st.sampled_from("ab> \n-\u3042")), st.booleans(), st.booleans())
def test_nothing_is_lost(text: str, flowed: bool, delsp: bool) -> None:
    parameters = {"format": "flowed"} if flowed else {}
    if delsp:
        parameters["delsp"] = "yes"
    kept = "".join(piece for _, piece, _, _ in said(text, **parameters))
    assert [char for char in kept if char in "ab\u3042"] == [char for char in text if char in "ab\u3042"]
