from __future__ import annotations

from datetime import date

from msgspec import structs
from msgspec.structs import replace

from kbtui.domain.analysis import CutPeriod
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.incomplete_periods import bucket, cut_periods
from kbtui.nl2sql.query import Agg, Col, Cond, Part, Query, Ref
from tests.nl2sql.garden import catalogue

TODAY = date(2026, 11, 20)
PLANTED = Col(Ref("plants", "planted"))
WATER = Agg("sum", Col(Ref("plants", "water")))


def garden(*, rows: int = 900) -> Catalogue:
    """Plants from 1 January 2024 to 1 May 2026."""
    bed = catalogue()
    return replace(bed, tables={**bed.tables, "plants": replace(bed.tables["plants"], rows=rows)})


def by(unit: str, *where: Cond) -> Query:
    part = Part(unit, PLANTED)  # type: ignore[arg-type]
    return Query((part, WATER), where=where, group=(part,))


def during(first: date, last: date) -> Cond:
    return Cond(PLANTED, "between", (first, last))


def test_the_last_group_of_a_list_of_periods_is_said_to_be_partial() -> None:
    assert cut_periods(by("year"), garden(), "en", TODAY) == (CutPeriod(says="2026", day=date(2026, 5, 1)),)
    assert [cut.says for cut in cut_periods(by("month"), garden(), "zh", TODAY)] == ["2026年5月"]


def test_a_period_that_is_asked_for_and_not_over_in_the_data_is_partial() -> None:
    asked = Query((WATER,), where=(during(date(2026, 4, 1), date(2026, 6, 30)),))
    assert [cut.says for cut in cut_periods(asked, garden(), "en", TODAY)] == ["Q2 2026"]


def test_a_comparison_of_two_periods_says_which_of_them_is_partial() -> None:
    years = [during(date(year, 1, 1), date(year, 12, 31)) for year in (2025, 2026)]
    compared = Query(tuple(structs.replace(WATER, where=(year,)) for year in years))
    assert [cut.says for cut in cut_periods(compared, garden(), "en", TODAY)] == ["2026"]


def test_the_first_group_is_partial_where_the_data_begin_in_it() -> None:
    begins = garden()
    plants = begins.tables["plants"]
    late = tuple(
        replace(column, low=date(2024, 9, 3)) if column.ref == PLANTED.ref else column for column in plants.columns
    )
    begins = replace(begins, tables={**begins.tables, "plants": replace(plants, columns=late)})
    first, last = cut_periods(by("year"), begins, "en", TODAY)
    assert (first, last.says) == (CutPeriod(says="2024", day=date(2024, 9, 3), ends=False), "2026")


def test_a_period_that_the_question_leaves_out_is_not_spoken_of() -> None:
    assert cut_periods(by("year", during(date(2024, 1, 1), date(2025, 12, 31))), garden(), "en", TODAY) == ()


def test_a_few_days_without_rows_are_no_end_of_the_data() -> None:
    """Where a row comes every few weeks, none in the last days of a month says nothing."""
    asked = Query((WATER,), where=(during(date(2026, 5, 1), date(2026, 5, 31)),))
    assert cut_periods(asked, garden(rows=20), "en", TODAY) == ()


def test_rows_that_are_listed_have_no_partial_period() -> None:
    listed = Query((Col(Ref("plants", "name")),), where=(during(date(2026, 4, 1), date(2026, 6, 30)),))
    assert cut_periods(listed, garden(), "en", TODAY) == ()


def test_a_period_is_known_by_its_first_and_last_day() -> None:
    assert bucket("quarter", date(2026, 2, 28)) == (date(2026, 1, 1), date(2026, 3, 31))
    assert bucket("week", date(2026, 11, 22)) == (date(2026, 11, 16), date(2026, 11, 22))
