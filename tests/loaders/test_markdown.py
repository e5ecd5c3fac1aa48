"""The kind `markdown`: the source verbatim, blocks and links over it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fumehood.document import Document
from fumehood.errors import Refusal
from fumehood.kinds import ReadOptions, get
from fumehood.limits.policy import Limits
from fumehood.sandbox.loading import read_in_process

KIND = get("markdown")


def read(source: str | bytes, limits: Limits | None = None, **options: str) -> Document:
    data = source.encode() if isinstance(source, str) else source
    return read_in_process(KIND, data, limits, ReadOptions(**options))  # type: ignore[arg-type]


def codes(document: Document) -> list[str]:
    return [notice.code for notice in document.notices]


def test_the_text_is_the_source() -> None:
    source = "# One\n\n*two*  \n\tthree \n\n\n> four\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    document = read(source)
    assert document.text == source
    assert document.title == "One"
    assert [block.role for block in document.blocks] == [
        "heading",
        "paragraph",
        "quote",
        "table-row",
        "table-row",
    ]
    assert [source[block.start : block.end] for block in document.blocks][1] == "*two*  \n\tthree"


def test_locators_are_lines() -> None:
    lines = [
        (block.locator.line, block.locator.line_end) for block in read("a\n\nb\nc\r\n\r\nd").blocks if block.locator
    ]
    assert lines == [(1, None), (3, 4), (6, None)]


def test_the_same_document_as_from_trusted_text() -> None:
    source = "# T\n\n- a\n\n[x](https://x.example)\n"
    assert read(source) == Document.from_markdown(source)


def test_links_point_to_the_web_mail_or_inside() -> None:
    document = read(
        "[a](https://x.example) [b](#here) <c@x.example> [d](javascript:x) [e](other.md) `[f](https://f.f)`"
    )
    assert [link.target for link in document.links] == ["https://x.example", "#here", "mailto:c@x.example"]
    assert codes(document) == ["link-dropped", "link-dropped"]
    assert document.notices[0].locator is not None


def test_references_are_found_wherever_they_are_defined() -> None:
    document = read("[a][r]\n\n    [r] in code\n\n[r]: https://x.example\n")
    assert [link.target for link in document.links] == ["https://x.example"]
    assert [block.visible for block in document.blocks] == [True, True, False]


def test_what_is_not_seen_is_said_in_order() -> None:
    document = read(
        "a <!-- hidden --> ![picture](p.png)\n\n<!-- hidden -->\n\n<script>x</script>\n\n<div hidden>y</div>\n\n[z](z)"
    )
    assert codes(document) == [
        "hidden-text",
        "image-not-read",
        "hidden-text",
        "script-present",
        "hidden-text",
        "link-dropped",
    ]
    assert document.visible_text == "a <!-- hidden --> ![picture](p.png)\n\n[z](z)"


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("## two\n\n# **One** ##\n\n# other", "One"),
        ("Under\nlined\n===", "Under lined"),
        ("> # quoted", None),
        ("---\ntitle: front\n---\n# One", "front"),
        ("text", None),
    ],
)
def test_titles(source: str, title: str | None) -> None:
    assert read(source).title == title


@pytest.mark.parametrize("source", ["", "\ufeff", "\n \n", "---\n"])
def test_nothing_is_an_empty_document(source: str) -> None:
    document = read(source)
    assert (document.blocks, codes(document)) == ((), ["empty-document"])


def test_other_encodings() -> None:
    assert read("# é\n".encode("utf-16")).title == "é"
    assert read("# é\n".encode("cp1252"), charset="cp1252").title == "é"


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(Refusal) as raised:
        read(b"PK\x03\x04" + bytes(range(256)) * 4)
    assert raised.value.code == "kind-mismatch"


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        (Limits(blocks=10), "output-too-large"),
        (Limits(output_bytes=1_000), "output-too-large"),
        (Limits(table_cells=10), "table-cells"),
    ],
)
def test_limits(limits: Limits, code: str) -> None:
    with pytest.raises(Refusal) as raised:
        read("| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 200, limits)
    assert raised.value.code == code


def test_controls_are_removed_before_spans_are_counted() -> None:
    document = read("# a\x00b\n\n\x1b[1mc\n")
    assert [document.text[block.start : block.end] for block in document.blocks] == ["# ab", "[1mc"]
    assert codes(document) == ["controls-removed"]


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
@settings(max_examples=200, deadline=None)
def test_anything_is_a_document_or_a_refusal(data: bytes) -> None:
    try:
        document = read(data)
    except Refusal:
        return
    position = 0
    for block in document.blocks:
        assert position <= block.start < block.end <= len(document.text)
        position = block.end
    for link in document.links:
        assert link.start < link.end <= len(document.text)
    assert Document.from_msgpack(document.to_msgpack()) == document


_AFTER_WARMING = """
import sys
from fumehood.kinds import ReadOptions, get
from fumehood.limits.policy import Limits
from fumehood.sandbox.loading import load, warm

kind = get("markdown")
warm(kind)
seen = []
sys.addaudithook(lambda event, arguments: seen.append((event, arguments)) if event in ("open", "import") else None)
for source in (
    "---\\ntitle: [a, &x b, *x]\\n---\\n# T\\n\\n[a](https://x.example/?a&amp;b) <!-- c -->\\n\\n[r]: x\\n",
    "+++\\na = 2024-01-02T03:04:05+01:00\\nb = [1.5, {c = '''d'''}]\\n+++\\n",
    "---json\\n{\\"a\\": [1.5, \\"\\\\u00e9\\"]}\\n---\\n",
    "---\\na: [b\\n---\\n+++\\n",
    "+++\\na = [\\n+++\\n",
    "---js\\nx\\n---\\n~~~\\nx\\n",
):
    load(kind, source.encode(), Limits(), ReadOptions())
assert not seen, seen
"""


def test_after_warming_no_file_is_opened_and_nothing_imported() -> None:
    ended = subprocess.run([sys.executable, "-P", "-c", _AFTER_WARMING], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.corpus
def test_the_corpus_is_read() -> None:
    corpus = os.environ.get("FUMEHOOD_CORPUS")
    if corpus is None:
        pytest.skip("FUMEHOOD_CORPUS is not set")
    for path in sorted((Path(corpus) / "markdown").iterdir()):
        assert read(path.read_bytes()).blocks, path.name
