"""Sets of element names that the rules of the HTML standard speak of (WHATWG HTML, 13.2 and 15.3)."""

from __future__ import annotations

from typing import Final


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


VOID: Final = _names(
    "area base basefont bgsound br col embed frame hr img image input keygen link meta param source track wbr"
)
"""Elements that have no content and no end tag (13.1.2)."""

BLOCKS: Final = _names(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer "
    "form frameset h1 h2 h3 h4 h5 h6 header hgroup html legend li listing main menu nav noframes ol optgroup option p "
    "plaintext pre search section select summary table tbody td tfoot th thead tr ul xmp"
)
"""Elements that begin and end lines (15.3.3)."""

NOT_TEXT: Final = _names("script style template param source track col colgroup bgsound basefont noembed rp #comment")
"""Elements whose content nobody reads."""

MATH_TOKENS: Final = _names("mi mn mo ms mtext annotation annotation-xml")
"""The elements of MathML that hold text; white space in others means nothing (MathML Core, 2.1.6)."""

TABLE_HEADS: Final = _names("th thead caption")
"""What makes a table one of data."""
STRUCTURES: Final = _names("ul ol dl pre hr form article section blockquote table")
"""What a cell of data does not hold; a table that has it is there for the layout."""
