"""What RTF's control words mean: characters, paragraphs, tables, and the destinations that text can go to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from fumehood.document import Locator, Role
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import rtf_fields as fields
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.rtf_characters import CHARACTERS, PARAGRAPH_ENDS, SYMBOLS
from fumehood.loaders.shared.rtf_colors import LIT, SHADED, is_painted, white_colors
from fumehood.loaders.shared.rtf_destinations import ENTERED, SKIPPED
from fumehood.loaders.shared.rtf_fonts import Fonts, code_page
from fumehood.loaders.shared.rtf_info import NUMBERS, TEXTS, TIMES, moment
from fumehood.loaders.shared.rtf_machine import Machine
from fumehood.loaders.shared.rtf_sections import HEADERS, Sections
from fumehood.loaders.shared.rtf_story import Look, Story, open_story
from fumehood.loaders.shared.rtf_styles import Styles, outline_heading
from fumehood.loaders.shared.rtf_table import RowEdges
from fumehood.loaders.shared.rtf_tokens import Handler
from fumehood.loaders.shared.story_items import Aside, AsideKind, Item, Reference, as_lines
from fumehood.loaders.shared.story_writer import Writer
from fumehood.loaders.shared.tally import Tally
from fumehood.loaders.shared.text_look import LEAST_POINTS


class Document:
    """One document while it is read."""

    def __init__(self, data: bytes, out: Builder, budget: Budget) -> None:
        self._data = data
        self._out = out
        self._budget = budget
        self._tally = Tally()
        self._fonts = Fonts()
        self._styles = Styles()
        self._asides: dict[AsideKind, dict[str, Aside]] = {"footnote": {}, "comment": {}}
        self._writer = Writer(out, self._asides)
        self._sections = Sections(self._writer, self._tally)
        self._body = Story(budget, self._tally, self._sections.write)
        self._machine = Machine(data, self._body, self._fonts, budget, self._tally)
        self._row = RowEdges()
        self._nested_row = RowEdges()
        self._labels = False  # whether any number or bullet was said
        self._white: frozenset[int] = frozenset()
        self._author = ""
        self._metadata: dict[str, str] = {}

    def read(self, at: int) -> None:
        """Reads the document that starts at `at`."""
        self._machine.run(at, self._handlers(), self._symbols(), CHARACTERS)
        self._sections.end()
        self._writer.finish()
        self._tally.say(self._out)
        for name in sorted(self._machine.repairs):
            self._out.notice("repaired", detail=name)
        self._out.set_title(self._metadata.pop("title", None))
        for key, value in self._metadata.items():
            self._out.set_metadata(key, value)

    # ---- handlers --------------------------------------------------------------------------------

    def _handlers(self) -> dict[bytes, Handler]:
        machine = self._machine
        return {
            **{word: self._on_nothing for word in ENTERED},
            **{word: self._on_skipped for word in SKIPPED},
            **{word: partial(self._on_character, text) for word, text in CHARACTERS.items()},
            **{word: partial(self._on_header, word) for word in HEADERS},
            **{word: partial(self._on_text_of_info, key) for word, key in TEXTS.items()},
            **{word: partial(self._on_number_of_info, key) for word, key in NUMBERS.items()},
            **{word: partial(self._on_time_of_info, key) for word, key in TIMES.items()},
            **self._property_handlers(),
            b"rtf": lambda _: machine.at_close(lambda: self._body.finish(self._look(self._body))),
            b"ansicpg": self._on_code_page,
            b"mac": partial(self._on_charset, "mac-roman"),
            b"pc": partial(self._on_charset, "cp437"),
            b"pca": partial(self._on_charset, "cp850"),
            b"deff": self._on_default_font,
            b"colortbl": lambda _: machine.take(self._read_colors),
            b"fonttbl": lambda _: machine.take(self._read_fonts),
            b"stylesheet": lambda _: machine.take(lambda group: self._styles.read(group, self._budget)),
            b"info": lambda _: machine.set_codec(self._fonts.document),
            b"par": lambda _: self._end_paragraph(),
            b"sect": lambda _: self._end_section(),
            b"cell": lambda _: self._end_cell(nested=False),
            b"nestcell": lambda _: self._end_cell(nested=True),
            b"row": lambda _: self._end_row(nested=False),
            b"nestrow": lambda _: self._end_row(nested=True),
            b"trowd": self._on_row,
            b"trleft": self._on_row_left,
            b"cellx": self._on_cell_edge,
            b"listtext": lambda _: self._enter_label(),
            b"pntext": lambda _: self._enter_label(),
            b"footnote": lambda _: self._enter_aside("footnote", "note"),
            b"annotation": lambda _: self._enter_aside("comment", "comment"),
            b"atnauthor": lambda _: self._enter_author(),
            b"atnid": lambda _: self._enter_author(),
            b"shptxt": lambda _: self._enter_box(),
            b"dptxbxtext": lambda _: self._enter_box(),
            b"pict": self._on_picture,
            b"sv": self._on_shape_value,
            b"object": lambda _: self._tally.add("object-not-read", self._locator()),
            b"objattph": lambda _: self._tally.add("attachment-not-read", self._locator()),
            b"upr": lambda _: machine.skip_next(),
            b"titlepg": partial(self._on_title_page, True),
            b"sectd": partial(self._on_title_page, False),
            **fields.handlers(machine, self._budget),
        }

    def _property_handlers(self) -> dict[bytes, Handler]:
        machine = self._machine
        return {
            b"f": machine.set_font,
            b"uc": self._on_skip_count,
            b"plain": self._on_plain,
            b"v": partial(self._on_hiding, "hidden"),
            b"deleted": partial(self._on_hiding, "deleted"),
            b"mvf": partial(self._on_hiding, "deleted"),
            b"cf": self._on_color,
            b"fs": self._on_size,
            **{word: partial(self._on_backed, "lit") for word in LIT},
            **{word: partial(self._on_backed, "shaded") for word in SHADED},
            b"pard": self._on_paragraph_defaults,
            b"intbl": partial(self._set, "in_table", True),
            b"itap": partial(self._set_value, "itap", 1),
            b"s": partial(self._set_value, "style", 0),
            b"outlinelevel": partial(self._set_value, "outline", 0),
            b"ls": partial(self._set_value, "list_id", 0),
            b"ilvl": partial(self._set_value, "list_level", 0),
            b"nesttableprops": partial(self._set, "nested", True),
        }

    def _symbols(self) -> Mapping[bytes, Callable[[], None]]:
        return {
            **{symbol: partial(self._machine.text, text) for symbol, text in SYMBOLS.items()},
            **dict.fromkeys(PARAGRAPH_ENDS, self._end_paragraph),
        }

    # ---- characters and properties ---------------------------------------------------------------

    def _on_nothing(self, _: int | None) -> None:
        """The word is known, and that is all."""

    def _on_skipped(self, _: int | None) -> None:
        self._machine.skip()

    def _on_character(self, text: str, _: int | None) -> None:
        self._machine.text(text)

    def _set(self, name: str, value: bool, _: int | None) -> None:
        setattr(self._machine.state, name, value)

    def _set_value(self, name: str, default: int, value: int | None) -> None:
        setattr(self._machine.state, name, default if value is None else value)

    def _on_hiding(self, name: str, value: int | None) -> None:
        """A toggle: the parameter 0 turns it off."""
        self._machine.flush()
        setattr(self._machine.state, name, value != 0)

    def _on_plain(self, _: int | None) -> None:
        if self._machine.state.hiding is not None:
            self._machine.flush()
        self._machine.state.reset_characters()
        self._machine.set_font(None)

    def _on_color(self, value: int | None) -> None:
        self._change("white", (value or 0) in self._white)

    def _on_size(self, value: int | None) -> None:
        """In half points; without a number it is 24."""
        self._change("tiny", value is not None and 0 < value < 2 * LEAST_POINTS)

    def _on_backed(self, name: str, value: int | None) -> None:
        """Colours, patterns and effects behind or around letters; 0 is none."""
        self._change(name, value != 0)

    def _change(self, name: str, value: bool) -> None:
        """Of how letters look, which writers say again and again."""
        state = self._machine.state
        if getattr(state, name) != value:
            self._machine.flush()
            setattr(state, name, value)

    def _on_paragraph_defaults(self, _: int | None) -> None:
        if self._machine.state.white:
            self._machine.flush()
        self._machine.state.reset_paragraph()

    def _read_colors(self, group: bytes) -> None:
        """What is white, unless pages have a colour, or shapes may stand behind their text."""
        white = white_colors(group, self._budget)
        if white and not is_painted(self._data):
            self._white = white

    def _on_skip_count(self, value: int | None) -> None:
        self._machine.state.skip = max(0, 1 if value is None else value)

    def _on_code_page(self, value: int | None) -> None:
        codec = code_page(value)
        if codec is not None:
            self._on_charset(codec, None)

    def _on_charset(self, codec: str, _: int | None) -> None:
        self._fonts.document = codec
        self._machine.fonts_changed()

    def _on_default_font(self, value: int | None) -> None:
        self._fonts.default = value
        self._machine.fonts_changed()

    def _read_fonts(self, group: bytes) -> None:
        self._fonts.read(group, self._budget)
        self._machine.fonts_changed()

    # ---- paragraphs and tables -------------------------------------------------------------------

    def _locator(self) -> Locator:
        return Locator(paragraph=self._body.number)

    def _look(self, story: Story, level: int | None = None) -> Look:
        state = self._machine.state
        if level is None:
            level = state.level
        if not story.holds_something:
            return Look(level)
        style = self._styles.of(state.style)
        label = story.label
        if label is None and state.list_id > 0 and not self._labels:
            # The writer left it to the reader to number its lists: there are items, if no more.
            label = "-"
        return Look(
            level,
            style.heading if state.outline is None else outline_heading(state.outline),
            style.role,
            label,
            max(0, state.list_level) + 1,
            str(state.list_id),
        )

    def _end_paragraph(self) -> None:
        story = open_story(self._machine)
        if story is not None:
            story.end_paragraph(self._look(story))

    def _end_section(self) -> None:
        story = open_story(self._machine)
        if story is self._body:
            story.finish(self._look(story))
            self._sections.end()

    def _end_cell(self, *, nested: bool) -> None:
        story = open_story(self._machine)
        if story is not None:
            story.end_cell(self._look(story, self._row_level(nested)))

    def _end_row(self, *, nested: bool) -> None:
        story = open_story(self._machine)
        if story is not None:
            story.end_row(self._look(story, self._row_level(nested)), self._nested_row if nested else self._row)

    def _row_level(self, nested: bool) -> int:
        r"""`\cell` and `\row` are of the outermost table whatever else is said, `\nestcell` and `\nestrow` of an inner one."""
        return max(2, self._machine.state.level) if nested else 1

    def _on_row(self, _: int | None) -> None:
        if self._machine.state.nested:
            self._nested_row = RowEdges()
        else:
            self._row = RowEdges()

    def _edges(self) -> RowEdges:
        return self._nested_row if self._machine.state.nested else self._row

    def _on_row_left(self, value: int | None) -> None:
        self._edges().left = value or 0

    def _on_cell_edge(self, value: int | None) -> None:
        self._edges().add(value or 0)

    # ---- destinations ----------------------------------------------------------------------------

    def _enter_story(self, anchor: int, use: Callable[[list[Item]], None]) -> Story:
        """The group is a story of its own; `use` takes its items."""
        items: list[Item] = []
        story = Story(self._budget, self._tally, items.append, anchor)
        self._budget.spend("nodes")

        def close() -> None:
            story.finish(self._look(story))
            use(items)

        self._machine.enter(story, close)
        self._machine.state.reset_paragraph()
        return story

    def _on_header(self, word: bytes, _: int | None) -> None:
        self._enter_story(0, partial(self._sections.add, word))

    def _on_title_page(self, has_one: bool, _: int | None) -> None:
        self._sections.title_page = has_one

    def _enter_label(self) -> None:
        story = open_story(self._machine)
        if story is not None:
            self._machine.collect(partial(self._set_label, story))

    def _set_label(self, story: Story, text: str) -> None:
        self._labels = True
        label = " ".join(text.split())
        # What is neither letter nor digit is a bullet, whatever its font makes of it.
        story.label = label if any(map(str.isalnum, label)) else "-"

    def _enter_author(self) -> None:
        self._machine.collect(self._set_author)

    def _set_author(self, text: str) -> None:
        self._author = " ".join(text.split())

    def _enter_aside(self, kind: AsideKind, role: Role) -> None:
        around = open_story(self._machine)
        if around is None:
            self._machine.skip()
            return
        number = around.number
        visible = self._machine.state.hiding is None
        found = self._asides[kind]

        def close(items: list[Item]) -> None:
            reference = Reference(kind, str(len(found)), visible)
            found[reference.id] = Aside(role, as_lines(items), Locator(paragraph=number) if number else None)
            around.refer(reference)

        story = self._enter_story(number, close)
        if kind == "comment" and self._author:
            story.add(f"{self._author}: ", None)
            self._author = ""

    def _enter_box(self) -> None:
        around = open_story(self._machine)
        if around is not None:
            self._enter_story(around.number, around.box)
            self._machine.state.boxed = True

    def _on_picture(self, _: int | None) -> None:
        self._tally.add("image-not-read", self._locator())
        self._machine.skip()

    def _on_shape_value(self, _: int | None) -> None:
        self._machine.take(self._judge_shape_value)

    def _judge_shape_value(self, group: bytes) -> None:
        if b"\\pict" in group:
            self._tally.add("image-not-read", self._locator())

    # ---- metadata --------------------------------------------------------------------------------

    def _on_text_of_info(self, key: str, _: int | None) -> None:
        self._machine.collect(lambda text: self._say(key, text.removesuffix(";") if key == "generator" else text))

    def _on_number_of_info(self, key: str, value: int | None) -> None:
        if value is not None and value > 0:
            self._say(key, str(value))

    def _on_time_of_info(self, key: str, _: int | None) -> None:
        self._machine.take(lambda group: self._say(key, moment(group) or ""))

    def _say(self, key: str, value: str) -> None:
        if value.strip():
            self._metadata.setdefault(key, value)
