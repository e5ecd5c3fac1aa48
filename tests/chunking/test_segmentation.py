"""Where sentences, words and grapheme clusters end."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from fumehood.chunking.segmentation import (
    first_cluster,
    last_cluster,
    last_sentence_end,
    last_space,
    last_word_boundary,
    sentences,
)


@pytest.mark.parametrize(
    "wanted",
    [
        ["Dr. Miller met Mr. J. K. Smith at 3.5 p.m. yesterday.", "He left."],
        ["Was it e.g. Tuesday?", "\u201cReally?\u201d she said.", "Yes!"],
        ["See file.txt and 3.14.", "Next one (in brackets.)", "Then."],
        ["Wait... what?", "He said...", "Then he left."],
        ["It was version 2.", "Then came 3."],
        ["Am 3. Mai kam Hr. Meier, z. B. mit Dr. Schulz.", "Vgl. Nr. 5 und \u00a7 4 Abs. 2 BGB.", "Das ist alles."],
        ["Im 19. Jahrhundert, d. h. sp\u00e4ter, u. a. dort.", "Ende."],
        [
            "\u4eca\u5929\u5929\u6c14\u5f88\u597d\u3002",
            "\u6211\u4eec\u53bb\u516c\u56ed\u5427\uff01",
            "\u597d\u5417\uff1f",
        ],
        ["\u0915\u094d\u092f\u093e \u0939\u093e\u0932 \u0939\u0948\u0964", "\u0938\u092c \u0920\u0940\u0915\u0964"],
        ["\u0395\u03af\u03bd\u03b1\u03b9.", "\u039d\u03b1\u03b9!"],
        ["No end"],
    ],
    ids=lambda wanted: wanted[0][:20],
)
def test_sentences(wanted: list[str]) -> None:
    spaced = "" if "\u3002" in wanted[0] else " "
    text = spaced.join(wanted)
    assert [text[start:end] for start, end in sentences(text)] == wanted


def test_a_wrapped_line_is_no_end() -> None:
    text = "It goes on\nhere. And\nthere."
    assert [text[start:end] for start, end in sentences(text)] == ["It goes on\nhere.", "And\nthere."]


def test_thai_is_cut_at_its_spaces_and_at_clusters() -> None:
    text = "\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22 \u0e04\u0e33"
    assert last_space(text, 0, len(text) - 1) == 7
    assert last_word_boundary("\u0e01\u0e33\u0e01\u0e33", 0, 3) != 3  # not before SARA AM


@pytest.mark.parametrize(
    ("text", "limit", "end"),
    [
        ("ab", 1, 1),
        ("ae\u0301b", 2, 1),
        ("\U0001f1e6\U0001f1e7\U0001f1e8\U0001f1e9", 3, 2),
        ("x\U0001f468\u200d\U0001f469x", 3, 1),
        ("\u1100\u1161\u11a8a", 2, None),
        ("a\u0301\u0301\u0301", 2, None),
    ],
    ids=ascii,
)
def test_the_last_cluster_that_fits(text: str, limit: int, end: int | None) -> None:
    assert last_cluster(text, 0, limit) == end


def test_the_first_cluster_behind_a_place() -> None:
    assert first_cluster("ae\u0301b", 0, 2, 4) == 3
    assert first_cluster("e\u0301", 0, 1, 2) == 2


def test_a_mark_on_a_space_is_kept_with_it() -> None:
    assert last_space("a \u0301b", 0, 3) is None
    assert last_sentence_end("One.\u200d Two", 0, 5, 9) is None


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="aB1.!? \n\u3002\u0301\u201d,)", max_size=60))
def test_sentences_hold_everything_but_white_space(text: str) -> None:
    found = sentences(text)
    assert "".join("".join(text[start:end].split()) for start, end in found) == "".join(text.split())
    assert all(one[1] <= other[0] for one, other in pairwise(found))
    assert all(text[start:end].strip() == text[start:end] != "" for start, end in found)


@pytest.mark.parametrize("unit", [". ", "a.", ".a ", "1. ", "\u3002", "\u0301", "(", " \u0301", "z. "], ids=ascii)
def test_time_is_linear(unit: str) -> None:
    def taken(times: int) -> float:
        text = unit * times
        began = time.process_time()
        sentences(text)
        return time.process_time() - began

    taken(1_000)
    assert taken(20_000) < 12 * taken(5_000) + 0.05


@pytest.mark.parametrize("unit", ["\U0001f1e6", "\u8239", "\u0e01\u0e47", "x", "\u0301"], ids=ascii)
def test_cuts_cost_no_more_deep_in_a_run(unit: str) -> None:
    """Pairing flags by counting back to the start of their run would."""
    text = unit * 300_000

    def taken(start: int) -> float:
        began = time.process_time()
        for at in range(start, start + 20):
            last_word_boundary(text, at, at + 1_500)
            last_cluster(text, at, at + 1_500)
        return time.process_time() - began

    taken(0)
    assert taken(250_000) < 8 * taken(0) + 0.05


_TRICKY = "a. \u0301\u200d\u0915\u094d\u093c\u0937\u0903\u179f\u17d2\u1798\u17b6\u1780\u1000\u1039\u1001\u0e01\u0e33\uac00\u1100\u1161\u11a8\u0600\u6f22\u30ab\U0001f468\U0001f3fd\U0001f1e9\u2764\ufe0f"
"""Letters, signs that join what stands beside them, and those they join: of Devanagari, Khmer, Burmese, Thai, Hangul, emoji."""


@given(text=st.text(st.sampled_from(_TRICKY), min_size=2, max_size=40), data=st.data())
def test_a_boundary_of_words_is_one_of_clusters(text: str, data: st.DataObject) -> None:
    limit = data.draw(st.integers(1, len(text) - 1))
    at = last_word_boundary(text, 0, limit)
    assert at is None or at in {match.end() for match in regex.finditer(r"\X", text)}


@pytest.mark.parametrize("text", ["\u179f\u17d2\u1798", "\u1000\u1039\u1001", "\u0915\u094d\u200d\u0937"])
def test_consonants_that_a_sign_joins_stay_together(text: str) -> None:
    assert last_word_boundary(f"\u1780{text}\u1780", 0, len(text)) in (None, 1)


_OTHER_LETTERS = str.maketrans("aB", "\u00e1\u00c4")


@settings(deadline=None)
@given(st.text(alphabet="aB1.!?, \n'_-", max_size=400))
def test_ascii_is_parted_where_other_letters_are(text: str) -> None:
    """Text of ASCII alone is asked less; what it is told must be the same."""
    other = text.translate(_OTHER_LETTERS)
    assert sentences(text) == sentences(other)
    for limit in range(1, len(text)):
        assert last_word_boundary(text, 0, limit) == last_word_boundary(other, 0, limit)
        assert last_sentence_end(text, 0, limit, len(text)) == last_sentence_end(other, 0, limit, len(text))
