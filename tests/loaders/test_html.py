"""Web pages: what a browser shows is the text, what it hides is kept and marked."""

from __future__ import annotations

import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import kinds
from fumehood.document import Document
from fumehood.errors import Refusal
from fumehood.fuzz.html_files import page
from fumehood.kinds import ReadOptions
from fumehood.limits.policy import Limits
from fumehood.sandbox.loading import read_in_process, warm

HTML = kinds.get("html")


def read(body: str | bytes, limits: Limits | None = None, head: str = "") -> Document:
    return read_in_process(HTML, page(body, head) if isinstance(body, str) else body, limits)


def text(body: str, head: str = "") -> str:
    return read(body, head=head).text


def shape(document: Document) -> list[tuple[str, int | None, str]]:
    return [(block.role, block.level, document.text[block.start : block.end]) for block in document.blocks]


def hidden(document: Document) -> list[str]:
    return [document.text[block.start : block.end] for block in document.blocks if not block.visible]


def codes(document: Document) -> set[str]:
    return {notice.code for notice in document.notices}


def links(document: Document) -> list[tuple[str, str]]:
    return [(document.text[link.start : link.end], link.target) for link in document.links]


# ---- white space ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("a <b> b</b> <i>c </i>d", "a b c d"),
        ("a<b>b</b>c", "abc"),
        ("a\n\n\tb", "a b"),
        ("<p>a</p>b<div>c<div>d</div>e</div>", "a\n\nb\n\nc\n\nd\n\ne"),
        ("a<br> b<br/><br>c", "a\nb\nc"),
        ("a&nbsp; b&#160;&#160;", "a\u00a0 b\u00a0\u00a0"),
        ("a<wbr>b", "ab"),
        ("<span style='display:block'>a</span>b", "a\n\nb"),
        ("<div style='display:inline'>a</div><div style='display: inline-block'>b</div>", "ab"),
        ("<div style='white-space:pre'>a  b\nc</div>", "a  b\nc"),
        ("<p style='white-space:pre-line'>a   b\n\n c <b>\nd</b>", "a b\nc\nd"),
        ("<p style='white-space:pre'>a  b <i style='white-space:normal'>c  d\n</i>", "a  b c d"),
        # Children of a row or a grid are boxes of their own, and so is what is placed by itself.
        ("<div style='display:flex'><a>Home</a><a>News</a> x</div>", "Home\n\nNews\n\nx"),
        ("<p style='display: inline-grid'><span>a<b>b</b></span><img alt=c>d</p>", "ab\n\nc\n\nd"),
        (
            "<table><tr style='display:flex'><td>x<td style='display:flex'><i>a</i><i>b</i></table>",
            "| x | a<br>b |\n| --- | --- |",
        ),
        ("a<span style='position:absolute'>b</span>c<span style='float:right'>d</span>", "a\n\nb\n\nc\n\nd"),
        ("<span style='float:left'>O</span>nce", "Once"),
        ("a<hr>b", "a\n\nb"),
        ("<p>a<p>b<ul><li>c<li>d</ul>", "a\n\nb\n\n- c\n- d"),
        ("a<!-- x -->b<?php y ?>c", "abc"),
        ("1 &lt; 2 &amp;amp; 3 &AMP &notit; &#8364;", "1 < 2 &amp; 3 & \u00acit; \u20ac"),
        ("&#0;&#xD800;&#x110000;&#99999999999999999999;", "\ufffd\ufffd\ufffd\ufffd"),
        ("&#128;&#x93;x&#x94;", "\u20ac\u201cx\u201d"),
    ],
)
def test_text_is_what_a_browser_shows(body: str, wanted: str) -> None:
    assert text(body) == wanted


def test_a_line_that_looks_like_structure_is_escaped() -> None:
    assert text("<p># a<p>- b<p>1. c<p>&lt;p>") == "\\# a\n\n\\- b\n\n1\\. c\n\n\\<p>"


# ---- blocks ----------------------------------------------------------------------------------------------------------


def test_headings() -> None:
    document = read("<h1>One <small>small</small></h1><h2><div>Two</div><div>lines</div></h2><h6>Six</h6><h3> </h3>")
    assert shape(document) == [
        ("heading", 1, "# One small"),
        ("heading", 2, "## Two lines"),
        ("heading", 6, "###### Six"),
    ]


def test_lists_are_numbered_as_shown() -> None:
    body = (
        "<ol start=3><li>a<li value=7>b<li>c</ol><ol reversed><li>x<li>y</ol><ol type=A><li>p</ol>"
        "<ol type=i start=4><li>q</ol>"
    )
    assert text(body) == "3. a\n7. b\n8. c\n\n2. x\n1. y\n\n- A. p\n\n- iv. q"


def test_lists_nest() -> None:
    document = read("<ul><li>a<ul><li>b<p>more</p></li></ul></li><li>c</li></ul>")
    assert document.text == "- a\n  - b\n    more\n- c"
    assert [block.level for block in document.blocks] == [1, 2, 1]
    assert len({block.group for block in document.blocks}) == 1


def test_an_item_with_a_heading_or_a_table_loses_nothing() -> None:
    body = "<ul><li>a<h3>H</h3>b<table><tr><th>1<th>2</table>c<li>d</ul>"
    assert text(body) == "- a\n\n### H\n\nb\n\n| 1 | 2 |\n| --- | --- |\n\nc\n\n- d"


def test_items_outside_of_lists_are_items() -> None:
    assert text("<li>a<li>b") == "- a\n\n- b"


def test_definition_lists() -> None:
    assert text("<dl><dt>t<dd>d<dt>u<dd>e<dd>f</dl>") == "- t\n  - d\n- u\n  - e\n  - f"


def test_code_keeps_its_lines_and_its_language() -> None:
    assert text('<pre><code class="hljs language-py">\nif a:\n    b &lt; c\n</code></pre>') == (
        "```py\n\nif a:\n    b < c\n```"
    )
    assert text("<pre class='brush: js'>\n a<br> b<span>\n</span></pre>") == "```js\n a\n b\n```"


def test_quotes_and_captions() -> None:
    document = read(
        "<blockquote>a<p>b</blockquote><figure><img alt=c src=x><figcaption>d</figcaption></figure><q>e</q>"
    )
    assert [role for role, _, _ in shape(document)] == ["quote", "quote", "paragraph", "caption", "paragraph"]
    assert document.text == "> a\n\n> b\n\nc\n\nd\n\n\u201ce\u201d"


def test_forms_show_their_labels_values_and_options() -> None:
    body = (
        "<label>Name <input value=Ann></label><input type=password value=secret><input type=hidden value=h>"
        "<textarea>\none\n two</textarea><button>Go</button>"
    )
    assert text(body) == "Name Ann\n\none\ntwo\n\nGo"


def test_ruby_details_and_formulas() -> None:
    assert text("<ruby>\u6f22<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>") == "\u6f22(kan)"
    assert text("<details><summary>S</summary>D</details>") == "S\n\nD"
    formula = "<math><mfrac><mi>a</mi> <msup><mi>b</mi><mn>2</mn></msup></mfrac> <mo>+</mo> <mi>c</mi></math>"
    assert text(f"x {formula} y") == "x a/b^2+c y"
    assert text("<svg><title>T</title><style>s</style><g><text>one</text><text>two</text></g></svg>") == "T one two"


def test_scripts_styles_and_templates_are_no_text() -> None:
    document = read("a<script>b</script><template><p>c</template><noscript>d</noscript>", head="<style>e</style>")
    assert document.text == "ad"
    assert codes(document) == {"script-present"}


def test_words_of_pictures_are_not_joined_but_one_may_begin_a_word() -> None:
    assert read("<p><img src=a alt=Light><a href=#x><img src=b alt=Dark></a>").text == "Light Dark"
    assert read("<p><img src=a alt=O>nce<img src=a alt=O>nce").text == "OnceOnce"


def test_images_give_their_text() -> None:
    document = read("<img src=a alt='A duck'><img src=b alt=''><img src=c>")
    assert document.text == "A duck"
    assert [(notice.code, notice.detail) for notice in document.notices] == [("image-not-read", 2)]


def test_pages_in_attributes_and_behind_frames_are_read() -> None:
    document = read(b"<html>\n<p>a\n<iframe srcdoc='<title>t</title>\n\n<p>b &amp;amp; c</p>'></iframe>\n<p>d")
    assert document.text == "a\n\nb & c\n\nd"
    assert document.title is None
    assert [block.locator.line for block in document.blocks if block.locator] == [2, 3, 6]
    document = read(b"<frameset><frame src=a><noframes><body><p>Use frames</body></noframes></frameset>")
    assert document.text == "Use frames"
    assert "object-not-read" in codes(document)


# ---- wrong markup: the standard's tree ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("<p>a<div>b</p>c", "a\n\nb\n\nc"),
        ("<b>a<p>b</b>c", "a\n\nbc"),
        ("<table>a<tr><td>b<td>c</table>d", "a\n\n| b | c |\n| --- | --- |\n\nd"),
        ("<a href=#x>a<a href=#y>b", "ab"),
        ("<ul><li>a</ul></ul>b", "- a\n\nb"),
        ("<h1>a<h2>b", "# a\n\n## b"),
        ("<title>t</title>a</body>b</html>c", "abc"),
        ("<select><option>a<p>b</select>c", "a\nb\n\nc"),
        ("<svg><p>a", "a"),
        ("</p>a</br>b", "a\nb"),
        ("<p>a<table><tr><td>b<td>c</table>", "a\n\n| b | c |\n| --- | --- |"),
    ],
)
def test_wrong_markup(body: str, wanted: str) -> None:
    assert text(body) == wanted


def test_what_stands_in_an_open_comment_is_said_to_be_lost() -> None:
    document = read("a<!-- b")
    assert document.text == "a"
    assert "repaired" in codes(document)


# ---- tables ------------------------------------------------------------------------------------------------------------


def test_merged_cells_give_their_text_once() -> None:
    body = "<table><tr><th colspan=2>a<th>b<tr><td rowspan=2>c<td>d<td>e<tr><td>f<td>g</table>"
    assert text(body) == "| a |  | b |\n| --- | --- | --- |\n| c | d | e |\n|  | f | g |"


def test_spans_that_cannot_be_are_one() -> None:
    assert text("<table><tr><th rowspan=x colspan=-2>a<th colspan=0>b</table>") == "| a | b |\n| --- | --- |"


def test_a_caption_stands_before_its_table_and_cells_keep_their_lines() -> None:
    document = read("<table><caption>C</caption><tr><td>a<br>b|<td><ul><li>c</ul><th>d</table>")
    assert document.text == "C\n\n| a<br>b\\| | c | d |\n| --- | --- | --- |"
    assert document.blocks[0].role == "caption"


def test_a_nested_table_follows_its_table() -> None:
    document = read("<table><tr><th>a<td>b<table><tr><th>n</table>c</table>d")
    assert document.text == "| a | b<br>c |\n| --- | --- |\n\n| n |\n| --- |\n\nd"
    assert "nested-table" in codes(document)


@pytest.mark.parametrize(
    "body",
    [
        "<table><tr><td><h1>T</h1><p>x</table>",
        "<table><tr><td>n<td><table><tr><td>T<td>x</table></table>",
        "<table role=presentation><tr><td>T<td>x</table>",
        "<table><tr><td>T<tr><td>x</table>",
        "<table><tr><td><ul><li>T</ul><td>x</table>",
    ],
)
def test_tables_for_the_layout(body: str) -> None:
    document = read(body)
    assert "T" in document.text
    assert not document.text.startswith("| T<br>")
    rows = [block for block in document.blocks if block.role == "table-row"]
    assert len(rows) == (1 if body.count("<table") > 1 else 0)


def test_tables_nested_without_end_take_linear_time() -> None:
    """A text copied at each level would double at each level."""
    table = "x"
    for _ in range(100):
        table = f"<table border=1><tr><td>{table}<td>b<tr><td>c<td>d</table>"
    started = time.process_time()
    document = read(table)
    assert time.process_time() - started < 2
    assert document.text.count("d |") == 100


# ---- what is not seen ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        "<p hidden>x</p>",
        "<p style='display:none'>x</p>",
        "<p style='visibility:hidden'>x</p>",
        "<p aria-hidden=true>x</p>",
        "<div hidden><section><p>x</section></div>",
        "<p><font color=#fff>x</font></p>",
        "<p style='color:red;background:#f00'>x</p>",
        "<body bgcolor=#000000><p style='color:rgb(0,0,0)'>x</p>",
        "<p style='font-size:0'>x</p>",
        "<p style='position:absolute;left:-9999px'>x</p>",
        "<p style='width:0;height:0;overflow:hidden'>x</p>",
        "<dialog>x</dialog>",
        "<datalist>x</datalist>",
        "<p style='color:transparent'>x</p>",
    ],
)
def test_hidden_text_is_kept_and_marked(body: str) -> None:
    document = read(f"a {body} b")
    assert hidden(document) == ["x"]
    assert document.visible_text.split() == ["a", "b"]
    assert "hidden-text" in codes(document)


def test_hidden_by_rules_of_the_page() -> None:
    document = read("<p class='x gone'>a<p id=b>b<p class=print>c", head="<style>.gone, #b {display: none}</style>")
    assert hidden(document) == ["a", "b"]


def test_sheets_in_other_files_are_said() -> None:
    head = "<link rel=stylesheet href=a.css><link rel='Alternate Stylesheet' href=b.css><link rel=icon href=c>"
    notices = [(notice.code, notice.detail) for notice in read("x<link rel=stylesheet href=d.css>", head=head).notices]
    assert notices == [("external-target", 2)]


def test_hidden_words_leave_the_line_and_follow_it() -> None:
    document = read(
        "one <span hidden>two</span> three <b style='visibility:hidden'>four <i style='visibility:visible'>five</i></b>"
    )
    assert [document.text[block.start : block.end] for block in document.blocks] == ["one three five", "two four"]
    assert hidden(document) == ["two four"]


def test_hidden_cells_follow_their_table() -> None:
    document = read("<table><tr><th>a<th>b<tr><td hidden>c<td>d<tr hidden><td>e<td>f</table>g")
    assert document.text == "| a | b |\n| --- | --- |\n|  | d |\n\nc\ne\nf\n\ng"
    assert hidden(document) == ["c\ne\nf"]


def test_hidden_structure_keeps_its_roles() -> None:
    document = read("<div hidden><h2>a</h2><ul><li>b</ul></div>")
    assert [(role, level) for role, level, _ in shape(document)] == [("heading", 2), ("list-item", 1)]
    assert not any(block.visible for block in document.blocks)


@pytest.mark.parametrize(
    "body",
    [
        "<div style='background:#000'><font color=white>x</font></div>",
        "<div style='background-image:url(a)'><font color=white>x</font></div>",
        "<div style='font-size:0'><b style='font-size:12px'>x</b></div>",
        "<img aria-hidden=true alt=x>",
        "<p style='color:#333;background:#fff'>x",
    ],
)
def test_what_is_seen_is_not_hidden(body: str) -> None:
    assert hidden(read(body)) == []


# ---- links, metadata, places -----------------------------------------------------------------------------------------------


def test_links_go_to_the_web_by_mail_and_inside() -> None:
    body = (
        "<a href='HTTP://a.test/x y'>one</a> <a href=mailto:a@b.test>two</a> <a href='#s'>three</a> "
        "<a href=javascript:x>four</a> <a href=/relative>five</a> <a href='http://[x'>six</a> <a name=z>seven</a>"
    )
    document = read(body)
    assert links(document)[:3] == [("one", "HTTP://a.test/x%20y"), ("two", "mailto:a@b.test"), ("three", "#s")]
    assert [(notice.code, notice.detail) for notice in document.notices] == [("link-dropped", 2)]


def test_relative_links_start_from_the_base() -> None:
    document = read(
        "<a href='../c?d#e'>l</a><a href='//x.test'>m</a>",
        head="<base href='https://a.test/b/'><base href=http://n.test>",
    )
    assert links(document) == [("l", "https://a.test/c?d#e"), ("m", "https://x.test")]


def test_links_around_blocks_and_in_cells() -> None:
    document = read("<a href=#a><p>one</p><p>two</p></a><table><tr><th>x <a href=#b>y</a><th>z</table>")
    assert links(document) == [("one", "#a"), ("two", "#a"), ("y", "#b")]


def test_title_and_metadata() -> None:
    head = (
        "<title> A &amp;  b</title><meta name=Author content=Ann><meta name=description content='About it'>"
        "<meta name=keywords content='k, l'><meta property='article:published_time' content='2001-02-03T04:05:06Z'>"
        "<meta name=dcterms.modified content=yesterday>"
    )
    document = read("<h1>Other</h1><svg><title>no</title></svg>", head=head)
    assert document.title == "A & b"
    assert document.metadata == {
        "author": "Ann",
        "subject": "About it",
        "keywords": "k, l",
        "created": "2001-02-03T04:05:06Z",
        "language": "en",
    }


def test_a_page_without_title_has_that_of_its_heading() -> None:
    assert read("<h1>Other</h1>").title == "Other"


def test_blocks_say_their_line_and_their_part_of_the_page() -> None:
    document = read(
        b"<header>a</header>\n<nav><ul>\n<li>b</ul></nav><main><header>c</header>\n<p>d\nd</main>\r\n<footer>e"
    )
    found = [(block.locator.line, block.locator.part) for block in document.blocks if block.locator]
    assert found == [(1, "header"), (3, "nav"), (3, None), (4, None), (6, "footer")]


# ---- limits, and whatever comes ------------------------------------------------------------------------------------------------


def test_blocks_nest_as_deep_as_the_limit_and_spans_deeper() -> None:
    assert text("<div>" * 200 + "x") == "x"
    assert text("<div style='display:flex'>" * 200 + "x") == "x"
    assert text("<span>" * 2_000 + "x") == "x"
    with pytest.raises(Refusal) as caught:
        read("<div>" * 300 + "x")
    assert caught.value.limit == "nesting"


@pytest.mark.parametrize(
    ("name", "body"),
    [("nodes", "<b>x</b>" * 60), ("table_cells", "<table><tr>" + "<th>x" * 60), ("blocks", "<p>x" * 60)],
)
def test_limits_are_those_of_the_caller(name: str, body: str) -> None:
    with pytest.raises(Refusal) as caught:
        read(body, Limits().replace(**{name: 50}))
    assert caught.value.limit == name


@given(
    st.lists(
        st.sampled_from(
            [
                "<p>",
                "</p>",
                "<b>",
                "</b>",
                "<table>",
                "<td>",
                "</table>",
                "<ul>",
                "<li>",
                "<div hidden>",
                "</div>",
                "<pre>",
                "<a href=#q>",
                "</a>",
                "<h2>",
                "<td rowspan=2>",
            ]
        ),
        max_size=30,
    )
)
def test_no_word_is_lost_or_doubled(tags: list[str]) -> None:
    document = read("".join(f"{tag} w{number}w " for number, tag in enumerate(tags)))
    words = document.text.replace("|", " ").replace("<br>", " ").split()
    assert sorted(word for word in words if word[0] == "w") == sorted(f"w{number}w" for number in range(len(tags)))


@pytest.mark.parametrize("data", [b"", b" ", b"<!", b"\xef\xbb\xbf", b"<html></html>"])
def test_nothing_is_an_empty_document(data: bytes) -> None:
    document = read(data)
    assert document.blocks == ()
    assert "empty-document" in codes(document)


def test_a_warmed_loader_imports_nothing() -> None:
    warm(HTML)
    before = set(sys.modules)
    for codec in ("utf-8", "cp932", "utf-16", "koi8-r"):
        read(f"<meta charset={codec}><p>\u0416 <ruby>a<rt>b</ruby><math><mi>x".encode(codec, "replace"))
    assert set(sys.modules) <= before


def test_the_option_charset_is_known() -> None:
    assert read_in_process(HTML, b"<p>\xc4", options=ReadOptions(charset="koi8-r")).text == "\u0434"
