"""Reads small OpenDocument files that tests write."""

from __future__ import annotations

from collections.abc import Mapping

from fumehood import Document, Limits, Refusal
from fumehood import kinds as registry
from fumehood.fuzz import odf_files
from fumehood.sandbox.loading import read_in_process


def read(
    kind: str,
    body: str,
    styles: str = "",
    parts: Mapping[str, str | bytes] | None = None,
    limits: Limits | None = None,
) -> Document:
    return read_in_process(registry.get(kind), odf_files.odf(kind, body, styles, parts), limits)


def refused(kind: str, data: bytes, limits: Limits | None = None) -> str:
    """The code that the read ends with."""
    try:
        read_in_process(registry.get(kind), data, limits)
    except Refusal as refusal:
        return refusal.code
    return "read"


def notices(document: Document) -> dict[str, int | str | None]:
    return {notice.code: notice.detail for notice in document.notices}


def hidden(document: Document) -> list[str]:
    return [document.text[block.start : block.end] for block in document.blocks if not block.visible]


def roles(document: Document) -> list[tuple[str, str]]:
    return [(block.role, document.text[block.start : block.end]) for block in document.blocks]
