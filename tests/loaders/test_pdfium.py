"""The engine PDFium: the same blocks as the other one, what it leaves to our interpreter, and what it may not do."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings

from fumehood import Document, Limits, ReadOptions, Refusal, kinds, read_isolated
from fumehood.errors import REFUSAL_CODES
from fumehood.fuzz.bomb import READ
from fumehood.fuzz.generators import pdfs
from fumehood.fuzz.targets import TARGETS
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import pdf_session
from fumehood.sandbox import verdict
from fumehood.sandbox.loading import read_in_process, warm
from tests.loaders.pdf_writer import document, lines, packed, text

pytest.importorskip("pypdfium2_raw")

from fumehood.loaders.shared.pdf_content import Drawer
from fumehood.loaders.shared.pdf_file import PdfFile
from fumehood.loaders.shared.pdf_pages import pages
from fumehood.loaders.shared.pdfium_pages import PdfiumPainter

KIND = kinds.get("pdf")
Objects = dict[str, bytes | tuple[bytes, str]]

warm(KIND, "pdfium")


def read(data: bytes, engine: str = "pdfium") -> Document:
    return read_in_process(KIND, data, options=ReadOptions(engine=engine))


@pytest.fixture
def fallen_back(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the pages that our own interpreter painted."""
    found: list[int] = []
    paint = Drawer.paint

    def noted(self: Drawer, page: object, number: int) -> object:
        found.append(number)
        return paint(self, page, number)  # type: ignore[arg-type]

    monkeypatch.setattr(Drawer, "paint", noted)
    return found


FORM: Objects = {"X": (text("In a form."), "/Subtype/Form/BBox[0 0 600 800]/Matrix[1 0 0 1 0 -100]")}
TYPE_3 = (
    "/Font<</F1<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<</a {G}>>"
    "/Encoding<</Differences[65/a]>>/FirstChar 65/LastChar 65/Widths[500]>>>>"
)
LAYER = "/OCProperties<</OCGs[{L}]/D<</OFF[{L}]>>>>"

# What PDFium paints by itself.
SURE = {
    "text": document([text("One word."), lines(["Two lines", "of text."])]),
    "turned page": document([text("Turned."), text("Not.")], page="/Rotate 90"),
    "turned text": document([b"BT /F1 1 Tf 0 12 -12 0 300 300 Tm (Upwards it goes) Tj ET"]),
    "leaning text": document([b"BT /F1 1 Tf 12 0.6 -0.6 12 50 300 Tm (Leaning a little bit) Tj ET"]),
    "scaled": document([b"q 2 0 0 2 10 10 cm BT /F1 6 Tf 50 Tz 50 300 Td (Narrow) Tj 100 Tz ( wide) Tj ET Q"]),
    "form": document([b"/X Do"], resources="/XObject<</X {X}>>", objects=FORM),
    "hidden": document(
        [text("Seen.") + b"1 1 1 rg " + text("Unseen.", y=600) + b"0 g " + text("Not.", y=500, before="3 Tr")]
    ),
    "clipped": document([text("Seen.") + b"q 0 0 10 10 re W n " + text("Cut away.", y=600) + b" Q"]),
    "table": document(
        [
            b"50 600 200 100 re S 150 600 m 150 700 l S 50 650 m 250 650 l S "
            + text("a", 60, 670)
            + text("b", 160, 670)
            + text("c", 60, 620)
            + text("d", 160, 620)
        ]
    ),
    "hyphen": document([lines(["A word is bro-", "ken at the end of a line, and so on."])]),
    "twice": document([text("Bold.") + text("Bold.", x=50.3) + text("And not.", y=600)]),
    "twice, letter by letter": document(
        [
            b"".join(
                text(letter, x) for letter, x in zip("BBoolldd", (50, 50.2, 58, 58.2, 65, 65.2, 68, 68.2), strict=True)
            )
        ]
    ),
    "twice, the first unseen": document(
        [b"1 1 1 rg " + text("Over.") + b"0 g " + text("Over.") + text("More.", y=600)]
    ),
    "twice with other text": document(
        [text("One two ") + text("One two ", y=700.2) + text("three", x=110) + text("three", x=110.2)]
    ),
    "twice in a form": document(
        [b"/X Do " + text("Beside.", y=500)],
        resources="/XObject<</X {X}>>",
        objects={"X": (text("In a form.") * 2, "/Subtype/Form/BBox[0 0 600 800]")},
    ),
    "twice, turned": document([text("Turned.") * 2], page="/Rotate 90"),
    "narrow space": document(
        [text("Shown") + text(" ", x=85.5, size=2) + text("[3]", x=86, size=7) + text("apart", y=600)]
    ),
}


@pytest.mark.parametrize("name", SURE)
def test_both_engines_give_the_same_blocks(name: str, fallen_back: list[int]) -> None:
    ours = read(SURE[name])
    assert fallen_back == []
    theirs = read(SURE[name], "pdfminer")
    assert ours.text
    assert (ours.text, ours.blocks, ours.notices) == (theirs.text, theirs.blocks, theirs.notices)


@pytest.mark.parametrize(
    "clip",
    [b" W n ", b"\nW\nn ", b" W*\tn ", b"\0W\0n ", b" W%and so on\nn ", b" (odd)W n ", b" []W n ", b"%odd\rW f "],
)
def test_what_is_clipped_is_not_seen_however_the_clip_is_written(clip: bytes, fallen_back: list[int]) -> None:
    ours = read(document([text("Seen.") + b"q 0 0 10 10 re" + clip + text("Cut away.", y=600) + b" Q"]))
    assert fallen_back == []
    assert [(ours.text[block.start : block.end], block.visible) for block in ours.blocks] == [
        ("Seen.", True),
        ("Cut away.", False),
    ]


@pytest.mark.parametrize("box", ["0 0 600 800", "0 0 600 650"])
def test_what_a_form_shows_is_clipped_by_its_box(box: str, fallen_back: list[int]) -> None:
    objects: Objects = {"X": (text("Seen.", y=600) + text("Above.", y=700), f"/Subtype/Form/BBox[{box}]")}
    data = document([b"/X Do", b"/X Do"], resources="/XObject<</X {X}>>", objects=objects)
    ours = read(data)
    assert fallen_back == []
    assert ours.blocks == read(data, "pdfminer").blocks
    assert ours.visible_text.count("Above.") == 2 * ("800" in box)


REPLACED: dict[str, tuple[bytes, str, Objects]] = {
    "in the contents": (b"/Span <</ActualText (Never shown.)>> BDC " + text("Seen.") + b"EMC", "", {}),
    "by a name with escapes": (b"/Span <</Actual#54ext (Never shown.)>> BDC " + text("Seen.") + b"EMC", "", {}),
    "by properties": (
        b"/Span /P BDC " + text("Seen.") + b"EMC",
        "/Properties<</P {P}>>",
        {"P": b"<</ActualText(Never shown.)>>"},
    ),
    "of several texts": (b"/Span <</ActualText (Never.)>> BDC " + lines(["Seen", "twice."]) + b"EMC", "", {}),
    "around a mark": (
        b"/Span <</ActualText (Never.)>> BDC /P <</MCID 0>> BDC "
        + text("Seen.")
        + b"EMC "
        + text("Too.", y=600)
        + b"EMC",
        "",
        {},
    ),
    "of a space": (
        text("Contents") + b"/S <</ActualText (.)>> BDC " + text(" ", x=101) + b"EMC " + text("8", x=105),
        "",
        {},
    ),
    "by nothing": (b"/Span <</ActualText ()>> BDC " + text("Seen.") + b"EMC", "", {}),
    "in a form": (
        b"/X Do",
        "/XObject<</X {X}>>",
        {"X": (b"/S <</ActualText (Never.)>> BDC " + text("Seen.") + b"EMC", "/Subtype/Form/BBox[0 0 600 800]")},
    ),
}


@pytest.mark.parametrize("how", REPLACED)
def test_what_is_seen_is_read_and_not_what_a_file_gives_in_its_place(how: str, fallen_back: list[int]) -> None:
    contents, resources, objects = REPLACED[how]
    data = document([contents], resources=resources, objects=objects)
    found = read(data)
    assert fallen_back == []
    assert "Never" not in found.text
    assert found.blocks == read(data, "pdfminer").blocks
    assert found.text


ODD_WAYS = (
    b"/X%and so on\nDo ",
    b"/X" + b" " * 20 + b"Do ",
    b"/X Do%and so on\n",
    b"/#58 Do ",
    b"(x) /X Do ",
    b"/X Do(x)pop ",
)


@pytest.mark.parametrize("draw", ODD_WAYS)
def test_what_a_form_shows_is_what_is_seen_however_it_is_drawn(draw: bytes) -> None:
    objects: Objects = {
        "X": (b"/S <</ActualText (Never.)>> BDC " + text("Seen.") + b"EMC", "/Subtype/Form/BBox[0 0 600 800]"),
        "Y": (text("Cut away.", y=600), "/Subtype/Form/BBox[0 0 10 10]"),
    }
    content = draw + draw.replace(b"X", b"Y").replace(b"#58", b"#59") + text("After.", y=500)
    data = document([content], resources="/XObject<</X {X}/Y {Y}>>", objects=objects)
    ours, theirs = read(data), read(data, "pdfminer")
    assert "Never" not in ours.text
    assert ours.visible_text.split() == ["Seen.", "After."]
    assert (ours.text, ours.blocks) == (theirs.text, theirs.blocks)


def test_a_form_without_resources_shows_what_is_seen_by_those_of_any_page(fallen_back: list[int]) -> None:
    properties = "/Properties<</P<</ActualText(Never.)>>>>"
    data = document(
        [b"/X Do", b"/X Do"],
        objects={"X": (b"/Span /P BDC " + text("Seen.") + b"EMC", "/Subtype/Form/BBox[0 0 600 800]")},
        resources="/XObject<</X {X}>>" + properties,
    )
    # The first page has none.
    data = data.replace(properties.encode(), b" " * len(properties), 1)
    assert read(data).text == "Seen.\n\nSeen."
    assert fallen_back == []


def shown_in(font: str, codes: bytes, **more: object) -> bytes:
    content = b"BT /F2 12 Tf 50 700 Td <%s> Tj ET" % codes.hex().encode()
    return document([content], resources=f"/Font<</F2 {font}>>", **more)  # type: ignore[arg-type]


FONTS = {
    "standard": "/Subtype/Type1/BaseFont/Helvetica",
    "given widths": "/Subtype/Type1/BaseFont/Helvetica/FirstChar 0/LastChar 255/Widths[" + "500 " * 256 + "]",
    "as in Windows": "/Subtype/TrueType/BaseFont/Arial/Encoding/WinAnsiEncoding",
    "renamed": "/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[0/a/b/c/d/e/f/g/h/i/j/k/l/m/n 147/o/p/q/r/s/t]>>",
    "names of dingbats": "/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[0/a1/x/a2 3/a3 10/a4 13/a5 147/a6]>>"
    "/FirstChar 0/LastChar 255/Widths[" + "500 " * 256 + "]",
    "own names": "/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[0/zero/x/two 3/three 10/ten 13/thirteen]>>",
}
CONTROLS = (0, 2, 3, 10, 13, 0x93, 0x94, 0x96, 0x97, 0x98)
"""Codes that PDFium leaves out of its text, or that would break its lines."""


@pytest.mark.parametrize("code", CONTROLS)
@pytest.mark.parametrize("name", FONTS)
@pytest.mark.parametrize("around", [b"ab%cde fg", b"x%c y", b"%cz q", b"k%c", b"two%c%cin"])
def test_glyphs_whose_codes_are_those_of_control_characters_are_read(
    code: int, name: str, around: bytes, fallen_back: list[int]
) -> None:
    data = shown_in(f"<</Type/Font{FONTS[name]}>>", around.replace(b"%c", bytes([code])))
    ours = read(data)
    assert fallen_back == []
    theirs = read(data, "pdfminer")
    assert (ours.text, ours.blocks, ours.notices) == (theirs.text, theirs.blocks, theirs.notices)


# What PDFium leaves out.
UNSURE = {
    "three times": text("Bold.") + text("Bold.", x=50.3) + text("Bold.", x=50.6),
    "no size": text("Seen.") + text("Gone.", y=600, size=0),
    "nothing": b"",
}


@pytest.mark.parametrize("name", UNSURE)
def test_what_pdfium_leaves_out_is_read_all_the_same(name: str, fallen_back: list[int]) -> None:
    data = document([UNSURE[name]])
    assert read(data).blocks == read(data, "pdfminer").blocks
    assert fallen_back[0] == 1


def test_fonts_that_draw_their_own_glyphs_are_read_by_our_rules(fallen_back: list[int]) -> None:
    data = document([b"BT /F1 12 Tf 50 700 Td (AAA) Tj ET"], resources=TYPE_3, objects={"G": (b"500 0 d0", "")})
    assert read(data) == read(data, "pdfminer")
    assert fallen_back[0] == 1


MAPS = {
    "listed": (b"3 beginbfchar <41> <0041> <42> <05D0> <43> <05d1> endbfchar", True),
    "in ranges": (b"1 beginbfrange <41> <41> <0041> endbfrange 1 beginbfrange <42><44><0628> endbfrange "
                  b"1 beginbfrange <45><46><fedf> endbfrange", True),
    "few of many": (b"4 beginbfchar <41> <0041> <42> <0042> <43> <0043> <44> <05D0> endbfchar", False),
    "codes, not letters": (b"2 beginbfchar <0590> <0041> <0600> <0042> endbfchar", False),
    "cut": (b"2 beginbfchar <41> <05D0> <42> <05D1>", True),
    "nothing": (b"beginbfchar endbfchar <0590>", False),
}  # fmt: skip


@pytest.mark.parametrize("name", MAPS)
def test_fonts_with_mostly_letters_from_right_to_left_are_left_to_our_interpreter(
    name: str, fallen_back: list[int]
) -> None:
    cmap, is_left = MAPS[name]
    font = "/Subtype/TrueType/BaseFont/Arial/Encoding/WinAnsiEncoding/ToUnicode {M}"
    data = shown_in("{F}", b"A", objects={"M": (cmap, ""), "F": f"<</Type/Font{font}>>".encode()})
    assert read(data).blocks == read(data, "pdfminer").blocks
    assert fallen_back == [1] * (1 + is_left)


def test_a_document_with_a_layer_switched_off_is_read_by_our_rules(fallen_back: list[int]) -> None:
    data = document(
        [text("Seen.") + b"/OC/L BDC " + text("Switched off.", y=600) + b"EMC"],
        resources="/Properties<</L {L}>>",
        catalog=LAYER,
        objects={"L": b"<</Type/OCG/Name(l)>>"},
    )
    assert read(data).visible_text == "Seen."
    assert fallen_back == [1]


def test_a_page_whose_stream_is_damaged_is_read_by_our_rules(fallen_back: list[int]) -> None:
    cut = packed(text("Before the cut.") + b" " * 4_000)[:-8]
    data = document([b""], page="/Contents {C}", objects={"C": (cut, "/Filter/FlateDecode")})
    assert "part-unreadable" in {notice.code for notice in read(data).notices}
    assert fallen_back == [1]


def test_a_file_that_pdfium_cannot_open_is_read_all_the_same(fallen_back: list[int]) -> None:
    data = b"%PDF-1.4\n1 0 obj<</Type/Page/MediaBox[0 0 600 800]/Contents 2 0 R/Resources<<>>>>endobj\n" + (
        b"2 0 obj<</Length 40>>stream\nBT /F1 12 Tf 50 700 Td (Alone.) Tj ET\nendstream endobj\n"
    )
    assert read(data).text == read(data, "pdfminer").text == "Alone."


def test_what_a_page_draws_is_counted_before_pdfium_draws_it() -> None:
    objects: Objects = {
        f"L{level}": (b"/N Do " * 10, f"/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</N {{L{level + 1}}}>>>>")
        for level in range(12)
    }
    objects["L12"] = (b"q Q", "/Subtype/Form/BBox[0 0 9 9]")
    with pytest.raises(Refusal) as caught:
        read(document([b"/L0 Do"], resources="/XObject<</L0 {L0}>>", objects=objects))
    assert caught.value.code == "nodes"


def test_the_painter_is_closed_with_its_document() -> None:
    data = document([text("x")])
    budget = Budget(Limits())
    with pdf_session.opened(budget):
        file = PdfFile(data, budget)
        painter = PdfiumPainter(file.data, file.opened_by, Drawer(file.catalog), budget)
        canvas, _ = painter.paint(next(pages(file, budget)), 1)
        painter.close()
    assert [run.text for run in canvas.runs[0]] == ["x"]


# ---- in the jail --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", [None, "auto", "pdfium", "pdfminer"])
def test_the_receipt_names_the_engine(engine: str | None) -> None:
    found = read_isolated("pdf", document([text("Jailed.")]), options=ReadOptions(engine=engine))
    assert found.text == "Jailed."
    assert found.receipt is not None
    assert found.receipt.engine.split(" ")[0] == ("pdfium" if engine == "pdfium" else "pdfminer")
    assert "seccomp" in found.receipt.layers


def test_running_out_of_memory_in_native_code_is_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A path costs PDFium far more than its bytes; C++ that cannot allocate calls abort()."""
    seen: list[int] = []
    judged = verdict._by_signal

    def noted(number: int, *rest: object) -> Refusal:
        seen.append(number)
        return judged(number, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(verdict, "_by_signal", noted)
    content = b"q " + b"0 0 m 1 1 l S " * 200_000
    with pytest.raises(Refusal) as caught:
        read_isolated(
            "pdf", document([content]), limits=Limits(heap_bytes=40 << 20), options=ReadOptions(engine="pdfium")
        )
    assert seen == [signal.SIGABRT]
    assert caught.value.code == "memory"


@pytest.mark.parametrize("engine", ["pdfminer", "pdfium"])
def test_memory_does_not_grow_with_pages(engine: str) -> None:
    """But by their text: what one page took is there for the next."""
    few, many = (
        read_isolated(
            "pdf", document([lines([f"Page {page}."] * 3) for page in range(count)]), options=ReadOptions(engine=engine)
        )
        for count in (50, 2_000)
    )
    assert few.receipt is not None
    assert many.receipt is not None
    assert many.metadata["pages"] == "2000"
    assert many.receipt.peak_bytes - few.receipt.peak_bytes < 32 << 20
    assert many.receipt.peak_bytes < Limits().heap_bytes / 8


@pytest.mark.parametrize(("target", "examples"), [("load:pdf+pdfium", 60), ("jail:pdf+pdfium", 20)])
def test_whatever_a_page_draws_ends_as_it_may(target: str, examples: int) -> None:
    @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(pdfs())
    def run(data: bytes) -> None:
        assert TARGETS[target](data) in {READ, *REFUSAL_CODES}

    run()


def test_pdfium_looks_for_no_fonts() -> None:
    """In an interpreter of its own, since the library starts once."""
    script = (
        "import os, sys\n"
        "from fumehood import kinds\n"
        "from fumehood.sandbox.loading import load, warm\n"
        "from fumehood.kinds import ReadOptions\n"
        "from fumehood.limits.policy import Limits\n"
        "kind = kinds.get('pdf')\n"
        "warm(kind, 'pdfium')\n"
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))\n"
        "data = bytes.fromhex(sys.stdin.read())\n"
        "print(load(kind, data, Limits(), ReadOptions(engine='pdfium')).text())\n"
    )
    data = document(
        [b"BT /F2 12 Tf 50 700 Td (Substituted) Tj ET"],
        resources="/Font<</F2<</Type/Font/Subtype/TrueType/BaseFont/Nowhere>>>>",
    )
    found = subprocess.run(
        [sys.executable, "-P", "-c", script], input=data.hex(), capture_output=True, text=True, check=True
    )
    assert found.stdout == "Substituted\n"
