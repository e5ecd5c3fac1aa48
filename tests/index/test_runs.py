from __future__ import annotations

from pathlib import Path

import pytest

from fumehood.errors import refusal
from fumehood.index import IndexBusy, NothingListed, SQLiteIndex

from .conftest import found, put


@pytest.fixture
def filled(index: SQLiteIndex) -> SQLiteIndex:
    for name in ("docs/a", "docs/b", "docs", "docs2/a", "other"):
        put(index, name, f"text of {name}")
    return index


def test_what_is_gone_is_pruned(filled: SQLiteIndex) -> None:
    filled.refuse("docs/refused", refusal("malformed"))
    with filled.run(scopes=["docs"]) as run:
        run.saw("docs/a")
        run.saw("docs/new")
        assert list(run.gone()) == ["docs", "docs/b", "docs/refused"]
        assert run.prune() == 3
        run.finish({"read": 1, "pruned": 3})
    assert sorted(found(filled, "text")) == ["docs/a", "docs2/a", "other"]
    assert list(filled.refusals()) == []


def test_an_empty_listing_prunes_nothing_unless_told(filled: SQLiteIndex) -> None:
    with filled.run() as run:
        with pytest.raises(NothingListed, match="--allow-empty"):
            run.prune()
        assert filled.stats().sources == 5
        assert run.prune(allow_empty=True) == 5
        assert run.prune() == 0, "nothing is left that could be lost"


def test_a_scope_with_a_slash_is_the_same(filled: SQLiteIndex) -> None:
    with filled.run(scopes=["docs/", "other"]) as run:
        assert list(run.gone()) == ["docs/a", "docs/b", "other"]
    with filled.run(scopes=[]) as run:
        assert list(run.gone()) == []
    with pytest.raises(TypeError, match="not one str"), filled.run(scopes="docs"):
        pass


def test_other_namespaces_are_left(filled: SQLiteIndex) -> None:
    with filled.run(namespace="mine") as run:
        run.saw("x")
        assert list(run.gone()) == []


def test_many_are_pruned_in_batches(index: SQLiteIndex) -> None:
    for number in range(250):
        index.refuse(f"{number:03}", refusal("malformed"))
    with index.run() as run:
        run.saw("100")
        assert len(list(run.gone())) == 249
        assert run.prune() == 249
    assert [entry.source for entry in index.refusals()] == ["100"]


def test_one_run_at_a_time(filled: SQLiteIndex, path: Path) -> None:
    with SQLiteIndex(path, wait_seconds=0.1) as other, filled.run() as run:
        run.saw("docs/a")
        with pytest.raises(IndexBusy, match="another run is on it"), other.run():
            pass
        put(other, "upload", "an upload goes on")
    with filled.run() as run:
        assert len(list(run.gone())) == 6, "nothing is remembered of the run before"


def test_runs_are_on_record(filled: SQLiteIndex) -> None:
    with filled.run() as run:
        run.finish({"read": 2})
    with filled.run(), filled.reading() as connection:
        rows = connection.execute("SELECT finished IS NOT NULL, summary FROM runs ORDER BY id").fetchall()
    assert rows == [(1, '{"read":2}'), (0, None)]
