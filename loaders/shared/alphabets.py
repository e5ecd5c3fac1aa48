"""How well a text's letters fit one language's alphabet: what tells code pages apart on short texts.

A wrong code page gives letters that no single language uses together, capitals in the middle of words, and
symbols where letters should be. The alphabets are those of the Unicode CLDR (exemplar characters), with
what is common in quotations and names left out.
"""

# ruff: noqa: RUF001
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

_LATIN: Final = (
    "äöüß",  # German
    "àâæçéèêëîïôœùûüÿ",  # French
    "áéíñóúüï",  # Spanish
    "àáâãçéêíóôõúü",  # Portuguese
    "àéèìíîòóùú",  # Italian
    "àçéèíïóòúü·",  # Catalan
    "æøåéèêóòôäö",  # Danish, Norwegian
    "åäöéàü",  # Swedish, Finnish
    "åäöšžđŋčŧ",  # Sami
    "áðéíóúýþæö",  # Icelandic
    "éëïöüèáíóú",  # Dutch
    "àáâéêèëîïíôòóûùúŵŷ",  # Welsh, Irish
    "ëç",  # Albanian
    "äõöüšž",  # Estonian
    "ąćęłńóśźż",  # Polish
    "áčďéěíňóřšťúůýž",  # Czech
    "áäčďéíĺľňóôŕšťúýž",  # Slovak
    "áéíóöőúüű",  # Hungarian
    "čćđšž",  # Croatian, Slovenian
    "ăâîșțşţ",  # Romanian
    "âçğıîöşüûi̇",  # Turkish
    "ąčęėįšųūž",  # Lithuanian
    "āčēģīķļņšūžōŗ",  # Latvian
    "ăâđêôơưàáèéìíòóùúýãõ\u0300\u0301\u0303\u0309\u0323₫",  # Vietnamese, as windows-1258 spells it
    "ĉĝĥĵŝŭ",  # Esperanto
)
_OTHERS: Final = (
    "абвгдежзийклмнопрстуфхцчшщъыьэюяё",  # Russian
    "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",  # Ukrainian
    "абвгдеёжзійклмнопрстуўфхцчшыьэюя",  # Belarusian
    "абвгдђежзијклљмнњопрстћуфхцчџшѓѕќѝ",  # Serbian, Macedonian
    "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",  # Greek
    "אבגדהוזחטיךכלםמןנסעףפץצקרשת\u05b0\u05b1\u05b2\u05b3\u05b4\u05b5\u05b6\u05b7\u05b8\u05b9\u05bb\u05bc\u05be\u05c1\u05c2₪",  # Hebrew
    "ءآأؤإئابةتثجحخدذرزسشصضطظعغـفقكلمنهوىيً\u064c\u064d\u064e\u064f\u0650\u0651\u0652،؛؟پچژگکی",  # Arabic, Persian
)

# Stands in texts of every language. Superscripts are missing: they are what Polish turns into in windows-1252.
_COMMON: Final = frozenset("\xa0\xad«»‹›‘’‚“”„–—…•·§©®™°€£¥½¼¾±×÷µ¡¿ªº‰№´")

# Names from many countries in one list: of no single language, but most likely of windows-1252.
_WESTERN: Final = "àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿœšž"
_WESTERN_WEIGHT: Final = 0.95


def _alphabet(letters: str) -> frozenset[str]:
    return frozenset(letters) | frozenset(letters.upper()) | _COMMON


_PAIR: Final = re.compile(r"(?s)(?=(.[^\x00-\x7f]))")
_LATIN_ALPHABETS: Final = tuple(map(_alphabet, _LATIN))
_ALPHABETS: Final = (*_LATIN_ALPHABETS, *map(_alphabet, _OTHERS))
_WESTERN_LETTERS: Final = _alphabet(_WESTERN)


def pairs_of(text: str) -> Iterable[tuple[str, int]]:
    """Each character outside ASCII behind the one before it, with how often they stand so."""
    return Counter(_PAIR.findall(" " + text)).items()


def latin_fit(pairs: Iterable[tuple[str, int]]) -> float:
    """The share, 0 to 1, of the characters outside ASCII that fit one Latin alphabet; 1 if there are none.

    `pairs`: as :func:`pairs_of` counts them.
    """
    return _best_share(_characters(pairs), _LATIN_ALPHABETS)


def fit(text: str) -> float:
    """The same for the alphabets of all scripts, and with a little less for the letters of Western Europe together."""
    characters = _characters(pairs_of(text))
    western = _WESTERN_WEIGHT * _best_share(characters, (_WESTERN_LETTERS,))
    return max(western, _best_share(characters, _ALPHABETS))


def _characters(pairs: Iterable[tuple[str, int]]) -> Counter[str]:
    """How often each second character stands there; capitals after a small letter count under ""."""
    counts: Counter[str] = Counter()
    for pair, count in pairs:
        before, char = pair[0], pair[1]
        counts["" if char.isupper() and before.islower() else char] += count
    return counts


def _best_share(characters: Counter[str], alphabets: tuple[frozenset[str], ...]) -> float:
    total = characters.total()
    if not total:
        return 1.0
    return max(sum(map(characters.__getitem__, alphabet.intersection(characters))) for alphabet in alphabets) / total
