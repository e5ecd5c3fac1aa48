"""Bombs in OpenDocument: repeats, nesting, counts that are attributes, objects that hold each other."""

from __future__ import annotations

from functools import partial

from fumehood.fuzz.bomb import READ, Bomb, bomb
from fumehood.fuzz.deflate import filling
from fumehood.fuzz.odf_files import (
    DECLARATION,
    DECLARED,
    content,
    flat,
    frame,
    large,
    odf,
    para,
    slide,
    table,
    title,
    with_objects,
)

_HELLO = para("Hello.")
_ODT_LEVELS = {
    "frames": ("<text:p><draw:frame><draw:text-box>", "</draw:text-box></draw:frame></text:p>"),
    "lists": ("<text:list><text:list-item>", "</text:list-item></text:list>"),
    "sections": ("<text:section>", "</text:section>"),
    "tables": (
        "<table:table><table:table-row><table:table-cell>",
        "</table:table-cell></table:table-row></table:table>",
    ),
}


def repeated(rows: int, columns: int, inner: str) -> bytes:
    """A cell that stands for so many."""
    cell = f'<table:table-cell table:number-columns-repeated="{columns}">{inner}</table:table-cell>'
    row = f'<table:table-row table:number-rows-repeated="{rows}">{cell}</table:table-row>'
    last = f"<table:table-row><table:table-cell>{_HELLO}</table:table-cell></table:table-row>"
    return odf("ods", table(row, last))


def gaps(rows: int) -> bytes:
    """Rows of a value and a gap up to the last column there is."""
    row = f'<table:table-row><table:table-cell>{_HELLO}</table:table-cell><table:table-cell table:number-columns-repeated="16383"/></table:table-row>'
    return odf("ods", table(row * rows))


def nested(what: str, depth: int) -> bytes:
    before, behind = _ODT_LEVELS[what]
    return odf("odt", _HELLO + before * depth + para("deep") + behind * depth)


def slides(count: int) -> bytes:
    return large("odp", filling(slide(title("A")).encode(), count * len(slide(title("A")))))


def paragraphs(count: int) -> bytes:
    each = _HELLO.encode()
    return large("odt", filling(each, count * len(each)))


def cycle() -> bytes:
    """Two objects that show each other, shown by the text."""
    shows = "<text:p>" + frame('<draw:object xlink:href="./{}"/>') + "</text:p>"
    inner = [
        (name, content("odt", shows.format(other))) for name, other in (("A", "A/B"), ("A/A/B", "C"), ("A/B", "../A"))
    ]
    return with_objects("odt", _HELLO + shows.format("A"), inner)


def shown_often(times: int) -> bytes:
    """One object that is shown so often."""
    shows = para(frame('<draw:object xlink:href="./A"/>'))
    return with_objects("odt", _HELLO + shows * times, [("A", content("odt", _HELLO))])


def objects(count: int) -> bytes:
    """So many objects, each shown once."""
    shown = "".join(para(frame(f'<draw:object xlink:href="./A{at}"/>')) for at in range(count))
    return with_objects("odt", _HELLO + shown, [(f"A{at}", content("odt", _HELLO)) for at in range(count)])


def fan(levels: int, width: int) -> bytes:
    """Objects that each show the next one so often."""
    shows = _HELLO + para(frame('<draw:object xlink:href="./A"/>')) * width
    folders = ["/".join(["A"] * (level + 1)) for level in range(levels)]
    return with_objects("odt", shows, [(folder, content("odt", shows)) for folder in folders])


def laughs(prolog: str) -> bytes:
    entities = "".join(f'<!ENTITY l{at} "{f"&l{at - 1};" * 10}">' for at in range(1, 10))
    declared = f'<!DOCTYPE office:document [<!ENTITY l0 "lol">{entities}]>'
    return flat("odt", para("&l9;")).replace(DECLARATION.encode(), (DECLARATION + prolog + declared).encode())


def external() -> bytes:
    """A document type that points elsewhere, and an entity that only that could declare."""
    body = flat("odt", para("&secret;"))
    return body.replace(DECLARATION.encode(), (DECLARATION + '<!DOCTYPE a SYSTEM "file:///etc/hostname">').encode())


def styles_chain(count: int) -> bytes:
    styles = "".join(
        f'<style:style style:name="S{at}" style:family="paragraph" style:parent-style-name="S{at + 1}"/>'
        for at in range(count)
    )
    body = "".join(para("Hello.", f"S{at}") for at in range(0, count, 10))
    return odf("odt", body, styles)


def formats(parts: int) -> bytes:
    """A number whose data style is made of so many parts."""
    style = '<number:number-style style:name="N">' + "<number:number/>" * parts + "</number:number-style>"
    cell = '<table:table-cell office:value-type="float" office:value="1" table:style-name="C"/>'
    used = '<style:style style:name="C" style:family="table-cell" style:data-style-name="N"/>'
    rows = f"<table:table-row>{cell}</table:table-row>" * 1_000
    return odf(
        "ods",
        table(f"<table:table-row><table:table-cell>{_HELLO}</table:table-cell></table:table-row>", rows),
        style + used,
    )


def formula(depth: int) -> bytes:
    inner = "<math:mrow>" * depth + "<math:mi>x</math:mi>" + "</math:mrow>" * depth
    main = f"{DECLARATION}<math:math {DECLARED}>{inner}</math:math>"
    return with_objects("odt", para("Hello." + frame('<draw:object xlink:href="./A"/>')), [("A", main)])


BOMBS: tuple[Bomb, ...] = (
    bomb(
        "repeats.ods",
        "1,000,000 by 1,000 cells that hold a value",
        lambda: repeated(10**6, 10**3, _HELLO),
        "table-cells",
    ),
    bomb(
        "empty-repeats.ods",
        "1,000,000 by 1,000 cells that hold nothing",
        lambda: repeated(10**6, 10**3, ""),
        READ,
        holds="Hello.",
    ),
    bomb(
        "endless-repeats.ods",
        "a count of 100,000 digits",
        lambda: repeated(int("9" * 4_000), int("9" * 4_000), ""),
        READ,
        holds="Hello.",
    ),
    bomb("gaps.ods", "1,000 rows of a value and a gap of 16,383 columns", lambda: gaps(1_000), READ, holds="Hello."),
    bomb("formats.ods", "a data style of 100,000 parts", lambda: formats(100_000), READ, holds="Hello."),
    *(
        bomb(f"deep-{what}.odt", f"{what} 10,000 deep", partial(nested, what, 10_000), "nesting")
        for what in _ODT_LEVELS
    ),
    bomb("deep-formula.odt", "a formula 10,000 deep", lambda: formula(10_000), "nesting"),
    bomb(
        "spaces.odt",
        "2,000,000,000 spaces as a count",
        lambda: odf("odt", _HELLO + para('a<text:s text:c="2000000000"/>b')),
        READ,
        holds="Hello.",
    ),
    bomb("slides.odp", "100,000 slides", lambda: slides(100_000), "pages", "zip-ratio", "xml-elements"),
    bomb("paragraphs.odt", "3,000,000 paragraphs", lambda: paragraphs(3_000_000), "zip-ratio", "xml-elements"),
    bomb("cycle.odt", "objects that show each other", cycle, READ, holds="Hello."),
    bomb(
        "shown-often.odt",
        "an object shown 20,000 times",
        lambda: shown_often(20_000),
        READ,
        holds="Hello.",
        notice="object-not-read",
    ),
    bomb(
        "fan.odt",
        "objects that show each other ten times, eight deep",
        lambda: fan(8, 10),
        READ,
        holds="Hello.",
        notice="object-not-read",
    ),
    bomb("objects.odt", "3,000 objects", lambda: objects(3_000), READ, holds="Hello."),
    bomb("laughs.odt", "billion laughs in a flat document", lambda: laughs(""), "malformed"),
    bomb("laughs-comment.odt", "the same behind a comment", lambda: laughs("<!-- a -->"), "malformed"),
    bomb("external.odt", "an entity of an external subset", external, "malformed"),
    bomb(
        "styles-chain.odt", "50,000 styles, each based on the next", lambda: styles_chain(50_000), READ, holds="Hello."
    ),
)
