"""Names of months and days in the languages that number formats ask for most (MS-LCID; names as in CLDR)."""

from __future__ import annotations

from typing import Final, NamedTuple


class Names(NamedTuple):
    """Months from January, days from Sunday. `has_eras`: years are counted within Japan's eras."""

    months: tuple[str, ...]
    short_months: tuple[str, ...]
    days: tuple[str, ...]
    short_days: tuple[str, ...]
    has_eras: bool = False


def _names(months: str, short_months: str, days: str, short_days: str) -> Names:
    return Names(tuple(months.split()), tuple(short_months.split()), tuple(days.split()), tuple(short_days.split()))


def _numbered(days: str, short_days: str, *, has_eras: bool = False) -> Names:
    """Chinese, Japanese and Korean number their months."""
    sign = "\uc6d4" if days.startswith("\uc77c") else "\u6708"
    months = tuple(f"{month}{sign}" for month in range(1, 13))
    return Names(months, months, tuple(days.split()), tuple(short_days.split()), has_eras)


_ENGLISH: Final = _names(
    "January February March April May June July August September October November December",
    "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "Sunday Monday Tuesday Wednesday Thursday Friday Saturday",
    "Sun Mon Tue Wed Thu Fri Sat",
)
# By the primary language, the low ten bits of the identifier.
_LANGUAGES: Final = {
    0x04: _numbered("星期日 星期一 星期二 星期三 星期四 星期五 星期六", "周日 周一 周二 周三 周四 周五 周六"),
    0x07: _names(
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "Jan Feb Mrz Apr Mai Jun Jul Aug Sep Okt Nov Dez",
        "Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag",
        "So Mo Di Mi Do Fr Sa",
    ),
    0x0A: _names(
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "ene feb mar abr may jun jul ago sep oct nov dic",
        "domingo lunes martes miércoles jueves viernes sábado",
        "dom lun mar mié jue vie sáb",
    ),
    0x0C: _names(
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
        "dimanche lundi mardi mercredi jeudi vendredi samedi",
        "dim. lun. mar. mer. jeu. ven. sam.",
    ),
    0x10: _names(
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "gen feb mar apr mag giu lug ago set ott nov dic",
        "domenica lunedì martedì mercoledì giovedì venerdì sabato",
        "dom lun mar mer gio ven sab",
    ),
    0x11: _numbered("日曜日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日", "日 月 火 水 木 金 土", has_eras=True),
    0x12: _numbered("일요일 월요일 화요일 수요일 목요일 금요일 토요일", "일 월 화 수 목 금 토"),
    0x13: _names(
        "januari februari maart april mei juni juli augustus september oktober november december",
        "jan feb mrt apr mei jun jul aug sep okt nov dec",
        "zondag maandag dinsdag woensdag donderdag vrijdag zaterdag",
        "zo ma di wo do vr za",
    ),
    0x15: _names(
        "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
        "sty lut mar kwi maj cze lip sie wrz paź lis gru",
        "niedziela poniedziałek wtorek środa czwartek piątek sobota",
        "niedz. pon. wt. śr. czw. pt. sob.",
    ),
    0x16: _names(
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "jan fev mar abr mai jun jul ago set out nov dez",
        "domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado",
        "dom seg ter qua qui sex sáb",
    ),
    0x19: _names(
        "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
        "янв фев мар апр май июн июл авг сен окт ноя дек",
        "воскресенье понедельник вторник среда четверг пятница суббота",
        "вс пн вт ср чт пт сб",
    ),
}
_PRIMARY: Final = 0x3FF


def names_of(locale: int) -> Names:
    """The names in the language of that identifier (MS-LCID, 2.1); English where it is 0 or none of those here."""
    return _LANGUAGES.get(locale & _PRIMARY, _ENGLISH)
