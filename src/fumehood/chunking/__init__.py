"""From a document to chunks: exact slices that know their headings, their source and what to repeat beside them.

from fumehood.chunking import chunk

for piece in chunk(document, max_size=1_500):
    store(piece.id, piece.embedding_text, piece.locators)

It runs in the caller's process, on a document that passed: nothing is parsed again, and time is linear in the text.
"""

from __future__ import annotations

from fumehood.chunking.errors import ChunkingError, SearchExhausted, TooManyChunks, UnitTooLarge
from fumehood.chunking.model import Chunk, Context
from fumehood.chunking.options import Options
from fumehood.chunking.outline import Heading, Outline
from fumehood.chunking.pack import Span, pack
from fumehood.chunking.registry import Strategy, get_strategy, register_strategy, strategies
from fumehood.chunking.split import VERSION, chunk, iter_chunks, sections
from fumehood.chunking.tokens import ApproximateTokenizer, Tokenizer, from_tiktoken, from_tokenizers

__all__ = [
    "VERSION",
    "ApproximateTokenizer",
    "Chunk",
    "ChunkingError",
    "Context",
    "Heading",
    "Options",
    "Outline",
    "SearchExhausted",
    "Span",
    "Strategy",
    "Tokenizer",
    "TooManyChunks",
    "UnitTooLarge",
    "chunk",
    "from_tiktoken",
    "from_tokenizers",
    "get_strategy",
    "iter_chunks",
    "pack",
    "register_strategy",
    "sections",
    "strategies",
]
