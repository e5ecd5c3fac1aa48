"""One message of mail (RFC 5322), with all that MIME puts into it (RFC 2045 to 2049)."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Final

from fumehood.errors import refusal
from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import encoding, mail_head, mailbox, mime_parts
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.encoding import warm as warm
from fumehood.loaders.shared.mail_message import Walk, charset_of

ENGINES: Final[Mapping[str, str]] = {"justhtml": version("justhtml")}


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    """Raises the refusals `kind-mismatch`, `parts`, `nesting`, and `encrypted` where nothing can be read without a key."""
    data = mailbox.normalised(data)
    line = mailbox.from_line(data)
    root = mime_parts.parse(data[line:] if line else data, budget)
    if not root.headers and not encoding.is_text(data):
        raise refusal("kind-mismatch")
    mail_head.describe(root.headers, charset_of(root), out)
    walk = Walk(out, budget, options.charset)
    walk.read(root)
    if walk.bodies:
        return
    if walk.is_encrypted:
        raise refusal("encrypted")
    if walk.refused is not None:
        raise walk.refused
