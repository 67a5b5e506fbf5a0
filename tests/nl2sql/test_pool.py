from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from kbtui.errors import DataSourceError
from kbtui.nl2sql.pool import AskEach, entries_of, features_of, one_by_one
from kbtui.nl2sql.query import Agg, Col, Order, Query, Ref
from kbtui.nl2sql.row_features import Rows
from tests.nl2sql.garden import candidate, lattice, question

NAME, BED = Col(Ref("plants", "name")), Col(Ref("plants", "bed"))
COUNT = Agg("count", Col(Ref("plants", "*")))
ALL = Query((NAME,))
BIGGEST_BED = Query((BED,), group=(BED,), order=(Order(COUNT, desc=True),), limit=1)
STATEMENTS = {
    ALL: "SELECT name FROM plants",
    replace(ALL, distinct=True): "SELECT DISTINCT name FROM plants",
    Query((BED,)): "SELECT nothing FROM plants",
    replace(BIGGEST_BED, select=(BED, COUNT), limit=2): (
        "SELECT bed, COUNT(*) FROM plants GROUP BY bed ORDER BY COUNT(*) DESC LIMIT 2"
    ),
}


def write(query: Query) -> str | None:
    return STATEMENTS.get(query)


@pytest.fixture
def ask() -> Iterator[AskEach]:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE plants (name TEXT, bed TEXT)")
    connection.executemany("INSERT INTO plants VALUES (?, ?)", [("fern", "north"), ("oak", "south")])

    def rows(sql: str) -> Sequence[Sequence[Any]]:
        try:
            return connection.execute(sql).fetchall()
        except sqlite3.Error as error:
            raise DataSourceError(str(error)) from error

    yield one_by_one(rows)
    connection.close()


def test_what_cannot_be_written_or_run_is_left_out(ask: AskEach) -> None:
    pool = [candidate(ALL), candidate(Query((BED,))), candidate(Query((NAME, BED)))]
    entries = entries_of(pool, write, ask)
    assert [entry.rows for entry in entries] == [[("fern",), ("oak",)]]


def test_statements_with_the_same_rows_are_one_answer(ask: AskEach) -> None:
    first, second = entries_of([candidate(ALL), candidate(replace(ALL, distinct=True))], write, ask)
    assert first.answer == second.answer
    assert features_of([first, second], lattice(question("plants")))[0]["agreeing"] == 1.0


def test_a_tie_at_the_limit_is_seen_and_not_shown(ask: AskEach) -> None:
    (entry,) = entries_of([candidate(BIGGEST_BED)], write, ask)
    assert len(entry.rows or ()) == 1
    assert len((entry.rows or [()])[0]) == 1
    assert entry.tied
    (found,) = features_of([entry], lattice(question("biggest bed")))
    assert found["count_tied"] == 1.0


def test_without_a_source_statements_are_told_apart_by_their_text() -> None:
    first, second = entries_of([candidate(ALL), candidate(replace(ALL, distinct=True))], write, None)
    assert first.rows is None
    assert first.answer != second.answer
    assert features_of([first], lattice(question("plants")))[0]["rows_unknown"] == 1.0


def test_only_the_first_candidates_are_tried(ask: AskEach) -> None:
    entries = entries_of([candidate(ALL), candidate(replace(ALL, distinct=True))], write, ask, most=1)
    assert [entry.candidate.query for entry in entries] == [ALL]


def test_a_slow_source_is_not_asked_for_all_of_them(ask: AskEach) -> None:
    pool = [candidate(ALL), candidate(replace(ALL, distinct=True))]
    assert len(entries_of(pool, write, ask, most=4, seconds=-1.0)) == 1


def test_candidates_are_tried_at_one_go_and_others_take_the_place_of_those_that_fail(ask: AskEach) -> None:
    asked: list[Sequence[str]] = []

    def ask_each(statements: Sequence[str], seconds: float, enough: int) -> Sequence[Rows | None]:
        asked.append(statements)
        return ask(statements, seconds, enough)

    pool = [candidate(ALL), candidate(Query((BED,))), candidate(replace(ALL, distinct=True))]
    entries = entries_of(pool, write, ask_each, most=2)
    assert [entry.candidate.query for entry in entries] == [ALL, replace(ALL, distinct=True)]
    assert [len(statements) for statements in asked] == [2, 1]


def test_the_budget_of_a_batch_is_its_share_whatever_time_has_passed(ask: AskEach) -> None:
    budgets: list[float] = []

    def ask_each(statements: Sequence[str], seconds: float, enough: int) -> Sequence[Rows | None]:
        budgets.append(seconds)
        return ask(statements, seconds, enough)

    pool = [candidate(ALL), candidate(Query((BED,))), candidate(replace(ALL, distinct=True))]
    entries_of(pool, write, ask_each, most=2, seconds=1.0)
    assert budgets == [1.0, 0.5]


def test_of_a_source_that_does_not_answer_no_candidate_is_left() -> None:
    def gone(_statements: Sequence[str], _seconds: float, _enough: int) -> Sequence[Rows | None]:
        raise DataSourceError("There is no file.")

    assert entries_of([candidate(ALL)], write, gone) == []
