"""`chunk` and `sections` as a caller sees them."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from fumehood import Document, Receipt, chunk, kinds, sections
from fumehood.chunking import TooManyChunks, iter_chunks
from fumehood.document import Block

MANUAL = Document.from_markdown("Before.\n\n# A\n\none\n\n## B\n\ntwo\n\n# A\n\nthree\n\n### C\n\nfour")


def test_without_a_strategy_the_kind_says() -> None:
    assert [each.id for each in chunk(MANUAL)] == [each.id for each in chunk(MANUAL, kinds.get("markdown").chunker)]
    assert {name: kinds.get(name).chunker for name in ("markdown", "csv", "json", "pdf")} == {
        "markdown": "markdown",
        "csv": "records",
        "json": "records",
        "pdf": "structure",
    }


@pytest.mark.parametrize("visible", [True, False])
def test_a_line_separator_alone_is_no_chunk(visible: bool) -> None:
    """It is text to CommonMark, and white space to whoever searches; a hidden one still parts what is around it."""
    blocks = (Block(0, 3, "paragraph"), Block(5, 6, "paragraph", visible=visible), Block(8, 11, "paragraph"))
    document = Document("markdown", None, {}, "One\n\n\u2028\n\nTwo", blocks, (), ())
    found = [each.text for each in chunk(document, "structure", visible_only=False)]
    assert found == (["One\n\n\u2028\n\nTwo"] if visible else ["One", "Two"])
    alone = Document("markdown", None, {}, "\u2028", (Block(0, 1, "paragraph"),), (), ())
    assert chunk(alone, "structure") == []


def test_the_heading_path_is_that_of_the_place() -> None:
    paths = [each.headings for each in chunk(MANUAL, "structure")]
    assert paths == [(), ("A",), ("A", "B"), ("A",), ("A", "C")]


@pytest.mark.parametrize(
    ("made", "name"), [("# *A* `b` \\* &amp; [c](/d) #", "A b * & c"), ("Two\nlines\n===", "Two lines"), ("#", "")]
)
def test_a_heading_is_named_as_people_read_it(made: str, name: str) -> None:
    (only,) = chunk(Document.from_markdown(f"{made}\n\ntext"), "structure")
    assert only.headings == (name,)


def test_the_breadcrumb_starts_with_the_name_and_is_cut_from_the_left() -> None:
    document = Document.from_markdown("# Ship\n\n## Hull\n\ntext")
    crumbs = [
        chunk(document, "structure", name="a.md", max_breadcrumb=most)[0].context.breadcrumb
        for most in (99, 13, 6, 2, 0)
    ]
    assert crumbs == ["a.md > Ship > Hull", "Ship > Hull", "Hull", "ll", ""]
    # The title is the first heading here; it is not said twice.
    assert chunk(document, "structure")[0].context.breadcrumb == "Ship > Hull"


def test_ids_are_the_same_in_every_process() -> None:
    code = (
        "from fumehood import Document, chunk\n"
        "print(*[c.id for c in chunk(Document.from_markdown('# A\\n\\none\\n\\n# B\\n\\ntwo'), 'structure')])"
    )
    runs = {
        subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    }
    (said,) = runs
    assert len(set(said.split())) == 2


def test_ids_depend_on_document_settings_and_span() -> None:
    def ids(document: Document, **options: int) -> set[str]:
        return {each.id for each in chunk(document, "structure", **options)}  # type: ignore[arg-type]

    other = Document.from_markdown(MANUAL.text + "!")
    assert ids(MANUAL) == ids(Document.from_json(MANUAL.to_json()))
    assert not ids(MANUAL) & ids(other)
    assert not ids(MANUAL) & ids(MANUAL, max_size=1_400)
    assert not ids(MANUAL) & {each.id for each in chunk(MANUAL, "hierarchical")}
    receipt = Receipt("a", 1, "b", "c" * 64, 1, 0.0, 0.0, 0, (), 0)
    read = Document(MANUAL.kind, None, {}, MANUAL.text, MANUAL.blocks, (), (), receipt)
    assert not ids(MANUAL) & ids(read)


def test_ids_of_the_caller() -> None:
    seen = chunk(MANUAL, "structure", id_factory=lambda digest, start, end: f"{len(digest)}:{start}-{end}")
    assert [each.id for each in seen] == [f"64:{each.start}-{each.end}" for each in seen]


def test_too_many_chunks_are_refused_early() -> None:
    with pytest.raises(TooManyChunks, match="more than 2 chunks"):
        chunk(MANUAL, "structure", max_chunks=2)
    assert len(chunk(MANUAL, "structure", max_chunks=5)) == 5


@pytest.mark.parametrize(
    "blocks",
    [
        (Block(0, 9, "paragraph"),),
        (Block(2, 4, "paragraph"), Block(0, 1, "paragraph")),
        (Block(0, 3, "paragraph"), Block(2, 4, "paragraph")),
        (Block(1, 1, "paragraph"),),
    ],
)
def test_blocks_that_no_document_has(blocks: tuple[Block, ...]) -> None:
    with pytest.raises(ValueError, match="block"):
        chunk(Document("text", None, {}, "text", blocks, (), ()), "structure")


# ---- sections ------------------------------------------------------------------------------------------


def test_sections_of_a_level() -> None:
    first = sections(MANUAL)
    assert [each.text for each in first] == ["Before.", "# A\n\none\n\n## B\n\ntwo", "# A\n\nthree\n\n### C\n\nfour"]
    assert len(sections(MANUAL, 2)) == 4
    assert len(sections(MANUAL, 3)) == 5
    assert [each.text for each in sections(MANUAL, 0)] == [MANUAL.text]


def test_sections_say_where_they_stand_and_their_keys_win() -> None:
    document = Document("docx", "Manual", {}, MANUAL.text, MANUAL.blocks, (), ())
    found = sections(document, 2, metadata={"tenant": "x", "heading.level": 99})
    assert dict(found[2].metadata) == {
        "tenant": "x",
        "heading.text": "B",
        "heading.level": 2,
        "heading.path": "A > B",
        "heading.source": "Manual",
    }
    assert found[0].metadata["heading.level"] == 0


def test_sections_of_nothing() -> None:
    assert sections(Document.from_markdown("")) == []


@pytest.mark.parametrize("made", [5, None, b"id"])
def test_an_id_is_text(made: Any) -> None:
    """Else it would be in the chunk, and in no JSON that can be read again."""
    with pytest.raises(TypeError, match="id_factory returns a str"):
        chunk(MANUAL, "structure", id_factory=lambda _digest, _start, _end: made)


def test_chunks_one_by_one_are_the_same() -> None:
    made = Document.from_markdown("# One\n\ntext\n\n# Two\n\n" + "more words here. " * 200)
    assert list(iter_chunks(made, max_size=200, min_size=1)) == chunk(made, max_size=200, min_size=1)
    with pytest.raises(ValueError, match="max_size"):
        iter_chunks(made, max_size=0)


def test_chunks_one_by_one_come_before_what_is_wrong_with_later_ones() -> None:
    made = Document.from_markdown("one\n\ntwo\n\nthree")
    found = iter_chunks(made, max_size=5, min_size=1, max_chunks=2)
    assert [next(found).text, next(found).text] == ["one", "two"]
    with pytest.raises(TooManyChunks):
        next(found)
