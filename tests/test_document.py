"""The model: immutable, typed, to and from JSON and MessagePack."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import Block, Document, Link, Locator, Notice, Receipt
from fumehood.document import METADATA_KEYS, ROLES, is_link_target, is_metadata_key
from fumehood.errors import NOTICE_CODES

ordinals = st.none() | st.integers(1, 10**9)
names = st.none() | st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=30)
locators = st.builds(
    Locator,
    page=ordinals,
    slide=ordinals,
    sheet=ordinals,
    cells=st.none() | st.sampled_from(["A1", "B2:XFD1048576"]),
    part=names,
    paragraph=ordinals,
    paragraph_end=ordinals,
    line=ordinals,
    line_end=ordinals,
    path=names,
)
blocks = st.builds(
    Block,
    st.integers(0, 100),
    st.integers(0, 100),
    st.sampled_from(ROLES),
    level=st.none() | st.integers(1, 9),
    group=ordinals,
    locator=st.none() | locators,
    visible=st.booleans(),
)
receipts = st.builds(
    Receipt,
    loader=st.just("fumehood.loaders.text"),
    version=st.integers(1, 9),
    engine=st.just("fumehood"),
    sha256=st.just("0" * 64),
    size=st.integers(0, 2**40),
    wall_seconds=st.floats(0, 100),
    cpu_seconds=st.floats(0, 100),
    peak_bytes=st.integers(0, 2**40),
    layers=st.just(("seccomp",)),
    inflated_bytes=st.integers(0, 2**40),
)
documents = st.builds(
    Document,
    kind=st.just("text"),
    title=names,
    metadata=st.dictionaries(st.sampled_from(sorted(METADATA_KEYS)), st.text(st.characters(exclude_categories=["Cs"]))),
    text=st.text(st.characters(exclude_categories=["Cs"])),
    blocks=st.lists(blocks, max_size=5).map(tuple),
    links=st.lists(
        st.builds(Link, st.integers(0, 9), st.integers(0, 9), st.just("https://example.org")), max_size=3
    ).map(tuple),
    notices=st.lists(
        st.builds(
            Notice, st.sampled_from(NOTICE_CODES), st.none() | locators, st.none() | st.integers(0, 9) | st.just("cmap")
        ),
        max_size=3,
    ).map(tuple),
    receipt=st.none() | receipts,
)


@given(documents)
def test_it_survives_json_msgpack_pickle_and_copy(document: Document) -> None:
    assert Document.from_json(document.to_json()) == document
    assert Document.from_msgpack(document.to_msgpack()) == document
    assert pickle.loads(pickle.dumps(document)) == document
    assert copy.deepcopy(document) == document


def example(**fields: Any) -> Document:
    made: dict[str, Any] = {
        "kind": "text",
        "title": None,
        "metadata": {"author": "A"},
        "text": "a\n\nb\n\nc",
        "links": (),
        "notices": (),
    }
    made["blocks"] = (Block(0, 1, "paragraph"), Block(3, 4, "paragraph", visible=False), Block(6, 7, "paragraph"))
    return Document(**(made | fields))


def test_it_cannot_be_changed() -> None:
    document = example()
    with pytest.raises(AttributeError):
        document.text = "x"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        document.blocks[0].end = 9  # type: ignore[misc]
    metadata: Any = document.metadata
    changes: list[Callable[[], object]] = [
        lambda: metadata.update(author="B"),
        lambda: metadata.__setitem__("author", "B"),
        lambda: metadata.pop("author"),
        lambda: metadata.clear(),
        lambda: metadata.setdefault("x", "y"),
        lambda: metadata.__ior__({"x": "y"}),
    ]
    for change in changes:
        with pytest.raises(TypeError, match="read-only"):
            change()
    assert dict(metadata) == {"author": "A"}


def test_the_callers_own_dictionary_is_not_the_documents() -> None:
    mine = {"author": "A"}
    document = example(metadata=mine)
    mine["author"] = "B"
    assert document.metadata["author"] == "A"


def test_visible_text_leaves_hidden_blocks_out() -> None:
    assert example().visible_text == "a\n\nc"


def test_visible_text_of_a_document_that_hides_nothing_is_its_text() -> None:
    document = example(blocks=(Block(0, 7, "paragraph"),))
    assert document.visible_text is document.text


@pytest.mark.parametrize(
    "data",
    [
        b"{}",
        b'{"kind": 1}',
        example().to_json().replace(b'"paragraph"', b'"chapter"'),
        example().to_json().replace(b'"start":0', b'"start":-1'),
        example().to_json()[:-1] + b', "extra": 1}',
    ],
)
def test_what_is_no_document_does_not_decode(data: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        Document.from_json(data)


@pytest.mark.parametrize(
    "target", ["https://a.example/?q=1#x", "http://a", "mailto:a@b.example", "#chapter-2", "HTTPS://A"]
)
def test_links_to_the_web_to_mail_and_inside_are_allowed(target: str) -> None:
    assert is_link_target(target)


@pytest.mark.parametrize(
    "target",
    [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "data:text/html,x",
        "//a",
        "https://a b",
        "",
        "#",
        "https://\x1b",
        "x" * 9_999,
    ],
)
def test_others_are_not(target: str) -> None:
    assert not is_link_target(target)


@pytest.mark.parametrize(
    ("key", "fits"),
    [("author", True), ("x-dc.rights", True), ("Author", False), ("x-", False), ("xauthor", False), ("x-A", False)],
)
def test_metadata_keys(key: str, fits: bool) -> None:
    assert is_metadata_key(key) is fits
