"""What is written together: each call whole or not at all, all of them kept at once, and words found as ever."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from fumehood.errors import refusal
from fumehood.index import Recipe, Source, SQLiteIndex, StoreError

from .conftest import document, found, put

LONG = "".join(f"# Part {number}\n\nsentence {number}\n\n" for number in range(1_200))


def broken(index: SQLiteIndex, source: str, text: str) -> None:
    made, chunks = document(text)
    with pytest.raises(StoreError):
        index.replace(source, made, [*chunks, chunks[0]])  # Its place in the document is taken.


def test_others_see_all_of_it_at_once(index: SQLiteIndex, path: Path) -> None:
    with SQLiteIndex(path, read_only=True) as other:
        with index.together():
            put(index, "a", "apples")
            index.refuse("b", refusal("malformed"))
            put(index, "c", "cherries")
            assert other.stats().sources == 0
        assert other.stats().sources == 3
        assert found(other, "apples OR cherries") == ["a", "c"]


def test_one_that_fails_takes_no_other_with_it(index: SQLiteIndex) -> None:
    put(index, "old", "olives")
    with index.together():
        put(index, "a", "apples")
        broken(index, "b", "bananas")
        broken(index, "a", "avocados")
        broken(index, "old", LONG)
        put(index, "c", "cherries")
    asked = "apples OR bananas OR avocados OR sentence OR cherries OR olives"
    assert sorted(found(index, asked)) == ["a", "c", "old"]
    assert index.stats().sources == 3


def test_an_exception_takes_back_all_of_it(index: SQLiteIndex) -> None:
    put(index, "a", "apples")

    def undone() -> None:
        with index.together():
            put(index, "a", "avocados")
            put(index, "b", LONG)
            index.remove("a")
            raise LookupError

    with pytest.raises(LookupError):
        undone()
    assert found(index, "apples") == ["a"]
    assert found(index, "avocados OR sentence") == []
    put(index, "b", "bananas")
    assert found(index, "bananas") == ["b"]


def test_the_same_source_again_and_the_same_text_again(index: SQLiteIndex) -> None:
    with index.together():
        put(index, "a", "apples")
        put(index, "a", "avocados")
        put(index, "b", "avocados")
        put(index, "c", LONG)
        put(index, "d", LONG)
        put(index, "c", "cherries")
        index.remove("b")
    assert found(index, "apples") == []
    assert found(index, "avocados OR cherries") == ["a", "c"]
    assert set(found(index, '"sentence 1199"')) == {"d"}
    assert index.stats().documents == 3


def test_more_documents_than_wait(index: SQLiteIndex) -> None:
    with index.together():
        for number in range(1_100):
            put(index, f"{number}", f"word{number}")
            if number % 100 == 99:
                broken(index, f"{number}", "bananas")
    assert found(index, "word0 OR word500 OR word1098 OR bananas") == ["0", "500", "1098"]


def test_what_was_written_is_there_within(index: SQLiteIndex) -> None:
    with index.together():
        put(index, "a", "apples")
        assert found(index, "apples") == ["a"]
        stored = index.get("a")
        assert stored is not None
        assert [each.key for each in index.neighbours(stored.chunks[0].key)] == [stored.chunks[0].key]
        assert index.stats().sources == 1
        assert index.verify() == ()
        put(index, "b", "bananas")
        assert index.clear() == 2
        put(index, "c", "cherries")
    assert found(index, "apples OR bananas OR cherries") == ["c"]


def test_it_may_be_nested(index: SQLiteIndex) -> None:
    with index.together():
        put(index, "a", "apples")
        with contextlib.suppress(LookupError), index.together():
            put(index, "b", "bananas")
            raise LookupError
        with index.together():
            put(index, "c", "cherries")
    assert found(index, "apples OR bananas OR cherries") == ["a", "c"]


def test_nothing_is_added_to_what_has_been_undone(index: SQLiteIndex) -> None:
    """A full disk undoes all of a transaction (SQLite, "lang_transaction", 3)."""

    def undone() -> None:
        with index.together():
            put(index, "a", "apples")
            with contextlib.suppress(StoreError), index.writing() as connection:
                connection.execute("ROLLBACK")
            put(index, "b", "bananas")

    with pytest.raises(StoreError, match="undone"):
        undone()
    assert index.stats().sources == 0
    put(index, "c", "cherries")
    assert found(index, "cherries") == ["c"]


RECIPE = Recipe()
KNOWN = Source("a", sha256="0" * 64, size=1)


@contextlib.contextmanager
def written_elsewhere(index: SQLiteIndex) -> Iterator[None]:
    """Another thread has written `KNOWN`, and commits it at the end."""
    written, done = threading.Event(), threading.Event()

    def write() -> None:
        with index.together():
            index.replace(KNOWN, *document("apples"), recipe=RECIPE)
            written.set()
            done.wait(timeout=30)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        assert written.wait(timeout=30)
        yield
    finally:
        done.set()
        thread.join(timeout=30)


def test_a_look_at_a_source_does_not_wait_for_who_writes(index: SQLiteIndex) -> None:
    other = Source("b", sha256=KNOWN.sha256, size=1)
    with written_elsewhere(index):
        assert index.unchanged(KNOWN, RECIPE) is None, "it is not committed"
        assert index.adopt(other, RECIPE) is None
    assert index.unchanged(KNOWN, RECIPE) is not None
    assert index.adopt(other, RECIPE) is not None
    with index.together():
        index.replace(Source("c", sha256="1" * 64), *document("cherries"), recipe=RECIPE)
        assert index.unchanged(Source("c", sha256="1" * 64), RECIPE) is not None, "this thread wrote it"


def test_what_was_opened_for_looks_is_closed(path: Path) -> None:
    with SQLiteIndex(path) as index:
        put(index, "old", "olives")
        with written_elsewhere(index):
            index.unchanged(KNOWN, RECIPE)
    assert sorted(os.listdir(path.parent)) == [path.name], "no log is left"
    with pytest.raises(StoreError, match="it was closed"):
        index.unchanged(KNOWN, RECIPE)
