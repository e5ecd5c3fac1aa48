"""Runs one splitter of another project over a text. Started by `chunking.py` in an environment of the peers' own.

    PEERS/bin/python benchmarks/peers_chunking.py PEER TEXT SIZE RUNS > RESULT

PEERS has `semantic-text-splitter`, `chonkie` and `langchain-text-splitters`. The result is JSON: `seconds`, processor
time of the best run, and the `chunks` as texts. Nothing of Fumehood is imported.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

Split = Callable[[str], list[str]]


def semantic_text_splitter(size: int) -> Split:
    from semantic_text_splitter import MarkdownSplitter

    splitter = MarkdownSplitter(size)
    return lambda text: list(splitter.chunks(text))


def chonkie_recursive(size: int) -> Split:
    from chonkie import RecursiveChunker

    chunker = RecursiveChunker(tokenizer="character", chunk_size=size)
    return lambda text: [chunk.text for chunk in chunker.chunk(text)]


def langchain_markdown(size: int) -> Split:
    from langchain_text_splitters import MarkdownTextSplitter

    splitter = MarkdownTextSplitter(chunk_size=size, chunk_overlap=0)
    return lambda text: list(splitter.split_text(text))


def langchain_recursive(size: int) -> Split:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=0)
    return lambda text: list(splitter.split_text(text))


PEERS = {
    "semantic-text-splitter": semantic_text_splitter,
    "chonkie recursive": chonkie_recursive,
    "langchain markdown": langchain_markdown,
    "langchain recursive": langchain_recursive,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("path", type=Path)
    parser.add_argument("size", type=int)
    parser.add_argument("runs", type=int)
    chosen = parser.parse_args()
    text = chosen.path.read_text(encoding="utf-8")
    split = PEERS[chosen.peer](chosen.size)
    best, chunks = float("inf"), [""]
    for _ in range(chosen.runs):
        began = time.process_time()
        chunks = split(text)
        best = min(best, time.process_time() - began)
    json.dump({"seconds": best, "chunks": chunks}, sys.stdout)


if __name__ == "__main__":
    main()
