"""Binary formats by their first bytes: the name in `errors.FORMATS` of what we can tell, ZIP and OLE2 by what they hold.

The numbers are those of each format's own specification, as `file(1)` collects them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

from fumehood.loaders.shared import compound, zip_names

_AT_START: Final[tuple[tuple[bytes, str], ...]] = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
    (b"II*\0", "tiff"),
    (b"MM\0*", "tiff"),
    (b"II+\0", "tiff"),
    (b"MM\0+", "tiff"),
    (b"8BPS\0", "psd"),
    (b"\0\0\x01\0", "ico"),
    (b"\0\0\0\x0cjP  ", "jp2"),
    (b"\xff\x4f\xff\x51", "jp2"),
    (b"\0\0\0\x0cJXL ", "jpeg-xl"),
    (b"\xff\x0a", "jpeg-xl"),
    (b"AT&TFORM", "djvu"),
    (b"\xd7\xcd\xc6\x9a", "wmf"),
    (b"fLaC", "flac"),
    (b"OggS\0", "ogg"),
    (b"MThd\0\0", "midi"),
    (b"\xff\xf1", "aac"),
    (b"\xff\xf9", "aac"),
    (b"\xff\xfb", "mp3"),
    (b"\xff\xf3", "mp3"),
    (b"\xff\xf2", "mp3"),
    (b"FLV\x01", "flv"),
    (b"\0\0\x01\xba", "mpeg"),
    (b"\0\0\x01\xb3", "mpeg"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"\x1f\x8b", "gzip"),
    (b"\xfd7zXZ\0", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\x04\x22\x4d\x18", "lz4"),
    (b"]\0\0", "lzma"),
    (b"Rar!\x1a\x07", "rar"),
    (b"MSCF\0\0\0\0", "cab"),
    (b"!<arch>\n", "ar"),
    (b"\xed\xab\xee\xdb", "rpm"),
    (b"xar!\0", "xar"),
    (b"\x7fELF", "elf"),
    (b"\xfe\xed\xfa\xce", "mach-o"),
    (b"\xfe\xed\xfa\xcf", "mach-o"),
    (b"\xce\xfa\xed\xfe", "mach-o"),
    (b"\xcf\xfa\xed\xfe", "mach-o"),
    (b"\0asm", "wasm"),
    (b"\0\x01\0\0\0", "ttf"),
    (b"true\0", "ttf"),
    (b"ttcf\0", "ttf"),
    (b"OTTO\0", "otf"),
    (b"wOFF", "woff"),
    (b"wOF2", "woff2"),
    (b"SQLite format 3\0", "sqlite"),
    (b"PAR1", "parquet"),
    (b"\x89HDF\r\n\x1a\n", "hdf5"),
    (b"\xd4\xc3\xb2\xa1", "pcap"),
    (b"\xa1\xb2\xc3\xd4", "pcap"),
    (b"\x0a\x0d\x0d\x0a", "pcap"),
    (b"!BDN", "pst"),
    (b"\x78\x9f\x3e\x22", "tnef"),
    (b"\xffWPC", "wpd"),
    (b"\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3", "one"),
    (b"\xc5\xd0\xd3\xc6", "postscript"),
    (b"%!PS", "postscript"),
)

_ELSEWHERE: Final[tuple[tuple[int, bytes, str], ...]] = (
    (257, b"ustar", "tar"),
    (128, b"DICM", "dicom"),
    (60, b"BOOKMOBI", "mobi"),
    (40, b" EMF", "emf"),
    (32_769, b"CD001", "iso"),
)

# Their first bytes are letters, which text may start with as well.
_LETTERED: Final[tuple[tuple[re.Pattern[bytes], str], ...]] = (
    (re.compile(rb"ID3[\x02-\x04]"), "mp3"),
    (re.compile(rb"BZh[1-9]1AY&SY"), "bzip2"),
    (re.compile(rb"BM.{4}\0\0\0\0.{2}\0\0[\x0c\x28\x34\x38\x40\x6c\x7c]\0\0\0", re.DOTALL), "bmp"),
    (re.compile(rb"[FCZ]WS[\x01-\x40]"), "swf"),
    (re.compile(rb"07070[127][0-9A-F]{6}", re.IGNORECASE), "cpio"),
    (re.compile(rb"MZ.*[\0-\x08]", re.DOTALL), "exe"),
)

_RIFF: Final = {b"WAVE": "wav", b"AVI ": "avi", b"WEBP": "webp"}
_FORM: Final = {b"AIFF": "aiff", b"AIFC": "aiff", b"DJVU": "djvu"}
_FTYP_IMAGES: Final = frozenset({b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1", b"avif", b"avis"})

_MIMETYPES: Final = {
    b"application/vnd.oasis.opendocument.text": "odt",
    b"application/vnd.oasis.opendocument.spreadsheet": "ods",
    b"application/vnd.oasis.opendocument.presentation": "odp",
    b"application/vnd.oasis.opendocument.graphics": "odg",
    b"application/epub+zip": "epub",
}
_MANIFEST_TYPE: Final = re.compile(
    rb"media-type\s*=\s*[\"'](application/vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation|graphics))"
)
_MANIFEST_WITHIN: Final = 4_096
_ZIP_NAMES: Final = {
    "xl/workbook.bin": "xlsb",
    "androidmanifest.xml": "apk",
    "fixeddocseq.fdseq": "xps",
    "fixeddocumentsequence.fdseq": "xps",
    "meta-inf/container.xml": "epub",
}
# Those of main parts alone (ISO/IEC 29500-1, 11 to 13 and 15; MS-OFFMACRO2, MS-XLSB, MS-VSDX): what a document embeds is
# of other types, and what it is made of besides does not say which kind it is.
_MAIN_TYPE: Final = re.compile(
    rb"""["']application/vnd\.(?:openxmlformats-officedocument\.(wordprocessing|spreadsheet|presentation)ml\.[a-z]+
    |ms-(word|excel|powerpoint|visio)\.[a-z]+(?:\.macroenabled)?)\.main\+xml["']
    |["']application/vnd\.ms-excel\.sheet\.(binary)\.macroenabled\.main["']
    |["']application/vnd\.ms-package\.(xps)-fixeddocumentsequence\+xml["']""",
    re.IGNORECASE | re.VERBOSE,
)
_TYPES_WITHIN: Final = 64 * 1024
_OOXML_PARTS: Final = (
    re.compile(r"(word|xl|ppt|visio)/(?:.*/)?[^/]+\.(?:xml|rels)"),
    re.compile(r".*/(document|workbook|presentation)\.xml"),
)
_OOXML: Final = {
    "wordprocessing": "docx",
    "spreadsheet": "xlsx",
    "presentation": "pptx",
    "excel": "xlsx",
    "powerpoint": "pptx",
    "binary": "xlsb",
    "xps": "xps",
    "word": "docx",
    "document": "docx",
    "xl": "xlsx",
    "workbook": "xlsx",
    "ppt": "pptx",
    "visio": "vsdx",
}
_COMPOUND_NAMES: Final = (
    ("worddocument", "doc"),
    ("workbook", "xls"),
    ("book", "xls"),
    ("powerpoint document", "ppt"),
    ("visiodocument", "vsd"),
    ("quill", "pub"),
    ("__properties_version1.0", "msg"),
    ("__nameid_version1.0", "msg"),
)

_PDF_HEADER: Final = re.compile(rb"%PDF-[0-9]")
_PDF_WITHIN: Final = 1_024
_PDF_ENDS: Final = 8_192

ENCRYPTED: Final = "encrypted"
"""Not a format: an OOXML document that is encrypted, of which nobody can say more (MS-OFFCRYPTO, 2.3)."""


def binary_format(data: bytes) -> str | None:
    """The format's name, `ENCRYPTED`, or None if nothing is recognised. Time does not grow with `data`."""
    if data.startswith(compound.MAGIC):
        return _compound(data)
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return _zip(data)
    return _numbered(data) or _boxed(data) or _pdf(data)


def _numbered(data: bytes) -> str | None:
    head = data[:512]
    if head.startswith(b"\xca\xfe\xba\xbe"):
        # A class file has its version here, 45 and up; a universal Mach-O file how many architectures it has.
        return "class" if int.from_bytes(head[4:8], "big") > 30 else "mach-o"
    for magic, name in _AT_START:
        if head.startswith(magic):
            return name
    for at, magic, name in _ELSEWHERE:
        if data.startswith(magic, at):
            return name
    for pattern, name in _LETTERED:
        if pattern.match(head):
            return name
    return "dmg" if data.startswith(b"koly\0\0\0", max(0, len(data) - 512)) else None


def _boxed(data: bytes) -> str | None:
    """Containers whose first bytes do not say what they hold."""
    kind, inner = data[:4], data[8:12]
    if kind == b"RIFF":
        return _RIFF.get(inner)
    if kind == b"FORM":
        return _FORM.get(inner)
    if data[4:8] == b"ftyp":
        return "heic" if inner in _FTYP_IMAGES else "mp4"
    if kind == b"\x1a\x45\xdf\xa3":
        return "webm" if b"webm" in data[:64] else "mkv"
    return None


def _pdf(data: bytes) -> str | None:
    """Readers take a header within the first 1,024 bytes (ISO 32000-1, annex H, note 13); text may speak of one."""
    found = _PDF_HEADER.search(data, 0, _PDF_WITHIN)
    if found is None:
        return None
    before = data[: found.start()]
    at_start = not before.strip(b"\xef\xbb\xbf\0\t\n\f\r ")
    return "pdf" if at_start or has_pdf_parts(data) else None


def has_pdf_parts(data: bytes) -> bool:
    """Whether there is a PDF's cross-reference at the end or an object near the start, be its header broken."""
    return b"startxref" in data[-_PDF_ENDS:] or b" obj" in data[:_PDF_ENDS]


def _zip(data: bytes) -> str:
    entries = zip_names.entries(data)
    mimetype = zip_names.start_of(data, entries.get("mimetype", -1))
    for declared, kind in _MIMETYPES.items():
        # A template's type is the document's with a suffix.
        if mimetype.startswith(declared):
            return kind
    if "content.xml" in entries and (found := _in_manifest(data, entries.get("meta-inf/manifest.xml", -1))):
        return found
    if found := _by_content_types(data, entries.get("[content_types].xml", -1)):
        return found
    for name, kind in _ZIP_NAMES.items():
        if name in entries:
            return kind
    return _ooxml(entries) or _apple(entries) or ("jar" if "meta-inf/manifest.mf" in entries else "zip")


def _in_manifest(data: bytes, at: int) -> str | None:
    """The kind that an OpenDocument manifest names first, of a package that has no entry `mimetype` (ODF 1.3 part 2, 3.2)."""
    found = _MANIFEST_TYPE.search(zip_names.start_of(data, at, _MANIFEST_WITHIN))
    return None if found is None else _MIMETYPES.get(found[1])


def _by_content_types(data: bytes, at: int) -> str | None:
    """The kind of the main part, by the package's own list of types (ISO/IEC 29500-2, 7.2.3); None if it names several."""
    listed = zip_names.start_of(data, at, _TYPES_WITHIN)
    found = {_OOXML[match[match.lastindex or 0].lower().decode("ascii")] for match in _MAIN_TYPE.finditer(listed)}
    return found.pop() if len(found) == 1 else None


def _ooxml(names: Iterable[str]) -> str | None:
    """By the folder or else the name of a main part, of a package whose types cannot be had: both are free."""
    names = list(names)
    for pattern in _OOXML_PARTS:
        for name in names:
            if found := pattern.fullmatch(name):
                return _OOXML[found[1]]
    return None


def _apple(names: Collection[str]) -> str | None:
    if "index/document.iwa" not in names:
        return None
    if any(name.startswith("index/slide") for name in names):
        return "key"
    return "numbers" if any(name.startswith("index/calculationengine") for name in names) else "pages"


def _compound(data: bytes) -> str | None:
    names = [name.strip() for name in compound.top_names(data)]
    if "encryptedpackage" in names or "encryptioninfo" in names:
        return ENCRYPTED
    return next((kind for name, kind in _COMPOUND_NAMES if name in names), "ole")
