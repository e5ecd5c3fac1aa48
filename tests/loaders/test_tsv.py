"""Tab-separated values: the same table as csv, whose delimiter is a tab wherever there is one."""

from __future__ import annotations

import pytest

from fumehood import kinds
from fumehood.document import Document
from fumehood.errors import Refusal
from fumehood.kinds import ReadOptions
from fumehood.sandbox.loading import read_in_process

TSV = kinds.get("tsv")


def read(data: bytes, **options: bool) -> Document:
    return read_in_process(TSV, data, options=ReadOptions(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a\tb\n1\t2\n", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        (b"a, b, c\td\n1, 2, 3\t4\n", "| a, b, c | d |\n| --- | --- |\n| 1, 2, 3 | 4 |"),
        (b'a\tb\n"x\ty"\t2\n', "| a | b |\n| --- | --- |\n| x y | 2 |"),
        (b'a\tb\nsize 5" pipe\t2\n', '| a | b |\n| --- | --- |\n| size 5" pipe | 2 |'),
        ("a\tb\n1\té\n".encode("utf-16"), "| a | b |\n| --- | --- |\n| 1 | é |"),
        (b"a;b\n1;2\n", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        (b"", ""),
    ],
)
def test_rows(data: bytes, text: str) -> None:
    assert read(data).text == text


def test_an_open_quote_is_said() -> None:
    assert ("repaired", "quote") in [(n.code, n.detail) for n in read(b'a\tb\n"x\ty\n').notices]
    assert [n.code for n in read(b'a\tb\n"x\ty\n', lenient=True).notices] == ["unparsed"]


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(Refusal, match="kind"):
        read(b"PK\x03\x04" + bytes(100))
