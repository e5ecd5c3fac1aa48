"""Which alternate texts (ISO 32000-2, 14.9.3) say something: programs fill them with kinds of things and names of files."""

from __future__ import annotations

import re
from typing import Final

_KIND: Final = re.compile(
    r"[\W_]*(?:"
    r"fig(?:ure)?|image|img|picture|pic|photo(?:graph)?|graphics?|illustration|drawing|artwork|shape|object|formula|equation"
    r"|abbildung|bild|foto|grafik|zeichnung|formel|figura|imagen|imagem|immagine|fotograf[ií]a|dessin|afbeelding|bilde|obraz"
    r")[\W_]*\d{0,4}[\W_]*",
    re.IGNORECASE,
)
_ENDS: Final = (
    r"\.(?:jpe?g|jpe|png|gif|bmp|dib|tiff?|emf|wmf|svgz?|eps|ai|psd|pdf|webp|ico|heic|avif|jp2|jpx|pct|pict|wdp)"
)
_FILE: Final = re.compile(
    rf"(?:file:|https?:)?(?:[^\n]*[\\/])?[^\s\\/]+(?: [^\s\\/]+){{0,3}}{_ENDS}",
    re.IGNORECASE,
)
_LONGEST: Final = 1_024


def says_something(alternate: str) -> bool:
    """Whether an alternate text is more than the kind of thing that it stands for, with a number or none, or a file's name."""
    if len(alternate) > _LONGEST:
        return True
    return _KIND.fullmatch(alternate) is None and _FILE.fullmatch(alternate) is None
