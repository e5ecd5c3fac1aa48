"""Small ordinary documents of each kind, made here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

_PARAGRAPH: Final = (
    "The ledger of the harbour lists every vessel, its freight and the clause that its charter was signed under.\n"
)


def _pdf(lines: int) -> bytes:
    content = (
        "BT /F1 11 Tf 72 720 Td 14 TL "
        + " ".join(f"({number} {_PARAGRAPH.strip()[:80]}) Tj T*" for number in range(lines))
        + " ET"
    )
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        f"<</Length {len(content)}>>\nstream\n{content}\nendstream",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    body, offsets = b"%PDF-1.4\n", []
    for number, written in enumerate(objects, 1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{written}\nendobj\n".encode("latin-1")
    table = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n" + "".join(
        f"{offset:010} 00000 n \n" for offset in offsets
    )
    return body + f"{table}trailer\n<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{len(body)}\n%%EOF\n".encode(
        "latin-1"
    )


TINY: Final[Mapping[str, bytes]] = {
    "text": b"A short note.\n\nTwo paragraphs.\n",
    "markdown": b"# A title\n\nA paragraph.\n\n- one\n- two\n",
    "csv": b"name,count\nalpha,1\nbeta,2\n",
    "json": b'{"name": "alpha", "items": [1, 2, 3]}',
    "pdf": _pdf(5),
}

ORDINARY: Final[Mapping[str, bytes]] = {
    "text": (_PARAGRAPH * 3 + "\n").encode() * 100,
    "markdown": ("## A section\n\n" + _PARAGRAPH * 3 + "\n- one\n- two\n\n").encode() * 80,
    "csv": b"number,name,amount\n" + b"".join(b"%d,vessel %d,%d.50\n" % (n, n, n * 7) for n in range(1_000)),
    "json": json.dumps([{"number": n, "name": f"vessel {n}", "cargo": {"tons": n * 7}} for n in range(400)]).encode(),
    "pdf": _pdf(45),
}
