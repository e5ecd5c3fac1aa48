"""Every kind of damage that `verify` promises to find, done by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fumehood.index import SQLiteIndex

from .conftest import put

DAMAGE = {
    "a source without a state": ("UPDATE sources SET document = NULL", "1 sources are neither read nor refused"),
    "a document without a source": ("DELETE FROM sources", "1 documents have no source"),
    "a lost chunk": ("DELETE FROM chunks WHERE position = 1", "1 documents have lost chunks"),
    "a lost text": ("DELETE FROM bodies WHERE chunk = 2", "1 chunks have lost their text"),
    "lost words": ("INSERT INTO words(words) VALUES ('delete-all')", "2 chunks are not in the index of words"),
    "words of nothing": ("INSERT INTO words(rowid, text) VALUES (99, 'x')", "1 chunks are in the index of words only"),
    "a dangling reference": ("UPDATE sources SET document = 99", "a row of sources refers to documents"),
    "words that were not forgotten": (
        "INSERT INTO words(words, rowid, title, headings, text) VALUES ('delete', 2, '', '', 'other words'); "
        "INSERT INTO words(rowid, title, headings, text) VALUES (2, '', '', '')",
        "the index of words holds",
    ),
}


@pytest.fixture
def filled(path: Path) -> Iterator[SQLiteIndex]:
    with SQLiteIndex(path) as index:
        put(index, "a", "# One\n\nfirst text\n\n# Two\n\nsecond text 東京")
        yield index


def test_a_whole_index_has_no_problems(filled: SQLiteIndex) -> None:
    assert filled.verify() == ()
    assert filled.verify() == ()


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_found(filled: SQLiteIndex, damage: str) -> None:
    statements, said = DAMAGE[damage]
    with filled.reading() as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.executescript(statements)
    assert any(said in problem for problem in filled.verify()), filled.verify()


def test_a_read_only_index_can_be_verified(filled: SQLiteIndex, path: Path) -> None:
    with SQLiteIndex(path, read_only=True) as other:
        assert other.verify() == ()
