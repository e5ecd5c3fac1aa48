"""Writes parts of DrawingML out of snippets of XML: charts, diagrams, and the paragraphs in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tests.loaders.docx_writer import RELATIONSHIPS, TRANSITIONAL

DRAWING = {
    "a": f"{TRANSITIONAL}/drawingml/2006/main",
    "c": f"{TRANSITIONAL}/drawingml/2006/chart",
    "cx": "http://schemas.microsoft.com/office/drawing/2014/chartex",
    "c15": "http://schemas.microsoft.com/office/drawing/2012/chart",
    "cdr": f"{TRANSITIONAL}/drawingml/2006/chartDrawing",
    "dgm": f"{TRANSITIONAL}/drawingml/2006/diagram",
    "r": RELATIONSHIPS,
    "mc": f"{TRANSITIONAL}/markup-compatibility/2006",
    "m": f"{TRANSITIONAL}/officeDocument/2006/math",
    "a14": "http://schemas.microsoft.com/office/drawing/2010/main",
    "x": "urn:nobody-knows",
}


def part(root: str, content: str) -> bytes:
    declared = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in DRAWING.items())
    return f'<?xml version="1.0" encoding="UTF-8"?><{root} {declared}>{content}</{root}>'.encode()


def ap(content: str) -> str:
    """A paragraph. `content` is text, or runs and whatever else starts with `<`."""
    return f"<a:p>{content if content.startswith('<') else ar(content)}</a:p>"


def ar(text: str, properties: str = "") -> str:
    return f'<a:r><a:rPr lang="en-US">{properties}</a:rPr><a:t>{text}</a:t></a:r>'


def rich(*paragraphs: str) -> str:
    return f"<c:tx><c:rich><a:bodyPr/><a:lstStyle/>{''.join(map(ap, paragraphs))}</c:rich></c:tx>"


def points(values: Mapping[int, str] | Iterable[str]) -> str:
    placed = values if isinstance(values, Mapping) else dict(enumerate(values))
    return "".join(f'<c:pt idx="{at}"><c:v>{value}</c:v></c:pt>' for at, value in placed.items())


def strings(values: Mapping[int, str] | Iterable[str]) -> str:
    return f"<c:strRef><c:f>S!$A$1</c:f><c:strCache><c:ptCount val='9'/>{points(values)}</c:strCache></c:strRef>"


def numbers(values: Mapping[int, str] | Iterable[str], form: str = "General") -> str:
    return f"<c:numRef><c:f>S!$B$1</c:f><c:numCache><c:formatCode>{form}</c:formatCode>{points(values)}</c:numCache></c:numRef>"


def ser(name: str, categories: str, values: str, extra: str = "") -> str:
    """A series; `categories` and `values` are caches."""
    named = f"<c:tx>{strings([name])}</c:tx>" if name else ""
    placed = f"<c:cat>{categories}</c:cat>" if categories else ""
    return f'<c:ser><c:idx val="0"/>{named}{placed}<c:val>{values}</c:val>{extra}</c:ser>'


def chart(*series: str, title: str = "", axes: str = "", after: str = "") -> bytes:
    """A chart part; `title` is the content of its title."""
    titled = f"<c:title>{title}</c:title>" if title else ""
    plot = f"<c:plotArea><c:barChart>{''.join(series)}</c:barChart>{axes}</c:plotArea>"
    return part("c:chartSpace", f"<c:chart>{titled}{plot}</c:chart>{after}")


def pt(identifier: str, text: str = "", kind: str = "node") -> str:
    """A point of a diagram."""
    body = ap(text) if text else "<a:p/>"
    return f'<dgm:pt modelId="{identifier}" type="{kind}"><dgm:prSet/><dgm:t><a:bodyPr/>{body}</dgm:t></dgm:pt>'


def cxn(source: str, target: str, order: int | str = 0, kind: str = "") -> str:
    typed = f' type="{kind}"' if kind else ""
    return f'<dgm:cxn modelId="c"{typed} srcId="{source}" destId="{target}" srcOrd="{order}" destOrd="0"/>'


def diagram(points: str, connections: str = "") -> bytes:
    return part("dgm:dataModel", f"<dgm:ptLst>{points}</dgm:ptLst><dgm:cxnLst>{connections}</dgm:cxnLst>")
