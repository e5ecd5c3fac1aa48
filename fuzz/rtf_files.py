"""Writes RTF (Microsoft's RTF 1.9.1): a document with two fonts and a style around whatever its body says."""

from __future__ import annotations

HEAD = (
    rb"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}{\f2\fcharset128 C;}{\f3\fcharset2 Symbol;}}"
    rb"{\stylesheet{\s1\outlinelevel0 heading 1;}}"
)

WORDS: tuple[bytes, ...] = (
    *(
        rb"\par",
        rb"\pard",
        rb"\plain",
        rb"\sect",
        rb"\page",
        rb"\line",
        rb"\tab",
        rb"\f1",
        rb"\f2",
        rb"\f3",
        rb"\s1",
        rb"\ls1",
    ),
    *(
        rb"\v",
        rb"\v0",
        rb"\deleted",
        rb"\uc0",
        rb"\uc2",
        rb"\outlinelevel1",
        rb"\titlepg",
        rb"\ansicpg1251",
        rb"\deff1",
    ),
    *(
        rb"\trowd",
        rb"\cellx1000",
        rb"\cellx2000",
        rb"\intbl",
        rb"\itap2",
        rb"\cell",
        rb"\row",
        rb"\nestcell",
        rb"\nestrow",
    ),
    *(
        rb"\'e9",
        rb"\'82\'a0",
        rb"\'82",
        rb"\u8364?",
        rb"\u-10179?\u-8704?",
        rb"\u-3913?",
        rb"\~",
        rb"\_",
        rb"\{",
        rb"\\",
        rb"\emdash",
    ),
    *(b"text", b"# x", b"|", b"\xe9", b"\0", b"\r\n"),
)
"""What may stand anywhere in the text."""

GROUPS: tuple[bytes, ...] = (
    *(
        b"",
        rb"\b",
        rb"\footnote",
        rb"\header",
        rb"\footerf",
        rb"\listtext",
        rb"\field",
        rb"\*\fldinst",
        rb"\fldrslt",
        rb"\pict",
    ),
    *(
        rb"\object",
        rb"\result",
        rb"\shptxt",
        rb"\info",
        rb"\title",
        rb"\*\generator",
        rb"\upr",
        rb"\*\ud",
        rb"\*\unknown",
    ),
    *(
        rb"\*\atnauthor",
        rb"\*\annotation",
        rb"\*\nesttableprops",
        rb"\nonesttables",
        rb"\fonttbl",
        rb"\stylesheet",
        rb"\creatim",
    ),
    *(rb"\*\formfield", rb"\*\ffl", rb"\mmath", rb"\xe"),
)
"""What a group may begin with."""

LINK = rb'{\field{\*\fldinst HYPERLINK "https://a.example/"}{\fldrslt link}}'


def document(body: bytes) -> bytes:
    return HEAD + body + b"}"


def group(start: bytes, body: bytes) -> bytes:
    return b"{" + start + b" " + body + b"}"


def row(*cells: bytes) -> bytes:
    """A row of a table, its cells a thousand twips wide."""
    edges = b"".join(rb"\cellx%d" % (1000 * place) for place in range(1, len(cells) + 1))
    return rb"\trowd" + edges + rb"\pard\intbl " + b"".join(cell + rb"\cell " for cell in cells) + rb"\row\pard "


RICH = document(
    rb"{\info{\title A}{\creatim\yr2026\mo1\dy2}}{\header H}\titlepg\pard\s1 One\par\pard{\listtext 1.\tab}\ls1 two \u8364?{\footnote n}\par "
    + row(b"a", rb"\f2\'82\'a0")
    + LINK
    + rb"{\v hidden}{\deleted gone}{\f3 a}{\pict 00}{\*\atnauthor X}{\*\annotation c}\par"
)
"""A document with one of most things."""
