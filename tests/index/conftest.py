"""Small documents and an index of their own for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fumehood import Document, chunk
from fumehood.chunking import Chunk
from fumehood.index import SQLiteIndex


def document(text: str) -> tuple[Document, list[Chunk]]:
    """A document of Markdown and its chunks, one for each section."""
    made = Document.from_markdown(text)
    return made, chunk(made, min_size=0)


def put(index: SQLiteIndex, source: str, text: str, **options: object) -> None:
    index.replace(source, *document(text), **options)  # type: ignore[arg-type]  # as replace takes them


def found(index: SQLiteIndex, query: str, **options: object) -> list[str]:
    """The sources of the hits, best first."""
    return [hit.source for hit in index.search(query, **options).hits]  # type: ignore[arg-type]  # as search takes them


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite"


@pytest.fixture
def index(path: Path) -> Iterator[SQLiteIndex]:
    """An empty index, which must be whole at the end of the test."""
    with SQLiteIndex(path) as opened:
        yield opened
    with SQLiteIndex(path) as opened:
        assert opened.verify() == ()
