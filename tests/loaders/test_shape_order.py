"""Shapes in the order in which they are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.errors import DocumentTooComplex
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared.shape_order import MOST, Box, reading_order


def order(*boxes: Box | None, limits: Limits | None = None) -> list[int]:
    return reading_order(boxes, Budget(limits or Limits()))


def at(left: float, top: float, width: float = 10, height: float = 10) -> Box:
    return Box(left, top, left + width, top + height)


def test_rows_from_the_top_then_from_the_left() -> None:
    assert order(at(0, 40), at(12, 0), at(0, 0)) == [2, 1, 0]


def test_columns_that_are_further_apart_than_their_rows() -> None:
    assert order(at(50, 0), at(0, 0), at(50, 12), at(0, 12)) == [1, 3, 0, 2]


def test_rows_that_are_further_apart_than_their_columns() -> None:
    assert order(at(12, 0), at(0, 0), at(12, 50), at(0, 50)) == [1, 0, 3, 2]


def test_boxes_of_neighbours_may_overlap_a_little() -> None:
    assert order(at(0, 18, 100, 20), at(0, 0, 100, 20)) == [1, 0]


def test_what_lies_on_something_comes_after_it_in_order() -> None:
    assert order(at(10, 60), at(10, 10), at(0, 0, 100, 100)) == [2, 1, 0]


def test_what_nothing_parts_stays_as_it_is() -> None:
    assert order(at(8, 8, 20, 20), at(0, 0, 20, 20)) == [0, 1]
    assert order(at(0, 0), at(0, 0), at(0, 0)) == [0, 1, 2]


def test_what_stands_nobody_knows_where_keeps_all_as_they_are() -> None:
    assert order(at(0, 40), None, at(0, 0)) == [0, 1, 2]
    assert order() == []


def test_more_than_anybody_reads_stay_as_they_are() -> None:
    assert order(*(at(0, -20 * place) for place in range(MOST + 1))) == list(range(MOST + 1))


def test_cuts_are_paid_for() -> None:
    with pytest.raises(DocumentTooComplex) as refused:
        order(*(at(0, 2**place) for place in range(60)), limits=Limits(nodes=500))
    assert refused.value.code == "nodes"


@given(st.lists(st.builds(at, *[st.floats(-1e6, 1e6)] * 2, *[st.floats(0, 1e6)] * 2), max_size=40))
def test_every_box_comes_once(boxes: list[Box]) -> None:
    assert sorted(order(*boxes)) == list(range(len(boxes)))
