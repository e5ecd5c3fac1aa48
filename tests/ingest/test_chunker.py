"""Options are checked before any document comes."""

from __future__ import annotations

import pytest

from fumehood import Document
from fumehood.ingest import Chunker


def test_a_strategy_and_its_options() -> None:
    document = Document.from_markdown("# One\n\ntext\n\n# Two\n\nmore")
    assert len(list(Chunker().chunks(document))) == 2
    assert len(list(Chunker("fixed", {"max_size": 6, "min_size": 1}).chunks(document))) > 2


@pytest.mark.parametrize(
    ("strategy", "options", "error"),
    [
        ("none", {}, ValueError),
        (None, {"max_size": 0}, ValueError),
        (None, {"size": 1}, TypeError),
        (None, {"name": "a.txt"}, TypeError),
        (None, {"metadata": {}}, TypeError),
    ],
)
def test_wrong_options(strategy: str | None, options: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        Chunker(strategy, options)
