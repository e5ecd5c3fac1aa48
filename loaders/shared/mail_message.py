"""What a reader of mail sees of a message: its head, the best form of its body, the messages in it, its attachments.

The multipart rules are those of RFC 2046, 5.1, RFC 2387 (related), RFC 1847 (signed, encrypted) and RFC 6522 (report).
The walk goes over a stack of its own, so that its depth is the one of `nesting` and of nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from fumehood.document import Locator
from fumehood.errors import Refusal
from fumehood.hygiene import clean_line
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import mail_body, mail_charset, mail_head, mime_parts, mime_transfer
from fumehood.loaders.shared.attachments import attach, is_of_the_whole, within
from fumehood.loaders.shared.builder import MAX_NAME, Builder
from fumehood.loaders.shared.mail_alike import Shown
from fumehood.loaders.shared.mime_parts import SHOWN, Entity, leaves
from fumehood.loaders.shared.mime_transfer import Decoded
from fumehood.loaders.shared.mime_words import text_of

_HEAD: Final = 1_024
_FORMAT_NOTE: Final = re.compile(rb"multi-?part (?:message|section) in mime format", re.IGNORECASE)
_SIGNATURES: Final = frozenset(
    {"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"}
)
_ENVELOPES: Final = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
# RFC 5652, 6.1: the content type of enveloped data, 1.2.840.113549.1.7.3, in DER.
_ENVELOPED: Final = b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03"
_REPORTS: Final = frozenset(
    (
        *("message/delivery-status", "message/disposition-notification", "message/feedback-report", "message/partial"),
        # RFC 6533, 3 to 6.
        *("message/global-delivery-status", "message/global-disposition-notification", "message/global-headers"),
    )
)
_NAMED_BODIES: Final = SHOWN | {"text/calendar"}
"""Text that is shown in place also where it was a file; a table or a patch with a name is a document by itself."""
_LONGEST_TYPE: Final = 100


class Attached(NamedTuple):
    """Something attached to a message, decoded when it is its turn."""

    locator: Locator
    name: str
    media_type: str
    label: str
    decoded: Callable[[], Decoded]
    is_listed: bool


class _Message:
    """A message at hand: how deep its headings stand, and what is attached to it."""

    def __init__(self, level: int) -> None:
        self.level = level
        self.attached: list[Attached] = []


class Walk:
    """Says messages to `out`. `charset` is for parts that name none."""

    def __init__(self, out: Builder, budget: Budget, charset: str | None = None) -> None:
        self._out = out
        self._budget = budget
        self._charset = charset
        self._stack: list[Callable[[], None]] = []
        self._alternatives = 0
        self._shown = Shown()  # what was said of the best forms of the alternatives at hand
        self.bodies = 0
        """How many blocks were said of bodies and attachments, in all messages."""
        self.refused: Refusal | None = None
        """Why the first part that could not be read was not."""
        self.is_encrypted = False
        """Whether there is a part that cannot be read without a key."""

    def read(self, root: Entity, number: str = "") -> None:
        """All of a message, which has that part number. Raises the refusals of what the whole document shares."""
        self._message(root, number, _Message(0))
        while self._stack:
            self._stack.pop()()

    def _later(self, *acts: Callable[[], None]) -> None:
        """What is to be done next, in this order."""
        self._stack.extend(reversed(acts))

    # ---- messages ----------------------------------------------------------------------------------

    def _message(self, root: Entity, number: str, message: _Message) -> None:
        locator = Locator(path=number[:MAX_NAME]) if number else None
        mail_head.say(root.headers, charset_of(root), self._out, message.level + 1, locator)
        if root.repaired:
            self._out.notice("repaired", locator)
        self._later(partial(self._entity, root, message), partial(self._attachments, message))

    def _embedded(self, entity: Entity, message: _Message) -> None:
        """A message in the message, as a section below it."""
        inner = _Message(message.level + 1)
        if entity.children:
            self._message(entity.children[0], entity.number, inner)
            return
        data = mime_transfer.decode(entity.body, entity.encoding).data
        # It may hold another that is encoded, hardly shorter, and so on.
        self._budget.spend("inflated_bytes", len(data))
        root = mime_parts.parse(data, self._budget, entity.number, entity.number.count(".") + 1)
        self._message(root, entity.number, inner)

    # ---- entities ----------------------------------------------------------------------------------

    def _entity(self, entity: Entity, message: _Message) -> None:
        if entity.is_multipart and entity.children:
            self._multipart(entity, message)
        elif entity.is_message:
            self._embedded(entity, message)
        elif entity.media_type == "message/external-body":
            self._out.notice("external-target", entity.locator)
        elif entity.media_type in _ENVELOPES and _ENVELOPED in _decoded(entity).data[:_HEAD]:
            self._encrypted(entity)
        elif _is_body(entity):
            self._body(entity, message)
        else:
            self._attach(entity, message)

    def _multipart(self, entity: Entity, message: _Message) -> None:
        subtype = entity.media_type.removeprefix("multipart/")
        if subtype == "encrypted":
            self._encrypted(entity)
            return
        self._unseen(entity, entity.start, entity.preamble_end)
        if subtype == "alternative" and entity.is_shown:
            self._alternative(entity, message)
        elif subtype == "related":
            self._related(entity, message)
        else:
            self._later(*(partial(self._entity, child, message) for child in entity.children))
        if entity.epilogue_start is not None:
            self._unseen(entity, entity.epilogue_start, entity.end)

    def _alternative(self, entity: Entity, message: _Message) -> None:
        """The last form that can be shown is the best one (RFC 2046, 5.1.4); what is no form of it is shown as well."""
        best = next(child for child in reversed(entity.children) if child.is_shown)
        others = [child for child in entity.children if child is not best and child.is_shown]
        further = [child for child in entity.children if not child.is_shown]
        self._alternatives += 1
        self._later(
            partial(self._entity, best, message),
            partial(self._compare, others, self.bodies, message),
            *(partial(self._entity, child, message) for child in further),
        )

    def _compare(self, others: list[Entity], before: int, message: _Message) -> None:
        """Of the forms that were not shown, what the best one does not say is said as hidden.

        Where nothing could be said of that one, the next best is shown in its place. `before`: the blocks until then.
        """
        for leaf in (leaf for other in reversed(others) for leaf in leaves(other)):
            if not _is_body(leaf):
                self._entity(leaf, message)
                continue
            inner = self._read(leaf, message)
            if inner is not None and self.bodies == before:
                self._say(inner, leaf)
            elif inner is not None:
                self._say_other(inner, leaf)
        self._alternatives -= 1
        if not self._alternatives:
            self._shown = Shown()

    def _say_other(self, inner: Builder, leaf: Entity) -> None:
        text, locate = inner.text(), within(leaf.locator)
        own = [block for block in inner.blocks if not self._shown.says(text[block.start : block.end])]
        for block in own:
            self._out.paragraph(text[block.start : block.end], locator=locate(block.locator), visible=False)
        if own:
            self._out.notice("hidden-text", leaf.locator)

    def _related(self, entity: Entity, message: _Message) -> None:
        """The root is named or the first (RFC 2387, 3.2) that can be shown; the others are pictures and styles in it."""
        wanted = entity.content.parameters.get("start", "").strip()
        named = (child for child in entity.children if wanted and child.headers.text("content-id") == wanted)
        root = next(named, None) or next((child for child in entity.children if child.is_shown), entity.children[0])
        self._later(partial(self._entity, root, message))
        for child in entity.children:
            if child is root:
                continue
            if child.media_type.startswith("image/"):
                self._out.notice("image-not-read", child.locator)
            else:
                self._attach(child, message)

    def _encrypted(self, entity: Entity) -> None:
        self.is_encrypted = True
        self._out.notice("attachment-not-read", entity.locator, "encrypted")

    def _unseen(self, entity: Entity, start: int, end: int) -> None:
        """What stands before or behind the parts (RFC 2046, 5.1.1): nobody sees it, and it is mostly one known sentence."""
        data = entity.data[start:end].strip()
        if not data or (len(data) < _HEAD and _FORMAT_NOTE.search(data)):
            return
        self._out.paragraph(text_of(data, charset_of(entity)), locator=entity.locator, visible=False)
        self._out.notice("hidden-text", entity.locator)

    # ---- leaves ------------------------------------------------------------------------------------

    def _body(self, entity: Entity, message: _Message) -> None:
        inner = self._read(entity, message)
        if inner is not None:
            self._say(inner, entity)

    def _say(self, inner: Builder, entity: Entity) -> None:
        self.bodies += len(inner.blocks)
        if self._alternatives:
            self._shown.add(inner.text())
        self._out.append(inner, within(entity.locator))

    def _read(self, entity: Entity, message: _Message) -> Builder | None:
        """The part, or None where it cannot be read, which is said; one that is no text is attached."""
        decoded = _decoded(entity)
        if entity.media_type == "text/plain":
            decoded = self._without_files(entity, decoded, message)
        level = self._out.level + message.level + 1
        try:
            return mail_body.read(entity, decoded, self._budget, level, self._charset)
        except Refusal as refused:
            if is_of_the_whole(refused, self._budget):
                raise
            if refused.code == "kind-mismatch":
                self._attach(entity, message)
            else:
                self.refused = self.refused or refused
                self._out.notice("part-unreadable", entity.locator, refused.code)
            return None

    def _without_files(self, entity: Entity, decoded: Decoded, message: _Message) -> Decoded:
        """A text without the files that stand in it as uuencode writes them; those are attached."""
        at, pieces = 0, []
        while (found := mime_transfer.uu_file(decoded.data, at)) is not None:
            pieces.append(decoded.data[at : found.start])
            at = found.end
            self._budget.spend("parts")
            contents = Decoded(found.data, found.repaired)
            message.attached.append(
                Attached(entity.locator, text_of(found.name), "", "", partial(_same, contents), is_listed=True)
            )
        return decoded._replace(data=b"".join((*pieces, decoded.data[at:]))) if at else decoded

    def _attach(self, entity: Entity, message: _Message) -> None:
        message.attached.append(
            Attached(
                entity.locator,
                entity.name,
                entity.media_type,
                entity.content.parameters.get("charset", ""),
                partial(_decoded, entity),
                is_listed=entity.media_type not in _SIGNATURES,
            )
        )

    def _attachments(self, message: _Message) -> None:
        """At the end of a message, as its readers see them: read, or by name, type and size."""
        group = self._out.new_group() if message.attached else 0
        for attached in message.attached:
            decoded = attached.decoded()
            name = _file_name(attached.name)
            was_read = attach(
                decoded.data,
                self._out,
                self._budget,
                attached.locator,
                name=name,
                media_type=attached.media_type,
                charset=mail_charset.declared(attached.label, decoded.data) or "",
                level=message.level + 2,
            )
            if decoded.repaired:
                self._out.notice("repaired", attached.locator)
            self.bodies += was_read
            if not was_read and attached.is_listed:
                about = f"{attached.media_type[:_LONGEST_TYPE] or 'uuencode'}, {len(decoded.data):,} bytes"
                item = f"{name} ({about})" if name else about
                self._out.list_item(item, 1, group, locator=attached.locator)


def _file_name(said: str) -> str:
    """The last part of a path, of either kind of system."""
    said = said[-MAX_NAME:]
    return clean_line(said[max(said.rfind("/"), said.rfind("\\")) + 1 :])


def _same(decoded: Decoded) -> Decoded:
    return decoded


def _decoded(entity: Entity) -> Decoded:
    """The body of a part; that of a multipart is never encoded (RFC 2045, 6.4)."""
    return Decoded(entity.body) if entity.is_multipart else mime_transfer.decode(entity.body, entity.encoding)


def _is_body(entity: Entity) -> bool:
    """Whether it is shown in place. A multipart without parts is read as the text it is."""
    if entity.is_multipart:
        return True
    if entity.is_attachment or entity.media_type == "text/rtf":
        return False
    if entity.media_type.startswith("text/"):
        return entity.media_type in _NAMED_BODIES or not entity.name
    return entity.media_type in _REPORTS


def charset_of(entity: Entity) -> str | None:
    """The encoding that an entity says it is in, where it is one."""
    return mail_charset.known(entity.content.parameters.get("charset", ""))
