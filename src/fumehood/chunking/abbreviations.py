"""Words whose full stop ends no sentence, for English and German, as they stand before it, case folded.

The suppressions of CLDR's `segments` data for en and de, and what contracts, papers and letters add to them. A word
that often ends a sentence too (`etc`, `usw`) is not here: the case of the next letter decides for it.
"""

from __future__ import annotations

from typing import Final

_ENGLISH: Final = (
    "adj adm adv al approx apr art asst aug ave blvd bros capt cf ch col comdr corp cpl dec dept dist dr ed eds "
    "e.g eq esq est ex feb fig figs fri gen gov hon i.e inc insp jan jr lt ltd maj mar messrs mr mrs ms mt mtn nos nov oct "
    "op p.a par para pp prof pvt ref refs rep rev sec sen sep sept sgt sr st supt univ viz vol vols vs"
)
_GERMAN: Final = (
    "abb abs abschn allg anm aufl ausg bd bde betr bez bgbl bsp bspw bzgl bzw ca d.h dipl dr dt ebd einschl engl etw evtl "
    "exkl fam ff frl geb gem gest ggf ggfs hl hr hrn hrsg i.d.r i.v inh inkl insb jh jhd kap kath lt lfd max min mind mio mrd "
    "mwst nr o.ä o.g p.a phil prof rd rer rn s.o s.u sog st std str tab tel u.a u.ä u.u usf v.a vgl vorm wg z.b z.t z.zt zit "
    "zt zzgl"
)
ABBREVIATIONS: Final = frozenset(f"{_ENGLISH} {_GERMAN}".split())

_AFTER_ORDINALS: Final = (
    "januar jänner februar märz april mai juni juli august september oktober november dezember "
    "jahrhundert jahrhunderts auflage klasse weltkrieg weltkriegs etage stock kapitel abschnitt absatz lebensjahr"
)
AFTER_ORDINALS: Final = frozenset(_AFTER_ORDINALS.split())
"""What follows the full stop of a German ordinal (`am 3. Mai`), case folded."""
