r"""RTF, construct by construct: what a reader of the document sees is what stands in the text."""

from __future__ import annotations

import locale

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fumehood import Limits, kinds
from fumehood.document import Block, Document, Locator
from fumehood.errors import Refusal
from fumehood.sandbox.loading import read_in_process

RTF = kinds.get("rtf")
FONTS = (
    rb"{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset128 MS Mincho;}{\f3\fcharset2 Symbol;}"
    rb"{\f4\cpg1253 Greek;}{\f5\fnil Wingdings;}{\f6\fcharset134 SimSun{\*\falt Symbol};}}"
)
STYLES = (
    rb"{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 Rubrik;}{\s2 heading 2;}{\s3 Title;}{\s4 Quote;}{\s5 HTML Preformatted;}"
    rb"{\*\cs1 heading 1;}{\s6\outlinelevel9 heading 3;}}"
)


def read(body: bytes, limits: Limits | None = None, *, head: bytes = rb"\rtf1\ansi\ansicpg1252\deff0") -> Document:
    return read_in_process(RTF, b"{" + head + FONTS + STYLES + body + b"}", limits)


def pieces(document: Document, **wanted: object) -> list[str]:
    return [
        document.text[block.start : block.end]
        for block in document.blocks
        if all(getattr(block, name) == value for name, value in wanted.items())
    ]


def codes(document: Document) -> list[tuple[str, int | str | None]]:
    return [(notice.code, notice.detail) for notice in document.notices]


def only(document: Document) -> Block:
    (block,) = document.blocks
    return block


# ---- characters -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (rb"caf\'e9", "café"),
        (b"caf\xe9", "café"),
        (rb"\f1\'cf\'f0\'e8\'e2\'e5\'f2", "Привет"),
        (rb"{\f1\'cf}\'cf", "ПÏ"),
        (rb"\f4\'e1", "α"),  # noqa: RUF001
        (rb"\f6\'b2\'e2", "测"),
        (rb"\u8364?", "€"),
        (rb"\u8364 ?x", "€x"),
        (rb"\u8364\'80x", "€x"),
        (rb"\uc2\u8364\'80\'80x", "€x"),
        (rb"\uc0\u8364 x", "€x"),
        (rb"{\uc0\u8364}\u8364?x", "€€x"),
        (rb"\u8364{?}x", "€?x"),
        (rb"\u-10179?\u-8704?", "\U0001f600"),
        (rb"\uc0\u-10179\u-8704", "\U0001f600"),
        (rb"\u128512?", "\U0001f600"),
        (rb"\u770?", "\u0302"),
        (rb"\u8217\rquote x", "\u2019x"),
        (rb"\u8364\b x", "€x"),
        (rb"x\~\_a\-b", "x\u00a0\u2011ab"),
        (rb"\{\}\\", "{}\\"),
        (rb"a\emdash b\endash\lquote c\rquote\ldblquote d\rdblquote\bullet", "a—b–‘c’“d”•"),  # noqa: RUF001
        (b"a\r\nb\nc", "abc"),
        (rb"a\tab b", "a\tb"),
        (rb"a\line b", "a\nb"),
        (b"\\f3 abc", "αβχ"),
        (rb"\f3\'b7\u-3913?", "••"),
        (rb"\f5\u-3844?", "✓"),
        (rb"\unknown123 a{\other b}", "ab"),
        (rb"a{\*\unknown b{c}}d", "ad"),
        (rb"a{\*\unknown b}{\*\cs1 c}d", "ad"),
        (rb"a\bin3 }}}b", "ab"),
        (rb"a{\upr{\'cf}{\*\ud\f1\'cf}}b", "aПb"),
        (rb"a\'zzb", "azzb"),
        (rb"{\*\bkmkstart x}a{\*\bkmkend x}", "a"),
        (rb"{\xe index}a{\tc contents}", "a"),
    ],
)
def test_text(body: bytes, text: str) -> None:
    assert read(body).text == text


@pytest.mark.parametrize(
    "body",
    [
        rb"\f2\'83\'41",
        rb"\f2\'83A",
        b"\\f2\x83A",
        rb"\f2\'83\b\'41",
        rb"\f2\'83{\b\'41}",
        rb"{\f2\'83{}\'41}",
        b"\\f2\\'83\r\n\\'41",
    ],
)
def test_a_double_byte_character_goes_on_in_the_next_token_run_or_group(body: bytes) -> None:
    assert read(body).text == "ア"


def test_a_trail_byte_may_be_a_brace_or_a_backslash() -> None:
    assert read(rb"\f2\'83\{\'83\\").text == b"\x83{\x83\\".decode("cp932")


@pytest.mark.parametrize(
    ("head", "text"),
    [
        (rb"\rtf1\ansi\ansicpg1251", "П"),
        (rb"\rtf1\mac", "œ"),
        (rb"\rtf1\pc", "╧"),
        (rb"\rtf1\pca", "¤"),
        (rb"\rtf1\ansi", "Ï"),
        (rb"\rtf1", "Ï"),
        (rb"\rtf1\ansi\ansicpg0", "Ï"),
        (rb"\rtf1\ansi\ansicpg99999", "Ï"),
    ],
)
def test_the_document_has_a_code_page_for_fonts_that_name_none(head: bytes, text: str) -> None:
    assert read_in_process(RTF, b"{" + head + rb"{\fonttbl{\f0 A;}}\f0\'cf}").text == text
    assert read_in_process(RTF, b"{" + head + rb"\'cf}").text == text


def test_a_font_table_may_stand_without_groups_and_the_default_font_counts() -> None:
    assert read_in_process(
        RTF, rb"{\rtf1\deff1{\fonttbl\f0\fcharset0 A;\f1\fcharset204 B;}\'cf\plain\'cf{\f0\'cf}}"
    ).text == ("ППÏ")


def test_the_machines_locale_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("getpreferredencoding", "getencoding", "getlocale"):
        monkeypatch.setattr(locale, name, None)
    assert read(rb"\f1\'cf\f0\'e9").text == "Пé"


def test_what_no_encoding_knows_is_replaced_and_said() -> None:
    document = read(rb"a\f2\'81 \u-8704?\u1114112?")
    assert document.text.count("\ufffd") == 3
    assert codes(document) == [("repaired", "encoding")]
    document = read(rb"\f5\'20\'ff\u-3585?")
    assert ("unmapped-glyphs", 2) in codes(document)


# ---- paragraphs -------------------------------------------------------------------------------------


def test_paragraphs_are_counted_and_empty_ones_are_not_said() -> None:
    document = read(b"one\\par\\par two\\\nthree\\sect four\\page five")
    assert pieces(document) == ["one", "two", "three", "four\nfive"]
    assert [block.locator for block in document.blocks] == [Locator(paragraph=n) for n in (1, 3, 4, 5)]


def test_headings_by_outline_level_and_by_style() -> None:
    document = read(
        rb"\pard\s1 One\par\pard\s2 Two\par\pard\s3 Title\par\pard\outlinelevel2 Three\par\pard\s6 Not\par"
        rb"\pard\s1\outlinelevel9 Nor\par\pard Body\par"
    )
    assert pieces(document) == ["# One", "## Two", "# Title", "### Three", "Not", "Nor", "Body"]
    assert [block.level for block in document.blocks] == [1, 2, 1, 3, None, None, None]


def test_the_last_paragraph_needs_no_end() -> None:
    assert pieces(read(rb"a\par\pard\s1 One"), level=1) == ["# One"]
    assert pieces(read(rb"a{\footnote\pard\ls1 b}"), role="note") == ["\\- b"]


def test_quotes_and_code_by_style() -> None:
    document = read(rb"\pard\s4 said\par\pard\s5 x = 1\par y = 2\par\pard end")
    assert pieces(document) == ["> said", "```\nx = 1\ny = 2\n```", "end"]


def test_lists_as_shown() -> None:
    document = read(
        rb"\pard{\listtext\pard\f3\'b7\tab}\ls1 a\par{\listtext 1)\tab}\ls1\ilvl1 b\par{\pntext\pard iv.\tab}\ilvl0 c\par"
        rb"\pard\ls1 no number"
    )
    assert pieces(document) == ["- a", "1) b", "- iv. c", "no number"]
    assert [block.level for block in document.blocks] == [1, 2, 1, None]
    assert len({block.group for block in document.blocks[:3]}) == 1


def test_numbers_of_rows_stand_in_cells_that_hold_nothing_else() -> None:
    row = r"\trowd\cellx1000\cellx2000\intbl{\listtext %s\tab}\ls1\cell\pard\intbl %s\cell\row"
    document = read("".join(row % pair for pair in (("1.", "a"), ("2.", "b"), (r"\'b7", "c"))).encode())
    assert pieces(document) == ["| 1. | a |\n| --- | --- |", "| 2. | b |", "|  | c |"]


def test_lists_that_the_reader_is_to_number_are_lists() -> None:
    assert pieces(read(rb"\pard\ls1 a\par b\par\pard c"), role="list-item") == ["- a", "- b"]


def test_structure_in_the_text_is_escaped() -> None:
    assert read(rb"# no\par - no").text == "\\# no\n\n\\- no"


# ---- tables ------------------------------------------------------------------------------------------


def rows(document: Document) -> list[str]:
    return [text.split("\n")[0] for text in pieces(document, role="table-row")]


def row(*cells: bytes, edges: tuple[int, ...] = ()) -> bytes:
    defined = b"".join(rb"\cellx%d" % edge for edge in edges or range(1000, 1000 * len(cells) + 1, 1000))
    return rb"\trowd" + defined + rb"\pard\intbl " + b"".join(cell + rb"\cell " for cell in cells) + rb"\row"


def test_a_table_is_one_group_with_a_locator_for_each_row() -> None:
    document = read(rb"before\par" + row(b"a", b"b") + row(b"c", rb"d\par e") + rb"\pard after\par")
    assert pieces(document) == ["before", "| a | b |\n| --- | --- |", "| c | d<br>e |", "after"]
    assert [block.locator for block in document.blocks][1:3] == [
        Locator(paragraph=2, paragraph_end=3),
        Locator(paragraph=4, paragraph_end=6),
    ]


def test_cells_of_rows_with_other_edges_stand_in_their_columns() -> None:
    document = read(
        row(b"a", b"b", b"c", edges=(1000, 2000, 3000))
        + row(b"wide", b"z", edges=(2010, 3010))
        + row(b"x", b"rest", edges=(990, 3000))
    )
    assert rows(document) == ["| a | b | c |", "| wide |  | z |", "| x | rest |  |"]


def test_merged_cells_give_their_text_once() -> None:
    first = rb"\trowd\clmgf\cellx1000\clmrg\cellx2000\clvmgf\cellx3000\pard\intbl both\cell\cell down\cell\row"
    second = rb"\trowd\cellx1000\cellx2000\clvmrg\cellx3000\pard\intbl a\cell b\cell\cell\row"
    assert rows(read(first + second)) == ["| both |  | down |", "| a | b |  |"]


def test_a_row_that_is_defined_after_its_cells_or_not_at_all() -> None:
    assert rows(read(rb"\pard\intbl a\cell b\cell\trowd\cellx1\cellx2\row")) == ["| a | b |"]
    assert rows(read(rb"\pard\intbl a\cell b\cell\row")) == ["| a | b |"]
    assert rows(read(rb"a\cell b\cell\row")) == ["| a | b |"]
    assert rows(read(rb"\trowd\cellx1\pard\intbl a\cell b")) == ["| a | b |"]
    assert pieces(read(rb"\trowd\cellx1\pard\intbl a\cell\pard b")) == ["| a |\n| --- |", "b"]


NESTED = (
    rb"\trowd\cellx5000\cellx9000\pard\intbl outer \par\pard\intbl\itap2 x\nestcell y\nestcell"
    rb"{\*\nesttableprops\trowd\cellx100\cellx200\nestrow}{\nonesttables\par}"
    rb"\pard\intbl\itap1 more\cell last\cell\row\pard"
)


@pytest.mark.parametrize(
    "table", [rb"\intbl\itap2 cell\nestcell\nestrow\itap1\cell\row\pard ", b"\\intbl\\\np\\itap5 in"]
)
def test_a_nested_table_in_a_header_has_no_place(table: bytes) -> None:
    document = read(rb"{\header " + table + b"}text")
    assert [notice.locator for notice in document.notices if notice.code == "nested-table"] == [None]


def test_a_nested_table_follows_the_one_it_is_in() -> None:
    document = read(NESTED)
    assert rows(document) == ["| outer<br>more | last |", "| x | y |"]
    assert ("nested-table", 1) in codes(document)
    assert len({block.group for block in document.blocks}) == 2


def test_a_table_at_a_level_that_was_skipped_is_kept() -> None:
    document = read(rb"\pard\intbl\itap5 deep\nestcell{\*\nesttableprops\nestrow}\pard\intbl out\cell\row")
    assert rows(document) == ["| out |", "| deep |"]


def test_empty_cells_cost_nothing_and_the_others_count() -> None:
    limits = Limits(table_cells=3)
    assert rows(read(row(b"a", b"", b"", b"", b"b"), limits)) == ["| a | b |"]
    with pytest.raises(Refusal) as refused:
        read(row(b"a", b"b", b"c", b"d"), limits)
    assert refused.value.code == "table-cells"


# ---- what is beside the text ---------------------------------------------------------------------------


def test_headers_stand_before_their_section_and_footers_behind() -> None:
    document = read(rb"{\footer foot}{\headerf first}{\header head}\titlepg one\par two\sect{\header second}three\par")
    assert pieces(document) == ["first", "head", "one", "two", "foot", "second", "three"]
    assert pieces(document, role="header") == ["first", "head", "second"]
    assert pieces(document, role="footer") == ["foot"]
    assert all(block.visible for block in document.blocks)


def test_a_section_that_starts_anew_has_no_first_page_of_its_own() -> None:
    document = read(rb"\sectd\titlepg{\headerf first}one\par\sect\sectd{\headerf unseen}two\par")
    assert pieces(document) == ["first", "one", "unseen", "two"]
    assert pieces(document, visible=False) == ["unseen"]


def test_a_first_page_that_is_like_the_others_does_not_show_its_header() -> None:
    document = read(rb"{\headerf first}{\header head}one\par")
    assert pieces(document, visible=False) == ["first"]
    assert document.visible_text == "head\n\none"


def test_notes_follow_the_paragraph_that_they_stand_in() -> None:
    document = read(
        rb"a{\super\chftn}{\footnote\pard\plain{\super\chftn} the note\par more}b\par c{\footnote\ftnalt end}\par d"
    )
    assert pieces(document) == ["ab", "the note\nmore", "c", "end", "d"]
    assert pieces(document, role="note") == ["the note\nmore", "end"]
    assert document.blocks[1].locator == Locator(paragraph=1)


def test_comments_have_their_author() -> None:
    document = read(
        rb"a{\*\atnid JD}{\*\atnauthor Jo Doe}\chatn{\*\annotation{\*\atndate 123}{\*\atnref 1}\pard why?}b\par"
        rb"{\*\annotation nobody}c"
    )
    assert pieces(document) == ["ab", "Jo Doe: why?", "c", "nobody"]
    assert pieces(document, role="comment") == ["Jo Doe: why?", "nobody"]


def test_a_text_box_is_read_once() -> None:
    document = read(
        rb"a{\shp{\*\shpinst{\sp{\sn name}{\sv value}}{\shptxt\pard box\par}}{\shprslt{\*\do{\dptxbxtext\pard box\par}}}}b\par c"
    )
    assert pieces(document) == ["ab", "box", "c"]
    assert pieces(read(rb"a{\do{\dptxbxtext\pard old\par}}\par")) == ["a", "old"]


def test_pictures_and_objects_are_said_and_their_data_is_not_text() -> None:
    document = read(
        rb"a{\*\shppict{\pict\pngblip 89504e47}}{\nonshppict{\pict 0102}}"
        rb"{\object\objemb{\*\objclass Word}{\*\objdata 0105}{\result shown{\pict 01}}}{\sp{\sn p}{\sv{\pict 01}}}b"
    )
    assert document.text == "ashownb"
    assert sorted(codes(document)) == [("image-not-read", 3), ("object-not-read", 1)]


# ---- fields ------------------------------------------------------------------------------------------------


def link_texts(document: Document) -> list[tuple[str, str]]:
    return [(document.text[link.start : link.end], link.target) for link in document.links]


def test_links_are_spans_over_the_result() -> None:
    document = read(
        rb'see {\field{\*\fldinst HYPERLINK "https://a.example/?q=1"}{\fldrslt\ul the\par place}} and {\field{\*\fldinst{HYPERLINK \\l "mark"}}{\fldrslt there}}.'
    )
    assert pieces(document) == ["see the", "place and there."]
    target = "https://a.example/?q=1"
    assert link_texts(document) == [("the", target), ("place", target), ("there", "#mark")]


def test_links_to_the_machine_are_dropped_and_said() -> None:
    document = read(rb'{\field{\*\fldinst HYPERLINK "file:///etc/passwd"}{\fldrslt a}}')
    assert document.links == ()
    assert codes(document) == [("link-dropped", None)]


def test_links_in_cells_and_notes() -> None:
    link = rb'{\field{\*\fldinst HYPERLINK "http://a.example"}{\fldrslt go}}'
    assert link_texts(read(row(b"x | y " + link, b"b"))) == [("go", "http://a.example")]
    assert link_texts(read(rb"a{\footnote b " + link + b"}")) == [("go", "http://a.example")]


@pytest.mark.parametrize(
    ("field", "text"),
    [
        (rb"{\field{\*\fldinst PAGE}{\fldrslt 7}}", "7"),
        (rb'{\field{\*\fldinst SYMBOL 183 \\f "Symbol" \\s 10}{\fldrslt}}', "•"),
        (rb'{\field{\*\fldinst SYMBOL 183 \\f "Symbol"}{\fldrslt\f3\'b7}}', "•"),
        (rb"{\field{\*\fldinst FORMCHECKBOX {\*\formfield{\fftype1\ffres1}}}{\fldrslt}}", "☒"),
        (rb"{\field{\*\fldinst FORMCHECKBOX {\*\formfield{\fftype1\ffres25\ffdefres0}}}{\fldrslt}}", "☐"),
        (
            rb"{\field{\*\fldinst FORMDROPDOWN {\*\formfield{\fftype2\ffres1{\*\ffl one}{\*\ffl two}}}}{\fldrslt}}",
            "two",
        ),
        (rb"{\field{\*\fldinst IF {\field{\*\fldinst PAGE}{\fldrslt 1}} = 1}{\fldrslt yes}}", "yes"),
        (rb"{\fldinst no}{\fldrslt yes}", "yes"),
    ],
)
def test_a_field_is_what_it_shows(field: bytes, text: str) -> None:
    assert read(field).text == text


# ---- what is not seen ------------------------------------------------------------------------------------------


def test_hidden_and_deleted_text_stands_behind_its_paragraph() -> None:
    document = read(rb"a{\v secret}b\v  more\v0{\deleted gone}c{\plain\v x\plain y}\par d{\revised new}\par")
    assert pieces(document) == ["abcy", "secret", "more", "gone", "x", "dnew"]
    assert pieces(document, visible=False) == ["secret", "more", "gone", "x"]
    assert document.visible_text == "abcy\n\ndnew"
    assert sorted(codes(document)) == [("deleted-text", 1), ("hidden-text", 3)]


COLORS = rb"{\colortbl;\red0\green0\blue0;\red255\green255\blue255;\red254\green255\blue255;}"


@pytest.mark.parametrize(
    "body",
    [
        rb"seen{\cf2 unseen}\par",
        rb"seen\cf2 unseen\cf0\par",
        rb"seen\cf2 unseen\plain\par",
        rb"seen{\fs2 unseen}\par",
        rb"seen\fs1\cf2\highlight1 unseen\fs24\cf1\par",
        rb"\pard\cbpat0 seen\cf2\highlight0 unseen\par",
    ],
)
def test_white_and_tiny_text_is_not_seen(body: bytes) -> None:
    document = read(COLORS + body)
    assert (pieces(document, visible=True), pieces(document, visible=False)) == (["seen"], ["unseen"])
    assert codes(document) == [("hidden-text", 1)]


@pytest.mark.parametrize(
    "body",
    [
        rb"{\cf3 seen}\par",
        rb"{\cf1 seen}\par",
        rb"{\cf9 seen}\par",
        rb"{\fs3 seen}\par",
        rb"{\fs seen}\par",
        rb"{\fs0 seen}\par",
        rb"\cf2\highlight1 seen\par",
        rb"\cf2\chcbpat1 seen\par",
        rb"\cf2\outl seen\par",
        rb"\pard\cbpat1\cf2 seen\par",
        rb"\pard\shading2000\cf2 seen\par",
        rb"\trowd\cellx100\pard\intbl\cf2 seen\cell\row",
        rb"a{\shp{\*\shpinst{\shptxt\cf2 seen\par}}}\par",
        rb"{\*\background{\shp}}\cf2 seen\par",
        rb"{\shp{\*\shpinst\shpfblwtxt1}}\cf2 seen\par",
    ],
)
def test_text_that_may_be_seen_is_seen(body: bytes) -> None:
    document = read(COLORS + body)
    assert "seen" in document.visible_text
    assert "hidden-text" not in dict(codes(document))


def test_hidden_text_in_a_cell_and_hidden_notes_are_invisible() -> None:
    document = read(row(rb"a{\v secret}", b"b") + rb"\pard c{\v{\footnote note}}\par")
    assert pieces(document, visible=False) == ["secret", "note"]


# ---- metadata ----------------------------------------------------------------------------------------------------


def test_the_information_group() -> None:
    document = read(
        rb"{\info{\title\f1 \u8364? price}{\author Ren\'e9}{\keywords a, b}{\subject s}{\doccomm c}{\comment ignored}"
        rb"{\creatim\yr2024\mo2\dy29\hr13\min5}{\revtim\yr2023\mo2\dy29}{\nofpages3}{\nofwords0}}"
        rb"{\*\generator Riched20 10.0;}text"
    )
    assert document.text == "text"
    assert document.title == "€ price"
    assert document.metadata == {
        "author": "René",
        "keywords": "a, b",
        "subject": "s",
        "x-comments": "c",
        "created": "2024-02-29T13:05:00",
        "pages": "3",
        "generator": "Riched20 10.0",
    }


def test_mail_in_html_that_was_wrapped_reads_as_its_text() -> None:
    """MS-OXRTFEX: what shows in RTF stands outside of the tags, between `htmlrtf` marks where HTML has it otherwise."""
    document = read(
        rb"{\*\htmltag64 <p>}{\*\htmltag84 &nbsp;}\htmlrtf \'a0\htmlrtf0 Hello{\*\htmltag84 <b>}\htmlrtf {\b\htmlrtf0 you"
        rb"\htmlrtf }\htmlrtf0 {\*\htmltag72 </p>}\htmlrtf\par\htmlrtf0 bye",
        head=rb"\rtf1\ansi\ansicpg1252\fromhtml1",
    )
    assert pieces(document) == ["\u00a0Helloyou", "bye"]


def test_a_formula_keeps_its_text() -> None:
    assert read(
        rb"a {\mmath{\*\moMath{\mf{\mfPr{\mtype x}}{\mnum{\mr 1}}{\mden{\mr 2}}}}{\mmathPict{\pict 00}}} b"
    ).text == ("a 12 b")


# ---- what is broken --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"plain text", b"{\\urtf1 a}", b"PK\x03\x04", b"%PDF-1.4", b"{\\rt f}"])
def test_what_is_no_rtf_is_refused(data: bytes) -> None:
    with pytest.raises(Refusal) as refused:
        read_in_process(RTF, data)
    assert refused.value.code == "kind-mismatch"


@pytest.mark.parametrize("data", [rb"{\rtf1 a}", b"\xef\xbb\xbf{\\rtf1 a}", b" \r\n{\\rtf1 a}\0\r\n", b"{\n\\rtf1 a}"])
def test_what_is_around_the_document_does_not_matter(data: bytes) -> None:
    document = read_in_process(RTF, data)
    assert (document.text, document.notices) == ("a", ())


@pytest.mark.parametrize(
    ("data", "text", "detail"),
    [
        (rb"{\rtf1 a{\b b", "ab", "nesting"),
        (rb"{\rtf1 a}b", "a", "trailer"),
        (rb"{\rtf1 a\bin2000000000 b}", "a", "stream"),
        (rb"{\rtf1 a{\upr{b}}c}", "ac", "control"),
    ],
)
def test_what_is_broken_is_read_as_far_as_it_goes_and_said(data: bytes, text: str, detail: str) -> None:
    document = read_in_process(RTF, data)
    assert document.text == text
    assert ("repaired", detail) in codes(document)


def test_text_in_one_group_with_several_destinations_is_not_lost() -> None:
    assert sorted(pieces(read(rb"{\header\field h}a{\footnote\fldrslt n}"))) == ["a", "h", "n"]


@pytest.mark.parametrize("body", [rb"{" * 300, rb"{\*\x" + b"{" * 300, rb"{\pict" + b"{" * 300, rb"{\upr" * 300])
def test_depth_is_bounded_in_what_is_skipped_too(body: bytes) -> None:
    with pytest.raises(Refusal) as refused:
        read(body)
    assert (refused.value.code, refused.value.limit) == ("nesting", "nesting")


def test_groups_are_counted() -> None:
    with pytest.raises(Refusal) as refused:
        read(b"{}" * 2_000, Limits(nodes=1_000))
    assert refused.value.code == "nodes"


ALPHABET = st.sampled_from(
    rb"{ } \par \cell \row \trowd \cellx9 \intbl \itap2 \nestcell \nestrow {\*\x {\footnote {\field {\*\fldinst {\fldrslt {\header "
    rb"{\listtext \f1 \f2 \f3 \plain \pard \v \v0 \deleted \'e9 \'83 \u8364 \u-10179 \u-8704 \uc0 \uc2 \bin3 {\pict {\upr {\*\ud a "
    rb"{\shptxt {\info {\title {\fonttbl {\stylesheet {\object {\result \s1 \ls1 \sect \page \~ \\ \{ x1 HYPERLINK {\annotation".split(
        b" "
    )
)


@settings(max_examples=150, deadline=None)
@given(st.lists(ALPHABET, max_size=60))
def test_any_sequence_of_words_ends_in_a_document_or_a_refusal(tokens: list[bytes]) -> None:
    def outcome() -> Document | str:
        try:
            return read(b" ".join(tokens))
        except Refusal as refused:
            return refused.code

    assert outcome() == outcome()


@settings(max_examples=50, deadline=None)
@given(st.text(st.characters(exclude_categories=("Cc", "Cs", "Co", "Zl", "Zp")), max_size=50))
def test_any_text_is_read_back_from_its_escapes(text: str) -> None:
    units = memoryview(text.encode("utf-16-le")).cast("H")
    escaped = b"".join(rb"\u%d?" % (unit - 0x10000 if unit >= 0x8000 else unit) for unit in units)
    found = read(b"x" + escaped + b"x").text
    assert found == f"x{text}x"
