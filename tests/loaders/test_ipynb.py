"""Notebooks: Markdown word for word, code, text outputs; pictures are notices."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import Limits, kinds
from fumehood.document import Document, Locator
from fumehood.errors import Refusal
from fumehood.sandbox.loading import read_in_process

IPYNB = kinds.get("ipynb")


def read(*cells: object, metadata: object = None, limits: Limits | None = None) -> Document:
    notebook = {"nbformat": 4, "cells": cells, "metadata": metadata or {}}
    return read_in_process(IPYNB, json.dumps(notebook).encode(), limits)


def code(source: object, *outputs: object) -> object:
    return {"cell_type": "code", "source": source, "outputs": outputs}


def markdown(source: object) -> object:
    return {"cell_type": "markdown", "source": source}


def shown(**data: str) -> object:
    return {"output_type": "display_data", "data": {key.replace("_", "/"): value for key, value in data.items()}}


def found(document: Document) -> list[tuple[str, str]]:
    return [(block.role, document.text[block.start : block.end]) for block in document.blocks]


def codes(document: Document) -> list[str]:
    return [notice.code for notice in document.notices]


def test_cells_in_order_with_their_pointers() -> None:
    document = read(
        markdown(["# One\n", "\n", "- a\n", "- b"]),
        code(["x = 1\n", "y"], {"output_type": "stream", "name": "stdout", "text": ["out\n"]}),
        {"cell_type": "raw", "source": "raw"},
    )
    assert found(document) == [
        ("heading", "# One"),
        ("list-item", "- a"),
        ("list-item", "- b"),
        ("code", "```python\nx = 1\ny\n```"),
        ("code", "```\nout\n```"),
        ("code", "```\nraw\n```"),
    ]
    assert document.title == "One"
    paths = [block.locator for block in document.blocks]
    assert paths == [Locator(path="/cells/0")] * 3 + [
        Locator(path="/cells/1"),
        Locator(path="/cells/1/outputs/0"),
        Locator(path="/cells/2"),
    ]


def test_a_cell_does_not_spill_into_the_next() -> None:
    document = read(
        markdown("```\nopen"),
        markdown("[a]: https://a.example\n\n[a]"),
        markdown("| a |\n|-|"),
        markdown("- x"),
        markdown("- y"),
    )
    assert [role for role, _ in found(document)][-3:] == ["table-row", "list-item", "list-item"]
    assert len({block.group for block in document.blocks[-3:]}) == 3
    (link,) = document.links
    assert document.text[link.start : link.end] == "a"


def test_code_that_holds_a_fence_is_fenced_by_a_longer_one() -> None:
    assert found(read(code("a\n```\nb"))) == [("code", "````python\na\n```\nb\n````")]


@pytest.mark.parametrize(
    ("metadata", "language"),
    [
        ({"language_info": {"name": "julia"}, "kernelspec": {"language": "R"}}, "julia"),
        ({"kernelspec": {"language": "R"}}, "R"),
        ({"kernelspec": 7}, "python"),
    ],
)
def test_the_language_of_code(metadata: object, language: str) -> None:
    assert read(code("x"), metadata=metadata).text.startswith(f"```{language}\n")


def test_outputs_are_read_in_their_best_form_of_text() -> None:
    document = read(
        code(
            "x",
            shown(text_plain="1", text_html="<b>1</b>"),
            shown(text_plain="<Figure>", image_png="AAAA"),
            shown(text_markdown="**m**", text_plain="m"),
            shown(text_html="<b>1</b>"),
            {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["\x1b[0;31mE\x1b[0m", "line"]},
            {"output_type": "error", "ename": "E", "evalue": "v"},
        )
    )
    assert [text for _, text in found(document)][1:] == ["```\n1\n```", "**m**", "```\nE\nline\n```", "```\nE: v\n```"]
    assert codes(document) == ["image-not-read", "object-not-read"]


def test_the_third_version_of_the_format() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Two"]},
        {"cell_type": "code", "language": "perl", "input": "x", "outputs": [{"output_type": "pyout", "text": ["1"]}]},
        {"cell_type": "code", "input": "y", "outputs": [{"output_type": "display_data", "png": "AA"}]},
    ]
    document = read_in_process(IPYNB, json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}]}).encode())
    assert [text for _, text in found(document)] == ["## Two", "```perl\nx\n```", "```\n1\n```", "```python\ny\n```"]
    assert document.blocks[0].locator == Locator(path="/worksheets/0/cells/0")
    assert codes(document) == ["image-not-read"]


def test_controls_are_taken_out_and_said() -> None:
    document = read(code("a\x00b"))
    assert "ab" in document.text
    assert codes(document) == ["controls-removed"]


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"{", "malformed"), (b"[]", "kind-mismatch"), (b'{"a": 1}', "kind-mismatch"), (b"[" * 300, "nesting")],
)
def test_what_is_no_notebook_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_in_process(IPYNB, data)
    assert refused.value.code == code


def test_an_empty_notebook() -> None:
    assert codes(read()) == ["empty-document"]
    assert codes(read(code(""), markdown("\n"), 7)) == ["empty-document"]


_ANY = st.recursive(
    st.none() | st.integers(0, 9) | st.sampled_from(["code", "markdown", "heading", "stream", "# a", "```", "x\r\ny"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["cells", "cell_type", "source", "outputs", "output_type", "data", "text/plain", "text", "png"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.lists(_ANY, max_size=4))
def test_cells_of_any_shape_are_read(cells: list[object]) -> None:
    document = read(*cells)
    assert all(block.locator and block.locator.path for block in document.blocks)
