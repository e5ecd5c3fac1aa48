"""Seeds: honest small documents that mutators start from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from fumehood import kinds
from fumehood.document import Block
from fumehood.fuzz import ooxml, pdf_files
from fumehood.fuzz.archives import archive, entry
from fumehood.fuzz.findings import findings
from fumehood.sandbox import frames

MOST_BYTES: Final = 256 * 1024
"""Larger files of a folder are left out: mutating one byte of a large file hardly ever hits what matters."""


def _reply() -> bytes:
    text = "A reply.\n\nOf two paragraphs."
    blocks = [Block(0, 8, "paragraph"), Block(10, 28, "paragraph")]
    sent = frames.document(frames.Head("A", {"author": "B"}), [text], blocks, [], [], 0)
    return b"\0" + frames.started((), 0) + b"".join(sent)


_OWN: Final[Mapping[str, tuple[bytes, ...]]] = {
    "docx": (
        ooxml.docx(),
        ooxml.docx(
            ooxml.document(
                b'<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>One</w:t></w:r></w:p>'
                b"<w:tbl><w:tr><w:tc>" + ooxml.paragraph("a") + b"</w:tc><w:tc><w:tcPr><w:gridSpan w:val=\"2\"/></w:tcPr>"
                + ooxml.paragraph("b") + b"</w:tc></w:tr></w:tbl>"
                b'<w:p><w:hyperlink w:anchor="x"><w:r><w:t>link</w:t></w:r></w:hyperlink><w:del><w:r><w:delText>gone</w:delText>'
                b"</w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>"
            )
        ),
    ),
    "pdf": (
        pdf_files.pdf(pdf_files.one_page(pdf_files.stream(pdf_files.SHOW))),
        pdf_files.pdf(
            pdf_files.one_page(
                pdf_files.stream(
                    b"q 1 0 0 1 72 700 cm BT /F1 12 Tf 14 TL [(One) -250 (two)] TJ T* (three) Tj 3 Tr (four) ' ET Q"
                ),
                page=b"/Annots[<</Type/Annot/Subtype/Text/Contents(note)/Rect[0 0 9 9]>>]",
            )
        ),
    ),
    "csv": (b'name,count\nalpha,1\n"be,ta",2\n', b"a;b;c\r\n1;2\r\n"),
    "json": (b'{"a": [1, 2.5, "x", null, true], "b": {"c": [{"d": "e"}, {"d": "f"}]}}', b'[[1,2],[3,4]]'),
    "markdown": (b"# One\n\n- a\n  1. b\n\n> q\n> r\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```py\nx\n```\n\n[l]: http://x.example\n[l], <b>h</b>\n",),
    "text": ("One.\n\nTwo, caf\u00e9.\n".encode(), "\ufeffDrei \u20ac\r\n".encode("utf-16-le")),
    "reply": (_reply(), b"\0" + frames.started((), 0), b"\1" + frames.started((), 0) + frames.sniffed("text")),
    "zip": (
        archive([entry("a.txt", b"one"), entry("b/", b"", stored=True), entry("b/c.txt", b"two" * 50)], comment=b"end"),
    ),
    "xml": (ooxml.HELLO, ooxml.RELATIONSHIPS, ooxml.HELLO.decode().replace("UTF-8", "UTF-16").encode("utf-16")),
}  # fmt: skip


def own(name: str) -> list[bytes]:
    """Ours for a kind, or for `reply`, `zip`, `xml`: written here, the kind's specimen, and what was found before."""
    specimens = [kind.specimen for kind in kinds.kinds() if kind.name == name and kind.specimen]
    return [*_OWN.get(name, ()), *specimens, *(found.read() for found in findings() if found.kind == name)]


def of_folder(folder: Path, most_bytes: int = MOST_BYTES) -> list[bytes]:
    """The files below a folder that are small enough, in the order of their names."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [path.read_bytes() for path in files if 0 < path.stat().st_size <= most_bytes]


def for_target(name: str, kind: str | None) -> list[bytes]:
    """The seeds that suit a target: of its kind or name, else a few of every kind."""
    return own(kind or name) or [seeds[0] for seeds in _OWN.values()]
