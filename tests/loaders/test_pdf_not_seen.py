"""What a reader of the page does not see, and what looks like it but is seen."""

from __future__ import annotations

import pytest

from fumehood import Document, Refusal
from fumehood.document import Locator
from fumehood.kinds import get
from fumehood.loaders.shared.pdf_glyphs import WHITE, Canvas, Ink
from fumehood.sandbox.loading import read_in_process
from tests.loaders.pdf_typesetter import column, prose
from tests.loaders.pdf_writer import document, lines, text

pytestmark = pytest.mark.usefixtures("either_engine")

KIND = get("pdf")
IMAGE = (b"\x00", "/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray")
OVER_PAGE = b"q 600 0 0 800 0 0 cm /Im Do Q "
Objects = dict[str, bytes | tuple[bytes, str]]


def read(content: bytes, resources: str = "", objects: Objects | None = None, catalog: str = "") -> Document:
    return read_in_process(KIND, document([content], resources=resources, objects=objects, catalog=catalog))


def notices(found: Document) -> dict[str, int | str | None]:
    return {notice.code: notice.detail for notice in found.notices}


def hidden(found: Document) -> list[str]:
    return [found.text[block.start : block.end] for block in found.blocks if not block.visible]


SECRET = text("Not seen.", y=600)


@pytest.mark.parametrize(
    "content",
    [
        b"1 g " + SECRET,
        b"1 1 1 rg " + SECRET,
        b"0 0 0 0 k " + SECRET,
        b"/DeviceRGB cs 1 0.98 1 sc " + SECRET,
        b"/Sp cs 0 scn " + SECRET,
        b"/Gr cs 1 scn " + SECRET,
        b"0 0 0.5 rg 40 590 200 40 re f " + SECRET,
        b"0 g 0 0 600 800 re f 1 g 0 0 600 800 re f " + SECRET,
        b"q 0 g 40 590 200 40 re f Q 1 g 40 590 200 40 re f " + SECRET,
        text("Not seen.", y=600, before="1 Tr 1 G"),
        text("Not seen.", y=600, size=0.5),
        text("Not seen.", y=600, before="0 Tz"),
        text("Not seen.", y=600, before="1 Tz"),
        b"q .001 0 0 1 50 0 cm " + text("Not seen.", y=600) + b" Q",
        b"BT /F1 12 Tf 12 0 0 .01 50 600 Tm (Not seen.) Tj ET",
        b"q 0 0 40 800 re W n " + SECRET + b" Q",
        b"q 0 700 m 600 700 l 600 720 l 0 720 l h W* n " + SECRET + b" Q",
        b"q 0 0 600 550 re W n 0 0 600 800 re W n " + SECRET + b" Q",
        b"/OC /Off BDC " + SECRET + b" EMC ",
        b"/OC /Off BDC /Span BMC " + SECRET + b" EMC EMC ",
        b"/OC /Member BDC " + SECRET + b" EMC ",
        b"/Form Do ",
        b"/Clipped Do ",
        b"q /Clear gs " + SECRET + b" Q ",
        text("Not seen.", y=600, before="3 Tr"),
        text("Not seen.", y=600, before="7 Tr"),
        text("Not seen.", x=-300, y=600),
    ],
)
def test_what_nobody_sees_is_kept_apart(content: bytes) -> None:
    resources = (
        "/ColorSpace<</Sp[/Separation/Ink/DeviceGray 1]/Gr[/ICCBased {Profile}]>>/ExtGState<</Clear<</ca 0>>>>"
        "/Properties<</Off {Off}/Member {Member}>>/XObject<</Form {Form}/Clipped {Clipped}>>"
    )
    objects: Objects = {
        "Off": b"<</Type/OCG/Name(Draft)>>",
        "Member": b"<</Type/OCMD/OCGs[{Off}]>>",
        "Profile": (b"", "/N 1"),
        "Form": (SECRET, "/Subtype/Form/BBox[0 0 600 800]/OC {Off}"),
        "Clipped": (SECRET, "/Subtype/Form/BBox[0 0 600 500]"),
    }
    found = read(text("Seen.") + b"q " + content + b" Q", resources, objects, "/OCProperties<</D<</OFF[{Off}]>>>>")
    assert (found.visible_text, hidden(found)) == ("Seen.", ["Not seen."])
    assert notices(found)["hidden-text"] == 1


@pytest.mark.parametrize(
    "content",
    [
        b"0 g 40 690 200 40 re f 1 g " + text("Seen."),
        b"0.5 g 40 690 m 240 690 l 300 720 260 730 240 730 c 40 730 l f 1 g " + text("Seen."),
        b"/Pattern cs /P scn 40 690 200 40 re f 1 g " + text("Seen."),
        b"q 200 0 0 40 40 690 cm /Im Do Q 1 g " + text("Seen."),
        b"/Sh sh 1 g " + text("Seen."),
        b"1 g 40 690 200 40 re f 0 g " + text("Seen."),
        b"q 1 g Q " + text("Seen."),
        b"q 40 690 200 40 re W n " + text("Seen.") + b" Q",
        b"q 0 0 1 1 re W n Q " + text("Seen."),
        b"/OC /On BDC " + text("Seen.") + b" EMC",
        b"/OC /Off BDC EMC " + text("Seen."),
        b"/OC /Nothing BDC " + text("Seen.") + b" EMC",
        b"EMC EMC " + text("Seen."),
        b"0.9 g " + text("Seen."),
        text("Seen.", before="2 Tr"),
        text("Seen.", before="40 Tz"),
        text("Seen.", before="-100 Tz", x=200),
    ],
)
def test_what_is_seen_is_not_hidden(content: bytes) -> None:
    objects: Objects = {"Im": IMAGE, "On": b"<</Type/OCG>>", "Off": b"<</Type/OCG>>"}
    resources = "/XObject<</Im {Im}>>/Properties<</On {On}/Off {Off}>>"
    found = read(content, resources, objects, "/OCProperties<</D<</OFF[{Off}]>>>>")
    assert (found.visible_text, hidden(found)) == ("Seen.", [])


@pytest.mark.parametrize(
    ("policy", "is_seen"), [("AnyOn", True), ("AllOn", False), ("AnyOff", True), ("AllOff", False)]
)
def test_a_layer_of_layers_follows_its_policy(policy: str, is_seen: bool) -> None:
    objects: Objects = {
        "On": b"<</Type/OCG>>",
        "Off": b"<</Type/OCG>>",
        "M": f"<</Type/OCMD/P/{policy}/OCGs[{{On}} {{Off}}]>>".encode(),
    }
    catalog = "/OCProperties<</OCGs[{On} {Off}]/D<</BaseState/OFF/ON[{On}]>>>>"
    found = read(b"/OC /M BDC " + text("Here.") + b" EMC", "/Properties<</M {M}>>", objects, catalog)
    assert bool(found.visible_text) is is_seen


def test_a_picture_of_a_layer_that_is_off_is_none() -> None:
    objects: Objects = {"Off": b"<</Type/OCG>>", "Im": (IMAGE[0], IMAGE[1] + "/OC {Off}")}
    found = read(OVER_PAGE + text("Text."), "/XObject<</Im {Im}>>", objects, "/OCProperties<</D<</OFF[{Off}]>>>>")
    assert notices(found) == {}


def test_text_recognised_over_a_scan_is_kept_and_told() -> None:
    content = OVER_PAGE + lines(["Recognised text that", "goes on for two lines."]).replace(b"Tf", b"Tf 3 Tr")
    found = read(content, "/XObject<</Im {Im}>>", {"Im": IMAGE})
    assert found.visible_text == "Recognised text that goes on for two lines."
    assert notices(found) == {"image-not-read": 1, "text-recognised": 1}


def test_hidden_text_stands_behind_what_it_is_next_to() -> None:
    content = text("First.", y=700) + text("Second.", y=500) + text("Third.", y=300)
    found = read(content + text("Between.", y=480, before="3 Tr"))
    assert [found.text[block.start : block.end] for block in found.blocks] == [
        "First.",
        "Second.",
        "Between.",
        "Third.",
    ]


def test_hidden_tables_are_hidden() -> None:
    cells = b"".join(
        text(f"cell {row}{column}", 50 + 100 * column, 600 - 15 * row) for row in range(4) for column in range(3)
    )
    found = read(text("Seen.") + b"1 g " + cells)
    assert found.visible_text == "Seen."
    assert [block.role for block in found.blocks if not block.visible] == ["table-row"] * 4
    assert notices(found) == {"hidden-text": 4}


def test_hidden_columns_are_read_one_by_one() -> None:
    first, second = (prose(seed, 60) for seed in ("Alpha", "Bravo"))
    shown = column(first, 50, 700, 230), column(second, 310, 700, 230)
    found = read(b"1 g " + b"".join(line for part in shown for line in part))
    assert [" ".join(one.split()) for one in hidden(found)] == [first, second]


def test_hidden_text_does_not_come_between_words() -> None:
    content = text("One sentence that", y=700) + text("is not torn.", y=686) + b"1 g " + text("IGNORE THIS", 60, 693)
    assert read(content).visible_text == "One sentence that is not torn."


def test_a_page_of_hidden_text_over_no_picture_is_no_scan() -> None:
    assert hidden(read(text("All of it.", before="3 Tr"))) == ["All of it."]


def test_a_scan_without_text_is_refused() -> None:
    with pytest.raises(Refusal) as caught:
        read(OVER_PAGE, "/XObject<</Im {Im}>>", {"Im": IMAGE})
    assert caught.value.code == "scanned"


# ---- the canvas -------------------------------------------------------------------------------------------


def test_what_is_painted_last_is_behind() -> None:
    canvas = Canvas(100, 100)
    assert canvas.is_lost(WHITE, 50, 50)
    canvas.add_fill((0, 0, 100, 100), (1.0, 0.0, 0.0))
    assert canvas.is_lost((1.0, 0.02, 0.0), 50, 50)
    assert not canvas.is_lost(WHITE, 50, 50)
    canvas.add_fill((0, 0, 60, 60), WHITE)
    assert canvas.is_lost(WHITE, 50, 50)
    canvas.add_image((0, 0, 100, 100))
    assert not canvas.is_lost(WHITE, 50, 50)


def test_a_page_of_more_areas_than_are_kept_hides_nothing() -> None:
    canvas = Canvas(100, 100)
    for number in range(1_000):
        canvas.add_fill((number, 0, number + 1, 1), (0.0, 0.0, 0.0))
    assert canvas.ink(10, 0, WHITE, 50, 50) is Ink.SEEN


LETTER = b"%d %d m %d %d %d %d %d %d c h f\n"


def letters(count: int, size: int = 8, colour: bytes = b"0 g ") -> bytes:
    """A row of shapes, as letters turned to curves are."""
    places = ((50 + 10 * number, 600) for number in range(count))
    return colour + b"".join(LETTER % (x, y, x + size, y, x + size, y + size, x, y + size) for x, y in places)


@pytest.mark.parametrize("many_in_one", [False, True])
def test_a_page_of_letters_turned_to_curves_is_told(many_in_one: bool) -> None:
    drawn = letters(20).replace(b" f\n", b"\n") + b"f" if many_in_one else letters(20)
    found = read_in_process(KIND, document([text("A page."), drawn, drawn, text("Another.")]))
    assert [(notice.code, notice.locator, notice.detail) for notice in found.notices] == [
        ("pages-without-text", Locator(page=2), 2)
    ]


def test_a_document_of_letters_turned_to_curves_is_empty_and_says_why() -> None:
    assert {notice.code for notice in read(letters(20)).notices} == {"pages-without-text", "empty-document"}


@pytest.mark.parametrize(
    "drawn",
    [
        b"",
        b"".join(b"50 %d m 550 %d l S " % (y, y) for y in range(100, 700, 12)),
        b"".join(b"50 %d 500 1 re f " % y for y in range(100, 700, 12)),
        letters(3, size=40),
        letters(50, size=2),
        letters(20, colour=b"1 g "),
        b"1 0 0 1 700 0 cm " + letters(20),
    ],
    ids=["empty", "ruled", "ruled by areas", "an ornament", "dots", "white", "off the page"],
)
def test_a_page_that_says_nothing_is_not(drawn: bytes) -> None:
    assert read_in_process(KIND, document([text("A page."), drawn])).notices == ()
