"""Charts as titles and tables of their cached values."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.errors import DocumentTooComplex
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared.ooxml_chart import MAX_COLUMNS, read_chart
from fumehood.loaders.shared.ooxml_graphic import Graphic
from fumehood.loaders.shared.tally import Tally
from tests.loaders.drawing_writer import ap, chart, numbers, part, rich, ser, strings


def read(data: bytes, limits: Limits | None = None) -> Graphic:
    return read_chart(data, Budget(limits or Limits()), Tally())


def test_titles_names_categories_and_values() -> None:
    years = numbers(["2019", "2020"])
    found = read(
        chart(
            ser("Fresh", years, numbers(["120", "130"])),
            ser("Salt", years, numbers(["80", "95"])),
            title=rich("Ducks", "by year"),
            axes=f"<c:catAx><c:title>{rich('Year')}</c:title></c:catAx><c:valAx><c:title>{rich('Birds')}</c:title></c:valAx>",
        )
    )
    assert found.captions == ["Ducks\nby year", "Year", "Birds"]
    assert found.tables == [[["", "Fresh", "Salt"], ["2019", "120", "80"], ["2020", "130", "95"]]]
    assert not found.broken


def test_strict_charts_say_the_same() -> None:
    data = chart(ser("A", strings(["x"]), numbers(["1"])), title=rich("T"))
    strict = data.replace(
        b"http://schemas.openxmlformats.org/drawingml/2006/", b"http://purl.oclc.org/ooxml/drawingml/"
    )
    assert strict != data
    assert read(strict) == read(data)


def test_a_title_may_be_a_cells_text() -> None:
    found = read(chart(title=f"<c:tx>{strings(['From a cell'])}</c:tx>"))
    assert found.captions == ["From a cell"]
    assert found.tables == []


def test_a_name_may_be_a_literal() -> None:
    literal = "<c:ser><c:tx><c:v>Written</c:v></c:tx><c:val><c:numLit><c:pt idx='0'><c:v>5</c:v></c:pt></c:numLit></c:val></c:ser>"
    assert read(chart(literal)).tables == [[["Written"], ["5"]]]


def test_categories_of_several_levels_stand_once_each_outermost_first() -> None:
    levels = (
        "<c:multiLvlStrRef><c:multiLvlStrCache>"
        '<c:lvl><c:pt idx="0"><c:v>Q1</c:v></c:pt><c:pt idx="1"><c:v>Q2</c:v></c:pt><c:pt idx="2"><c:v>Q1</c:v></c:pt></c:lvl>'
        '<c:lvl><c:pt idx="0"><c:v>2019</c:v></c:pt><c:pt idx="2"><c:v>2020</c:v></c:pt></c:lvl>'
        "</c:multiLvlStrCache></c:multiLvlStrRef>"
    )
    found = read(chart(ser("A", levels, numbers(["1", "2", "3"]))))
    assert found.tables == [[["", "", "A"], ["2019", "Q1", "1"], ["", "Q2", "2"], ["2020", "Q1", "3"]]]


def test_series_with_other_categories_have_a_table_of_their_own() -> None:
    found = read(
        chart(
            ser("A", strings(["x", "y"]), numbers(["1", "2"])),
            ser("B", "", numbers(["3", "4"])),
            ser("C", strings(["z"]), numbers(["5"])),
        )
    )
    assert found.tables == [[["", "A", "B"], ["x", "1", "3"], ["y", "2", "4"]], [["", "C"], ["z", "5"]]]


def test_gaps_stay_gaps_and_cost_nothing() -> None:
    found = read(chart(ser("A", strings({0: "x", 999_999_999: "y"}), numbers({0: "1"}))))
    assert found.tables == [[["", "A"], ["x", "1"], ["y", ""]]]


def test_bubbles_have_a_place_and_a_size() -> None:
    bubble = (
        f"<c:ser><c:tx>{strings(['B'])}</c:tx><c:xVal>{numbers(['1'])}</c:xVal><c:yVal>{numbers(['2'])}</c:yVal>"
        f"<c:bubbleSize>{numbers(['3'])}</c:bubbleSize></c:ser>"
    )
    assert read(chart(bubble)).tables == [[["", "B", ""], ["1", "2", "3"]]]


@pytest.mark.parametrize(
    ("cached", "shown"),
    [
        ("0.20000000000000001", "0.2"),
        ("4.2999999999999998", "4.3"),
        ("1234567", "1234567"),
        ("1.00000000000000E999", "1.00000000000000E999"),
        ("no number at all", "no number at all"),
        ("1" * 50, "1" * 50),
    ],
)
def test_numbers_have_the_digits_that_a_spreadsheet_shows(cached: str, shown: str) -> None:
    assert read(chart(ser("", "", numbers([cached])))).tables == [[[""], [shown]]]


def test_labels_are_read_but_for_those_that_repeat_values() -> None:
    field = '<a:fld id="{0}" type="VALUE"><a:rPr/><a:t>[VALUE]</a:t></a:fld>'
    labels = "".join(f"<c:dLbl><c:idx val='0'/>{rich(text)}</c:dLbl>" for text in ("Record year", field, field + field))
    cells = (
        '<c:extLst><c:ext uri="{02D57815}"><c15:datalabelsRange><c15:dlblRangeCache><c:pt idx="0"><c:v>from cells</c:v></c:pt>'
        "</c15:dlblRangeCache></c15:datalabelsRange></c:ext></c:extLst>"
    )
    trend = "<c:trendline><c:name>Trend</c:name></c:trendline>"
    found = read(chart(ser("A", "", numbers(["1"]), f"<c:dLbls>{labels}</c:dLbls>{trend}{cells}")))
    assert found.captions == ["Record year", "Trend"]
    assert found.tables == [[["A", ""], ["1", "from cells"]]]


def test_series_that_are_filtered_out_are_none() -> None:
    filtered = f"<c:extLst><c:ext uri='x'><c15:filteredBarSeries><c15:ser><c:cat>{strings(['no'])}</c:cat><c:val>{numbers(['7'])}</c:val></c15:ser></c15:filteredBarSeries></c:ext></c:extLst>"
    assert read(chart(ser("A", "", numbers(["1"])), filtered)).tables == [[["A"], ["1"]]]


def test_charts_of_2014_keep_their_values_beside_their_series() -> None:
    data = part(
        "cx:chartSpace",
        '<cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:f>A</cx:f><cx:lvl ptCount="2"><cx:pt idx="0">x</cx:pt>'
        '<cx:pt idx="1">y</cx:pt></cx:lvl></cx:strDim><cx:numDim type="val"><cx:lvl ptCount="2"><cx:pt idx="0">1</cx:pt>'
        '<cx:pt idx="1">2</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData>'
        f"<cx:chart><cx:title><cx:tx><cx:rich>{ap('Waterfall')}</cx:rich></cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion>"
        '<cx:series layoutId="waterfall"><cx:tx><cx:txData><cx:f>B1</cx:f><cx:v>Flow</cx:v></cx:txData></cx:tx>'
        '<cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart>',
    )
    found = read(data)
    assert found.captions == ["Waterfall"]
    assert found.tables == [[["", "Flow"], ["x", "1"], ["y", "2"]]]


def test_what_comes_before_a_break_is_kept() -> None:
    whole = chart(ser("A", strings(["x"]), numbers(["1"])), title=rich("T"))
    found = read(whole[:-40])
    assert found.broken
    assert found.captions == ["T"]
    assert found.tables == [[["", "A"], ["x", "1"]]]


def test_a_series_for_each_point_is_not_a_square_of_cells() -> None:
    many = [ser("", "", numbers({at: "1"})) for at in range(3_000)]
    cells = sum(len(row) for table in read(chart(*many)).tables for row in table)
    assert cells <= 3_000 * (MAX_COLUMNS + 1)


def test_elements_within_themselves_are_read_once() -> None:
    """Each of them would read all that is in it, which is the square of it."""
    depth, values = 60, "<c:v>1</c:v>" * 20_000
    for name in ("title", "tx", "ser", "rich"):
        started = time.process_time()
        read(part("c:chartSpace", f"<c:{name}>" * depth + values + f"</c:{name}>" * depth))
        assert time.process_time() - started < 2


def test_points_are_spent() -> None:
    data = chart(ser("A", "", numbers(["1"] * 1_000)))
    with pytest.raises(DocumentTooComplex):
        read(data, Limits(xml_elements=1_000))


@given(
    st.dictionaries(st.integers(0, 50), st.sampled_from(["a", "b", "2"]), max_size=8),
    st.lists(st.dictionaries(st.integers(0, 50), st.integers(0, 99).map(str), max_size=8), max_size=4),
)
def test_every_value_stands_in_the_table_once(categories: dict[int, str], values: list[dict[int, str]]) -> None:
    found = read(chart(*(ser(f"S{at}", strings(categories), numbers(one)) for at, one in enumerate(values))))
    cells = sorted(cell for table in found.tables for row in table[1:] for cell in row if cell)
    assert cells == sorted(
        [*(categories.values() if values else ()), *(value for one in values for value in one.values())]
    )


def test_many_series_of_many_points_are_refused_before_they_are_a_table() -> None:
    points = "".join(f'<cx:pt idx="{at}">1</cx:pt>' for at in range(3_000))
    data = f'<cx:chartData><cx:data id="0"><cx:numDim><cx:lvl>{points}</cx:lvl></cx:numDim></cx:data></cx:chartData>'
    series = '<cx:series><cx:dataId val="0"/></cx:series>' * 1_000
    started = time.process_time()
    with pytest.raises(DocumentTooComplex) as refused:
        read(part("cx:chartSpace", data + series))
    assert refused.value.code == "nodes"
    assert time.process_time() - started < 2


def test_labels_of_fields_alone_are_told_in_linear_time() -> None:
    started = time.process_time()
    found = read(
        chart(ser("", "", numbers(["1"]), f"<c:dLbls><c:dLbl>{rich('[VALUE]  ' * 2_000 + 'x')}</c:dLbl></c:dLbls>"))
    )
    assert len(found.captions) == 1
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("General", "0.20000000000000001", "0.2"),
        ("0%", "0.25", "25%"),
        ("#,##0.00", "1234.5", "1,234.50"),
        ("yyyy-mm-dd", "44197", "2021-01-01"),
        ('0.00"\N{DEGREE SIGN}"', "121.5", "121.50\N{DEGREE SIGN}"),
        ("0%", "#N/A", "#N/A"),
        (";;;", "5", "5"),  # it is drawn, whatever its label says
    ],
)
def test_values_are_shown_in_the_format_of_their_cache(code: str, value: str, shown: str) -> None:
    assert read(chart(ser("A", "", numbers([value], code)))).tables == [[["A"], [shown]]]


def test_a_format_holds_for_its_own_cache_and_a_point_may_have_its_own() -> None:
    point = numbers(["0.5"], "0%").replace(
        "</c:numCache>", '<c:pt idx="1" formatCode="0.0"><c:v>2</c:v></c:pt></c:numCache>'
    )
    found = read(chart(ser("A", numbers(["44197", "44198"], "yyyy"), point), ser("B", "", strings(["0.5", "1"]))))
    assert found.tables == [[["", "A", "B"], ["2021", "50%", "0.5"], ["2021", "2.0", "1"]]]


def test_dates_count_from_where_the_chart_says() -> None:
    data = chart(ser("A", numbers(["0"], "yyyy-mm-dd"), numbers(["1"])))
    later = data.replace(b"<c:chart>", b'<c:date1904 val="1"/><c:chart>', 1)
    assert later != data
    assert read(later).tables == [[["", "A"], ["1904-01-01", "1"]]]


def test_levels_of_later_charts_say_their_format() -> None:
    level = '<cx:lvl ptCount="1" formatCode="0.0%"><cx:pt idx="0">0.125</cx:pt></cx:lvl>'
    data = f'<cx:chartData><cx:data id="0"><cx:numDim type="val">{level}</cx:numDim></cx:data></cx:chartData>'
    found = read(part("cx:chartSpace", data + '<cx:series><cx:dataId val="0"/></cx:series>'))
    assert found.tables == [[[""], ["12.5%"]]]


def test_a_format_for_each_point_is_spent() -> None:
    points = "".join(f'<c:pt idx="{at}" formatCode="{"0" * 200}.{at}"><c:v>1.5</c:v></c:pt>' for at in range(500))
    with pytest.raises(DocumentTooComplex) as refused:
        read(chart(ser("A", "", f"<c:numLit>{points}</c:numLit>")), Limits(nodes=50_000))
    assert refused.value.code == "nodes"
