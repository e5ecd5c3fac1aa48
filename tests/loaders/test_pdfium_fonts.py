"""What a page's own fonts say of glyphs, looked up by the names that PDFium has for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from fumehood import Limits
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import pdf_session
from fumehood.loaders.shared.pdf_file import PdfFile
from fumehood.loaders.shared.pdf_fonts import Faces
from fumehood.loaders.shared.pdf_pages import pages
from tests.loaders.pdf_writer import document

pytest.importorskip("pypdfium2_raw")

from fumehood.loaders.shared.pdfium_fonts import OwnFonts
from fumehood.loaders.shared.pdfium_library import Unsure
from fumehood.loaders.shared.pdfium_typefaces import Font


def simple(name: str, glyphs: str, width: int = 500) -> str:
    """A font with those glyphs for the codes from 1."""
    return (
        f"<</Type/Font/Subtype/Type1/BaseFont/{name}/Encoding<</Differences[1{glyphs}]>>"
        f"/FirstChar 1/LastChar 3/Widths[{width} {width} {width}]>>"
    )


def composite(name: str, encoding: str = "Identity-H") -> str:
    return (
        f"<</Type/Font/Subtype/Type0/BaseFont/{name}-Identity-H/Encoding/{encoding}/DescendantFonts[<</Type/Font"
        f"/Subtype/CIDFontType2/BaseFont/{name}/DW 750/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>]>>"
    )


@contextmanager
def own(*fonts: str) -> Iterator[OwnFonts]:
    listed = "".join(f"/G{number} {font}" for number, font in enumerate(fonts))
    budget = Budget(Limits())
    with pdf_session.opened(budget):
        file = PdfFile(document([b""], resources=f"/Font<<{listed}>>"), budget)
        yield OwnFonts(next(pages(file, budget)), Faces())


def named(name: str) -> Font:
    return Font(0, name, is_bold=False, is_fixed=False, is_variable=False)


def test_a_subset_is_found_with_its_prefix_and_without() -> None:
    with own(simple("ABCDEF+Face", "/a/b/c")) as fonts:
        assert [fonts.text(named(name), 2) for name in ("Face", "ABCDEF+Face")] == ["b", "b"]
        assert fonts.text(named("Face"), 128) is None


@pytest.mark.parametrize("name", ["GHIJKL+Face", "ABCDEG+Face"])
def test_another_font_of_that_name_has_no_say(name: str) -> None:
    """A composite font keeps its prefix, and goes by the name of its descendant."""
    with own(simple("ABCDEF+Face", "/a/b/c"), composite(name)) as fonts:
        assert fonts.text(named("Face"), 1) == "a"
        assert fonts.text(named(name), 1) is None
        assert (fonts.advance_of(named("Face"), 1), fonts.advance_of(named(name), 1)) == (0.5, 0.75)
        assert (fonts.is_composite(named("Face"), 0), fonts.is_composite(named(name), 0)) == (False, True)


def test_fonts_of_one_name_are_believed_where_they_agree() -> None:
    with own(simple("ABCDEF+Face", "/a/b/c"), simple("GHIJKL+Face", "/a/x/c", width=600)) as fonts:
        assert fonts.text(named("Face"), 1) == "a"
        assert not fonts.is_composite(named("Face"), 0)
        for ask in (lambda: fonts.text(named("Face"), 2), lambda: fonts.advance_of(named("Face"), 1)):
            with pytest.raises(Unsure):
                ask()


def test_a_font_is_none_of_those_that_are_in_the_file_where_all_of_them_are_loaded() -> None:
    embedded = composite("Face").replace("/DW 750", "/DW 750/FontDescriptor<</FontFile2 9 0 R>>")
    with own(simple("Face", "/a/b/c"), embedded) as fonts:
        assert not fonts.is_composite(named("Face"), 1)
        with pytest.raises(Unsure):
            fonts.is_composite(named("Face"), 0)


def test_a_font_with_two_names_in_the_resources_is_one() -> None:
    budget = Budget(Limits())
    data = document([b""], resources="/Font<</G1 {G}/G2 {G}>>", objects={"G": simple("Face", "/a/eacute/c").encode()})
    with pdf_session.opened(budget):
        fonts = OwnFonts(next(pages(PdfFile(data, budget), budget)), Faces())
        assert fonts.advance(named("Face"), "é") == 0.5


def test_nothing_is_known_of_fonts_that_are_not_there_or_have_other_numbers_for_their_glyphs() -> None:
    with own(composite("Face", "UniJIS-UCS2-H")) as fonts:
        for name in ("Face", "Other"):
            with pytest.raises(Unsure):
                fonts.text(named(name), 1)
