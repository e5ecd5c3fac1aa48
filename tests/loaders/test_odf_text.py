"""Text of OpenDocument wherever it may stand: whatever a place holds, that and what follows it is read."""

from __future__ import annotations

import pytest

from fumehood.fuzz.odf_files import para, row, table
from tests.loaders.odf_reader import read

ONE = "<table:table-row><table:table-cell>{}</table:table-cell></table:table-row>"
CELL = (
    "<table:table-row><table:table-cell>{}</table:table-cell><table:table-cell>{}</table:table-cell></table:table-row>"
)
BOX = "<draw:frame><draw:text-box>{}{}</draw:text-box></draw:frame>"
PLACES = {
    "cell": ("odt", table(CELL, row("last"))),
    "cell of a sheet": ("ods", table(CELL, row("last"))),
    "cell on a slide": ("odp", f"<draw:page><draw:frame>{table(CELL, row('last'))}</draw:frame></draw:page>"),
    "cell of a cell": ("odt", table(ONE.format(table(CELL)), row("last"))),
    "item": ("odt", "<text:list><text:list-item>{}</text:list-item><text:list-item>{}</text:list-item></text:list>"),
    "section": ("odt", "<text:section>{}</text:section>{}"),
    "box": ("odt", f"<text:p>{BOX}</text:p>"),
    "box on a slide": ("odp", f"<draw:page>{BOX}</draw:page>"),
    "box in a cell": ("ods", table(ONE.format(f"<text:p>{BOX}</text:p>"), row("last"))),
    "note": ("odt", "<text:p><text:note><text:note-body>{}</text:note-body></text:note></text:p>{}"),
    "remark": ("odt", "<text:p><office:annotation>{}</office:annotation></text:p>{}"),
    "remark on a cell": ("ods", table(CELL.replace("{}", "<office:annotation>{}</office:annotation>", 1), row("last"))),
    "index": ("odt", "<text:table-of-content><text:index-body>{}</text:index-body></text:table-of-content>{}"),
}
CONTENTS = {
    "paragraph": "<text:p>held</text:p>",
    "empty paragraph": "<text:p/><text:p>held</text:p>",
    "heading": '<text:h text:outline-level="2">held</text:h>',
    "heading of nothing": "<text:h/><text:p>held</text:p>",
    "heading with more in it": "<text:h>he<text:span>ld</text:span></text:h>",
    "paragraph with more in it": "<text:p>he<text:span>l</text:span>d</text:p>",
    "heading and paragraph": "<text:h>head</text:h><text:p>held</text:p>",
    "paragraph and heading": "<text:p>held</text:p><text:h>head</text:h>",
    "white space": "<text:p> \n held  </text:p>",
    "list": "<text:list><text:list-item><text:p>held</text:p></text:list-item></text:list>",
    "list of headings": "<text:list><text:list-item><text:h>held</text:h></text:list-item></text:list>",
    "section": "<text:section><text:h>held</text:h></text:section>",
    "numbered paragraph": "<text:numbered-paragraph><text:p>held</text:p></text:numbered-paragraph>",
    "what nobody knows": "<text:invented><text:p>held</text:p></text:invented>",
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("content", CONTENTS)
def test_whatever_a_place_holds_it_is_read_and_so_is_what_follows(place: str, content: str) -> None:
    kind, around = PLACES[place]
    document = read(kind, around.format(CONTENTS[content], para("behind")) + (para("end") if kind == "odt" else ""))
    wanted = ["held", "behind"] + (["last"] if "last" in around else []) + (["end"] if kind == "odt" else [])
    assert [word for word in wanted if document.visible_text.count(word) != 1] == []
