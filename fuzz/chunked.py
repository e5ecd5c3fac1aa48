"""Targets of what is done with text: `markdown-scan`, and `chunk:STRATEGY` for every strategy that is registered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, Final

import msgspec

from fumehood.chunking import (
    ApproximateTokenizer,
    SearchExhausted,
    Strategy,
    TooManyChunks,
    UnitTooLarge,
    chunk,
    strategies,
)
from fumehood.chunking.options import resolve
from fumehood.document import Block, Document, Locator
from fumehood.fuzz.bomb import READ
from fumehood.fuzz.oracle import broken, check_loaded
from fumehood.fuzz.target import Target
from fumehood.limits.policy import Limits

TOO_LARGE: Final = "unit-too-large"
TOO_MUCH: Final = "too-much-work"
"""Beside the codes of refusals: what the caller's bounds are passed by, where such bounds were asked for."""

_MOST_CHARACTERS: Final = 20_000
"""The checks count every cluster, in Python: more would only be slower."""


class _Words:
    """A tokenizer of another granularity than the default one."""

    name: Final = "words"

    def encode(self, text: str) -> list[int]:
        return [len(word) for word in text.split()]

    def decode(self, tokens: Sequence[int]) -> str:
        return " ".join("x" * token for token in tokens)

    def count(self, text: str) -> int:
        return len(text.split())


def _vectors(texts: Sequence[str]) -> list[list[float]]:
    return [[float(len(text)), 1.0 + text.count("e")] for text in texts]


def _id(digest: str, start: int, end: int) -> str:
    return f"{digest[:4]}-{start}-{end}"


_OPTIONS: Final[Mapping[str, Callable[[int], tuple[Any, ...]]]] = {
    "min_size": lambda size: (0, size // 3, size),
    "target": lambda size: (None, max(1, size // 2), size),
    "overlap": lambda size: (0, size // 4, size // 2),
    "overflow_margin": lambda _: (0.0, 1.0),
    "max_tokens": lambda size: (max(4, size // 4), 1_000),
    "tokenizer": lambda _: (ApproximateTokenizer(), _Words()),
    "on_too_large": lambda _: ("split", "raise"),
    "visible_only": lambda _: (True, False),
    "structural_levels": lambda _: (None, 0, 1, 2, 6),
    "boundaries": lambda _: ("headings", "records"),
    "merge_headings": lambda _: (True, False),
    "keep_sections": lambda _: (True, False),
    "keep_runs": lambda _: (True, False),
    "fill": lambda _: (True, False),
    "promote_headings": lambda _: ("none", "phrases", "outline"),
    "max_header_words": lambda _: (1, 3),
    "max_header_chars": lambda _: (1, 20),
    "name": lambda _: (None, "", "A name"),
    "max_breadcrumb": lambda _: (0, 9, 200),
    "metadata": lambda _: (None, {"a": 1, "heading.text": "b"}),
    "section_metadata": lambda _: (True, False),
    "id_factory": lambda _: (None, _id),
    "max_chunks": lambda _: (3, 1_000_000),
    "max_search_work": lambda _: (None, 100),
    "embed": lambda _: (None, _vectors),
    "threshold": lambda _: (-1.0, 0.999, 1.0),
}
"""What each may be, given `max_size`."""
_CHANCE: Final = 0.15
"""Of each option, so that a few of them meet."""


def targets() -> Iterator[Target]:
    yield Target("markdown-scan", markdown_scan, "markdown")
    for strategy in strategies():
        yield Target(f"chunk:{strategy.name}", partial(chunks, strategy), "markdown", choices=2)


def markdown_scan(data: bytes) -> str:
    """`Document.from_markdown` over whatever is valid text."""
    text = data.decode("utf-8", "replace")
    document = Document.from_markdown(text)
    check_loaded(document, "markdown", Limits())
    covered = sum(len(document.text[block.start : block.end].split()) for block in document.blocks)
    if covered > len(document.text.split()) + len(document.blocks):
        broken("blocks that hold more words than the text")
    return READ


def chunks(strategy: Strategy, data: bytes) -> str:
    """The chunks of a text, by options that the first two bytes choose, keep what every strategy promises."""
    rng = Random(data[1] if len(data) > 1 else 0)
    options = _options(8 + 6 * (data[0] if data else 0), rng)
    document = Document.from_markdown(data[2:].decode("utf-8", "replace")[:_MOST_CHARACTERS])
    if rng.random() < 0.5:
        document = _placed(document, rng)
    settings = resolve(strategy.defaults, options)
    try:
        made = chunk(document, strategy.name, **options)
    except UnitTooLarge:
        return TOO_LARGE if settings.on_too_large == "raise" else broken("asked to split, it raised UnitTooLarge")
    except (TooManyChunks, SearchExhausted) as error:
        is_asked_for = options.keys() & {"max_chunks", "max_search_work"}
        return TOO_MUCH if is_asked_for else broken("a bound that so short a text passes", type(error).__name__)
    if made != chunk(document, strategy.name, **options):
        broken("the same call gave other chunks")
    # The suite for loaders and strategies runs fuzz targets, so that it stands above this package and is imported late.
    from fumehood.testing.strategies import check_chunks

    check_chunks(document, made, settings)
    return READ


def _options(size: int, rng: Random) -> dict[str, Any]:
    chosen: dict[str, Any] = {"max_size": size, "min_size": size // 3, "overlap": 0}
    for name, values in _OPTIONS.items():
        if rng.random() < _CHANCE:
            chosen[name] = rng.choice(values(size))
    return chosen


def _placed(document: Document, rng: Random) -> Document:
    """The same text with blocks that nobody sees and places of every sort, as other kinds have them."""

    def placed(number: int, block: Block) -> Block:
        place = rng.choice((None, Locator(path=f"/{number // 3}"), Locator(path=f"/a/{number}"), Locator(page=1)))
        return msgspec.structs.replace(block, visible=rng.random() < 0.8, locator=place)

    blocks = tuple(placed(number, block) for number, block in enumerate(document.blocks))
    return msgspec.structs.replace(document, blocks=blocks)
