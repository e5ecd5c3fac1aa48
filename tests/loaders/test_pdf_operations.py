"""Operations of content streams: what is read at one match is what is read token by token, in linear time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import kinds
from fumehood.loaders.shared.pdf_operations import _by_tokens, operations
from fumehood.loaders.shared.pdf_syntax import DICT, DICT_END, name
from fumehood.sandbox.loading import read_in_process
from tests.loaders.pdf_writer import document

PARTS = (
    *(
        "1",
        "-2.50",
        "+.5",
        "3.",
        "-",
        "--4",
        "1.2.3",
        "00000000000000000001",
        "/F1",
        "/A#20B",
        "true",
        "null",
        ".",
        "1-2",
        "1e5",
        "1_0",
        "0g",
        "inf",
        "-inf",
        "nan",
        "/A/B",
        "BT/F1",
        "a_b",
    ),
    *(
        "(text)",
        "(a\\)b)",
        "(a(b)c)",
        "(line\\\nline)",
        "(\\101)",
        "(open",
        "<4142>",
        "<41 4>",
        "<",
        ">",
        ")",
        "<<",
        ">>",
    ),
    *(
        "[",
        "]",
        "[(a)-5(b)]",
        "[<41>2<42>]",
        "[(a)[1]]",
        "[(a)1.2.3]",
        "[3 2]",
        "Tj",
        "TJ",
        "'",
        '"',
        "Td",
        "m",
        "T*",
        "BDC",
        "scn",
        "x",
        "%c\n",
    ),
)
SPACES = ("", " ", "\n", "\r\n", "\0", "  ")


def by_tokens(data: bytes) -> Iterator[tuple[bytes, list[Any]]]:
    at: int | None = 0
    while at is not None:
        operator, operands, at = _by_tokens(data, at, [])
        yield operator, operands


@given(st.lists(st.tuples(st.sampled_from(PARTS), st.sampled_from(SPACES)), max_size=12))
def test_what_is_read_at_one_match_is_what_is_read_by_tokens(parts: list[tuple[str, str]]) -> None:
    data = "".join(part + space for part, space in parts).encode()
    assert list(operations(data)) == list(by_tokens(data))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"1 0 0 1 -.5 7 cm", (b"cm", [1, 0, 0, 1, -0.5, 7])),
        (b"/F1 12 Tf", (b"Tf", [name(b"F1"), 12])),
        (b"(a\\)b)Tj", (b"Tj", [b"a)b"])),
        (b"[(a)-120<42 4>]TJ", (b"TJ", [[b"a", -120, b"B@"]])),
        (b"/P<</MCID 3>>BDC", (b"BDC", [name(b"P"), DICT, name(b"MCID"), 3, DICT_END])),
        (b"T*", (b"T*", [])),
    ],
)
def test_operations(data: bytes, expected: tuple[bytes, list[Any]]) -> None:
    assert next(operations(data)) == expected


def test_every_operator_that_shows_text_shows_it() -> None:
    """Table 107."""
    content = b"BT /F1 12 Tf 14 TL 50 700 Td (One) Tj [(T) -10 (wo)] TJ (Three) ' 1 2 (Four) \" ET"
    found = read_in_process(kinds.get("pdf"), document([content])).text
    assert found.split() == ["OneTwo", "Three", "Four"]


@pytest.mark.parametrize("entries", [b"", b"/F/A85 "])
def test_an_inline_image_is_passed_over(entries: bytes) -> None:
    data = b"BI /W 1 " + entries + b"ID x EI\xff (no) Tj ~> EI (yes) Tj"
    assert [operation for operation, _ in operations(data)] == [b"BI", b"ID", b"Tj", b""]


@pytest.mark.parametrize(
    "piece",
    [
        b"(",
        b"[(a) 1 ",
        b"1 ",
        b"1 2 3 4 5 6 7",
        b"\\",
        b"(\\a",
        b"/a ",
        b"<",
        b" ",
        b"[(\\(",
        b"1",
        b"1.1.",
        b"-",
        b"+",
        b"/",
        b",",
        b"*",
        b"a#",
        b"-#",
        b"a_b ",
        b"1 /A/B ",
        b"a_b",
    ],
)
def test_damage_is_read_in_linear_time(piece: bytes) -> None:
    data = piece * (100_000 // len(piece))
    began = time.process_time()
    assert sum(1 for _ in operations(data)) > 0
    assert time.process_time() - began < 5
