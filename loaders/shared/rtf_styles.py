"""The style sheet of RTF, as far as it says what a paragraph is (RTF 1.9.1, "Style Sheet").

A paragraph repeats what its style says of its looks, so only the meaning is taken from here.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.rtf_tokens import BRACE, TEXT, TOKEN, WORDS, words
from fumehood.loaders.shared.word_styles import HEADING, ROLES, TITLE

_MAX_NAME: Final = 256
_MAX_LEVEL: Final = 8
"""Outline levels count from 0; beyond are paragraphs that are in no outline."""


class Style(NamedTuple):
    """`heading`: the level of a heading, from 1, or None; `role`: `paragraph`, `caption`, `quote` or `code`."""

    heading: int | None = None
    role: str = "paragraph"


_PLAIN: Final = Style()


def outline_heading(level: int | None) -> int | None:
    """The heading level that an outline level, from 0, stands for."""
    return level + 1 if level is not None and 0 <= level <= _MAX_LEVEL else None


class Styles:
    """Paragraph styles by number."""

    def __init__(self) -> None:
        self._styles: dict[int, Style] = {}

    def of(self, number: int) -> Style:
        return self._styles.get(number, _PLAIN)

    def read(self, group: bytes, budget: Budget) -> None:
        r"""Adds the styles of a `\stylesheet`: each a group of its own, the first of a number counts."""
        number, outline, name = 0, None, b""
        is_paragraph = True
        depth = 0
        for token in TOKEN.finditer(group):
            kind = token.lastindex
            if kind == BRACE:
                opens = token[BRACE] == b"{"
                depth += 1 if opens else -1
                if depth == 1 and opens:
                    number, outline, name, is_paragraph = 0, None, b"", True
                elif depth == 0 and not opens and is_paragraph:
                    budget.spend("nodes")
                    self._styles.setdefault(number, _style(name, outline))
            elif kind == WORDS and depth == 1:
                for word, value in words(token[WORDS]):
                    if word == b"s":
                        number = value or 0
                    elif word == b"outlinelevel":
                        outline = value
                    elif word in (b"cs", b"ds", b"ts"):
                        is_paragraph = False
            elif kind == TEXT and depth == 1 and len(name) < _MAX_NAME:
                name += token[TEXT][:_MAX_NAME]


def _style(name: bytes, outline: int | None) -> Style:
    plain = name[:_MAX_NAME].partition(b";")[0].decode("latin-1").strip().lower()
    heading = outline_heading(outline)
    if heading is None and outline is None:
        named = HEADING.fullmatch(plain)
        heading = int(named[1]) if named else 1 if plain == TITLE else None
    return Style(heading, ROLES.get(plain, "paragraph"))
