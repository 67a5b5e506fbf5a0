"""Small words that decide what a statement is: by, not, maximum, the number of, in the order of; over some gardens."""

from __future__ import annotations

from typing import Any

import pytest

from kbtui.nl2sql.build import sql_of
from kbtui.nl2sql.candidate import Candidate
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.generate import candidates
from kbtui.nl2sql.lexicon import concepts_of
from kbtui.nl2sql.linking import link
from kbtui.nl2sql.profile import profile
from kbtui.nl2sql.query import Col, Ref
from kbtui.question.reader import read
from tests.nl2sql.sources import TODAY, Memory

SCRIPT = """
CREATE TABLE gardens (
    garden_number INTEGER PRIMARY KEY, garden_name TEXT, owner TEXT, area REAL, opened_on DATE
);
CREATE TABLE tenants (tenant_id INTEGER PRIMARY KEY, tenant_details TEXT, garden_number INTEGER REFERENCES gardens);
INSERT INTO tenants VALUES (1, 'Rosa Lind', 11), (2, 'Ole Dahl', 12), (3, 'Ada Quist', 14);
INSERT INTO gardens VALUES
    (11, 'Lower Field', 'Elmwood', 40, '2019-05-01'), (12, 'Hill Side', 'Oakham', 75, '2016-04-01'),
    (13, 'Mill Yard', 'Elmwood', 12, '2021-03-09'), (14, 'Brook End', 'Ashby', 55, '2011-08-20');
"""


@pytest.fixture(scope="module")
def gardens() -> tuple[Memory, Catalogue]:
    source = Memory(SCRIPT)
    return source, profile(source.schema, source.ask, today=TODAY, concepts_of=concepts_of)


def first(gardens: tuple[Memory, Catalogue], text: str) -> tuple[Candidate, list[tuple[Any, ...]]]:
    source, catalogue = gardens
    best = candidates(link(read(text, today=TODAY), catalogue))[0]
    return best, [tuple(row) for row in source.ask(sql_of(best.query, catalogue))]


def test_by_before_somebody_sets_nothing_apart(gardens: tuple[Memory, Catalogue]) -> None:
    best, rows = first(gardens, "What are the names of the gardens owned by Elmwood or Ashby?")
    assert not best.query.group
    assert {row[0] for row in rows} == {"Lower Field", "Mill Yard", "Brook End"}


@pytest.mark.parametrize(
    "text", ["Which gardens are not owned by Elmwood?", "names of gardens that are not of the owner Elmwood"]
)
def test_a_negation_reaches_over_the_name_of_the_column(gardens: tuple[Memory, Catalogue], text: str) -> None:
    names = {cell for row in first(gardens, text)[1] for cell in row}
    assert {"Hill Side", "Brook End"} <= names
    assert "Mill Yard" not in names


def test_no_set_is_left_out_by_the_value_that_says_which_it_is(gardens: tuple[Memory, Catalogue]) -> None:
    found = candidates(link(read("owners that are not Elmwood", today=TODAY), gardens[1]))
    inner = [query for each in found for query in each.query.subqueries()]
    assert not [query for query in inner if query.where and query.used_tables() == ("gardens",)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("name of the garden that has the maximum area", "Hill Side"),
        ("show the garden with the minimum area", "Mill Yard"),
    ],
)
def test_having_the_maximum_is_ranking_first(gardens: tuple[Memory, Catalogue], text: str, name: str) -> None:
    rows = first(gardens, text)[1]
    assert len(rows) == 1
    assert name in rows[0]


def test_the_number_of_things_is_no_number_that_names_them(gardens: tuple[Memory, Catalogue]) -> None:
    assert first(gardens, "What is the number of gardens?")[1] == [(4,)]
    named = link(read("What is the garden number of Brook End?", today=TODAY), gardens[1])
    assert next(m.score for m in named.mentions if named.question.words(m.span) == "garden number") == 1.0


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Sort the names of all gardens in ascending order of area", ["Mill Yard", "Lower Field"]),
        ("names of gardens and their owner. Sort them in descending order of area.", ["Hill Side", "Brook End"]),
        ("garden names sorted alphabetically", ["Brook End", "Hill Side"]),
        ("different owners and areas in descending order of area", ["Oakham", "Ashby"]),
    ],
)
def test_rows_are_sorted_by_what_stands_behind_the_words_that_sort(
    gardens: tuple[Memory, Catalogue], text: str, names: list[str]
) -> None:
    rows = first(gardens, text)[1]
    assert [next(name for name in names if name in row) for row in rows[:2]] == names


def test_a_thing_is_called_by_what_says_which_it_is(gardens: tuple[Memory, Catalogue]) -> None:
    best, rows = first(gardens, "Sort the tenant names in alphabetical order")
    assert not best.unread
    assert [row[0] for row in rows] == ["Ada Quist", "Ole Dahl", "Rosa Lind"]


def test_two_limits_of_one_column_may_be_alternatives(gardens: tuple[Memory, Catalogue]) -> None:
    best, rows = first(gardens, "garden names whose area is lower than 20 or higher than 60")
    assert not best.unread
    assert {row[0] for row in rows} == {"Mill Yard", "Hill Side"}


@pytest.mark.parametrize(
    "text",
    [
        "What are the different owners, and how many gardens have each?",
        "show the different owners and the average area of gardens of each owner",
    ],
)
def test_groups_read_the_words_that_ask_for_each_of_them(gardens: tuple[Memory, Catalogue], text: str) -> None:
    found = candidates(link(read(text, today=TODAY), gardens[1]))[:8]
    assert [each for each in found if len(each.query.group) == 1 and each.query.inner is None and not each.unread]


def test_count_the_total_number_is_one_operator(gardens: tuple[Memory, Catalogue]) -> None:
    best, rows = first(gardens, "Count the total number of gardens")
    assert (best.unread, rows) == ((), [(4,)])


def test_a_number_of_different_values_is_not_read_by_their_groups(gardens: tuple[Memory, Catalogue]) -> None:
    found = candidates(link(read("how many different owners are there", today=TODAY), gardens[1]))
    assert not [each for each in found if each.query.group and not each.unread]


def test_the_most_number_of_things_ranks_by_no_measure_that_is_not_named(gardens: tuple[Memory, Catalogue]) -> None:
    found = candidates(link(read("owner with the most number of gardens", today=TODAY), gardens[1]))
    ranked = [
        each.query.order[0].expr for each in found if each.query.order and not each.query.group and not each.unread
    ]
    assert Col(Ref("gardens", "area")) not in ranked
    assert ("Elmwood", 2) in first(gardens, "owner with the most number of gardens")[1]
