"""Cross-reference tables and streams."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import Limits
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import pdf_session
from fumehood.loaders.shared.pdf_file import PdfFile
from fumehood.loaders.shared.pdf_xref import Place

_OBJECTS = b"%PDF-1.7\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Kids[3 0 R]>>endobj 3 0 obj<</Type/Page>>endobj\n"
_PLACES = {number: Place(None, _OBJECTS.index(b"%d 0 obj" % number)) for number in (1, 2, 3)}


def places(section: bytes) -> dict[int, Place]:
    """What a section says that follows three objects, in a file that needs no repair."""
    budget = Budget(Limits())
    with pdf_session.opened(budget):
        file = PdfFile(_OBJECTS + section + b"\nstartxref\n%d\n%%%%EOF" % len(_OBJECTS), budget)
    assert not file.repaired
    return file.places


def table(ends: list[bytes], count: int | None = None) -> bytes:
    """A table whose entries end in these ways: the three objects, then one free entry and objects at made-up places."""
    said = [b"%010d 00000 n" % place.offset for place in _PLACES.values()] + [b"0000000000 00001 f"]
    said += [b"%010d %05d n" % (1_000 + number, number) for number in range(4, len(ends))]
    entries = b"".join(entry + end for entry, end in zip(said, ends, strict=True))
    return b"xref\n1 %d\n%btrailer<</Root 1 0 R>>" % (len(ends) if count is None else count, entries)


@given(st.lists(st.sampled_from([b" \n", b"\r\n", b" \r", b"\n", b" ", b"  \n"]), min_size=4, max_size=40))
def test_tables_are_read_however_their_entries_end(ends: list[bytes]) -> None:
    expected = _PLACES | {number + 1: Place(None, 1_000 + number, number) for number in range(4, len(ends))}
    assert places(table(ends)) == expected


@pytest.mark.parametrize("count", [9, 9_999_999_999])
def test_counts_are_not_believed(count: int) -> None:
    assert places(table([b" \n"] * 8, count)) == places(table([b" \n"] * 8))


def test_entries_end_where_the_count_does() -> None:
    with pytest.raises(AssertionError):  # what is behind them is no trailer
        places(table([b" \n"] * 8, 7))


@given(
    st.tuples(st.integers(0, 1), st.integers(2, 8), st.integers(0, 3)),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2**64 - 1), st.integers(0, 2**24 - 1)), max_size=30),
)
def test_streams_have_fields_of_any_width(widths: tuple[int, int, int], entries: list[tuple[int, int, int]]) -> None:
    known = [(1, place.offset, 0) for place in _PLACES.values()]
    every = [
        tuple(field % 256**width for field, width in zip(entry, widths, strict=True)) for entry in [*known, *entries]
    ]
    rows = b"".join(field.to_bytes(width, "big") for entry in every for field, width in zip(entry, widths, strict=True))
    cut = every[len(known) :]
    kinds = [1 if not widths[0] else kind for kind, _, _ in cut]
    expected = dict(_PLACES)
    for number, (kind, (_, field, last)) in enumerate(zip(kinds, cut, strict=True), start=100):
        if kind in (1, 2):
            expected[number] = Place(None, field, last) if kind == 1 else Place(field, last)
    assert (
        places(
            b"4 0 obj<</Type/XRef/Root 1 0 R/W[%d %d %d]/Index[1 3 100 %d]/Length %d>>stream\n%b\nendstream endobj"
            % (*widths, len(cut), len(rows), rows)
        )
        == expected
    )
