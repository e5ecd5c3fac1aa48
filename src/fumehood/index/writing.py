"""The statements that change an index. Each function runs inside a transaction of its caller's."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from fumehood.chunking.model import Chunk, Value
from fumehood.document import Document, Receipt
from fumehood.errors import RefusalFacts
from fumehood.index import rows
from fumehood.index.model import Source
from fumehood.index.pending import INSERT_WORDS, PendingWords
from fumehood.index.words import RULES

_BATCH: Final = 500
"""Chunks on their way at once: memory does not grow with a document."""

_DELETE_WORDS: Final = "INSERT INTO words(words, rowid, title, headings, text) VALUES ('delete', ?, ?, ?, ?)"
_STORED_WORDS: Final = """
    SELECT c.id, d.title, b.text, b.about FROM documents d
    JOIN chunks c ON c.document = d.id JOIN bodies b ON b.chunk = c.id"""


class Standing(NamedTuple):
    """What a source's row says besides its name and document."""

    source: Source
    own: Mapping[str, str]
    caller: Mapping[str, Value]
    settings: str | None
    engine: str | None
    receipt: Receipt | None


def namespace_id(connection: sqlite3.Connection, name: str) -> int:
    """The namespace's number; it is made if it is new."""
    connection.execute("INSERT INTO namespaces(name) VALUES (?) ON CONFLICT DO NOTHING", (name,))
    (found,) = connection.execute("SELECT id FROM namespaces WHERE name = ?", (name,)).fetchone()
    return int(found)


def put_document(
    connection: sqlite3.Connection, pending: PendingWords, document: Document, batches: Iterable[Sequence[Chunk]]
) -> int:
    """The number of the document of this content; it is stored if it is new.

    What it is, is known when its last chunk has come: until then it is stored as a new one, which goes again if it is none.
    """
    digest = rows.Digest(document)
    number = _put_empty(connection, document)
    count = characters = 0
    for chunks in batches:
        said = [rows.about(chunk) for chunk in chunks]
        digest.add(chunks, said)
        _put_chunks(connection, pending, number, document.title, chunks, said)
        count += len(chunks)
        characters += sum(len(chunk.text) for chunk in chunks)
    found = connection.execute("SELECT id FROM documents WHERE digest = ?", (digest.value(),)).fetchone()
    if found is not None:
        drop_if_unused(connection, pending, number)
        return int(found[0])
    connection.execute(
        "UPDATE documents SET digest = ?, chunks = ?, characters = ? WHERE id = ?",
        (digest.value(), count, characters, number),
    )
    return number


def in_batches(chunks: Iterable[Chunk]) -> Iterator[Sequence[Chunk]]:
    """Raises `ValueError` for text with control characters."""
    found = iter(chunks)
    while batch := list(islice(found, _BATCH)):
        rows.check_text(chunk.text for chunk in batch)
        # Each once: what is repeated beside chunks is the same beside most of them.
        rows.check_text(heading for path in {chunk.headings for chunk in batch} for heading in path)
        rows.check_text({chunk.context.opening for chunk in batch})
        yield batch


def _put_empty(connection: sqlite3.Connection, document: Document) -> int:
    """A document of no chunks yet, and of a digest that no other has."""
    number = connection.execute(
        "INSERT INTO documents(digest, kind, title, metadata, chunks, characters) VALUES (?, ?, ?, ?, 0, 0)",
        (os.urandom(rows.DIGEST_BYTES), document.kind, document.title, rows.to_json(dict(document.metadata))),
    ).lastrowid
    assert number is not None  # an INSERT has a rowid
    connection.executemany(
        "INSERT INTO notices(document, position, code, notice) VALUES (?, ?, ?, ?)",
        ((number, at, notice.code, rows.to_json(notice)) for at, notice in enumerate(document.notices)),
    )
    return number


def _put_chunks(
    connection: sqlite3.Connection,
    pending: PendingWords,
    document: int,
    title: str | None,
    chunks: Sequence[Chunk],
    said: Sequence[str],
) -> None:
    """`said`: :func:`rows.about` of each chunk."""
    # AUTOINCREMENT: numbers are never used again, and inside one transaction they are counted up.
    (last,) = connection.execute("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'chunks'").fetchone()
    numbered = list(enumerate(chunks, last + 1))
    connection.executemany(
        "INSERT INTO chunks(id, document, position, visible, roles) VALUES (?, ?, ?, ?, ?)",
        ((key, document, *rows.chunk_row(chunk)) for key, chunk in numbered),
    )
    connection.executemany(
        "INSERT INTO bodies(chunk, text, about) VALUES (?, ?, ?)",
        ((key, chunk.text, about) for (key, chunk), about in zip(numbered, said, strict=True)),
    )
    words = (
        (key, *rows.words_row(title, chunk.headings, chunk.context.opening, chunk.text)) for key, chunk in numbered
    )
    if len(chunks) < _BATCH:
        pending.add(words)
    else:
        connection.executemany(INSERT_WORDS, words)


def put_source(
    connection: sqlite3.Connection, pending: PendingWords, namespace: int, standing: Standing, document: int | None
) -> int:
    """The source's row says this now; the document it had before goes if no other source has it. Returns its number."""
    source = standing.source
    name = rows.name_bytes(source.name)
    before = connection.execute(
        "SELECT document FROM sources WHERE namespace = ? AND name = ?", (namespace, name)
    ).fetchone()
    metadata = rows.effective(standing.own, standing.caller)
    connection.execute(
        """INSERT INTO sources(namespace, name, document, sha256, size, fingerprint, settings, engine, metadata, date,
                receipt, stored) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT(namespace, name) DO UPDATE SET document = excluded.document, sha256 = excluded.sha256,
                size = excluded.size, fingerprint = excluded.fingerprint, settings = excluded.settings,
                engine = excluded.engine, metadata = excluded.metadata, date = excluded.date,
                receipt = excluded.receipt, stored = excluded.stored""",
        (
            namespace,
            name,
            document,
            source.sha256,
            source.size,
            source.fingerprint,
            standing.settings,
            standing.engine,
            rows.to_json(dict(standing.caller)),
            rows.date_of(metadata),
            None if standing.receipt is None else rows.to_json(standing.receipt),
            rows.now(),
        ),
    )
    # Not by RETURNING, which came with SQLite 3.35: distributions that are still supported have 3.34.
    (number,) = connection.execute(
        "SELECT id FROM sources WHERE namespace = ? AND name = ?", (namespace, name)
    ).fetchone()
    connection.execute("DELETE FROM refusals WHERE source = ?", (number,))
    connection.execute("DELETE FROM properties WHERE source = ?", (number,))
    connection.executemany(
        "INSERT INTO properties(source, key, value) VALUES (?, ?, ?)",
        ((number, key, rows.spelled(value)) for key, value in metadata.items()),
    )
    if before is not None and before[0] not in (None, document):
        drop_if_unused(connection, pending, before[0])
    return int(number)


def put_refusal(connection: sqlite3.Connection, source: int, facts: RefusalFacts) -> None:
    connection.execute(
        "INSERT INTO refusals(source, code, facts) VALUES (?, ?, ?)", (source, facts.code, rows.to_json(facts))
    )


def drop_source(connection: sqlite3.Connection, pending: PendingWords, source: int) -> None:
    """Removes a source, and its document if no other source has it."""
    (document,) = connection.execute("SELECT document FROM sources WHERE id = ?", (source,)).fetchone()
    connection.execute("DELETE FROM sources WHERE id = ?", (source,))
    if document is not None:
        drop_if_unused(connection, pending, document)


def drop_if_unused(connection: sqlite3.Connection, pending: PendingWords, document: int) -> None:
    if connection.execute("SELECT 1 FROM sources WHERE document = ? LIMIT 1", (document,)).fetchone():
        return
    stored = connection.execute(f"{_STORED_WORDS} WHERE d.id = ?", (document,))
    _tell_words(connection, _DELETE_WORDS, (row for row in stored if not pending.forget(row[0])))
    connection.execute("DELETE FROM documents WHERE id = ?", (document,))


def drop_everything(connection: sqlite3.Connection, pending: PendingWords) -> None:
    pending.forget_all()
    connection.execute("INSERT INTO words(words) VALUES ('delete-all')")
    for table in ("sources", "documents", "runs", "namespaces"):
        connection.execute(f"DELETE FROM {table}")  # noqa: S608  # names of ours


def make_words_again(connection: sqlite3.Connection) -> None:
    """Fills the index of words from the texts, by the rules of today."""
    connection.execute("INSERT INTO words(words) VALUES ('delete-all')")
    _tell_words(connection, INSERT_WORDS, connection.execute(_STORED_WORDS))
    connection.execute("UPDATE rules SET words = ?", (RULES,))


def _tell_words(
    connection: sqlite3.Connection, statement: str, stored: Iterable[tuple[int, str | None, str, str]]
) -> None:
    found = iter(stored)
    while batch := list(islice(found, _BATCH)):
        connection.executemany(
            statement, ((key, *rows.words_of(title, text, about)) for key, title, text, about in batch)
        )
