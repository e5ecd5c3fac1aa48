"""Instructions of fields: which are links, and which are symbols."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.loaders.shared.word_fields import link_target, symbol


@pytest.mark.parametrize(
    ("instruction", "target"),
    [
        (' HYPERLINK "https://a.example/" ', "https://a.example/"),
        ("hyperlink https://a.example/", "https://a.example/"),
        (' HYPERLINK "https://a.example/" \\l "part" \\o "tip"', "https://a.example/#part"),
        (' HYPERLINK \\l "_Toc1" \\h', "#_Toc1"),
        (" HYPERLINK \\l mark", "#mark"),
        (r' HYPERLINK "a\"b" ', 'a"b'),
        (" PAGEREF _Toc1 \\h ", None),
        (" HYPERLINKS ", None),
        ("HYPERLINK", None),
        ("", None),
    ],
)
def test_targets_of_hyperlink_fields(instruction: str, target: str | None) -> None:
    assert link_target(instruction) == target


@given(st.text(st.sampled_from('HYPERLINK "\\lo a#')))
def test_any_instruction_has_a_target_or_none(instruction: str) -> None:
    assert link_target("HYPERLINK " + instruction) != ""


def test_an_instruction_of_any_length_is_judged_at_once() -> None:
    assert link_target('HYPERLINK "' + "\\" * 1_000_000) is None
    assert link_target("HYPERLINK " + '\\l "' * 300_000) is not None


@pytest.mark.parametrize(
    ("instruction", "found"),
    [
        (' SYMBOL 183 \\f "Symbol" \\s 10 ', (183, "Symbol")),
        ("symbol 0xF0FC \\f Wingdings", (0xF0FC, "Wingdings")),
        ("SYMBOL 8364 \\u", (8364, None)),
        ("SYMBOL", None),
        ("SYMBOL x", None),
        ("SYMBOL " + "9" * 5_000_000, None),
        ("HYPERLINK 1", None),
    ],
    ids=range(7),
)
def test_symbols(instruction: str, found: tuple[int, str | None] | None) -> None:
    assert symbol(instruction) == found
