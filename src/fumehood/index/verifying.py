"""Whether an index is whole: the file, the references, and that its words are those of its texts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Final

_MOST: Final = 20
"""Findings of one kind: more say nothing new."""

_QUESTIONS: Final = (
    (
        "SELECT count(*) FROM sources s LEFT JOIN refusals r ON r.source = s.id "
        "WHERE (s.document IS NULL) = (r.source IS NULL)",
        "sources are neither read nor refused, or both",
    ),
    (
        "SELECT count(*) FROM documents d WHERE NOT EXISTS (SELECT 1 FROM sources s WHERE s.document = d.id)",
        "documents have no source",
    ),
    (
        "SELECT count(*) FROM documents d WHERE d.chunks <> (SELECT count(*) FROM chunks c WHERE c.document = d.id)",
        "documents have lost chunks",
    ),
    (
        "SELECT count(*) FROM chunks c WHERE NOT EXISTS (SELECT 1 FROM bodies b WHERE b.chunk = c.id)",
        "chunks have lost their text",
    ),
    (
        "SELECT count(*) FROM chunks c WHERE NOT EXISTS (SELECT 1 FROM words_docsize w WHERE w.id = c.id)",
        "chunks are not in the index of words",
    ),
    (
        "SELECT count(*) FROM words_docsize w WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.id = w.id)",
        "chunks are in the index of words only",
    ),
)


def problems(connection: sqlite3.Connection) -> Iterator[str]:
    """What is wrong, in words. Nothing is written to the index but FTS5's command to check itself, which changes nothing."""
    found = [text for (text,) in connection.execute(f"PRAGMA integrity_check({_MOST})") if text != "ok"]
    yield from found
    if found:
        return
    for table, _, parent, _ in connection.execute("PRAGMA foreign_key_check").fetchmany(_MOST):
        yield f"a row of {table} refers to {parent} that is not there"
    for question, what in _QUESTIONS:
        (count,) = connection.execute(question).fetchone()
        if count:
            yield f"{count:,} {what}"
    # The check of words is a command that looks like a write, and its vocabulary a temporary table.
    (query_only,) = connection.execute("PRAGMA query_only").fetchone()
    connection.execute("PRAGMA query_only = OFF")
    try:
        yield from _of_words(connection)
    finally:
        connection.execute(f"PRAGMA query_only = {query_only}")


def _of_words(connection: sqlite3.Connection) -> Iterator[str]:
    try:
        connection.execute("INSERT INTO words(words) VALUES ('integrity-check')")
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CORRUPT:
            raise
        yield "the index of words is damaged"
        return
    # A word that was not forgotten with its chunk is counted in the vocabulary and in no chunk's size (FTS5, 5 and 8).
    connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab('main', 'words', 'row')")
    (listed,) = connection.execute("SELECT coalesce(sum(cnt), 0) FROM temp.vocabulary").fetchone()
    sizes = connection.execute("SELECT sz FROM words_docsize")
    counted = sum(sum(_varints(size)) for (size,) in sizes)
    if listed != counted:
        yield f"the index of words holds {listed:,} words, and its chunks {counted:,}"


def _varints(data: bytes) -> Iterator[int]:
    """SQLite's variable-length integers (file format, 1.6)."""
    value = length = 0
    for byte in data:
        length += 1
        if length == 9:
            yield value << 8 | byte
            value = length = 0
        elif byte & 0x80:
            value = value << 7 | byte & 0x7F
        else:
            yield value << 7 | byte
            value = length = 0
