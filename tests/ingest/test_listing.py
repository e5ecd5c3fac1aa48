"""Folders as they come: links that loop, pipes, names that are no text, files that vanish, and what is skipped."""

from __future__ import annotations

import os
import tracemalloc
from collections.abc import Iterable
from pathlib import Path

import pytest

from fumehood.ingest.items import Item, Unlisted
from fumehood.ingest.listing import MAX_DEPTH, Listing
from fumehood.ingest.patterns import Patterns


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")


def found(listing: Iterable[Item | Unlisted], root: Path) -> list[str]:
    return [os.path.relpath(item.source, root) for item in listing if isinstance(item, Item)]


def test_folders_are_listed_to_the_bottom_in_order(tmp_path: Path) -> None:
    make(tmp_path, "b.txt", "a/z.txt", "a/b/c.txt", "c/.keep")
    listing = Listing([str(tmp_path)])
    assert found(listing, tmp_path) == ["b.txt", "a/z.txt", "a/b/c.txt"]
    assert listing.scopes() == (str(tmp_path),)
    assert listing.covers(f"{tmp_path}/a/gone.txt")
    assert not listing.covers(f"{tmp_path}/.gone")
    assert listing.skipped == {"hidden-or-excluded": 1}


def test_the_largest_files_of_a_folder_come_first(tmp_path: Path) -> None:
    make(tmp_path, "a.txt", "b.txt", "c.txt", "d/e.txt")
    (tmp_path / "b.txt").write_bytes(b"xxx")
    (tmp_path / "c.txt").write_bytes(b"xx")
    (tmp_path / "d" / "e.txt").write_bytes(b"xxxx")
    assert found(Listing([str(tmp_path)]), tmp_path) == ["b.txt", "c.txt", "a.txt", "d/e.txt"]


def test_dotfiles_and_node_modules_are_skipped_unless_named(tmp_path: Path) -> None:
    make(tmp_path, ".env", ".git/config", "node_modules/a.md", "a.md", "x/node_modules/b.md")
    assert found(Listing([str(tmp_path)]), tmp_path) == ["a.md"]
    named = Listing([str(tmp_path / ".env"), str(tmp_path / "node_modules"), str(tmp_path)])
    assert found(named, tmp_path) == [".env", "node_modules/a.md", "a.md"]


def test_what_is_named_twice_is_listed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "a/b/c.txt", "a/d.txt")
    monkeypatch.chdir(tmp_path / "a" / "b")
    names = ["../../a", ".", "c.txt", str(tmp_path / "a"), "../d.txt"]
    assert sorted(found(Listing(names), tmp_path)) == ["a/b/c.txt", "a/d.txt"]


def test_links_are_not_followed_unless_asked_for_and_loops_end(tmp_path: Path) -> None:
    make(tmp_path, "outside/secret.txt", "in/a.txt", "in/sub/b.txt")
    inside = tmp_path / "in"
    (inside / "link.txt").symlink_to(tmp_path / "outside" / "secret.txt")
    (inside / "sub" / "up").symlink_to(inside)
    (inside / "self").symlink_to("self")
    (inside / "nowhere").symlink_to("missing")
    listing = Listing([str(inside)])
    assert found(listing, tmp_path) == ["in/a.txt", "in/sub/b.txt"]
    assert listing.skipped == {"symbolic-link": 4}
    following = Listing([str(inside)], follow_links=True)
    assert found(following, tmp_path) == ["in/a.txt", "in/link.txt", "in/sub/b.txt"]
    assert [bytes(item.load(9)) for item in following if isinstance(item, Item)] == [b"x"] * 3
    assert following.skipped == {"symbolic-link": 3}
    assert following.covers(str(inside / "gone.txt"))


def test_a_link_that_is_named_is_followed(tmp_path: Path) -> None:
    make(tmp_path, "real/a.txt")
    (tmp_path / "link").symlink_to("real")
    assert found(Listing([str(tmp_path / "link")]), tmp_path) == ["real/a.txt"]


def test_pipes_and_sockets_are_skipped(tmp_path: Path) -> None:
    make(tmp_path, "a.txt")
    os.mkfifo(tmp_path / "pipe")
    listing = Listing([str(tmp_path), "/dev/null"])
    assert found(listing, tmp_path) == ["a.txt"]
    assert listing.skipped == {"special-file": 2}


def test_what_is_missing_is_told_and_the_rest_is_listed(tmp_path: Path) -> None:
    make(tmp_path, "a.txt")
    missing, entry = Listing([str(tmp_path / "none"), str(tmp_path / "a.txt")])
    assert isinstance(missing, Unlisted)
    assert isinstance(missing.error, FileNotFoundError)
    assert (missing.source, entry.source) == (str(tmp_path / "none"), str(tmp_path / "a.txt"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may list every folder")
def test_a_folder_that_may_not_be_listed_is_told_and_its_root_is_not_whole(tmp_path: Path) -> None:
    make(tmp_path, "a.txt", "closed/b.txt")
    (tmp_path / "closed").chmod(0)
    try:
        listing = Listing([str(tmp_path)])
        assert [type(item) for item in listing] == [Item, Unlisted]
        assert not listing.covers(str(tmp_path / "gone.txt"))
    finally:
        (tmp_path / "closed").chmod(0o700)


def test_depth_is_bounded(tmp_path: Path) -> None:
    make(tmp_path, "/".join(["d"] * (MAX_DEPTH + 5)) + "/a.txt", "b.txt")
    listing = Listing([str(tmp_path)])
    file, deep = sorted(listing, key=lambda item: isinstance(item, Unlisted))
    assert isinstance(file, Item)
    assert isinstance(deep, Unlisted)
    assert not listing.covers(str(tmp_path / "gone.txt"))


def test_a_file_that_vanishes_while_it_is_listed_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fumehood.ingest.listing.RUN", 1)  # What lies together in a run is looked at together.
    make(tmp_path, "a.txt", "b.txt", "sub/c.txt")
    listing = Listing([str(tmp_path)])
    entries = iter(listing)
    first = next(entries)
    assert isinstance(first, Item)
    for path in (tmp_path / "a.txt", tmp_path / "b.txt", tmp_path / "sub" / "c.txt"):
        if str(path) != first.source:
            path.unlink()
    if not first.source.endswith("c.txt"):
        (tmp_path / "sub").rmdir()
    assert list(entries) == []
    assert listing.skipped == {"vanished": 2}
    assert listing.covers(str(tmp_path / "d.txt"))


def test_names_that_are_no_text_stay_apart(tmp_path: Path) -> None:
    for name in (b"\xff.txt", b"\\udcff.txt", b"a\nb.txt", b"a\\nb.txt"):
        (tmp_path / os.fsdecode(name)).write_bytes(b"x")
    sources = [entry.source for entry in Listing([str(tmp_path)])]
    assert len(set(sources)) == 4


def test_patterns_choose(tmp_path: Path) -> None:
    make(tmp_path, "a.pdf", "b.txt", "old/c.pdf", "sub/d.pdf", "sub/old/e.pdf")
    patterns = Patterns(include=("*.pdf",), exclude=("old",))
    assert found(Listing([str(tmp_path)], patterns), tmp_path) == ["a.pdf", "sub/d.pdf"]


def test_a_folder_without_a_file_is_empty_and_one_with_a_file_is_not(tmp_path: Path) -> None:
    make(tmp_path, "full/a.txt", "empty/.hidden")
    listing = Listing([str(tmp_path / "full"), str(tmp_path / "empty")])
    assert found(listing, tmp_path) == ["full/a.txt"]
    assert listing.is_empty(str(tmp_path / "empty" / "gone.txt"))
    assert not listing.is_empty(str(tmp_path / "full" / "gone.txt"))


def test_what_is_left_out_is_not_listed(tmp_path: Path) -> None:
    make(tmp_path, "a.txt", "index", "index-wal")
    listing = Listing([str(tmp_path)], leave_out=[str(tmp_path / "index"), str(tmp_path / "index-wal")])
    assert found(listing, tmp_path) == ["a.txt"]


def test_a_large_folder_is_not_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sorted in runs: what is held is a run of entries, however many there are."""
    monkeypatch.setattr("fumehood.ingest.listing.RUN", 50)
    for number in range(2_000):
        os.close(os.open(tmp_path / f"{number:060}", os.O_CREAT | os.O_WRONLY))
    tracemalloc.start()
    try:
        assert sum(1 for _ in Listing([str(tmp_path)])) == 2_000
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 200_000


def test_what_is_there_after_all_is_not_gone(tmp_path: Path) -> None:
    make(tmp_path, "a.txt")
    listing = Listing([str(tmp_path)])
    list(listing)
    make(tmp_path, "moved.txt")
    assert not listing.covers(str(tmp_path / "moved.txt"))
    (tmp_path / "link.txt").symlink_to("a.txt")
    assert listing.covers(str(tmp_path / "link.txt"))


def test_a_named_folder_that_could_not_be_listed_is_not_covered_by_the_one_around_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, "a.txt", "sub/b.txt")
    listing = Listing([str(tmp_path), str(tmp_path / "sub")])
    scandir = os.scandir

    def fails(path: str) -> object:
        if path.endswith("sub"):
            raise OSError(5, "Input/output error")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", fails)
    assert found(listing, tmp_path) == ["a.txt"]
    assert not listing.covers(str(tmp_path / "sub" / "gone.txt"))
    assert listing.covers(str(tmp_path / "gone.txt"))
