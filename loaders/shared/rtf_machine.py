r"""Runs through RTF: keeps the groups, decodes what is text, and gives control words to their handlers.

It knows no control word by itself but those of the syntax: `\'hh`, `\u`, `\bin`, `\*` (RTF 1.9.1, "RTF Syntax").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.ooxml_symbols import UNMAPPED, mapped
from fumehood.loaders.shared.rtf_fonts import Fonts
from fumehood.loaders.shared.rtf_state import Collected, Sink, State
from fumehood.loaders.shared.rtf_tokens import (
    BINARY,
    BRACE,
    HEX,
    SYMBOL,
    TEXT,
    TOKEN,
    UNICODE,
    WORDS,
    Handler,
    Runs,
    binary_end,
    group_end,
    number,
    words,
)
from fumehood.loaders.shared.tally import Tally

_HEX_LENGTH: Final = len(rb"\'00")
_PRIVATE: Final = range(0xF000, 0xF100)
"""Where writers put the codes of symbol fonts."""
_REPLACED: Final = "\N{REPLACEMENT CHARACTER}"
_ALTERNATIVE: Final = re.compile(rb"\}[\r\n ]*\{[\r\n ]*\\\*[\r\n ]*\\ud(?![a-z])")
_BLANK: Final = b"\0\t\n\r \x1a"


class Machine:
    """One document while it is read. `repairs`: names of what was found broken and made the best of."""

    def __init__(self, data: bytes, sink: Sink, fonts: Fonts, budget: Budget, tally: Tally) -> None:
        self._data = data
        self._fonts = fonts
        self._budget = budget
        self._tally = tally
        self._stack: list[State] = []
        self._bytes = bytearray()  # text that is not decoded yet: a character may go on in the next token
        self._skipped = 0  # characters still to be skipped behind \u
        self._high = 0  # the first half of a surrogate pair
        self._starred = False
        self._group = 0
        self._jump = False
        self._skip_next = False
        self._taker: Callable[[bytes], None] | None = None
        self._handlers: Mapping[bytes, Handler] = {}
        self._symbols: Mapping[bytes, Callable[[], None]] = {}
        self._characters: Mapping[bytes, str] = {}
        self._runs = Runs(self._handlers)
        self.repairs: set[str] = set()
        self.state = State(sink, fonts.document)

    def run(
        self,
        at: int,
        handlers: Mapping[bytes, Handler],
        symbols: Mapping[bytes, Callable[[], None]],
        characters: Mapping[bytes, str],
    ) -> None:
        r"""Reads the document that starts at `at`. Raises the refusals `nesting` and `nodes`.

        `symbols`: what control symbols do, by their character. `characters`: the control words that are text; they may
        stand in for a character behind `\u`.
        """
        self._handlers, self._symbols, self._characters = handlers, symbols, characters
        self._runs = Runs(handlers)
        at = self._stretch(at)
        while self._stack and at < len(self._data):
            at = self._stretch(at)
        if self._stack:
            self.repairs.add("nesting")
        while self._stack:
            self._close()
        self.flush()

    # ---- for handlers ----------------------------------------------------------------------------

    @property
    def depth(self) -> int:
        return len(self._stack)

    def text(self, text: str) -> None:
        """Adds characters to the text."""
        self.flush()
        self.state.sink.add(text, self.state.hiding)

    def flush(self) -> None:
        """Decodes what is held back; to be called before anything changes that says how."""
        if self._high:
            self._high = 0
            self._bad(_REPLACED)
        if self._bytes:
            text = self._decoded(bytes(self._bytes))
            self._bytes.clear()
            self.state.sink.add(text, self.state.hiding)

    def set_font(self, font: int | None) -> None:
        r"""Bytes are of `font` from here on, and so are codes of symbols; None is the default one."""
        state = self.state
        codec, symbols = self._fonts.encoding(self._fonts.default if font is None else font)
        if codec != state.codec or symbols != state.symbols:
            self.flush()
            state.codec, state.symbols = codec, symbols
        state.font = font

    def fonts_changed(self) -> None:
        """Asks again what each font says about bytes, in the groups around the font table as well."""
        self.flush()
        self._budget.spend("nodes", 1 + self.depth)
        for state in (*self._stack, self.state):
            font = self._fonts.default if state.font is None else state.font
            state.codec, state.symbols = self._fonts.encoding(font)

    def set_codec(self, codec: str) -> None:
        self.flush()
        self.state.codec, self.state.symbols = codec, None

    def enter(self, sink: Sink, on_close: Callable[[], None]) -> None:
        """The rest of the group goes to `sink`; `on_close` is called once the group is closed."""
        self.flush()
        self.state.sink = sink
        self.at_close(on_close)

    def collect(self, use: Callable[[str], None]) -> None:
        """The text of the rest of the group goes to `use`, once it is whole."""
        collected = Collected()
        self.enter(collected, lambda: use(collected.text()))

    def at_close(self, act: Callable[[], None]) -> None:
        """Calls `act` when the group is closed, before all that were to be called already and what it changed is undone."""
        self._budget.spend("nodes")
        if self.state.closers is None:
            self.state.closers = []
        self.state.closers.append(act)

    def skip(self) -> None:
        """Skips the rest of the group unread."""
        if self._stack:
            self._jump = True

    def take(self, taker: Callable[[bytes], None]) -> None:
        """Skips the rest of the group and gives all of its bytes to `taker`. For groups in the document only."""
        if self.depth > 1:
            self._jump = True
            self._taker = taker

    def skip_next(self) -> None:
        r"""Skips the group that comes next, for what stands in the `\ud` behind it (RTF 1.9.1, "Unicode RTF")."""
        self._skip_next = True

    # ---- tokens ----------------------------------------------------------------------------------

    def _stretch(self, at: int) -> int:
        """Reads from `at` until the end, or until something is to be skipped; returns where to go on."""
        data = self._data
        for token in TOKEN.finditer(data, at):
            kind = token.lastindex
            if kind == TEXT:
                self._text(token[TEXT])
            elif kind == WORDS:
                self._words(token[WORDS])
                if self._jump:
                    return self._jumped(token.end())
            elif kind == BRACE:
                at = self._brace(token[BRACE], token.end())
                if at != token.end():
                    return at
            elif kind == HEX:
                self._hex(token[HEX])
            elif kind == UNICODE:
                self._unicode(number(token[UNICODE]))
            elif kind == SYMBOL:
                self._symbol(token[SYMBOL])
            elif kind == BINARY:
                return self._binary(token.end(), token[BINARY])
        return len(data)

    def _brace(self, brace: bytes, at: int) -> int:
        """Opens or closes a group; returns where to go on, `at` if nothing is skipped."""
        if brace == b"{":
            self._open(at)
            return self._alternative_end(at) if self._skip_next else at
        self._close()
        if self._stack:
            return at
        self._judge_rest(at)
        return len(self._data)

    def _open(self, at: int) -> None:
        self._budget.spend("nodes")
        self._skipped = 0
        self._group = at
        self._stack.append(self.state)
        self._budget.check("nesting", len(self._stack))
        self.state = self.state.inherited()

    def _close(self) -> None:
        if not self._stack:
            return
        self._skipped = 0
        self._starred = self._skip_next = False
        closed, outer = self.state, self._stack[-1]
        if (
            closed.closers is not None
            or closed.codec != outer.codec
            or closed.sink is not outer.sink
            or closed.hiding != outer.hiding
            or closed.symbols != outer.symbols
        ):
            self.flush()
        for act in reversed(closed.closers or ()):
            act()
        self.state = self._stack.pop()

    def _words(self, run: bytes) -> None:
        known = self._runs.of(run)
        if self._starred:
            self._starred = False
            if not known.known:
                self._jump = bool(self._stack)
                return
        if self._skipped:
            self._words_behind_unicode(run)
            return
        for handler, value in known.effects:
            handler(value)
            if self._jump:
                break

    def _words_behind_unicode(self, run: bytes) -> None:
        r"""A control word counts as one of the characters to be skipped. If it is none, it is obeyed all the same."""
        for word, value in words(run):
            if self._skipped:
                self._skipped -= 1
                if word in self._characters:
                    continue
            handler = self._handlers.get(word)
            if handler is not None:
                handler(value)
                if self._jump:
                    break

    def _text(self, text: bytes) -> None:
        if self._skipped:
            skipped = min(self._skipped, len(text))
            self._skipped -= skipped
            text = text[skipped:]
        self._starred = False
        self._bytes += text

    def _hex(self, run: bytes) -> None:
        if self._skipped:
            skipped = min(self._skipped, len(run) // _HEX_LENGTH)
            self._skipped -= skipped
            run = run[skipped * _HEX_LENGTH :]
        self._bytes += bytes.fromhex(run.translate(None, b"\\'").decode("ascii"))

    def _unicode(self, code: int) -> None:
        r"""`\u` is a signed 16-bit number, and a character beyond the first plane two of them; some write it whole."""
        code += 0x10000 if code < 0 else 0
        if self._bytes:
            self.flush()
        if self._high and 0xDC00 <= code < 0xE000:
            high, self._high = self._high, 0
            self._add(chr(0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00)))
        elif 0xD800 <= code < 0xDC00:
            self.flush()
            self._high = code
        else:
            self.flush()
            self._character(code)
        self._skipped = self.state.skip

    def _character(self, code: int) -> None:
        symbols = self.state.symbols
        if code in _PRIVATE or (symbols is not None and 0x20 <= code <= 0xFF):
            character = mapped(code, symbols)
            if character == UNMAPPED:
                self._tally.add("unmapped-glyphs")
            self._add(character)
        elif 0 <= code <= 0x10FFFF and not 0xD800 <= code < 0xE000:
            self._add(chr(code))
        else:
            self._bad(_REPLACED)

    def _symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self._starred = True
            return
        if self._skipped:
            self._skipped -= 1
        elif symbol in b"\\{}":
            self._bytes += symbol
        else:
            act = self._symbols.get(symbol)
            if act is not None:
                act()

    def _binary(self, start: int, digits: bytes) -> int:
        end = binary_end(start, digits, len(self._data))
        if self._skipped:
            self._skipped -= 1
        if end > len(self._data):
            self.repairs.add("stream")
        return min(end, len(self._data))

    def _jumped(self, at: int) -> int:
        self._jump = False
        taker, self._taker = self._taker, None
        end = group_end(self._data, at, self.depth, self._budget)
        if taker is not None:
            taker(self._data[self._group : end])
        return end

    def _alternative_end(self, at: int) -> int:
        self._skip_next = False
        end = group_end(self._data, at, self.depth, self._budget)
        if _ALTERNATIVE.match(self._data, end) is None:
            self.repairs.add("control")
        return end

    def _judge_rest(self, at: int) -> None:
        """Nobody shows what comes behind the document."""
        if self._data[at:].strip(_BLANK):
            self.repairs.add("trailer")

    # ---- text ------------------------------------------------------------------------------------

    def _add(self, text: str) -> None:
        self.state.sink.add(text, self.state.hiding)

    def _bad(self, text: str) -> None:
        self.repairs.add("encoding")
        self._add(text)

    def _decoded(self, raw: bytes) -> str:
        symbols = self.state.symbols
        if symbols is not None:
            text = "".join(mapped(byte, symbols) if byte >= 0x20 else chr(byte) for byte in raw)
            if UNMAPPED in text:
                self._tally.add("unmapped-glyphs", count=text.count(UNMAPPED))
            return text
        text = raw.decode(self.state.codec, "replace")
        if _REPLACED in text:
            self.repairs.add("encoding")
        return text
