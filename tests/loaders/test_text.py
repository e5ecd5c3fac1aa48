"""Plain text: word for word, paragraphs with their lines."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import kinds, read_isolated
from fumehood.document import Document
from fumehood.errors import Refusal
from fumehood.hygiene import clean
from fumehood.kinds import ReadOptions
from fumehood.limits.policy import Limits
from fumehood.sandbox.loading import read_in_process, warm

TEXT = kinds.get("text")


def read(data: bytes, **options: str) -> Document:
    return read_in_process(TEXT, data, options=ReadOptions(**options))  # type: ignore[arg-type]


def paragraphs(document: Document) -> list[tuple[str, int | None, int | None]]:
    return [
        (document.text[block.start : block.end], block.locator.line, block.locator.line_end)
        for block in document.blocks
        if block.locator
    ]


def test_the_text_is_the_source_and_blank_lines_end_paragraphs() -> None:
    document = read(b"\n  one\ntwo  \n \t\n\n* not escaped *\n")
    assert document.text == "\n  one\ntwo  \n \t\n\n* not escaped *\n"
    assert paragraphs(document) == [("  one\ntwo", 2, 3), ("* not escaped *", 6, None)]
    assert {block.role for block in document.blocks} == {"paragraph"}
    assert document.title is None


def test_windows_and_old_mac_line_ends_become_newlines() -> None:
    document = read(b"a\r\n\r\nb\r\rc")
    assert document.text == "a\n\nb\n\nc"
    assert paragraphs(document) == [("a", 1, None), ("b", 3, None), ("c", 5, None)]


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b" \n\t\n", b"\xff\xfe"])
def test_empty_is_a_document_without_blocks(data: bytes) -> None:
    document = read(data)
    assert document.blocks == ()
    assert [notice.code for notice in document.notices] == ["empty-document"]


def test_a_stray_nul_is_taken_out_and_said() -> None:
    document = read(b"one\x00two")
    assert document.text == "onetwo"
    assert [(notice.code, notice.detail) for notice in document.notices] == [("controls-removed", 1)]


def test_a_docx_named_txt_is_refused() -> None:
    with pytest.raises(Refusal) as refused:
        read(b"PK\x03\x04" + b"\x14\x00\x06\x00" * 20)
    assert refused.value.code == "kind-mismatch"


def test_the_callers_charset_is_used() -> None:
    assert read("Żółw".encode("iso8859-2"), charset="latin2").text == "Żółw"


# Without the controls that make a text binary if there are many.
unrestricted = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc"]) | st.sampled_from("\t\n\r\x0b\x0c\x1b\x85"), max_size=200
)


@given(unrestricted)
def test_blocks_cover_every_character_that_is_not_white_space(text: str) -> None:
    document = read(("a" + text).encode())
    assert document.text == clean("a" + text)[0]
    lines = document.text.split("\n")
    covered = 0
    for block in document.blocks:
        body = document.text[block.start : block.end]
        assert body.strip()
        assert block.locator is not None
        first, last = block.locator.line or 0, block.locator.line_end or block.locator.line or 0
        assert "\n".join(lines[first - 1 : last]).rstrip() == body
        covered += len("".join(body.split()))
    assert covered == len("".join(document.text.split()))


@pytest.mark.parametrize(
    "data",
    [
        b"x" * 5_000_000,
        b"\n" * 1_000_000,
        b" " * 5_000_000,
        b" \n" * 1_000_000,
        b"a\n\n" * 100_000,
        "ÿ".encode("cp1252") * 1_000_000,
    ],
    ids=["one line", "blank lines", "one blank line", "lines of a space", "paragraphs", "high bytes"],
)
def test_time_is_linear(data: bytes) -> None:
    started = time.process_time()
    read(data)
    assert time.process_time() - started < 3


def test_output_is_capped() -> None:
    with pytest.raises(Refusal) as refused:
        read_in_process(TEXT, b"a" * 100, Limits(output_bytes=99))
    assert refused.value.code == "output-too-large"


def test_a_text_as_long_as_may_be_is_read_within_the_default_limits() -> None:
    """One character beyond the others' plane makes each take four bytes, which is half of `heap_bytes`."""
    line = b"x" * 79 + b"\n"
    data = line * (Limits().output_bytes // len(line) - 1) + "\U0001f600".encode()
    assert len(read_isolated("text", data).text) == len(data) - 3


def test_it_can_be_warmed() -> None:
    warm(TEXT)
