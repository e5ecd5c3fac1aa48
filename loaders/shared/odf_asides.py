"""Notes, comments and tracked changes (ODF 1.3 part 3, 6.3, 14.1 and 5.5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from fumehood.document import Role
from fumehood.hygiene import clean_line
from fumehood.loaders.shared.lines import behind
from fumehood.loaders.shared.odf_names import Attributes, qname
from fumehood.loaders.shared.odf_text import TextReader
from fumehood.loaders.shared.odf_xml import Dispatcher
from fumehood.loaders.shared.story_items import Aside, AsideKind, Item, Paragraph, Reference, as_lines
from fumehood.loaders.shared.tally import Tally

_CLASS: Final = qname("text:note-class")
_CHANGE: Final = qname("text:change-id")
_ID: Final = qname("xml:id")
_TEXT_ID: Final = qname("text:id")


@dataclass(slots=True)
class _OpenAside:
    kind: AsideKind
    first: int
    items: list[Item] = field(default_factory=list)
    author: list[str] = field(default_factory=list)


class AsideReader:
    """Gives notes and comments to `asides`, by an identifier of ours, and deleted text to where it stood."""

    def __init__(
        self, dispatcher: Dispatcher, text: TextReader, tally: Tally, asides: dict[AsideKind, dict[str, Aside]]
    ) -> None:
        self._dispatcher = dispatcher
        self._text = text
        self._tally = tally
        self._asides = asides
        self._open_asides: list[_OpenAside] = []
        self._deleted: dict[str, list[Item]] = {}
        self._deletion = ""
        self._deletions: set[str] = set()
        on = dispatcher.on
        on("text:note", self._start_note, self._end_aside)
        on("office:annotation", self._start_comment, self._end_aside)
        on("dc:creator", self._start_creator, self._end_creator)
        on("text:changed-region", self._changed_region)
        on("text:deletion", self._start_deletion, text.pop)
        on("text:change", self._change)
        on("text:change-start", self._change_start)
        on("text:change-end", self._change_end)
        dispatcher.skip_all("text:note-citation", "office:change-info")

    def finish(self) -> None:
        """Gives text that was deleted at a place that nothing names."""
        for items in self._deleted.values():
            self._give_deleted(items)
        self._deleted.clear()

    # ---- notes and comments ----------------------------------------------------------------------

    def _start_note(self, attributes: Attributes) -> None:
        self._open_aside("endnote" if attributes.get(_CLASS) == "endnote" else "footnote")

    def _start_comment(self, attributes: Attributes) -> None:
        self._open_aside("comment")

    def _open_aside(self, kind: AsideKind) -> None:
        aside = _OpenAside(kind, self._text.count + 1)
        self._open_asides.append(aside)
        self._text.push(aside.items.append)

    def _end_aside(self) -> None:
        self._text.pop()
        aside = self._open_asides.pop()
        lines = as_lines(aside.items)
        author = clean_line("".join(aside.author))
        if author and lines.text:
            lines.text, lines.links = behind(f"{author}: ", (lines.text, lines.links))
        known = self._asides.setdefault(aside.kind, {})
        identifier = str(len(known))
        role: Role = "comment" if aside.kind == "comment" else "note"
        locator = self._text.where(aside.first, self._text.count) if self._text.count >= aside.first else None
        known[identifier] = Aside(role, lines, locator)
        line = self._text.story.line
        visible = self._text.story.visible and (line is None or line.is_seen)
        reference = Reference(aside.kind, identifier, visible)
        if line is not None:
            line.references.append(reference)
        else:
            self._text.apart()(Paragraph("", references=[reference], locator=locator))

    def _start_creator(self, attributes: Attributes) -> None:
        if self._open_asides and self._text.story.line is None:
            self._dispatcher.sink = self._open_asides[-1].author.append

    def _end_creator(self) -> None:
        if self._text.story.line is None:
            self._dispatcher.sink = None

    # ---- tracked changes -------------------------------------------------------------------------

    def _changed_region(self, attributes: Attributes) -> None:
        self._deletion = attributes.get(_ID) or attributes.get(_TEXT_ID, "")

    def _start_deletion(self, attributes: Attributes) -> None:
        self._deletions.add(self._deletion)
        self._text.push(self._deleted.setdefault(self._deletion, []).append)

    def _change(self, attributes: Attributes) -> None:
        """Here stood what was deleted (5.5.7.4)."""
        items = self._deleted.pop(attributes.get(_CHANGE, ""), None)
        if items is not None:
            self._give_deleted(items)

    def _change_start(self, attributes: Attributes) -> None:
        """Flat files of LibreOffice leave deleted text where it stood, between marks like those of inserted text (5.5.7)."""
        change = attributes.get(_CHANGE, "")
        if change in self._deletions:
            self._text.start_deletion(change)

    def _change_end(self, attributes: Attributes) -> None:
        self._text.end_deletion(attributes.get(_CHANGE, ""))

    def _give_deleted(self, items: list[Item]) -> None:
        lines = as_lines(items)
        references = [Reference(kind, identifier, False) for kind, identifier, _ in lines.references]
        hidden = [*lines.hidden]
        if lines.text.strip():
            hidden.insert(0, ("deleted-text", lines.text))
        line = self._text.story.line
        if line is not None:
            line.references.extend(references)
            for why, text in hidden:
                line.hide(why, text)
            return
        self._text.flush()
        locator = self._text.where(max(1, self._text.count), self._text.count)
        for why, _ in hidden:
            self._tally.add(why, locator)
        self._text.story.emit(Paragraph("", references=references, hidden=hidden, locator=locator))
