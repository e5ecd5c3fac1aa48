"""What the engine keeps together, and where it parts."""

from __future__ import annotations

import pytest

from fumehood import Document
from fumehood.chunking import UnitTooLarge, chunk
from fumehood.document import Block, Locator

TABLE = "| a | b |\n| - | - |\n" + "".join(f"| {row:03} | x |\n" for row in range(40))


def texts(markdown: str, strategy: str = "structure", **options: object) -> list[str]:
    return [each.text for each in chunk(Document.from_markdown(markdown), strategy, **options)]  # type: ignore[arg-type]


def test_neighbours_of_a_section_are_merged_up_to_the_least() -> None:
    paragraph = "x" * 250
    made = "\n\n".join([paragraph] * 9)
    assert [len(text) for text in texts(made)] == [754, 754, 754]


def test_never_across_a_heading() -> None:
    assert texts("# A\n\none\n\n# B\n\ntwo\n\n## C\n\nthree") == ["# A\n\none", "# B\n\ntwo", "## C\n\nthree"]


def test_levels_that_are_no_boundaries() -> None:
    assert texts("# A\n\none\n\n## C\n\nthree\n\n# D", structural_levels=1) == ["# A\n\none\n\n## C\n\nthree", "# D"]


def test_a_heading_right_below_another_shares_its_chunk() -> None:
    (only,) = chunk(Document.from_markdown("# A\n\n## B\n\ntext"), "structure")
    assert only.headings == ("A", "B")
    assert texts("# A\n\n## B\n\ntext", merge_headings=False) == ["# A", "## B\n\ntext"]
    assert texts("# A\n\n# B\n\ntext") == ["# A", "# B\n\ntext"]


def test_a_small_rest_goes_to_the_chunk_before_it() -> None:
    made = f"{'x' * 700}\n\n{'y' * 100}"
    assert [len(text) for text in texts(made)] == [802]
    assert [len(text) for text in texts(made, max_size=750)] == [700, 100]


def test_tables_are_parted_between_rows_and_their_header_stands_beside() -> None:
    chunks = chunk(Document.from_markdown(f"# T\n\n{TABLE}\nafter"), "structure", max_size=200, min_size=50)
    assert len(chunks) > 2
    for each in chunks[1:]:
        assert each.context.opening == "| a | b |\n| - | - |"
        assert each.embedding_text.startswith("T\n\n| a | b |\n| - | - |\n| 0")
        assert all(line.count("|") in (0, 3) for line in each.text.split("\n"))
    assert {each.piece for each in chunks} == {"whole"}


def test_a_table_that_fits_is_not_parted() -> None:
    assert texts(f"{'x' * 1_200}\n\n{TABLE}") == ["x" * 1_200, TABLE.strip()]


def test_rows_behind_a_note_have_their_header_too() -> None:
    text = "| a |\n| --- |\n| 1 |\n\nA note.\n\n| 2 |"
    blocks = (
        Block(0, 13, "table-row", 1, 1),
        Block(14, 19, "table-row", None, 1),
        Block(21, 28, "note"),
        Block(30, 35, "table-row", None, 1),
    )
    chunks = chunk(Document("docx", None, {}, text, blocks, (), ()), "structure", min_size=0)
    assert [each.context.opening for each in chunks] == ["", "", "| a |\n| --- |"]


def test_code_is_parted_between_lines_and_its_fence_stands_beside() -> None:
    code = "```python\n" + "".join(f"    call({line})\n" for line in range(60)) + "```"
    chunks = chunk(Document.from_markdown(f"Look:\n\n{code}\n\nDone."), "structure", max_size=300, min_size=50)
    assert [each.piece for each in chunks] == ["start", *["middle"] * (len(chunks) - 2), "end"]
    for each in chunks:
        assert each.embedding_text.count("```") in (0, 2)
        assert "call(" not in each.text or "```python" in each.embedding_text
    assert all(line.startswith("    call") for each in chunks[1:-1] for line in each.text.split("\n"))


@pytest.mark.parametrize(
    ("made", "closing"),
    [("```\nopen", "```"), ("> ~~~~ py\n> open", "> ~~~~"), ("```\nclosed\n```", ""), ("    indented", "")],
)
def test_a_fence_that_the_document_leaves_open_is_closed(made: str, closing: str) -> None:
    (only,) = chunk(Document.from_markdown(made), "structure")
    assert only.context.closing == closing


def test_prose_is_parted_at_sentences_then_words_then_clusters() -> None:
    assert texts("One is here. Two is there. Three.", max_size=27, min_size=0) == [
        "One is here.",
        "Two is there. Three.",
    ]
    assert texts("word " * 7, max_size=12, min_size=0, overflow_margin=0) == [
        "word word",
        "word word",
        "word word",
        "word",
    ]
    assert texts("e\u0301" * 5, max_size=5, min_size=0, overflow_margin=0) == ["e\u0301" * 2, "e\u0301" * 2, "e\u0301"]


@pytest.mark.parametrize(
    "made",
    [
        f"| a |\n| - |\n| {'x' * 3000} |\n| {'y' * 3000} |",
        f"- {'x' * 3000}\n- {'y' * 3000}",
        f"> {'x' * 3000}",
        f"1. {'x' * 3000}",
        f"**\n{'x' * 3000}",
    ],
    ids=["cells", "items", "quote", "number", "emphasis"],
)
def test_a_mark_before_a_long_word_is_no_piece_by_itself(made: str) -> None:
    assert all(any(map(str.isalpha, text)) for text in texts(made))


def test_numbers_are_parted_at_their_spaces_however_small_chunks_are() -> None:
    assert texts("123 456 789 " * 3, max_size=12, min_size=0, overflow_margin=0) == ["123 456 789"] * 3


def test_text_of_nothing_but_marks_is_parted_at_its_spaces() -> None:
    assert (
        texts("=-=-=-=-=-=-=-=-=-= " * 4, max_size=50, min_size=0, overflow_margin=0)
        == ["=-=-=-=-=-=-=-=-=-= =-=-=-=-=-=-=-=-=-="] * 2
    )


def test_a_margin_leaves_room_for_a_rest() -> None:
    assert [len(text) for text in texts("word " * 23, max_size=100, min_size=0, overflow_margin=0.0)] == [99, 14]
    assert [len(text) for text in texts("word " * 22, max_size=100, min_size=0, overflow_margin=0.5)] == [64, 44]


def test_a_heading_is_not_left_alone_by_a_long_paragraph() -> None:
    first = texts(f"# A\n\n{'A sentence of words. ' * 200}")[0]
    assert first.startswith("# A\n\nA sentence")


@pytest.mark.parametrize(
    ("made", "role"),
    [
        ("- " + "word " * 30, "list-item"),
        ("| a |\n| - |\n| " + "word " * 30 + "|", "table-row"),
        ("```\n" + "x" * 150 + "\n```", "code"),
        ("a" + "\u0301" * 150, "paragraph"),
    ],
    ids=["item", "row", "line", "cluster"],
)
def test_what_is_too_large_is_refused_or_split(made: str, role: str) -> None:
    document = Document.from_markdown(made)
    with pytest.raises(UnitTooLarge, match="on_too_large='split'") as caught:
        chunk(document, "structure", max_size=100, on_too_large="raise")
    assert (caught.value.role, caught.value.bound, caught.value.measure) == (role, 100, "characters")
    assert document.text[caught.value.start : caught.value.end].strip()
    chunks = chunk(document, "structure", max_size=100)
    assert max(len(each.text) for each in chunks) <= 100
    assert "start" in {each.piece for each in chunks}
    assert "end" in {each.piece for each in chunks}


def test_prose_of_any_length_is_never_too_large() -> None:
    assert texts("word " * 100, max_size=50, on_too_large="raise")


def test_hidden_text_ends_a_chunk_and_has_chunks_of_its_own_on_request() -> None:
    made = "one\n\n<!-- unseen -->\n\ntwo"
    assert texts(made) == ["one", "two"]
    chunks = chunk(Document.from_markdown(made), "structure", visible_only=False)
    assert [(each.text, each.visible) for each in chunks] == [("one", True), ("<!-- unseen -->", False), ("two", True)]


def test_rows_behind_a_hidden_one_have_their_header() -> None:
    text = "| a |\n| --- |\n| 1 |\n| 2 |"
    blocks = (
        Block(0, 13, "table-row", 1, 1, Locator(cells="A1")),
        Block(14, 19, "table-row", None, 1, Locator(cells="A2"), visible=False),
        Block(20, 25, "table-row", None, 1, Locator(cells="A3")),
    )
    chunks = chunk(Document("xlsx", None, {}, text, blocks, (), ()), "structure")
    assert [each.embedding_text for each in chunks] == ["| a |\n| --- |", "| a |\n| --- |\n| 2 |"]


def test_marks_between_blocks_are_kept() -> None:
    assert texts("one\n\n---\n\ntwo") == ["one\n\n---\n\ntwo"]
    assert texts("---") == ["---"]
    assert texts("") == []
