"""The conformance suite passes what is right and names what is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import pytest

from fumehood import Document
from fumehood.chunking import Chunk, Options, Outline, Span, Strategy, chunk, get_strategy
from fumehood.chunking.registry import _registry as registry
from fumehood.testing import check_chunks, check_strategy
from fumehood.testing.samples import MIXED

BUILT_IN = ("fixed", "hierarchical", "layout", "markdown", "outline", "records", "semantic", "structure")


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fumehood.chunking.registry._registry", dict(registry))


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_strategies_conform(name: str) -> None:
    check_strategy(get_strategy(name), [Document.from_markdown("# One\n\nmore")])


Spans = Callable[[str, Outline, Options], list[Span]]


def whole(text: str, outline: Outline, options: Options) -> list[Span]:
    return [Span(outline.units[0].start, outline.units[-1].end, outline.units[0].start)]


def first_only(text: str, outline: Outline, options: Options) -> list[Span]:
    return [Span(outline.units[0].start, outline.units[0].start + 1, outline.units[0].start)]


def every_17(text: str, outline: Outline, options: Options) -> list[Span]:
    start, end = outline.units[0].start, outline.units[-1].end
    return [Span(at, min(at + 17, end), at) for at in range(start, end, 17) if text[at : min(at + 17, end)].strip()]


@pytest.mark.parametrize(
    ("spans", "said"), [(whole, "has .* characters"), (first_only, "no chunk holds"), (every_17, "splits the")]
)
def test_strategies_that_do_not(spans: Spans, said: str) -> None:
    def plan(text: str, outline: Outline, options: Options) -> Iterator[list[Span]]:
        yield spans(text, outline, options)

    with pytest.raises(AssertionError, match=said):
        check_strategy(Strategy("wrong", plan))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"text": "other"}, "no slice"),
        ({"index": 7}, "says it is 7"),
        ({"headings": ("Other",)}, "stands under"),
        ({"locators": ()}, "locators"),
        ({"visible": False}, "hidden and visible"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_chunks_that_were_tampered_with(change: dict[str, object], said: str) -> None:
    options = Options()
    chunks: list[Chunk] = chunk(MIXED, "structure")
    check_chunks(MIXED, chunks, options)
    chunks[1] = msgspec.structs.replace(chunks[1], **change)
    with pytest.raises(AssertionError, match=said):
        check_chunks(MIXED, chunks, options)


def test_what_is_repeated_is_looked_for() -> None:
    options = Options(max_size=120, min_size=40)
    chunks = chunk(MIXED, "structure", max_size=120, min_size=40)
    bare = [msgspec.structs.replace(each, context=msgspec.structs.replace(each.context, opening="")) for each in chunks]
    with pytest.raises(AssertionError, match="lacks the"):
        check_chunks(MIXED, bare, options)
