"""All bombs, made from code, the same at every call, each saying what a read of it must end as."""

from __future__ import annotations

from typing import Final

from fumehood import kinds
from fumehood.fuzz import (
    bombs_data,
    bombs_html,
    bombs_mail,
    bombs_odf,
    bombs_pdf,
    bombs_pptx,
    bombs_rtf,
    bombs_text,
    bombs_xlsx,
    bombs_xml,
    bombs_zip,
)
from fumehood.fuzz.bomb import Bomb

BOMBS: Final[tuple[Bomb, ...]] = (
    *bombs_text.BOMBS,
    *bombs_data.BOMBS,
    *bombs_rtf.BOMBS,
    *bombs_pdf.BOMBS,
    *bombs_zip.BOMBS,
    *bombs_xml.BOMBS,
    *bombs_pptx.BOMBS,
    *bombs_xlsx.BOMBS,
    *bombs_html.BOMBS,
    *bombs_mail.BOMBS,
    *bombs_odf.BOMBS,
)


def of_registered_kinds() -> tuple[Bomb, ...]:
    """Those that there is a loader for."""
    names = {kind.name for kind in kinds.kinds()}
    return tuple(each for each in BOMBS if each.kind in names)
