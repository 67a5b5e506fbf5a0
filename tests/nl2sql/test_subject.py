from __future__ import annotations

import pytest

from kbtui.nl2sql.candidate import Role, Use
from kbtui.nl2sql.query import Agg, Col, Cond, Query, Ref
from kbtui.nl2sql.subject import Subject, main_table
from tests.nl2sql.garden import mention, question

NAME, BED = Ref("plants", "name"), Ref("plants", "bed")
HARVESTS = Ref("harvests", "*")


def uses(*links: tuple[int, int, Ref, Role]) -> list[Use]:
    return [Use(mention(first, last, ref), role) for first, last, ref, role in links]


@pytest.mark.parametrize(
    ("query", "table"),
    [
        (Query((Col(NAME),)), "plants"),
        (Query((Col(NAME), Agg("count", Col(HARVESTS)))), "harvests"),
        (Query(()), ""),
    ],
)
def test_the_main_table_is_that_of_the_figure_before_that_of_the_columns(query: Query, table: str) -> None:
    assert main_table(query) == table


def test_the_head_is_known_to_be_in_the_main_table_or_not() -> None:
    asked = question("plants in beds")
    plants = Subject(asked).features(Query((Col(NAME),)), uses((0, 1, Ref("plants", "*"), "subject")))
    harvests = Subject(asked).features(Query((Agg("count", Col(HARVESTS)),)), uses((0, 1, NAME, "filter")))
    assert plants["head_in_main"] == 1.0 and plants["head_subject"] == 1.0
    assert "head_in_main" not in harvests and harvests["filters_elsewhere"] == 1.0


def test_a_number_belongs_to_the_words_beside_it() -> None:
    subject = Subject(question("plants with 3 harvests"))
    links = uses((0, 1, Ref("plants", "*"), "subject"), (3, 4, HARVESTS, "having"))
    counted = Query((Col(NAME),), group=(Col(NAME),), having=(Cond(Agg("count", Col(HARVESTS)), ">", 3),))
    assert subject.features(counted, links)["counted_beside"] == 1.0
    assert subject.features(Query((Col(NAME),), where=(Cond(Col(BED), ">", 3),)), links)["compared_apart"] == 1.0
