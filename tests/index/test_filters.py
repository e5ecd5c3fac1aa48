from __future__ import annotations

import msgspec
import pytest

from fumehood.index import Filters, SQLiteIndex

from .conftest import document, found


@pytest.fixture
def filled(index: SQLiteIndex) -> SQLiteIndex:
    def put(source: str, text: str, own: dict[str, str], caller: dict[str, object], **more: str) -> None:
        made, chunks = document(text)
        made = msgspec.structs.replace(made, metadata=own, kind=more.pop("kind", "markdown"))
        index.replace(source, made, chunks, metadata=caller, **more)  # type: ignore[arg-type]  # as replace takes them

    put("a/1", "word one", {"author": "Ann", "modified": "2024-05-31T23:30:00-02:00"}, {"year": 2024, "draft": True})
    put("a/2", "word two\n\n```\ncode\n```", {"author": "Ann", "created": "2023"}, {"author": "Bob", "ratio": 1.0})
    put("b%/1", "word three", {}, {"modified": "2025-01-01"}, kind="text", namespace="other")
    return index


@pytest.mark.parametrize(
    ("filters", "sources"),
    [
        (Filters(), ["a/1", "a/2", "b%/1"]),
        (Filters(kind="text"), ["b%/1"]),
        (Filters(namespace="other"), ["b%/1"]),
        (Filters(namespace="nobody"), []),
        (Filters(source_prefix="a/"), ["a/1", "a/2"]),
        (Filters(source_prefix="b%"), ["b%/1"]),
        (Filters(source_prefix="%"), []),
        (Filters(role="code"), ["a/2"]),
        (Filters(metadata={"author": "Ann"}), ["a/1"]),
        (Filters(metadata={"author": "Bob"}), ["a/2"]),
        (Filters(metadata={"year": 2024}), ["a/1"]),
        (Filters(metadata={"year": "2024", "draft": "true"}), ["a/1"]),
        (Filters(metadata={"ratio": 1}), ["a/2"]),
        (Filters(metadata={"x' OR '1'='1": "y"}), []),
        (Filters(since="2024"), ["a/1", "b%/1"]),
        (Filters(until="2024"), ["a/1", "a/2"]),
        (Filters(since="2024-06", until="2024-06"), ["a/1"]),  # it is June in UTC
        (Filters(until="2024-05-31"), ["a/2"]),
        (Filters(since="2024-06-01T01:30:00Z", until="2024-06-01T01:30:00Z"), ["a/1"]),
        (Filters(kind="markdown", source_prefix="a/", metadata={"draft": True}, since="2020"), ["a/1"]),
    ],
)
def test_filters(filled: SQLiteIndex, filters: Filters, sources: list[str]) -> None:
    assert sorted(found(filled, "word", filters=filters)) == sources


def test_a_bound_that_is_no_date(filled: SQLiteIndex) -> None:
    with pytest.raises(ValueError, match="'soon' is no date; write one as 2024"):
        filled.search("word", Filters(since="soon"))


def test_metadata_of_a_hit_is_the_callers_over_the_documents(filled: SQLiteIndex) -> None:
    (hit,) = filled.search("two").hits
    assert hit.metadata == {"author": "Bob", "created": "2023", "ratio": 1.0}
