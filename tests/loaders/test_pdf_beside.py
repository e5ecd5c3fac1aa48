"""What a PDF holds beside its pages' contents: links, fields, outline, labels, tags, attachments, metadata."""

from __future__ import annotations

import pytest

from fumehood import Document, ReadOptions, Refusal
from fumehood.kinds import get
from fumehood.loaders.shared.pdf_file import PdfFile
from fumehood.sandbox.loading import read_in_process
from tests.loaders.pdf_writer import document, text

pytestmark = pytest.mark.usefixtures("either_engine")

KIND = get("pdf")
Objects = dict[str, bytes | tuple[bytes, str]]


def read(data: bytes, options: ReadOptions | None = None) -> Document:
    return read_in_process(KIND, data, options=options)


def links(found: Document) -> list[tuple[str, str]]:
    return [(found.text[link.start : link.end], link.target) for link in found.links]


def notices(found: Document) -> dict[str, object]:
    return {notice.code: notice.detail for notice in found.notices}


# ---- links --------------------------------------------------------------------------------------------------


def annotated(entries: str, catalog: str = "") -> bytes:
    page = f"/Annots[<</Type/Annot/Subtype/Link/Rect[48 695 110 715]{entries}>>]"
    return document([text("Click here") + text("and read on.", 50, 660), text("Two.")], page=page, catalog=catalog)


def test_a_link_to_an_address_is_kept_over_its_text() -> None:
    found = read(annotated("/A<</S/URI/URI(https://example.org/a)>>"))
    assert links(found)[0] == ("Click here", "https://example.org/a")


@pytest.mark.parametrize(
    ("entries", "catalog"),
    [
        ("/Dest[{P} /Fit]", ""),
        ("/A<</S/GoTo/D[{P} /Fit]>>", ""),
        ("/Dest(there)", "/Names<</Dests<</Names[(there) [{P} /Fit]]>>>>"),
        ("/Dest[1 /Fit]", ""),
        ("/Dest/there", "/Dests<</there<</D[{P} /Fit]>>>>"),
    ],
)
def test_a_link_within_leads_to_a_page(entries: str, catalog: str) -> None:
    # In what the writer makes, objects 1 to 3 are catalog, tree and font; then a stream and a page in turns.
    page = "7 0 R"
    found = read(annotated(entries.replace("{P}", page), catalog=catalog.replace("{P}", page)))
    assert links(found)[0] == ("Click here", "#page=2")


@pytest.mark.parametrize(
    "action", ["<</S/URI/URI(javascript:alert)>>", "<</S/URI/URI(file:///etc/passwd)>>", "<</S/Launch/F(a.exe)>>"]
)
def test_a_link_to_anything_else_is_dropped_and_its_text_stays(action: str) -> None:
    found = read(annotated(f"/A{action}"))
    assert "Click here" in found.text
    assert (links(found), notices(found)) == ([], {"link-dropped": 2})


# ---- form fields --------------------------------------------------------------------------------------------


def field(entries: str) -> str:
    page = f"/Annots[<</Type/Annot/Subtype/Widget/Rect[150 695 300 715]{entries}>>]"
    return read(document([text("Name:")], page=page)).text


def test_the_value_of_a_field_that_nothing_draws_stands_where_its_widget_is() -> None:
    assert field("/FT/Tx/V(Ada Lovelace)") == "Name: Ada Lovelace"


def test_a_value_stands_in_the_middle_of_a_high_field() -> None:
    page = "/Annots[<</Subtype/Widget/Rect[150 690 300 718]/FT/Tx/V(Ada Lovelace)>>]"
    content = text("First name") + text("Last name", 350)
    assert read(document([content], page=page)).text == "First name Ada Lovelace Last name"


def test_a_value_is_inherited_from_the_field_around() -> None:
    assert field("/Parent<</FT/Tx/V(Ada)>>") == "Name: Ada"


def test_chosen_values_are_read() -> None:
    assert field("/FT/Ch/V(red)") == "Name: red"


@pytest.mark.parametrize(
    ("entries", "shown"),
    [
        ("/FT/Ch/V(no)/Opt[[(us)(United States)][(no)(Norway)]]", "Norway"),
        ("/FT/Ch/V[(One)(Three)]/Opt[(One)(Two)(Three)]", "One, Three"),
        ("/FT/Tx/V<FEFF05D005D1>", "\u05d0\u05d1"),
        ("/FT/Btn/V/Yes/AS/Yes", "\u2612"),
        ("/FT/Btn/V/Off/AS/Off", "\u2610"),
        ("/FT/Btn/V/Yes", "\u2612"),
        ("/FT/Btn", "\u2610"),
        ("/FT/Btn/Ff 32768/Parent<</V/b>>/AP<</N<</a {N}>>>>", "\u2610"),
        ("/FT/Btn/Ff 32768/Parent<</V/b>>/AP<</N<</b {N}>>>>", "\u2612"),
        ("/FT/Btn/AS/on/AP<</N<</on {N}>>>>", "\u2612"),
        ("/FT/Btn/Ff 65536/MK<</CA(Send)>>", "Send"),
        ("/FT/Btn/AS/on/AP<</N<</on {T}>>>>", "ticked"),
        ("/FT/Tx/V(typed)/AP<</N {T}>>", "ticked"),
    ],
)
def test_what_fields_of_each_type_show(entries: str, shown: str) -> None:
    form = "/Subtype/Form/BBox[0 0 150 20]/Resources<</Font<</F1 3 0 R>>>>"
    page = f"/Annots[<</Type/Annot/Subtype/Widget/Rect[150 695 300 715]{entries}>>]"
    objects: Objects = {"N": (b"0 0 9 9 re S", form), "T": (text("ticked", 5, 5), form)}
    assert read(document([text("Name:")], page=page, objects=objects)).text == f"Name: {shown}"


def test_passwords_and_signatures_show_no_value() -> None:
    assert field("/FT/Tx/Ff 8192/V(secret)") == "Name:"
    assert field("/FT/Sig/V<</Name(x)>>") == "Name:"


def test_a_password_in_an_appearance_is_not_read() -> None:
    objects: Objects = {"T": (text("secret", 5, 5), "/Subtype/Form/BBox[0 0 150 20]/Resources<</Font<</F1 3 0 R>>>>")}
    page = "/Annots[<</Subtype/Widget/Rect[150 695 300 715]/FT/Tx/Ff 8192/V(secret)/AP<</N {T}>>>>]"
    assert read(document([text("Name:")], page=page, objects=objects)).text == "Name:"


def test_hidden_fields_and_remarks_are_kept_and_hidden() -> None:
    page = (
        "/Annots[<</Subtype/Widget/Rect[150 695 300 715]/FT/Tx/V(of a field)/F 2>>"
        "<</Subtype/Text/Rect[1 1 9 9]/Contents(of a note)/F 32>>]"
    )
    found = read(document([text("Name:")], page=page))
    assert [(found.text[one.start : one.end], one.role, one.visible) for one in found.blocks] == [
        ("Name:", "paragraph", True),
        ("of a field", "paragraph", False),
        ("of a note", "comment", False),
    ]
    assert notices(found) == {"hidden-text": 2}


def test_a_value_is_read_where_its_appearance_shows_no_text() -> None:
    objects: Objects = {"Empty": (b"0 0 9 9 re S", "/Subtype/Form/BBox[0 0 150 20]")}
    page = "/Annots[<</Subtype/Widget/Rect[150 695 300 715]/FT/Tx/V(typed)/AP<</N {Empty}>>>>]"
    assert read(document([text("Name:")], page=page, objects=objects)).text == "Name: typed"


@pytest.mark.parametrize(("is_stale", "shown"), [("true", "typed"), ("false", "before")])
def test_appearances_that_are_said_to_be_stale_are_made_anew(is_stale: str, shown: str) -> None:
    form = "/Subtype/Form/BBox[0 0 150 20]/Resources<</Font<</F1 3 0 R>>>>"
    page = "/Annots[<</Subtype/Widget/Rect[150 695 300 715]/FT/Tx/V(typed)/AP<</N {Before}>>>>]"
    catalog = f"/AcroForm<</NeedAppearances {is_stale}>>"
    found = read(
        document([text("Name:")], page=page, catalog=catalog, objects={"Before": (text("before", 5, 5), form)})
    )
    assert found.text == f"Name: {shown}"


def test_fields_that_no_page_has_are_kept_hidden_with_their_names() -> None:
    catalog = (
        "/AcroForm<</Fields[{Shown} {Group}"
        "<</T(colour)/FT/Btn/V/red/Kids[<</AS/red>><</AS/Off>>]>><</T(secret)/FT/Tx/Ff 8192/V(no)>>"
        "<</T(empty)/FT/Tx/V()>><</T(off)/FT/Btn/V/Off>><</T(signed)/FT/Sig/V<</Name(x)>>>>]>>"
    )
    objects: Objects = {
        "Shown": b"<</T(a)/FT/Tx/V(on the page)/Kids[{Widget}]>>",
        "Widget": b"<</Subtype/Widget/Rect[150 695 300 715]/Parent {Shown}>>",
        "Group": b"<</T(form)/FT/Tx/V(of all)/Kids[{Inner} {Other} {Group}]>>",
        "Inner": b"<</T(city)/TU(Where you live)/V(London)/Parent {Group}>>",
        "Other": b"<</T(rich)/V()/RV(<body xmlns='http://www.w3.org/1999/xhtml'><p>one</p><p>t<b>wo</b></p></body>)"
        b"/Parent {Group}>>",
    }
    found = read(document([text("Name:")], page="/Annots[{Widget}]", catalog=catalog, objects=objects))
    assert found.visible_text == "Name: on the page"
    assert [(found.text[one.start : one.end], one.locator and one.locator.path) for one in found.blocks[1:]] == [
        ("Where you live: London", "form.city"),
        ("form.rich: one\ntwo", "form.rich"),
        ("colour: red", "colour"),
    ]
    assert notices(found) == {"hidden-text": 3}


def test_fields_within_fields_without_end_are_nesting() -> None:
    objects: Objects = {f"F{index}_": f"<</T(f)/Kids[{{F{index + 1}_}}]>>".encode() for index in range(400)}
    with pytest.raises(Refusal) as caught:
        read(document([text("One.")], catalog="/AcroForm<</Fields[{F0_}]>>", objects=objects | {"F400_": b"<<>>"}))
    assert caught.value.code == "nesting"


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        (
            "/RC(<?xml version='1.0'?><body xmlns='http://www.w3.org/1999/xhtml'><p>So <i>rich</i></p><p>a note</p></body>)",
            "So rich\na note",
        ),
        ("/RC {Stream}", "of a stream"),
        ("/Contents(plain)/RC(<body><p>rich</p></body>)", "plain"),
        ("/RC(<body><p>broken)", "<body><p>broken"),
        ("/RC(<!DOCTYPE a [<!ENTITY b 'c'>]><body>&b;</body>)", "<!DOCTYPE a [<!ENTITY b 'c'>]><body>&b;</body>"),
    ],
)
def test_remarks_of_rich_text_alone_are_read(entries: str, said: str) -> None:
    page = f"/Annots[<</Subtype/Text/Rect[1 1 9 9]{entries}>>]"
    objects: Objects = {"Stream": (b"<body><p>of a stream</p></body>", "")}
    found = read(document([text("Text.")], page=page, objects=objects))
    comment = found.blocks[1]
    assert comment.role == "comment"
    assert found.text[comment.start : comment.end].replace("\\", "") == said


def test_a_field_within_itself_has_no_value() -> None:
    found = read(
        document(
            [text("Name:")],
            page="/Annots[<</Subtype/Widget/Rect[1 1 9 9]/Parent {A}>>]",
            objects={"A": b"<</Parent {A}>>"},
        )
    )
    assert found.text == "Name:"


# ---- outline and labels -------------------------------------------------------------------------------------

OUTLINE: Objects = {
    "O": b"<</First {A}>>",
    "A": b"<</Title(Part one)/First {B}/Next {C}>>",
    "B": b"<</Title(A detail)/Parent {A}/Next {B}>>",
    "C": b"<</Title(Part two)/Next {A}>>",
}


def test_titles_in_the_outline_are_headings_of_its_levels() -> None:
    content = text("Part one") + text("Some text of it.", y=660) + text("A detail", y=620) + text("More of it.", y=580)
    found = read(document([content, text("Part two")], catalog="/Outlines {O}", objects=OUTLINE))
    assert [
        (block.level, found.text[block.start : block.end]) for block in found.blocks if block.role == "heading"
    ] == [
        (1, "# Part one"),
        (2, "## A detail"),
        (1, "# Part two"),
    ]


def test_an_outline_deeper_than_anything_is_followed_as_far_as_is_sensible() -> None:
    objects: Objects = {f"L{level}": f"<</Title(t{level})/First {{L{level + 1}}}>>".encode() for level in range(2_000)}
    objects["L2000"] = b"<</Title(end)>>"
    found = read(document([text("Here.")], catalog="/Outlines<</First {L0}>>", objects=objects))
    assert found.text == "Here."


def test_labels_are_the_part_of_a_page_where_they_differ_from_its_number() -> None:
    pages = [text(f"Page {letter}.") for letter in "abcde"]
    labels = "/PageLabels<</Nums[0<</S/r>>2<</S/D/St 1/P(A-)>>4<</S/D/St 5>>]>>"
    found = read(document(pages, catalog=labels))
    assert [(block.locator.page, block.locator.part) for block in found.blocks if block.locator] == [
        (1, "i"),
        (2, "ii"),
        (3, "A-1"),
        (4, "A-2"),
        (5, None),
    ]


def test_labels_that_make_no_sense_are_none() -> None:
    found = read(document([text("x")], catalog="/PageLabels<</Nums[(a)<</S/D>> 0<</S/Q/St -9>>]/Kids[1 0 R]>>"))
    assert found.blocks[0].locator is not None
    assert found.blocks[0].locator.part is None


# ---- tags ---------------------------------------------------------------------------------------------------


def tagged(role: str, more: str = "", marked: str = "true") -> Document:
    content = b"/P<</MCID 0>>BDC " + text("Just so") + b"EMC " + text("Text.", y=650) + text("Text again.", y=620)
    objects: Objects = {
        "T": f"<</Type/StructTreeRoot/K[{{E}}]{more}>>".encode(),
        "E": f"<</S/{role}/Pg 8 0 R/K 0>>".encode(),
        "G": b"<</S/Figure/Pg 8 0 R/Alt(A cat on a mat.)/P {T}>>",
    }
    catalog = f"/MarkInfo<</Marked {marked}>>/StructTreeRoot {{T}}"
    return read(document([content], catalog=catalog, objects=objects))


def test_a_tagged_heading_is_a_heading_of_its_level() -> None:
    assert tagged("H3").text.startswith("### Just so")
    assert tagged("Kop", "/RoleMap<</Kop/H2>>").text.startswith("## Just so")
    assert tagged("P").text.startswith("Just so")


def test_tagged_items_are_items_though_their_bullets_are_drawings() -> None:
    rows = [
        ("First of all comes what is long,", 60, 700),
        ("which goes on here.", 60, 686),
        ("An item inside.", 80, 672),
        ("The last.", 60, 658),
    ]
    content = b"".join(
        b"/P<</MCID %d>>BDC " % mark + text(string, x, y) + b"EMC " for mark, (string, x, y) in enumerate(rows)
    )
    objects: Objects = {
        "T": b"<</Type/StructTreeRoot/K {L}>>",
        "L": b"<</S/L/Pg 8 0 R/K[<</S/LI/K<</S/LBody/K[0 1 {M}]>>>> <</S/LI/K<</S/LBody/K 3>>>>]>>",
        "M": b"<</S/L/K<</S/LI/K 2>>>>",
    }
    found = read(document([content], catalog="/MarkInfo<</Marked true>>/StructTreeRoot {T}", objects=objects))
    assert found.text == "- First of all comes what is long, which goes on here.\n  - An item inside.\n- The last."


def test_tags_that_are_not_to_be_trusted_are_not() -> None:
    assert tagged("H3", marked="false").text.startswith("Just so")
    assert tagged("H3", marked="true/Suspects true").text.startswith("Just so")


def test_alternate_texts_follow_their_page() -> None:
    objects: Objects = {
        "T": b"<</K[{F} {T}]>>",
        "F": b"<</S/Figure/Pg 7 0 R/Alt(A cat on a mat.)/P {T}>>",
    }
    catalog = "/MarkInfo<</Marked true>>/StructTreeRoot {T}"
    found = read(document([text("One.")], catalog=catalog, objects=objects))
    assert [(block.role, found.text[block.start : block.end]) for block in found.blocks] == [
        ("paragraph", "One."),
        ("caption", "A cat on a mat."),
    ]


# ---- attachments --------------------------------------------------------------------------------------------


def with_files() -> bytes:
    objects: Objects = {
        "F": (b"name,count\nalpha,1\n", "/Type/EmbeddedFile/Subtype/text#2Fcsv"),
        "G": (b"A note.", "/Type/EmbeddedFile"),
        "S": b"<</Type/Filespec/F(list.csv)/EF<</F {F}>>>>",
    }
    return document(
        [text("See the files.")],
        catalog="/Names<</EmbeddedFiles<</Names[(a) {S} (b) null]>>>>/AF[{S}]",
        page="/Annots[<</Subtype/FileAttachment/Rect[0 0 9 9]/FS<</F(note.txt)/EF<</F {G}>>>>>>]",
        objects=objects,
    )


def test_attachments_are_notices_with_their_names() -> None:
    found = read(with_files())
    told = [(notice.code, notice.detail, notice.locator) for notice in found.notices]
    assert [(code, detail) for code, detail, _ in told] == [
        ("attachment-not-read", "csv"),
        ("part-missing", "attachment"),
        ("attachment-not-read", "text"),
    ]
    assert [place and (place.page, place.path) for *_, place in told] == [
        (None, "list.csv"),
        (None, None),
        (1, "note.txt"),
    ]


@pytest.fixture
def _forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Objects are read anew, as after a repair: what was read before gives its place in memory to others."""
    getobj = PdfFile.getobj

    def forgotten(self: PdfFile, number: int) -> object:
        value = getobj(self, number)
        self._objects.pop(number, None)
        return value

    monkeypatch.setattr(PdfFile, "getobj", forgotten)


@pytest.mark.usefixtures("_forgetful")
def test_each_attachment_is_told_once_though_objects_are_read_anew() -> None:
    count = 20
    objects: Objects = {f"F{at:02}": (b"A note.", "/Type/EmbeddedFile") for at in range(count)}
    named = "".join(f"(n{at:02})<</Type/Filespec/F({at:02}.txt)/EF<</F {{F{at:02}}}>>>>" for at in range(count))
    found = read(document([text("See.")], catalog=f"/Names<</EmbeddedFiles<</Names[{named * 2}]>>>>", objects=objects))
    told = [notice.locator and notice.locator.path for notice in found.notices if notice.code == "attachment-not-read"]
    assert told == [f"{at:02}.txt" for at in range(count)]


@pytest.mark.usefixtures("_forgetful")
def test_each_field_is_told_once_though_objects_are_read_anew() -> None:
    count = 20
    objects: Objects = {f"P{at:02}": b"<</Subtype/Widget/FT/Tx/T(p)/V(On it.)/Rect[9 9 90 30]>>" for at in range(count)}
    objects |= {f"K{at:02}": b"<</FT/Tx/T(k%d)/V(Kept %d.)>>" % (at, at) for at in range(count)}
    placed = " ".join(f"{{P{at:02}}}" for at in range(count))
    kept = " ".join(f"{{K{at:02}}}" for at in range(count))
    catalog = f"/AcroForm<</Fields[{placed} {kept}]>>"
    found = read(document([text("See.")], page=f"/Annots[{placed}]", catalog=catalog, objects=objects))
    hidden = [found.text[block.start : block.end] for block in found.blocks if not block.visible]
    assert hidden == [f"k{at}: Kept {at}." for at in range(count)]


def test_attachments_are_read_where_the_caller_asks_for_them() -> None:
    found = read(with_files(), ReadOptions(attachments=True))
    assert "| alpha | 1 |" in found.text
    assert found.text.endswith("A note.")


# ---- metadata -----------------------------------------------------------------------------------------------

XMP = b"""<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/"><rdf:Description xmp:CreateDate="2024-05-06T07:08:09+02:00">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">A title</rdf:li><rdf:li xml:lang="de">Titel</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>Ada</rdf:li><rdf:li>Grace</rdf:li></rdf:Seq></dc:creator>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>"""


def described(xmp: bytes, info: str = "") -> Document:
    return read(document([text("x")], catalog="/Metadata {M}", info=info, objects={"M": (xmp, "/Type/Metadata")}))


def test_xmp_says_what_the_information_dictionary_does_not() -> None:
    found = described(XMP, "<</Author(Someone)>>")
    assert found.title == "A title"
    assert found.metadata == {"author": "Someone", "created": "2024-05-06T07:08:09+02:00", "pages": "1"}
    assert described(XMP).metadata["author"] == "Ada, Grace"


@pytest.mark.parametrize(
    "xmp",
    [
        b"no xml",
        b"<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>",
        b"<a>" * 1_000,
        XMP + b" " * 2_000_000,
        XMP[:300],
    ],
)
def test_xmp_that_cannot_be_read_is_told_and_the_document_read(xmp: bytes) -> None:
    found = described(xmp)
    assert (found.text, notices(found)) == ("x", {"part-unreadable": "xml"})
