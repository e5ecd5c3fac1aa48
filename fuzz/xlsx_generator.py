"""A Hypothesis strategy that writes workbooks (ECMA-376 part 1, 18) from their grammar, and lets them lie in places."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from fumehood.fuzz.archives import Entry, entry
from fumehood.fuzz.xlsx_files import relationships, strings, styles, workbook, worksheet, xlsx

_REFERENCES: Final = ("A1", "B2", "XFD1048576", "AAAAAAA1", "C", "7", "", "a1", "A0", "B1:D9", "A1:XFD1048576")
_VALUES: Final = (
    "1",
    "45365.75",
    "-1",
    "1e400",
    "nan",
    "",
    "0",
    "7",
    "text",
    "&amp;",
    "&#x41;",
    "&lt;b&gt;",
    "2024-03-14",
    " ",
)
_TYPES: Final = ("s", "n", "b", "e", "str", "inlineStr", "d", "x")
_CODES: Final = (
    b"General",
    b"0.00",
    b"#,##0;[Red]-#,##0",
    b"yyyy-mm-dd",
    b"[h]:mm:ss",
    b"# ?/?",
    b"0.0E+0",
    b";;;",
    b"&quot;a&quot;@",
    b"[&gt;=9]0,;[$-411]ggge",
    b"[",
    b"",
)
_AFTER: Final = (
    "mergeCell",
    "hyperlink",
    "col",
    "table",
    "comment",
    "threadedComment",
)


def _attribute(name: str, values: tuple[str, ...]) -> SearchStrategy[str]:
    return st.one_of(st.just(""), st.sampled_from(values).map(lambda value: f' {name}="{value}"'))


def _cells() -> SearchStrategy[str]:
    value = st.sampled_from(_VALUES)
    content = st.one_of(
        value.map("<v>{}</v>".format),
        value.map("<is><t>{}</t></is>".format),
        value.map("<is><r><t>{}</t></r><rPh><t>x</t></rPh></is>".format),
        value.map('<f>HYPERLINK("http://a","b")</f><v>{}</v>'.format),
        st.sampled_from(["", "<f>1</f>", "<v/>", "<!-- c -->", "<v>1</v><v>2</v>", "<![CDATA[x]]>"]),
    )
    return st.builds(
        "<c{}{}{}>{}</c>".format,
        _attribute("r", _REFERENCES),
        _attribute("s", ("0", "1", "5", "99999999999", "-1")),
        _attribute("t", _TYPES),
        content,
    )


def _rows() -> SearchStrategy[str]:
    attributes = st.sampled_from(["", ' r="1"', ' r="3" hidden="1"', ' r="99999999"', ' r="-1"', ' spans="1:2"'])
    return st.builds("<row{}>{}</row>".format, attributes, st.lists(_cells(), max_size=5).map("".join))


def _around() -> SearchStrategy[str]:
    return st.builds(
        '<{} ref="{}" min="1" max="{}" hidden="1" r:id="rId1" location="A 1" xmlns:r="urn:r"/>'.format,
        st.sampled_from(_AFTER),
        st.sampled_from(_REFERENCES),
        st.sampled_from(["1", "3", "99999999", "x"]),
    )


def _others() -> SearchStrategy[list[Entry]]:
    """The sheet's own relationships, some to itself."""
    kinds = ("comments", "table", "drawing", "hyperlink", "worksheet")
    arrow = st.tuples(
        st.sampled_from(kinds), st.sampled_from(["sheet.xml", "strings.xml", "nowhere.xml", "../..", "#A1"])
    )
    return st.lists(arrow, max_size=3).map(lambda arrows: [entry("xl/_rels/sheet.xml.rels", relationships(*arrows))])


def workbooks() -> SearchStrategy[bytes]:
    """Packages of one sheet, listed once or more often."""
    sheet = st.builds(
        lambda rows, after: worksheet("".join(rows).encode(), "".join(after).encode()),
        st.lists(_rows(), max_size=5),
        st.lists(_around(), max_size=3),
    )
    cut = st.sampled_from([0, 0, 0, 0, 0, 9, 30])
    return st.builds(
        lambda part, lost, codes, texts, sheets, others: xlsx(
            part[: len(part) - lost], strings(*texts), styles(*codes), workbook(sheets, same=True), others
        ),
        sheet,
        cut,
        st.lists(st.sampled_from(_CODES), max_size=4),
        st.lists(st.sampled_from([b"a", b"_x0041_", b"", b"caf\xc3\xa9", b"a&#10;b", b"|"]), max_size=4),
        st.sampled_from([1, 1, 1, 0, 3]),
        _others(),
    )
