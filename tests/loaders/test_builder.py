"""The builder: what every loader's document looks like, whatever the loader hands over."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.document import MAX_NOTICES, Locator
from fumehood.errors import Refusal
from fumehood.hygiene import is_clean
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared.builder import Builder, name


def builder(**limits: int) -> Builder:
    return Builder(Budget(Limits(**limits)))


def texts(out: Builder) -> list[str]:
    return [out.text()[block.start : block.end] for block in out.blocks]


# ---- separators and offsets -------------------------------------------------------------------------


def test_blocks_are_exact_slices_and_separators_belong_to_none() -> None:
    out = builder()
    out.heading("Title", 1)
    out.paragraph("One\ntwo")
    items = out.new_group()
    out.list_item("a", 1, items)
    out.list_item("b", 2, items)
    rows = out.new_group()
    out.table_row(["k", "v"], rows, 2, header=True)
    out.table_row(["1"], rows, 2)
    out.code("x = 1", "py")
    out.quote("said\nagain")
    assert out.text() == (
        "# Title\n\nOne\ntwo\n\n- a\n  - b\n\n| k | v |\n| --- | --- |\n| 1 |  |\n\n```py\nx = 1\n```\n\n> said\n> again"
    )
    assert texts(out) == [
        "# Title",
        "One\ntwo",
        "- a",
        "- b",
        "| k | v |\n| --- | --- |",
        "| 1 |  |",
        "```py\nx = 1\n```",
        "> said\n> again",
    ]
    assert [block.level for block in out.blocks] == [1, None, 1, 2, 1, None, None, None]


def test_two_tables_in_a_row_stay_two() -> None:
    out = builder()
    for _ in range(2):
        out.table_row(["a"], out.new_group(), 1, header=True)
    assert out.text() == "| a |\n| --- |\n\n| a |\n| --- |"


Write = Callable[[Builder, str], None]
WRITERS: list[Write] = [
    lambda out, text: out.heading(text, 3),
    lambda out, text: out.paragraph(text),
    lambda out, text: out.paragraph(text, role="record"),
    lambda out, text: out.list_item(text, 2, 1, marker=text[:2]),
    lambda out, text: out.table_row([text, text], 2, 2, header=True),
    lambda out, text: out.code(text, text),
    lambda out, text: out.quote(text),
]


@given(st.lists(st.tuples(st.sampled_from(WRITERS), st.text(st.characters(), max_size=30)), max_size=6))
def test_any_text_gives_clean_ordered_disjoint_blocks(written: list[tuple[Write, str]]) -> None:
    out = builder()
    for write, text in written:
        write(out, text)
    out.finish()
    text = out.text()
    assert is_clean(text)
    assert text.isascii() or text.encode("utf-8")
    end = 0
    for block in out.blocks:
        assert end <= block.start < block.end <= len(text)
        assert text[end : block.start].isspace() or not text[end : block.start]
        end = block.end
    assert end == len(text)


# ---- what is escaped ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "written"),
    [
        ("# no heading", "\\# no heading"),
        ("- no item", "\\- no item"),
        ("1. no item", "1\\. no item"),
        ("1986\\. A year", "1986\\. A year"),
        ("> no quote", "\\> no quote"),
        ("```", "\\```"),
        ("<div>", "\\<div>"),
        ("[a]: http://x", "\\[a]: http://x"),
        ("a\n===", "a\n\\==="),
        ("a | b\n--- | ---", "a | b\n\\--- | ---"),
        ("#hashtag", "#hashtag"),
        ("-5 degrees", "-5 degrees"),
        ("*emphasis*", "*emphasis*"),
        ("1.5 litres", "1.5 litres"),
        ("a\n\n  b  \n", "a\nb"),
    ],
)
def test_only_what_would_parse_as_structure_is_escaped(source: str, written: str) -> None:
    out = builder()
    out.paragraph(source)
    assert out.text() == written


def test_a_cell_keeps_to_its_cell_and_to_one_line() -> None:
    out = builder()
    out.table_row(["a|b", "c\\|d", "two\n\n lines "], out.new_group(), 3, header=True)
    assert out.text().split("\n")[0] == "| a\\|b | c\\\\\\|d | two<br>lines |"


def test_a_fence_is_longer_than_any_run_inside() -> None:
    out = builder()
    out.code("````\nx\n````")
    assert out.text() == "`````\n````\nx\n````\n`````"


def test_a_marker_markdown_does_not_know_stands_in_the_text() -> None:
    out = builder()
    out.list_item("Whereas", 1, out.new_group(), marker="§ 4")
    assert out.text() == "- § 4 Whereas"


# ---- hygiene -------------------------------------------------------------------------------------------------


def test_controls_are_removed_and_counted_line_breaks_are_not_lost() -> None:
    out = builder()
    out.paragraph("a\x00b\x1b[31mc\r\nd\x0ce\ud800")
    out.finish()
    assert out.text() == "ab[31mc\nd\ne"
    assert [(notice.code, notice.detail) for notice in out.notices] == [("controls-removed", 3)]


def test_what_is_empty_once_cleaned_makes_no_block() -> None:
    out = builder()
    out.paragraph(" \n\t")
    out.heading("", 1)
    out.list_item("\x00", 1, out.new_group())
    out.quote("\x01")
    out.finish()
    assert out.blocks == []
    assert out.notices[-1].code == "empty-document"


def test_names_are_clean_cut_or_none() -> None:
    assert name(" a\x00b\nc ") == "ab c"
    assert name("\x00") is None
    assert len(name("x" * 5_000) or "") == 1_024


# ---- title, metadata, notices ------------------------------------------------------------------------------


def test_the_title_is_the_formats_own_or_the_first_visible_level_one_heading() -> None:
    out = builder()
    out.heading("Hidden", 1, visible=False)
    out.heading("Second level", 2)
    out.heading("C# and *F*#", 1)
    out.finish()
    assert out.title == "C# and *F*#"
    out.set_title("  The\x00 format's\nown ")
    assert out.title == "The format's own"
    out.set_title(" ")
    assert out.title == "The format's own"


def test_metadata_keys_are_the_vocabulary_or_start_with_x() -> None:
    out = builder()
    out.set_metadata("author", "A\nB")
    out.set_metadata("x-subject-code", 7)
    out.set_metadata("subject", "\x00")
    assert out.metadata == {"author": "A B", "x-subject-code": "7"}
    with pytest.raises(ValueError, match="vocabulary"):
        out.set_metadata("colour", "red")


def test_notices_end_after_a_thousand() -> None:
    out = builder()
    for _ in range(MAX_NOTICES + 5):
        out.notice("link-dropped")
    assert len(out.notices) == MAX_NOTICES + 1
    assert out.notices[-1].code == "notices-truncated"


# ---- links ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["https://a.example/x?y=1", "HTTP://a.example", "mailto:a@b.example", "#part-2"])
def test_a_link_points_at_its_label_whatever_moved_before_it(target: str) -> None:
    out = builder()
    source = "- first\n\n   # here it is"
    start = source.index("here")
    out.paragraph(source, links=[(start, start + 4, target)])
    (link,) = out.links
    assert (out.text()[link.start : link.end], link.target) == ("here", target)


@pytest.mark.parametrize(
    "target", ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "\\\\host\\share", "x"]
)
def test_other_targets_are_a_notice(target: str) -> None:
    out = builder()
    out.paragraph("here", links=[(0, 4, target)], locator=Locator(page=2))
    assert not out.links
    assert [(notice.code, notice.locator) for notice in out.notices] == [("link-dropped", Locator(page=2))]


@given(st.lists(st.sampled_from(["# a", " - b", "c ", "", "> ", "12. d", "\te"]), min_size=1, max_size=8))
def test_every_word_can_be_linked(lines: list[str]) -> None:
    source = "\n".join(lines)
    at = [index for index, char in enumerate(source) if char.isalpha()]
    for write in (Builder.paragraph, Builder.quote):
        out = builder()
        write(out, source, links=[(index, index + 1, "#x") for index in at])
        assert [out.text()[link.start : link.end] for link in out.links] == [source[index] for index in at]


@given(
    st.lists(st.sampled_from(["# a", " - b", "c ", "", "> ", " ", "\te"]), min_size=1, max_size=8).map("\n".join),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=4),
)
def test_a_link_stands_within_the_text_and_holds_some_of_it(source: str, spans: list[tuple[int, int]]) -> None:
    links = [(start, end, "#x") for start, end in spans]
    out = builder()
    out.paragraph(source, links=links)
    out.quote(source, links=links)
    out.heading(source, 1, links=links)
    out.list_item(source, 1, out.new_group(), links=links)
    assert all(0 <= link.start < link.end <= len(out.text()) for link in out.links)


# ---- the source itself --------------------------------------------------------------------------------------


def test_verbatim_text_takes_spans_only_in_order() -> None:
    out = builder()
    assert out.verbatim("one\r\n\x00two") == "one\ntwo"
    out.span(0, 3, "paragraph", locator=Locator(line=1))
    with pytest.raises(RuntimeError):
        out.span(2, 5, "paragraph")
    with pytest.raises(RuntimeError):
        out.span(4, 4, "paragraph")
    with pytest.raises(RuntimeError):
        out.span(4, 99, "paragraph")
    with pytest.raises(RuntimeError):
        out.paragraph("more")
    out.span(4, 7, "paragraph")
    out.span_link(4, 7, "https://x.example")
    assert texts(out) == ["one", "two"]
    assert out.links[0].target == "https://x.example"


def test_verbatim_comes_first() -> None:
    out = builder()
    out.paragraph("a")
    with pytest.raises(RuntimeError):
        out.verbatim("b")


# ---- caps -------------------------------------------------------------------------------------------------------


def test_output_is_counted_in_bytes_of_utf8() -> None:
    out = builder(output_bytes=10)
    out.paragraph("é" * 5)
    with pytest.raises(Refusal) as refused:
        out.paragraph("x")
    assert (refused.value.code, refused.value.limit, refused.value.bound) == ("output-too-large", "output_bytes", 10)


@pytest.mark.parametrize("text", ["é" * 1_500_000, "a" * 2_000_000 + "\U0001f600", "€" * 2**20])
def test_long_text_is_counted_in_bytes_of_utf8_too(text: str) -> None:
    budget = Budget(Limits())
    Builder(budget).paragraph(text)
    assert budget.used("output_bytes") == len(text.encode())


def test_blocks_and_links_are_capped() -> None:
    out = builder(blocks=2)
    out.paragraph("a")
    out.paragraph("b", links=[(0, 1, "#x"), (0, 1, "#y")])
    with pytest.raises(Refusal, match="blocks"):
        out.paragraph("c")
    with pytest.raises(Refusal, match="blocks"):
        builder(blocks=2).paragraph("a", links=[(0, 1, "#x")] * 3)


def test_only_cells_that_hold_something_count() -> None:
    out = builder(table_cells=2)
    group = out.new_group()
    out.table_row(["a", " ", ""], group, 500, header=True)
    out.table_row(["b"], group, 500)
    with pytest.raises(Refusal, match="table_cells"):
        out.table_row(["c"], group, 500)


HOSTILE: dict[str, Write] = {
    "backslashes in a cell": lambda out, _: out.table_row(["|" + "\\" * 1_000_000], 1, 1, header=True),
    "an almost delimiter row": lambda out, _: out.paragraph(":-" + " " * 1_000_000 + "x"),
    "an almost thematic break": lambda out, _: out.paragraph("_ " * 500_000 + "x"),
    "an almost reference": lambda out, _: out.paragraph("[\n" * 200_000),
    "pipes": lambda out, _: out.paragraph("|-" * 500_000 + "x"),
    "hashes": lambda out, _: out.heading("# " * 500_000 + "x", 1),
    "many links": lambda out, _: out.paragraph(
        "\n".join([" -a"] * 50_000), links=[(i * 4, i * 4 + 3, "#x") for i in range(50_000)]
    ),
    "backticks": lambda out, _: out.code("`" * 1_000_000),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_time_is_linear_in_hostile_text(case: str) -> None:
    out = builder()
    started = time.process_time()
    HOSTILE[case](out, "")
    assert time.process_time() - started < 3


def test_titles_and_names_of_locators_count_as_output() -> None:
    """All of it is sent; the parent would refuse what is too much only after the work was done."""
    out = builder(output_bytes=20)
    out.set_title("t" * 21)
    with pytest.raises(Refusal, match="output_bytes"):
        out.finish()
    out = builder(output_bytes=20)
    with pytest.raises(Refusal, match="output_bytes"):
        out.paragraph("a", locator=Locator(path="/" + "p" * 20))
