"""The lines that open and close a fenced code block (CommonMark 0.31, 4.5), in quotes and lists too."""

from __future__ import annotations

import re
from typing import Final

from fumehood.document import Block

_OPENING: Final = re.compile(r"(?P<before>[ \t]*(?:>[ \t]?)*[ \t]*)(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)")
_MAX_INFO: Final = 60
"""Of what follows the fence, which names the language; the rest is not repeated."""
_MAX_FENCE: Final = 200
"""Characters of a fence that is repeated with every piece; a longer one is no honest one."""


def fence_lines(text: str, block: Block) -> tuple[str, str] | None:
    """What opens and what closes `block`; None if it is not fenced."""
    match = _OPENING.match(text, block.start, min(block.end, block.start + 4 * _MAX_FENCE))
    if match is None or len(match["before"]) + len(match["fence"]) > _MAX_FENCE:
        return None
    before, fence = match["before"], match["fence"]
    return f"{before}{fence}{match['info'][:_MAX_INFO].rstrip()}", f"{before}{fence}"


def is_closed(text: str, block: Block) -> bool:
    """Whether the last line of a fenced block closes it; at the end of a document it need not."""
    match = _OPENING.match(text, block.start, min(block.end, block.start + 4 * _MAX_FENCE))
    last = text.rfind("\n", block.start, block.end)
    if match is None or last < 0 or block.end - last > 4 * _MAX_FENCE:
        return False
    line = text[last + 1 : block.end].lstrip(" \t>").rstrip(" \t")
    return len(line) >= len(match["fence"]) and not line.strip(match["fence"][0])
