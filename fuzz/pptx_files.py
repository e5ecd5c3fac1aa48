"""Writes presentations (ECMA-376 part 1, 13 and 19) part by part, so that any part may lie."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from fumehood.fuzz.archives import Entry, archive, entry
from fumehood.fuzz.deflate import Packed
from fumehood.fuzz.ooxml import DECLARATION

_OPEN_XML = "http://schemas.openxmlformats.org"
RELATIONSHIP = f"{_OPEN_XML}/officeDocument/2006/relationships"
NAMESPACES = {
    "p": f"{_OPEN_XML}/presentationml/2006/main",
    "a": f"{_OPEN_XML}/drawingml/2006/main",
    "r": RELATIONSHIP,
    "c": f"{_OPEN_XML}/drawingml/2006/chart",
    "dgm": f"{_OPEN_XML}/drawingml/2006/diagram",
    "mc": f"{_OPEN_XML}/markup-compatibility/2006",
    "m": f"{_OPEN_XML}/officeDocument/2006/math",
    "a14": "http://schemas.microsoft.com/office/drawing/2010/main",
    "p15": "http://schemas.microsoft.com/office/powerpoint/2012/main",
    "p188": "http://schemas.microsoft.com/office/powerpoint/2018/8/main",
    "adec": "http://schemas.microsoft.com/office/drawing/2017/decorative",
}
_DECLARED = "".join(f' xmlns:{prefix}="{uri}"' for prefix, uri in NAMESPACES.items())
MAIN_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
COMMENTS_2018 = "http://schemas.microsoft.com/office/2018/10/relationships/comments"


class Arrow(NamedTuple):
    """A relationship: `kind` is a short type such as `slide` (part 1, 15.2), or a whole URI."""

    id: str
    kind: str
    target: str
    external: bool = False


class Page(NamedTuple):
    """A slide's part and what hangs on it."""

    part: bytes | Packed
    arrows: Sequence[Arrow] = ()


# ---- snippets: the insides of parts ------------------------------------------------------------------------------------


def part(root: str, inner: str) -> bytes:
    """A part's XML; every namespace that the snippets name is declared."""
    return DECLARATION + f"<{root}{_DECLARED}>{inner}</{root.split(' ')[0]}>".encode()


def para(text: str, properties: str = "", run: str = "") -> str:
    """A paragraph. `properties`: attributes and children of its own, as `lvl="1"><a:buNone/`; `run`: children of the run's."""
    styled = f"<a:pPr {properties}/>" if properties and "<" not in properties else properties
    return f"<a:p>{styled}<a:r><a:rPr>{run}</a:rPr><a:t>{text}</a:t></a:r></a:p>"


def transform(left: int, top: int, width: int, height: int, prefix: str = "a") -> str:
    return f'<{prefix}:xfrm><a:off x="{left}" y="{top}"/><a:ext cx="{width}" cy="{height}"/></{prefix}:xfrm>'


def about(element: str, attributes: str = "", special: str = "", inner: str = "") -> str:
    """What a shape says of itself: `element` is `Sp`, `Pic`, `GraphicFrame`, `GrpSp` or `CxnSp`."""
    return (
        f'<p:nv{element}Pr><p:cNvPr id="2" name="A"{attributes}>{inner}</p:cNvPr><p:cNv{element}Pr/>'
        f"<p:nvPr>{special}</p:nvPr></p:nv{element}Pr>"
    )


def placeholder(kind: str = "", number: str = "") -> str:
    typed = f' type="{kind}"' if kind else ""
    return f"<p:ph{typed} idx='{number}'/>" if number else f"<p:ph{typed}/>"


def shape(*texts: str, ph: str = "", place: str = "", attributes: str = "", inner: str = "", style: str = "") -> str:
    """A shape of paragraphs; a text that starts with `<` is XML already. `ph`: its placeholder."""
    paragraphs = "".join(text if text.startswith("<") else para(text) for text in texts)
    return (
        f"<p:sp>{about('Sp', attributes, ph, inner)}<p:spPr>{place}</p:spPr>"
        f"<p:txBody><a:bodyPr/><a:lstStyle>{style}</a:lstStyle>{paragraphs}</p:txBody></p:sp>"
    )


def title(text: str) -> str:
    return shape(text, ph=placeholder("title"))


def picture(attributes: str = "", special: str = "", inner: str = "", place: str = "") -> str:
    return (
        f"<p:pic>{about('Pic', attributes, special, inner)}<p:blipFill><a:blip/></p:blipFill>"
        f"<p:spPr>{place}</p:spPr></p:pic>"
    )


def group(*shapes: str, place: str = "", attributes: str = "") -> str:
    return f"<p:grpSp>{about('GrpSp', attributes)}<p:grpSpPr>{place}</p:grpSpPr>{''.join(shapes)}</p:grpSp>"


def frame(content: str, attributes: str = "", place: str = "") -> str:
    """What a graphic frame shows; a table, a chart, a diagram, an object."""
    placed = place or transform(0, 0, 9, 9, "p")
    return f"<p:graphicFrame>{about('GraphicFrame', attributes)}{placed}<a:graphic><a:graphicData>{content}</a:graphicData></a:graphic></p:graphicFrame>"


def cell(*texts: str, attributes: str = "") -> str:
    paragraphs = "".join(text if text.startswith("<") else para(text) for text in texts) or "<a:p/>"
    return f"<a:tc {attributes}><a:txBody><a:bodyPr/>{paragraphs}</a:txBody><a:tcPr/></a:tc>"


def row(*cells: str) -> str:
    return f'<a:tr h="1">{"".join(one if one.startswith("<a:tc") else cell(one) for one in cells)}</a:tr>'


def table(*rows: str) -> str:
    return frame(f"<a:tbl><a:tblPr/><a:tblGrid><a:gridCol w='1'/></a:tblGrid>{''.join(rows)}</a:tbl>")


def chart(identifier: str) -> str:
    return frame(f'<c:chart r:id="{identifier}"/>')


def diagram(identifier: str) -> str:
    return frame(f'<dgm:relIds r:dm="{identifier}" r:lo="" r:qs="" r:cs=""/>')


def alternates(requires: str, choice: str, fallback: str | None = None) -> str:
    other = "" if fallback is None else f"<mc:Fallback>{fallback}</mc:Fallback>"
    return f'<mc:AlternateContent><mc:Choice Requires="{requires}">{choice}</mc:Choice>{other}</mc:AlternateContent>'


def tree(*shapes: str) -> str:
    return f"<p:cSld><p:spTree>{about('GrpSp')}<p:grpSpPr/>{''.join(shapes)}</p:spTree></p:cSld>"


def slide(*shapes: str, attributes: str = "") -> bytes:
    return part(f"p:sld{attributes}", tree(*shapes))


def notes(*texts: str) -> bytes:
    """A notes page with the slide's picture and number on it."""
    body = shape(*texts, ph=placeholder("body", "1"))
    return part("p:notes", tree(shape(ph=placeholder("sldImg")), body, shape("7", ph=placeholder("sldNum", "5"))))


# ---- packages ------------------------------------------------------------------------------------------------------------


def _relationship(arrow: Arrow) -> str:
    kind = arrow.kind if ":" in arrow.kind else f"{RELATIONSHIP}/{arrow.kind}"
    mode = ' TargetMode="External"' if arrow.external else ""
    return f'<Relationship Id="{arrow.id}" Type="{kind}" Target="{arrow.target}"{mode}/>'


def relationships(source: str, arrows: Iterable[Arrow]) -> Entry:
    """The relationships part of `source`; of the package if that is empty."""
    folder, _, base = source.rpartition("/")
    written = "".join(map(_relationship, arrows))
    name = f"{folder}/_rels/{base}.rels" if folder else f"_rels/{base}.rels"
    return entry(
        name,
        DECLARATION
        + f'<Relationships xmlns="{_OPEN_XML}/package/2006/relationships">{written}</Relationships>'.encode(),
    )


def content_types(main_type: str = MAIN_TYPE) -> Entry:
    return entry(
        "[Content_Types].xml",
        DECLARATION
        + f'<Types xmlns="{_OPEN_XML}/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/ppt/presentation.xml" ContentType="{main_type}"/></Types>'.encode(),
    )


def presentation(listed: Iterable[str], inner: str = "") -> bytes:
    """The main part with the slides of these relationships in this order, on slides of 1,000 by 1,000 units."""
    slides = "".join(f'<p:sldId id="{256 + at}" r:id="{one}"/>' for at, one in enumerate(listed))
    return part("p:presentation", f'<p:sldIdLst>{slides}</p:sldIdLst><p:sldSz cx="1000" cy="1000"/>{inner}')


def package(
    pages: Sequence[Page],
    further: Mapping[str, bytes | Packed] | None = None,
    *,
    listed: Iterable[str] | None = None,
    arrows: Sequence[Arrow] = (),
    main_type: str = MAIN_TYPE,
) -> list[Entry]:
    """The entries of a presentation: slides `rId1`, `rId2`, ... in files `s1.xml`, `s2.xml`, ..., and `further` parts.

    `listed`: other relationships than those, in the order in which slides are shown; `arrows`: more of the main part's.
    """
    own = [Arrow(f"rId{at}", "slide", f"slides/s{at}.xml") for at in range(1, len(pages) + 1)]
    entries = [
        content_types(main_type),
        relationships("", [Arrow("rId1", "officeDocument", "ppt/presentation.xml")]),
        entry("ppt/presentation.xml", presentation([one.id for one in own] if listed is None else listed)),
        relationships("ppt/presentation.xml", [*own, *arrows]),
    ]
    for at, page in enumerate(pages, start=1):
        entries.append(entry(f"ppt/slides/s{at}.xml", page.part))
        if page.arrows:
            entries.append(relationships(f"ppt/slides/s{at}.xml", page.arrows))
    return [*entries, *(entry(name, data) for name, data in (further or {}).items())]


def pptx(*slides: bytes | Page) -> bytes:
    """A presentation of slides that nothing hangs on, or of pages and what is inside the package already."""
    return archive(package([one if isinstance(one, Page) else Page(one) for one in slides]))


def rich() -> bytes:
    """Two slides with one of each thing that a slide may hold or that may hang on it."""
    first = slide(
        title("A specimen"),
        shape(
            para("one", 'lvl="0"'),
            para("two", '<a:pPr lvl="1"><a:buAutoNum type="romanLcPeriod"/></a:pPr>'),
            para("link", run='<a:hlinkClick r:id="rId4"/>'),
            ph=placeholder("body", "1"),
        ),
        group(shape("left", place=transform(0, 0, 9, 9)), shape("right", place=transform(20, 0, 9, 9))),
        table(row("a", cell("b", attributes='gridSpan="2"'), cell(attributes='hMerge="1"')), row("c", "\uf0e0", "e")),
        chart("rId2"),
        diagram("rId3"),
        picture(' descr="A picture of nothing"'),
        frame('<p:oleObj r:id="rId9"/>'),
        shape("3 December", ph=placeholder("dt", "10")),
        alternates("a14", shape("<a:p><a14:m><m:oMath><m:r><m:t>x</m:t></m:r></m:oMath></a14:m></a:p>"), shape("?")),
    )
    second = slide(shape("unseen"), picture(' hidden="1"'), attributes=' show="0"')
    points = "".join(f'<c:pt idx="{at}"><c:v>{value}</c:v></c:pt>' for at, value in enumerate(("0.5", "0.25")))
    cached = f"<c:numRef><c:numCache><c:formatCode>0%</c:formatCode>{points}</c:numCache></c:numRef>"
    charted = part(
        "c:chartSpace",
        f"<c:chart><c:title><c:tx><c:rich>{para('Chart')}</c:rich></c:tx></c:title><c:plotArea><c:ser><c:tx><c:v>S</c:v>"
        f"</c:tx><c:cat>{cached}</c:cat><c:val>{cached}</c:val></c:ser></c:plotArea></c:chart>",
    )
    modelled = part(
        "dgm:dataModel",
        f'<dgm:ptLst><dgm:pt modelId="1" type="doc"/><dgm:pt modelId="2"><dgm:t>{para("point")}</dgm:t></dgm:pt></dgm:ptLst>'
        '<dgm:cxnLst><dgm:cxn srcId="1" destId="2" srcOrd="0"/></dgm:cxnLst>',
    )
    bulleted = '<a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr>'
    layout = part("p:sldLayout", tree(shape(ph=placeholder("body", "1"), place=transform(0, 500, 900, 400))))
    master = part(
        "p:sldMaster", tree(shape("Company")) + f"<p:txStyles><p:bodyStyle>{bulleted}</p:bodyStyle></p:txStyles>"
    )
    old = part("p:cmLst", '<p:cm authorId="0" idx="1"><p:text>old remark</p:text></p:cm>')
    new = part(
        "p188:cmLst",
        f'<p188:cm id="1" authorId="0"><p188:replyLst><p188:reply authorId="0"><p188:txBody>{para("reply")}</p188:txBody>'
        f"</p188:reply></p188:replyLst><p188:txBody>{para('new remark')}</p188:txBody></p188:cm>",
    )
    arrows = (
        Arrow("rId1", "slideLayout", "../layout.xml"),
        Arrow("rId2", "chart", "../chart.xml"),
        Arrow("rId3", "diagramData", "../data.xml"),
        Arrow("rId4", "hyperlink", "http://a.example/", external=True),
        Arrow("rId5", "notesSlide", "../notes.xml"),
        Arrow("rId6", "comments", "../old.xml"),
        Arrow("rId7", COMMENTS_2018, "../new.xml"),
    )
    further = {
        "ppt/layout.xml": layout,
        "ppt/master.xml": master,
        "ppt/chart.xml": charted,
        "ppt/data.xml": modelled,
        "ppt/notes.xml": notes("note"),
        "ppt/old.xml": old,
        "ppt/new.xml": new,
        "ppt/authors.xml": part("p:cmAuthorLst", '<p:cmAuthor id="0" name="B"/>'),
    }
    entries = package(
        [Page(first, arrows), Page(second)], further, arrows=[Arrow("rId8", "commentAuthors", "authors.xml")]
    )
    master_arrow = relationships("ppt/layout.xml", [Arrow("rId1", "slideMaster", "master.xml")])
    return archive([*entries, master_arrow])
