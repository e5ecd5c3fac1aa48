"""YAML: nothing is made, nothing is followed, nothing is lost."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import Limits, kinds
from fumehood.document import Document, Locator
from fumehood.errors import Refusal
from fumehood.kinds import ReadOptions
from fumehood.sandbox.loading import read_in_process

YAML = kinds.get("yaml")


def read(data: bytes | str, limits: Limits | None = None, **options: bool) -> Document:
    raw = data if isinstance(data, bytes) else data.encode()
    return read_in_process(YAML, raw, limits, ReadOptions(**options))  # type: ignore[arg-type]


def codes(document: Document) -> list[tuple[str, int | str | None]]:
    return [(notice.code, notice.detail) for notice in document.notices]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("a: 1\nb: [x, y]\nc: {d: e}\n", "a: 1\n\n## b\n\n- x\n- y\n\n## c\n\nd: e"),
        ("- 1\n- two\n", "- 1\n- two"),
        ("a: 1.10\nb: 0x1F\nc: 2001-12-14\nd: yes\ne: 010\n", "a: 1.10\nb: 0x1F\nc: 2001-12-14\nd: yes\ne: 010"),
        ("a: ~\nb:\nc: ''\nd: 'null'\n", 'a: null\nb: null\nc: ""\nd: null'),
        ("just words\n", "just words"),
        ("a: |\n  one\n  two\nb: >\n  one\n  two\n", "a: one\ntwo\n\nb: one two"),
        ('a: "\\u263A"\n', "a: ☺"),
        ("? [x, y]\n: z\n? {k: v}\n: w\n", "x, y: z\nk: v: w"),
        ("", ""),
        ("---\n...\n", "null"),
    ],
)
def test_values(data: str, text: str) -> None:
    assert read(data).text == text


def test_blocks_have_pointers_that_count_the_documents() -> None:
    assert [block.locator for block in read("a:\n  b: 1\n").blocks] == [Locator(path="/a"), Locator(path="/a")]
    document = read("a: 1\n---\nb:\n- 2\n- x\n")
    assert document.text == "a: 1\n\n## b\n\n- 2\n- x"
    assert [block.locator and block.locator.path for block in document.blocks] == ["/0", "/1/b", "/1/b/0", "/1/b/1"]


def test_an_alias_gives_a_short_text_and_else_its_name() -> None:
    document = read("a: &x word\nb: *x\nc: &y {d: 1}\ne: *y\nf:\n  <<: *y\n")
    assert document.text == "a: word\nb: word\ne: \\*y\n\n## c\n\nd: 1\n\n## f\n\n<<: \\*y".replace("\\", "")


def test_aliases_do_not_multiply() -> None:
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40)]
    assert len(read("\n".join(lines)).text) < 2_000
    assert read("a: &a [*a, *a]").text == "## a\n\n- *a\n- *a"


def test_tags_of_others_are_text_and_are_not_obeyed() -> None:
    document = read("a: !Ref Bucket\nb: !!python/object/apply:os.system ['id']\nc: !!str 1\nd: !Sub\n- x\n- y\n")
    assert document.text == "a: !Ref Bucket\nc: 1\n\n## b\n\n- id\n\n## d\n\n### !Sub\n\n- x\n- y"


def test_comments_are_kept_with_their_lines() -> None:
    document = read('# licence\n# more\na: 1 # why\nb: "x # no" #yes\nc: |\n  # text\nd:\n  # deep\n  - e#f\n')
    comments = [
        (document.text[block.start : block.end], block.locator) for block in document.blocks if block.role == "comment"
    ]
    assert comments == [
        ("licence\nmore\nwhy\nyes", Locator(line=1, line_end=4)),
        ("deep", Locator(line=8)),
    ]
    assert "e#f" in document.text
    assert "c: # text" in document.text.replace("\\", "")


@pytest.mark.parametrize("data", ["a: b: c\n", "a: [1\n", "\t- a\n", "a: *nobody\n - b: }", '"open', "%YAML 9\n"])
def test_what_is_no_yaml_is_refused_unless_lenient(data: str) -> None:
    with pytest.raises(Refusal) as refused:
        read(data)
    assert refused.value.code == "malformed"
    document = read(data, lenient=True)
    assert document.text == data
    assert codes(document) == [("unparsed", None)]


def test_controls_are_taken_out_and_said_and_line_ends_do_not_matter() -> None:
    document = read("a: b\x07c\r\nd: \U0001f600\re: f\n")
    assert document.text == "a: bc\nd: \U0001f600\ne: f"
    assert codes(document) == [("controls-removed", 1)]


def test_a_key_that_stands_twice_is_said() -> None:
    document = read("a: 1\na: 2\n")
    assert document.text == "a: 1\na: 2"
    assert codes(document) == [("repaired", "duplicate-key")]


@pytest.mark.parametrize(
    ("data", "code"), [("[" * 300, "nesting"), ("- " * 300, "nesting"), ("- a\n" * 2_000, "nodes")]
)
def test_depth_and_size_are_bounded(data: str, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        read(data, Limits(nodes=1_000))
    assert refused.value.code == code


def test_time_grows_with_the_text() -> None:
    """By a bound that a busy machine keeps: quadratic time, as short texts would take with it, is three times as long."""
    text = "".join(f"k{n}: [a, b] # c\n" for n in range(32_000))
    started = time.process_time()
    read(text)
    assert time.process_time() - started < 8


@given(
    st.lists(
        st.sampled_from(
            [
                "a: ",
                "- ",
                "[",
                "]",
                "{",
                "}",
                "&x ",
                "*x ",
                "!t ",
                "# c\n",
                "\n",
                "  ",
                "'",
                '"',
                "|\n",
                "b",
                ", ",
                "? ",
                "---\n",
            ]
        ),
        max_size=25,
    )
)
def test_any_text_is_a_document_or_malformed(parts: list[str]) -> None:
    try:
        read("".join(parts))
    except Refusal as refused:
        assert refused.code == "malformed"  # noqa: PT017
