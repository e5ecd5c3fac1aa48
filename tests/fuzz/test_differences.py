"""Targets see what they are there for: an oracle that never fails is none."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import pytest

from fumehood.chunking import Strategy, register_strategy, registry
from fumehood.document import Block, Document
from fumehood.fuzz import differences, ooxml, pdf_decoders
from fumehood.fuzz.arguments import MISTAKE
from fumehood.fuzz.oracle import BrokenPromise, check_loaded, check_table_cells
from fumehood.fuzz.targets import TARGETS
from fumehood.index import query
from fumehood.limits.policy import Limits
from fumehood.sandbox.loading import read_in_process


@pytest.mark.parametrize(
    "data", [b'a,b\n1,"two\nlines"\n', b"a;b;c\r\n1;2\r\n", b"sep=;\na;b\n", b"x<br>,y\n1,2\n", b"\xff\xfe", b""]
)
def test_tables_are_the_same_to_the_standard_library(data: bytes) -> None:
    assert TARGETS["differ:csv"](data) in ("read", "kind-mismatch")


def test_a_word_that_is_lost_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(*arguments: object) -> Document:
        document = read_in_process(*arguments)  # type: ignore[arg-type]
        return Document(document.kind, None, {}, document.text.replace("two", "").replace("Hello", ""), (), (), ())

    monkeypatch.setattr(differences, "read_in_process", forgetful)
    with pytest.raises(BrokenPromise, match="other words"):
        TARGETS["differ:csv"](b"a,b\none,two\n")
    with pytest.raises(BrokenPromise, match="another reader finds"):
        TARGETS["differ:docx"](ooxml.docx(ooxml.document(ooxml.paragraph("Hello"))))


def test_output_of_a_filter_that_is_not_counted_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    uncounted: tuple[Callable[..., bytes], ...] = (lambda data, _meter: bytes(data),) * 5
    monkeypatch.setattr(pdf_decoders, "_FILTERS", uncounted)
    with pytest.raises(BrokenPromise, match="not counted"):
        TARGETS["pdf-streams"](b"\1\0\0\0data")


@pytest.mark.parametrize(
    ("said", "ended"),
    [
        (b"pdf\npages=3\npassword=x", "read"),
        (b"text\npassword=x", MISTAKE),
        (b"pages=0", MISTAKE),
        (b"lenient=1", MISTAKE),
        (b"json\nlenient=true", "read"),
        (b"nothing", MISTAKE),
        (b"", "read"),
    ],
)
def test_arguments_are_taken_or_are_mistakes(said: bytes, ended: str) -> None:
    assert TARGETS["arguments"](said) == ended


@pytest.mark.parametrize(
    "said",
    [b"", b"NOT", b"alpha -beta", b'"alpha beta" OR rep*', b"\xff alpha", b"NEAR(alpha gamma, 3)", b"\xe6\x9d\xb1"],
)
def test_whatever_is_written_is_searched_for(said: bytes) -> None:
    assert TARGETS["query"](said) == "read"


def test_a_query_that_means_something_else_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query.Some, "expression", lambda some: query.Every(some.nodes).expression())
    with pytest.raises(BrokenPromise, match="than it says"):
        TARGETS["query"](b"draft OR gamma")


def test_a_query_that_is_no_expression_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query.Phrase, "expression", lambda phrase: " ".join(phrase.words).upper())
    with pytest.raises(sqlite3.OperationalError):
        TARGETS["query"](b"alpha OR not")


def test_strategies_from_outside_have_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registry", dict(registry._registry))
    register_strategy(Strategy("mine", defaults={"keep_runs": True}))
    assert TARGETS["chunk:mine"](b"\x20\0# A\n\nsome text\n") == "read"
    register_strategy(Strategy("lossy", plan=lambda *_: iter(())))
    with pytest.raises(AssertionError, match="no chunk"):
        TARGETS["chunk:lossy"](b"\x20\1# A\n")


# ---- what the oracle sees beside that ------------------------------------------------------------------------------------

TABLE = "| a | b\\|c |\n| --- | --- |\n| 1 |  |"


def table(kind: str, *blocks: Block) -> Document:
    return Document(kind, None, {}, TABLE, blocks, (), ())


def test_words_between_blocks_are_seen() -> None:
    whole = (Block(0, 27, "table-row", 1, 1), Block(28, len(TABLE), "table-row", None, 1))
    check_loaded(table("csv", *whole), "csv", Limits())
    with pytest.raises(BrokenPromise, match="no block holds"):
        check_loaded(table("csv", whole[0]), "csv", Limits())
    check_loaded(table("text", whole[0]), "text", Limits())


def test_cells_that_hold_something_are_counted() -> None:
    read = table("csv", Block(0, 27, "table-row", 1, 1), Block(28, len(TABLE), "table-row", None, 1))
    check_table_cells(read, 3)
    with pytest.raises(BrokenPromise, match="more cells"):
        check_table_cells(read, 2)
