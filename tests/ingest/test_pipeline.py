"""What a user relies on: the index says what the sources say, whatever happens on the way."""

from __future__ import annotations

import math
import time
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from fumehood import Limits, Refusal
from fumehood.errors import SandboxUnavailable, refusal
from fumehood.index import IndexBusy, IndexFull, SQLiteIndex
from fumehood.ingest import (
    Chunker,
    Everything,
    Item,
    Listing,
    Outcome,
    Patterns,
    Pipeline,
    Summary,
    Unlisted,
    ingest_isolated,
)
from fumehood.ingest.flow import BATCH, GROUPS_AHEAD

from .helpers import PlainReader, fill, run, statuses


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "files"
    fill(
        path, {"a.md": "# Apples\n\nred", "b.md": "# Pears\n\ngreen", "sub/c.md": "plums", "bad.md": "REFUSE malformed"}
    )
    return path


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index"


def ingest(folder: Path, index: Path, *, backend: str = "trio", **options: Any) -> tuple[Summary, dict[str, str]]:
    outcomes: list[Outcome] = []
    reader = {"reader": options.pop("reader")} if "reader" in options else {}
    listing = options.pop("listing", None) or Listing([str(folder)])

    async def use(pipeline: Pipeline, _: SQLiteIndex) -> Summary:
        return await pipeline.run(listing, on_progress=outcomes.append, **options)

    summary = run(use, index, backend=backend, **reader)
    return summary, statuses(outcomes)


def found(index: Path, words: str) -> set[str]:
    with SQLiteIndex(index) as opened:
        return {Path(hit.source).name for hit in opened.search(words).hits}


# ---- runs ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["trio", "asyncio"])
def test_a_folder_goes_in_and_every_file_is_accounted_for(folder: Path, index: Path, backend: str) -> None:
    summary, said = ingest(folder, index, backend=backend)
    assert said == {"a.md": "read", "b.md": "read", "c.md": "read", "bad.md": "refused"}
    assert (summary.sources, summary.succeeded, summary.refused, summary.failed) == (4, 3, 1, 0)
    assert summary.chunks == 3
    assert dict(summary.refusals) == {"malformed": 1}
    assert summary.by_kind["markdown"].read == 3
    assert found(index, "apples") == {"a.md"}


def test_a_second_run_reads_what_has_changed_and_prunes_what_is_gone(folder: Path, index: Path) -> None:
    ingest(folder, index)
    fill(folder, {"a.md": "quinces", "new.md": "figs"})
    (folder / "b.md").unlink()
    reader = PlainReader()
    summary, said = ingest(folder, index, reader=reader)
    assert said == {"a.md": "read", "new.md": "read", "c.md": "unchanged", "bad.md": "refused", "b.md": "pruned"}
    assert reader.reads == 2
    assert (summary.unchanged, summary.pruned) == (1, 1)
    assert found(index, "apples OR pears") == set()
    assert found(index, "quinces OR figs") == {"a.md", "new.md"}


def test_a_refused_document_loses_its_earlier_text(folder: Path, index: Path) -> None:
    ingest(folder, index)
    fill(folder, {"a.md": "REFUSE encrypted"})
    _, said = ingest(folder, index)
    assert said["a.md"] == "refused"
    assert found(index, "apples") == set()


def test_what_could_not_be_taken_keeps_what_the_index_has(folder: Path, index: Path) -> None:
    ingest(folder, index)
    fill(folder, {"a.md": "REFUSE overloaded"})
    _, said = ingest(folder, index)
    assert said["a.md"] == "failed"
    assert found(index, "apples") == {"a.md"}


def test_without_a_sandbox_nothing_goes_on(folder: Path, index: Path) -> None:
    fill(folder, {"b.md": "REFUSE sandbox-unavailable"})
    with pytest.raises(SandboxUnavailable):
        ingest(folder, index)


def test_copies_are_read_once_and_found_under_both_names(folder: Path, index: Path) -> None:
    ingest(folder, index)
    (folder / "copy.md").write_bytes((folder / "a.md").read_bytes())
    reader = PlainReader()
    _, said = ingest(folder, index, reader=reader)
    assert said["copy.md"] == "read"
    assert reader.reads == 0
    with SQLiteIndex(index) as opened:
        (hit,) = opened.search("apples").hits
        assert {Path(source.name).name for source in hit.sources} == {"a.md", "copy.md"}


def test_patterns_that_leave_files_out_prune_nothing_of_them(folder: Path, index: Path) -> None:
    ingest(folder, index)
    (folder / "a.md").unlink()
    summary, said = ingest(folder, index, listing=Listing([str(folder)], Patterns(exclude=("sub",))))
    assert said == {"a.md": "pruned", "b.md": "unchanged", "bad.md": "refused"}
    assert dict(summary.skipped) == {"hidden-or-excluded": 1}
    assert found(index, "plums") == {"c.md"}


def test_an_empty_folder_prunes_nothing_unless_told(folder: Path, index: Path) -> None:
    other = folder.parent / "other"
    fill(other, {"d.md": "dates"})
    both = [str(folder), str(other)]
    ingest(folder, index, listing=Listing(both))
    (other / "d.md").unlink()
    summary, said = ingest(folder, index, listing=Listing(both))
    assert (summary.kept, summary.pruned) == (1, 0)
    assert "d.md" not in said
    assert found(index, "dates") == {"d.md"}
    summary, said = ingest(folder, index, listing=Listing(both), allow_empty=True)
    assert (summary.kept, said["d.md"]) == (0, "pruned")
    assert found(index, "dates") == set()


def test_a_dry_run_says_what_would_happen_and_does_nothing(folder: Path, index: Path) -> None:
    ingest(folder, index)
    fill(folder, {"a.md": "quinces"})
    (folder / "b.md").unlink()
    reader = PlainReader()
    summary, said = ingest(folder, index, dry_run=True, reader=reader)
    assert said == {"a.md": "read", "c.md": "unchanged", "bad.md": "refused", "b.md": "pruned"}
    assert summary.dry_run
    assert reader.reads == 0
    assert found(index, "apples OR pears OR quinces") == {"a.md", "b.md"}


def test_two_runs_on_one_index_do_not_meet(folder: Path, index: Path) -> None:
    async def use(pipeline: Pipeline, opened: SQLiteIndex) -> None:
        with opened.run():
            await pipeline.run(Listing([str(folder)]))

    with pytest.raises(IndexBusy, match="another run"):
        run(use, index)


# ---- trouble -------------------------------------------------------------------------------------------


def gone(_: int) -> bytes:
    raise FileNotFoundError(2, "No such file or directory")


def broken(_: int) -> bytes:
    raise PermissionError(13, "Permission denied")


def test_what_vanishes_after_it_was_listed_is_pruned_and_no_failure(index: Path) -> None:
    async def use(pipeline: Pipeline, _: SQLiteIndex) -> Summary:
        await pipeline.run([Item.of_bytes(b"one", "a"), Item.of_bytes(b"two", "b")])
        return await pipeline.run([Item("a", gone), Item.of_bytes(b"two", "b")], scope=Everything())

    summary = run(use, index)
    assert (summary.failed, summary.pruned, summary.unchanged) == (0, 1, 1)
    assert dict(summary.skipped) == {"vanished": 1}


def test_what_cannot_be_opened_is_told_and_what_the_index_has_of_it_stays(index: Path) -> None:
    said: list[Outcome] = []

    async def use(pipeline: Pipeline, _: SQLiteIndex) -> Summary:
        await pipeline.run([Item.of_bytes(b"one", "a")])
        unlisted = Unlisted("b", OSError(5, "Input/output error"))
        return await pipeline.run([Item("a", broken), unlisted], scope=Everything(), on_progress=said.append)

    summary = run(use, index)
    assert (summary.failed, summary.pruned) == (2, 0)
    assert {(each.source, each.error) for each in said} == {("a", "Permission denied"), ("b", "Input/output error")}
    assert found(index, "one") == {"a"}


def test_a_file_that_is_too_large_is_not_loaded(index: Path) -> None:
    async def use(pipeline: Pipeline, _: SQLiteIndex) -> Summary:
        return await pipeline.run([Item("a", broken, size=11), Item("b", lambda most: bytes(most))])

    summary = run(use, index, reader=PlainReader(limits=Limits(input_bytes=10)))
    assert dict(summary.refusals) == {"input-too-large": 2}


def test_a_document_that_cannot_be_chunked_is_a_failure(index: Path) -> None:
    async def use(pipeline: Pipeline, _: SQLiteIndex) -> Summary:
        return await pipeline.run([Item.of_bytes(b"word " * 100, "a"), Item.of_bytes(b"word", "b")])

    summary = run(use, index, chunker=Chunker("fixed", {"max_size": 10, "min_size": 1, "max_chunks": 3}))
    assert (summary.succeeded, summary.failed) == (1, 1)


class FullIndex(SQLiteIndex):
    def replace(self, *_: Any, **__: Any) -> Any:
        raise IndexFull("no room")


@pytest.mark.parametrize("backend", ["trio", "asyncio"])
def test_an_index_that_fails_ends_the_run_with_its_own_error(folder: Path, index: Path, backend: str) -> None:
    async def main() -> None:
        with FullIndex(index) as opened:
            await Pipeline(opened, PlainReader()).run(Listing([str(folder)]))

    with pytest.raises(IndexFull, match="no room"):
        anyio.run(main, backend=backend)


def test_what_the_caller_raises_comes_out_as_itself(folder: Path, index: Path) -> None:
    def stop(_: Outcome) -> None:
        raise LookupError("mine")

    async def use(pipeline: Pipeline, _: SQLiteIndex) -> Summary:
        return await pipeline.run(Listing([str(folder)]), on_progress=stop)

    with pytest.raises(LookupError, match="mine"):
        run(use, index)


@pytest.mark.parametrize("backend", ["trio", "asyncio"])
def test_cancelling_ends_between_two_sources_and_another_run_goes_on(index: Path, backend: str) -> None:
    items = [Item.of_bytes(b"word %d" % number, f"{number}") for number in range(60)]

    async def use(pipeline: Pipeline, opened: SQLiteIndex) -> Summary:
        with anyio.CancelScope() as scope:
            seen = 0

            def after_ten(_: Outcome) -> None:
                nonlocal seen
                seen += 1
                if seen == 10:
                    scope.cancel()

            await pipeline.run(items, scope=Everything(), on_progress=after_ten)
        assert scope.cancelled_caught
        assert opened.verify() == ()
        assert 10 <= opened.stats().sources < 60
        return await pipeline.run(items, scope=Everything())

    summary = run(use, index, backend=backend)
    assert summary.sources == 60
    assert summary.unchanged >= 10
    assert summary.pruned == 0


# ---- sources of other kinds ----------------------------------------------------------------------------


def test_sources_are_taken_only_a_little_ahead(index: Path) -> None:
    taken = ended = most = 0

    def items() -> Iterator[Item]:
        nonlocal taken, most
        for number in range(400):
            taken += 1
            most = max(most, taken - ended)
            yield Item.of_bytes(b"%d" % number, f"{number}")

    def count(_: Outcome) -> None:
        nonlocal ended
        ended += 1

    async def use(pipeline: Pipeline, _: SQLiteIndex) -> Summary:
        return await pipeline.run(items(), on_progress=count)

    assert run(use, index).succeeded == 400
    # However many there are: two batches, what the tasks hold, what is stored, and what waits to be.
    assert most < 2 * BATCH + 2 * GROUPS_AHEAD + 16


class Unhurried(SQLiteIndex):
    """Stores more slowly than is read, and counts what is read and not stored yet."""

    def __init__(self, path: Path, reader: PlainReader) -> None:
        super().__init__(path)
        self._reader, self._stored, self.most = reader, 0, 0

    def replace(self, *what: Any, **how: Any) -> Any:
        time.sleep(0.01)
        self.most = max(self.most, self._reader.reads - self._stored)
        self._stored += 1
        return super().replace(*what, **how)


def most_under_way(index: Path, items: list[Item], backend: str) -> int:
    async def main() -> int:
        reader = PlainReader()
        with Unhurried(index, reader) as opened:
            summary = await Pipeline(opened, reader).run(items)
            assert summary.succeeded == len(items)
            return opened.most

    return anyio.run(main, backend=backend)


@pytest.mark.parametrize("backend", ["trio", "asyncio"])
def test_no_document_is_read_while_large_ones_wait_to_be_stored(
    index: Path, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By their names nothing is expected of them: what they weigh is known when they are here."""
    items = [Item.of_bytes(b"%d\n\n" % number + b"a\n\n" * 100, f"{number}", name="a.pdf") for number in range(20)]
    assert most_under_way(index, items, backend) > PlainReader().workers
    monkeypatch.setattr("fumehood.ingest.flow.DOCUMENTS_ROOM", 10_000)
    assert most_under_way(index.with_name("other"), items, backend) == PlainReader().workers


@pytest.mark.parametrize("backend", ["trio", "asyncio"])
def test_large_texts_are_read_one_by_one_and_small_ones_beside_them(
    index: Path, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fumehood.ingest.flow.DOCUMENTS_ROOM", 10_000)
    large = [Item.of_bytes(b"%d" % number + b"a" * 8_000, f"{number}", name="a.txt") for number in range(10)]
    assert most_under_way(index, large, backend) == 1
    small = [Item.of_bytes(b"%d" % number, f"{number}", name="a.txt") for number in range(10)]
    assert most_under_way(index.with_name("other"), small, backend) >= PlainReader().workers


def test_what_is_no_namespace_is_a_mistake_before_anything_is_done(index: Path) -> None:
    with SQLiteIndex(index) as opened:
        with pytest.raises(ValueError, match="a namespace is a name"):
            Pipeline(opened, PlainReader(), namespace="")
        with pytest.raises(ValueError, match="a namespace is a name"):
            ingest_isolated(opened, b"text", source="a", namespace="")


def test_an_asynchronous_feed_is_taken_as_it_comes(index: Path) -> None:
    async def use(pipeline: Pipeline, _: SQLiteIndex) -> Summary:
        first_is_in = anyio.Event()

        async def feed() -> AsyncIterator[Item]:
            yield Item.of_bytes(b"one", "a")
            await first_is_in.wait()
            yield Item.of_bytes(b"two", "b")

        async def tell(_: Outcome) -> None:
            first_is_in.set()

        return await pipeline.run(feed(), on_progress=tell)

    assert run(use, index).succeeded == 2


def test_a_feed_that_waits_to_be_told_is_not_waited_for(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fumehood.ingest.flow.GROUP_SECONDS", math.inf)
    test_an_asynchronous_feed_is_taken_as_it_comes(index)


def test_what_is_told_is_committed(index: Path) -> None:
    """Whoever is told can be killed: a second connection has it."""
    items = [
        Item.of_bytes(b"REFUSE malformed" if number % 7 == 0 else b"word %d" % number, f"{number}")
        for number in range(60)
    ]
    told = 0

    async def use(pipeline: Pipeline, _: SQLiteIndex) -> Summary:
        with SQLiteIndex(index, read_only=True) as other:

            def check(outcome: Outcome) -> None:
                nonlocal told
                told += 1
                assert other.stats().sources >= told
                assert (other.get(outcome.source) is not None) == (outcome.status == "read")

            return await pipeline.run(items, on_progress=check)

    assert run(use, index).sources == told == 60


def test_one_that_fails_takes_no_other_of_its_group_with_it(index: Path) -> None:
    items = [Item.of_bytes(b"word%d " % number * (100 if number % 5 == 0 else 1), f"{number}") for number in range(60)]

    async def use(pipeline: Pipeline, opened: SQLiteIndex) -> Summary:
        summary: Summary = await pipeline.run(items)
        assert opened.verify() == ()
        assert {entry.source for entry in opened.documents()} == {f"{number}" for number in range(60) if number % 5}
        return summary

    summary = run(use, index, chunker=Chunker("fixed", {"max_size": 10, "min_size": 1, "max_chunks": 3}))
    assert (summary.succeeded, summary.failed) == (48, 12)


def test_the_same_fingerprint_is_not_loaded(index: Path) -> None:
    async def use(pipeline: Pipeline, _: SQLiteIndex) -> Summary:
        await pipeline.run([Item.of_bytes(b"one", "a", fingerprint="v1")])
        same = await pipeline.run([Item("a", broken, fingerprint="v1")])
        assert same.unchanged == 1
        touched = await pipeline.run([Item.of_bytes(b"one", "a", fingerprint="v2")])
        assert touched.unchanged == 1
        return await pipeline.run([Item("a", broken, fingerprint="v2")])

    assert run(use, index).unchanged == 1


# ---- one at a time -------------------------------------------------------------------------------------


def test_an_upload_is_in_the_index_when_it_returns(index: Path) -> None:
    async def use(pipeline: Pipeline, opened: SQLiteIndex) -> list[Outcome]:
        upload = partial(pipeline.ingest_one, source="u/1", name="a.md")
        outcomes = [
            await upload(b"one", metadata={"user": "x"}),
            await upload(b"one", metadata={"user": "x"}),
            await upload(b"two", metadata={"user": "x"}),
        ]
        stored = opened.get("u/1")
        assert stored is not None
        assert stored.chunks[0].chunk.text == "two"
        assert stored.entry.caller_metadata == {"user": "x"}
        outcomes.append(await upload(b"REFUSE malformed"))
        assert opened.get("u/1") is None
        return outcomes

    outcomes = run(use, index)
    assert [outcome.status for outcome in outcomes] == ["read", "unchanged", "read", "refused"]


def test_an_upload_that_could_not_be_taken_changes_nothing(index: Path) -> None:
    async def use(pipeline: Pipeline, opened: SQLiteIndex) -> None:
        await pipeline.ingest_one(b"one", source="a")
        with pytest.raises(SandboxUnavailable):
            await pipeline.ingest_one(b"REFUSE overloaded", source="a")
        assert opened.get("a") is not None

    run(use, index)


def test_uploads_at_once_are_each_whole(index: Path) -> None:
    async def use(pipeline: Pipeline, opened: SQLiteIndex) -> None:
        async with anyio.create_task_group() as tasks:
            for number in range(2):
                tasks.start_soon(partial(pipeline.ingest_one, b"word %d" % number, source="same"))
        stored = opened.get("same")
        assert stored is not None
        assert opened.verify() == ()

    run(use, index)


def test_without_an_event_loop(index: Path) -> None:
    with SQLiteIndex(index) as opened:
        outcome = ingest_isolated(opened, b"# One\n\ntext", source="a", name="a.md")
        assert (outcome.status, outcome.kind, outcome.chunks) == ("read", "markdown", 1)
        assert ingest_isolated(opened, b"# One\n\ntext", source="a", name="a.md").status == "unchanged"
        refused = ingest_isolated(opened, b"[" * 1_000, source="b", kind="json")
        assert isinstance(refused.refusal, Refusal)
        assert refused.refusal.code == refusal("nesting").code
        assert [entry.source for entry in opened.refusals()] == ["b"]
