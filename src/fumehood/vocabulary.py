"""The names that a notice or a refusal may carry besides numbers: kinds and formats, encodings, and what was remarked.

Closed lists, because a worker that was taken over must not be able to say anything else.
"""

from __future__ import annotations

from typing import Final

FORMATS: Final = frozenset(
    (  # noqa: SIM905, a list of them is pages long
        "7z aac aiff apk ar avi avif azw bmp bzip2 cab class cpio csv dicom djvu dmg doc docx elf emf eml epub exe fb2 "
        "flac flv gif gzip hdf5 heic html ico ics ipynb iso jar jp2 jpeg jpeg-xl json jsonl key lz4 lzma mach-o "
        "markdown mbox mhtml midi mkv mobi mp3 mp4 mpeg msg numbers odf odg odp ods odt ogg ole one otf pages parquet "
        "pcap pdf pgp png postscript ppt pptx psd pst pub rar rpm rtf sqlite svg swf tar text tiff tnef tsv ttf vcf vsd "
        "vsdx wasm wav webm webp wmf woff woff2 wpd xar xls xlsb xlsx xml xps xz yaml zip zstd"
    ).split()
)
"""Kinds that are read, and formats that are recognised by their content."""

CHARSETS: Final = frozenset(
    (  # noqa: SIM905, a list of them is pages long
        "ascii utf-8 utf-8-sig utf-16 utf-16-le utf-16-be utf-32 utf-32-le utf-32-be utf-7 latin-1 big5 big5hkscs cp037 "
        "cp273 cp424 cp437 cp500 cp720 cp737 cp775 cp850 cp852 cp855 cp856 cp857 cp858 cp860 cp861 cp862 cp863 cp864 "
        "cp865 cp866 cp869 cp874 cp875 cp932 cp949 cp950 cp1006 cp1026 cp1125 cp1140 cp1250 cp1251 cp1252 cp1253 cp1254 "
        "cp1255 cp1256 cp1257 cp1258 euc-jp euc-jis-2004 euc-jisx0213 euc-kr gb2312 gbk gb18030 hz iso2022-jp "
        "iso2022-jp-1 iso2022-jp-2 iso2022-jp-2004 iso2022-jp-3 iso2022-jp-ext iso2022-kr iso8859-1 iso8859-2 iso8859-3 "
        "iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-9 iso8859-10 iso8859-11 iso8859-13 iso8859-14 "
        "iso8859-15 iso8859-16 johab koi8-r koi8-t koi8-u kz1048 mac-cyrillic mac-greek mac-iceland mac-latin2 "
        "mac-roman mac-turkish ptcp154 shift-jis shift-jis-2004 shift-jisx0213 tis-620"
    ).split()
)
"""Encodings, as Python's codecs are called (`codecs`, Standard Encodings)."""

REMARKS: Final = frozenset(
    (  # noqa: SIM905, a list of them is pages long
        "annotation attachment cmap control duplicate-key encoding encryption font form front-matter image javascript "
        "layout nesting number outline page quote ragged-rows stream string trailer xfa xref"
    ).split()
)
"""What of a document was repaired, guessed or not read."""
