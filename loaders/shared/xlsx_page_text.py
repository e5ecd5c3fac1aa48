"""Headers and footers of sheets (ECMA-376 part 1, 18.3.1.46): the text between their codes."""

from __future__ import annotations

import re
from typing import Final

_CODE: Final = re.compile(
    r"""
      &(?P<escaped>&)
    | &(?P<section>[LCR])
    | &"[^"]*"
    | &K(?:[0-9A-F]{6}|[0-9]{2}[+-][0-9]{3})
    | &[0-9]{1,3}
    | &(?P<sheet>A)
    | &[A-Z]
    """,
    re.VERBOSE | re.IGNORECASE,
)


def page_text(code: str, sheet: str) -> str:
    """What is written left, in the middle and right, a line each, with the sheet's name where it is asked for.

    Numbers of pages, dates and paths are those of a printout, and stand for nothing here.
    """
    pieces: list[str] = []
    at = 0
    for match in _CODE.finditer(code):
        pieces.append(code[at : match.start()])
        at = match.end()
        if match["escaped"]:
            pieces.append("&")
        elif match["section"]:
            pieces.append("\n")
        elif match["sheet"]:
            pieces.append(sheet)
    pieces.append(code[at:])
    return "".join(pieces).strip()
