"""What the builder writes is Markdown that parses back to the blocks it wrote: by our scanner, and by markdown-it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared.builder import Builder
from fumehood.markdown import scan

_COMMONMARK = MarkdownIt("commonmark").enable("table")

# Pieces that mean something at the start of a line, and ordinary ones between them.
_SIGNS = r"""
a b 1 12 é # ## > - -- --- + * ** *** _ ___ = == 1. 2) 10. ` `` ``` ~~~ | || \ \| < <b> </b> <!-- --> <? <!A
[ ] [a] [a]: [^1]: : :- :-: |-|- a|b http://x & &amp; ! ( ) " '
"""
_PIECES = tuple(_SIGNS.split())
text = st.one_of(
    st.lists(st.sampled_from([*_PIECES, " ", "  ", "    ", "\t", "\n", "\n\n"]), min_size=1, max_size=10).map("".join),
    st.lists(st.sampled_from(_PIECES), min_size=1, max_size=6).map(" ".join),
    st.text(max_size=20),
)

Write = Callable[[Builder, str], None]


def _table(out: Builder, content: str) -> None:
    group = out.new_group()
    out.table_row([content, "x"], group, 2, header=True)
    out.table_row(["y", content], group, 2)


_WRITERS: dict[str, Write] = {
    "heading": lambda out, content: out.heading(content, 2),
    "paragraph": lambda out, content: out.paragraph(content),
    "list-item": lambda out, content: out.list_item(content, 1, out.new_group()),
    "ordered": lambda out, content: out.list_item(content, 1, out.new_group(), marker="12."),
    "marker": lambda out, content: out.list_item(content, 1, out.new_group(), marker=content[:3]),
    "quote": lambda out, content: out.quote(content),
    "code": lambda out, content: out.code(content, language=content[:4]),
    "table-row": _table,
}


def _built(*contents: tuple[str, str]) -> Builder:
    out = Builder(Budget(Limits()))
    for writer, content in contents:
        _WRITERS[writer](out, content)
    return out


def _written(out: Builder) -> list[tuple[int, int, str]]:
    return [(block.start, block.end, block.role) for block in out.blocks]


def _scanned(out: Builder) -> list[tuple[int, int, str]]:
    return [(span.start, span.end, span.role) for span in scan(out.text()) if span.visible]


def _trimmed(blocks: list[tuple[int, int, str]], source: str) -> list[tuple[int, int, str]]:
    """Without white space at the end of a block, which a scanner leaves out."""
    return [(start, start + len(source[start:end].rstrip(" \t")), role) for start, end, role in blocks]


def _leaves(source: str) -> list[str]:
    """The roles of the leaves as markdown-it sees them."""
    around: list[str] = []
    roles: list[str] = []
    for token in _COMMONMARK.parse(source):
        name = token.type
        if name in ("blockquote_open", "list_item_open"):
            around.append("quote" if name == "blockquote_open" else "list-item")
        elif name in ("blockquote_close", "list_item_close"):
            around.pop()
        elif name in ("fence", "tr_open"):
            roles.append("code" if name == "fence" else "table-row")
        elif name in ("heading_open", "paragraph_open"):
            roles.append(around[-1] if around else "heading" if name == "heading_open" else "paragraph")
        elif name in ("code_block", "html_block", "hr"):
            roles.append(name)
    return roles


@pytest.mark.parametrize("writer", _WRITERS)
@given(content=text)
@settings(max_examples=60, deadline=None)
def test_a_block_parses_back_as_itself(writer: str, content: str) -> None:
    out = _built((writer, content))
    assert _scanned(out) == _trimmed(_written(out), out.text())
    assert _leaves(out.text()) == [block.role for block in out.blocks]


@given(contents=st.lists(st.tuples(st.sampled_from(sorted(_WRITERS)), text), min_size=2, max_size=5))
@settings(max_examples=150, deadline=None)
def test_blocks_do_not_run_into_each_other(contents: list[tuple[str, str]]) -> None:
    out = _built(*contents)
    assert _scanned(out) == _trimmed(_written(out), out.text())
    assert _leaves(out.text()) == [block.role for block in out.blocks]


@given(
    items=st.lists(st.tuples(st.integers(1, 4), st.sampled_from(["-", "1.", "3.", "10.", "a)", "*"]), text), max_size=6)
)
@example(items=[(3, "-", "deep first"), (1, "10.", "wide"), (2, "7.", "inside"), (3, "-", "more\nlines")])
@settings(max_examples=150, deadline=None)
def test_items_of_any_depth_parse_back_as_items(items: list[tuple[int, str, str]]) -> None:
    out = Builder(Budget(Limits()))
    group = out.new_group()
    for depth, marker, content in items:
        out.list_item(content, depth, group, marker=marker)
    assert _scanned(out) == _trimmed(_written(out), out.text())
    assert _leaves(out.text()) == ["list-item"] * len(out.blocks)


def test_depths_survive_wide_marks() -> None:
    out = Builder(Budget(Limits()))
    group = out.new_group()
    for depth, marker in ((1, "9."), (1, "10."), (2, "-"), (3, "100."), (4, "a)"), (2, "-"), (1, "11.")):
        out.list_item("text", depth, group, marker=marker)
    assert [span.level for span in scan(out.text())] == [1, 1, 2, 3, 4, 2, 1]


def test_a_table_keeps_its_rows_and_header() -> None:
    out = _built(("table-row", "a | b \\| c\nd"))
    assert [span.level for span in scan(out.text())] == [1, None]
    assert len({span.group for span in scan(out.text())}) == 1
