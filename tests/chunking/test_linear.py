"""Whatever the text is, time grows with its length: eight times the text, no more than some eight times the time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from fumehood import Document
from fumehood.chunking import chunk
from fumehood.document import Block, Role

SLACK = 3.0
"""On a busy machine; what is quadratic takes eight times as long again."""


def one(text: str, role: Role = "paragraph") -> Document:
    return Document("text", None, {}, text, (Block(0, len(text), role),), (), ())


def many(part: str, role: Role, times: int, levels: Callable[[int], int | None], group: int | None = None) -> Document:
    step = len(part) + 1
    blocks = tuple(Block(at * step, at * step + len(part), role, levels(at), group) for at in range(times))
    return Document("text", None, {}, f"{part}\n" * times, blocks, (), ())


CASES: dict[str, tuple[Callable[[int], Document], dict[str, Any]]] = {
    "one word": (lambda n: one("x" * 40 * n), {}),
    "one line": (lambda n: one("word " * 8 * n + "x"), {}),
    "no spaces": (lambda n: one("\u8239" * 10 * n), {}),
    "flags": (lambda n: one("\U0001f1e6" * 10 * n), {}),
    "one cluster": (lambda n: one("a" + "\u0301" * 20 * n), {}),
    "dots": (lambda n: one(". " * 5 * n + "x"), {}),
    "white space": (lambda n: one("x" + " " * 40 * n + "x"), {}),
    "blank code": (lambda n: one("```\n" + "\n" * 20 * n + "x\n```", "code"), {}),
    "a fence": (lambda n: one("`" * 20 * n + "\nx\n", "code"), {}),
    "marks": (lambda n: Document("text", None, {}, "---\n" * 10 * n, (), (), ()), {}),
    "headings": (lambda n: many("# h", "heading", n, lambda _: 1), {}),
    "deeper and deeper": (lambda n: many("# h", "heading", n, lambda at: at + 1), {"merge_headings": False}),
    "rows": (lambda n: many("| 1 | 2 |", "table-row", n, lambda at: None if at else 1, 1), {}),
    "header after header": (lambda n: many("| 1 | 2 |", "table-row", n, lambda _: 1, 1), {}),
    "quotes": (lambda n: many("> " * 100 + "x", "quote", n // 10, lambda _: None), {}),
    "tokens": (lambda n: one("word " * 8 * n), {"max_tokens": 64}),
    "headings, tokens": (lambda n: many("# h", "heading", n, lambda at: at % 9), {"max_tokens": 16, "max_size": 10**6}),
    "deeper, tokens": (lambda n: many("# h", "heading", n, lambda at: at + 1), {"max_tokens": 16, "max_size": 10**6}),
    "overlap": (lambda n: one("x" * 20 * n), {"overlap": 700}),
    "outline": (lambda n: one("2. NAME. A b c\n" * n), {"promote_headings": "outline"}),
    "phrases": (lambda n: many("A phrase", "paragraph", n, lambda _: None), {"promote_headings": "phrases"}),
}


@pytest.mark.parametrize("case", CASES)
def test_time_is_linear(case: str) -> None:
    make, options = CASES[case]

    def taken(size: int) -> float:
        document = make(size)
        times: Sequence[float] = [_seconds(document, options) for _ in range(2)]
        return min(times)

    small = taken(500)
    assert taken(4_000) < 8 * SLACK * small + 0.05


def _seconds(document: Document, options: dict[str, Any]) -> float:
    began = time.process_time()
    chunk(document, "structure", **options)
    return time.process_time() - began
