"""What a process has loaded of this package, as one value: parent and zygote must have the same.

A zygote is started from what is on disk, which an installer may have changed since the parent was started. The two
would then disagree on kinds, on messages or on what a reply may hold, and good documents be refused as broken.
"""

from __future__ import annotations

import msgspec

from fumehood import kinds
from fumehood.document import Block, Link, Notice
from fumehood.errors import DETAILS, RefusalFacts
from fumehood.sandbox import frames, messages
from fumehood.version import VERSION


def identity() -> bytes:
    """The version, the built-in kinds, and the types of all that passes between the processes; from memory, never disk.

    Not a digest of them: the libraries behind `hashlib` would be memory that every worker copies.
    """
    exchanged = (messages.AnyMessage, frames.Started, frames.Head, frames.Done, RefusalFacts, Block, Link, Notice)
    parts = (VERSION, kinds.all_built_in(), DETAILS, msgspec.json.schema_components(exchanged))
    return msgspec.msgpack.encode(parts, order="deterministic")
