"""The tables, and how a file is told to be ours.

`application_id` and `user_version` stand in the header of every SQLite file (file format, 1.3); the first says whose it
is, the second which version of the schema it has.

What a search has to look at is in narrow tables: text lies apart in `bodies`, so that filtering ten thousand candidates
does not read ten thousand texts. `words` keeps no text of its own (FTS5, 4.4.3, contentless tables), so that text is on
the disk once; a row is taken out of it by saying again what was put in, which is why the rules for words are stamped
too.
"""

from __future__ import annotations

from typing import Final

APPLICATION_ID: Final = 0x46756D65  # "Fume"
SCHEMA_VERSION: Final = 1

WORDS: Final = "CREATE VIRTUAL TABLE words USING fts5(title, headings, text, content='', tokenize='ascii')"

TABLES: Final = (
    "CREATE TABLE rules(words TEXT NOT NULL)",
    "CREATE TABLE namespaces(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    # digest: of everything that is stored of it, notices and chunks included; equal documents are one row
    """CREATE TABLE documents(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        digest BLOB NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        title TEXT,
        metadata TEXT NOT NULL,
        chunks INTEGER NOT NULL,
        characters INTEGER NOT NULL)""",
    # name: bytes, since names of files need not be text; settings: the recipe; date: for filters
    """CREATE TABLE sources(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        namespace INTEGER NOT NULL REFERENCES namespaces,
        name BLOB NOT NULL,
        document INTEGER REFERENCES documents,
        sha256 TEXT,
        size INTEGER,
        fingerprint TEXT,
        settings TEXT,
        engine TEXT,
        metadata TEXT NOT NULL,
        date TEXT,
        receipt TEXT,
        stored TEXT NOT NULL,
        UNIQUE(namespace, name))""",
    "CREATE INDEX sources_of_document ON sources(document)",
    "CREATE INDEX sources_by_digest ON sources(sha256)",
    # the document's metadata with the caller's over it, values as text
    """CREATE TABLE properties(
        source INTEGER NOT NULL REFERENCES sources ON DELETE CASCADE,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY(source, key)) WITHOUT ROWID""",
    """CREATE TABLE refusals(
        source INTEGER PRIMARY KEY REFERENCES sources ON DELETE CASCADE,
        code TEXT NOT NULL,
        facts TEXT NOT NULL)""",
    """CREATE TABLE notices(
        document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
        position INTEGER NOT NULL,
        code TEXT NOT NULL,
        notice TEXT NOT NULL,
        PRIMARY KEY(document, position)) WITHOUT ROWID""",
    # roles: |heading|paragraph|
    """CREATE TABLE chunks(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
        position INTEGER NOT NULL,
        visible INTEGER NOT NULL,
        roles TEXT NOT NULL)""",
    "CREATE UNIQUE INDEX chunks_of_document ON chunks(document, position)",
    # few, so that leaving them out of a search costs next to nothing
    "CREATE INDEX chunks_hidden ON chunks(id) WHERE visible = 0",
    # about: everything of a chunk but its text and position
    """CREATE TABLE bodies(
        chunk INTEGER PRIMARY KEY REFERENCES chunks ON DELETE CASCADE,
        text TEXT NOT NULL,
        about TEXT NOT NULL)""",
    """CREATE TABLE runs(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        namespace INTEGER NOT NULL REFERENCES namespaces,
        begun TEXT NOT NULL,
        finished TEXT,
        summary TEXT)""",
    WORDS,
)

SETTINGS: Final = (
    # Twice as many lists of words as usual are merged at a time, so that each word is written less often while an index
    # is filled; a search looks into some more (FTS5, 6.1).
    "INSERT INTO words(words, rank) VALUES ('automerge', 8)",
)
