from __future__ import annotations

import contextlib
import re
import sqlite3
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.index.words import _Alone, fold, indexed, is_unspaced, separated, words

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Café", ["cafe"]),
        ("Cafe\u0301", ["cafe"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("İstanbul", ["istanbul"]),
        ("Ελλάδα", ["ελλαδα"]),
        ("Ёлка", ["елка"]),
        ("don't don\u2019t", ["don", "t", "don", "t"]),
        ("foo_bar-baz", ["foo", "bar", "baz"]),
        ("co\u00adop\u200dt", ["coopt"]),
        ("a\u200bb", ["a", "b"]),
        ("\uff26\uff35\uff2c\uff2c", ["full"]),
        ("ﬁn", ["fin"]),
        ("שָׁלוֹם", ["שלום"]),
        ("كَتَبَ", ["كتب"]),
        ("हिन्दी", ["हिन्दी"]),
        ("東京都", ["東京都"]),
        ("iPhone手机", ["iphone", "手机"]),
        ("ガ ｶﾞ", ["ガ", "ガ"]),
        ("\u13a0\uab70", ["\u13a0\u13a0"]),  # Cherokee, whose folded form is the capital
        ("3.14€", ["3", "14"]),
        ("…—“”", []),
    ],
)
def test_words(text: str, said: list[str]) -> None:
    assert words(text) == said


@pytest.mark.parametrize(
    ("text", "stored"),
    [("plain TEXT,", "plain TEXT,"), ("東京都", "東京 京都 都"), ("한 b", "한 b"), ("é東b", "e 東 b")],
)
def test_what_is_stored(text: str, stored: str) -> None:
    assert indexed(text).split() == stored.split()


MANY_SEPARATORS = "".join(map(chr, range(0x2190, 0x21B0)))  # arrows


@given(TEXT)
def test_few_and_many_separators_part_words_alike(text: str) -> None:
    assert fold(text + MANY_SEPARATORS).rstrip() == fold(text).rstrip()
    assert indexed(text + MANY_SEPARATORS).casefold().split() == indexed(f"{text}\u2014").casefold().split()


@given(TEXT | st.text("aÉ\u0301\u3099\u1100\u1161\u11a8\uac00\uff76\uff9e東ｱ®\u017f— ", max_size=20))
def test_what_is_stored_does_not_depend_on_what_was_met_before(text: str) -> None:
    """Nor on whether it was met together: the long way folds a text as a whole."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fumehood.index.words._MOST_KEPT", 0)
        patch.setattr("fumehood.index.words._ALONE", _Alone())
        alone = indexed(text)
        patch.setattr("fumehood.index.words._FEW", -1)
        whole = indexed(text)
    assert indexed(text) == alone
    assert _ascii_lower(alone).split() == _ascii_lower(whole).split()


def _ascii_lower(text: str) -> str:
    return re.sub("[A-Z]+", lambda found: found[0].lower(), text)


def _seen_by_fts5(text: str) -> list[str]:
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='ascii')")
        connection.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, instance)")
        connection.execute("INSERT INTO t VALUES (?)", (indexed(text),))
        return [term for (term,) in connection.execute("SELECT term FROM v ORDER BY offset")]


def _expected(text: str) -> list[str]:
    return [part for word in words(text) for part in (indexed(word).split() if is_unspaced(word) else (word,))]


@given(TEXT)
def test_fts5_sees_the_same_words(text: str) -> None:
    """The tokenizer of the index and ours part text at the same places, whatever the text is."""
    assert _seen_by_fts5(text) == _expected(text)


@pytest.mark.parametrize("form", ["{0}", "a{0}", "A{0}b"])
def test_fts5_sees_the_same_words_for_every_character(form: str) -> None:
    """One failing example is told, not all characters."""
    assigned = [char for char in map(chr, range(1, 0x1F000)) if unicodedata.category(char) not in ("Cn", "Cs", "Co")]
    text = " ".join(form.format(char) for char in assigned if not 0x3400 <= ord(char) <= 0xD7A3)
    wrong = [pair for pair in zip(_seen_by_fts5(text), _expected(text), strict=True) if pair[0] != pair[1]]
    assert wrong[:1] == []


@given(TEXT)
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert words(" ".join(words(text))) == words(fold(text))


@given(TEXT)
def test_separating_keeps_every_place(text: str) -> None:
    kept = separated(text)
    assert len(kept) == len(text)
    assert all(new in (old, " ") for old, new in zip(text, kept, strict=True))
