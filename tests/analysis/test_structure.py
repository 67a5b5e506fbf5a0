"""Questions about the structure of a source, told from questions over its rows, and answered from the structure."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from kbtui.analysis.source_choice import find_structure_request
from kbtui.analysis.structure import StructureRequest, TableMention, describe_structure, may_ask_structure, read_request
from kbtui.analysis.structure_statements import structure_reading
from kbtui.domain.analysis import Column, ForeignKey, Schema, Table
from kbtui.domain.events import PlanCreated, TableProduced, Warned
from tests.analysis.shop import Desk, ScriptedWriter, make_desk

LIBRARY = Schema(
    source="library",
    dialect="sqlite",
    level="detailed",
    tables=(
        Table(
            name="loans",
            row_estimate=1200,
            columns=(
                Column(name="loan_id", kind="integer", is_key=True),
                Column(name="book_id", kind="integer", samples=(7, 9)),
                Column(name="due_on", kind="date", samples=("2026-01-02",)),
                Column(name="fine", kind="number"),
            ),
            foreign_keys=(ForeignKey(columns=("book_id",), referred_table="books", referred_columns=("book_id",)),),
        ),
        Table(name="books", row_estimate=300, columns=(Column(name="book_id", is_key=True), Column(name="name"))),
    ),
)
ONE = Schema(source="sales", dialect="duckdb", level="detailed", tables=(LIBRARY.tables[0],))


@pytest.mark.parametrize(
    ("question", "about", "tables"),
    [
        ("which tables are there?", "tables", ()),
        ("what tables do you have", "tables", ()),
        ("how many tabels does it have", "tables", ()),
        ("how many rows are in each table?", "tables", ()),
        ("有哪些表", "tables", ()),
        ("数据库里一共有几张表？", "tables", ()),
        ("what columns does loans have", "columns", ("loans",)),
        ("how many colums are there in the table books", "columns", ("books",)),
        ("what are the names of the fields", "columns", ()),
        ("loans表有哪些字段", "columns", ("loans",)),
        ("什么字段", "columns", ()),
        ("都有哪些表 分别有什么列", "columns", ()),
        ("describe this data", "describe", ()),
        ("what is in this database?", "describe", ()),
        ("describe loans", "describe", ("loans",)),
        ("how are the tables connected?", "describe", ()),
        ("what columns are in this export", "columns", ()),
        ("how do I join borrowers to volumes, show me the schema", "describe", ()),
        ("介绍一下这个数据库", "describe", ()),
        ("show me some rows of loans", "sample", ("loans",)),
        ("preview books", "sample", ("books",)),
        ("loans 前3行", "sample", ("loans",)),
        ("how many rows does loans have", "count", ("loans",)),
    ],
)
def test_what_is_asked_about_the_structure_is_recognised(question: str, about: str, tables: tuple[str, ...]) -> None:
    assert may_ask_structure(question)
    request = read_request(question, LIBRARY)
    assert request is not None
    assert (request.about, request.tables) == (about, tables)


@pytest.mark.parametrize(
    "question",
    [
        "how many loans are there",
        "total fine by book",
        "how many tables were reserved in march",
        "show the name of every book",
        "books with no loans",
        "which records of loans have a fine over 5",
        "the number of records of each book name",
        "how many loans are on hold",
        "罚款最多的是哪本",
        "每张借书单有几条记录逾期",
    ],
)
def test_what_is_asked_of_the_rows_is_not_about_the_structure(question: str) -> None:
    assert read_request(question, LIBRARY) is None


CALLED = {
    "borrowings": TableMention(0, 0, "loans", "", 0.9),
    "money": TableMention(0, 0, "loans", "fine", 0.8),
    "借阅": TableMention(0, 0, "loans", "", 0.9),
}


def _calling(question: str, schema: Schema) -> list[TableMention]:
    found = ((question.find(word), word, called) for word, called in CALLED.items())
    return [each._replace(first=at, last=at + len(word)) for at, word, each in found if at >= 0]


@pytest.mark.parametrize(
    ("question", "about", "tables"),
    [
        ("what columns does the borrowings table have", "columns", ("loans",)),
        ("whats stored about borrowings", "columns", ("loans",)),
        ("whats in the borrowings table", "describe", ("loans",)),
        ("which columns are about money", "columns", ("loans",)),
        ("what tables are in this borrowings db", "tables", ()),
        ("借阅表里记了什么", "columns", ("loans",)),
    ],
)
def test_tables_are_known_by_what_they_are_called(question: str, about: str, tables: tuple[str, ...]) -> None:
    assert read_request(question, LIBRARY) is None
    request = read_request(question, LIBRARY, _calling)
    assert request is not None
    assert (request.about, request.tables) == (about, tables)


@pytest.mark.parametrize(
    "question",
    ["how many borrowings are stored", "how many borrowings do we know of", "borrowings with money in march"],
)
def test_what_is_counted_is_no_structure_though_its_table_is_called_otherwise(question: str) -> None:
    assert read_request(question, LIBRARY, _calling) is None


def test_a_source_with_one_table_needs_no_name_of_it() -> None:
    assert read_request("give me a sample", ONE) == StructureRequest(about="sample", tables=("loans",))
    assert read_request("show me 12 rows", ONE) == StructureRequest(about="sample", tables=("loans",), rows=12)
    assert read_request("给我看几行数据", ONE) == StructureRequest(about="sample", tables=("loans",))
    assert read_request("这个数据有多少行", ONE) == StructureRequest(about="count", tables=("loans",))


def test_a_table_that_is_called_tables_is_a_table() -> None:
    schema = Schema(source="r", dialect="sqlite", level="detailed", tables=(Table(name="tables"), Table(name="guests")))
    assert read_request("how many tables are there", schema) is None


def test_columns_are_told_with_kind_key_and_samples() -> None:
    text = describe_structure(StructureRequest(about="columns", tables=("loans",)), [LIBRARY], "en")
    assert "| `loan_id` | whole number, key |  |" in text
    assert "| `book_id` | whole number, → `books.book_id` | 7, 9 |" in text
    assert "| `due_on` | date | 2026-01-02 |" in text
    assert "`books` (rows" not in text


def test_tables_are_told_with_their_rows_in_both_languages() -> None:
    assert "| `loans` | 1,200 | 4 |" in describe_structure(StructureRequest(about="describe"), [LIBRARY], "en")
    assert describe_structure(StructureRequest(about="tables"), [LIBRARY], "zh").startswith("**library** 有 2 张表：")


def test_a_sample_and_a_profile_are_statements_of_the_dialect() -> None:
    sample = structure_reading(StructureRequest(about="sample", tables=("loans",), rows=3), LIBRARY, "en")
    assert sample is not None
    assert sample.sql == 'SELECT * FROM "loans" LIMIT 3'
    profile = structure_reading(StructureRequest(about="profile", tables=("loans",), column="fine"), LIBRARY, "en")
    assert profile is not None
    assert profile.sql.startswith('SELECT COUNT(*) AS "rows", COUNT("fine") AS "filled in", COUNT(DISTINCT "fine")')
    assert 'AVG("fine")' in profile.sql


def test_a_profile_of_a_column_called_by_an_ordinary_word() -> None:
    request = read_request("profile of column name", LIBRARY)
    assert request == StructureRequest(about="profile", tables=("books",), column="name")


def ask(desk: Desk, question: str) -> str:
    classified = find_structure_request(question, desk.context.schema_manager)
    assert classified is not None
    assert classified.request_type == "data_query"
    answer = desk.ask(question, source=classified.source, **classified.details)
    assert answer.outcome == "answered"
    return answer.markdown


def test_the_structure_is_answered_by_one_look_and_nothing_is_read_as_a_question(tmp_path: Path) -> None:
    writer = ScriptedWriter({})
    desk = make_desk(tmp_path, writer)
    assert "| `customers` | 4 |" in ask(desk, "which tables are there?")
    (plan,) = desk.of(PlanCreated)
    assert [(step.tool, step.schema_level) for step in plan.steps] == [("get_data_source_context", "basic")]
    assert (writer.asked, desk.statements, desk.of(Warned)) == ([], [], [])


def test_some_rows_are_a_statement_with_its_source(tmp_path: Path) -> None:
    desk = make_desk(tmp_path, ScriptedWriter({}))
    assert "[1]" in ask(desk, "show me 2 rows of orders")
    (table,) = desk.of(TableProduced)
    assert (len(table.rows), table.columns) == (2, ("id", "customer_id", "total", "placed_on"))
    assert desk.statements == ['SELECT * FROM "orders" LIMIT 2']


def _keyed(name: str, **keys: str) -> Table:
    """A table with a key column ``id`` and columns that refer to other tables."""
    foreign = tuple(
        ForeignKey(columns=(column,), referred_table=table, referred_columns=("id",)) for column, table in keys.items()
    )
    return Table(name=name, columns=(Column(name="id", is_key=True),), foreign_keys=foreign)


GAMES = Schema(
    source="games",
    dialect="sqlite",
    level="detailed",
    tables=(
        _keyed("games"),
        _keyed("players"),
        _keyed("plays", game="games"),
        _keyed("scores", play="plays", by="players"),
    ),
)


def test_tables_that_are_asked_about_together_come_with_the_keys_that_lead_from_one_to_another() -> None:
    request = read_request("how are players and plays related?", GAMES)
    assert request == StructureRequest(about="describe", tables=("players", "plays"))
    named = replace(GAMES, tables=(GAMES.tables[1], GAMES.tables[2]))
    text = describe_structure(request, [named], "en", lambda _source: GAMES)
    assert "- `scores.by` → `players.id`\n- `scores.play` → `plays.id`" in text
    assert "games.id" not in text.split("\n\n")[1], "a key that leads to neither of them is not on the way"


def test_all_tables_come_with_all_keys_and_without_keys_nothing_is_said_of_them() -> None:
    assert describe_structure(StructureRequest(about="describe"), [GAMES], "en").count("→ `") == 3
    assert "hang together" not in describe_structure(StructureRequest(about="describe"), [ONE], "en")
    lone = replace(GAMES, tables=(_keyed("games"), _keyed("shops")))
    assert "hang together" not in describe_structure(StructureRequest(about="describe"), [lone], "en")


@pytest.mark.parametrize("question", ["how many tablets did we get", "distribution of fine"])
def test_words_that_ask_for_rows_are_no_structure(question: str) -> None:
    assert read_request(question, LIBRARY) is None
