"""Cells and outputs of a Jupyter notebook, whose format its versions 3 and 4 name differently (nbformat's schemas)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from fumehood.document import Locator
from fumehood.errors import refusal
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.escaping import fenced
from fumehood.loaders.shared.tree import Members, Value

# ECMA-48, 5.4: a control sequence, which colours a traceback.
_COLOUR: Final = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
_DEFAULT_LANGUAGE: Final = "python"
_LONGEST_NAME: Final = 40
"""Of a language, which every cell repeats."""

# nbformat 3 names the forms of an output by words of its own.
_OLD_NAMES: Final[Mapping[str, str]] = {
    "text": "text/plain",
    "html": "text/html",
    "latex": "text/latex",
    "png": "image/png",
    "jpeg": "image/jpeg",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "javascript": "application/javascript",
}
_TEXTS: Final = ("text/markdown", "text/latex", "text/plain")
"""Forms of an output that are read, the best first."""


class Piece(NamedTuple):
    """What a cell or an output shows; `path` is its JSON pointer."""

    text: str
    is_markdown: bool
    path: str


def pieces(notebook: Members, out: Builder) -> Iterator[Piece]:
    """All that a notebook shows, in order; what is no text is a notice. Raises the refusal `kind-mismatch`."""
    top = dict(notebook.pairs)
    language = _language(top)
    for path, cells in _lists_of_cells(top):
        for index, cell in enumerate(cells):
            if isinstance(cell, Members):
                yield from _cell(dict(cell.pairs), f"{path}/{index}", language, out)


def _lists_of_cells(top: Mapping[str, Value]) -> Iterator[tuple[str, list[Value]]]:
    cells, sheets = top.get("cells"), top.get("worksheets")
    if isinstance(cells, list):
        yield "/cells", cells
    elif isinstance(sheets, list):
        for index, sheet in enumerate(sheets):
            inner = _member(sheet, "cells")
            if isinstance(inner, list):
                yield f"/worksheets/{index}/cells", inner
    else:
        raise refusal("kind-mismatch")


def _language(top: Mapping[str, Value]) -> str:
    metadata = top.get("metadata")
    for group, key in (("language_info", "name"), ("kernelspec", "language")):
        name = _text(_member(_member(metadata, group), key))
        if name:
            return name[:_LONGEST_NAME]
    return _DEFAULT_LANGUAGE


def _cell(cell: Mapping[str, Value], path: str, language: str, out: Builder) -> Iterator[Piece]:
    kind = _text(cell.get("cell_type"))
    source = _text(cell.get("source", cell.get("input")))
    if kind == "markdown":
        yield Piece(source.strip("\n"), True, path)
    elif kind == "heading":
        level = _text(cell.get("level"))
        mark = "#" * int(level) if level in ("1", "2", "3", "4", "5", "6") else "#"
        yield Piece(f"{mark} {' '.join(source.split())}", True, path)
    elif source.strip():
        named = (_text(cell.get("language"))[:_LONGEST_NAME] or language) if kind == "code" else ""
        yield Piece(fenced(source, named), False, path)
    outputs = cell.get("outputs")
    for index, output in enumerate(outputs if isinstance(outputs, list) else ()):
        if isinstance(output, Members):
            yield from _output(dict(output.pairs), f"{path}/outputs/{index}", out)


def _output(output: Mapping[str, Value], path: str, out: Builder) -> Iterator[Piece]:
    kind = _text(output.get("output_type"))
    if kind in ("error", "pyerr"):
        text = _lines(output.get("traceback")) or f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}"
        yield _as_code(text, path)
    elif kind == "stream":
        yield _as_code(_text(output.get("text")), path)
    else:
        yield from _best_form(_forms(output), path, out)


def _forms(output: Mapping[str, Value]) -> dict[str, Value]:
    """The forms of one output by their media types."""
    data = output.get("data")
    if isinstance(data, Members):
        return dict(data.pairs)
    return {_OLD_NAMES[key]: value for key, value in output.items() if key in _OLD_NAMES}


def _best_form(forms: Mapping[str, Value], path: str, out: Builder) -> Iterator[Piece]:
    """A picture's text is but a stand-in for it; of other forms the best that is text."""
    if any(form.startswith("image/") for form in forms):
        out.notice("image-not-read", Locator(path=path))
        return
    for form in _TEXTS:
        if form in forms:
            text = _text(forms[form])
            yield Piece(text.strip("\n"), True, path) if form == "text/markdown" else _as_code(text, path)
            return
    if forms:
        out.notice("object-not-read", Locator(path=path))


def _as_code(text: str, path: str) -> Piece:
    text = _COLOUR.sub("", text)
    return Piece(fenced(text) if text.strip() else "", False, path)


def _member(value: Value, key: str) -> Value:
    return dict(value.pairs).get(key) if isinstance(value, Members) else None


def _text(value: Value) -> str:
    """A text, which may be written as the list of its lines."""
    if isinstance(value, str):
        return value
    return "".join(part for part in value if isinstance(part, str)) if isinstance(value, list) else ""


def _lines(value: Value) -> str:
    return "\n".join(part for part in value if isinstance(part, str)) if isinstance(value, list) else _text(value)
