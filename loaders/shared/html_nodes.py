"""What a node of the tree says of itself and holds."""

from __future__ import annotations

import re
from typing import Any, Final

from fumehood.loaders.shared.html_names import BLOCKS

_LANGUAGE: Final = re.compile(r"(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s?|sourceCode\s+)([\w+#.]{1,30})")
_NEAR: Final = 16
_NOTES: Final = re.compile(r"\b(?:doc-)?(?:footnote|endnote|rearnote)\b")


def text_of(node: Any) -> str:
    """All text below `node`, and what stands for its images, with the white space of the source."""
    pieces: list[str] = []
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if node.name == "#text":
            pieces.append(node.data)
        elif node.name == "img":
            pieces.append((node.attrs or {}).get("alt") or "")
        elif node.children:
            waiting.extend(reversed(node.children))
    return "".join(pieces)


def content(node: Any) -> str:
    """The text right in `node`, all of what a raw text element has."""
    return "".join(child.data for child in node.children or () if child.name == "#text")


def is_in_paragraph(node: Any) -> bool:
    """Whether the block element around `node` is a paragraph, as far as that is near."""
    for _ in range(_NEAR):
        node = node.parent
        if node is None or node.name in BLOCKS:
            return node is not None and node.name == "p"
    return False


def is_note(node: Any) -> bool:
    """Whether `node` says that it is a footnote or endnote (EPUB 3.3, 9.4.1; DPub-ARIA 1.1)."""
    attributes = node.attrs
    if not attributes:
        return False
    said = attributes.get("epub:type") or attributes.get("role")
    return bool(said) and _NOTES.search(said) is not None


def code_language(node: Any) -> str:
    """What a class says of the language, on the element or the `code` in it (4.5.15)."""
    inner = next((child for child in node.children or () if child.name == "code"), None)
    for element in (inner, node):
        attributes = (element.attrs or {}) if element is not None else {}
        found = _LANGUAGE.search(attributes.get("class") or "")
        language = attributes.get("data-lang") or attributes.get("data-language") or (found[1] if found else "")
        if language:
            return str(language)
    return ""
