"""What each strategy is for, and strategies from outside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import pytest

from fumehood import Document, kinds
from fumehood.chunking import Outline, Span, Strategy, chunk, pack, register_strategy, strategies
from fumehood.chunking.options import Options
from fumehood.chunking.registry import _registry as registry
from fumehood.document import Block, Locator
from fumehood.sandbox.loading import read_in_process
from fumehood.testing import check_strategy

WORDS = "Sentence of words that goes on for a while. " * 60


def read(kind: str, data: bytes) -> Document:
    return read_in_process(kinds.get(kind), data)


def test_markdown_keeps_sections_whole_up_to_16_000() -> None:
    small, large = WORDS * 4, "\n\n".join([WORDS] * 9)
    chunks = chunk(Document.from_markdown(f"# A\n\n{small}\n\n# B\n\n{large}"), "markdown")
    assert len(chunks[0].text) > 10_000
    assert chunks[0].headings == ("A",)
    assert len(chunks) > 2
    assert all(len(each.text) <= 16_000 for each in chunks)
    assert all(8_000 <= len(each.text) < 11_000 for each in chunks[1:-1])


def test_hierarchical_is_a_section_for_each_heading_with_its_parents() -> None:
    chunks = chunk(Document.from_markdown("# A\n\n## B\n\ntext\n\n## C\n\nmore"), "hierarchical")
    assert [each.text for each in chunks] == ["# A", "## B\n\ntext", "## C\n\nmore"]
    assert [each.metadata["heading.level"] for each in chunks] == [1, 2, 2]
    assert [each.metadata["heading.path"] for each in chunks] == ["A", "A > B", "A > C"]


def test_fixed_is_512_with_64_carried_over() -> None:
    chunks = chunk(Document.from_markdown(f"# A\n\n{WORDS}\n\n# B\n\n{WORDS}"), "fixed")
    assert all(400 < len(each.text) <= 512 for each in chunks[:-1])
    assert all(0 < one.end - other.start <= 64 for one, other in pairwise(chunks))


def test_layout_keeps_code_and_tables_whole() -> None:
    code = "```\n" + "x = 1\n" * 200 + "```"
    table = "| a |\n| - |\n" + "| some row |\n" * 100
    chunks = chunk(Document.from_markdown(f"{WORDS}\n\n{code}\n\n{WORDS}\n\n{table}"), "layout")
    texts = [each.text for each in chunks]
    assert code in texts
    assert table.strip() in texts
    assert all(len(text) <= 512 for text in texts if text not in (code, table.strip()))
    assert all(len(each.text) <= 512 for each in chunk(Document.from_markdown(WORDS), "layout"))


def test_semantic_parts_where_the_subject_changes() -> None:
    def embed(texts: Sequence[str]) -> list[list[float]]:
        return [[1.0, 0.0] if "ship" in text else [0.0, 1.0] for text in texts]

    made = "A ship sails. The ship is old. A house stands. The house is new.\n\nOne more house. "
    found = chunk(Document.from_markdown(made), "semantic", embed=embed)
    assert [each.text for each in found] == [
        "A ship sails. The ship is old.",
        "A house stands. The house is new.\n\nOne more house.",
    ]
    with pytest.raises(ValueError, match="0 vectors for"):
        chunk(Document.from_markdown(made), "semantic", embed=lambda _: [])


def test_semantic_keeps_a_table_together_and_without_a_function_splits_by_size() -> None:
    table = "| ship |\n| - |\n| a |\n| b |"
    found = chunk(
        Document.from_markdown(f"House.\n\n{table}"), "semantic", embed=lambda texts: [["ship" in t] for t in texts]
    )
    assert [each.text for each in found] == ["House.", table]
    assert all(len(each.text) <= 1_500 for each in chunk(Document.from_markdown(WORDS), "semantic"))


def test_records_of_json_are_its_top_level_elements() -> None:
    made = (
        b'{"name": "fleet", "home": {"port": "a", "pier": 4}, "ships": [{"n": "b", "crew": [{"x": 1}, 2]}, {"n": "c"}]}'
    )
    chunks = chunk(read("json", made))
    assert [each.locators[0].path if each.locators else None for each in chunks] == [None, "/home", "/ships"]
    array = chunk(read("json", b'[{"n": "a", "m": 1}, {"n": "b", "m": 2}, {"n": "c", "m": 3}]'))
    assert [each.locators[-1].path for each in array] == ["/0", "/1", "/2"]
    assert array[1].embedding_text == "| n | m |\n| --- | --- |\n| b | 2 |"


def test_records_of_csv_are_groups_of_rows_below_the_header() -> None:
    rows = "".join(f"{row},vessel number {row}\n" for row in range(200))
    chunks = chunk(read("csv", f"id,name\n{rows}".encode()), max_size=800)
    assert len(chunks) > 5
    assert all(each.context.opening == "| id | name |\n| --- | --- |" for each in chunks[1:])


def test_records_part_a_mail_s_header_from_its_body() -> None:
    text = "From: a\nTo: b\n\nHello.\n\nBye."
    blocks = (Block(0, 13, "header"), Block(15, 21, "paragraph"), Block(23, 27, "paragraph"))
    chunks = chunk(Document("eml", "Hi", {}, text, blocks, (), ()), "records")
    assert [each.text for each in chunks] == ["From: a\nTo: b", "Hello.\n\nBye."]


def test_records_part_sheets() -> None:
    blocks = (
        Block(0, 3, "paragraph", locator=Locator(sheet=1)),
        Block(5, 8, "paragraph", locator=Locator(sheet=2)),
    )
    assert len(chunk(Document("xlsx", None, {}, "one\n\ntwo", blocks, (), ()), "records")) == 2


# ---- from outside ----------------------------------------------------------------------------------------


def halves(text: str, outline: Outline, options: Options) -> Iterator[list[Span]]:
    for unit in outline.units:
        yield [Span(unit.start, unit.end, unit.start)]


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fumehood.chunking.registry._registry", dict(registry))


def test_a_strategy_from_outside() -> None:
    register_strategy(Strategy("mine", halves, {"max_size": 5_000}))
    chunks = chunk(Document.from_markdown("# A\n\none\n\ntwo"), "mine")
    assert [each.text for each in chunks] == ["# A", "one", "two"]
    assert [each.headings for each in chunks] == [("A",)] * 3
    assert "mine" in {strategy.name for strategy in strategies()}


def by_page(text: str, outline: Outline, options: Options) -> Iterator[list[Span]]:
    pages = [unit.locator.page if unit.locator else None for unit in outline.units]
    starts = [index for index, page in enumerate(pages) if index == 0 or page != pages[index - 1]]
    return pack(text, outline.units, starts, options)


def test_a_strategy_that_uses_the_engine() -> None:
    strategy = register_strategy(Strategy("pages", by_page, {"keep_sections": True}))
    check_strategy(strategy)
    blocks = tuple(Block(4 * at, 4 * at + 3, "paragraph", locator=Locator(page=1 + at // 2)) for at in range(5))
    chunks = chunk(Document("pdf", None, {}, "one two six ten end", blocks, (), ()), "pages")
    assert [each.text for each in chunks] == ["one two", "six ten", "end"]


@pytest.mark.parametrize(
    ("strategy", "error"),
    [
        (Strategy("Mine!"), ValueError),
        (Strategy("mine", defaults={"colour": 1}), ValueError),
        (Strategy("mine", defaults={"max_size": 0}), ValueError),
        (Strategy("mine", defaults={"fill": 1}), TypeError),
        (Strategy("mine", "pack"), TypeError),  # type: ignore[arg-type]
        ("mine", TypeError),
    ],
    ids=["name", "option", "value", "type", "plan", "strategy"],
)
def test_what_cannot_be_registered(strategy: Strategy, error: type[Exception]) -> None:
    with pytest.raises(error):
        register_strategy(strategy)


@pytest.mark.parametrize(
    ("answer", "error", "says"),
    [
        (None, TypeError, "a vector for each text, not NoneType"),
        ([[1.0]], ValueError, "1 vectors for 3 texts"),
        ([[1.0], [1.0, 2.0], [1.0]], ValueError, "zip"),
        ([[float("nan")]] * 3, ValueError, "holds NaN"),
        ([[1e200], [1e200], [-1e200]], ValueError, "too large to compare"),
    ],
    ids=["none", "few", "lengths", "nan", "huge"],
)
def test_what_a_model_may_not_answer(answer: Any, error: type[Exception], says: str) -> None:
    document = Document.from_markdown("One is said.\n\nTwo is said.\n\nThree is said.")
    with pytest.raises(error, match=says):
        chunk(document, "semantic", embed=lambda _texts: answer)


@pytest.mark.parametrize("spans", [[(3, 3)], [(0, 99)], [(2, 4), (0, 2)], [(0, 3), (2, 4)]], ids=str)
def test_spans_that_no_strategy_may_return(spans: list[tuple[int, int]]) -> None:
    def wrong(text: str, outline: Outline, options: Options) -> Iterator[list[Span]]:
        yield [Span(start, end, start) for start, end in spans]

    register_strategy(Strategy("wrong", wrong))
    with pytest.raises(ValueError, match="wrong returned a span"):
        chunk(Document.from_markdown("some text"), "wrong")


def test_all_are_listed_in_order() -> None:
    names = [strategy.name for strategy in strategies()]
    assert names == sorted(names)
