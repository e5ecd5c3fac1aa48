"""JSON: every key and value in readable Markdown, with a pointer to where it stood."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import kinds
from fumehood.document import Document
from fumehood.errors import Refusal
from fumehood.kinds import ReadOptions
from fumehood.limits.policy import Limits
from fumehood.sandbox.loading import read_in_process, warm

JSON = kinds.get("json")


def read(data: bytes | str, limits: Limits | None = None, **options: object) -> Document:
    raw = data.encode() if isinstance(data, str) else data
    return read_in_process(JSON, raw, limits, ReadOptions(**options))  # type: ignore[arg-type]


def refused(data: bytes | str, limits: Limits | None = None, **options: object) -> str:
    with pytest.raises(Refusal) as caught:
        read(data, limits, **options)
    return caught.value.code


def blocks(document: Document) -> list[tuple[str, str, str | None]]:
    return [
        (block.role, document.text[block.start : block.end], block.locator.path if block.locator else None)
        for block in document.blocks
    ]


def codes(document: Document) -> list[tuple[str, int | str | None]]:
    return [(notice.code, notice.detail) for notice in document.notices]


# ---- shapes ------------------------------------------------------------------------------------------------


def test_an_object_is_a_record_with_a_heading_for_each_nested_member() -> None:
    document = read(
        '{"name": "Ada", "born": 1815, "work": {"field": "mathematics", "notes": ["A", "G"]}, "alive": false}'
    )
    assert blocks(document) == [
        ("record", "name: Ada\nborn: 1815\nalive: false", None),
        ("heading", "## work", "/work"),
        ("record", "field: mathematics", "/work"),
        ("heading", "### notes", "/work/notes"),
        ("list-item", "- A", "/work/notes/0"),
        ("list-item", "- G", "/work/notes/1"),
    ]
    assert document.title is None


def test_an_array_of_alike_flat_objects_is_a_table() -> None:
    document = read('{"rows": [{"id": 1, "name": "a|b"}, {"id": 2, "note": null}, {"id": 3, "name": ""}]}')
    assert document.text == (
        '## rows\n\n| id | name | note |\n| --- | --- | --- |\n| 1 | a\\|b |  |\n| 2 |  | null |\n| 3 | "" |  |'
    )
    assert [path for _, _, path in blocks(document)] == ["/rows", "/rows", "/rows/0", "/rows/1", "/rows/2"]
    assert document.blocks[1].level == 1


def test_objects_that_make_no_table_are_records_and_their_nested_members_lists() -> None:
    document = read('[{"id": 1, "tags": ["x", {"deep": [true]}]}, {"other": 2}]')
    assert blocks(document) == [
        ("record", "id: 1", "/0"),
        ("list-item", "- tags:", "/0/tags"),
        ("list-item", "- x", "/0/tags/0"),
        ("list-item", "- 1:", "/0/tags/1"),
        ("list-item", "- deep:", "/0/tags/1/deep"),
        ("list-item", "- true", "/0/tags/1/deep/0"),
        ("record", "other: 2", "/1"),
    ]
    assert [block.level for block in document.blocks[1:6]] == [1, 2, 2, 3, 4]


def test_a_long_string_is_paragraphs() -> None:
    prose = "First paragraph.\nSame.\n\n\nSecond paragraph."
    document = read(json.dumps({"id": 7, "text": prose, "last": "x" * 300}))
    assert blocks(document) == [
        ("record", "id: 7", None),
        ("paragraph", "text: First paragraph.\nSame.", "/text"),
        ("paragraph", "Second paragraph.", "/text"),
        ("paragraph", "last: " + "x" * 300, "/last"),
    ]


def test_numbers_of_a_vector_stand_on_a_line() -> None:
    document = read('{"type": "Point", "coordinates": [102.0, -0.50], "ring": [[1, 2], [3, 4]]}')
    assert document.text == "type: Point\ncoordinates: 102.0, -0.50\n\n## ring\n\n- 1, 2\n- 3, 4"
    long = read(json.dumps(list(range(250))))
    assert [text.count(",") + 1 for _, text, _ in blocks(long)] == [100, 100, 50]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("null", "null"),
        ("true", "true"),
        ("-1.50e+3", "-1.50e+3"),
        ('"a"', "a"),
        ('""', '""'),
        ("[]", "[]"),
        ("{}", "{}"),
    ],
)
def test_a_scalar_alone_is_a_document(source: str, text: str) -> None:
    document = read(source)
    assert document.text == text
    assert [block.role for block in document.blocks] == ["paragraph"]


def test_empty_keys_and_values_are_seen() -> None:
    assert read('{"": "", "a": [], "b": {}}').text == '"": ""\na: []\nb: {}'


def test_more_than_six_levels_go_on_as_lists() -> None:
    nested: Any = "bottom"
    for level in range(9, 0, -1):
        nested = {f"k{level}": nested}
    document = read(json.dumps(nested))
    assert [(role, text) for role, text, _ in blocks(document)] == [
        *(("heading", "#" * (level + 1) + f" k{level}") for level in range(1, 6)),
        ("list-item", "- k6:"),
        ("list-item", "- k7:"),
        ("list-item", "- k8:"),
        ("list-item", "- k9: bottom"),
    ]
    assert blocks(document)[-1][2] == "/k1/k2/k3/k4/k5/k6/k7/k8/k9"


# ---- pointers -----------------------------------------------------------------------------------------------


def test_pointers_escape_as_rfc_6901_says() -> None:
    document = read('{"a/b": {"m~n": ["x"]}, "": {"q": ["y"]}, "  two  spaces": ["z"]}')
    assert [path for role, _, path in blocks(document) if role == "list-item"] == [
        "/a~1b/m~0n/0",
        "//q/0",
        "/  two  spaces/0",
    ]


def test_where_no_pointer_can_be_given_it_is_the_nearest_one_above() -> None:
    document = read(json.dumps({"a": {"k" * 2_000: {"b": ["x"]}}, "c\x00d": ["y"], "e": ["z"]}))
    assert [path for role, _, path in blocks(document) if role == "list-item"] == ["/a", None, "/e/0"]


# ---- exactness ---------------------------------------------------------------------------------------------


def test_numbers_keep_their_digits() -> None:
    digits = "1234567890" * 3
    assert read(f'{{"a": {digits}, "b": 0.10000000000000000555, "c": 1E400, "d": -0}}').text == (
        f"a: {digits}\nb: 0.10000000000000000555\nc: 1E400\nd: -0"
    )


def test_escapes_are_decoded_and_lone_surrogates_taken_out() -> None:
    document = read('{"a": "caf\\u00e9 \\ud83d\\ude00 \\ud83d.", "b": "x\\u0000y"}')
    assert document.text == "a: café 😀 .\nb: xy"
    assert codes(document) == [("controls-removed", 2)]


def test_both_of_a_repeated_key_are_kept_and_said() -> None:
    document = read('{"o": {"k": 1, "k": {"x": 2}}, "l": [{"r": 1, "r": 2}, {"r": 3}]}')
    assert "k: 1" in document.text
    assert "x: 2" in document.text
    assert "r: 1\nr: 2" in document.text
    assert [(notice.code, notice.detail, notice.locator and notice.locator.path) for notice in document.notices] == [
        ("repaired", "duplicate-key", "/o"),
        ("repaired", "duplicate-key", "/l/0"),
    ]


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_all_unicode_encodings_are_read(codec: str) -> None:
    assert read('{"größe": "漢"}'.encode(codec)).text == "größe: 漢"


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc/~ ", max_size=5), inner, max_size=4),
    max_leaves=20,
)


def leaves(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [leaf for key, member in value.items() for leaf in (key, *leaves(member))]
    if isinstance(value, list):
        return [leaf for member in value for leaf in leaves(member)]
    return [value if isinstance(value, str) else json.dumps(value)]


def folded(text: str) -> str:
    return "".join(text.replace("\\", "").replace("<br>", "").split())


@given(json_values)
def test_every_key_and_every_value_is_in_the_text(value: Any) -> None:
    document = read(json.dumps(value))
    text = folded(document.text)
    for leaf in leaves(value):
        assert folded(leaf) in text


# ---- what is wrong ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        "",
        " ",
        "{",
        "[1,]",
        "{'a': 1}",
        "[1] x",
        "[1][2]",
        "NaN",
        "[Infinity]",
        '{"a": -Infinity}',
        '["a\nb"]',
        "[01]",
        "nul",
        "\x00[]",
    ],
)
def test_what_is_no_json_is_malformed(source: str) -> None:
    assert refused(source) == "malformed"


def test_lenient_gives_the_source_word_for_word() -> None:
    document = read('{"a": 1,}\n\nmore', lenient=True)
    assert document.text == '{"a": 1,}\n\nmore'
    assert codes(document) == [("unparsed", None)]
    assert [block.role for block in document.blocks] == ["paragraph", "paragraph"]
    assert read("", lenient=True).text == ""


def test_binary_is_a_mismatch_lenient_or_not() -> None:
    assert refused(b"PK\x03\x04", lenient=True) == "kind-mismatch"


# ---- bounds ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", [b"[" * 100_000, b'[{"":' * 50_000, b"[" * 257 + b"]" * 257])
@pytest.mark.parametrize("lenient", [False, True])
def test_depth_is_refused_before_the_parser_recurses(source: bytes, lenient: bool) -> None:
    started = time.process_time()
    assert refused(source, lenient=lenient) == "nesting"
    assert time.process_time() - started < 0.5


def test_brackets_within_strings_do_not_nest() -> None:
    assert read(json.dumps({"a": "[" * 1_000 + '\\"' + "{" * 1_000})).blocks


def test_depth_up_to_the_limit_is_read() -> None:
    assert read(b"[" * 256 + b'"x"' + b"]" * 256).text.endswith("- x")


@pytest.mark.parametrize(
    "source", [b"[" + b"1," * 1_000 + b"1]", b'{"a":[' + b"[]," * 1_000 + b"1]}", b'["x"' + b',"x"' * 1_000 + b"]"]
)
def test_values_are_counted(source: bytes) -> None:
    assert refused(source, Limits(nodes=900)) == "nodes"
    assert read(source, Limits(nodes=2_100)).blocks


HOSTILE = {
    "a million digits": b"9" * 1_000_000,
    "a long string": b'"' + b"a" * 5_000_000 + b'"',
    "escapes": b'"' + b'\\"' * 1_000_000 + b'"',
    "an open string of escapes": b'"' + b'\\"' * 2_000_000,
    "quotes": b'"' * 3_000_001,
    "commas": b"," * 1_000_000,
    "one object": b"{" + b",".join(b'"k%d":1' % n for n in range(50_000)) + b"}",
    "one repeated key": b"{" + b",".join([b'"k":1'] * 50_000) + b"}",
    "unlike objects": b"[" + b",".join(b'{"k%d":1}' % n for n in range(20_000)) + b"]",
    "numbers": b"[" + b",".join([b"1"] * 200_000) + b"]",
    "empties": b"[" + b",".join([b"[]"] * 30_000) + b"]",
    "deep rows": b"[" + b",".join([b"[" * 200 + b'"x"' + b"]" * 200] * 50) + b"]",
    "blank lines": b'"a' + b"\\n" * 500_000 + b'b"',
}


@pytest.mark.parametrize("case", HOSTILE)
def test_time_is_linear_in_hostile_values(case: str) -> None:
    started = time.process_time()
    try:
        read(HOSTILE[case])
    except Refusal as stopped:
        assert stopped.code in ("malformed", "nodes", "output-too-large")  # noqa: PT017
    assert time.process_time() - started < 3


@given(st.binary(max_size=200) | st.text('[]{}",:\\u0 1ae-.', max_size=60).map(str.encode))
def test_any_bytes_end_in_a_document_or_a_refusal(data: bytes) -> None:
    try:
        code = read(data).kind
    except Refusal as stopped:
        code = stopped.code
    assert code in ("json", "malformed", "kind-mismatch")


def test_it_can_be_warmed() -> None:
    warm(JSON)
