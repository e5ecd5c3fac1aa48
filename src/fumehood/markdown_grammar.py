"""What the marks of Markdown's blocks look like: expressions for one line, and what they cannot say.

Numbers are sections of CommonMark 0.31 where nothing else is named. Every quantifier that could make a longer line
backtrack is possessive or bounded, so that a match takes time in proportion to what it passes.
"""

from __future__ import annotations

import re
from typing import Final

SPACES: Final = re.compile(r"[ \t]*+")
ATX: Final = re.compile(r"(#{1,6})(?:[ \t]|$)")
ATX_CLOSING: Final = re.compile(r"(?:^|(?<=[ \t]))#+$")
SETEXT: Final = re.compile(r"(?:=++|-++)[ \t]*+$")
FENCE: Final = re.compile(r"(`{3,}+)[^`\n]*+$|(~{3,}+)")
FENCE_CLOSING: Final = re.compile(r"(`{3,}+|~{3,}+)[ \t]*+$")
BULLET: Final = re.compile(r"[-+*](?=[ \t]|$)")
ORDERED: Final = re.compile(r"([0-9]{1,9})[.)](?=[ \t]|$)")
FOOTNOTE: Final = re.compile(r"\[\^[^\]\s]{1,200}\]:")
DELIMITER_ROW: Final = re.compile(r"\|?+[ \t]*+:?+-++:?+[ \t]*+(?:\|[ \t]*+:?+-++:?+[ \t]*+)*+\|?+[ \t]*+$")
_CELL_BORDER: Final = re.compile(r"\\.|(\|)")

# CommonMark 4.6, start conditions 1 to 6, and 7: one complete tag (6.6) alone on its line.
_BLOCK_TAGS: Final = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|"
    "dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|"
    "legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|"
    "tbody|td|tfoot|th|thead|title|tr|track|ul"
)
HTML_START: Final = re.compile(
    rf"""<(?:
      (?P<raw>script|pre|style|textarea)(?=[ \t>]|$)
    | (?P<comment>!--)
    | (?P<instruction>\?)
    | (?P<declaration>![A-Za-z])
    | (?P<cdata>!\[CDATA\[)
    | (?P<block>/?(?:{_BLOCK_TAGS}))(?=[ \t]|/?>|$)
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_ATTRIBUTE: Final = r"[ \t]++[A-Za-z_:][\w.:-]*+(?:[ \t]*+=[ \t]*+(?:[^\s\"'=<>`]++|'[^'\n]*+'|\"[^\"\n]*+\"))?+"
HTML_TAG_ALONE: Final = re.compile(
    rf"<(?:[A-Za-z][A-Za-z0-9-]*+(?:{_ATTRIBUTE})*+[ \t]*+/?>|/[A-Za-z][A-Za-z0-9-]*+[ \t]*+>)[ \t]*+$", re.ASCII
)
HTML_ENDS: Final = {
    "raw": re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE),
    "comment": re.compile("-->"),
    "instruction": re.compile(r"\?>"),
    "declaration": re.compile(">"),
    "cdata": re.compile(r"\]\]>"),
}
HTML_HIDDEN: Final = re.compile(
    r"<(?:script|style|template|[?!](?!\[CDATA\[))|<[a-z][^>]{0,1000}?[ \t](?:hidden(?=[ \t/>=])"
    r"|style[ \t]*=[ \t]*[\"'][^\"'>]{0,1000}?display[ \t]*:[ \t]*none)",
    re.IGNORECASE,
)

# CommonMark 4.7, over a paragraph's lines without their indentation and container marks.
DEFINITION: Final = re.compile(
    r"""
    \[(?P<label>(?:[^\[\]\\]|\\.){1,999}+)\]:[ \t]*+\n?+[ \t]*+
    (?P<destination><(?:[^<>\\\n]|\\.)*+>|[^\s<]\S*+)
    (?:(?:[ \t]*+\n[ \t]*+|[ \t]++)(?:"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\)))?
    [ \t]*+(?:\n|$)
    """,
    re.VERBOSE | re.DOTALL,
)


def reference_label(label: str) -> str:
    """A link label as labels are compared (CommonMark 4.7): white space collapsed, case folded."""
    return " ".join(label.split()).casefold()


def heading_source(block: str) -> str:
    """What a heading's block says, without its marks, on one line: `# C# #` gives `C#` (CommonMark 4.2, 4.3)."""
    if ATX.match(block):
        return ATX_CLOSING.sub("", block.lstrip("#").strip(" \t")).rstrip(" \t")
    lines = block.split("\n")
    return " ".join(line.strip() for line in (lines[:-1] if len(lines) > 1 else lines))


def cells(row: str) -> int:
    """How many cells a table's row has; pipes at its ends are borders, escaped ones are text."""
    borders = sum(1 for match in _CELL_BORDER.finditer(row) if match[1])
    ends_with_border = row.endswith("|") and (len(row) - len(row[:-1].rstrip("\\"))) % 2 == 1
    return borders + 1 - row.startswith("|") - (ends_with_border and len(row) > 1)


def is_definition(match: re.Match[str]) -> bool:
    """What the expression cannot say: the label has text, and parentheses in a bare destination are balanced (6.3)."""
    destination = match["destination"]
    if destination[0] != "<":
        bare = re.sub(r"\\.", "", destination)
        if bare.count("(") != bare.count(")"):
            return False
    return bool(match["label"].strip())
