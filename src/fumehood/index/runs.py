"""One pass over sources: what was seen, and what is gone since.

Names that were seen go to a temporary table, which SQLite keeps outside the index and spills to the disk: nothing is
written to the index for a source that has not changed, and memory does not grow with their number.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fumehood.hygiene import printable
from fumehood.index import rows, writing
from fumehood.index.errors import IndexBusy, IndexNotWritable, NothingListed
from fumehood.index.filters import Condition

if TYPE_CHECKING:
    from fumehood.index.store import SQLiteIndex

_BATCH: Final = 100
"""Sources removed in one transaction: others wait no longer than that."""
_ASK_AGAIN_SECONDS: Final = 0.05


class SQLiteRun:
    """See :class:`fumehood.index.protocol.Run`."""

    def __init__(self, index: SQLiteIndex, namespace: str, scopes: Sequence[str]) -> None:
        self._index = index
        with index.writing() as connection:
            self._namespace = writing.namespace_id(connection, namespace)
            self._id = connection.execute(
                "INSERT INTO runs(namespace, begun) VALUES (?, ?)", (self._namespace, rows.now())
            ).lastrowid
        with index.reading() as connection:
            connection.execute("CREATE TEMP TABLE IF NOT EXISTS seen(name BLOB PRIMARY KEY) WITHOUT ROWID")
            connection.execute("DELETE FROM temp.seen")
        self._scope = _in_scope(scopes)

    def saw(self, source: str) -> None:
        with self._index.reading() as connection:
            connection.execute("INSERT OR IGNORE INTO temp.seen VALUES (?)", (rows.name_bytes(source),))

    def gone(self) -> Iterator[str]:
        after = b""
        while found := self._gone(after):
            yield from (rows.name_text(name) for _, name in found)
            after = found[-1][1]

    def prune(self, *, allow_empty: bool = False) -> int:
        if not allow_empty:
            self._refuse_if_nothing_was_seen()
        pruned = 0
        while found := self._gone(b""):
            with self._index.writing() as connection:
                for source, _ in found:
                    writing.drop_source(connection, self._index.pending, source)
            pruned += len(found)
        return pruned

    def finish(self, summary: Mapping[str, int]) -> None:
        with self._index.writing() as connection:
            connection.execute(
                "UPDATE runs SET finished = ?, summary = ? WHERE id = ?",
                (rows.now(), rows.to_json(dict(summary)), self._id),
            )

    def _refuse_if_nothing_was_seen(self) -> None:
        with self._index.reading() as connection:
            seen = connection.execute("SELECT 1 FROM temp.seen LIMIT 1").fetchone()
        if seen is None and self._gone(b""):
            raise NothingListed(
                f"index {printable(self._index.path)}: nothing is left at the source, so everything would be removed; "
                "if that is right, say so (--allow-empty)"
            )

    def _gone(self, after: bytes) -> list[tuple[int, bytes]]:
        with self._index.reading() as connection:
            return connection.execute(
                "SELECT s.id, s.name FROM sources s WHERE s.namespace = ? AND s.name > ? "  # noqa: S608  # ours
                f"AND NOT EXISTS (SELECT 1 FROM temp.seen t WHERE t.name = s.name) AND ({self._scope.sql}) "
                f"ORDER BY s.name LIMIT {_BATCH}",
                (self._namespace, after, *self._scope.parameters),
            ).fetchall()


def _in_scope(scopes: Sequence[str]) -> Condition:
    """A scope is a name, or what lies below it; "" is everything."""
    if isinstance(scopes, str):
        raise TypeError("scopes takes a sequence of names, not one str")
    if "" in scopes:
        return Condition("1", ())
    tests, values = ["0"], list[object]()
    for scope in scopes:
        folder = rows.name_bytes(scope.removesuffix("/") + "/")
        tests.append("s.name = ? OR s.name >= ? AND s.name < ?")
        # No byte of UTF-8 is 0xFF (RFC 3629, 3).
        values += (rows.name_bytes(scope), folder, folder + b"\xff")
    return Condition(" OR ".join(tests), tuple(values))


@contextlib.contextmanager
def one_at_a_time(path: str, wait_seconds: float) -> Iterator[None]:
    """Two runs on one index would prune what the other has just found.

    The lock is on a file beside the index: closing a second descriptor of the index itself would drop the locks that
    SQLite holds on it (fcntl(2), "Advisory record locking"). The kernel lets it go with the process, however it ends.
    Raises `IndexBusy`.
    """
    lock = f"{path}-run"
    try:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise IndexNotWritable(f"index {printable(path)}: {printable(error.strerror or str(error))}: {lock}") from error
    try:
        _lock(descriptor, path, time.monotonic() + wait_seconds)
        yield
        # Whoever waits has it open, takes the lock, and holds a file without a name; so it stays.
    finally:
        os.close(descriptor)


def _lock(descriptor: int, path: str, until: float) -> None:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                raise IndexBusy(f"index {printable(path)}: another run is on it; wait until it has ended") from None
            time.sleep(_ASK_AGAIN_SECONDS)
        else:
            return
