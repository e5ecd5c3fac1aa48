"""Which of two forms of a message says something of its own."""

from __future__ import annotations

import pytest

from fumehood.loaders.shared.mail_alike import Shown


@pytest.mark.parametrize(
    ("shown", "other", "same"),
    [
        ("Hello **World**, see below", "Hello world,\nsee below", True),
        ("Search for höhö", "Search for hähä", False),
        ("the first networked email", "the first email", False),
        ("Read [it](https://example.org/a)", "Read it <https://example.org/b>", True),
        ("天気がいいから", "天気が\nいいから", True),
        ("天気がいいから", "天気が悪いから", False),
        ("anything", "* -- *", True),
        ("", "x", False),
    ],
)
def test_forms(shown: str, other: str, same: bool) -> None:
    said = Shown()
    said.add(shown)
    assert said.says(other) is same


def test_what_follows_in_another_block_follows() -> None:
    said = Shown()
    said.add("one two")
    said.add("three")
    assert said.says("two three")
    assert not said.says("one three")


def test_a_form_too_long_to_compare_is_told_apart_from_none() -> None:
    said = Shown()
    said.add("x " * 600_000)
    assert said.says("anything")
