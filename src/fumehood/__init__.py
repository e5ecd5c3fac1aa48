"""Read documents that strangers send, each in a sandboxed process of its own.

from fumehood import Refusal, read_isolated

try:
    document = read_isolated("auto", upload)
except Refusal as refusal:
    reject(refusal.code)
else:
    store(document.text)
"""

from fumehood.document import Block, Document, Link, Locator, Notice, Receipt
from fumehood.errors import (
    ArchiveBomb,
    DocumentReadTimeout,
    DocumentTooComplex,
    DocumentTooLarge,
    EncryptedDocument,
    MalformedDocument,
    Refusal,
    SandboxUnavailable,
    ScannedDocument,
    UnsupportedKind,
    WorkerFailed,
)
from fumehood.kinds import Kind, ReadOptions, register
from fumehood.limits.policy import Limits
from fumehood.reader import Reader, close_default_reader, read_isolated
from fumehood.sandbox.layers import DEFAULT_REQUIRE

__all__ = [
    "DEFAULT_REQUIRE",
    "ArchiveBomb",
    "Block",
    "Document",
    "DocumentReadTimeout",
    "DocumentTooComplex",
    "DocumentTooLarge",
    "EncryptedDocument",
    "Kind",
    "Limits",
    "Link",
    "Locator",
    "MalformedDocument",
    "Notice",
    "ReadOptions",
    "Reader",
    "Receipt",
    "Refusal",
    "SandboxUnavailable",
    "ScannedDocument",
    "UnsupportedKind",
    "WorkerFailed",
    "close_default_reader",
    "read_isolated",
    "register",
]
