"""Headings that only the text has."""

from __future__ import annotations

from itertools import pairwise

import pytest

from fumehood import Document
from fumehood.chunking import Options, chunk
from fumehood.chunking.outline import outlined
from fumehood.document import Block


def plain(*paragraphs: str) -> Document:
    blocks, at = [], 0
    for paragraph in paragraphs:
        blocks.append(Block(at, at + len(paragraph), "paragraph"))
        at += len(paragraph) + 2
    return Document("text", None, {}, "\n\n".join(paragraphs), tuple(blocks), (), ())


CONTRACT = plain(
    "LIMITS OF FUNCTIONS\n1. SCOPE. This says what a function may do.\nIt goes on here.\n2. DEFINITION. A function is a thing.",
    "\u00a7 4 Haftung\nDer Betreiber haftet.",
    "Art. 12 The parties agree on everything that is written above this line and some more.",
    "\u00dcBERGABE UND ABNAHME",
    "3) Text of the third point",
)


def test_titles_and_points_are_boundaries_with_a_breadcrumb() -> None:
    paths = [each.headings for each in chunk(CONTRACT, "outline")]
    assert paths == [
        ("LIMITS OF FUNCTIONS", "1. SCOPE"),
        ("LIMITS OF FUNCTIONS", "2. DEFINITION"),
        ("LIMITS OF FUNCTIONS", "\u00a7 4 Haftung"),
        ("LIMITS OF FUNCTIONS", "Art. 12"),
        ("\u00dcBERGABE UND ABNAHME", "3) Text of the third point"),
    ]
    second = chunk(CONTRACT, "outline", name="Statutes")[1]
    assert second.text == "2. DEFINITION. A function is a thing."
    assert second.embedding_text.startswith(
        "Statutes > LIMITS OF FUNCTIONS > 2. DEFINITION\n\n2. DEFINITION. A function"
    )


def test_points_within_points_stand_below_them() -> None:
    document = plain("1. Duties\nText.\n1.1 Of the master\nText.\n1.2 Of the mate\nText.\n2. Rights\nText.")
    assert [each.headings for each in chunk(document, "outline")] == [
        ("1. Duties",),
        ("1. Duties", "1.1. Of the master"),
        ("1. Duties", "1.2. Of the mate"),
        ("2. Rights",),
    ]


@pytest.mark.parametrize(
    "text", ["12 men went.\nIn 1999 they came.", "OK\nNo", "A normal text.\nWith lines.", "TITLE\nalone"]
)
def test_what_is_no_outline_is_split_by_size(text: str) -> None:
    assert [each.headings for each in chunk(plain(text), "outline")] == [()]


def test_a_long_text_without_structure_is_cut_to_the_target_with_overlap() -> None:
    text = " ".join(f"Sentence number {number} is here." for number in range(300))
    chunks = chunk(plain(text), "outline")
    assert max(len(each.text) for each in chunks) <= 2_048
    assert all(0 < one.end - other.start <= 200 for one, other in pairwise(chunks))


def test_questions_and_phrases_become_headings_on_request() -> None:
    document = plain("What is a buoy?", "It floats and it marks.", "The harbour", "It is deep.", "It ends.")
    assert [each.headings for each in chunk(document, "structure")] == [()]
    assert [each.headings for each in chunk(document, "structure", promote_headings="phrases")] == [
        ("What is a buoy?",),
        ("The harbour",),
    ]


def test_a_table_of_contents_is_not_taken_for_headings() -> None:
    document = plain("Contents", "The harbour", "The vessels", "Buoys ..... 12", "Some prose follows here.")
    options = Options(promote_headings="phrases")
    assert outlined(document.text, document.blocks, options).headings == {}


@pytest.mark.parametrize(
    ("changes", "promoted"),
    [({}, True), ({"max_header_words": 3}, False), ({"max_header_chars": 10}, False)],
    ids=["default", "words", "characters"],
)
def test_what_is_short_is_set(changes: dict[str, int], promoted: bool) -> None:
    document = plain("A phrase of five words", "It is prose, with its full stop.")
    found = chunk(document, "structure", promote_headings="phrases", **changes)  # type: ignore[arg-type]
    assert found[0].headings == (("A phrase of five words",) if promoted else ())
