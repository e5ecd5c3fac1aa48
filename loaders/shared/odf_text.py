"""Paragraphs, headings, lists and sections, and what stands in their text (ODF 1.3 part 3, 5 to 7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fumehood.hygiene import clean, clean_line
from fumehood.loaders.shared.lines import joined
from fumehood.loaders.shared.odf_line import Line, is_odd
from fumehood.loaders.shared.odf_lists import BULLET, MAX_LEVEL, Counter, Counters, ListStyle, level_of, start_value
from fumehood.loaders.shared.odf_names import Attributes, count, qname
from fumehood.loaders.shared.odf_story import Emit, OpenList, Story, Where
from fumehood.loaders.shared.odf_styles import PLAIN, Styles
from fumehood.loaders.shared.odf_xml import Dispatcher, Start
from fumehood.loaders.shared.story_items import (
    Item,
    Paragraph,
)
from fumehood.loaders.shared.tally import Tally

MAX_SPACES: Final = 256
"""Of one `text:s`. It may claim thousands of millions; nobody wants to read more than these."""

_STYLE: Final = qname("text:style-name")
_OUTLINE: Final = qname("text:outline-level")
_IS_HEADER: Final = qname("text:is-list-header")
_RESTART: Final = qname("text:restart-numbering")
_COUNT: Final = qname("text:c")
_HREF: Final = qname("xlink:href")
_IS_HIDDEN: Final = qname("text:is-hidden")
_DISPLAY: Final = qname("text:display")
_STRING: Final = qname("text:string-value")
_ID: Final = qname("xml:id")
_LIST_ID: Final = qname("text:list-id")
_CONTINUES: Final = qname("text:continue-list")
_GOES_ON: Final = qname("text:continue-numbering")
_SOURCES: Final = (
    "table-of-content",
    "illustration-index",
    "table-index",
    "object-index",
    "user-index",
    "alphabetical-index",
    "bibliography",
)


class TextReader:
    """Turns text content into items and gives them to the story that is open.

    `on_master` is told of each page that begins with another master page. `on_white`: nothing but white paper is behind
    the body's text.
    """

    def __init__(
        self,
        dispatcher: Dispatcher,
        styles: Styles,
        tally: Tally,
        emit: Emit,
        where: Where,
    ) -> None:
        self.styles = styles
        self.count = 0
        self.where = where
        self.on_white = False
        self.on_master: Callable[[str], None] | None = None
        self._dispatcher = dispatcher
        self._tally = tally
        self._counters = Counters()
        self._outline = Counter("outline")
        self._stories: list[Story] = []
        self.story = Story(emit)
        self._deletions: set[str] = set()  # those that stand in the text and are open
        self._pieces: list[str] = []  # of a paragraph that is nothing but text, so far
        self._register(dispatcher)

    def _register(self, dispatcher: Dispatcher) -> None:
        on = dispatcher.on
        on("text:p", self._start_paragraph, self._end_paragraph)
        on("text:h", self._start_heading, self._end_paragraph)
        on("loext:p", self._start_paragraph, self._end_paragraph)
        on("text:span", self._start_span, self._leave)
        on("text:s", self._spaces)
        on("text:tab", self._literal("\t"))
        on("text:line-break", self._literal("\n"))
        on("text:a", self.start_link, self.end_link)
        on("text:ruby-text", self._literal("("), self._end_ruby)
        on("text:list", self._start_list, self._end_list)
        on("text:list-item", self._start_item, self.flush)
        on("text:list-header", self._start_list_header, self.flush)
        on("text:numbered-paragraph", self._start_numbered, self._end_list)
        on("text:section", self._start_section, self._end_section)
        on("text:section-source", self._section_source)
        on("text:hidden-text", self._hidden_text)
        on("text:hidden-paragraph", self._hidden_paragraph)
        on("text:script", self._script)
        for field_name in ("variable-set", "variable-input", "user-field-get", "user-field-input"):
            on(f"text:{field_name}", self._start_field, self._leave)
        dispatcher.skip_all("text:ruby-properties", "office:forms")
        dispatcher.skip_all("office:event-listeners", "text:linenumbering-configuration")
        dispatcher.skip_all(*(f"text:{name}-source" for name in _SOURCES))

    # ---- stories ---------------------------------------------------------------------------------

    def push(self, emit: Emit) -> Story:
        """What follows is a story of its own, until :meth:`pop`; as visible as what is around it."""
        return self.enter(Story(emit, self.story.visible))

    def enter(self, story: Story) -> Story:
        """The same with a story that is there already."""
        self._stories.append(self.story)
        self.story = story
        self._dispatcher.sink = None
        return story

    def pop(self) -> None:
        if self.story.held is not None:
            self.flush()
        self.story = self._stories.pop()
        line = self.story.line
        self._dispatcher.sink = None if line is None else line.add

    def apart(self) -> Emit:
        """Where a text box or a table goes that starts now: behind the open paragraph, else to the open story."""
        story = self.story
        if story.line is not None:
            return story.line.boxes.append
        return story.box or self.emit_to(story)

    def emit_to(self, story: Story) -> Emit:
        def emit(item: Item) -> None:
            self._flush_story(story)
            story.emit(item)

        return emit

    def flush(self) -> None:
        self._flush_story(self.story)

    def _flush_story(self, story: Story) -> None:
        held, story.held = story.held, None
        if held is not None:
            story.emit(held)

    # ---- paragraphs ------------------------------------------------------------------------------

    def _start_paragraph(self, attributes: Attributes) -> None:
        story = self.story
        if story.line is not None:
            story = self.push(story.line.boxes.append)
            story.passing = True
        self.count += 1
        style = self.styles.paragraph(attributes.get(_STYLE)) if attributes else PLAIN
        if style.is_plain and story.plain is not None and not self._deletions:
            self._pieces = []
            self._dispatcher.sink = self._pieces.append
            self._dispatcher.before_next = self._open_line
            return
        if style.master_page and self.on_master is not None and not self._stories:
            self.flush()
            self.on_master(style.master_page)
        # What is not the body's own stands on fills of tables and boxes.
        line = story.line = Line(self.count, style, on_white=self._is_on_white)
        if self._deletions:
            line.delete(is_deleted=True)
        if style.heading is not None:
            line.level = style.heading
            line.is_numbered = False
        self._dispatcher.sink = line.add

    def _open_line(self) -> None:
        """A paragraph that was taken for nothing but text has more in it, or is more."""
        self._dispatcher.before_next = None
        line = self.story.line = Line(self.count, PLAIN, on_white=self._is_on_white)
        for piece in self._pieces:
            line.add(piece)
        self._dispatcher.sink = line.add

    @property
    def _is_on_white(self) -> bool:
        return self.on_white and not self._stories and not self.styles.is_painted

    def _start_heading(self, attributes: Attributes) -> None:
        self._start_paragraph(attributes)
        if self.story.line is None:
            self._open_line()
        line = self.story.line
        if line is not None:
            line.level = count(attributes, _OUTLINE, MAX_LEVEL)
            line.is_numbered = attributes.get(_IS_HEADER) != "true"
            if attributes.get(_RESTART) == "true":
                line.start = start_value(attributes, 1)

    def _end_paragraph(self) -> None:
        dispatcher, story = self._dispatcher, self.story
        if dispatcher.before_next is not None:
            text = "".join(self._pieces).strip(" ")
            if not is_odd(text):
                dispatcher.sink = dispatcher.before_next = None
                if text and story.plain is not None:
                    story.plain.append((text, []))
                return
            self._open_line()
        line = story.line
        story.line = dispatcher.sink = None
        if line is None:
            return
        paragraph = line.taken(self.where(line.first, line.first))
        paragraph.visible = story.visible
        self._say(line, paragraph)
        self._give(story, line, paragraph)
        if line.more is not None and line.boxes:
            self._flush_story(story)
            for box in line.boxes:
                story.emit(box)
        if story.passing:
            self.pop()

    def _give(self, story: Story, line: Line, paragraph: Paragraph) -> None:
        if line.level is not None and paragraph.text.strip():
            paragraph.heading = line.level
        if story.lists:
            self._in_list(story, line, paragraph)
            return
        if line.level is not None:
            self._number_heading(line, paragraph)
        self._flush_story(story)
        story.emit(paragraph)

    def _say(self, line: Line, paragraph: Paragraph) -> None:
        for why, _ in paragraph.hidden:
            self._tally.add(why, paragraph.locator)
        if line.removed:
            self._tally.add("controls-removed", count=line.removed)

    def _number_heading(self, line: Line, paragraph: Paragraph) -> None:
        """By the outline, or by the list that its style names (5.1.2, 16.34)."""
        named = line.style.list_style
        if not line.is_numbered or named == "" or line.level is None:
            return
        levels: ListStyle = self.styles.outline
        counter = self._outline
        if named is not None and named in self.styles.lists:
            levels = self.styles.list_style(named)
            counter = self._counters.open(named, None, None, goes_on=True)
        if levels:
            label = counter.next(levels, line.level, line.start)
            paragraph.label = None if label in ("", "-") else label

    # ---- lists -----------------------------------------------------------------------------------

    def _start_list(self, attributes: Attributes) -> None:
        self.flush()
        story = self.story
        around = story.lists[-1] if story.lists else None
        style = attributes.get(_STYLE) or (None if around is None else around.style_name)
        if around is not None:
            opened = OpenList(style, around.counter, min(around.level + 1, MAX_LEVEL))
        else:
            goes_on = attributes.get(_GOES_ON) == "true"
            counter = self._counters.open(style, attributes.get(_ID), attributes.get(_CONTINUES), goes_on=goes_on)
            opened = OpenList(style, counter, 1)
        story.lists.append(opened)

    def _start_numbered(self, attributes: Attributes) -> None:
        """A paragraph that says by itself of which list it is (5.3.6)."""
        self.flush()
        counter = self._counters.shared(attributes.get(_LIST_ID, ""))
        counter.style = attributes.get(_STYLE) or counter.style
        self.story.lists.append(OpenList(counter.style, counter, level_of(attributes), start=start_value(attributes)))

    def _end_list(self) -> None:
        self.flush()
        if self.story.lists:
            self.story.lists.pop()

    def _start_item(self, attributes: Attributes) -> None:
        self._begin_item(is_header=False, start=start_value(attributes))

    def _start_list_header(self, attributes: Attributes) -> None:
        self._begin_item(is_header=True, start=-1)

    def _begin_item(self, *, is_header: bool, start: int) -> None:
        self.flush()
        if self.story.lists:
            opened = self.story.lists[-1]
            opened.begun, opened.is_header, opened.start = False, is_header, start

    def _in_list(self, story: Story, line: Line, paragraph: Paragraph) -> None:
        opened = story.lists[-1]
        if opened.begun:
            if story.held is not None and paragraph.heading is None:
                _go_on(story.held, paragraph)
                return
        elif not opened.is_header and (paragraph.text.strip() or not paragraph.hidden):
            opened.begun = True
            self._number_item(opened, line, paragraph)
        self._flush_story(story)
        if paragraph.label is not None and paragraph.heading is None and paragraph.text.strip():
            story.held = paragraph
        else:
            story.emit(paragraph)

    def _number_item(self, opened: OpenList, line: Line, paragraph: Paragraph) -> None:
        name = opened.style_name or line.style.list_style
        levels = self.styles.list_style(name) or {opened.level: BULLET}
        label = opened.counter.next(levels, opened.level, opened.start)
        if paragraph.heading is not None and label == "-":
            label = ""
        paragraph.label = label or None
        paragraph.depth = opened.level
        paragraph.list_id = opened.counter.name

    # ---- inside a paragraph ----------------------------------------------------------------------

    def _literal(self, text: str) -> Start:
        def add(attributes: Attributes) -> None:
            if self.story.line is not None:
                self.story.line.literal(text)

        return add

    def _spaces(self, attributes: Attributes) -> None:
        if self.story.line is not None:
            self.story.line.literal(" " * count(attributes, _COUNT, MAX_SPACES))

    def _end_ruby(self) -> None:
        if self.story.line is not None:
            self.story.line.literal(")")

    def _start_span(self, attributes: Attributes) -> None:
        if self.story.line is not None:
            look = self.styles.span(attributes.get(_STYLE))
            self.story.line.enter("hidden-text" if look.hidden else None, look._replace(hidden=None))

    def _leave(self) -> None:
        if self.story.line is not None:
            self.story.line.leave()

    def start_link(self, attributes: Attributes) -> None:
        if self.story.line is not None:
            self.story.line.open_link(clean_line(attributes.get(_HREF, "")))
        elif attributes.get(_HREF):
            self._tally.add("link-dropped")

    def end_link(self) -> None:
        if self.story.line is not None and not self.story.line.close_link():
            self._tally.add("link-dropped")

    def start_deletion(self, change: str) -> None:
        """Text that is deleted and still stands where it stood begins here, and may end in another paragraph."""
        self._deletions.add(change)
        self._judge_deletions()

    def end_deletion(self, change: str) -> None:
        self._deletions.discard(change)
        self._judge_deletions()

    def _judge_deletions(self) -> None:
        if self.story.line is not None:
            self.story.line.delete(is_deleted=bool(self._deletions))

    def _hidden_text(self, attributes: Attributes) -> None:
        """7.7.3: when it is hidden, what would be shown is an attribute."""
        if attributes.get(_IS_HIDDEN) == "true" and self.story.line is not None:
            self.story.line.hide("hidden-text", clean(attributes.get(_STRING, ""))[0])
            self._dispatcher.skip()

    def _hidden_paragraph(self, attributes: Attributes) -> None:
        if attributes.get(_IS_HIDDEN) == "true" and self.story.line is not None:
            self.story.line.hide_all()

    def _start_field(self, attributes: Attributes) -> None:
        """A field that sets a variable may show nothing (19.798)."""
        if self.story.line is not None:
            self.story.line.enter("hidden-text" if attributes.get(_DISPLAY) == "none" else None)

    def _script(self, attributes: Attributes) -> None:
        self._tally.add("script-present")
        self._dispatcher.skip()

    # ---- sections --------------------------------------------------------------------------------

    def _start_section(self, attributes: Attributes) -> None:
        self.flush()
        display = attributes.get(_DISPLAY)
        hidden = display == "none" or (display == "condition" and attributes.get(_IS_HIDDEN) == "true")
        if hidden:
            self._tally.add("hidden-text", self.where(self.count + 1, self.count + 1))
        self.story.sections.append(self.story.visible)
        self.story.visible = self.story.visible and not hidden

    def _end_section(self) -> None:
        self.flush()
        if self.story.sections:
            self.story.visible = self.story.sections.pop()

    def _section_source(self, attributes: Attributes) -> None:
        """The section shows another document (5.4.3); what it showed last stands in it."""
        if attributes.get(_HREF):
            self._tally.add("external-target")


def _go_on(item: Paragraph, paragraph: Paragraph) -> None:
    """Another paragraph of the same list item: a line of its own below the first."""
    item.references += paragraph.references
    item.hidden += paragraph.hidden
    if paragraph.text.strip():
        item.text, item.links = joined([(item.text, item.links), (paragraph.text, paragraph.links)])
