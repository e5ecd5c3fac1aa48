"""Many messages of mail in one file (RFC 4155), one after another."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Final

from fumehood.errors import refusal
from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import encoding, mailbox, mime_parts
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.encoding import warm as warm
from fumehood.loaders.shared.mail_message import Walk

ENGINES: Final[Mapping[str, str]] = {"justhtml": version("justhtml")}


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    """Raises the refusals `kind-mismatch`, `parts` and `nesting`. A part's number starts with its message's."""
    data = mailbox.normalised(data)
    walk = Walk(out, budget, options.charset)
    for place, message in enumerate(mailbox.messages(data), 1):
        number = str(place)
        root = mime_parts.parse(message, budget, number)
        if place == 1 and not root.headers and not encoding.is_text(data):
            raise refusal("kind-mismatch")
        walk.read(root, number)
