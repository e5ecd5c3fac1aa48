"""The statements of a search: candidates by their words, then what the best of them are."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final, NamedTuple

from fumehood.chunking.model import Value
from fumehood.index import filters as conditions
from fumehood.index import rows
from fumehood.index.model import MAX_SOURCES, Filters, Hit, Page, SourceRef
from fumehood.index.query import Phrase, parse, phrases
from fumehood.index.snippets import snippet

MAX_LIMIT: Final = 1_000

_SCORE: Final = "bm25(words, 4.0, 2.0, 1.0)"
"""A word in the title counts four times, in a heading twice (FTS5, 5.1.1). Smaller is better there."""

_VISIBLE: Final = (
    "NOT EXISTS (SELECT 1 FROM chunks h INDEXED BY chunks_hidden WHERE h.id = words.rowid AND h.visible = 0)"
)

_DETAILS: Final = """
    SELECT c.position, c.visible, c.roles, b.text, b.about, c.document, d.kind, d.title, d.metadata
    FROM chunks c JOIN bodies b ON b.chunk = c.id JOIN documents d ON d.id = c.document WHERE c.id = ?"""


def search(connection: sqlite3.Connection, query: str, filters: Filters, limit: int, offset: int) -> Page:
    """One page. Raises `ValueError` for what is out of range or no date."""
    if not 1 <= limit <= MAX_LIMIT:
        raise ValueError(f"limit is between 1 and {MAX_LIMIT:,}, not {limit}")
    if offset < 0:
        raise ValueError(f"offset is not negative, as {offset} is")
    of_sources = conditions.of_sources(filters)
    asked = parse(query)
    if asked is None:
        return Page((), None)
    found = _candidates(connection, asked.expression(), filters, limit + 1, offset)
    wanted = tuple(phrases(asked))
    hits = [_hit(connection, key, score, wanted, of_sources) for key, score in found[:limit]]
    return Page(tuple(hit for hit in hits if hit is not None), offset + limit if len(found) > limit else None)


def _candidates(
    connection: sqlite3.Connection, expression: str, filters: Filters, limit: int, offset: int
) -> list[tuple[int, float]]:
    """Numbers and scores of chunks, best first, equal ones in order of their numbers, so that pages do not overlap."""
    about = conditions.of_chunks(filters)
    # CROSS JOIN keeps the order: from words to chunks (SQLite, "Query Planning", 7.3).
    joined = "CROSS JOIN chunks c ON c.id = words.rowid" if about.sql else ""
    tests = ["words MATCH ?", *(() if filters.hidden else (_VISIBLE,)), *((about.sql,) if about.sql else ())]
    return connection.execute(
        f"SELECT words.rowid, {_SCORE} AS score FROM words {joined} WHERE {' AND '.join(tests)}"  # noqa: S608  # ours
        " ORDER BY score, words.rowid LIMIT ? OFFSET ?",
        (expression, *about.parameters, limit, offset),
    ).fetchall()


def _hit(
    connection: sqlite3.Connection, key: int, score: float, wanted: Sequence[Phrase], sources: conditions.Condition
) -> Hit | None:
    row = connection.execute(_DETAILS, (key,)).fetchone()
    if row is None:
        return None  # What words or documents refer to is not there: `verify` says so.
    position, visible, roles, text, about, document, kind, title, own = row
    found = _sources(connection, document, sources)
    if not found.names:
        return None
    return Hit(
        key=key,
        chunk=rows.chunk_of(position, visible, roles, text, about),
        kind=kind,
        title=title,
        sources=found.names,
        more_sources=found.more,
        metadata=rows.effective(rows.decoded(own, dict[str, str]), rows.decoded(found.caller, dict[str, Value])),
        score=-score,
        snippet=snippet(text, wanted),
    )


class _Sources(NamedTuple):
    """Where a document was found, how many more there are, and the caller's metadata of the first."""

    names: tuple[SourceRef, ...]
    more: int
    caller: str


def _sources(connection: sqlite3.Connection, document: int, condition: conditions.Condition) -> _Sources:
    of_document = (
        "FROM sources s JOIN namespaces n ON n.id = s.namespace "
        f"WHERE s.document = ? {'AND ' + condition.sql if condition.sql else ''}"
    )
    values = (document, *condition.parameters)
    found = connection.execute(
        f"SELECT n.name, s.name, s.metadata {of_document} ORDER BY n.name, s.name LIMIT {MAX_SOURCES}",  # ours
        values,
    ).fetchall()
    count = len(found)
    if count == MAX_SOURCES:
        (count,) = connection.execute(f"SELECT count(*) {of_document}", values).fetchone()  # ours
    names = tuple(SourceRef(namespace, rows.name_text(name)) for namespace, name, _ in found)
    return _Sources(names, count - len(names), found[0][2] if found else "{}")
