"""Second questions over a small source, behind the statement that was answered before them."""

import sqlite3
from datetime import date

import pytest
from msgspec.structs import replace

from kbtui.data.sources import open_source
from kbtui.domain.analysis import AnsweredStatement, Column, Limits, Schema, Table
from kbtui.domain.ports import CancelToken
from kbtui.nl2sql.follow_ups import follow_up
from kbtui.nl2sql.gate import THRESHOLD
from kbtui.nl2sql.reader import QuestionReader
from kbtui.nl2sql.stages import shipped_stages
from kbtui.settings.sources import DataSource

PER_TOWN = "SELECT town, COUNT(*) FROM clubs GROUP BY town"
IN_OSLO = "SELECT COUNT(*) FROM clubs WHERE town = 'Oslo'"


@pytest.fixture(scope="module")
def clubs(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "clubs.db"
    connection = sqlite3.connect(path)
    connection.executescript(
        """
        CREATE TABLE clubs (id INTEGER PRIMARY KEY, name TEXT, town TEXT, sport TEXT, members INT, founded DATE);
        INSERT INTO clubs VALUES (1, 'Falcon', 'Oslo', 'rowing', 40, '2023-05-01'),
            (2, 'Heron', 'Oslo', 'chess', 25, '2024-02-01'), (3, 'Swift', 'Bergen', 'chess', 31, '2023-08-09'),
            (4, 'Wren', 'Bergen', 'rowing', 12, '2024-03-03'), (5, 'Lark', 'Oslo', 'chess', 18, '2024-07-20');
        """
    )
    connection.close()
    source = open_source(DataSource(name="clubs", location=str(path)))

    def ask(_source, sql):
        return source.run(sql, Limits(), CancelToken()).rows

    reader, schema = QuestionReader(ask, lambda: date(2026, 11, 20), shipped_stages), source.schema("detailed")

    def second(question, before):
        return follow_up(reader, question, schema, AnsweredStatement(source="clubs", sql=before)), ask

    return second


def best(clubs, question, before):
    found, ask = clubs(question, before)
    assert found is not None, f"{question!r} was taken to stand alone"
    reading = found.readings.readings[0]
    return reading, [list(row) for row in ask("", reading.sql)]


@pytest.mark.parametrize(
    ("before", "question", "rows"),
    [
        (IN_OSLO, "and in Bergen?", [[2]]),
        (IN_OSLO, "Bergen呢", [[2]]),
        (IN_OSLO, "only chess", [[2]]),
        (IN_OSLO, "for all towns", [[5]]),
        (IN_OSLO, "by sport", [["chess", 2], ["rowing", 1]]),
        (IN_OSLO, "and the average members?", [[27.666666666666668]]),
        (PER_TOWN, "in 2024", [["Bergen", 1], ["Oslo", 2]]),
        (PER_TOWN, "top 1", [["Oslo", 3]]),
        (PER_TOWN, "前1个", [["Oslo", 3]]),
        (PER_TOWN, "per sport instead", [["chess", 3], ["rowing", 2]]),
        (PER_TOWN, "ascending", [["Bergen", 2], ["Oslo", 3]]),
    ],
)
def test_a_follow_up_brings_the_rows_of_the_changed_statement(clubs, before, question, rows):
    reading, brought = best(clubs, question, before)
    assert sorted(brought) == rows
    assert reading.confidence >= THRESHOLD
    assert reading.says


@pytest.mark.parametrize(
    "question",
    [
        "which club in Bergen has the most members",
        "how many members do the chess clubs have altogether",
        "list the names of all clubs",
        "各个城市的俱乐部平均有多少成员",
        "and which of all the sports that the clubs of the two towns offer has the fewest members this year",
    ],
)
def test_a_whole_question_changes_nothing(clubs, question):
    assert clubs(question, PER_TOWN)[0] is None


@pytest.mark.parametrize("question", ["only the purple ones", "what about Atlantis"])
def test_a_word_that_nothing_reads_keeps_a_follow_up_from_being_answered(clubs, question):
    found = clubs(question, PER_TOWN)[0]
    assert found is None or found.readings.readings[0].confidence < THRESHOLD


def test_a_chart_is_drawn_of_the_same_statement(clubs):
    found, ask = clubs("as a pie chart", PER_TOWN)
    assert found is not None
    assert found.chart == "pie"
    assert sorted(ask("", found.readings.readings[0].sql)) == sorted(ask("", PER_TOWN))


def test_a_statement_that_cannot_be_read_back_is_not_changed(clubs):
    assert clubs("only chess", "WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT i + 1 FROM n) SELECT i FROM n")[0] is None


def test_a_question_that_turns_out_to_stand_alone_is_not_composed_again():
    composed = []

    def counting():
        stages = shipped_stages()
        return replace(stages, candidates=lambda lattice: composed.append(lattice) or stages.candidates(lattice))

    columns = (Column(name="id", kind="integer", is_key=True), Column(name="town", kind="text", samples=("Oslo",)))
    schema = Schema(source="clubs", dialect="sqlite", level="detailed", tables=(Table(name="clubs", columns=columns),))
    reader = QuestionReader(None, lambda: date(2026, 11, 20), counting)
    question = "how many clubs are there for each town"
    assert follow_up(reader, question, schema, AnsweredStatement(source="clubs", sql=IN_OSLO)) is None
    assert reader.read(question, schema).readings
    assert len(composed) == 1


def test_a_condition_two_references_away_is_only_offered(tmp_path):
    path = tmp_path / "tracker.db"
    connection = sqlite3.connect(path)
    connection.executescript(
        """
        CREATE TABLE people (login TEXT PRIMARY KEY, team TEXT);
        CREATE TABLE issues (number INTEGER PRIMARY KEY, state TEXT, kind TEXT, severity TEXT, component TEXT,
          assignee TEXT REFERENCES people(login));
        INSERT INTO people VALUES ('ana', 'core'), ('bo', 'web');
        INSERT INTO issues VALUES (1, 'open', 'bug', 'major', 'parser', 'ana'),
          (2, 'closed', 'bug', 'minor', 'web', 'bo'), (3, 'open', 'bug', 'minor', 'web', 'ana'),
          (4, 'closed', 'task', 'major', 'web', 'ana');
        CREATE VIEW open_bugs AS SELECT number, severity, component, assignee FROM issues
          WHERE state = 'open' AND kind = 'bug';
        """
    )
    connection.close()
    source = open_source(DataSource(name="tracker", location=str(path)))

    def ask(_source, sql):
        return source.run(sql, Limits(), CancelToken()).rows

    reader, schema = QuestionReader(ask, lambda: date(2026, 11, 20), shipped_stages), source.schema("detailed")
    before = AnsweredStatement(source="tracker", sql="SELECT component, COUNT(*) FROM open_bugs GROUP BY component")
    closed = follow_up(reader, "and closed ones?", schema, before)
    assert closed is None or closed.readings.readings[0].confidence < THRESHOLD
    minor = follow_up(reader, "only minor ones", schema, before)
    assert minor is not None and minor.readings.readings[0].confidence >= THRESHOLD
