"""How large an index is, how fast it is filled, and how fast it answers.

    python benchmarks/index.py [--chunks 50000] [--queries 300] [--at FILE]

The text is words of a vocabulary of 50,000 whose frequencies follow Zipf's law: 150 to a chunk, so that it is of middling
size, and a hundred chunks to a document. Questions are made of words that stand in less than a twentieth of the chunks,
drawn as often as they occur: one word, two, either of two, two side by side, and how words begin, by two letters or three.
`--chunks 1000000` takes some minutes
and two gigabytes.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import psutil

from fumehood import Document
from fumehood.chunking.model import NO_CONTEXT, Chunk
from fumehood.document import Locator
from fumehood.index import Filters, SQLiteIndex

_VOCABULARY = 50_000
_WORDS = 150
_CHUNKS_PER_DOCUMENT = 100
_RARE = 0.05
_BEGINNINGS = (2, 3)
_PAGES_TO_READ = 10


def vocabulary(rng: random.Random) -> list[str]:
    """Different words of letters alone; the more frequent are shorter, and few begin with some letters, as in any language."""
    found: dict[str, None] = {}
    syllables = ["".join(pair) for pair in itertools.product("bdfghklmnprstvz", "aeiou")]
    weights = [(rank + 1) ** -2 for rank in range(len(syllables))]
    while len(found) < _VOCABULARY:
        longer = rng.randrange(2) + (len(found) > 200) + (len(found) > 5_000)
        found["".join([*rng.choices(syllables, weights), *rng.choices(syllables, k=longer)])] = None
    return list(found)


class Texts:
    """Documents of random words."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.words = vocabulary(self.rng)
        self.weights = list(itertools.accumulate(1 / (rank + 2.7) for rank in range(_VOCABULARY)))

    def some(self, count: int) -> list[str]:
        return self.rng.choices(self.words, cum_weights=self.weights, k=count)

    def document(self, number: int, size: int) -> tuple[Document, list[Chunk]]:
        title = " ".join(self.some(4))
        headings = (title, " ".join(self.some(3)))
        chunks = [
            Chunk(
                f"{number:016x}{index:016x}",
                index,
                0,
                0,
                " ".join(self.some(_WORDS)),
                headings,
                (Locator(page=index + 1),),
                ("paragraph",),
                NO_CONTEXT,
                "whole",
                True,
                {},
            )
            for index in range(size)
        ]
        return msgspec.structs.replace(Document.from_markdown(""), kind="text", title=title, notices=()), chunks


def asked_by(word: str) -> tuple[str, ...]:
    """Questions of one word that find it."""
    return (word, *(f"{word[:length]}*" for length in _BEGINNINGS))


def fill(index: SQLiteIndex, texts: Texts, count: int) -> tuple[int, float, Counter[str]]:
    """Bytes of text, processor seconds in the index, and how many chunks each word, and each beginning, finds."""
    size, seconds, standing = 0, 0.0, Counter[str]()
    asking = {word: asked_by(word) for word in texts.words}
    for number in range(0, count, _CHUNKS_PER_DOCUMENT):
        document, chunks = texts.document(number, min(_CHUNKS_PER_DOCUMENT, count - number))
        for chunk in chunks:
            size += len(chunk.text)
            standing.update({question for word in chunk.text.split() for question in asking[word]})
        start = time.process_time()
        index.replace(f"folder-{number % 7}/{number}.txt", document, chunks)
        seconds += time.process_time() - start
    return size, seconds, standing


def questions(texts: Texts, standing: Counter[str], chunks: int, count: int) -> Iterator[tuple[str, str]]:
    """The form of a question, and the question."""

    def rare(form: int = 0) -> str:
        while True:
            question = asked_by(texts.some(1)[0])[form]
            if 0 < standing[question] < _RARE * chunks:
                return question

    for number in range(count):
        one, other = rare(), rare()
        yield (
            ("a word", one),
            ("two words", f"{one} {other}"),
            ("either", f"{one} OR {other}"),
            ("side by side", f'"{one} {other}"'),
            ("two letters", rare(1)),
            ("three letters", rare(2)),
        )[number % 6]


def ask(index: SQLiteIndex, asked: list[tuple[str, str]], filters: Filters | None) -> None:
    wall: dict[str, list[float]] = {}
    processor = []
    for form, question in asked:
        start, spent = time.perf_counter(), time.process_time()
        index.search(question, filters)
        processor.append(time.process_time() - spent)
        wall.setdefault(form, []).append(time.perf_counter() - start)
    wall["all"] = [taken for each in wall.values() for taken in each]
    wall["all, processor"] = processor
    for form, taken in wall.items():
        cut = statistics.quantiles(taken, n=20)
        print(f"  {form:15} p50 {cut[9] * 1e3:7.1f} ms   p95 {cut[18] * 1e3:7.1f} ms   at most {max(taken) * 1e3:7.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=50_000)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--at", type=Path, help="where the index is made; it is deleted if left out")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.at or Path(folder, "index.sqlite")
        texts = Texts(1)
        with SQLiteIndex(path) as index:
            size, seconds, standing = fill(index, texts, options.chunks)
            print(
                f"{options.chunks:,} chunks, {size / 1e6:,.0f} MB of text, filled in {seconds:.1f} s of processor time: "
                f"{options.chunks / seconds:,.0f} chunks/s"
            )
        on_disk = os.path.getsize(path)
        print(f"on the disk {on_disk / 1e6:,.0f} MB: {on_disk / size:.2f} times the text")
        asked = list(questions(texts, standing, options.chunks, options.queries))
        with SQLiteIndex(path) as index:
            for name, filters in (("no filter", None), ("a folder", Filters(source_prefix="folder-3/"))):
                print(f"{len(asked)} questions, {name}:")
                ask(index, asked, filters)
            start = time.perf_counter()
            offset: int | None = 0
            for _ in range(_PAGES_TO_READ):
                if offset is not None:
                    offset = index.search(asked[0][1], offset=offset).next_offset
            print(f"{_PAGES_TO_READ} pages of one question: {(time.perf_counter() - start) * 1e3:.1f} ms")
        print(f"memory of the process {psutil.Process().memory_info().rss / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
