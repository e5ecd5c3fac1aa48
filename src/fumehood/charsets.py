"""Names of character encodings: what a caller or a document may call one, and what we call it.

The labels are those of the WHATWG Encoding Standard, section 4.2, and the names of Python's codecs. As
there, `latin1`, `ascii`, `gb2312` and the like mean the larger sets that the files so labelled use.
"""

from __future__ import annotations

import encodings
from encodings.aliases import aliases
from typing import Final

from fumehood.errors import CHARSETS

_WHATWG: Final[dict[str, str]] = {
    label: charset
    for charset, labels in {
        "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8",
        "utf-16": "unicode ucs-2 iso-10646-ucs-2 csunicode unicodefeff",
        "utf-16-be": "unicodefffe",
        "cp1252": "ascii us-ascii latin1 l1 iso-8859-1 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 iso-ir-100 "
        "csisolatin1 ansi_x3.4-1968 cp819 ibm819 x-cp1252",
        "cp1254": "iso-8859-9 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 latin5 l5 iso-ir-148 csisolatin5 x-cp1254",
        "cp874": "iso-8859-11 iso8859-11 iso885911 tis-620 dos-874 windows-874",
        "cp1250": "x-cp1250",
        "cp1251": "x-cp1251",
        "cp1253": "x-cp1253",
        "cp1255": "x-cp1255",
        "cp1256": "x-cp1256",
        "cp1257": "x-cp1257",
        "cp1258": "x-cp1258",
        "gb18030": "gb2312 gbk chinese csgb2312 csiso58gb231280 gb_2312 gb_2312-80 iso-ir-58 x-gbk",
        "big5hkscs": "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
        "cp932": "shift_jis shift-jis sjis x-sjis ms_kanji csshiftjis ms932 windows-31j",
        "cp949": "euc-kr cseuckr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949",
        "euc-jp": "x-euc-jp cseucpkdfmtjapanese",
        "iso2022-jp": "csiso2022jp",
        "iso8859-6": "iso-8859-6-e iso-8859-6-i csiso88596e csiso88596i",
        "iso8859-7": "sun_eu_greek",
        "iso8859-8": "iso-8859-8-e iso-8859-8-i csiso88598e csiso88598i logical visual",
        "iso8859-15": "csisolatin9",
        "koi8-r": "koi koi8 koi8_r",
        "koi8-u": "koi8-ru",
        "mac-roman": "mac x-mac-roman csmacintosh",
        "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
        "cp866": "866 csibm866",
    }.items()
    for label in labels.split()
}


def charset(label: str) -> str:
    """The name in `errors.CHARSETS` of the encoding that `label` means; `bytes.decode` takes it.

    Raises `ValueError` for a label that is neither of the WHATWG's nor a Python codec of text that we keep ready.
    """
    wanted = label.strip().lower()
    known = _WHATWG.get(wanted)
    if known is None:
        codec = encodings.normalize_encoding(wanted)
        known = aliases.get(codec, codec).replace("_", "-")
    if known not in CHARSETS:
        raise ValueError(
            f"there is no charset {label!r}; take a label of the WHATWG Encoding Standard, such as windows-1252"
        )
    return known
