"""Reads documents with one of the peers; started by `peers.py` in the peers' own environment, never imported.

A request is a line of JSON on standard input, an answer a line on standard output:
`{"read": PATH}` gives `{"text"}` or `{"error"}`; `{"time": [PATH, ...]}` gives `{"seconds"}`, the wall time of all.
"""

from __future__ import annotations

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


def main() -> None:
    read = {"kreuzberg": kreuzberg, "markitdown": markitdown}[sys.argv[1]]()
    # Peers print as they please: the answers have a channel of their own.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        if "read" in request:
            answer: dict[str, Any] = _attempt(read, request["read"])
        else:
            began = time.perf_counter()
            for path in request["time"]:
                read(path)
            answer = {"seconds": time.perf_counter() - began}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _attempt(read: Callable[[str], str], path: str) -> dict[str, Any]:
    try:
        return {"text": read(path)}
    except Exception as error:
        return {"error": type(error).__name__}


if __name__ == "__main__":
    main()
