"""Small changes to statements, and those that are no answer."""

from __future__ import annotations

import pytest

from kbtui.records.statements import has_guess, order_by_named_date, order_by_version, with_ties

NEWEST = 'SELECT "title", "changed" FROM "page" ORDER BY "date" DESC LIMIT 1'
DAYS = (("page", "date"), ("page", "changed"))


def test_the_newest_by_a_day_that_the_question_names_is_in_its_order() -> None:
    sql = order_by_named_date(NEWEST, "newest page by changed", DAYS)
    assert sql == 'SELECT "title", "changed" FROM "page" ORDER BY "changed" DESC LIMIT 1'


def test_the_newest_by_no_day_in_particular_stays_as_it_is_read() -> None:
    assert order_by_named_date(NEWEST, "which page is the newest?", DAYS) == NEWEST


def test_a_day_that_only_another_table_has_orders_nothing() -> None:
    assert order_by_named_date(NEWEST, "newest page by updated", (*DAYS, ("ticket", "updated"))) == NEWEST


def test_what_most_things_have_is_not_the_newest() -> None:
    counted = 'SELECT "date", COUNT(*) FROM "page" GROUP BY "date" ORDER BY COUNT(*) DESC LIMIT 1'
    assert order_by_named_date(counted, "most recently changed page", DAYS) == ""


@pytest.mark.parametrize(
    ("condition", "guessed"),
    [
        ("\"path\" = 'gdb' OR \"type\" IN ('standard', 'optional')", True),
        ("\"type\" = 'standard' OR \"type\" = 'optional'", False),
        ("\"author\" = 'Ana' OR \"sponsor\" = 'Ana'", False),
    ],
)
def test_a_choice_between_a_thing_and_a_state_is_no_condition(condition: str, guessed: bool) -> None:
    sql = f'SELECT "title" FROM "page" WHERE {condition}'
    assert has_guess(sql, (), "is gdb standard or optional") is guessed


@pytest.mark.parametrize(
    ("question", "guessed"),
    [("number of filters by Ana Ruiz", True), ("which one is the ternary operation filter?", False)],
)
def test_a_common_word_of_a_sentence_does_not_mean_the_sentence(question: str, guessed: bool) -> None:
    sql = 'SELECT COUNT(*) FROM "plugin" WHERE "summary" = \'Ternary operation filter\' AND "author" = \'Ana Ruiz\''
    assert has_guess(sql, ("summary",), question) is guessed


@pytest.mark.parametrize(
    ("question", "guessed"),
    [("what did Ana Ruiz contribute", True), ("what share of the pages is by Ana Ruiz?", False)],
)
def test_a_share_that_nothing_asks_for_is_no_answer(question: str, guessed: bool) -> None:
    sql = 'SELECT 100.0 * COUNT(CASE WHEN "author" = \'Ana Ruiz\' THEN 1 END) / COUNT(*) FROM "page"'
    assert has_guess(sql, (), question) is guessed


@pytest.mark.parametrize(
    ("question", "guessed"),
    [("what is a leaf bundle?", True), ("which pages are about leaf or bundle?", False), ("叶和 leaf, bundle", False)],
)
def test_values_beside_one_another_are_a_name_of_something_else(question: str, guessed: bool) -> None:
    assert has_guess('SELECT "title" FROM "page" WHERE "keyword" IN (\'leaf\', \'bundle\')', (), question) is guessed


def test_the_highest_version_is_that_of_versions_not_of_figures() -> None:
    figures = 'CASE WHEN "since" GLOB \'*[0-9]*\' THEN CAST("since" AS REAL) END'
    assert order_by_version(f'SELECT "title" FROM "page" ORDER BY {figures} DESC LIMIT 1', ["since"]) == (
        'SELECT "title" FROM "page" ORDER BY "since" DESC LIMIT 1'
    )
    lowest = f'SELECT "title" FROM "page" ORDER BY {figures} LIMIT 1'
    assert has_guess(order_by_version(lowest, ["since"]), (), "oldest page")


def test_rows_that_share_the_last_place_are_all_given() -> None:
    assert with_ties('SELECT "title" FROM "page" ORDER BY "since" DESC LIMIT 1') == (
        'SELECT "title" FROM "page" WHERE "since" IN (SELECT "since" FROM "page" ORDER BY "since" DESC LIMIT 1) '
        'ORDER BY "since" DESC'
    )
