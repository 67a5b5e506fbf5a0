"""Columns that ``and`` joins have one role."""

from __future__ import annotations

from kbtui.nl2sql.candidate import Candidate
from kbtui.nl2sql.coordination import coordinated, joined_roles
from kbtui.nl2sql.query import Agg, Col, Query, Ref
from tests.nl2sql.garden import candidate, lattice, mention, question

BED, NAME, WATER = Ref("plants", "bed"), Ref("plants", "name"), Ref("plants", "water")
ASKED = question("plants by bed and name", cues=[(1, 2, "per", {}), (3, 4, "and", {})])
FIRST, SECOND = mention(2, 3, BED), mention(4, 5, NAME)
LINKED = lattice(ASKED, FIRST, SECOND)


def by_both() -> Candidate:
    query = Query((Col(BED), Col(NAME), Agg("count", Col(Ref("plants", "*")))), group=(Col(BED), Col(NAME)))
    return candidate(query, (FIRST, "group"), (SECOND, "group"))


def by_one() -> Candidate:
    query = Query((Col(BED), Agg("count", Col(NAME), distinct=True)), group=(Col(BED),))
    return candidate(query, (FIRST, "group"), (SECOND, "measure"))


def test_a_column_is_not_counted_where_another_statement_groups_by_both() -> None:
    assert coordinated([by_one(), by_both()], LINKED) == [by_both()]
    assert coordinated([by_one()], LINKED) == [by_one()]


def test_a_figure_beside_a_group_is_no_second_group() -> None:
    water = mention(4, 5, WATER)
    query = Query((Col(BED), Agg("sum", Col(WATER))), group=(Col(BED),))
    summed = candidate(query, (FIRST, "group"), (water, "measure"))
    assert list(joined_roles(summed.uses, lattice(ASKED, FIRST, water))) == []
