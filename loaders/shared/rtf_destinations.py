"""Destinations of RTF that nothing but their names tells from text, or from what may be skipped."""

from __future__ import annotations

from typing import Final

SKIPPED: Final = (
    *(b"filetbl", b"listtable", b"listoverridetable", b"revtbl", b"rsidtbl", b"private", b"template"),
    *(b"ftnsep", b"ftnsepc", b"ftncn", b"aftnsep", b"aftnsepc", b"aftncn", b"xe", b"tc", b"tcn", b"rxe", b"txe"),
    *(b"objdata", b"objclass", b"objname", b"objalias", b"objsect", b"datafield", b"datastore", b"themedata"),
    # What readers of old are given instead of what comes beside it.
    *(b"shprslt", b"nonshppict", b"nonesttables", b"mmathPict"),
    *(b"sn", b"buptim", b"printim", b"hlinkbase", b"vern", b"bkmkstart", b"bkmkend", b"comment", b"falt", b"panose"),
    # Properties of formulas: text in them says how something looks.
    *(b"mfPr", b"mrPr", b"mdPr", b"mnaryPr", b"msSubPr", b"msSupPr", b"msSubSupPr", b"msPrePr", b"mradPr", b"mfuncPr"),
    *(
        b"meqArrPr",
        b"mmPr",
        b"maccPr",
        b"mbarPr",
        b"mboxPr",
        b"mborderBoxPr",
        b"mgroupChrPr",
        b"mlimLowPr",
        b"mlimUppPr",
    ),
    *(b"mphantPr", b"moMathParaPr", b"margPr", b"mctrlPr"),
)
"""Destinations of which nothing is text, where nothing but the word says so."""

ENTERED: Final = (b"shpinst", b"shptxt", b"result", b"ud", b"shppict", b"mmath", b"moMath", b"moMathPara")
"""Destinations marked as ones that readers may skip, and whose text is read."""
