"""Which delimiter a table has, and what is no table."""

from __future__ import annotations

import pytest

from fumehood.loaders.shared.table_shape import delimiter_of, table_delimiter


@pytest.mark.parametrize(
    ("sample", "delimiter"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2,5\n", ";"),
        ("a\tb\n1,x\t2\n", "\t"),
        ("a|b\r\n1|2\r\n", "|"),
        ("one column\n", ","),
        ("", ","),
        ("name,tags\nx,p;q\ny,r;s\n", ","),
    ],
)
def test_most_rows_agree_under_the_delimiter(sample: str, delimiter: str) -> None:
    assert delimiter_of(sample, whole=True) == delimiter


def test_the_row_that_a_sample_cuts_does_not_count() -> None:
    assert table_delimiter("a,b,c\n1,2,3\n4", whole=False) == ","
    assert table_delimiter("a,b,c\n1,2,3\n4", whole=True) is None


@pytest.mark.parametrize(
    "sample",
    [
        "",
        "words\nand words\n",
        "Dear Ada, dear Bob,\nthis, I say, is prose,\nas people, like us, write\n",
        "| a | b |\n| - | - |\n| 1 | 2 |\n",
        "a,b\n1,2,3\n",
        "one line, two parts\n",
    ],
)
def test_what_is_no_table(sample: str) -> None:
    assert table_delimiter(sample, whole=True) is None


def test_of_many_rows_a_few_may_differ() -> None:
    assert table_delimiter("a,b\n" * 50 + "c\n", whole=True) == ","


def test_a_delimiter_stands_in_every_row() -> None:
    """One row that holds another one proves nothing where rows differ in their cells."""
    assert delimiter_of("head,er\n,,\n,,;,;\n", whole=True) == ","
