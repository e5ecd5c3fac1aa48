"""Guesses of undeclared encodings: what people's files are really in."""

# ruff: noqa: RUF001
from __future__ import annotations

import pytest

from fumehood.errors import CHARSETS
from fumehood.loaders.shared.alphabets import fit, latin_fit, pairs_of
from fumehood.loaders.shared.guessing import CANDIDATES, guess, sample_of

GERMAN = "Alle Menschen sind frei und gleich an Würde und Rechten geboren und sollen einander im Geiste der Brüderlichkeit begegnen."
FRENCH = "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience."
POLISH = "Wszyscy ludzie rodzą się wolni i równi w swojej godności i prawach. Są obdarzeni rozumem i sumieniem, łączy ich braterstwo."
CZECH = "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím, mají jednat v bratrství."
TURKISH = "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler, kardeşlik zihniyeti ile."
RUSSIAN = "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью."
GREEK = (
    "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με λογική."
)
HEBREW = (
    "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון, לפיכך חובה עליהם לנהוג איש ברעהו "
    "ברוח של אחווה. כל אדם זכאי לזכויות ולחרויות שנקבעו בהכרזה זו ללא הפליה כלשהי מטעמי גזע, צבע, מין, לשון, דת."
)
ARABIC = (
    "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء."
)
THAI = "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม"
JAPANESE = "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。"
KOREAN = (
    "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았다."
)
CHINESE = "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。"


@pytest.mark.parametrize(
    ("text", "charset"),
    [
        (GERMAN, "cp1252"),
        (GERMAN, "cp850"),
        (FRENCH, "cp1252"),
        (FRENCH, "mac-roman"),
        (POLISH, "cp1250"),
        (POLISH, "iso8859-2"),
        (CZECH, "cp1250"),
        (TURKISH, "cp1254"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (RUSSIAN, "cp866"),
        (GREEK, "cp1253"),
        (HEBREW, "cp1255"),
        (ARABIC, "cp1256"),
        (THAI, "cp874"),
        (JAPANESE, "cp932"),
        (JAPANESE, "euc-jp"),
        (KOREAN, "cp949"),
        (CHINESE, "gb18030"),
    ],
)
def test_a_sentence_is_enough(text: str, charset: str) -> None:
    data = text.encode(charset)
    assert data.decode(guess(data)) == text


def test_windows_1252_is_believed_where_nothing_speaks_against_it() -> None:
    for text in ("© Café, 1 ½ litres", "San José, Málaga, Zürich", "“Don’t” – he said"):
        assert guess(text.encode("cp1252")) == "cp1252"
    assert guess(b"\x81\x8d\x8f") in CHARSETS


def test_every_candidate_has_a_name_we_may_report() -> None:
    assert set(CANDIDATES) <= CHARSETS


def test_the_sample_is_bounded_and_holds_what_is_not_ascii() -> None:
    data = b"plain " * 100_000 + "où ".encode("cp1252") * 10 + b"plain " * 100_000
    sample = sample_of(data)
    assert len(sample) < 10_000
    assert sample.count("où".encode("cp1252")) == 10


def test_an_alphabet_fits_its_language_and_no_mojibake() -> None:
    assert latin_fit(pairs_of(POLISH)) == 1
    assert latin_fit(pairs_of(POLISH.encode("cp1250").decode("cp1252"))) < 0.9
    assert latin_fit(pairs_of("plain")) == 1
    assert fit(RUSSIAN) == 1
    assert fit("donÕt") == 0
