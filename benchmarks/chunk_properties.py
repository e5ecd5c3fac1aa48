"""What splitters keep of a Markdown text that is made here, so that every line of it is known.

A property is how often it holds and how often it could. The lines of the text are unique, so chunks can be searched for
them; nothing is asked of a splitter but its texts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

_VOCABULARY: Final = (
    "ledger harbour vessel freight clause charter master mate cargo pier buoy depth channel lantern keel rope anchor "
    "pilot customs receipt warehouse crane tide current sounding chart compass signal"
)
_WORDS: Final = _VOCABULARY.split()
_ACCENTED: Final = "e\u0301"
"""A letter and its accent: one grapheme cluster of two code points."""
_SENTENCE: Final = re.compile(r"Sentence (\d+)\.")


class Line(NamedTuple):
    """`kind` is `heading`, `prose`, `item`, `row` or `code`."""

    kind: str
    section: int


class Sample(NamedTuple):
    """`lines` by their text without indentation; `headings` and `headers` (of tables) by section."""

    text: str
    lines: dict[str, Line]
    headings: list[str]
    headers: dict[int, str]


class Share(NamedTuple):
    held: int
    of: int


def sample(characters: int) -> Sample:
    """Prose, lists, tables and code in sections, the same every time, of about so many characters."""
    made = Sample("", {}, [], {})
    parts: list[str] = []
    length = 0
    while length < characters:
        for text in _section(made, len(made.headings)):
            parts.append(text)
            length += len(text) + 2
    return made._replace(text="\n\n".join(parts))


def _section(made: Sample, section: int) -> list[str]:
    title = f"Section {section} of the {_phrase(section, 1)}"
    made.headings.append(title)
    parts = [_added(made, section, "heading", [f"{'##' if section % 4 else '#'} {title}"])]
    parts += [_added(made, section, "prose", [_prose(section, number)]) for number in range(3)]
    parts.append(_added(made, section, "item", [f"- item {section}.{n} {_phrase(section + n, 8)}" for n in range(12)]))
    if section % 3 == 0:
        made.headers[section] = f"| number {section} | name | amount |"
        rows = [f"| {section}.{n} | {_phrase(section + n, 3)} | {n * 7} |" for n in range(40)]
        parts.append(f"{made.headers[section]}\n| --- | --- | --- |\n{_added(made, section, 'row', rows)}")
    if section % 5 == 0:
        code = [f"    call_{section}_{n}({_phrase(n, 2)!r})" for n in range(50)]
        parts.append(f"```python\n{_added(made, section, 'code', code)}\n```")
    if section % 7 == 0:
        parts.append(f"Section {section} has a word of {_ACCENTED * 1_000}")
    return parts


def _added(made: Sample, section: int, kind: str, lines: list[str]) -> str:
    made.lines.update((line.strip(), Line(kind, section)) for line in lines)
    return "\n".join(lines)


def _phrase(seed: int, words: int) -> str:
    return " ".join(_WORDS[(seed * 7 + step * 11) % len(_WORDS)] for step in range(words))


def _prose(section: int, number: int) -> str:
    return " ".join(
        f"Sentence {section}.{number}.{index} tells of the {_phrase(section + index, 12)}."
        for index in range(4 + 8 * number)
    )


def properties(made: Sample, texts: Sequence[str], given: Sequence[str], size: int) -> dict[str, Share]:
    """`texts`: what chunks hold of the document; `given`: what a model gets, the same where nothing is added."""
    found = [_lines_in(made, text) for text in texts]
    kept = {line for lines in found for line, _ in lines}
    squeezed = _squeezed("".join(texts))
    shares = {
        "exact slices": _in_order(made.text, texts),
        "within the size": _share(len(text) <= size for text in texts),
        "nothing lost": _in_order(squeezed, [_squeezed(line) for line in made.lines]),
    }
    for kind, name in (("row", "rows whole"), ("item", "items whole"), ("code", "code lines whole")):
        shares[name] = _share(line in kept for line, about in made.lines.items() if about.kind == kind)
    accented = [text for text in texts if _ACCENTED[1] in text]
    shares["grapheme clusters whole"] = _share(
        not text.startswith(_ACCENTED[1]) and not text.endswith("e") for text in accented
    )
    shares["one section each"] = _share(len(sections) == 1 for text in texts if (sections := _sections_in(made, text)))
    shares["heading beside"] = _share(
        all(made.headings[section] in whole for section in _sections_in(made, text))
        for text, whole in zip(texts, given, strict=True)
    )
    shares["table header beside"] = _share(
        all(made.headers[about.section] in whole for _, about in lines if about.kind == "row")
        for lines, whole in zip(found, given, strict=True)
        if any(about.kind == "row" for _, about in lines)
    )
    shares["fences closed"] = _share(
        whole.count("```") in (2, 4)
        for lines, whole in zip(found, given, strict=True)
        if any(about.kind == "code" for _, about in lines)
    )
    return shares


def _share(answers: object) -> Share:
    held = list(answers)  # type: ignore[call-overload]  # any iterable of truth values
    return Share(sum(held), len(held))


def _in_order(text: str, lines: Sequence[str]) -> Share:
    """How many of the lines, or chunks, follow one another in the text; found from where the last one was, so in linear time."""
    at = held = 0
    for line in lines:
        found = text.find(line, at)
        if found >= 0:
            held += 1
            at = found + len(line)
    return Share(held, len(lines))


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _lines_in(made: Sample, text: str) -> list[tuple[str, Line]]:
    lines = (line.strip() for line in text.split("\n"))
    return [(line, made.lines[line]) for line in lines if line in made.lines]


def _sections_in(made: Sample, text: str) -> set[int]:
    """Of the lines it has whole and of the sentences that begin in it."""
    return {about.section for _, about in _lines_in(made, text)} | {int(number) for number in _SENTENCE.findall(text)}
