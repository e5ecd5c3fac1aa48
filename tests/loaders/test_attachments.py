"""Documents within a document: sections of it where that was asked for, notices where not, one budget for all."""

from __future__ import annotations

import json

import pytest

from fumehood import Limits, Locator, Notice, Refusal, kinds
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.attachments import attach
from fumehood.loaders.shared.builder import Builder
from fumehood.sandbox.loading import _Nested

AT = Locator(path="2")


def outer(limits: Limits | None = None, *, reads: bool = True) -> tuple[Builder, Budget]:
    budget = Budget(limits or Limits())
    return Builder(budget, nested=_Nested(budget, 1) if reads else None), budget


def attached(data: bytes, *, limits: Limits | None = None, reads: bool = True, **said: str) -> Builder:
    out, budget = outer(limits, reads=reads)
    out.heading("Outer", 1)
    attach(data, out, budget, AT, level=2, **said)
    out.paragraph("after")
    out.finish()
    return out


def said(out: Builder) -> list[tuple[str, str, int | None]]:
    text = out.text()
    return [(block.role, text[block.start : block.end], block.level) for block in out.blocks]


def test_without_the_option_it_is_a_notice_with_its_format() -> None:
    assert attached(b"%PDF-1.4\n", reads=False).notices == [Notice("attachment-not-read", AT, "pdf")]
    assert attached(b"a,b", reads=False, name="x.csv").notices == [Notice("attachment-not-read", AT, "csv")]
    assert attached(b"a", reads=False, media_type="Text/Markdown").notices == [
        Notice("attachment-not-read", AT, "markdown")
    ]
    assert attached(b"\0\1\2", reads=False).notices == [Notice("attachment-not-read", AT)]


def test_it_becomes_a_section_below_a_heading_with_its_name() -> None:
    out = attached(b"a,b\n1,2\n", name="x.csv")
    assert said(out) == [
        ("heading", "# Outer", 1),
        ("heading", "## x.csv", 2),
        ("table-row", "| a | b |\n| --- | --- |", 1),
        ("table-row", "| 1 | 2 |", None),
        ("paragraph", "after", None),
    ]
    assert out.text() == "# Outer\n\n## x.csv\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nafter"
    assert out.title == "Outer"


def test_places_in_it_start_with_its_own() -> None:
    out = attached(b'{"a": [1, "x"]}', name="x.json")
    paths = [block.locator.path for block in out.blocks[2:-1] if block.locator and block.locator.path]
    assert paths
    assert all(path.startswith("2/") for path in paths)
    assert out.blocks[1].locator == AT


def test_headings_of_it_stand_below_its_own() -> None:
    out = attached(kinds.get("docx").specimen, name="x.docx")
    levels = [block.level for block in out.blocks if block.role == "heading"]
    assert levels[:2] == [1, 2]
    assert min(level or 0 for level in levels[2:]) == 3


def test_plain_text_in_it_does_not_parse_as_structure() -> None:
    out = attached(b"# no heading\n\n1. no list", name="x.txt")
    assert ("paragraph", "\\# no heading", None) in said(out)
    assert ("paragraph", "1\\. no list", None) in said(out)


def test_markdown_in_it_stays_as_it_is_and_ends_where_it_ends() -> None:
    out = attached(b"# One\n\n- [a](https://example.org)\n", name="x.md")
    assert ("heading", "# One", 3) in said(out)
    assert [out.text()[link.start : link.end] for link in out.links] == ["a"]
    for opened in ("```\nx", "<!-- x", "<script>\nx"):
        out = attached(b"one\n\n" + opened.encode(), name="x.md")
        assert out.text().endswith("\n\nafter")
        assert [block.role for block in out.blocks[2:-1]] == ["code", "code"]


def test_what_cannot_be_read_costs_no_more_than_itself() -> None:
    for data, name, detail in (
        (b"\x89PNG\r\n\x1a\n" + bytes(32), "x.png", "png"),
        (b"{", "x.json", "malformed"),
        (b"%PDF-1.4 broken", "x.pdf", "malformed"),
        (bytes(range(256)), "", "unsupported-kind"),
    ):
        out = attached(data, name=name)
        assert out.notices == [Notice("attachment-not-read", AT, detail)]
        assert [text for _, text, _ in said(out)] == ["# Outer", "after"]


@pytest.mark.parametrize(
    ("limit", "bound", "code"),
    [("table_cells", 15, "table-cells"), ("output_bytes", 120, "output-too-large"), ("parts", 1, "parts")],
)
def test_a_cap_on_the_whole_is_one_on_all_of_it_together(limit: str, bound: int, code: str) -> None:
    data = b"a,b\n" + b"1,2\n" * 4
    out, budget = outer(Limits(**{limit: bound}))
    attach(data, out, budget, AT, name="x.csv")
    with pytest.raises(Refusal) as caught:
        attach(data, out, budget, AT, name="x.csv")
    assert caught.value.code == code


def test_a_cap_on_depth_refuses_what_is_too_deep_alone() -> None:
    deep = json.dumps([[[[[[1]]]]]]).encode()
    out = attached(deep, name="x.json", limits=Limits(nesting=4))
    assert out.notices == [Notice("attachment-not-read", AT, "nesting")]


def test_documents_in_documents_end_at_a_depth() -> None:
    budget = Budget(Limits(nesting=64))
    assert _Nested(budget, 2)(b"x", level=1).text() == "x"
    with pytest.raises(Refusal) as caught:
        _Nested(budget, 3)(b"x", level=1)
    assert (caught.value.code, caught.value.limit, caught.value.bound) == ("nesting", "nesting", 64)
    assert not budget.is_passed("nesting")
