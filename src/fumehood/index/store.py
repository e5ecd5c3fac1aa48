"""`SQLiteIndex`: an index in one file, by SQLite and its FTS5."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import TracebackType
from typing import Final, Self, TypeVar

import msgspec

from fumehood.chunking.model import Chunk, Value, copied
from fumehood.document import Document
from fumehood.errors import Refusal
from fumehood.hygiene import printable
from fumehood.index import reading, rows, searching, verifying, writing
from fumehood.index.connection import at_most, connect, our_errors, savepoint, transaction
from fumehood.index.errors import StoreError
from fumehood.index.model import (
    DEFAULT_NAMESPACE,
    Entry,
    Filters,
    Page,
    RefusedEntry,
    Source,
    Stats,
    StoredChunk,
    StoredDocument,
    checked_namespace,
)
from fumehood.index.pending import PendingWords
from fumehood.index.protocol import Run
from fumehood.index.reading import Row
from fumehood.index.recipe import Recipe
from fumehood.index.runs import SQLiteRun, one_at_a_time
from fumehood.index.words import RULES
from fumehood.kinds import AUTO, by_extension

WAIT_SECONDS: Final = 10.0
SEARCH_SECONDS: Final = 10.0
"""Words that stand in every one of a million chunks take one or two; a question may have two hundred of them."""
_BESIDE_CACHE_KIB: Final = 1_024
"""For looking up one source at a time."""
_ANY: Final = Filters()

_Entry = TypeVar("_Entry", Entry, RefusedEntry)


class SQLiteIndex:
    """An :class:`fumehood.index.protocol.Index` in one file (beside which SQLite keeps `-wal` and `-shm` while it is open).

    - `create`: make the file if it is not there. `read_only`: change nothing; works where nothing may be written.
    - `wait_seconds`: how long a write waits for another process before it is `IndexBusy`.
    - `search_seconds`: how long one search may take before it is `SearchTimeout`.

    Calls from several threads take turns, but for `unchanged`, which sees what is committed while another thread
    writes; open the file twice to search while it is written to. Raises a
    :class:`StoreError`; a file that is no index, or a newer one, is left as it is.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        create: bool = True,
        read_only: bool = False,
        wait_seconds: float = WAIT_SECONDS,
        search_seconds: float = SEARCH_SECONDS,
    ) -> None:
        self.path = os.fspath(path)
        self._wait_seconds = wait_seconds
        self._search_seconds = search_seconds
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = connect(
            self.path, create=create and not read_only, read_only=read_only, wait_seconds=wait_seconds
        )
        self._rules_hold = False
        self._is_open = False  # a transaction that writes
        self.pending = PendingWords()
        self._beside_lock = threading.Lock()  # taken last
        self._beside: sqlite3.Connection | None = None

    def close(self) -> None:
        with self._lock, self._beside_lock, our_errors(self.path), contextlib.ExitStack() as closing:
            for connection in (self._connection, self._beside):  # The one behind is closed first, and leaves the log.
                if connection is not None:
                    closing.callback(connection.close)
            self._connection = self._beside = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # ---- the connection ------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection, for statements that change no table of the index."""
        with self._lock, our_errors(self.path):
            yield self._opened()

    @contextlib.contextmanager
    def _glancing(self) -> Iterator[sqlite3.Connection]:
        """The same for a look at one source. While another thread writes, nobody waits: what it writes is not there yet."""
        if self._lock.acquire(blocking=False):
            try:
                with self.reading() as connection:
                    yield connection
            finally:
                self._lock.release()
            return
        with self._beside_lock, our_errors(self.path):
            self._opened()
            if self._beside is None:
                self._beside = connect(self.path, create=False, read_only=True, wait_seconds=self._wait_seconds)
                self._beside.execute(f"PRAGMA cache_size = -{_BESIDE_CACHE_KIB}")
            yield self._beside

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            raise StoreError(f"index {printable(self.path)}: it was closed; open it again")
        return self._connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The connection in a transaction, or in a part of one that is open: undone if an exception passes."""
        with self.reading() as connection:
            if self._is_open:
                with self._part(connection):
                    yield connection
                return
            self._is_open = True
            try:
                with transaction(connection):
                    self._make_rules_hold(connection)
                    yield connection
                    self.pending.tell(connection)
            finally:
                self._is_open = False
                self.pending.forget_all()
            self._rules_hold = True

    @contextlib.contextmanager
    def _part(self, connection: sqlite3.Connection) -> Iterator[None]:
        if not connection.in_transaction:
            raise StoreError(f"index {printable(self.path)}: what was written together has been undone; begin again")
        if self.pending.full:
            self.pending.tell(connection)  # Before the part, which could take it back.
        before = self.pending.copy()
        try:
            with savepoint(connection):
                yield
        except BaseException:
            self.pending = before
            raise

    def _make_rules_hold(self, connection: sqlite3.Connection) -> None:
        if not self._rules_hold:
            (rules,) = connection.execute("SELECT words FROM rules").fetchone()
            if rules != RULES:
                writing.make_words_again(connection)

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        with self.writing():
            yield

    # ---- writing -------------------------------------------------------------------------------------------

    def replace(
        self,
        source: Source | str,
        document: Document,
        chunks: Iterable[Chunk],
        *,
        namespace: str = DEFAULT_NAMESPACE,
        metadata: Mapping[str, Value] | None = None,
        recipe: Recipe | None = None,
    ) -> Entry:
        receipt = document.receipt
        known = _source(source)
        if receipt is not None:
            known = msgspec.structs.replace(
                known,
                sha256=known.sha256 or receipt.sha256,
                size=receipt.size if known.size is None else known.size,
            )
        engine = receipt.engine if receipt is not None else ""
        standing = writing.Standing(
            known,
            document.metadata,
            _caller(metadata),
            None if recipe is None else recipe.of_document(document.kind, engine),
            engine,
            receipt,
        )
        rows.check_text((document.title or "", *document.metadata, *document.metadata.values()))
        batches = writing.in_batches(chunks)
        # A document of ordinary size is chunked by then, and keeps no other writer waiting.
        first = next(batches, ())
        with self.writing() as connection:
            number = writing.put_document(connection, self.pending, document, chain((first,), batches))
            writing.put_source(
                connection,
                self.pending,
                writing.namespace_id(connection, checked_namespace(namespace)),
                standing,
                number,
            )
            return self._entry(connection, known.name, namespace, Entry)

    def refuse(
        self,
        source: Source | str,
        refusal: Refusal,
        *,
        namespace: str = DEFAULT_NAMESPACE,
        metadata: Mapping[str, Value] | None = None,
        recipe: Recipe | None = None,
    ) -> RefusedEntry:
        known = _source(source)
        settings = None if recipe is None else recipe.of_refusal()
        standing = writing.Standing(known, {}, _caller(metadata), settings, None, None)
        with self.writing() as connection:
            row = writing.put_source(
                connection, self.pending, writing.namespace_id(connection, checked_namespace(namespace)), standing, None
            )
            writing.put_refusal(connection, row, refusal.facts)
            return self._entry(connection, known.name, namespace, RefusedEntry)

    def adopt(
        self,
        source: Source,
        recipe: Recipe,
        *,
        namespace: str = DEFAULT_NAMESPACE,
        metadata: Mapping[str, Value] | None = None,
    ) -> Entry | None:
        checked_namespace(namespace)
        if source.sha256 is None:
            return None
        caller = _caller(metadata)
        with self._glancing() as connection:
            # Most bytes are new, and no other writer need wait for that.
            if next(reading.of_bytes(connection, source.sha256), None) is None:
                return None
        with self.writing() as connection:
            for row in reading.of_bytes(connection, source.sha256):
                # A name is a hint for `auto`: another ending may give another kind.
                alike = recipe.kind != AUTO or by_extension(row.name) == by_extension(source.name)
                if alike and row.would_be_the_same(recipe):
                    known = msgspec.structs.replace(source, size=row.size if source.size is None else source.size)
                    standing = writing.Standing(known, row.own, caller, row.settings, row.engine, row.receipt)
                    into = writing.namespace_id(connection, namespace)
                    writing.put_source(connection, self.pending, into, standing, row.document)
                    return self._entry(connection, source.name, namespace, Entry)
        return None

    def touch(self, source: Source, *, namespace: str = DEFAULT_NAMESPACE) -> bool:
        with self.writing() as connection:
            changed = connection.execute(
                """UPDATE sources SET fingerprint = ?, size = coalesce(?, size) WHERE name = ? AND sha256 = ?
                    AND namespace = (SELECT id FROM namespaces WHERE name = ?)""",
                (
                    source.fingerprint,
                    source.size,
                    rows.name_bytes(source.name),
                    source.sha256,
                    checked_namespace(namespace),
                ),
            )
            return changed.rowcount == 1

    def remove(self, source: str, *, namespace: str = DEFAULT_NAMESPACE) -> bool:
        with self.writing() as connection:
            found = reading.source(connection, source, checked_namespace(namespace))
            if found is not None:
                writing.drop_source(connection, self.pending, found.id)
            return found is not None

    def clear(self, *, namespace: str | None = None) -> int:
        if namespace is not None:
            checked_namespace(namespace)
        with self.writing() as connection:
            if namespace is None:
                (count,) = connection.execute("SELECT count(*) FROM sources").fetchone()
                writing.drop_everything(connection, self.pending)
                return int(count)
            found = connection.execute(
                "SELECT s.id FROM sources s JOIN namespaces n ON n.id = s.namespace WHERE n.name = ?", (namespace,)
            ).fetchall()
            for (number,) in found:
                writing.drop_source(connection, self.pending, number)
            return len(found)

    # ---- reading -------------------------------------------------------------------------------------------

    def unchanged(
        self,
        source: Source,
        recipe: Recipe,
        *,
        namespace: str = DEFAULT_NAMESPACE,
        metadata: Mapping[str, Value] | None = None,
    ) -> Entry | RefusedEntry | None:
        with self._glancing() as connection:
            row = reading.source(connection, source.name, checked_namespace(namespace))
        if row is None or row.caller != _caller(metadata):
            return None
        if source.sha256 is not None:
            same = row.sha256 == source.sha256
        else:
            same = source.fingerprint is not None and row.fingerprint == source.fingerprint
        return row.entry() if same and row.would_be_the_same(recipe) else None

    def get(self, source: str, *, namespace: str = DEFAULT_NAMESPACE) -> StoredDocument | None:
        with self.reading() as connection, _one_moment(connection):
            row = reading.source(connection, source, checked_namespace(namespace))
            return None if row is None else reading.stored_document(connection, row)

    def neighbours(self, key: int, n: int = 1) -> tuple[StoredChunk, ...]:
        with self.reading() as connection, _one_moment(connection):
            return reading.neighbours(connection, key, n)

    def documents(self, *, namespace: str | None = None, source_prefix: str = "") -> Iterator[Entry]:
        for row in self._rows(namespace, source_prefix, refused=False):
            entry = row.entry()
            assert isinstance(entry, Entry)  # as it was asked for
            yield entry

    def refusals(self, *, namespace: str | None = None, source_prefix: str = "") -> Iterator[RefusedEntry]:
        for row in self._rows(namespace, source_prefix, refused=True):
            entry = row.entry()
            assert isinstance(entry, RefusedEntry)  # as it was asked for
            yield entry

    def _rows(self, namespace: str | None, prefix: str, *, refused: bool) -> Iterator[Row]:
        if namespace is not None:
            checked_namespace(namespace)
        after = None
        while True:
            with self.reading() as connection:
                page = reading.page(connection, refused=refused, namespace=namespace, prefix=prefix, after=after)
            yield from page
            if len(page) < reading.PAGE:
                return
            after = page[-1]

    def search(self, query: str, filters: Filters | None = None, *, limit: int = 10, offset: int = 0) -> Page:
        with self.reading() as connection, _one_moment(connection):
            self.pending.tell(connection)
            with at_most(connection, self.path, self._search_seconds):
                return searching.search(connection, query, filters or _ANY, limit, offset)

    def stats(self, *, namespace: str | None = None) -> Stats:
        if namespace is not None:
            checked_namespace(namespace)
        with self.reading() as connection, _one_moment(connection):
            return reading.stats(connection, namespace, self.path)

    def verify(self) -> tuple[str, ...]:
        """See the protocol. Raises `IndexNotWritable` on a read-only file system: FTS5's own check takes a lock."""
        with self.reading() as connection:
            self.pending.tell(connection)
            return tuple(verifying.problems(connection))

    @contextlib.contextmanager
    def run(self, *, namespace: str = DEFAULT_NAMESPACE, scopes: Sequence[str] = ("",)) -> Iterator[Run]:
        checked_namespace(namespace)
        with one_at_a_time(self.path, self._wait_seconds):
            yield SQLiteRun(self, namespace, scopes)

    def _entry(self, connection: sqlite3.Connection, name: str, namespace: str, kind: type[_Entry]) -> _Entry:
        row = reading.source(connection, name, namespace)
        entry = None if row is None else row.entry()
        assert isinstance(entry, kind)  # it was written a moment ago
        return entry


@contextlib.contextmanager
def _one_moment(connection: sqlite3.Connection) -> Iterator[None]:
    """Several statements that see the same state of the index, whatever other processes write."""
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _source(source: Source | str) -> Source:
    return Source(source) if isinstance(source, str) else source


def _caller(metadata: Mapping[str, Value] | None) -> dict[str, Value]:
    """Raises `TypeError` for values that are not plain and `ValueError` for control characters."""
    taken = copied(metadata or {})
    rows.check_text(taken)
    rows.check_text(value for value in taken.values() if isinstance(value, str))
    return taken
