from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fumehood import Document, chunk
from fumehood.chunking import Chunk, TooManyChunks, iter_chunks
from fumehood.errors import refusal
from fumehood.index import Filters, Index, Recipe, Source, SQLiteIndex, StoreError

from .conftest import document, found, put


def test_it_is_an_index(index: SQLiteIndex) -> None:
    assert isinstance(index, Index)


def test_the_old_goes_and_the_new_comes(index: SQLiteIndex) -> None:
    put(index, "a.md", "old text")
    put(index, "a.md", "new text")
    assert found(index, "text") == ["a.md"]
    assert found(index, "old") == []
    assert index.stats().documents == 1


def test_what_cannot_be_stored_changes_nothing(index: SQLiteIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    put(index, "a.md", "old text")
    made, chunks = document("# One\n\nnew text\n\n# Two\n\nmore")
    broken = [*chunks, chunks[0]]  # Its place in the document is taken.
    with pytest.raises(StoreError):
        index.replace("a.md", made, broken)
    assert found(index, "old") == ["a.md"]
    assert found(index, "new") == []


def test_chunks_are_taken_as_they_are_stored(index: SQLiteIndex) -> None:
    made = long_document()
    alive: list[int] = []

    def watched() -> Iterator[Chunk]:
        for number, each in enumerate(iter_chunks(made, max_size=100, min_size=1)):
            if number % 500 == 499:
                alive.append(sum(isinstance(each, Chunk) for each in gc.get_objects()))
            yield each

    assert index.replace("a.md", made, watched()).chunks > 2_000
    assert max(alive) < 1_100
    assert index.verify() == ()


def test_chunks_that_cannot_be_made_change_nothing(index: SQLiteIndex) -> None:
    put(index, "a.md", "old text")
    with pytest.raises(TooManyChunks):
        index.replace("a.md", long_document(), iter_chunks(long_document(), max_size=100, min_size=1, max_chunks=1_700))
    assert found(index, "old") == ["a.md"]
    assert found(index, "sentence") == []
    assert (index.stats().documents, index.stats().chunks, index.verify()) == (1, 1, ())


def test_a_long_document_is_stored_once(index: SQLiteIndex) -> None:
    made = long_document()
    chunks = chunk(made, max_size=100, min_size=1)
    one, other = (index.replace(name, made, chunks) for name in ("a.md", "b.md"))
    assert one.chunks == other.chunks == index.stats().chunks == len(chunks)
    assert (index.stats().documents, index.verify()) == (1, ())
    index.remove("a.md")
    assert found(index, "sentence") == ["b.md"] * 10
    index.remove("b.md")
    assert (index.stats().chunks, found(index, "sentence"), index.verify()) == (0, [], ())


def long_document() -> Document:
    return Document.from_markdown(
        "\n\n".join(f"This is the sentence with the number {number}." for number in range(5_000))
    )


def test_the_same_content_is_stored_once_and_found_under_both_paths(index: SQLiteIndex) -> None:
    put(index, "a.md", "same text", metadata={"owner": "ann"})
    put(index, "b/a.md", "same text", metadata={"owner": "bob"})
    (hit,) = index.search("same").hits
    assert [source.name for source in hit.sources] == ["a.md", "b/a.md"]
    assert index.stats().documents == 1
    assert found(index, "same", filters=Filters(metadata={"owner": "bob"})) == ["b/a.md"]
    index.remove("a.md")
    assert found(index, "same") == ["b/a.md"]
    index.remove("b/a.md")
    assert index.stats().chunks == 0


def test_a_thousand_copies_are_one_hit(index: SQLiteIndex) -> None:
    for number in range(30):
        put(index, f"{number:02}.md", "same text")
    (hit,) = index.search("same").hits
    assert (len(hit.sources), hit.more_sources) == (20, 10)


def test_namespaces_are_apart(index: SQLiteIndex) -> None:
    put(index, "a.md", "one", namespace="x")
    put(index, "a.md", "two", namespace="y")
    assert found(index, "one OR two", filters=Filters(namespace="x")) == ["a.md"]
    assert index.stats(namespace="x").sources == 1
    assert index.stats().namespaces == ("x", "y")
    assert index.clear(namespace="x") == 1
    assert found(index, "one") == []
    assert found(index, "two") == ["a.md"]
    assert index.clear() == 1


def test_a_document_comes_back(index: SQLiteIndex) -> None:
    made, chunks = document("---\n# Title\n\ntext\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n## Sub\n\n[x](javascript:1)")
    entry = index.replace("a.md", made, chunks, metadata={"year": 2024, "draft": False, "note": None})
    stored = index.get("a.md")
    assert stored is not None
    assert stored.entry == entry
    assert [each.chunk for each in stored.chunks] == chunks
    assert stored.notices == made.notices
    assert entry.caller_metadata == {"year": 2024, "draft": False, "note": None}
    assert index.get("b.md") is None


def test_neighbours(index: SQLiteIndex) -> None:
    put(index, "a.md", "# A\n\none\n\n# B\n\ntwo\n\n# C\n\nthree\n\n# D\n\nfour")
    put(index, "b.md", "# A\n\nfive")
    (hit,) = index.search("two").hits
    assert [each.chunk.headings[-1] for each in index.neighbours(hit.key)] == ["A", "B", "C"]
    assert [each.chunk.headings[-1] for each in index.neighbours(hit.key, 0)] == ["B"]
    assert len(index.neighbours(hit.key, 99)) == 4
    assert index.neighbours(10_000) == ()


def test_a_refusal_takes_the_text_away(index: SQLiteIndex) -> None:
    put(index, "a.md", "old text")
    refused = index.refuse("a.md", refusal("pages", limit="pages", bound=5, observed=6))
    assert found(index, "old") == []
    assert list(index.refusals()) == [refused]
    assert (refused.refusal.code, refused.refusal.bound) == ("pages", 5)
    assert index.get("a.md") is None
    assert index.stats().by_refusal == {"pages": 1}
    put(index, "a.md", "new text")
    assert list(index.refusals()) == []


def test_listing_goes_over_many_pages(index: SQLiteIndex) -> None:
    names = [f"{folder}/{number:03}.md" for folder in "ab" for number in range(250)]
    for name in names:
        put(index, name, name)
    assert [entry.source for entry in index.documents()] == names
    assert [entry.source for entry in index.documents(source_prefix="b/")] == names[250:]
    assert list(index.documents(namespace="other")) == []


@pytest.mark.parametrize(
    "name", ["", "a\nb", "\udcff.md", "\ud800", "a\x00b", "ü/東京.md", "a'; --", "%", "x" * 10_000]
)
def test_any_name_is_a_source(index: SQLiteIndex, name: str) -> None:
    put(index, name, "text")
    assert found(index, "text") == [name]
    assert [entry.source for entry in index.documents()] == [name]
    assert index.remove(name)
    assert not index.remove(name)


@pytest.mark.parametrize("namespace", ["", "a\x1b"])
def test_what_is_no_namespace_is_a_mistake_wherever_it_is_named(index: SQLiteIndex, namespace: str) -> None:
    calls: list[Callable[[], object]] = [
        lambda: put(index, "a", "text", namespace=namespace),
        lambda: index.refuse("a", refusal("malformed"), namespace=namespace),
        lambda: index.unchanged(Source("a", "0"), Recipe(), namespace=namespace),
        lambda: index.adopt(Source("a", "0"), Recipe(), namespace=namespace),
        lambda: index.touch(Source("a", "0"), namespace=namespace),
        lambda: index.remove("a", namespace=namespace),
        lambda: index.clear(namespace=namespace),
        lambda: index.get("a", namespace=namespace),
        lambda: list(index.documents(namespace=namespace)),
        lambda: list(index.refusals(namespace=namespace)),
        lambda: index.stats(namespace=namespace),
        lambda: index.search("text", Filters(namespace=namespace)),
        lambda: index.run(namespace=namespace).__enter__(),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="a namespace is a name"):
            call()
    assert index.stats().namespaces == ()


def test_control_characters_are_refused(index: SQLiteIndex) -> None:
    made, chunks = document("text")
    import msgspec

    with pytest.raises(ValueError, match="control characters"):
        index.replace("a", made, [msgspec.structs.replace(chunks[0], text="a\x02b")])
    with pytest.raises(ValueError, match="control characters"):
        index.replace("a", made, chunks, metadata={"k": "\ud800"})
    with pytest.raises(ValueError, match="a namespace is a name"):
        index.replace("a", made, chunks, namespace="")
    with pytest.raises(TypeError, match="metadata takes"):
        index.replace("a", made, chunks, metadata={"k": [1]})  # type: ignore[dict-item]  # the mistake


# ---- what is unchanged ---------------------------------------------------------------------------------


def test_unchanged_by_digest_and_by_fingerprint(index: SQLiteIndex) -> None:
    recipe = Recipe(kind="markdown")
    put(index, "x", "text")
    assert index.unchanged(Source("x", sha256="aa"), recipe) is None, "stored without a recipe"
    index.replace(Source("a.md", sha256="aa", fingerprint="v1"), *document("text"), recipe=recipe)
    same = index.unchanged(Source("a.md", fingerprint="v1"), recipe)
    assert same is not None
    assert same.sha256 == "aa"
    assert index.unchanged(Source("a.md", fingerprint="v2"), recipe) is None
    assert index.unchanged(Source("a.md"), recipe) is None
    assert index.unchanged(Source("b.md", sha256="aa"), recipe) is None
    assert index.unchanged(Source("a.md", sha256="bb", fingerprint="v1"), recipe) is None, "the digest decides"
    assert index.unchanged(Source("a.md", sha256="aa"), Recipe(kind="markdown", strategy="fixed")) is None
    assert index.unchanged(Source("a.md", sha256="aa"), recipe, metadata={"k": 1}) is None
    assert index.touch(Source("a.md", sha256="aa", fingerprint="v2"))
    assert index.unchanged(Source("a.md", fingerprint="v2"), recipe) is not None
    assert not index.touch(Source("a.md", sha256="bb", fingerprint="v3"))


def test_a_refusal_is_unchanged_under_the_same_limits(index: SQLiteIndex) -> None:
    recipe = Recipe()
    index.refuse(Source("a", sha256="aa"), refusal("malformed"), recipe=recipe)
    assert index.unchanged(Source("a", sha256="aa"), recipe) is not None
    other = Recipe(limits=recipe.limits.replace(pages=7))
    assert index.unchanged(Source("a", sha256="aa"), other) is None
    index.refuse(Source("a", sha256="aa"), refusal("wall-clock"), recipe=recipe)
    assert index.unchanged(Source("a", sha256="aa"), recipe) is None


def test_the_same_bytes_elsewhere_need_not_be_read(index: SQLiteIndex) -> None:
    recipe = Recipe()
    index.replace(Source("a.md", sha256="aa", size=3), *document("text"), recipe=recipe)
    assert index.adopt(Source("b.txt", sha256="aa"), recipe) is None, "another ending may mean another kind"
    assert index.adopt(Source("b.md", sha256="bb"), recipe) is None
    assert index.adopt(Source("b.md", sha256="aa"), Recipe(strategy="fixed")) is None
    entry = index.adopt(Source("b.md", sha256="aa"), recipe, metadata={"k": 1})
    assert entry is not None
    assert (entry.source, entry.size, entry.caller_metadata) == ("b.md", 3, {"k": 1})
    assert index.unchanged(Source("b.md", sha256="aa"), recipe, metadata={"k": 1}) is not None
    assert index.stats().documents == 1


# ---- several at once -----------------------------------------------------------------------------------


def test_threads_take_turns(index: SQLiteIndex) -> None:
    def work(number: int) -> None:
        for turn in range(20):
            put(index, f"{number}.md", f"text {number} {turn}")
            index.search("text")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found(index, "text")) == ["0.md", "1.md", "2.md", "3.md"]


def test_a_search_sees_what_another_connection_wrote(index: SQLiteIndex, path: Path) -> None:
    with SQLiteIndex(path, read_only=True) as reader:
        assert found(reader, "text") == []
        put(index, "a.md", "text")
        assert found(reader, "text") == ["a.md"]


def test_a_closed_index_says_so(path: Path) -> None:
    index = SQLiteIndex(path)
    index.close()
    index.close()
    with pytest.raises(StoreError, match="closed"):
        index.search("x")


def test_an_empty_document_is_a_document(index: SQLiteIndex) -> None:
    made = Document.from_markdown("")
    assert index.replace("a", made, chunk(made)).chunks == 0
    assert [entry.source for entry in index.documents()] == ["a"]
