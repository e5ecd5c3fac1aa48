"""Bytes to text: marks, declarations, UTF-16 without a mark, UTF-8 with faults, guesses, and what is no text."""

# ruff: noqa: RUF001
from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.errors import Refusal
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.encoding import decode, is_text, structure

BAD = "\N{REPLACEMENT CHARACTER}"


def read(data: bytes, charset: str | None = None) -> tuple[str, list[tuple[str, int | str | None]]]:
    out = Builder(Budget(Limits()))
    text = decode(data, out, charset)
    return text, [(notice.code, notice.detail) for notice in out.notices]


# ---- marks and declarations ----------------------------------------------------------------------------


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_decides_and_is_not_text(codec: str) -> None:
    assert read("naïve\n漢字".encode(codec)) == ("naïve\n漢字", [])


def test_only_one_mark_is_dropped() -> None:
    assert read(b"\xef\xbb\xbf\xef\xbb\xbfa") == ("\ufeffa", [])


def test_a_mark_wins_over_what_was_declared() -> None:
    assert read("é".encode("utf-8-sig"), "windows-1252") == ("é", [])


def test_a_utf_16_mark_before_a_nul_is_not_the_mark_of_utf_32() -> None:
    assert read(b"\xff\xfe\x00\x00a\x00")[0] == "\x00a"


def test_what_the_caller_knows_wins_over_what_the_bytes_suggest() -> None:
    assert read("é".encode(), "windows-1252") == ("Ã©", [])
    assert read("日本".encode("cp932"), "Shift_JIS") == ("日本", [])


def test_bytes_wrong_in_the_declared_charset_are_replaced_and_said() -> None:
    assert read(b"a\xffb", "utf-8") == (f"a{BAD}b", [("repaired", "encoding")])


def test_an_unknown_charset_is_the_callers_mistake() -> None:
    with pytest.raises(ValueError, match="no charset"):
        read(b"a", "klingon")


# ---- UTF-16 and UTF-32 without a mark --------------------------------------------------------------------


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize(
    "text",
    [
        "Hello, wörld.\nAgain.\n",
        '["é"]',
        "Съешь ещё этих булок,\nда выпей чаю. 12\n",
        "a,b\r\n1,2\r\n",
        "すべての人間は、生まれ\nながらにして 自由\n",
        '{"größe": "漢"}',
    ],
)
def test_wide_encodings_without_a_mark_are_a_guess(codec: str, text: str) -> None:
    assert read(text.encode(codec)) == (text, [("encoding-guessed", codec)])


@pytest.mark.parametrize(
    "data",
    [
        b"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_X",
        b"ab",
        b"one\x00two",
        b"abc\x00abc\x00abc\x00" + b"plain words follow here " * 20,
        b"x" * 4_096,
    ],
)
def test_ascii_is_never_taken_for_utf_16(data: bytes) -> None:
    assert read(data) == (data.decode(), [])


def test_text_cut_in_the_middle_of_a_character_survives() -> None:
    assert read("Größe".encode("utf-16-le")[:-1]) == (
        "Größ" + BAD,
        [("encoding-guessed", "utf-16-le"), ("repaired", "encoding")],
    )
    assert read("schön, größer, 漢".encode()[:-1]) == ("schön, größer, " + BAD, [("repaired", "encoding")])
    text, notices = read("日本語のテキストです。日本語のテキスト".encode("cp932")[:-1])
    assert text[:-1] == "日本語のテキストです。日本語のテキス"
    assert notices == [("encoding-guessed", "cp932"), ("repaired", "encoding")]


# ---- UTF-8 with faults ---------------------------------------------------------------------------------------


def test_a_few_wrong_bytes_do_not_make_mojibake_of_the_rest() -> None:
    text = "Žluťoučký kůň úpěl ďábelské ódy.\n" * 2_000
    data = text.encode()
    broken = data[:30_000] + b"\xff" + data[30_000:]
    read_text, notices = read(broken)
    assert read_text.replace(BAD, "").startswith(text[:1_000])
    assert notices == [("repaired", "encoding")]


def test_one_accent_of_windows_1252_is_no_utf_8() -> None:
    assert read(b"plain text and one caf\xe9 at the end") == (
        "plain text and one café at the end",
        [("encoding-guessed", "cp1252")],
    )


# ---- ISO 2022 -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("codec", "text"), [("iso2022-jp", "ISO 2022 の符号"), ("iso2022-kr", "한국어 text")])
def test_seven_bit_escapes_are_read(codec: str, text: str) -> None:
    assert read(text.encode(codec)) == (text, [("encoding-guessed", codec)])


def test_terminal_escapes_are_not_iso_2022() -> None:
    assert read(b"\x1b[31mred\x1b[0m") == ("\x1b[31mred\x1b[0m", [])


# ---- what is no text ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"PK\x03\x04 and then letters",
        b"%PDF-1.7\n1 0 obj",
        b"\x89PNG\r\n\x1a\n",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        b"\x1f\x8b\x08\x00",
        b"\x00" * 1_000,
        bytes(range(256)) * 40,
        b"plain words at the start\n" * 4_000 + b"\x00\x01\x02\x03" * 4_000,
    ],
)
def test_binary_is_refused_and_never_decoded(data: bytes) -> None:
    with pytest.raises(Refusal) as refused:
        read(data)
    assert refused.value.code == "kind-mismatch"
    assert not is_text(data)


@pytest.mark.parametrize("data", [b"a stray \x00 in a line of text", b"\x00", b"", "漢字".encode("utf-16")])
def test_a_stray_nul_does_not_make_a_text_binary(data: bytes) -> None:
    assert is_text(data)
    read(data)


@given(st.binary(max_size=400), st.sampled_from([None, "utf-8", "utf-16", "cp932", "ascii", "iso-2022-jp"]))
def test_any_bytes_are_text_or_refused(data: bytes, charset: str | None) -> None:
    try:
        code = type(read(data, charset)[0]).__name__
    except Refusal as refused:
        code = refused.code
    assert code in ("str", "kind-mismatch")
    assert isinstance(structure(data), str)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=200))
def test_utf_8_is_read_as_it_is(text: str) -> None:
    data = text.encode()
    if data.startswith((b"%PDF-", b"\xef\xbb\xbf")) or data.startswith(b"PK"):
        return
    assert read(data) == (text, [])


# ---- bounds --------------------------------------------------------------------------------------------------


def test_large_texts_of_other_encodings_are_guessed_from_a_sample() -> None:
    data = "Zażółć gęślą jaźń, proszę państwa.\n".encode("iso8859-2") * 500_000
    started = time.process_time()
    text, notices = read(data)
    assert time.process_time() - started < 5
    assert text.startswith("Zażółć gęślą jaźń")
    assert notices == [("encoding-guessed", "iso8859-2")]


def test_an_accent_far_down_is_found() -> None:
    text, notices = read(b"all plain here\n" * 200_000 + b"d\xe9j\xe0 vu\n" + b"and plain again\n" * 200_000)
    assert "déjà vu" in text
    assert notices == [("encoding-guessed", "cp1252")]


_AFTER_WARMING = """
import sys
from fumehood.errors import CHARSETS, Refusal
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared import encoding
from fumehood.loaders.shared.builder import Builder
encoding.warm()
touched = []
sys.addaudithook(lambda event, args: touched.append((event, str(args[0]))) if event in ("open", "import") else None)
for name in sorted(CHARSETS):
    for data in ("za\\u017c\\u00f3 \\u0416\\u0438\\u0432 \\u6f22\\u5b57 \\ud55c\\uae00".encode(name, "replace"), bytes(range(32, 256)) * 4):
        for charset in (name, None):
            try:
                encoding.decode(data, Builder(Budget(Limits())), charset)
            except Refusal:
                pass
print(touched)
"""


def test_once_warm_nothing_is_opened_or_imported() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _AFTER_WARMING],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "LC_ALL": "C"},
    )
    assert done.stdout.strip() == "[]"
