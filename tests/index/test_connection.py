from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fumehood.index import (
    ForeignIndex,
    IndexBusy,
    IndexCorrupt,
    IndexFull,
    IndexNotWritable,
    IndexUnreadable,
    NewerIndex,
    NoIndex,
    SearchTimeout,
    SQLiteIndex,
)
from fumehood.index.connection import at_most
from fumehood.index.schema import APPLICATION_ID, SCHEMA_VERSION

from .conftest import document, found, put


def contents(path: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    return {each.name: each.read_bytes() for each in path.parent.iterdir() if each.is_file()}


@contextlib.contextmanager
def raw(path: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


# ---- files that are not ours ---------------------------------------------------------------------------


def _another_database(path: Path) -> None:
    with raw(path) as connection:
        connection.execute("CREATE TABLE people(name)")
        connection.execute("INSERT INTO people VALUES ('Ann')")


def _another_application(path: Path) -> None:
    with raw(path) as connection:
        connection.execute("PRAGMA application_id = 252006674")
        connection.execute("PRAGMA user_version = 1")
        connection.execute("CREATE TABLE chunks(x)")


def _another_log(path: Path) -> None:
    with raw(path) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE people(name)")


def _text(path: Path) -> None:
    path.write_bytes(b"Dear Sir or Madam,\n" * 100)


def _a_letter(path: Path) -> None:
    """SQLite takes a file of one byte for an empty one."""
    path.write_bytes(b"x")


def _zeros(path: Path) -> None:
    path.write_bytes(bytes(10_000))


def _a_version_of_nothing(path: Path) -> None:
    with raw(path) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("CREATE TABLE chunks(x)")


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize(
    "made", [_another_database, _another_application, _another_log, _text, _a_letter, _zeros, _a_version_of_nothing]
)
def test_a_foreign_file_is_left_as_it_is(path: Path, made: Callable[[Path], None], read_only: bool) -> None:
    made(path)
    before = contents(path)
    with pytest.raises(ForeignIndex, match="it is not an index of fumehood; nothing was changed"):
        SQLiteIndex(path, read_only=read_only)
    assert contents(path) == before


def test_a_newer_index_is_left_as_it_is(path: Path) -> None:
    with SQLiteIndex(path) as index:
        put(index, "a", "text")
    with raw(path) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    before = contents(path)
    with pytest.raises(NewerIndex, match=f"a newer fumehood made it .schema {SCHEMA_VERSION + 1}"):
        SQLiteIndex(path)
    assert contents(path) == before


def test_a_newer_index_that_is_in_use(path: Path) -> None:
    """Its version may stand in the log alone."""
    with SQLiteIndex(path), raw(path) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
        with pytest.raises(NewerIndex):
            SQLiteIndex(path)


def test_a_folder_is_no_index(path: Path) -> None:
    path.mkdir()
    with pytest.raises(ForeignIndex, match="it is not a file"):
        SQLiteIndex(path)


def test_there_is_none(path: Path) -> None:
    for options in ({"create": False}, {"read_only": True}):
        with pytest.raises(NoIndex, match="fumehood ingest"):
            SQLiteIndex(path, **options)
    assert not path.exists()


@pytest.mark.parametrize("below", ["x/index", "file/index", "a\0b/index"])
def test_a_folder_that_is_not_there(path: Path, below: str) -> None:
    path.mkdir()
    (path / "file").touch()
    with pytest.raises(IndexUnreadable, match=r"there is no folder \S+; make the folder first"):
        SQLiteIndex(path / below)
    with pytest.raises(NoIndex, match=r"there is no folder \S+$"):
        SQLiteIndex(path / below, create=False)
    assert [entry.name for entry in path.iterdir()] == ["file"]


@pytest.mark.parametrize("size", [0, 4096])
def test_an_empty_file_becomes_an_index(path: Path, size: int) -> None:
    path.touch()
    if size:
        with raw(path) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
    with SQLiteIndex(path) as index:
        put(index, "a", "text")
        assert index.verify() == ()


def test_the_header_says_whose_it_is(path: Path) -> None:
    """At once, so that a look without locks finds it (SQLite, file format, 1.3: offsets 60 and 68)."""
    with SQLiteIndex(path):
        header = path.read_bytes()[:100]
    assert header[68:72] == b"Fume"
    assert header[60:64] == SCHEMA_VERSION.to_bytes(4, "big")
    assert header[18:20] == b"\x02\x02"  # a write-ahead log


def test_any_name_of_a_file(tmp_path: Path) -> None:
    for name in ("a?b#c%20.sqlite", "ü 東.sqlite", b"\xff.sqlite".decode("utf-8", "surrogateescape"), "a;b&mode=ro"):
        with SQLiteIndex(tmp_path / name) as index:
            put(index, "a", "text")
        assert (tmp_path / name).exists()


# ---- what goes wrong -----------------------------------------------------------------------------------


def test_another_process_writes(index: SQLiteIndex, path: Path) -> None:
    put(index, "a", "old text")
    with SQLiteIndex(path, wait_seconds=0.1) as other, raw(path) as connection:
        connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(IndexBusy, match="another process is writing"):
            put(other, "a", "new text")
        assert found(other, "old") == ["a"], "reading goes on"
        connection.execute("ROLLBACK")
        put(other, "a", "new text")
        assert found(other, "new") == ["a"]


def test_no_room(index: SQLiteIndex) -> None:
    """The same code as a full disk gives: `max_page_count` is its rehearsal."""
    put(index, "a", "old text")
    with index.reading() as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(IndexFull, match="no room on the disk"):
        put(index, "a", "\n\n".join(f"# {number}\n\nnew text {number}" for number in range(2_000)))
    assert found(index, "old") == ["a"]
    assert found(index, "new") == []


_FILL = """
import sys
from fumehood import Document, chunk
from fumehood.index import IndexFull, SQLiteIndex
with SQLiteIndex(sys.argv[1]) as index:
    stored = 0
    try:
        while stored < 10_000:
            made = Document.from_markdown("".join(f"word{stored}x{number} " for number in range(2_000)))
            index.replace(f"{stored}", made, chunk(made))
            stored += 1
    except IndexFull:
        pass
    assert index.stats().sources == stored, (index.stats(), stored)
    assert 3 < stored < 10_000
with SQLiteIndex(sys.argv[1]) as index:
    assert index.verify() == ()
    assert index.search("word0x0").hits and index.stats().sources == stored
print("nothing lost")
"""


def test_a_disk_that_fills_up(tmp_path: Path) -> None:
    mount = 'mount -t tmpfs -o size=2m tmpfs "$1" && exec "$2" -P -c "$3" "$1/index.sqlite"'
    ran = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, "-", tmp_path, sys.executable, _FILL],
        capture_output=True,
        timeout=60,
    )
    if b"unshare" in ran.stderr or b"mount:" in ran.stderr:
        pytest.skip(f"no file system can be mounted here: {ran.stderr.decode(errors='replace')}")
    assert (ran.stdout, ran.stderr) == (b"nothing lost\n", b"")


_READ_ONLY = """
import sys
from fumehood import Document, chunk
from fumehood.index import IndexNotWritable, SQLiteIndex, IndexUnreadable
made = Document.from_markdown("new text")
try:
    with SQLiteIndex(sys.argv[1]) as index:
        index.replace("a", made, chunk(made))
except (IndexNotWritable, IndexUnreadable) as error:
    print(type(error).__name__)
with SQLiteIndex(sys.argv[1], read_only=True) as index:
    print([hit.source for hit in index.search("old").hits])
"""


def test_a_read_only_file_system_can_be_searched(tmp_path: Path, path: Path) -> None:
    with SQLiteIndex(path) as index:
        put(index, "a", "old text")
    mount = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$2" -P -c "$3" "$1/index.sqlite"'
    ran = subprocess.run(
        [
            "unshare",
            "--user",
            "--map-root-user",
            "--mount",
            "sh",
            "-c",
            mount,
            "-",
            tmp_path,
            sys.executable,
            _READ_ONLY,
        ],
        capture_output=True,
        timeout=60,
    )
    if b"unshare" in ran.stderr or b"mount:" in ran.stderr:
        pytest.skip(f"nothing can be mounted here: {ran.stderr.decode(errors='replace')}")
    assert ran.stderr == b""
    assert ran.stdout.split(b"\n")[0] in (b"IndexNotWritable", b"IndexUnreadable")
    assert ran.stdout.endswith(b"['a']\n")


def test_without_permission(tmp_path: Path, path: Path) -> None:
    with SQLiteIndex(path) as index:
        put(index, "a", "old text")
    path.chmod(0o444)
    tmp_path.chmod(0o555)
    # In a user namespace without a mapping root has no more rights than other owners of a file (user_namespaces(7)).
    unprivileged = ("unshare", "--user") if os.access(path, os.W_OK) else ()
    try:
        ran = subprocess.run(
            [*unprivileged, sys.executable, "-P", "-c", _READ_ONLY, path], capture_output=True, timeout=60
        )
    finally:
        tmp_path.chmod(0o755)
    if b"unshare" in ran.stderr:
        pytest.skip(f"permissions mean nothing to this user: {ran.stderr.decode(errors='replace')}")
    assert ran.stderr == b""
    assert ran.stdout.split(b"\n")[0] in (b"IndexNotWritable", b"IndexUnreadable")
    assert ran.stdout.endswith(b"['a']\n")


def test_a_file_that_may_not_be_read(path: Path) -> None:
    with SQLiteIndex(path) as index:
        put(index, "a", "old text")
    path.chmod(0)
    path.parent.chmod(0o755)
    unprivileged = ("unshare", "--user") if os.access(path, os.R_OK) else ()
    script = (
        "import sys\nfrom fumehood.index import IndexUnreadable, SQLiteIndex\n"
        "for read_only in (False, True):\n"
        "    try:\n        SQLiteIndex(sys.argv[1], read_only=read_only)\n"
        "    except IndexUnreadable as error:\n        print('permissions' in str(error))"
    )
    ran = subprocess.run([*unprivileged, sys.executable, "-P", "-c", script, path], capture_output=True, timeout=60)
    if b"unshare" in ran.stderr:
        pytest.skip(f"permissions mean nothing to this user: {ran.stderr.decode(errors='replace')}")
    assert (ran.stdout, ran.stderr) == (b"True\nTrue\n", b"")


def test_a_read_only_index_is_not_written(path: Path) -> None:
    with SQLiteIndex(path) as index:
        put(index, "a", "old text")
    before = contents(path)
    with SQLiteIndex(path, read_only=True) as index:
        with pytest.raises(IndexNotWritable, match="may only be read"):
            put(index, "a", "new text")
        assert found(index, "old") == ["a"]
    assert contents(path) == before


def test_damage_is_told(path: Path) -> None:
    with SQLiteIndex(path) as index:
        for number in range(200):
            put(index, str(number), f"text {number} " + "filler " * 50)
    data = bytearray(path.read_bytes())
    data[16_384 * 2 :] = b"\xa5" * (len(data) - 16_384 * 2)
    path.write_bytes(data)
    with pytest.raises(IndexCorrupt, match="damaged"), SQLiteIndex(path) as index:
        put(index, "a", "text")


def test_two_that_make_it_at_once(path: Path) -> None:
    script = (
        "import sys\nfrom fumehood.index import SQLiteIndex\n"
        "with SQLiteIndex(sys.argv[1]) as index:\n    print(index.stats().sources)"
    )
    running = [
        subprocess.Popen([sys.executable, "-P", "-c", script, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    assert [each.communicate(timeout=60) for each in running] == [(b"0\n", b"")] * 4


def test_an_index_made_by_other_rules_is_made_again(path: Path) -> None:
    with SQLiteIndex(path) as index:
        put(index, "a", "café")
        with index.writing() as connection:
            connection.execute("UPDATE rules SET words = 'older'")
            connection.execute("INSERT INTO words(words) VALUES ('delete-all')")
    with SQLiteIndex(path) as index:
        assert found(index, "cafe") == []
        index.replace("b", *document("other"))
        assert found(index, "cafe") == ["a"]
        assert index.verify() == ()


# ---- questions that take too long ----------------------------------------------------------------------

_FOREVER = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"


@pytest.mark.parametrize("query", ["word", "w*", "w* OR text", '"some wo*"', "NEAR(w* text)"])
def test_a_question_that_takes_too_long_is_told_and_leaves_the_index_usable(path: Path, query: str) -> None:
    with SQLiteIndex(path) as index:
        put(index, "a", "".join(f"# {number}\n\nsome word{number} word text\n\n" for number in range(600)))
    with SQLiteIndex(path, search_seconds=0) as index:
        with pytest.raises(SearchTimeout, match="took longer than 0 s; ask for something that stands in fewer places"):
            index.search(query)
        put(index, "b", "still there")
        assert found(index, "still") == ["b"]
        assert index.verify() == ()
    with SQLiteIndex(path) as index:
        assert found(index, query) == ["a"] * 10


def test_a_question_can_be_interrupted(path: Path) -> None:
    """By Ctrl-C, while SQLite is at work."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with raw(path) as connection, pytest.raises(KeyboardInterrupt), at_most(connection, str(path), 60):
            connection.execute(_FOREVER)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
