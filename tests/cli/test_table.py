from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.cli.table import paragraph, table, width

WORDS = st.text("abc -", max_size=60)


def test_columns_line_up_and_the_widest_wraps() -> None:
    assert table(("A", "B"), [("one", "two words"), ("three", "x")], 12).split("\n") == [
        "A      B",
        "one    two",
        "       words",
        "three  x",
    ]


@given(st.lists(st.tuples(WORDS, WORDS, WORDS), max_size=5), st.integers(20, 100))
def test_no_line_is_wider_than_asked_and_no_word_is_lost(rows: list[tuple[str, str, str]], columns: int) -> None:
    laid_out = table(("A", "B", "C"), rows, columns)
    assert all(len(line) <= columns for line in laid_out.split("\n"))
    for at in range(3):
        letters = sorted("".join(row[at] for row in rows).replace(" ", ""))
        assert all(laid_out.count(letter) >= letters.count(letter) for letter in set(letters))


def test_a_paragraph_is_indented() -> None:
    assert paragraph("one two three", 9, "- ", "  ") == "- one two\n  three"


@pytest.mark.parametrize(("columns", "filled"), [("20", 40), ("72", 72), ("200", 100)])
def test_width_is_the_terminal_s_within_bounds(monkeypatch: pytest.MonkeyPatch, columns: str, filled: int) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert width() == filled
