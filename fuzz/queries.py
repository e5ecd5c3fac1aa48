"""The target `query`: whatever somebody writes in a search box is searched for, and finds what it says.

What is found is compared with a look through all words, which is slow and needs no syntax of FTS5.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from fumehood.chunking import chunk
from fumehood.document import Document
from fumehood.fuzz.bomb import READ
from fumehood.fuzz.oracle import broken, check_text
from fumehood.fuzz.target import Target
from fumehood.index import searching, writing
from fumehood.index.model import Filters, Source
from fumehood.index.pending import PendingWords
from fumehood.index.query import MAX_WORDS, Every, Near, Node, Phrase, Some, parse, phrases
from fumehood.index.schema import TABLES
from fumehood.index.snippets import plain
from fumehood.index.words import is_unspaced, words

TEXTS: Final = (
    "# Annual report\n\nThe first draft of the annual report: see foo-bar, C:\\dir and don't.",
    "# Alpha beta\n\nalpha beta gamma alpha NEAR beta AND gamma OR not",
    "# \u6771\u4eac\u90fd\n\n\u6771\u4eac iphone caf\u00e9 report",
)
"""What is searched in: each of them is one chunk."""

_Columns = tuple[Sequence[str], ...]


def targets() -> Iterator[Target]:
    yield Target("query", query)


def query(data: bytes) -> str:
    """Bytes that are no UTF-8 come as the surrogates that a command line makes of them."""
    said = data.decode("utf-8", "surrogateescape")
    connection, texts = _library()
    page = searching.search(connection, said, Filters(), len(texts), 0)
    if page != searching.search(connection, said, Filters(), len(texts), 0):
        broken("the same query found something else", said)
    for hit in page.hits:
        check_text(plain(hit.snippet)[0])
    asked = parse(said)
    if asked is None:
        return READ if not page.hits else broken("a query for nothing found something", said)
    if not 0 < sum(len(phrase.words) for phrase in phrases(asked)) <= MAX_WORDS:
        broken("a query for no words, or for too many", said)
    found = {int(hit.key) for hit in page.hits}
    if _is_comparable(asked) and found != {key for key, columns in texts.items() if _holds(asked, columns)}:
        broken("a query found something else than it says", (said, found))
    return READ


@cache
def _library() -> tuple[sqlite3.Connection, dict[int, _Columns]]:
    """An index in memory, and the words of each of its chunks by the chunk's number."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    for statement in TABLES:
        connection.execute(statement)
    namespace, pending = writing.namespace_id(connection, "fuzz"), PendingWords()
    texts: dict[int, _Columns] = {}
    for number, text in enumerate(TEXTS, 1):
        document = Document.from_markdown(text)
        (only,) = chunks = chunk(document)
        stored = writing.put_document(connection, pending, document, [chunks])
        standing = writing.Standing(Source(f"{number}.md"), document.metadata, {}, None, None, None)
        writing.put_source(connection, pending, namespace, standing, stored)
        columns = (document.title or "", "\n".join(only.headings), only.text)
        texts[number] = tuple(words(column) for column in columns)
    pending.tell(connection)
    return connection, texts


# ---- the same, word by word ------------------------------------------------------------------------------------------


def _is_comparable(node: Node) -> bool:
    """Not distances between words, nor scripts that are stored as pairs of characters."""
    match node:
        case Phrase():
            return not any(is_unspaced(word) for word in node.words)
        case Near():
            return False
        case Every():
            return all(map(_is_comparable, (*node.wanted, *node.unwanted)))
        case Some():
            return all(map(_is_comparable, node.nodes))


def _holds(node: Node, columns: _Columns) -> bool:
    match node:
        case Phrase():
            return any(_stands_in(node, column) for column in columns)
        case Every():
            wanted = all(_holds(each, columns) for each in node.wanted)
            return wanted and not any(_holds(each, columns) for each in node.unwanted)
        case Some():
            return any(_holds(each, columns) for each in node.nodes)
        case Near():
            return False  # not compared


def _stands_in(phrase: Phrase, column: Sequence[str]) -> bool:
    *first, last = phrase.words
    for at in range(len(column) - len(first)):
        end = at + len(first)
        fits = column[end].startswith(last) if phrase.prefix else column[end] == last
        if fits and list(column[at:end]) == first:
            return True
    return False
