"""Opens the file, looks at it before anything is written, and says in our own words why SQLite failed."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import time
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from fumehood.hygiene import printable
from fumehood.index.errors import (
    ForeignIndex,
    IndexBusy,
    IndexCorrupt,
    IndexFull,
    IndexNotWritable,
    IndexUnreadable,
    NewerIndex,
    NoIndex,
    SearchTimeout,
    StoreError,
)
from fumehood.index.schema import APPLICATION_ID, SCHEMA_VERSION, SETTINGS, TABLES
from fumehood.index.words import RULES

_PAGE_BYTES: Final = 16_384
"""Chunks of ordinary size leave a sixth of SQLite's default pages empty, and fill these in less time (measured)."""
_CACHE_KIB: Final = 8_192
"""With more, an index is filled in the same time (measured), and all of it stays with the process."""
_STEPS: Final = 1_000
"""Between two looks at the clock: a few milliseconds where rows are counted, tens where prefixes are gathered."""
_PRIMARY: Final = 0xFF
"""An extended result code holds the primary one in its low byte (SQLite, "Result and Error Codes")."""

_ERRORS: Final[dict[int, tuple[type[StoreError], str]]] = {
    sqlite3.SQLITE_BUSY: (IndexBusy, "another process is writing to it; try again, or wait longer"),
    sqlite3.SQLITE_LOCKED: (IndexBusy, "another process is writing to it; try again, or wait longer"),
    sqlite3.SQLITE_FULL: (IndexFull, "there is no room on the disk"),
    sqlite3.SQLITE_READONLY: (IndexNotWritable, "it may only be read"),
    sqlite3.SQLITE_PERM: (IndexNotWritable, "it may only be read"),
    sqlite3.SQLITE_CANTOPEN: (
        IndexUnreadable,
        "it cannot be opened; look at the permissions of the file and its folder",
    ),
    sqlite3.SQLITE_AUTH: (IndexUnreadable, "it may not be opened"),
    sqlite3.SQLITE_IOERR: (IndexUnreadable, "reading or writing it failed"),
    sqlite3.SQLITE_NOTADB: (ForeignIndex, "it is not an index of fumehood; nothing was changed"),
    sqlite3.SQLITE_CORRUPT: (IndexCorrupt, "it is damaged; delete it and ingest again, or restore a copy"),
}


@contextlib.contextmanager
def our_errors(path: str) -> Iterator[None]:
    """Turns what SQLite raises into a `StoreError`."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translated(path, error) from error


def _translated(path: str, error: sqlite3.Error) -> StoreError:
    code = getattr(error, "sqlite_errorcode", None)
    kind, why = _ERRORS.get((code or 0) & _PRIMARY, (StoreError, printable(str(error))))
    return kind(f"index {printable(path)}: {why}")


def connect(path: str, *, create: bool, read_only: bool, wait_seconds: float) -> sqlite3.Connection:
    """A connection to an index with our schema, in autocommit mode, usable from any thread.

    Raises a `StoreError`; a file that is not ours is as it was.
    """
    _look_at_folder(path, create=create)
    # What was made a moment ago may still be in the log alone.
    if _look(path) and not create and not os.path.exists(_log(path)):
        raise _none(path)
    with our_errors(path):
        connection = _opened(path, create=create, read_only=read_only, wait_seconds=wait_seconds)
    try:
        with our_errors(path):
            _configure(connection)
            if _has_no_tables(connection):
                if not create:
                    raise _none(path)
                _create(connection)
            # What the log holds counts as well, and was not looked at above.
            _check(path, *_stamps(connection))
    except BaseException:
        connection.close()
        raise
    return connection


def _look_at_folder(path: str, *, create: bool) -> None:
    """Raises `NoIndex` or `IndexUnreadable` if there is none: SQLite cannot open the file, and does not say why."""
    folder = os.path.dirname(path) or "."
    try:
        missing = not stat.S_ISDIR(os.stat(folder).st_mode)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        missing = True
    except OSError:
        return  # It may be there, and what cannot be done with it is told by what is.
    if missing:
        kind, then = (IndexUnreadable, "; make the folder first") if create else (NoIndex, "")
        raise kind(f"index {printable(path)}: there is no folder {printable(folder)}{then}")


def _look(path: str) -> bool:
    """Whether the file is yet to be made. Raises `ForeignIndex`, `NewerIndex` or `IndexUnreadable`."""
    try:
        size = os.path.getsize(path) if os.path.lexists(path) else 0
    except OSError as error:
        raise IndexUnreadable(f"index {printable(path)}: {printable(error.strerror or str(error))}") from error
    if not size:
        return True
    if not os.path.isfile(path):
        raise ForeignIndex(f"index {printable(path)}: it is not a file")
    if size == 1:
        # Which SQLite takes for an empty file (os_unix.c, unixFileSize), and would write over.
        raise _foreign(path)
    try:
        stamps = _peek(path)
    except IndexCorrupt:
        # A disk that was full, or a kill, can part a file from its log: together they are whole.
        if os.path.exists(_log(path)):
            return False
        raise
    if stamps is not None:
        _check(path, *stamps)
    return stamps is None


def _peek(path: str) -> tuple[int, int] | None:
    """The stamps in the file itself, None for a database without anything in it.

    An immutable file is read without locks, and nothing is made beside it (SQLite, "URI Filenames").
    """
    with our_errors(path), contextlib.closing(_by_uri(path, "mode=ro&immutable=1", 0)) as connection:
        return None if _has_no_tables(connection) else _stamps(connection)


def _foreign(path: str) -> ForeignIndex:
    return ForeignIndex(f"index {printable(path)}: it is not an index of fumehood; nothing was changed")


def _none(path: str) -> NoIndex:
    return NoIndex(f"index {printable(path)}: there is none; `fumehood ingest` makes one")


def _log(path: str) -> str:
    """The write-ahead log's name (SQLite, "WAL-mode File Format", 1)."""
    return f"{path}-wal"


def _stamps(connection: sqlite3.Connection) -> tuple[int, int]:
    (owner,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return owner, version


def _has_no_tables(connection: sqlite3.Connection) -> bool:
    if _stamps(connection) != (0, 0):
        return False
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return bool(tables == 0)


def _check(path: str, owner: int, version: int) -> None:
    if owner != APPLICATION_ID or version < 1:
        raise _foreign(path)
    if version > SCHEMA_VERSION:
        raise NewerIndex(
            f"index {printable(path)}: a newer fumehood made it (schema {version}, this one knows {SCHEMA_VERSION}); "
            "nothing was changed"
        )


def _opened(path: str, *, create: bool, read_only: bool, wait_seconds: float) -> sqlite3.Connection:
    connection = _by_uri(path, "mode=rwc" if create else "mode=rw", wait_seconds)
    if not read_only:
        return connection
    try:
        # Not `mode=ro`: such a connection leaves what it has to put beside the file behind it.
        connection.execute("PRAGMA query_only = ON")
        connection.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.Error as error:
        connection.close()
        # Where nothing can be written beside it, a log that nobody left need not be made (SQLite, "WAL", 10).
        if not isinstance(error, sqlite3.OperationalError) or os.path.exists(_log(path)):
            raise
        connection = _by_uri(path, "mode=ro&immutable=1", wait_seconds)
    return connection


def _by_uri(path: str, query: str, wait_seconds: float) -> sqlite3.Connection:
    uri = f"file:{urllib.parse.quote(os.fsencode(Path(path).absolute()))}?{query}"
    return sqlite3.connect(uri, uri=True, timeout=wait_seconds, isolation_level=None, check_same_thread=False)


def _configure(connection: sqlite3.Connection) -> None:
    for setting in (
        # A commit that a power failure takes back is ingested again; the file stays whole (SQLite, "WAL", 2.2).
        "synchronous = NORMAL",
        "foreign_keys = ON",
        "trusted_schema = OFF",
        # Text that was removed does not stay on free pages.
        "secure_delete = ON",
        f"cache_size = -{_CACHE_KIB}",
    ):
        connection.execute(f"PRAGMA {setting}")


def _create(connection: sqlite3.Connection) -> None:
    """The log comes first, so that the tables appear all together, or not at all."""
    connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
    connection.execute("PRAGMA journal_mode = WAL")
    with transaction(connection):
        if not _has_no_tables(connection):
            return  # Another process was faster.
        for statement in (*TABLES, *SETTINGS):
            connection.execute(statement)
        connection.execute("INSERT INTO rules VALUES (?)", (RULES,))
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    # Into the file itself, where a look without locks finds whose it is.
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing. The lock is taken at once: one taken late cannot be waited for (SQLite, "Transactions", 2.2)."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextlib.contextmanager
def savepoint(connection: sqlite3.Connection) -> Iterator[None]:
    """The same within a transaction, which goes on with what it had before (SQLite, "SAVEPOINT")."""
    connection.execute("SAVEPOINT one")
    try:
        yield
    except BaseException:
        # Some errors, such as a full disk, undo the transaction itself.
        if connection.in_transaction:
            connection.execute("ROLLBACK TO one")
            connection.execute("RELEASE one")
        raise
    connection.execute("RELEASE one")


@contextlib.contextmanager
def at_most(connection: sqlite3.Connection, path: str, seconds: float) -> Iterator[None]:
    """Statements that read, all together for no longer than that. Raises `SearchTimeout`."""
    until = time.monotonic() + seconds
    connection.set_progress_handler(lambda: time.monotonic() > until, _STEPS)
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
            raise
        if time.monotonic() <= until:
            # Ctrl-C while the clock was looked at: SQLite stops, and cannot hand the exception on.
            raise KeyboardInterrupt from None
        raise SearchTimeout(
            f"index {printable(path)}: the question took longer than {seconds:g} s; ask for something that stands in "
            "fewer places, such as more letters before a *"
        ) from error
    finally:
        connection.set_progress_handler(None, 0)
