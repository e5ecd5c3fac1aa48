"""Numbers in front of items."""

from __future__ import annotations

import pytest

from fumehood.loaders.shared.odf_lists import BULLET, MAX_NUMBER, Counter, Counters, Level, numbered, start_value
from fumehood.loaders.shared.odf_names import count, qname

START = qname("text:start-value")


@pytest.mark.parametrize(
    ("level", "values"),
    [
        (Level("1", suffix="."), {1: "1.", 12: "12."}),
        (Level("a", prefix="("), {1: "(a", 26: "(z", 27: "(aa", 28: "(ab"}),
        (Level("A", in_step=True), {27: "AA", 28: "BB"}),
        (Level("i"), {4: "iv", 9: "ix"}),
        (Level("I"), {1_999: "MCMXCIX"}),
        (Level("一"), {3: "3"}),
        (Level("", prefix="§"), {1: "§"}),
        (BULLET, {5: "-"}),
    ],
)
def test_formats(level: Level, values: dict[int, str]) -> None:
    for value, shown in values.items():
        assert Counter("x").next({1: level}, 1, value) == shown


def test_lower_levels_begin_again() -> None:
    style = {at: Level("1", shown=at) for at in range(1, 4)}
    counter = Counter("x")
    levels = [1, 2, 2, 3, 1, 2, 3]
    assert [counter.next(style, level) for level in levels] == ["1", "1.1", "1.2", "1.2.1", "2", "2.1", "2.1.1"]


def test_a_level_above_that_has_not_begun_shows_its_start() -> None:
    assert Counter("x").next({1: Level("1", start=3), 2: Level("1", shown=2)}, 2) == "3.1"


def test_which_list_goes_on() -> None:
    counters = Counters()
    first = counters.open("L", "one", None, goes_on=False)
    second = counters.open("L", None, None, goes_on=False)
    assert first is not second
    assert counters.open("L", None, None, goes_on=True) is second
    assert counters.open("L", None, "one", goes_on=False) is first
    assert counters.open("M", None, "gone", goes_on=True) not in (first, second)
    assert counters.shared("k") is counters.shared("k")


@pytest.mark.parametrize(
    ("text", "value"), [("3", 3), ("0", 0), ("000", 0), ("-2", 1), ("x", 1), ("9" * 6_000, MAX_NUMBER)]
)
def test_numbers_that_are_attributes_are_bounded(text: str, value: int) -> None:
    assert start_value({START: text}) == value
    assert numbered({START: text}).start == value
    assert count({START: text}, START, MAX_NUMBER) == max(1, value)


def test_none_given() -> None:
    assert start_value({}) == -1
    assert start_value({}, 1) == 1
