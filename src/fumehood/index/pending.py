"""Words that FTS5 is told at the end of a transaction.

FTS5 writes what it was told to its tables whenever something begins that could be undone by itself: a savepoint, and an
`INSERT` that may be refused by a constraint (SQLite, "The Virtual Table Mechanism", xSavepoint). Told among the rows of
several documents, the words of each would be a list of their own, to be merged with the others again and again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final, Self

INSERT_WORDS: Final = "INSERT INTO words(rowid, title, headings, text) VALUES (?, ?, ?, ?)"
_MOST: Final = 500
"""Chunks whose words wait: memory does not grow with a transaction."""

WordsRow = tuple[int, str, str, str]
"""The number of a chunk, and its words in title, headings and text."""


class PendingWords:
    """By chunk. Belongs to a connection; empty outside of its transactions."""

    def __init__(self, rows: Iterable[WordsRow] = ()) -> None:
        self._rows = {row[0]: row for row in rows}

    @property
    def full(self) -> bool:
        return len(self._rows) >= _MOST

    def add(self, rows: Iterable[WordsRow]) -> None:
        for row in rows:
            self._rows[row[0]] = row

    def forget(self, chunk: int) -> bool:
        """Whether the chunk's words were waiting; they are told no more."""
        return self._rows.pop(chunk, None) is not None

    def forget_all(self) -> None:
        self._rows.clear()

    def tell(self, connection: sqlite3.Connection) -> None:
        """Tells FTS5 all of them."""
        if self._rows:
            connection.executemany(INSERT_WORDS, self._rows.values())
            self._rows.clear()

    def copy(self) -> Self:
        return type(self)(self._rows.values())
