"""Readings that are offered where a question over data was not understood: printed, numbered, and taken by number."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kbtui.demo import sample_database
from tests.cli.conftest import Invoke, Program

UNSURE = "which site has the happiest lockers?"


@pytest.fixture
def ask(invoke: Invoke, tmp_path: Path) -> list[str]:
    return ["ask", "--kb", str(tmp_path), "--data", str(sample_database())]


def test_the_offered_readings_are_printed_with_the_numbers_that_take_them(program: Program) -> None:
    given = ("ask", "--data", str(sample_database()), UNSURE)
    done = program(*given)
    assert done.returncode == 3
    head, _, listed = done.stdout.partition("Nearest readings (the same question with --reading N takes one):")
    assert "not sure enough" in head
    readings = listed.strip().split("\n")
    assert [line[:3] for line in readings] == ["1. ", "2. ", "3. ", "4. "]
    taken = program(*given, "--reading", "2")
    assert taken.returncode == 0
    assert taken.stdout.splitlines()[0] == f"Read as: {readings[1][3:]}."


def test_a_number_that_was_not_offered_is_wrong_usage_and_lists_those_that_were(invoke: Invoke, ask: list[str]) -> None:
    done = invoke(*ask, "--reading", "9", UNSURE)
    assert done.exit_code == 2
    assert "There is no reading 9." in done.output
    assert "Offered are: 1 " in done.output
    done = invoke(*ask, "--reading", "1", "how many lockers are there?")
    assert done.exit_code == 2
    assert "offers none" in done.output
    assert invoke(*ask, "--reading", "0", UNSURE).exit_code == 2


def test_events_name_the_readings_that_are_offered(invoke: Invoke, ask: list[str]) -> None:
    done = invoke(*ask, "--json", UNSURE)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    (read,) = (event for event in events if event["kind"] == "reading_chosen")
    assert (read["sql"], read["unread"]) == ("", ["happiest"])
    assert [one["n"] for one in read["offered"]] == [1, 2, 3, 4]
    (answer,) = (event for event in events if event["kind"] == "answer_completed")
    assert [one["says"] for one in read["offered"]] == answer["suggestions"]


def test_what_was_read_surely_offers_nothing_and_says_what_ran(invoke: Invoke, ask: list[str]) -> None:
    done = invoke(*ask, "--json", "how many lockers are there?")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    (read,) = (event for event in events if event["kind"] == "reading_chosen")
    assert read["says"] == "Number of lockers"
    assert "COUNT" in read["sql"]
    assert (read["offered"], read["unread"]) == ([], [])


def test_a_chinese_question_takes_a_reading_by_its_number_too(invoke: Invoke, ask: list[str]) -> None:
    query = "每个怪兽的包裹平均爆炸多少次？"
    assert "1. " in invoke(*ask, query).stdout
    assert invoke(*ask, "--reading", "1", query).exit_code == 0
