"""What is carried over: whole rows, items, lines and sentences, never over a heading or hidden text."""

from __future__ import annotations

from itertools import pairwise

import pytest

from fumehood import Document
from fumehood.chunking import chunk

PROSE = " ".join(f"Sentence {number} is of some length." for number in range(100))
ROWS = "| a |\n| - |\n" + "".join(f"| row {row:03} |\n" for row in range(60))
ITEMS = "".join(f"- item {row:03}\n" for row in range(60))
CODE = "```\n" + "".join(f"    line {row:03}\n" for row in range(60)) + "```"


@pytest.mark.parametrize(
    ("made", "begins"),
    [
        (PROSE, "Sentence "),
        (ROWS, "| row "),
        (ITEMS, "- item "),
        (CODE, "    line "),
        ("word " * 300, "word"),
        ("\u8239" * 900, "\u8239"),
    ],
    ids=["prose", "rows", "items", "code", "words", "no spaces"],
)
def test_whole_units_are_carried_over(made: str, begins: str) -> None:
    chunks = chunk(Document.from_markdown(made), "structure", max_size=300, min_size=100, overlap=60)
    assert len(chunks) > 2
    for one, other in pairwise(chunks):
        assert 0 < one.end - other.start <= 60
        assert other.text.startswith(begins)
        assert len(other.text) <= 300


def test_without_overlap_nothing_is_carried_over() -> None:
    """The recipe of a slice by minus zero, which copies everything."""
    chunks = chunk(Document.from_markdown("word " * 6), "structure", max_size=10, min_size=0, overlap=0)
    assert "".join(each.text for each in chunks).count("word") == 6


def test_not_over_a_heading_nor_hidden_text() -> None:
    made = f"{PROSE[:400]}\n\n# B\n\n{PROSE[:400]}\n\n<!-- unseen -->\n\n{PROSE[:400]}"
    chunks = chunk(Document.from_markdown(made), "structure", overlap=300)
    assert all(one.end <= other.start for one, other in pairwise(chunks))


def test_repeated_text_has_the_offsets_of_its_own_place() -> None:
    document = Document.from_markdown("The same sentence. " * 60)
    chunks = chunk(document, "fixed", max_size=100, overlap=20)
    assert all(each.text == document.text[each.start : each.end] for each in chunks)
    assert all(one.start < other.start for one, other in pairwise(chunks))


def test_rows_carried_over_from_a_table_before_have_its_header() -> None:
    tables = [f"| head {table} |\n|---|\n| one {table} |\n| two {table} |\n| three {table} |\n" for table in range(6)]
    document = Document.from_markdown("\n".join(tables))
    carried = set()
    for size in range(60, 160, 7):
        for one in chunk(document, "structure", max_size=size, min_size=0, overlap=size // 2):
            table = one.text.splitlines()[0].strip(" |").split()[-1]
            if not one.text.startswith("| head"):
                assert one.context.opening == f"| head {table} |\n|---|"
                carried.add(one.text.count("head"))
    assert 1 in carried, "a chunk begins in a table and goes on into the next one"
