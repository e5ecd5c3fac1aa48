"""Tokens and objects of PDF."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdfminer.pdftypes import PDFObjRef
from pdfminer.psparser import LIT

from fumehood import Limits, Refusal
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.pdf_syntax import Keyword, parsed, tokens


def read(data: bytes) -> Any:
    return parsed(data, 0, None, Budget(Limits()))[0]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"12", 12),
        (b"-7.5", -7.5),
        (b"+.5", 0.5),
        (b"4.", 4.0),
        (b"--3", -3.0),
        (b"9" * 5_000, 1e15),
        (b"(a(b)c)", b"a(b)c"),
        (b"(a\\(\\101\\n\\\r\nb\rc)", b"a(A\nb\nc"),
        (b"(open", b"open"),
        (b"<48 65 6C6>", b"Hel`"),
        (b"<>", b""),
        (b"/A#20B", LIT("A B")),
        (b"/", LIT("")),
        (b"true", True),
        (b"null", None),
        (b"[1[2]<</K(v)>>]", [1, [2], {"K": b"v"}]),
        (b"% comment\n<</A 1/B null/C/D>>", {"A": 1, "C": LIT("D")}),
        (b"<</A 1 2/B 3>>", {"A": 1, "B": 3}),
        (b"[1 2 endobj", [1, 2]),
        (b"<</A<</B 1", {"A": {"B": 1}}),
    ],
)
def test_objects(data: bytes, expected: object) -> None:
    assert read(data) == expected


def test_references() -> None:
    assert read(b"12 0 R").objid == 12
    inside = read(b"[1 2 0 R 3]")
    assert [type(part) for part in inside] == [int, PDFObjRef, int]
    assert read(b"12 0 Rx") == 12


def test_nothing_is_no_object() -> None:
    with pytest.raises(EOFError):
        read(b"  % only this")


def test_words_are_keywords() -> None:
    assert [token for _, token in tokens(b"q T* ' BT1 0")] == [b"q", b"T*", b"'", b"BT1", 0]
    assert isinstance(read(b"endobj"), Keyword)


def test_depth_is_bounded() -> None:
    with pytest.raises(Refusal) as caught:
        read(b"[" * 1_000)
    assert (caught.value.code, caught.value.bound) == ("nesting", 256)


@pytest.mark.parametrize("inside", [b"", b"1", b"<</A[1]>>", b"(s)"])
def test_depth_is_counted_alike_whatever_is_inside(inside: bytes) -> None:
    deep = 256 - inside.count(b"[") - inside.count(b"<<")
    assert read(b"[" * deep + inside)
    with pytest.raises(Refusal):
        read(b"[" * (deep + 1) + inside + b"]" * (deep + 1))


@given(st.lists(st.sampled_from(["1", "22", "-3", "+4", ".", "5.", ".5", "--6", "9" * 20, " ", "\n", "\0"])))
def test_arrays_hold_what_stands_in_them(parts: list[str]) -> None:
    inside = "".join(parts).encode()
    assert repr(read(b"[%b]" % inside)) == repr(read(b"[%b null]" % inside)).replace(", None", "").replace("None", "")


@given(st.binary(max_size=300))
def test_any_bytes_are_tokens(data: bytes) -> None:
    ends = [end for end, _ in tokens(data)]
    assert ends == sorted(ends)
    with contextlib.suppress(EOFError):
        read(data)
