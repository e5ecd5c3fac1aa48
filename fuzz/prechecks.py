"""The targets `zip` and `xml`: what the prechecks let pass, by the word of the standard library's own readers."""

from __future__ import annotations

import contextlib
import io
import zipfile
import zlib
from collections.abc import Iterator
from xml.parsers import expat

from fumehood.errors import Refusal
from fumehood.fuzz.bomb import READ
from fumehood.fuzz.oracle import broken, check_refusal
from fumehood.fuzz.target import FUZZ_LIMITS, Target
from fumehood.limits import xml
from fumehood.limits.budget import Budget
from fumehood.limits.zip import Archive, BadEntry, Entry
from fumehood.sandbox import loading


def targets() -> Iterator[Target]:
    yield Target("zip", zip_precheck)
    yield Target("xml", xml_precheck)


def zip_precheck(data: bytes) -> str:
    """What is accepted, the standard library opens too, and every entry that both read is the same to both."""
    budget = Budget(FUZZ_LIMITS)
    try:
        archive = Archive.check(data, budget)
        bodies = [_body(archive, entry) for entry in archive.entries]
    except Refusal as refused:
        check_refusal(refused, FUZZ_LIMITS)
        return refused.code
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as theirs:
            _compare(theirs, bodies)
    except NotImplementedError:
        return READ  # A version or a flag of which the standard library has no opinion.
    except zipfile.BadZipFile as error:
        broken("an archive that others do not open", str(error))
    return READ


def _compare(theirs: zipfile.ZipFile, bodies: list[bytes | None]) -> None:
    infos = theirs.infolist()
    if len(infos) != len(bodies):
        broken("an archive of another number of entries to others", (len(infos), len(bodies)))
    for info, body in zip(infos, bodies, strict=True):
        if body is not None and body != _their_body(theirs, info):
            broken("an entry that is something else to others", info.filename)


def _body(archive: Archive, entry: Entry) -> bytes | None:
    """None for what is no file, or is damaged or encrypted, which others may judge as they like."""
    if entry.is_directory or entry.is_encrypted:
        return None
    try:
        return archive.read(entry)
    except BadEntry:
        return None


def _their_body(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    try:
        return archive.read(info)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        broken("an entry that others do not read", (info.filename, str(error)))


def xml_precheck(data: bytes) -> str:
    """What is accepted has no document type declaration to expat, in whatever encoding."""
    budget = Budget(FUZZ_LIMITS)
    try:
        loading.guarded(lambda: xml.precheck(data, budget), budget)
    except Refusal as refused:
        check_refusal(refused, FUZZ_LIMITS)
        return refused.code
    parser = expat.ParserCreate()

    def declared(*_of: object) -> None:
        broken("a document type declaration that was let pass", data[:64])

    parser.StartDoctypeDeclHandler = declared
    with contextlib.suppress(expat.ExpatError, ValueError):  # the latter for encodings that expat does not know
        parser.Parse(data, True)
    return READ
