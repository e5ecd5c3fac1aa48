"""Encoded words of header fields (RFC 2047) and text that should have been one."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.loaders.shared.mime_words import text_of


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        # RFC 2047, section 8.
        (b"=?US-ASCII?Q?Keith_Moore?= <moore@cs.utk.edu>", "Keith Moore <moore@cs.utk.edu>"),
        (b"=?ISO-8859-1?Q?Keld_J=F8rn_Simonsen?= <keld@dkuug.dk>", "Keld Jørn Simonsen <keld@dkuug.dk>"),
        (b"=?ISO-8859-1?Q?Andr=E9?= Pirard <P@vm1.ulg.ac.be>", "André Pirard <P@vm1.ulg.ac.be>"),
        (
            b"=?ISO-8859-1?B?SWYgeW91IGNhbiByZWFkIHRoaXMgeW8=?=\r\n =?ISO-8859-2?B?dSB1bmRlcnN0YW5kIHRoZSBleGFtcGxlLg==?=",
            "If you can read this you understand the example.",
        ),
        (b"=?ISO-8859-1?Q?Olle_J=E4rnefors?=", "Olle Järnefors"),
        (
            b"(=?iso-8859-8?b?7eXs+SDv4SDp7Oj08A==?=)",
            "(\u05dd\u05d5\u05dc\u05e9 \u05df\u05d1 \u05d9\u05dc\u05d8\u05e4\u05e0)",
        ),
        (b"(=?ISO-8859-1?Q?a?=)", "(a)"),
        (b"(=?ISO-8859-1?Q?a?= b)", "(a b)"),
        (b"(=?ISO-8859-1?Q?a?= =?ISO-8859-1?Q?b?=)", "(ab)"),
        (b"(=?ISO-8859-1?Q?a?=  =?ISO-8859-1?Q?b?=)", "(ab)"),
        (b"(=?ISO-8859-1?Q?a?=\r\n    =?ISO-8859-1?Q?b?=)", "(ab)"),
        (b"(=?ISO-8859-1?Q?a_b?=)", "(a b)"),
        (b"(=?ISO-8859-1?Q?a?= =?ISO-8859-2?Q?_b?=)", "(a b)"),
        # RFC 2231, section 5: a language beside the charset.
        (b"=?US-ASCII*EN?Q?Keith_Moore?=", "Keith Moore"),
        # A character cut in two; two charsets; a base64 text without padding; one with a space; unknown and wrong sets.
        (b"=?utf-8?q?=C3?= =?utf-8?q?=89t=C3=A9?=", "Été"),
        (b"=?iso-2022-jp?b?GyRCJCIbKEI=?= x", "あ x"),
        (b"=?NONE?B?VEVTVA=?=", "TEST"),
        (b"=?utf-8?Q?two words?=", "two words"),
        (b"=?utf-8?Q?why?and?so?=", "why?and?so"),
        (b"=?utf-8?q?=E9?=", "é"),
        (b"=?x?q?a?= =?utf-8?q?b", "a =?utf-8?q?b"),
        # RFC 6532, and before MIME.
        ("Säying".encode(), "Säying"),
        (b"J\xf6rg", "Jörg"),
        (b'\x1b$B$"\x1b(B', "あ"),
        (b"", ""),
    ],
)
def test_words(raw: bytes, wanted: str) -> None:
    assert text_of(raw) == wanted


def test_bytes_that_are_not_utf8_are_of_the_charset_the_message_has() -> None:
    assert text_of("тест".encode("koi8-r"), "koi8-r") == "тест"


@given(st.binary())
def test_any_bytes_are_some_text(raw: bytes) -> None:
    text_of(raw)
    text_of(b"=?utf-8?b?" + raw + b"?=")


@pytest.mark.parametrize("piece", [b"=?a?q?x", b"=?a?q?", b"?x", b"=?", b" =?utf-8?q?a?=", b"=?utf-8?b?YQ==?= "])
def test_time_grows_with_length_alone(piece: bytes) -> None:
    def seconds(count: int) -> float:
        started = time.process_time()
        text_of(b"=?a?q?" + piece * count)
        return time.process_time() - started

    assert seconds(80_000) < 0.2 + 20 * seconds(8_000)
