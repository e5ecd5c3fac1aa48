"""From files and uploads to an index that stays true to them; see :class:`Pipeline`."""

from __future__ import annotations

from fumehood.ingest.chunker import Chunker
from fumehood.ingest.items import Item, Unlisted
from fumehood.ingest.listing import Listing
from fumehood.ingest.outcome import KindRow, Outcome, Summary
from fumehood.ingest.patterns import Patterns
from fumehood.ingest.pipeline import Pipeline, ingest_isolated
from fumehood.ingest.pruning import Everything, Scope

__all__ = [
    "Chunker",
    "Everything",
    "Item",
    "KindRow",
    "Listing",
    "Outcome",
    "Patterns",
    "Pipeline",
    "Scope",
    "Summary",
    "Unlisted",
    "ingest_isolated",
]
