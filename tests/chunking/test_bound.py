"""`max_tokens` holds exactly, whatever is repeated, and at a bounded cost."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fumehood import Document
from fumehood.chunking import ApproximateTokenizer, SearchExhausted, UnitTooLarge, chunk, get_strategy, strategies
from fumehood.chunking.options import resolve
from fumehood.testing import check_chunks

COUNT = ApproximateTokenizer().count
TABLE = Document.from_markdown(
    "# Cargo of the year\n\n| number | name |\n| - | - |\n"
    + "".join(f"| {row} | vessel number {row} |\n" for row in range(60))
)
PROSE = Document.from_markdown("# A\n\n" + "A sentence that is of middling length, like others. " * 80)


class Characters:
    """A tokenizer for which every character is a token, and which knows what it was asked."""

    name = "characters"

    def __init__(self) -> None:
        self.asked = 0

    def encode(self, text: str) -> list[int]:
        return [ord(char) for char in text]

    def decode(self, tokens: Sequence[int]) -> str:
        return "".join(map(chr, tokens))

    def count(self, text: str) -> int:
        self.asked += len(text)
        return len(text)


@pytest.mark.parametrize("document", [TABLE, PROSE], ids=["table", "prose"])
@pytest.mark.parametrize("most", [40, 64, 200])
def test_the_bound_holds_with_what_is_repeated(document: Document, most: int) -> None:
    chunks = chunk(document, "structure", max_tokens=most)
    assert all(COUNT(each.embedding_text) <= most for each in chunks)
    assert "".join("".join(each.text.split()) for each in chunks) == "".join(document.text.split())
    assert all(each.context.opening for each in chunks[1:]) == (document is TABLE)
    # Not much is wasted: pieces of one paragraph are alike.
    assert sum(COUNT(each.embedding_text) for each in chunks) > 0.5 * most * (len(chunks) - 2)


def test_the_tokenizer_given_is_the_one_that_counts() -> None:
    chunks = chunk(PROSE, "structure", max_tokens=150, tokenizer=Characters())
    assert max(len(each.embedding_text) for each in chunks) <= 150


def test_a_unit_too_large_is_refused_or_split() -> None:
    document = Document.from_markdown("- " + "word " * 100)
    with pytest.raises(UnitTooLarge, match="has 126 tokens, and max_tokens is 20") as caught:
        chunk(document, "structure", max_tokens=20, on_too_large="raise")
    assert (caught.value.start, caught.value.role, caught.value.measure) == (0, "list-item", "tokens")
    pieces = [each.piece for each in chunk(document, "structure", max_tokens=20)]
    assert pieces[0] == "start"
    assert pieces[-1] == "end"
    assert set(pieces[1:-1]) == {"middle"}


def test_nothing_is_smaller_than_a_character() -> None:
    with pytest.raises(UnitTooLarge, match="tokens"):
        chunk(Document.from_markdown("\U0001f468\u8239"), "structure", max_tokens=1, tokenizer=Bytes())


class Bytes(Characters):
    name = "bytes"

    def count(self, text: str) -> int:
        return len(text.encode())


def test_context_never_takes_more_than_half() -> None:
    document = Document.from_markdown(f"# {'long heading ' * 20}\n\n" + "word " * 200)
    chunks = chunk(document, "structure", max_tokens=30)
    assert all(not each.context.breadcrumb for each in chunks)
    assert all(COUNT(each.embedding_text) <= 30 for each in chunks)


def test_overlap_is_given_up_before_anything_is_split() -> None:
    text = " ".join(f"Sentence {number} ends here." for number in range(60))
    kept = chunk(Document.from_markdown(text), "structure", max_size=100, min_size=100, overlap=40, max_tokens=20)
    assert all(COUNT(each.embedding_text) <= 20 for each in kept)


def test_the_search_is_bounded_and_cheap() -> None:
    with pytest.raises(SearchExhausted, match="max_search_work"):
        chunk(PROSE, "structure", max_tokens=20, max_search_work=500)
    tokenizer = Characters()
    chunk(PROSE, "structure", max_tokens=300, tokenizer=tokenizer)
    assert tokenizer.asked < 8 * len(PROSE.text)


RUN_OF_HEADINGS = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 12)).map(lambda made: (made[0], "word " * made[1])),
    min_size=2,
    max_size=30,
)
"""Levels and what stands behind the number of each; level 0 is a paragraph."""


@pytest.mark.parametrize("name", [strategy.name for strategy in strategies()])
@settings(max_examples=40, deadline=None)
@example(run=[(1, "word " * words) for words in (7, 0, 10, 9)] + [(0, "word " * 7)], size=255, most=46)
@given(run=RUN_OF_HEADINGS, size=st.integers(20, 600), most=st.integers(12, 80))
def test_a_longer_probe_leaves_no_trace_on_what_is_cut_out_of_it(
    name: str, run: list[tuple[int, str]], size: int, most: int
) -> None:
    text = "\n\n".join(f"{'#' * level} n{number} {rest}" for number, (level, rest) in enumerate(run))
    document = Document.from_markdown(text)
    changes = {"max_size": size, "min_size": size // 3, "max_tokens": most}
    chunks = chunk(document, name, **changes)  # type: ignore[arg-type]  # all of them are numbers
    check_chunks(document, chunks, resolve(get_strategy(name).defaults, changes))


@pytest.mark.parametrize("name", [strategy.name for strategy in strategies()])
@settings(max_examples=40, deadline=None)
@example(run=[(True, 7), (False, 1)], size=203, share=4, most=21)
@given(
    run=st.lists(st.tuples(st.booleans(), st.integers(1, 8)), min_size=2, max_size=12),
    size=st.integers(60, 400),
    share=st.integers(2, 6),
    most=st.integers(12, 60),
)
def test_what_is_carried_over_into_a_part_knows_where_it_comes_from(
    name: str, run: list[tuple[bool, int]], size: int, share: int, most: int
) -> None:
    """The chunk before may be the last part of what `max_tokens` split, and begin behind what is carried over."""
    document = Document.from_markdown(
        "\n\n".join(_table(rows) if is_table else "word " * rows for is_table, rows in run)
    )
    changes = {"max_size": size, "min_size": size // 2, "overlap": size // share, "max_tokens": most}
    chunks = chunk(document, name, **changes)  # type: ignore[arg-type]  # all of them are numbers
    check_chunks(document, chunks, resolve(get_strategy(name).defaults, changes))


def _table(rows: int) -> str:
    return "| number | name |\n| - | - |" + "".join(f"\n| {row} | vessel |" for row in range(rows))


@settings(max_examples=40, deadline=None)
@given(run=st.lists(st.integers(0, 12), min_size=2, max_size=30), most=st.integers(12, 80))
def test_no_chunk_stands_under_a_promoted_heading_behind_it(run: list[int], most: int) -> None:
    points = [f"{number}\\. NAME{' word' * words}" for number, words in enumerate(run, 1)]
    document = Document.from_markdown("\n\n".join(points))
    for each in chunk(document, "fixed", max_size=400, max_tokens=most, promote_headings="outline"):
        (path,) = each.headings
        assert document.text.find(points[int(path.partition(".")[0]) - 1]) < each.end
