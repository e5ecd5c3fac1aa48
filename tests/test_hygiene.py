"""What text may hold, by property."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.hygiene import clean, clean_line, is_clean, printable

anything = st.text(st.characters(), max_size=200) | st.text(
    st.sampled_from("\x00\x07\x0b\x0c\r\n\t\x1b\x7f\x85\x9fa\ud800\u202e")
)


@given(anything)
def test_clean_text_is_clean_and_stays_as_it_is(text: str) -> None:
    cleaned, removed = clean(text)
    assert is_clean(cleaned)
    assert clean(cleaned) == (cleaned, 0)
    assert 0 <= removed <= len(text)
    cleaned.encode("utf-8")
    assert not {char for char in cleaned if unicodedata.category(char) in ("Cc", "Cs")} - {"\n", "\t"}


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"])))
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert clean(text) == (text, 0)


@pytest.mark.parametrize("breaking", ["\r\n", "\r", "\x0b", "\x0c", "\x85"])
def test_every_line_break_becomes_a_newline_and_nothing_is_lost(breaking: str) -> None:
    assert clean(f"a{breaking}b") == ("a\nb", 0)


@pytest.mark.parametrize("around", ["{}", "a{}b", "\u00e9{}\u4e1c"])
def test_every_character_is_clean_or_forbidden_in_any_company(around: str) -> None:
    """The rule of the module, said by category: a text of ASCII alone is judged by its bytes."""
    chars = [*map(chr, range(0x3000)), *map(chr, range(0xD700, 0xE100)), "\U0001f600"]
    wrong = [
        char
        for char in chars
        if is_clean(around.format(char)) is not (char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cs"))
    ]
    assert wrong == []


def test_what_is_removed_is_counted() -> None:
    assert clean("a\x00b\x1b[31mc") == ("ab[31mc", 2)


@given(anything)
def test_a_line_has_no_breaks(text: str) -> None:
    assert "\n" not in clean_line(text)
    assert is_clean(clean_line(text))


@given(anything)
def test_what_is_printed_drives_no_terminal(text: str) -> None:
    shown = printable(text)
    assert "\n" not in shown
    assert not any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in shown)


def test_an_escape_is_shown_as_one() -> None:
    assert printable("a\x1b[2J\u202eb\nc") == "a\\x1b[2J\\u202eb\\nc"
