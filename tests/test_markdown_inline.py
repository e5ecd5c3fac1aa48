"""Links, images and comments in a block's text."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fumehood.markdown_inline import heading_text, marks, plain

Found = tuple[str, str, str]
REFERENCES = {"ref": "https://r.example/", "two words": "<https://t.example/a b>"}


def found(text: str) -> list[Found]:
    return [(mark.kind, text[mark.start : mark.end], mark.target) for mark in marks(text, 0, len(text), REFERENCES)]


@pytest.mark.parametrize(
    ("text", "label", "target"),
    [
        ("[a](https://x.example/)", "a", "https://x.example/"),
        ("[a](https://x.example/ 'title')", "a", "https://x.example/"),
        ('[a]( <https://x.example/b c>\n"t" )', "a", "https://x.example/b c"),
        ("[a](https://x.example/b_(c)_(d))", "a", "https://x.example/b_(c)_(d)"),
        (r"[a](https://x.example/\(b)", "a", "https://x.example/(b"),
        ("[a](https://x.example/?b&amp;c)", "a", "https://x.example/?b&c"),
        ("[a [b] c](x)", "a [b] c", "x"),
        (r"[a \] b](x)", r"a \] b", "x"),
        ("[`]`](x)", "`]`", "x"),
        ("[label][REF]", "label", "https://r.example/"),
        ("[Ref][]", "Ref", "https://r.example/"),
        ("[ref]", "ref", "https://r.example/"),
        ("[two\n words]", "two\n words", "https://t.example/a b"),
        ("<https://x.example/>", "https://x.example/", "https://x.example/"),
        ("<a.b@x.example>", "a.b@x.example", "mailto:a.b@x.example"),
        ("see https://x.example/a(b).", "https://x.example/a(b)", "https://x.example/a(b)"),
        ("(https://x.example/)", "https://x.example/", "https://x.example/"),
    ],
)
def test_links(text: str, label: str, target: str) -> None:
    assert found(text) == [("link", label, target)]


@pytest.mark.parametrize(
    "text",
    [
        r"\[a](x)",
        "`[a](x)`",
        "``[a](x) ` ``",
        '<b title="[a](x)">',
        "<? [a](x) ?>",
        "[a] (x)",
        "[a](b c)",
        "[a](<b)",
        "[](x)",
        "[a]()",
        "[unknown]",
        "xhttps://x.example",
        "< https://",
    ],
)
def test_what_is_no_link(text: str) -> None:
    assert [kind for kind, _, _ in found(text)] == []


def test_links_hold_no_links_but_images() -> None:
    assert found("[a [b](in) c](out)") == [("link", "b", "in")]
    assert found("[![alt](p.png)](out)") == [("image", "alt", "p.png"), ("link", "![alt](p.png)", "out")]


def test_a_code_span_ends_at_a_run_of_the_same_length() -> None:
    assert found("`` ` [a](x) `` [b](y) ` [c](z)") == [("link", "b", "y"), ("link", "c", "z")]


def test_comments() -> None:
    assert found("a <!-- [b](x) --> c") == [("comment", "<!-- [b](x) -->", "")]


def test_only_the_block_is_read() -> None:
    text = "[a](x) [b](y) [c](z)"
    assert [text[mark.start : mark.end] for mark in marks(text, 7, 13, {})] == ["b"]


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("# **Bold** and _it_ and `code`", "Bold and it and code"),
        ("# [![b](s)](u) [Name](https://x.example) ##", "b Name"),
        (r"# 2 \* 3 &amp; snake_case_name", "2 * 3 & snake_case_name"),
        ("# a * b", "a * b"),
        ("# C#", "C#"),
        ("Set\next\n---", "Set ext"),
        ("# <b>x</b> <!-- y -->", "x"),
        ("# a<!-- <b> --><!-->b<!-- c <!-- d -->e <!-- f", "abe <!-- f"),
    ],
)
def test_a_heading_as_a_title(heading: str, title: str) -> None:
    assert heading_text(heading) == title


@given(st.text(alphabet="[]()!<>`\\ab\"'/:.-=@ \n#*_&;", max_size=60))
@settings(max_examples=300, deadline=None)
def test_marks_lie_in_the_text(text: str) -> None:
    ends = [0]
    for mark in marks(text, 0, len(text), {"a": "b"}):
        assert 0 <= mark.start <= mark.end <= len(text)
        assert mark.kind != "link" or (mark.start < mark.end and mark.target)
        assert mark.end >= ends[-1]
        ends.append(mark.end)
    plain(text)


HOSTILE: dict[str, Callable[[int], str]] = {
    "open brackets": lambda n: "[" * n,
    "nested brackets": lambda n: "[" * (n // 2) + "]" * (n // 2),
    "closing references": lambda n: "[" * (n // 2) + "ref]" * (n // 4),
    "images": lambda n: "![" * (n // 2) + "](x)" * (n // 8),
    "links after brackets": lambda n: "[" * (n // 2) + "[a](b)" * (n // 12),
    "open destinations": lambda n: "[a](" * (n // 4),
    "open destinations, nested": lambda n: "[a](((" * (n // 6),
    "open pointed destinations": lambda n: "[a](<b" * (n // 6),
    "open titles": lambda n: '[a](b "' * (n // 7),
    "pairs of parentheses": lambda n: "[a](()()()" * (n // 10),
    "spaces": lambda n: ("[a](" + " " * 50) * (n // 54),
    "runs of backticks": lambda n: " ".join("`" * length for length in range(1, int((2 * n) ** 0.5))),
    "equal backticks": lambda n: "` [" * (n // 3),
    "open comments": lambda n: "[ <!-- " * (n // 7),
    "comments in comments": lambda n: "<!--" * (n // 4),
    "open sections": lambda n: "[ <? <![CDATA[ <!X " * (n // 19),
    "open tags": lambda n: "[ <a " * (n // 5),
    "open attributes": lambda n: '[ <a b="' * (n // 8),
    "attributes": lambda n: "[ <a" + " b" * (n // 2),
    "open addresses": lambda n: "[ <a:" * (n // 5),
    "mail addresses": lambda n: "<a@" + "a." * (n // 2),
    "bare addresses": lambda n: "https://a " * (n // 10),
    "parentheses after an address": lambda n: "https://a" + ")." * (n // 2),
    "backslashes": lambda n: "[" + "\\" * n,
}


def _all_marks(text: str) -> None:
    for _ in marks(text, 0, len(text), REFERENCES):
        pass


def _seconds(read: Callable[[str], object], text: str) -> float:
    best = float("inf")
    for _ in range(2):
        start = time.process_time()
        read(text)
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("read", [_all_marks, plain])
@pytest.mark.parametrize("name", HOSTILE)
def test_time_grows_with_the_length_only(name: str, read: Callable[[str], object]) -> None:
    make = HOSTILE[name]
    # Four times the text: linear is a factor of 4, quadratic of 16. Below 20 ms nothing can be told apart.
    assert _seconds(read, make(100_000)) < max(0.02, 9 * _seconds(read, make(25_000)))
