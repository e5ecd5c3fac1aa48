"""Grids: rows that were defined one by one have their cells in common columns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import Limits
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.rtf_table import Grid, RowEdges
from fumehood.loaders.shared.story_items import Table


def table(*rows: tuple[list[str], list[int] | None]) -> Table:
    grid = Grid(1, Budget(Limits()))
    for cells, edges in rows:
        for cell in cells:
            if cell:
                grid.line((cell, []))
            grid.end_cell()
        grid.end_row(None if edges is None else RowEdges(0, edges))
    return grid.table()


def places(made: Table) -> list[list[tuple[int, str]]]:
    return [[(cell.column, cell.text) for cell in row.cells] for row in made.rows]


@pytest.mark.parametrize(
    ("second", "columns"),
    [
        ((["c", "d"], [20, 30]), [0, 2]),
        ((["c", "d"], [10, 30]), [0, 1]),
        ((["c", "d"], None), [0, 1]),
        ((["c", "d"], [30, 20]), [0, 3]),
        ((["c", "d"], [20]), [0, 2]),
        ((["", "d"], [20, 30]), [2]),
    ],
)
def test_cells_stand_where_their_edges_are(second: tuple[list[str], list[int] | None], columns: list[int]) -> None:
    cells, edges = second
    wide = None if edges is None else [edge * 100 for edge in edges]
    made = table((["x", "y", "z"], [1000, 2000, 3000]), (cells, wide))
    assert [column for column, _ in places(made)[1]] == columns


def test_edges_that_were_drawn_by_hand_are_the_same() -> None:
    made = table((["a", "b", "c"], [1000, 2000, 3000]), (["d", "e"], [1040, 3000]))
    assert places(made) == [[(0, "a"), (1, "b"), (2, "c")], [(0, "d"), (1, "e")]]


def test_rows_without_text_are_left_out() -> None:
    assert places(table(([""] * 3, None), (["a"], None))) == [[(0, "a")]]


@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from(["", "a", "b"]), max_size=5), st.none() | st.lists(st.integers(-9, 9), max_size=6)
        ),
        max_size=6,
    )
)
def test_every_text_is_kept_in_its_row_and_order(rows: list[tuple[list[str], list[int] | None]]) -> None:
    made = table(*rows)
    assert [[text for _, text in row] for row in places(made)] == [
        [cell for cell in cells if cell] for cells, _ in rows if any(cells)
    ]
    for row in places(made):
        columns = [column for column, _ in row]
        assert columns == sorted(set(columns))
        assert set(columns) <= set(made.columns)
