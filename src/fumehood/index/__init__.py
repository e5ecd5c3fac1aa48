"""An index of documents that passed: kept true to its sources, searched by words.

from fumehood.index import SQLiteIndex

with SQLiteIndex("library.sqlite") as index:
    index.replace("letters/may.docx", document, chunk(document))
    for hit in index.search("annual report").hits:
        print(hit.source, hit.snippet)
"""

from __future__ import annotations

from fumehood.index.errors import (
    ForeignIndex,
    IndexBusy,
    IndexCorrupt,
    IndexFull,
    IndexNotWritable,
    IndexUnreadable,
    NewerIndex,
    NoIndex,
    NothingListed,
    SearchTimeout,
    StoreError,
)
from fumehood.index.model import (
    DEFAULT_NAMESPACE,
    MARK_END,
    MARK_START,
    Entry,
    Filters,
    Hit,
    Page,
    RefusedEntry,
    Source,
    SourceRef,
    Stats,
    StoredChunk,
    StoredDocument,
)
from fumehood.index.protocol import Index, Run
from fumehood.index.recipe import Recipe
from fumehood.index.snippets import highlighted
from fumehood.index.store import SQLiteIndex

__all__ = [
    "DEFAULT_NAMESPACE",
    "MARK_END",
    "MARK_START",
    "Entry",
    "Filters",
    "ForeignIndex",
    "Hit",
    "Index",
    "IndexBusy",
    "IndexCorrupt",
    "IndexFull",
    "IndexNotWritable",
    "IndexUnreadable",
    "NewerIndex",
    "NoIndex",
    "NothingListed",
    "Page",
    "Recipe",
    "RefusedEntry",
    "Run",
    "SQLiteIndex",
    "SearchTimeout",
    "Source",
    "SourceRef",
    "Stats",
    "StoreError",
    "StoredChunk",
    "StoredDocument",
    "highlighted",
]
