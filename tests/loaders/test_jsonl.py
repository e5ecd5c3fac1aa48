"""JSON lines: a record for each line, broken lines kept and said."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import Limits, kinds
from fumehood.document import Document, Locator
from fumehood.errors import Refusal
from fumehood.kinds import ReadOptions
from fumehood.sandbox.loading import read_in_process

JSONL = kinds.get("jsonl")


def read(data: bytes | str, limits: Limits | None = None, **options: bool) -> Document:
    raw = data if isinstance(data, bytes) else data.encode()
    return read_in_process(JSONL, raw, limits, ReadOptions(**options))  # type: ignore[arg-type]


def records(document: Document) -> list[str]:
    assert {block.role for block in document.blocks} <= {"record"}
    return [document.text[block.start : block.end] for block in document.blocks]


def codes(document: Document) -> list[tuple[str, int | str | None]]:
    return [(notice.code, notice.detail) for notice in document.notices]


def test_each_line_is_a_record_with_its_line() -> None:
    document = read('{"a": 1.50, "b": "x"}\r\n\n["y", 2]\n"z"\nnull\n')
    assert records(document) == ["a: 1.50\nb: x", "y\n2", "z", "null"]
    assert [block.locator for block in document.blocks] == [Locator(line=line) for line in (1, 3, 4, 5)]


def test_what_is_nested_has_the_names_that_lead_to_it() -> None:
    (record,) = records(read('{"a": {"b": [{"c": 1}, "d", [2, 3]], "e": {}}, "f": {"": true}}'))
    assert record == 'a.b.0.c: 1\na.b: d\na.b: 2, 3\na.e: {}\nf."": true'


def test_a_broken_line_is_kept_and_said() -> None:
    document = read('{"a": 1}\n{"a": \n{"a": 3}\n{"a": "cut')
    assert records(document) == ["a: 1", '{"a":', "a: 3", '{"a": "cut']
    assert codes(document) == [("unparsed", 2)]


def test_values_that_span_lines_are_read_one_after_the_other() -> None:
    document = read('{\n "a": 1\n}\n{"a":\n 2} {"a": 3}\n')
    assert records(document) == ["a: 1", "a: 2", "a: 3"]
    assert [block.locator for block in document.blocks] == [
        Locator(line=1, line_end=3),
        Locator(line=4, line_end=5),
        Locator(line=5),
    ]


@pytest.mark.parametrize("data", ["words", "{\n", '{\n"a": 1\n}\nwords', "NaN", "{'a': 1}"])
def test_what_holds_no_record_is_refused_unless_lenient(data: str) -> None:
    with pytest.raises(Refusal) as refused:
        read(data)
    assert refused.value.code == "malformed"
    document = read(data, lenient=True)
    assert document.text == data
    assert codes(document) == [("unparsed", None)]


@pytest.mark.parametrize("data", ["", "\n \n", "\ufeff"])
def test_empty(data: str) -> None:
    assert codes(read(data)) == [("empty-document", None)]


def test_encodings() -> None:
    assert records(read('{"é": "ü"}\n{"é": 1}\n'.encode("utf-16"))) == ["é: ü", "é: 1"]


@pytest.mark.parametrize(
    ("data", "code"), [("[" * 300, "nesting"), ('{"a":1}\n' + "[" * 300, "nesting"), ("[1,2]\n" * 600, "nodes")]
)
def test_depth_and_size_are_bounded(data: str, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        read(data, Limits(nodes=1_000))
    assert refused.value.code == code


def test_long_names_within_each_other_do_not_multiply() -> None:
    value, name = json.dumps("x"), "n" * 1_000
    for _ in range(200):
        value = f'{{"{name}": {value}, "b": 1}}'
    assert len(read(value).text) < 120_000


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("abé \n|#-", max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("xy.", max_size=3), inner, max_size=3),
    max_leaves=10,
)


@given(st.lists(_VALUES, min_size=1, max_size=6))
def test_every_word_of_every_value_is_in_its_record(values: list[object]) -> None:
    document = read("\n".join(json.dumps(value) for value in values))
    assert len(document.blocks) <= len(values)
    assert not document.notices or codes(document) == [("empty-document", None)]
    for word in {word for value in values if isinstance(value, str) for word in value.split()}:
        assert word in document.text.replace("\\", "")
