"""The chunk itself: to and from JSON, and what a model is given."""

from __future__ import annotations

import pickle

import msgspec
import pytest

from fumehood import Chunk, Document, chunk
from fumehood.chunking import Context
from fumehood.chunking.model import embedding_text


def made() -> Chunk:
    document = Document.from_markdown("# A\n\n## B\n\n```py\nx\n")
    return chunk(document, metadata={"tenant": "a", "year": 2026, "draft": False, "score": 0.5, "by": None})[0]


def test_to_and_from_json() -> None:
    assert Chunk.from_json(made().to_json()) == made()
    assert b"\\ud800" not in made().to_json()
    with pytest.raises(msgspec.ValidationError):
        Chunk.from_json(b'{"id": 5}')


def test_it_pickles() -> None:
    assert pickle.loads(pickle.dumps(made())) == made()


def test_it_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        made().text = "other"  # type: ignore[misc]
    with pytest.raises(TypeError):
        made().metadata["tenant"] = "b"  # type: ignore[index]


def test_metadata_is_copied() -> None:
    mine: dict[str, str | int | float | bool | None] = {"a": 1}
    (only,) = chunk(Document.from_markdown("text"), metadata=mine)
    mine["a"] = 2
    assert only.metadata == {"a": 1}


@pytest.mark.parametrize(
    ("context", "whole"),
    [
        (Context(), "text"),
        (Context("A > B"), "A > B\n\ntext"),
        (Context("", "```py", "```"), "```py\ntext\n```"),
        (Context("A", "| h |\n| - |"), "A\n\n| h |\n| - |\ntext"),
    ],
    ids=["none", "breadcrumb", "fence", "table"],
)
def test_what_a_model_is_given(context: Context, whole: str) -> None:
    assert embedding_text("text", context) == whole


def test_the_path_and_the_places() -> None:
    (only,) = chunk(Document.from_markdown("# A\n\n## B\n\n```py\nx\n"), name="manual")
    assert only.headings == ("A", "B")
    assert only.context.breadcrumb == "manual > A > B"
    assert only.roles == ("heading", "code")
    assert [(place.line, place.line_end) for place in only.locators] == [(1, None), (5, 6)]
