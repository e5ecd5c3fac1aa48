from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.index import rows

from .conftest import document


@given(st.text(st.characters()))
def test_any_name_comes_back(name: str) -> None:
    assert rows.name_text(rows.name_bytes(name)) == name


@given(st.text(st.characters()), st.text(st.characters()))
def test_names_begin_alike_as_bytes_too(prefix: str, name: str) -> None:
    low = rows.name_bytes(prefix)
    assert low <= rows.name_bytes(prefix + name) < low + b"\xff"


@pytest.mark.parametrize(
    ("value", "said"),
    [("x", "x"), (1, "1"), (1.0, "1"), (1.5, "1.5"), (True, "true"), (None, "null"), (1e300, str(int(1e300)))],
)
def test_values_are_spelled(value: str | float | bool | None, said: str) -> None:
    assert rows.spelled(value) == said


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_what_is_no_number_is_spelled_too(value: float) -> None:
    assert rows.spelled(value) == str(value)


@pytest.mark.parametrize(
    ("date", "said"),
    [
        ("2024", "2024"),
        ("2024-05", "2024-05"),
        ("2024-05-31", "2024-05-31"),
        ("2024-05-31T23:30:00-02:00", "2024-06-01T01:30:00"),
        ("2024-05-31T23:30:00Z", "2024-05-31T23:30:00"),
        ("2024-05-31T23:30:00", "2024-05-31T23:30:00"),
        ("0001-01-01T00:00:00+14:00", None),
        ("May", None),
        ("", None),
    ],
)
def test_dates_sort(date: str, said: str | None) -> None:
    assert rows.sortable(date) == said


def test_a_chunk_comes_back() -> None:
    for chunk in document("# A\n\ntext\n\n```py\ncode\n```\n\n| a |\n| - |\n| 1 |")[1]:
        assert rows.chunk_of(*rows.chunk_row(chunk), chunk.text, rows.about(chunk)) == chunk


def test_equal_documents_have_equal_digests() -> None:
    assert digest("one") == digest("one")
    assert digest("one") != digest("two")


def test_a_digest_does_not_tell_batches_apart() -> None:
    assert digest("# One\n\ntext\n\n# Two\n\nmore", size=1) == digest("# One\n\ntext\n\n# Two\n\nmore", size=2)


def digest(markdown: str, *, size: int = 1) -> bytes:
    made, chunks = document(markdown)
    taken = rows.Digest(made)
    for at in range(0, len(chunks), size):
        some = chunks[at : at + size]
        taken.add(some, map(rows.about, some))
    return taken.value()
