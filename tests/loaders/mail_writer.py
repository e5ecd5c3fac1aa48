"""Mail for tests, written out as it travels."""

from __future__ import annotations

from fumehood import Document, Limits, ReadOptions, kinds
from fumehood.document import Block
from fumehood.sandbox.loading import read_in_process


def message(body: str | bytes = "x", content: str = "", *headers: str) -> bytes:
    """A message of the content type `content` with further `headers`, whose lines end as they do on the wire."""
    lines = [*headers, *([f"Content-Type: {content}"] if content else []), "", ""]
    raw = body.encode("utf-8") if isinstance(body, str) else body
    return "\r\n".join(lines).encode("utf-8") + raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def multipart(subtype: str, *parts: bytes, more: str = "", boundary: str = "b") -> bytes:
    """A multipart entity of `parts`, which have their own headers."""
    content = f"Content-Type: multipart/{subtype}; boundary={boundary}{more}\r\n\r\n".encode()
    mark = b"--" + boundary.encode()
    return content + b"".join(mark + b"\r\n" + part + b"\r\n" for part in parts) + mark + b"--\r\n"


def read(data: bytes, kind: str = "eml", limits: Limits | None = None, **options: bool | str) -> Document:
    return read_in_process(kinds.get(kind), data, limits, ReadOptions(**options))  # type: ignore[arg-type]


def texts(document: Document, *, visible: bool = True) -> list[str]:
    return [text_of(document, block) for block in document.blocks if block.visible is visible]


def text_of(document: Document, block: Block) -> str:
    return document.text[block.start : block.end]


def notices(document: Document) -> list[tuple[str, str | None, int | str | None]]:
    """Code, part number and detail of each."""
    return [(note.code, note.locator.path if note.locator else None, note.detail) for note in document.notices]
