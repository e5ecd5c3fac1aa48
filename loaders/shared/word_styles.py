"""Word's built-in styles, whose names are the same in every language (ECMA-376 part 1, 17.7.4.9), in docx and rtf."""

from __future__ import annotations

import re
from typing import Final

HEADING: Final = re.compile(r"heading\s*([1-9])", re.IGNORECASE)
"""Its group is the level."""

TITLE: Final = "title"

ROLES: Final = {
    "caption": "caption",
    "quote": "quote",
    "intense quote": "quote",
    "block text": "quote",
    "html preformatted": "code",
    "source code": "code",
}
"""What paragraphs of a style are, by its name in lower case."""
