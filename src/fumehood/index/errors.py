"""Why an index could not be opened, read or written. None of these is about a document.

    StoreError
    ├── NoIndex            there is no such file, and it was not to be made
    ├── ForeignIndex       the file is something else
    ├── NewerIndex         a newer version of this library wrote it
    ├── IndexBusy          another process is writing
    ├── IndexFull          no room on the disk
    ├── IndexNotWritable   a read-only file, folder or file system, or no permission
    ├── IndexUnreadable    no permission to read, or the disk fails
    ├── IndexCorrupt       the file is damaged
    ├── SearchTimeout      a question takes longer than it may
    └── NothingListed      pruning would take everything away

After any of them the file holds what it held before the call.
"""

from __future__ import annotations


class StoreError(Exception):
    """The base. The message says what to do next; it names the file and holds no text of a document."""


class NoIndex(StoreError):
    """Ingest something first, or look for a typing mistake in the file's name."""


class ForeignIndex(StoreError):
    """The file is not an index of this library. It was not changed."""


class NewerIndex(StoreError):
    """A newer version of this library wrote the file: use that version. It was not changed."""


class IndexBusy(StoreError):
    """Another process holds the file longer than `wait_seconds`. Try again."""


class IndexFull(StoreError):
    """There is no room on the disk. Nothing of the last call was kept."""


class IndexNotWritable(StoreError):
    """The file, its folder or its file system may only be read."""


class IndexUnreadable(StoreError):
    """The file may not be opened, or reading it failed."""


class IndexCorrupt(StoreError):
    """The file is damaged. Delete it and ingest again, or restore a copy."""


class SearchTimeout(StoreError):
    """A question took longer than `search_seconds`: what it asks for stands nearly everywhere in a large index."""


class NothingListed(StoreError):
    """A run saw no source at all, so that pruning would remove everything; usually a folder that is not mounted."""
