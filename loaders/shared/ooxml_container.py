"""What all documents of Office Open XML have around them: the archive, and the part that is the document."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from fumehood.errors import refusal
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.magic import ENCRYPTED, binary_format
from fumehood.loaders.shared.ooxml_names import names
from fumehood.loaders.shared.ooxml_xml import stream
from fumehood.loaders.shared.opc import Package, Relationship, first_of_type

_OFFICE: Final = re.compile(r"wordprocessingml|spreadsheetml|presentationml|ms-word|ms-excel|ms-powerpoint|ms-visio")
"""In the media types of main parts."""
_END_OF_ARCHIVE: Final = b"PK\x05\x06"
_END_WITHIN: Final = 66_000
_START_OF_ENTRY: Final = b"PK\x03\x04"
# MS-OFFCRYPTO, 2.3.4: the streams of an encrypted package, in UTF-16 in a directory that may be broken.
_ENCRYPTION: Final = re.compile(
    b"|".join(re.escape(stream.encode("utf-16-le")) for stream in ("EncryptedPackage", "EncryptionInfo")),
    re.IGNORECASE,
)
_ENCRYPTION_WITHIN: Final = 1 << 20


class MainPart(NamedTuple):
    """The part that a format keeps its document in.

    - `usual`: its name, as nearly every program calls it.
    - `marks`: what is in its media types and in no other format's.
    - `types`: its media types, in lower case.
    """

    usual: str
    marks: tuple[str, ...]
    types: tuple[str, ...]


def judge_container(data: bytes, kind: str, binary_kind: str) -> None:
    """What is no ZIP at all is none of ours; an encrypted document is an OLE file (MS-OFFCRYPTO, 2.3).

    `binary_kind` is the format of the same program before there was XML in it. Raises `malformed`, `encrypted`,
    `unsupported-kind` and `kind-mismatch`.
    """
    if not data:
        raise refusal("malformed", stage="precheck")
    if data.startswith(_START_OF_ENTRY):
        return
    found = binary_format(data)
    if found == ENCRYPTED or (found == "ole" and _ENCRYPTION.search(data, 0, _ENCRYPTION_WITHIN)):
        raise refusal("encrypted", stage="precheck")
    if found == binary_kind:
        raise refusal("unsupported-kind", stage="precheck", detail=binary_kind)
    if found not in (None, "zip", kind) or _END_OF_ARCHIVE not in data[-_END_WITHIN:]:
        raise refusal("kind-mismatch", stage="precheck")


def find_main(package: Package, arrows: Mapping[str, Relationship], wanted: MainPart) -> str:
    """The part that the package's relationships name as the document, else one of the right type or name.

    Raises `kind-mismatch` if there is none, or if it is another program's.
    """
    named = first_of_type(arrows, "officeDocument")
    if named is not None and package.has(named.target):
        office = _OFFICE.search(package.content_type(named.target))
        if office is not None and office[0] not in wanted.marks:
            raise refusal("kind-mismatch", stage="precheck")
        return named.target
    for part in package.parts():
        if package.content_type(part) in wanted.types:
            return part
    if package.has(wanted.usual):
        return wanted.usual
    raise refusal("kind-mismatch", stage="precheck")


def say_macros(package: Package, out: Builder) -> None:
    if any("vbaproject" in package.content_type(part) for part in package.parts()):
        out.notice("macro-present")


def warm_xml() -> None:
    """Codecs are loaded when first asked for: those of names in OLE files, and of XML in other encodings than UTF-8."""
    codecs.lookup("utf-16-le")
    budget = Budget(Limits())
    for encoding in ("utf-8", "utf-16", "iso-8859-1", "windows-1252"):
        part = f'<?xml version="1.0" encoding="{encoding}"?><a>\u00e9</a>'.encode(encoding)
        for _ in stream(part, budget, names("w:document")):
            pass
