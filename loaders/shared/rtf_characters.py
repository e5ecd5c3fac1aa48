"""Control words and symbols of RTF that are characters (RTF 1.9.1, "Special Characters")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

CHARACTERS: Final[Mapping[bytes, str]] = {
    b"tab": "\t",
    b"line": "\n",
    b"lbr": "\n",
    # A page or column that ends within a paragraph ends its line.
    b"page": "\n",
    b"column": "\n",
    b"emdash": "\u2014",
    b"endash": "\u2013",
    b"emspace": "\u2003",
    b"enspace": "\u2002",
    b"qmspace": "\u2005",
    b"bullet": "\u2022",
    b"lquote": "\u2018",
    b"rquote": "\u2019",
    b"ldblquote": "\u201c",
    b"rdblquote": "\u201d",
    b"zwj": "\u200d",
    b"zwnj": "\u200c",
    b"ltrmark": "\u200e",
    b"rtlmark": "\u200f",
}

SYMBOLS: Final[Mapping[bytes, str]] = {
    b"~": "\N{NO-BREAK SPACE}",
    b"_": "\N{NON-BREAKING HYPHEN}",
    b"\t": "\t",
}
"""Without `\\-`, where a word may be broken: no character of the text."""

PARAGRAPH_ENDS: Final = (b"\n", b"\r")
"""Control symbols that are the same as `\\par`."""
