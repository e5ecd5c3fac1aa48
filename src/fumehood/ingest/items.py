"""What a pipeline takes in: something that has a name and gives its bytes when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from fumehood.chunking.model import Value
from fumehood.ingest.contents import contents

Skipped = Literal["hidden-or-excluded", "symbolic-link", "special-file", "vanished"]
"""Why something that was there is no source."""


@dataclass(frozen=True, slots=True)
class Item:
    """One source.

    - `source`: its name in the index: a path, a URL, a key.
    - `load`: gives its bytes, at most as many as it is asked for; called in a thread. Raises `OSError`;
      `FileNotFoundError` means that it has gone since it was listed.
    - `size`: in bytes, as far as it is known before it is loaded.
    - `name`: a file name, only as a hint to its kind.
    - `fingerprint`: an ETag, a version: where the index has the same, nothing is loaded.
    - `metadata`: the caller's own, stored beside the document's.
    """

    source: str
    load: Callable[[int], Any]
    size: int = 0
    name: str | None = None
    fingerprint: str | None = None
    metadata: Mapping[str, Value] | None = None

    @staticmethod
    def of_file(path: str, source: str | None = None, size: int = 0) -> Item:
        """A regular file; `source` is its path if left out."""
        return Item(path if source is None else source, partial(contents, path), size, path)

    @staticmethod
    def of_bytes(
        data: Any,
        source: str,
        *,
        name: str | None = None,
        fingerprint: str | None = None,
        metadata: Mapping[str, Value] | None = None,
    ) -> Item:
        """Bytes that are here already, such as an upload; left as they are."""
        view = memoryview(data).cast("B") if memoryview(data).c_contiguous else memoryview(bytes(data))
        return Item(source, lambda most: view[:most], len(view), name, fingerprint, metadata)


@dataclass(frozen=True, slots=True)
class Unlisted:
    """Something that was named or found and cannot be listed, and why."""

    source: str
    error: OSError
