"""Text with the links in it, before it is a block."""

from __future__ import annotations

from collections.abc import Sequence

from fumehood.loaders.shared.builder import LinkSpan

Line = tuple[str, list[LinkSpan]]
"""Text with the links in it."""


def joined(lines: Sequence[Line]) -> Line:
    """Lines of text as one, with newlines between them."""
    if len(lines) == 1:
        return lines[0]
    links: list[LinkSpan] = []
    length = 0
    for text, inside in lines:
        links += [(start + length, end + length, target) for start, end, target in inside]
        length += len(text) + 1
    return "\n".join(text for text, _ in lines), links


def behind(prefix: str, line: Line) -> Line:
    """`line` with `prefix` in front of it."""
    text, links = line
    shift = len(prefix)
    return prefix + text, [(start + shift, end + shift, target) for start, end, target in links]
