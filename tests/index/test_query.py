from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fumehood.index.query import MAX_WORDS, Phrase, parse, phrases

WORDS = ("alpha", "beta", "gamma", "NEAR", "AND", "OR", "NOT")


@pytest.fixture(scope="module")
def fts5() -> Iterator[sqlite3.Connection]:
    # Closed: from Python 3.13 on, one that is not is a warning, in whatever test happens to collect it.
    with contextlib.closing(sqlite3.connect(":memory:", check_same_thread=False)) as connection:
        connection.execute("CREATE VIRTUAL TABLE t USING fts5(x, y, tokenize='ascii')")
        yield connection


def expression(text: str) -> str | None:
    asked = parse(text)
    return None if asked is None else asked.expression()


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("annual report", '("annual" AND "report")'),
        ("annual AND report", '("annual" AND "report")'),
        ("annual OR report", '("annual" OR "report")'),
        ("a b OR c", '(("a" AND "b") OR "c")'),
        ("annual NOT draft", '(("annual") NOT ("draft"))'),
        ("annual -draft", '(("annual") NOT ("draft"))'),
        ('annual -"first draft"', '(("annual") NOT ("first draft"))'),
        ("annual -(first OR draft) report", '(("annual" AND "report") NOT (("first" OR "draft")))'),
        ('"annual report"', '"annual report"'),
        ("\u201cannual report\u201d", '"annual report"'),
        ("\u201eannual report\u201c", '"annual report"'),
        ('"annual rep*"', '"annual rep" *'),
        ('"annual rep"*', '"annual rep" *'),
        ("rep*", '"rep" *'),
        ("(a OR b) c", '(("a" OR "b") AND "c")'),
        ("a NEAR b", 'NEAR("a" "b", 10)'),
        ("a NEAR/3 b*", 'NEAR("a" "b" *, 3)'),
        ("a NEAR/3 b NEAR/5 c", 'NEAR("a" "b" "c", 5)'),
        ('NEAR(a "b c", 4)', 'NEAR("a" "b c", 4)'),
        ("NEAR(a b)", 'NEAR("a" "b", 10)'),
        ("NEAR(a)", '"a"'),
        ("near(a b)", '("near" AND ("a" AND "b"))'),
        ("foo-bar", '"foo bar"'),
        ("C:\\dir", '"c dir"'),
        ("title:x", '"title x"'),
        ("don't", '"don t"'),
        ("and or not", '("and" AND "or" AND "not")'),
        ("東京", '"東京"'),
        ("東京都", '"東京 京都"'),
        ("都", '"都" *'),
        ('"手机 iphone"', '"手机 机 iphone"'),
    ],
)
def test_what_people_write(text: str, asked: str) -> None:
    assert expression(text) == asked


@pytest.mark.parametrize("text", ["", " ", "AND", "NOT", "NOT draft", "-", "()", ")(", '""', "***", "— … “”", "NEAR/3"])
def test_what_asks_for_nothing(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ('"annual report', '("annual" AND "report")'),
        ("annual)) report", '("annual" AND "report")'),
        ("((annual report", '("annual" AND "report")'),
        ("AND annual OR", '"annual"'),
        ("annual AND AND report", '("annual" AND "report")'),
        ("annual OR OR report", '("annual" OR "report")'),
        ("annual NEAR", '"annual"'),
        ("annual NEAR (a b)", '("annual" AND ("a" AND "b"))'),
        ("annual OR NOT report", '"annual"'),
    ],
)
def test_what_has_no_other_half_is_left_out(text: str, asked: str) -> None:
    assert expression(text) == asked


SYNTAX = st.lists(st.sampled_from([*WORDS, *'"()*-^+:{},/ ', "NEAR(", "NEAR/2", "\u201c", "東京", "é"]), max_size=60)

NESTED = st.builds(
    lambda opened, last: " ".join(opened) + last,
    st.lists(st.sampled_from(["(", "a (", "a OR (", "a -(", "a OR b (", "a OR b -c (", "a OR b -c -("]), max_size=40),
    st.sampled_from(["a", "NEAR(a b*, 3)", 'a NEAR/3 "b c"*', "a OR b -c -d* e"]),
)


@given(st.one_of(st.text(), SYNTAX.map("".join), SYNTAX.map(" ".join), NESTED))
@example("(" * 500 + "a" + ")" * 500)
@example("a OR b -c -(" * 500 + "a OR b -c -NEAR(d e*, 3)")
@example("a OR " * 900)
@example("NOT " * 900 + "a")
@example("a NEAR/999999 " * 300 + "b")
@example("\x00a\ud800")
def test_no_text_breaks_the_query(fts5: sqlite3.Connection, text: str) -> None:
    asked = parse(text)
    if asked is not None:
        fts5.execute("SELECT rowid FROM t WHERE t MATCH ?", (asked.expression(),)).fetchall()
        assert 0 < sum(len(phrase.words) for phrase in phrases(asked)) <= MAX_WORDS


@given(st.lists(st.sampled_from(WORDS[:3]), min_size=1, max_size=5))
def test_words_alone_are_all_wanted(said: list[str]) -> None:
    assert list(phrases(parse(" ".join(said)))) == [Phrase((word,)) for word in said]


@pytest.mark.parametrize(
    "text", ['"' * 10_000, "(" * 10_000, "NEAR(" * 2_000, "-" * 10_000, "a" * 10_000_000, '"a ' * 3_000]
)
def test_time_is_bounded(text: str) -> None:
    start = time.process_time()
    parse(text)
    assert time.process_time() - start < 0.5
