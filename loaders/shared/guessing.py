"""Guesses the encoding of text that is neither declared nor UTF-8, from a bounded sample, with charset-normalizer."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from charset_normalizer import CharsetMatch, from_bytes

from fumehood.loaders.shared.alphabets import fit, latin_fit

PREFERRED: Final = "cp1252"
"""The Web's own default (WHATWG Encoding Standard, section 4.2), and by far the most common of the undeclared."""

_LATIN: Final = (
    "cp1252",
    "iso8859-15",
    "cp1250",
    "iso8859-2",
    "cp1254",
    "cp1257",
    "iso8859-13",
    "cp1258",
    "cp850",
    "mac-roman",
    "cp852",
    "cp437",
)
"""In the order in which they are believed where they read equally well."""

_OTHERS: Final = (
    "cp1251",
    "cp1253",
    "cp1255",
    "cp1256",
    "cp874",
    "iso8859-5",
    "iso8859-6",
    "iso8859-7",
    "iso8859-8",
    "koi8-r",
    "koi8-u",
    "cp866",
    "mac-cyrillic",
    "mac-greek",
    "cp932",
    "euc-jp",
    "cp949",
    "big5",
    "gb18030",
)
CANDIDATES: Final = _LATIN + _OTHERS
"""What undeclared files are really written in. Rare sets, EBCDIC above all, only win by accident on short texts."""

_MULTIBYTE: Final = frozenset({"cp932", "euc-jp", "cp949", "big5", "gb18030"})

_WINDOW: Final = 1_024
_WINDOWS: Final = 8
_BEFORE: Final = 160
_HIGH: Final = re.compile(rb"[\x80-\xff]")
_HIGH_PAIR: Final = re.compile(rb"(?s)(?=(.[\x80-\xff]))")
# Neither the second byte of a character of any candidate nor a part of a word.
_BOUNDARY: Final = re.compile(rb"[\t\n\r !\"'(),.]")

_LATIN_DENSITY: Final = 0.4
"""Of the bytes of Latin text that are no white space, at most so many are not ASCII."""
_LATIN_FIT: Final = 0.9

_FOREIGN: Final = re.compile(r"[^\x00-\x7f]")
_HIRAGANA: Final = re.compile(r"[\u3041-\u3093]")
_HIRAGANA_SHARE: Final = 0.2
_REPLACED: Final = "\N{REPLACEMENT CHARACTER}"

# Below these differences the library's order is chance.
_NEAR_MESS: Final = 0.01
_NEAR_COHERENCE: Final = 0.1


def sample_of(data: bytes) -> bytes:
    """At most 8 KiB of `data` around bytes that are not ASCII, spread over the whole, cut between words."""
    if len(data) <= _WINDOWS * _WINDOW:
        return data
    step = len(data) // _WINDOWS
    windows: list[bytes] = []
    at = 0
    while len(windows) < _WINDOWS and (found := _HIGH.search(data, at)):
        start = _boundary_before(data, found.start(), max(at, found.start() - _BEFORE))
        end = min(len(data), start + _WINDOW)
        if end < len(data):
            end = _boundary_before(data, end, end - _BEFORE)
        windows.append(data[start:end])
        at = max(end, start + step)
    return b"\n".join(windows)


def _boundary_before(data: bytes, at: int, floor: int) -> int:
    """Where a word starts at or before `at`, not before `floor`; `at` itself if there is no boundary."""
    last = at
    for match in _BOUNDARY.finditer(data, floor, at):
        last = match.end()
    return last


def guess(data: bytes) -> str:
    """The name in `errors.CHARSETS` of the encoding that `data` is most likely of.

    Time does not grow with `data` but for one search for bytes that are not ASCII.
    """
    sample = sample_of(data)
    return _latin(sample) or _japanese(sample) or _chosen(_matches_of(sample), sample)


def _latin(sample: bytes) -> str | None:
    """The Latin code page in which the letters make one language's alphabet, or None if none does.

    charset-normalizer compares letter frequencies, which on a few lines prefers cp850 for German.
    """
    visible = sample.translate(None, b" \t\r\n")
    high = len(visible) - len(visible.translate(None, bytes(range(0x80, 0x100))))
    if high > _LATIN_DENSITY * len(visible):
        return None
    # All of these have one byte for each character, so that each pair is decoded but once, however often it occurs.
    pairs = Counter(_HIGH_PAIR.findall(b" " + sample)).items()
    best, best_fit = "", 0.0
    for name in _LATIN:
        found = latin_fit((pair.decode(name, "replace"), count) for pair, count in pairs)
        if found > best_fit:
            best, best_fit = name, found
        if best_fit == 1:
            break
    return best if best_fit >= _LATIN_FIT else None


def _japanese(sample: bytes) -> str | None:
    """The encoding in which a good part of the characters are hiragana: no other text has them by accident."""
    for name in ("euc-jp", "cp932"):
        text = codecs.getincrementaldecoder(name)("replace").decode(sample)
        foreign = len(_FOREIGN.findall(text))
        if _REPLACED not in text and len(_HIRAGANA.findall(text)) > _HIRAGANA_SHARE * foreign:
            return name
    return None


def _matches_of(sample: bytes) -> list[CharsetMatch]:
    matches = _matches(sample)
    if sample[-1:] >= b"\x80" and not any(_name(match) in _MULTIBYTE for match in matches):
        # The file may end in the middle of a character, which rules out every multi-byte encoding.
        matches = sorted([*matches, *(match for match in _matches(sample[:-1]) if _name(match) in _MULTIBYTE)])
    return matches


def _matches(sample: bytes) -> list[CharsetMatch]:
    """What charset-normalizer thinks possible, likeliest first."""
    found: Iterable[CharsetMatch] = from_bytes(
        sample,
        steps=_WINDOWS,
        chunk_size=_WINDOW,
        cp_isolation=[name.replace("-", "_") for name in CANDIDATES],
        preemptive_behaviour=False,
        enable_fallback=False,
    )
    return list(found)


def _chosen(matches: list[CharsetMatch], sample: bytes) -> str:
    if not matches:
        return PREFERRED
    best = matches[0]
    near = [
        name.replace("_", "-")
        for match in matches
        if match.chaos - best.chaos <= _NEAR_MESS and best.coherence - match.coherence <= _NEAR_COHERENCE
        for name in match.could_be_from_charset
    ]
    # Both are stable: of what fits equally well, the preferred one is taken, then what the library thinks likelier.
    near.sort(key=lambda name: name != PREFERRED)
    return max(near, key=lambda name: fit(sample.decode(name, "replace")))


def _name(match: CharsetMatch) -> str:
    return match.encoding.replace("_", "-")


def warm() -> None:
    """Runs every table of charset-normalizer once: it looks codecs up by names of its own."""
    texts = {
        "cp1252": "Le cœur déçu mais l'âme plutôt naïve, Louÿs rêva de crapaüter en canoë au delà des îles.",
        "cp1251": "Съешь же ещё этих мягких французских булок, да выпей чаю.",
        "cp1253": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.",
        "cp1255": "דג סקרן שט בים מאוכזב ולפתע מצא חברה.",
        "cp1256": "نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر.",
        "cp874": "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า",
        "cp932": "いろはにほへとちりぬるを我が世誰ぞ常ならむ",
        "cp949": "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다.",
        "big5": "繁體中文的文字編碼",
        "gb18030": "简体中文的文字编码",
    }
    for name, text in texts.items():
        guess(text.encode(name))
    for name in CANDIDATES:
        _matches(bytes(range(0x20, 0x100)))
        bytes(range(0x80, 0x100)).decode(name.replace("-", "_"), "replace")
