"""Mistakes of the caller are told before any work."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from fumehood import Document
from fumehood.chunking import chunk, get_strategy, sections
from fumehood.chunking.options import Given, Options, resolve

DOCUMENT = Document.from_markdown("# One\n\ntext")


@pytest.mark.parametrize(
    "given",
    [
        {"max_size": 0},
        {"min_size": -1},
        {"max_size": 100, "min_size": 101},
        {"max_size": 512, "overlap": 512},
        {"max_size": 100, "overlap": 51},
        {"overlap": -1},
        {"overflow_margin": float("nan")},
        {"overflow_margin": 1.5},
        {"threshold": -2.0},
        {"max_tokens": 0},
        {"on_too_large": "maybe"},
        {"promote_headings": "all"},
        {"boundaries": "pages"},
        {"structural_levels": -1},
        {"max_chunks": 0},
        {"max_search_work": 0},
        {"max_breadcrumb": -1},
        {"target": 2_000},
        {"metadata": {"share": float("inf")}},
    ],
    ids=str,
)
def test_a_wrong_value(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(reversed(given))):
        chunk(DOCUMENT, "structure", **given)


@pytest.mark.parametrize(
    "given",
    [
        {"max_size": 1.5},
        {"max_size": True},
        {"visible_only": 1},
        {"name": 5},
        {"metadata": []},
        {"metadata": {"a": []}},
        {"metadata": {1: "a"}},
        {"id_factory": "uuid"},
        {"embed": 3},
        {"tokenizer": 1},
        {"colour": "red"},
    ],
    ids=str,
)
def test_a_wrong_type_or_name(given: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=r"takes|no option|no method"):
        chunk(DOCUMENT, "structure", **given)


def test_mistakes_count_for_an_empty_document_too() -> None:
    with pytest.raises(ValueError, match="max_size"):
        chunk(Document.from_markdown(""), max_size=0)
    with pytest.raises(ValueError, match="strategies are fixed, "):
        chunk(DOCUMENT, "paragraphs")
    with pytest.raises(TypeError, match="document takes Document"):
        chunk("text")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="between 0 and 6"):
        sections(DOCUMENT, 7)


def test_defaults_give_way_to_a_small_size() -> None:
    options = resolve(get_strategy("outline").defaults, {"max_size": 100})
    assert (options.min_size, options.overlap) == (100, 50)


def test_keyword_arguments_are_the_options() -> None:
    assert list(Given.__annotations__) == [field.name for field in fields(Options)]


def test_the_fingerprint_says_what_moves_boundaries() -> None:
    same = Options().fingerprint()
    assert Options(name="a", metadata={"a": 1}, max_chunks=5).fingerprint() == same
    assert Options(max_size=5, min_size=0).fingerprint() != same
    assert Options(embed=lambda _: []).fingerprint() != same
