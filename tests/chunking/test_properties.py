"""What holds for every document, strategy and setting: the conformance suite over generated documents."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from fumehood import Document
from fumehood.chunking import UnitTooLarge, chunk, get_strategy, strategies
from fumehood.chunking.options import resolve
from fumehood.testing import check_chunks

from .documents import documents

SIZES = st.one_of(st.integers(1, 30), st.integers(30, 400), st.just(1_500))


@st.composite
def settings_of(draw: st.DrawFn) -> dict[str, Any]:
    size = draw(SIZES)
    made: dict[str, Any] = {"max_size": size, "min_size": draw(st.integers(0, size))}
    made["overlap"] = draw(st.one_of(st.just(0), st.integers(0, size // 2)))
    made["overflow_margin"] = draw(st.sampled_from([0.0, 0.15, 1.0]))
    made["visible_only"] = draw(st.booleans())
    made["on_too_large"] = draw(st.sampled_from(["split", "split", "raise"]))
    made["max_tokens"] = draw(st.one_of(st.none(), st.integers(8, 60)))
    made["merge_headings"] = draw(st.booleans())
    made["fill"] = draw(st.booleans())
    made["keep_sections"] = draw(st.booleans())
    made["promote_headings"] = draw(st.sampled_from(["none", "outline", "phrases"]))
    return made


@pytest.mark.parametrize("name", [strategy.name for strategy in strategies()])
@settings(max_examples=25, deadline=None)
@given(document=documents, changes=settings_of())
def test_every_promise_holds(name: str, document: Document, changes: dict[str, Any]) -> None:
    options = resolve(get_strategy(name).defaults, changes)
    try:
        chunks = chunk(document, name, **changes)
    except UnitTooLarge as error:
        event("too large")
        if changes["on_too_large"] == "raise" or (error.measure == "tokens" and error.end - error.start <= 1):
            return
        raise
    assert chunks == chunk(document, name, **changes)
    check_chunks(document, chunks, options)
