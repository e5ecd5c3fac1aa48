"""Reads documents with one of the peers; started by `peers.py` in the peers' own environment, never imported.

A request is a line of JSON on standard input, an answer a line on standard output:
`{"read": PATH}` gives `{"text"}` or `{"error"}`; `{"time": [PATH, ...]}` gives `{"seconds"}`, the wall time of all,
or with `"cpu": true` the processor time.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any


def kreuzberg() -> Callable[[str], str]:
    from kreuzberg import ExtractionConfig, extract_file_sync

    # Its cache would answer every read but the first.
    config = ExtractionConfig(use_cache=False, disable_ocr=True)
    return lambda path: str(extract_file_sync(path, config=config).content)


def markitdown() -> Callable[[str], str]:
    from markitdown import MarkItDown

    converter = MarkItDown(enable_plugins=False)
    return lambda path: str(converter.convert_local(path).text_content)


def pdfminer() -> Callable[[str], str]:
    from pdfminer.high_level import extract_text

    return lambda path: str(extract_text(path))


def pypdfium2() -> Callable[[str], str]:
    from pypdfium2 import PdfDocument

    def read(path: str) -> str:
        with PdfDocument(path) as document:
            return "\n".join(page.get_textpage().get_text_range() for page in document)

    return read


def pypdf() -> Callable[[str], str]:
    from pypdf import PdfReader

    return lambda path: "\n".join(page.extract_text() for page in PdfReader(path).pages)


def pdfplumber() -> Callable[[str], str]:
    import pdfplumber

    def read(path: str) -> str:
        with pdfplumber.open(path) as document:
            return "\n".join(page.extract_text() or "" for page in document.pages)

    return read


def fumehood(engine: str) -> Callable[[], Callable[[str], str]]:
    """Ourselves without the jail, so that only the reading is compared."""

    def make() -> Callable[[str], str]:
        from fumehood import ReadOptions, kinds
        from fumehood.sandbox.loading import read_in_process, warm

        kind, options = kinds.get("pdf"), ReadOptions(engine=engine)
        warm(kind, kinds.family_of(kind, options))
        return lambda path: read_in_process(kind, open(path, "rb").read(), options=options).text

    return make


READERS: dict[str, Callable[[], Callable[[str], str]]] = {
    "kreuzberg": kreuzberg,
    "markitdown": markitdown,
    "pdfminer": pdfminer,
    "pypdfium2": pypdfium2,
    "pypdf": pypdf,
    "pdfplumber": pdfplumber,
    "fumehood-pdfium": fumehood("pdfium"),
    "fumehood-pdfminer": fumehood("pdfminer"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reader", choices=READERS)
    read = READERS[parser.parse_args().reader]()
    # Peers print as they please: the answers have a channel of their own.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        if "read" in request:
            answer: dict[str, Any] = _attempt(read, request["read"])
        else:
            clock = time.process_time if request.get("cpu") else time.perf_counter
            began = clock()
            for path in request["time"]:
                read(path)
            answer = {"seconds": clock() - began}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _attempt(read: Callable[[str], str], path: str) -> dict[str, Any]:
    try:
        return {"text": read(path)}
    except Exception as error:
        return {"error": type(error).__name__}


if __name__ == "__main__":
    main()
