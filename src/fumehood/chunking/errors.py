"""Why a document was not chunked. None of these is a refusal: the document passed, the settings do not fit it."""

from __future__ import annotations


class ChunkingError(Exception):
    """The base of what chunking raises for a document; wrong options are `ValueError` and `TypeError`."""


class UnitTooLarge(ChunkingError):
    """A unit that must stay whole exceeds the cap alone.

    - `start`, `end`: its span of `document.text`.
    - `role`: what it is.
    - `size`, `bound`: how large it is and may be, in `measure`, which is `characters` or `tokens`.
    """

    def __init__(self, start: int, end: int, role: str, size: int, bound: int, measure: str = "characters") -> None:
        super().__init__(start, end, role, size, bound, measure)
        self.start = start
        self.end = end
        self.role = role
        self.size = size
        self.bound = bound
        self.measure = measure

    def __str__(self) -> str:
        name = "max_size" if self.measure == "characters" else "max_tokens"
        return (
            f"the {self.role} at {self.start}:{self.end} has {self.size:,} {self.measure}, and {name} is {self.bound:,}; "
            f"raise {name}, or pass on_too_large='split'"
        )


class TooManyChunks(ChunkingError):
    """More chunks than `max_chunks` would come of it."""

    def __init__(self, bound: int) -> None:
        super().__init__(bound)
        self.bound = bound

    def __str__(self) -> str:
        return f"the document makes more than {self.bound:,} chunks; raise max_chunks or max_size"


class SearchExhausted(ChunkingError):
    """Counting tokens has cost more characters than `max_search_work`."""

    def __init__(self, bound: int) -> None:
        super().__init__(bound)
        self.bound = bound

    def __str__(self) -> str:
        return (
            f"more than {self.bound:,} characters were counted to hold max_tokens; raise max_search_work or max_tokens"
        )
