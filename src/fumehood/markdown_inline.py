"""Links, images and comments in the text of a Markdown block: CommonMark 0.31 section 6, and GitHub's bare addresses.

Emphasis is left alone: the text is the source. One pass over the block with a stack of open brackets, whose
work grows with the block's length: an attempt that fails is not made again further on (runs of backticks
and the ends of comments are looked up, destinations nest three deep).
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple

from fumehood.markdown_grammar import heading_source, reference_label

MAX_TARGET: Final = 4_096


MAX_OPEN: Final = 2_000
"""Brackets open at once; honest text has fewer than ten."""


class Mark(NamedTuple):
    """`text[start:end]` is the label of a link, the description of an image, or a comment with its delimiters.

    `target` is the destination with entities and escapes decoded; empty for a comment.
    """

    kind: Literal["link", "image", "comment"]
    start: int
    end: int
    target: str


def marks(text: str, start: int, end: int, references: Mapping[str, str]) -> Iterator[Mark]:
    """The links, images and comments of the block `text[start:end]`, in the order of their ends.

    `references` maps normalised labels to destinations, as :func:`fumehood.markdown.scan` fills it.
    """
    return _Reader(text, start, end, references).marks() if has_marks(text, start, end) else iter(())


def has_marks(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` shows any sign of a link, an image or a comment. Fast."""
    return _SIGN.search(text, start, end) is not None


def plain(text: str) -> str:
    """One line of Markdown as people read it: links as their labels, no emphasis, no escapes, entities decoded."""
    for _ in range(2):  # an image in a link
        text = _LINK.sub(r"\1", text)
    text = _TAG.sub("", _without_comments(text))
    text = _EMPHASIS.sub("", text)
    return html.unescape(_ESCAPE.sub(r"\1", text)).strip()


def _without_comments(text: str) -> str:
    """`text` without its HTML comments (6.6). By search and not by a pattern, which looks for the end anew at each start."""
    kept: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 2)) >= 0:
        kept.append(text[at:start])
        at = end + len("-->")
    return "".join(kept) + text[at:]


def heading_text(block: str) -> str:
    """A heading's block as a title, as :func:`plain` makes it; the first 4,000 characters are looked at."""
    return plain(heading_source(block[:4_000]))


_ASCII_PUNCTUATION: Final = r"[!-/:-@\[-`{-~]"
_ESCAPE: Final = re.compile(rf"\\({_ASCII_PUNCTUATION})")
_SIGN: Final = re.compile(r"[\[<]|https?://")
_TOKEN: Final = re.compile(r"\\.|`++|<|!?\[|\]|(?<![A-Za-z0-9])https?://", re.DOTALL)
_TICKS: Final = re.compile(r"`++")
_URI: Final = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*+)>")
_EMAIL: Final = re.compile(
    r"<([A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,256}+@[A-Za-z0-9-]{1,63}+(?:\.[A-Za-z0-9-]{1,63}+){0,16}+)>"
)
_HTML_ATTRIBUTE: Final = r"\s++[A-Za-z_:][\w.:-]*+(?:\s*+=\s*+(?:[^\s\"'=<>`]++|'[^']*+'|\"[^\"]*+\"))?+"
_HTML_TAG: Final = re.compile(
    rf"<(?:[A-Za-z][A-Za-z0-9-]*+(?:{_HTML_ATTRIBUTE})*+\s*+/?>|/[A-Za-z][A-Za-z0-9-]*+\s*+>)", re.ASCII
)
_HTML_SECTIONS: Final = (("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"), ("<!", ">"))
_SPACE: Final = r"[ \t]*+\n?+[ \t]*+"
_NESTED: Final = r"(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*+\))*+"
_DESTINATION: Final = re.compile(
    rf"""
    \({_SPACE}
    (?:<(?P<pointed>(?:[^<>\\\n]|\\[^\n])*+)>|(?P<bare>(?:[^\s()\\<]|\\.)(?:[^\s()\\]|\\.|\({_NESTED}\))*+)|)
    (?:(?<=\s)|(?=[\s)]))
    (?:{_SPACE}(?<=\s)(?:"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\)))?
    {_SPACE}\)
    """,
    re.VERBOSE,
)
_LABEL: Final = re.compile(r"\[((?:[^\[\]\\]|\\.){0,999}+)\]", re.DOTALL)
_BARE_ADDRESS: Final = re.compile(r"https?://[A-Za-z0-9][^\s<]*+")
_TRAILING: Final = "?!.,:*_~'\";"

_LINK: Final = re.compile(
    r"!?\[([^\[\]]{0,1000})\](?:\([^()\s]{0,4096}(?:[ \t]+\"[^\"]{0,1000}\")?\)|\[[^\[\]]{0,1000}\])"
)
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]{0,1000}>")
_EMPHASIS: Final = re.compile(
    r"(?<![\\*])\*{1,3}+(?=\S)|(?<=[^\s\\*])\*{1,3}+"
    r"|(?<![\w\\])_{1,3}+(?=\S)|(?<=[^\s\\_])_{1,3}+(?!\w)"
    r"|(?<!\\)`+|(?<!\\)~~"
)


class _Opener(NamedTuple):
    """An open bracket: where its label starts, how many brackets were seen before, whether it is an image's."""

    label: int
    brackets: int
    image: bool


class _Reader:
    def __init__(self, text: str, start: int, end: int, references: Mapping[str, str]) -> None:
        self._text, self._at, self._end = text, start, end
        self._references = references
        self._openers: list[_Opener] = []
        self._brackets = 0
        self._inactive = 0  # openers below hold a link, and links hold no links (6.3)
        self._last_runs: dict[int, int] | None = None  # of backticks: where the last of each length starts
        self._unclosed: set[str] = set()

    def marks(self) -> Iterator[Mark]:
        while (token := _TOKEN.search(self._text, self._at, self._end)) is not None:
            self._at = token.end()
            mark = self._mark(token)
            if mark is not None:
                yield mark

    def _mark(self, token: re.Match[str]) -> Mark | None:
        sign = token[0]
        if sign[-1] == "[" and sign[0] != "\\":
            self._forget_openers()
            self._brackets += 1
            self._openers.append(_Opener(token.end(), self._brackets, len(sign) == 2))
        elif sign == "]":
            return self._close_bracket(token.start())
        elif sign[0] == "`":
            self._skip_code(token.start(), len(sign))
        elif sign == "<":
            return self._angle(token.start())
        elif sign[0] == "h":
            return self._bare_address(token.start())
        return None

    # ---- what binds tighter than brackets ------------------------------------------------------------

    def _skip_code(self, at: int, length: int) -> None:
        """A code span ends at the next run of as many backticks, if there is one (6.1)."""
        if self._last_runs is None:
            runs = _TICKS.finditer(self._text, at, self._end)
            self._last_runs = {run.end() - run.start(): run.start() for run in runs}
        if self._last_runs.get(length, -1) <= at:
            return
        for run in _TICKS.finditer(self._text, self._at, self._end):
            if run.end() - run.start() == length:
                self._at = run.end()
                return

    def _angle(self, at: int) -> Mark | None:
        for expression, scheme in ((_URI, ""), (_EMAIL, "mailto:")):
            address = expression.match(self._text, at, self._end)
            if address is not None:
                self._at = address.end()
                return self._link(address.start(1), address.end(1), scheme + address[1])
        tag = _HTML_TAG.match(self._text, at, self._end)
        if tag is not None:
            self._at = tag.end()
            return None
        return self._html_section(at)

    def _html_section(self, at: int) -> Mark | None:
        """A comment, instruction, CDATA section or declaration (6.6)."""
        for begin, close in _HTML_SECTIONS:
            if not self._text.startswith(begin, at):
                continue
            found = -1 if close in self._unclosed else self._text.find(close, at + 2, self._end)
            if found < 0:
                self._unclosed.add(close)
                return None
            self._at = found + len(close)
            return Mark("comment", at, self._at, "") if begin == "<!--" else None
        return None

    def _bare_address(self, at: int) -> Mark | None:
        """GFM 6.9: up to white space or `<`, without punctuation at the end and parentheses that were opened before."""
        match = None if self._openers else _BARE_ADDRESS.match(self._text, at, self._end)
        if match is None:
            return None
        address = match[0]
        surplus = address.count(")") - address.count("(")
        length = len(address)
        while address[length - 1] in _TRAILING or (address[length - 1] == ")" and surplus > 0):
            surplus -= address[length - 1] == ")"
            length -= 1
        self._at = at + length
        return self._link(at, self._at, address[:length])

    # ---- brackets ----------------------------------------------------------------------------------

    def _forget_openers(self) -> None:
        """Drops the outermost half of the open brackets once there are too many: such a text means no links by them."""
        if len(self._openers) == MAX_OPEN:
            del self._openers[: MAX_OPEN // 2]
            self._inactive = max(0, self._inactive - MAX_OPEN // 2)

    def _close_bracket(self, at: int) -> Mark | None:
        if not self._openers:
            return None
        opener = self._openers.pop()
        active = opener.image or len(self._openers) >= self._inactive
        self._inactive = min(self._inactive, len(self._openers))
        target = self._target(opener, at) if active else None
        if target is None:
            return None
        if opener.image:
            return Mark("image", opener.label, at, _decoded(target))
        self._inactive = len(self._openers)
        return self._link(opener.label, at, _decoded(target))

    def _target(self, opener: _Opener, at: int) -> str | None:
        inline = _DESTINATION.match(self._text, at + 1, self._end)
        if inline is not None:
            self._at = inline.end()
            return inline["pointed"] or inline["bare"] or ""
        if not self._references:
            return None
        named = _LABEL.match(self._text, at + 1, self._end)
        if named is not None and named[1]:
            target = self._references.get(reference_label(named[1]))
            if target is not None:
                self._at = named.end()
            return target
        if opener.brackets != self._brackets or at - opener.label > 999:
            return None
        target = self._references.get(reference_label(self._text[opener.label : at]))
        if target is not None and named is not None:
            self._at = named.end()
        return target

    def _link(self, start: int, end: int, target: str) -> Mark | None:
        return Mark("link", start, end, target) if start < end and target else None


def _decoded(destination: str) -> str:
    """Escapes and entities decoded once (CommonMark 2.4, 2.5); cut where no target could be so long."""
    if destination.startswith("<") and destination.endswith(">"):
        destination = destination[1:-1]
    return html.unescape(_ESCAPE.sub(r"\1", destination[: MAX_TARGET + 1]))
