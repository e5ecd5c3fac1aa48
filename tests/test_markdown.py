"""The scanner of Markdown's blocks: what is a block, against CommonMark's rules and an independent parser."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from fumehood.document import Document
from fumehood.markdown import MAX_DEPTH, Span, scan
from fumehood.markdown_grammar import heading_source

Row = tuple[str, int | None, str]


def rows(text: str) -> list[Row]:
    return [(span.role, span.level, text[span.start : span.end]) for span in scan(text)]


def only(text: str) -> Span:
    spans = list(scan(text))
    assert len(spans) == 1, spans
    return spans[0]


# ---- headings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "level", "title"),
    [
        ("# Title ##", 1, "Title"),
        ("# C#", 1, "C#"),
        ("##", 2, ""),
        ("# #", 1, ""),
        ("###### six", 6, "six"),
        ("  ## indented\t#  ", 2, "indented"),
        (r"# a \#", 1, r"a \#"),
        ("Two\nlines\n===", 1, "Two lines"),
        ("Under\n---", 2, "Under"),
    ],
)
def test_headings(text: str, level: int, title: str) -> None:
    span = only(text)
    assert (span.role, span.level) == ("heading", level)
    assert text[span.start : span.end] == text.strip()
    assert heading_source(text[span.start : span.end]) == title


@pytest.mark.parametrize("text", ["#hashtag", "####### seven", r"\# no", "a\n    ==="])
def test_what_is_no_heading(text: str) -> None:
    assert only(text).role == "paragraph"


def test_a_heading_in_a_container_is_its_text() -> None:
    assert [row[:2] for row in rows("> # quoted\n\n- # item")] == [("quote", None), ("list-item", 1)]


# ---- code ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "~~~\n```\n~~~",  # only its own sign closes a fence
        "````\n```\n````",  # only as many signs close it
        "```\n    ```\n```",  # not when indented by four
        "```\n``` x\n```",  # not with text after it
        "``` py title=x\n# no heading\n\n- no item\n```",
        "~~~ a`b\nx\n~~~",
        "```\nnever closed\n\n# still code",
    ],
)
def test_a_fence_is_one_block(text: str) -> None:
    span = only(text)
    assert (span.role, span.content, text[span.start : span.end]) == ("code", "code", text)


def test_a_fence_opens_without_a_backtick_in_its_info_only() -> None:
    assert only("``` a`b").role == "paragraph"


def test_indented_code_keeps_its_indentation_and_inner_blank_lines() -> None:
    assert rows("a\n\n    if x:\n\n        y\n\nb")[1] == ("code", None, "    if x:\n\n        y")


def test_an_indented_line_does_not_interrupt_a_paragraph() -> None:
    assert rows("a\n    b") == [("paragraph", None, "a\n    b")]


# ---- lists and quotes ----------------------------------------------------------------------------


def test_items_have_their_depth_and_their_list() -> None:
    spans = list(scan("- a\n  1. b\n  2. c\n- d\n\n* other\n"))
    assert [(span.level, span.group) for span in spans] == [(1, 1), (2, 2), (2, 2), (1, 1), (1, 3)]


def test_an_item_of_several_paragraphs_and_code_gives_its_leaves_in_order() -> None:
    text = "1. one\n\n   two\n\n   ```\n   x\n   ```\n\n2. three"
    assert [row[:2] for row in rows(text)] == [("list-item", 1), ("list-item", 1), ("code", None), ("list-item", 1)]
    assert len({span.group for span in scan(text) if span.role == "list-item"}) == 1


def test_an_item_that_begins_with_code_gives_its_mark_as_a_block() -> None:
    assert rows("- ```\n  x\n  ```") == [("list-item", 1, "-"), ("code", None, "```\n  x\n  ```")]


def test_a_mark_alone_waits_for_the_text_of_its_item() -> None:
    assert rows("-\n  a\n-\n- b\n-\n\n  c") == [
        ("list-item", 1, "-\n  a"),
        ("list-item", 1, "-"),
        ("list-item", 1, "- b"),
        ("list-item", 1, "-"),
        ("paragraph", None, "c"),
    ]


def test_only_a_one_interrupts_a_paragraph() -> None:
    assert [row[0] for row in rows("a\n2. b\n1. c")] == ["paragraph", "list-item"]


def test_quotes() -> None:
    assert rows("> a\nlazy\n>\n> b\n> > c\n\nd") == [
        ("quote", None, "> a\nlazy"),
        ("quote", None, "> b"),
        ("quote", None, "> > c"),
        ("paragraph", None, "d"),
    ]


def test_the_innermost_container_says_what_its_text_is() -> None:
    text = "> - a\n\n- b\n\n  > c"
    assert [row[:2] for row in rows(text)] == [("list-item", 1), ("list-item", 1), ("quote", None)]


def test_containers_past_the_cap_are_text() -> None:
    span = only("> " * (MAX_DEPTH + 50) + "x")
    assert (span.role, span.start, span.end) == ("quote", 0, 2 * MAX_DEPTH + 101)


# ---- tables --------------------------------------------------------------------------------------


def test_a_table_has_a_block_for_each_row() -> None:
    text = "before\n| a | b |\n|---|:-:|\n| 1 | 2 |\nplain\n\nafter"
    assert rows(text) == [
        ("paragraph", None, "before"),
        ("table-row", 1, "| a | b |\n|---|:-:|"),
        ("table-row", None, "| 1 | 2 |"),
        ("table-row", None, "plain"),
        ("paragraph", None, "after"),
    ]
    table = [span for span in scan(text) if span.role == "table-row"]
    assert [(span.line, span.line_end) for span in table] == [(2, 3), (4, 4), (5, 5)]
    assert len({span.group for span in table}) == 1


@pytest.mark.parametrize("text", ["| a | b |\n|---|", "a\n-|-", r"a \| b" + "\n-|-", "| a |\n| - | x"])
def test_what_is_no_table(text: str) -> None:
    assert [row[0] for row in rows(text)] == ["paragraph"]


def test_a_table_in_an_item() -> None:
    assert rows("- | a | b |\n  |---|---|\n  | 1 | 2 |") == [
        ("list-item", 1, "-"),
        ("table-row", 1, "| a | b |\n  |---|---|"),
        ("table-row", None, "| 1 | 2 |"),
    ]


# ---- HTML, definitions, footnotes ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "role", "visible"),
    [
        ("<!-- a\n\nb -->", "comment", False),
        ("<script>\nx\n\n</script>", "paragraph", False),
        ("<style>x</style>", "paragraph", False),
        ("<?php\n\n?>", "paragraph", False),
        ("<!DOCTYPE html>", "paragraph", False),
        ('<div class="a" hidden>\nx', "paragraph", False),
        ("<p style='color: red; display: none'>x", "paragraph", False),
        ("<div>\n*x*\n</div>", "paragraph", True),
        ("<![CDATA[\n\nx]]>", "paragraph", True),
        ("<custom-tag a='b'>\nx", "paragraph", True),
        ("<div class='hidden-not'>", "paragraph", True),
    ],
)
def test_html_blocks(text: str, role: str, visible: bool) -> None:
    span = only(text)
    assert (span.role, span.visible, span.content) == (role, visible, "html")
    assert (span.start, span.end) == (0, len(text))


def test_text_after_a_comment_is_visible() -> None:
    assert [(row[0], row[2]) for row in rows("<!-- a --> <!-- b --> c")] == [
        ("comment", "<!-- a --> <!-- b -->"),
        ("paragraph", "c"),
    ]


def test_definitions_are_invisible_and_known() -> None:
    references: dict[str, str] = {}
    text = "[A  b]: /one 'title'\n[c]:\n  <two three>\n[a B]: /late\nrest [c]"
    spans = list(scan(text, references))
    assert references == {"a b": "/one", "c": "<two three>"}
    assert [(span.visible, span.content) for span in spans] == [(False, "definitions"), (True, "inline")]
    assert text[spans[1].start : spans[1].end] == "rest [c]"
    assert (spans[0].line_end, spans[1].line) == (4, 5)


@pytest.mark.parametrize("text", ["[a] : b", "[a]: <b", "[a]: b c", "[ ]: b", "[a]:", "[a]: b(", "x\n[a]: b"])
def test_what_is_no_definition(text: str) -> None:
    references: dict[str, str] = {}
    assert all(span.visible for span in scan(text, references))
    assert references == {}


def test_footnotes_are_notes() -> None:
    assert rows("[^1]: one\n[^b]: two\n\n    more\n\nend") == [
        ("note", None, "[^1]: one"),
        ("note", None, "[^b]: two"),
        ("note", None, "more"),
        ("paragraph", None, "end"),
    ]


def test_thematic_breaks_and_nothing_belong_to_no_block() -> None:
    assert rows("---\n\n***\n_ _ _\n \n\t\n>\n") == []


# ---- what holds for any text ---------------------------------------------------------------------

_PIECES = (
    "a",
    "b c",
    "- ",
    "* ",
    "1. ",
    "2) ",
    "10. ",
    " ",
    "  ",
    "    ",
    "\t",
    "> ",
    ">",
    "# ",
    "---",
    "===",
    "- - -",
)
_MORE = (
    "```",
    "~~~",
    "````",
    "\n",
    "\n",
    "\n",
    "\n\n",
    "\n\n| a | b |\n|---|---|\n",
    "| c |",
    "<div>",
    "<!-- x",
    "-->\n",
)
_REST = (
    "<script>",
    "</script>",
    "\n\n[a]: b\n\n",
    "[a]",
    "[^1]: ",
    "\\",
    "`",
    "<?",
    "?>",
    "\n  ",
    "\n    ",
    "\n> ",
    "\n- ",
)
markdown = st.one_of(
    st.lists(st.sampled_from(_PIECES + _MORE + _REST), max_size=16).map("".join),
    st.text(alphabet=st.characters(blacklist_characters="\r", codec="utf-8"), max_size=60),
)
_MARKS_ONLY = re.compile(r"(?:[ \t>]*(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]+|$))+")
_UNCOVERED = re.compile(r"[ \t>]*(?:[-_*][ \t]*)*")
"""What may stand on a line outside any block: marks of empty lines in a quote, and thematic breaks."""


@given(markdown)
@settings(max_examples=300, deadline=None)
def test_spans_are_in_order_and_cover_the_text(text: str) -> None:
    position = 0
    spans = list(scan(text))
    gaps = []
    for span in spans:
        assert position <= span.start < span.end <= len(text)
        assert text[span.start : span.end].strip(" \t\n")
        assert span.line == 1 + text.count("\n", 0, span.start)
        assert span.line_end == 1 + text.count("\n", 0, span.end)
        gaps.append(text[position : span.start])
        position = span.end
    gaps.append(text[position:])
    for line in "\n".join(gaps).split("\n"):
        assert _UNCOVERED.fullmatch(line), line


# ---- an independent parser -----------------------------------------------------------------------

_ORACLE = MarkdownIt("commonmark").enable("table")
Leaf = tuple[str, int | None, int, int]


def _ours(text: str) -> list[Leaf]:
    lines = text.split("\n")
    leaves: list[Leaf] = []
    for span in scan(text):
        if span.content == "definitions":
            continue
        if span.role == "list-item" and _MARKS_ONLY.fullmatch(text[span.start : span.end]):
            continue
        line = span.line
        while span.role == "list-item" and line < span.line_end and _MARKS_ONLY.fullmatch(lines[line - 1]):
            line += 1  # a mark that waited for its text
        if span.content == "html":
            leaves.append(("html", None, line, span.line_end))
        elif span.role == "table-row":
            leaves.append(("table-row", None, line, line))
        else:
            leaves.append((span.role, span.level, line, span.line_end))
    return leaves


_LEAVES = {"fence": "code", "code_block": "code", "html_block": "html", "tr_open": "table-row"}


def _theirs(text: str) -> list[Leaf]:
    lines = text.split("\n")
    around: list[str] = []
    leaves: list[Leaf] = []
    for token in _ORACLE.parse(text):
        if token.type in ("blockquote_open", "list_item_open"):
            around.append("quote" if token.type == "blockquote_open" else "list-item")
        elif token.type in ("blockquote_close", "list_item_close"):
            around.pop()
        elif token.type in _LEAVES or token.type in ("paragraph_open", "heading_open"):
            assert token.map is not None
            first, last = token.map
            while last > first + 1 and not lines[last - 1].strip(" \t>" if "quote" in around else " \t"):
                last -= 1
            leaves.append((*_role(token, around), first + 1, last))
    return leaves


def _role(token: Token, around: list[str]) -> tuple[str, int | None]:
    if token.type in _LEAVES:
        return _LEAVES[token.type], None
    if around:
        return around[-1], around.count("list-item") if around[-1] == "list-item" else None
    return ("heading", int(token.tag[1])) if token.type == "heading_open" else ("paragraph", None)


_THEIR_WAY = re.compile(
    r"""
    -->.*\S                       # text after a comment is a block of ours
    | \[\^                        # footnotes are ours
    | \|.*\n.*--+[ \t]*$          # a line under a line with a pipe: GitHub sees a heading first, markdown-it a table
    | \S\n[ ]*(?:[ ]{4}|\t)      # an indented line below another: it measures from containers that have ended
    | >.*\t                       # tab stops in a quote: it counts them from elsewhere
    | >[ \t]*$                    # a quote mark that is code or HTML, or an empty line
    """,
    re.VERBOSE | re.MULTILINE,
)


@given(st.lists(st.sampled_from(_PIECES + _MORE + _REST), max_size=14).map("".join))
@settings(max_examples=800, deadline=None, derandomize=True)
def test_blocks_are_where_markdown_it_sees_them(text: str) -> None:
    if _THEIR_WAY.search(text) is None:
        try:
            expected = _theirs(text)
        except IndexError:  # a fault of markdown-it-py with HTML at the end of a list
            return
        assert _ours(text) == expected


@pytest.mark.corpus
def test_every_example_of_the_specification() -> None:
    corpus = os.environ.get("FUMEHOOD_CORPUS")
    if corpus is None:
        pytest.skip("FUMEHOOD_CORPUS is not set")
    source = (Path(corpus) / "markdown" / "cmark-spec.md").read_text(encoding="utf-8")
    examples = re.findall(r"^`{32} example\n(.*?)^\.\n", source, re.MULTILINE | re.DOTALL)
    assert len(examples) > 600
    for example in examples:
        text = example.replace("→", "\t")
        if _THEIR_WAY.search(text) is None:
            assert _ours(text) == _theirs(text), text


# ---- time ----------------------------------------------------------------------------------------

HOSTILE: dict[str, Callable[[int], str]] = {
    "quotes": lambda n: ">" * n + "x",
    "quotes, blank lines": lambda n: ">" * (n // 2) + "x\n" + "\n" * (n // 2),
    "quotes, lazy lines": lambda n: ">" * (n // 2) + "x\n" + "a\n" * (n // 4),
    "items": lambda n: "- " * (n // 2) + "x",
    "stars": lambda n: "* " * (n // 2) + "x",
    "numbers": lambda n: "1. " * (n // 3) + "x",
    "items and quotes": lambda n: "> - " * (n // 4) + "x",
    "items, blank lines": lambda n: "- " * (n // 2) + "x\n" + "\n" * (n // 2),
    "items, blank quoted lines": lambda n: "> " + "- " * (n // 2) + "x\n" + ">\n" * (n // 4),
    "indented lists": lambda n: "".join("  " * depth + "- a\n" for depth in range(int(n**0.5))),
    "one line": lambda n: "word " * (n // 5),
    "tabs": lambda n: "-\t" * (n // 4) + "x\n" + "\t" * (n // 2),
    "open fences": lambda n: "~~~\n```\n" * (n // 8),
    "open fences in items": lambda n: "- ```\n" * (n // 6),
    "open comments": lambda n: "- <!--\n" * (n // 7),
    "open tags": lambda n: '<a b="\n\n' * (n // 8),
    "attributes": lambda n: "<a" + " b" * (n // 2),
    "definitions": lambda n: "".join(f"[{number}]: /a\n" for number in range(n // 11)),
    "definitions, open titles": lambda n: '[a]: b\n"\n' * (n // 9),
    "definitions, underlined": lambda n: "[a]: b\n=\n" * (n // 9),
    "labels": lambda n: "[a\n" * (n // 3),
    "delimiter rows": lambda n: "|-\n" * (n // 3),
    "a wide table": lambda n: "|a" * (n // 4) + "|\n" + "|-" * (n // 4) + "|",
    "almost delimiters": lambda n: "a|\n" + ":-|" * (n // 3) + "x",
    "underlines": lambda n: "a\n=\n" * (n // 4),
    "empty items": lambda n: "-\n" * (n // 2),
    "almost breaks": lambda n: "- " * (n // 2) + "\n" + "* " * (n // 2) + "x",
}


def _seconds(text: str) -> float:
    best = float("inf")
    for _ in range(2):
        start = time.process_time()
        for _ in scan(text):
            pass
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("name", HOSTILE)
def test_time_grows_with_the_length_only(name: str) -> None:
    make = HOSTILE[name]
    # Four times the text: linear is a factor of 4, quadratic of 16. Below 20 ms nothing can be told apart.
    assert _seconds(make(80_000)) < max(0.02, 9 * _seconds(make(20_000)))


# ---- documents from trusted text -------------------------------------------------------------------


def test_a_document_from_markdown() -> None:
    text = "# The *title*\n\nSee [here](https://example.org/a) and [there](file:///x).\n\n- item\n"
    document = Document.from_markdown(text)
    assert (document.kind, document.title, document.text) == ("markdown", "The title", text)
    assert [block.role for block in document.blocks] == ["heading", "paragraph", "list-item"]
    assert document.blocks[1].locator is not None
    assert document.blocks[1].locator.line == 3
    assert [(text[link.start : link.end], link.target) for link in document.links] == [
        ("here", "https://example.org/a")
    ]
    assert [(notice.code, notice.detail) for notice in document.notices] == [("link-dropped", 1)]


def test_a_document_from_nothing() -> None:
    assert [notice.code for notice in Document.from_markdown(" \n").notices] == ["empty-document"]


def test_a_document_from_text_with_controls_is_clean() -> None:
    document = Document.from_markdown("a\x1b[31m\r\nb\x00")
    assert document.text == "a[31m\nb"
    assert [(notice.code, notice.detail) for notice in document.notices] == [("controls-removed", 2)]


def test_bytes_are_no_text_of_ones_own() -> None:
    with pytest.raises(TypeError, match="takes a str, not bytes; a file's bytes go through the reader"):
        Document.from_markdown(b"# A")  # type: ignore[arg-type]
