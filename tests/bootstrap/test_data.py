"""What the data side does around a question, over a real file."""

import sqlite3
from datetime import date
from pathlib import Path

import pytest

from kbtui.analysis.schema_manager import MAX_WHOLE_TABLES
from kbtui.bootstrap.data import DataSide
from kbtui.domain.analysis import Schema
from kbtui.domain.answer import Outcome
from kbtui.domain.conversation import Turn
from kbtui.nl2sql import reader as reading
from kbtui.nl2sql.follow_ups import tables_in
from kbtui.runs.durations import Durations


@pytest.mark.parametrize(
    ("sql", "names"),
    [
        ('SELECT a.x FROM main.a JOIN "b c" ON a.i = "b c".i', ("main.a", "b c")),
        ("SELECT x FROM a WHERE y IN (SELECT y FROM d) UNION SELECT x FROM a", ("a", "d")),
        ("SELECT (", ()),
    ],
)
def test_a_statement_reads_the_tables_it_names(sql: str, names: tuple[str, ...]) -> None:
    assert set(tables_in(sql, "sqlite")) == set(names)


@pytest.fixture
def many_tables(tmp_path: Path) -> Path:
    path = tmp_path / "many.db"
    connection = sqlite3.connect(path)
    for number in range(MAX_WHOLE_TABLES + 20):
        connection.execute(f"CREATE TABLE x{number}_log (id INTEGER PRIMARY KEY, amount REAL)")
    connection.executescript(
        """
        CREATE TABLE boats (id INTEGER PRIMARY KEY, name TEXT, harbour TEXT, length REAL);
        INSERT INTO boats VALUES (1, 'Gull', 'Oslo', 9.5), (2, 'Tern', 'Bergen', 7.0), (3, 'Skua', 'Oslo', 12.0);
        CREATE TABLE berths (id INTEGER PRIMARY KEY, town TEXT, price REAL);
        INSERT INTO berths VALUES (1, 'Oslo', 10.0), (2, 'Bergen', 20.0);
        """
    )
    connection.commit()
    connection.close()
    return path


def test_one_catalogue_serves_a_question_as_a_follow_up_and_by_itself(
    many_tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[set[str]] = []
    catalogue = reading.QuestionReader.catalogue

    def counted(self: reading.QuestionReader, schema: Schema) -> object:
        made.append({table.name for table in schema.tables})
        return catalogue(self, schema)

    monkeypatch.setattr(reading.QuestionReader, "catalogue", counted)
    side = DataSide([str(many_tables)], durations=Durations(tmp_path / "d"), today=lambda: date(2026, 11, 20))
    before = Turn(
        query="how many boats are there in each harbour",
        standalone="how many boats are there in each harbour",
        request_type="data_query",
        source="many",
        sql="SELECT harbour, COUNT(*) FROM boats GROUP BY harbour",
    )
    question = "what is the average price of the berths in each town"
    assert side.follow_up_request(question, [before]) is None
    assert made == [{"boats", "berths"}]
    manager = side.sources.manager()
    schema = manager.peek("many", "detailed", manager.tables_for_question("many", question))
    readings = side._offline_writer().read(question, schema)
    assert readings.best is not None and "berths" in readings.best.sql
    assert made == [{"boats", "berths"}]


def test_a_pronoun_after_a_refused_question_follows_no_earlier_answer(tmp_path: Path) -> None:
    def asked(query: str, outcome: Outcome) -> Turn:
        return Turn(query=query, standalone=query, outcome=outcome, request_type="data_query", source="shop")

    side = DataSide((), durations=Durations(tmp_path / "d"))
    history = (asked("which users are admins", "answered"), asked("what about blocked users", "not_found"))
    assert side.follow_up_bases("who are they", history) == ()
    assert side.follow_up_bases("per month", history) == history[:1]
    assert side.follow_up_bases("who are they", history[:1]) == history[:1]
