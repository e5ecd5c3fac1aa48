"""The statements that list what an index holds."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from typing import Any, Final

from fumehood.chunking.model import Value
from fumehood.document import Notice, Receipt
from fumehood.errors import RefusalFacts
from fumehood.index import rows
from fumehood.index.filters import named
from fumehood.index.model import Entry, RefusedEntry, Stats, StoredChunk, StoredDocument
from fumehood.index.recipe import Recipe, same_document, same_refusal

PAGE: Final = 200
"""Sources listed at a time: between pages others may write."""

_SOURCES: Final = """
    SELECT s.id, n.id, n.name, s.name, s.document, s.sha256, s.size, s.fingerprint, s.settings, s.engine, s.metadata,
        s.receipt, s.stored, d.kind, d.title, d.metadata, d.chunks, d.characters, r.facts
    FROM sources s JOIN namespaces n ON n.id = s.namespace
    LEFT JOIN documents d ON d.id = s.document LEFT JOIN refusals r ON r.source = s.id"""

_CHUNKS: Final = (
    "SELECT c.id, c.position, c.visible, c.roles, b.text, b.about FROM chunks c JOIN bodies b ON b.chunk = c.id"
)


class Row:
    """One row of `_SOURCES`, and what it says."""

    def __init__(self, row: tuple[Any, ...]) -> None:
        (
            self.id,
            self.namespace_id,
            self.namespace,
            name,
            self.document,
            self.sha256,
            self.size,
            self.fingerprint,
            self.settings,
            self.engine,
            caller,
            self._receipt,
            self.stored,
            self.kind,
            self.title,
            self._own,
            self.chunks,
            self.characters,
            facts,
        ) = row
        self.name: str = rows.name_text(name)
        self.caller: dict[str, Value] = rows.decoded(caller, dict[str, Any])
        self.refusal: RefusalFacts | None = rows.decoded(facts, RefusalFacts)

    def would_be_the_same(self, recipe: Recipe) -> bool:
        """Whether the same bytes would give the same again."""
        if self.settings is None:
            return False
        if self.refusal is not None:
            return same_refusal(self.settings, self.refusal, recipe)
        return same_document(self.settings, self.kind, self.engine, recipe)

    @property
    def own(self) -> dict[str, str]:
        own: dict[str, str] = rows.decoded(self._own, dict[str, str])
        return own

    @property
    def receipt(self) -> Receipt | None:
        receipt: Receipt | None = rows.decoded(self._receipt, Receipt)
        return receipt

    def entry(self) -> Entry | RefusedEntry:
        if self.refusal is not None:
            return RefusedEntry(
                namespace=self.namespace,
                source=self.name,
                refusal=self.refusal,
                sha256=self.sha256,
                size=self.size,
                fingerprint=self.fingerprint,
                stored=self.stored,
            )
        return Entry(
            namespace=self.namespace,
            source=self.name,
            document=self.document,
            kind=self.kind,
            title=self.title,
            metadata=self.own,
            caller_metadata=self.caller,
            sha256=self.sha256,
            size=self.size,
            fingerprint=self.fingerprint,
            chunks=self.chunks,
            characters=self.characters,
            receipt=self.receipt,
            stored=self.stored,
        )


def source(connection: sqlite3.Connection, name: str, namespace: str) -> Row | None:
    row = connection.execute(
        f"{_SOURCES} WHERE n.name = ? AND s.name = ?", (namespace, rows.name_bytes(name))
    ).fetchone()
    return None if row is None else Row(row)


def of_bytes(connection: sqlite3.Connection, sha256: str) -> Iterator[Row]:
    """Sources whose document was read from these bytes, a page of them: copies are mostly alike."""
    found = connection.execute(f"{_SOURCES} WHERE s.sha256 = ? AND s.document IS NOT NULL LIMIT {PAGE}", (sha256,))
    yield from map(Row, found)


def page(
    connection: sqlite3.Connection, *, refused: bool, namespace: str | None, prefix: str, after: Row | None
) -> list[Row]:
    """Up to a page of sources, namespace by namespace in order of name, after the one given."""
    tests, values = [f"s.document IS {'' if refused else 'NOT '}NULL"], list[object]()
    if namespace is not None:
        tests.append("n.name = ?")
        values.append(namespace)
    if prefix:
        condition = named(prefix)
        tests.append(condition.sql)
        values += condition.parameters
    if after is not None:
        tests.append("(s.namespace, s.name) > (?, ?)")
        values += (after.namespace_id, rows.name_bytes(after.name))
    found = connection.execute(
        f"{_SOURCES} WHERE {' AND '.join(tests)} ORDER BY s.namespace, s.name LIMIT {PAGE}", values
    )
    return list(map(Row, found))


def stored_document(connection: sqlite3.Connection, found: Row) -> StoredDocument | None:
    entry = found.entry()
    if isinstance(entry, RefusedEntry):
        return None
    notices = connection.execute("SELECT notice FROM notices WHERE document = ? ORDER BY position", (entry.document,))
    chunks = connection.execute(f"{_CHUNKS} WHERE c.document = ? ORDER BY c.position", (entry.document,))
    return StoredDocument(
        entry, tuple(rows.decoded(notice, Notice) for (notice,) in notices), tuple(map(_stored_chunk, chunks))
    )


def neighbours(connection: sqlite3.Connection, key: int, n: int) -> tuple[StoredChunk, ...]:
    if n < 0:
        raise ValueError(f"n is not negative, as {n} is")
    place = connection.execute("SELECT document, position FROM chunks WHERE id = ?", (key,)).fetchone()
    if place is None:
        return ()
    document, position = place
    found = connection.execute(
        f"{_CHUNKS} WHERE c.document = ? AND c.position BETWEEN ? AND ? ORDER BY c.position",
        (document, position - n, position + n),
    )
    return tuple(map(_stored_chunk, found))


def _stored_chunk(row: tuple[Any, ...]) -> StoredChunk:
    key, position, visible, roles, text, about = row
    return StoredChunk(key, rows.chunk_of(position, visible, roles, text, about))


def stats(connection: sqlite3.Connection, namespace: str | None, path: str) -> Stats:
    test = "WHERE s.namespace = (SELECT id FROM namespaces WHERE name = ?)" if namespace is not None else ""
    values = () if namespace is None else (namespace,)

    def rows_of(sql: str) -> list[tuple[Any, ...]]:
        return connection.execute(sql, values).fetchall()

    ((documents, chunks, characters),) = rows_of(
        "SELECT count(*), coalesce(sum(chunks), 0), coalesce(sum(characters), 0) FROM documents "  # noqa: S608  # ours
        f"WHERE id IN (SELECT s.document FROM sources s {test})"
    )
    by_kind = rows_of(
        f"SELECT d.kind, count(*) FROM sources s JOIN documents d ON d.id = s.document {test} GROUP BY 1 ORDER BY 1"  # noqa: S608
    )
    by_refusal = rows_of(
        f"SELECT r.code, count(*) FROM sources s JOIN refusals r ON r.source = s.id {test} GROUP BY 1 ORDER BY 1"  # noqa: S608
    )
    names = connection.execute(
        "SELECT name FROM namespaces n WHERE EXISTS (SELECT 1 FROM sources s WHERE s.namespace = n.id) ORDER BY name"
    )
    refused = sum(count for _, count in by_refusal)
    return Stats(
        sources=sum(count for _, count in by_kind) + refused,
        documents=documents,
        chunks=chunks,
        characters=characters,
        refused=refused,
        by_kind=dict(by_kind),
        by_refusal=dict(by_refusal),
        namespaces=tuple(name for (name,) in names),
        file_bytes=sum(os.path.getsize(each) for each in (path, f"{path}-wal") if os.path.exists(each)),
    )
