"""The guard: what may run runs as it was meant, and nothing else runs."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from kbtui.data import guard
from kbtui.data.guard import check
from kbtui.data.guard_lists import lists_of
from kbtui.domain.analysis import Schema, Table
from kbtui.errors import DataSourceError, SqlRefused
from tests.support.statements import statements

HERE = Path(__file__).parent
DIALECTS = ("sqlite", "duckdb", "postgres", "mysql", "spark", "trino")


def shop(dialect: str) -> Schema:
    tables = (Table(name="orders"), Table(name="customers"))
    return Schema(source="shop", dialect=dialect, level="basic", tables=tables)


def rule(sql: str, dialect: str = "sqlite", schema: Schema | None = None) -> str:
    with pytest.raises(SqlRefused) as caught:
        check(sql, dialect, schema)
    return caught.value.rule


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_people_ask_for_passes(dialect: str) -> None:
    for statement in statements(HERE / "harmless" / f"{dialect}.txt"):
        written = check(statement.sql, dialect, shop(dialect))
        assert check(written, dialect, shop(dialect)) == written


def test_what_runs_answers_what_the_original_answered(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "shop.db")
    connection.executescript((HERE / "harmless" / "shop.sql").read_text("utf-8"))
    for statement in statements(HERE / "harmless" / "sqlite.txt"):
        written = check(statement.sql, "sqlite", shop("sqlite"))
        assert connection.execute(written).fetchall() == connection.execute(statement.sql).fetchall(), written
    connection.close()


def test_what_runs_answers_what_the_original_answered_in_duckdb() -> None:
    import duckdb

    connection = duckdb.connect(config={"threads": 1})
    connection.execute((HERE / "harmless" / "shop.sql").read_text("utf-8"))
    for statement in statements(HERE / "harmless" / "duckdb.txt"):
        written = check(statement.sql, "duckdb", shop("duckdb"))
        assert connection.execute(written).fetchall() == connection.execute(statement.sql).fetchall(), written
    connection.close()


def test_the_error_says_what_was_refused_and_is_an_error_of_the_source() -> None:
    with pytest.raises(DataSourceError) as caught:
        check("SELECT pg_sleep(3600)", "postgres")
    assert caught.value.message == ("The statement was not run: pg_sleep is not among the functions kbtui lets run.")
    assert caught.value.hint


def test_the_error_is_safe_to_print() -> None:
    with pytest.raises(SqlRefused) as caught:
        check('SELECT "x[31m' + "y" * 500 + '"(1)', "sqlite")
    assert len(caught.value.message) < 200


def test_a_part_of_the_statement_may_be_read_like_a_table() -> None:
    sql = "WITH big AS (SELECT * FROM Orders) SELECT * FROM big JOIN customers c ON c.id = big.customer_id"
    check(sql, "sqlite", shop("sqlite"))


@pytest.mark.parametrize(
    "sql",
    [
        "WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a",
        "WITH b AS (SELECT * FROM b) SELECT * FROM b",
        "SELECT * FROM (WITH b AS (SELECT 1) SELECT * FROM b) q, b",
        "SELECT * FROM orders WHERE id IN (WITH b AS (SELECT 1) SELECT * FROM b) AND id IN (SELECT 1 FROM b)",
    ],
)
def test_a_name_counts_as_the_statements_own_only_where_it_is_defined(sql: str) -> None:
    assert rule(sql, "sqlite", shop("sqlite")) == "unknown_table"


def test_a_part_may_be_seen_from_deep_inside_and_by_itself_when_recursive() -> None:
    check("WITH b AS (SELECT 1 AS x) SELECT (SELECT x FROM b) FROM orders", "sqlite", shop("sqlite"))
    check("WITH RECURSIVE b AS (SELECT 1 AS x UNION SELECT x FROM b) SELECT x FROM b", "sqlite", shop("sqlite"))


def test_tables_with_a_schema_are_known_by_their_whole_name() -> None:
    schema = Schema(source="s", dialect="postgres", level="basic", tables=(Table(name="sales.orders"),))
    check("SELECT sales.orders.id FROM sales.orders", "postgres", schema)
    assert rule("SELECT * FROM orders", "postgres", schema) == "unknown_table"
    assert rule("SELECT * FROM other.orders", "postgres", schema) == "unknown_table"


def test_a_table_with_an_odd_name_can_be_read_where_the_source_has_it() -> None:
    schema = Schema(source="s", dialect="duckdb", level="basic", tables=(Table(name="sales 2025.csv"),))
    check('SELECT * FROM "sales 2025.csv"', "duckdb", schema)
    assert rule('SELECT * FROM "sales 2025.csv"', "duckdb") == "unknown_table"


def test_hidden_and_control_characters_are_refused_and_other_scripts_are_not() -> None:
    assert rule("SELECT 1\u200b") == "text"
    assert rule("SELECT 'a\x1b[31m'") == "text"
    check("SELECT '张伟', 'Zoë', '👍'\r\nFROM orders", "sqlite")


def test_what_is_long_or_deep_is_refused_at_once() -> None:
    assert rule("SELECT " + "(" * 100 + "1" + ")" * 100) == "size"
    assert rule("SELECT " + " ".join(["CASE WHEN 1 THEN"] * 100) + " 1 " + "END " * 100) == "size"
    assert rule("SELECT " + "- " * 3000 + "1") == "size"
    assert rule("SELECT " + "1 + " * 5000 + "1") == "size"
    assert rule("SELECT '" + "x" * 60_000 + "'") == "size"
    assert rule("SELECT '" + "x" * 30_000 + "'") == "bomb"
    assert rule("SELECT 1" + " UNION SELECT 1" * 2500) == "size"


def test_a_list_of_many_values_passes() -> None:
    values = ", ".join(map(str, range(1000)))
    check(f"SELECT * FROM orders WHERE id IN ({values})", "sqlite")


def test_only_what_was_checked_is_remembered_and_by_dialect_and_tables() -> None:
    first = check("SELECT  1 FROM orders", "sqlite", shop("sqlite"))
    assert check("SELECT  1 FROM orders", "sqlite", shop("sqlite")) is first
    empty = Schema(source="s", dialect="sqlite", level="basic")
    assert rule("SELECT  1 FROM orders", "sqlite", empty) == "unknown_table"
    for number in range(guard._CACHED_CHECKS + 10):
        check(f"SELECT {number}", "sqlite")
    assert guard._check.cache_info().currsize <= guard._CACHED_CHECKS


def test_engines_without_lists_of_their_own_may_use_what_all_have() -> None:
    check("SELECT lower(name), count(*) FROM hive.sales GROUP BY 1", "snowflake")
    assert rule("SELECT * FROM information_schema.tables", "snowflake") == "system_table"
    assert rule("SELECT no_such_function(1)", "snowflake") == "function"
    assert rule("SELECT 1", "klingon") == "dialect"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_listed_function_can_be_written(dialect: str) -> None:
    """A name in the lists that the parser turns into something not listed would be refused, and nobody would know."""
    import tomllib
    from itertools import product

    arguments = ("", "a", "a, b", "a, b, c", "'day', a, b", "DAY, a, b", "a, INTERVAL '1' DAY", "'%d', a", "a, 3", "3",
                 "a, 3, 'x'", "a AS CHAR", "DAY FROM a", "a IN b", "'{}', a", "'x'", "a, b, 0, 1")  # fmt: skip
    read = tomllib.loads((Path(guard.__file__).parent / "guard_functions.toml").read_text("utf-8"))
    names = (read["common"]["names"] + read[dialect]["names"]).split()
    assert sorted(name for name in names if name not in lists_of(dialect).functions) == []
    left = set(names)
    for name, given in product(names, arguments):
        if name in left:
            try:
                check(f"SELECT {name}({given}) FROM t", dialect)
            except SqlRefused:
                continue
            left.discard(name)
    assert sorted(left) == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_nonsense_is_refused_or_passes_and_never_breaks_anything(dialect: str) -> None:
    """Statements cut, joined and scattered with signs: each is refused, or what is written passes unchanged."""
    chance = random.Random(11)
    found = [*statements(HERE / "harmless" / f"{dialect}.txt"), *statements(HERE / "attacks" / f"{dialect}.txt")]
    signs = [
        "'",
        '"',
        "`",
        "(",
        ")",
        ";",
        "--",
        "/*",
        "*/",
        "\\",
        "$$",
        "@",
        "::",
        "[",
        "]",
        "{",
        " AS ",
        " FROM ",
        "\n",
    ]
    for _ in range(600):
        one, other = chance.choice(found).sql, chance.choice(found).sql
        text = one[: chance.randrange(len(one) + 1)] + chance.choice(signs) + other[chance.randrange(len(other) + 1) :]
        try:
            written = check(text, dialect, shop(dialect))
        except SqlRefused:
            continue
        assert check(written, dialect, shop(dialect)) == written


def test_spark_replaces_no_settings_in_what_runs() -> None:
    assert rule("SELECT '${env:HOME}'", "spark") == "string"
    # The escape is gone once the text is written anew.
    assert rule(r"SELECT '$\{env:HOME}'", "spark") == "string"
    check("SELECT '${env:HOME}'", "postgres")


def test_a_file_format_before_a_name_is_no_schema_unless_the_source_has_it() -> None:
    assert rule("SELECT * FROM text.notes", "spark") == "unknown_table"
    schema = Schema(source="s", dialect="spark", level="basic", tables=(Table(name="text.notes"),))
    check("SELECT * FROM text.notes", "spark", schema)
    check("SELECT * FROM text.notes", "postgres")
