from __future__ import annotations

import html
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.hygiene import is_clean
from fumehood.index import MARK_END, MARK_START, highlighted
from fumehood.index.query import parse, phrases
from fumehood.index.snippets import WIDTH, plain, snippet


def marked(text: str, query: str) -> str:
    return highlighted(snippet(text, tuple(phrases(parse(query)))), "[", "]")


@pytest.mark.parametrize(
    ("text", "query", "shown"),
    [
        ("The café\u2019s Revenue rose.", "cafe revenue", "The [café]\u2019s [Revenue] rose."),
        ("annual report, report annual", '"annual report"', "[annual report], report annual"),
        ("reporting reports", "report*", "[reporting] [reports]"),
        ("don\u2019t do it", "don't", "[don\u2019t] do it"),
        ("foo_bar foo", "foo-bar", "[foo_bar] foo"),
        ("東京都は大きい", "京都", "東[京都]は大きい"),
        ("東京都は大きい", "都", "東京[都]は大きい"),
        ("iPhone手机壳", "iphone手机", "[iPhone手机]壳"),
        ("ｶﾞｽ ガス", "ガス", "[ｶﾞｽ] [ガス]"),
        ("a\n\n  b\tc", "b", "a [b] c"),
        ("nothing here", "absent", "nothing here"),
        ("one two", "one NOT two", "[one] two"),
        ("x NEAR y", "NEAR(x y)", "[x] NEAR [y]"),
        ("Straße", "strasse", "[Straße]"),
        ("İstanbul\u2019da", "istanbul", "[İstanbul]\u2019da"),
    ],
)
def test_what_was_found_is_marked(text: str, query: str, shown: str) -> None:
    assert marked(text, query) == shown


def test_the_stretch_with_the_most_different_words_is_shown() -> None:
    text = "alpha " + "filler " * 200 + "alpha and beta " + "filler " * 200 + "alpha alpha"
    shown = marked(text, "alpha beta")
    assert "[alpha] and [beta]" in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert "fille " not in shown


def test_what_is_escaped_cannot_be_told_from_text_afterwards() -> None:
    shown = snippet("a <b>bold</b> word", tuple(phrases(parse("bold"))))
    assert highlighted(shown, "<mark>", "</mark>", html.escape) == "a &lt;b&gt;<mark>bold</mark>&lt;/b&gt; word"


def test_marks_in_the_text_itself_are_not_marks() -> None:
    assert marked(f"a {MARK_START}b{MARK_END} c", "c") == "a b [c]"


def test_a_snippet_without_its_marks_has_their_spans() -> None:
    assert plain(snippet("one two three", tuple(phrases(parse("two three"))))) == ("one two three", ((4, 7), (8, 13)))


@given(st.text(max_size=2_000), st.text(max_size=20))
def test_a_snippet_is_one_short_line_of_the_text(text: str, query: str) -> None:
    shown = snippet(text, tuple(phrases(parse(query))))
    bare, marks = plain(shown)
    assert is_clean(bare)
    assert "\n" not in bare
    longest = max((end - start for start, end in marks), default=0)
    assert len(bare) <= WIDTH + longest + 2
    assert shown.count(MARK_START) == shown.count(MARK_END) == len(marks)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("a " * 100_000, "a"),
        ("ab" * 200_000, "a*"),
        ("東" * 50_000, "東東東"),
        ("a東" * 25_000, "東"),
        (" " * 500_000, "a"),
    ],
)
def test_time_is_bounded(text: str, query: str) -> None:
    start = time.process_time()
    marked(text, query)
    assert time.process_time() - start < 4
