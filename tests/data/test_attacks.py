"""Statements that try to do harm: none passes both layers, and each layer alone keeps files and rows as they are."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from kbtui.data.guard import check
from kbtui.data.sources import open_source
from kbtui.domain.analysis import Limits, QuerySource, Schema, Table
from kbtui.domain.ports import CancelToken
from kbtui.errors import KbtuiError, SqlRefused
from kbtui.settings.sources import DataSource
from tests.support.databases import PASSWORD, MariaDb, Postgres, missing, running
from tests.support.statements import Statement, statements

HERE = Path(__file__).parent
DIALECTS = ("sqlite", "duckdb", "postgres", "mysql", "spark", "trino")
SHOP = [
    *(part for part in (HERE / "harmless" / "shop.sql").read_text("utf-8").split(";\n") if part.strip()),
    "CREATE TABLE vault (code INTEGER)",
    "INSERT INTO vault VALUES (4711)",
]
ROWS = "SELECT (SELECT count(*) FROM orders), (SELECT sum(total) FROM orders), (SELECT count(*) FROM customers)"
State = Callable[[], Any]

pytestmark = pytest.mark.xdist_group("servers")


def attacks(dialect: str) -> list[Statement]:
    return statements(HERE / "attacks" / f"{dialect}.txt")


def shop(dialect: str) -> Schema:
    tables = (Table(name="orders"), Table(name="customers"))
    return Schema(source="shop", dialect=dialect, level="basic", tables=tables)


def digest(folder: Path) -> dict[str, str]:
    """What the files of a folder hold; a database's own side files come and go with readers."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(("-wal", "-shm", "-journal", ".wal"))
    }


def test_there_are_hundreds_and_each_is_there_once() -> None:
    found = [(dialect, statement.sql) for dialect in DIALECTS for statement in attacks(dialect)]
    assert len(found) == len(set(found)) >= 500


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_guard_alone_refuses_every_attack(dialect: str, tmp_path: Path) -> None:
    passed = []
    for statement in attacks(dialect):
        with suppress(SqlRefused):
            passed.append(check(statement.at(tmp_path / "loot"), dialect, shop(dialect)))
    assert passed == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_without_a_schema_the_guard_still_refuses_whatever_writes_or_leaves_the_data(
    dialect: str, tmp_path: Path
) -> None:
    passed = []
    for statement in attacks(dialect):
        if statement.tries in ("write", "file", "settings", "bomb"):
            with suppress(SqlRefused):
                passed.append(check(statement.at(tmp_path / "loot"), dialect))
    # A table of another name is no harm where nobody said which there are.
    assert [sql for sql in passed if sql != "SELECT * FROM sqlar_uncompress"] == []


def attack(source: QuerySource, dialect: str, loot: Path, state: State) -> None:
    """Try every attack on a source whose guard is off; ``state`` must stay what it was."""
    before = state()
    for statement in attacks(dialect):
        if statement.tries == "bomb":
            # They change nothing: they meet the limits of memory and time.
            continue
        seconds = 0.05 if "sleep" in statement.sql.lower() else 0.3
        with suppress(KbtuiError):
            source.run(statement.at(loot), Limits(rows=100, seconds=seconds), CancelToken())
        assert state() == before, statement.sql
    assert not loot.exists()


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    folder = tmp_path / "canary"
    folder.mkdir()
    (folder / "bird").write_text("sings")
    return folder


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_the_engine_alone_lets_no_row_and_no_file_change(dialect: str, tmp_path: Path, canary: Path) -> None:
    path = canary / f"shop.{'db' if dialect == 'sqlite' else 'duckdb'}"
    fill(path)
    with closing(open_source(DataSource(name="shop", location=str(path)))) as source:
        assert source.run(ROWS, Limits(), CancelToken()).rows[0][0] == 4
        attack(source, dialect, canary / "loot", lambda: digest(canary))


def test_without_both_layers_an_attack_would_be_seen(canary: Path) -> None:
    path = canary / "shop.db"
    fill(path)
    before = digest(canary)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE orders SET total = 0")
        connection.commit()
        assert digest(canary) != before
        before = digest(canary)
        connection.execute(f"VACUUM INTO '{canary / 'loot'}'")
    assert digest(canary) != before


def fill(path: Path) -> None:
    if path.suffix == ".db":
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(";\n".join(SHOP))
        return
    import duckdb

    with closing(duckdb.connect(str(path))) as connection:
        for statement in SHOP:
            connection.execute(statement)


@pytest.fixture(params=[Postgres, MariaDb], ids=["postgres", "mysql"])
def server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Postgres | MariaDb]:
    if why := missing(request.param):
        pytest.skip(why)
    monkeypatch.setenv("SHOP_PASSWORD", PASSWORD)
    with running(request.param) as started:
        started.sql(*SHOP, "CREATE SEQUENCE s")
        if isinstance(started, Postgres):
            started.sql("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
        yield started


def test_a_server_alone_lets_no_row_and_no_file_change_and_answers_what_is_asked(
    server: Postgres | MariaDb, canary: Path
) -> None:
    dialect = "postgres" if isinstance(server, Postgres) else "mysql"
    # Whoever runs the server may write there.
    canary.chmod(0o777)
    for statement in statements(HERE / "harmless" / f"{dialect}.txt"):
        written = check(statement.sql, dialect, shop(dialect))
        assert server.sql(written) == server.sql(statement.sql), written
    for user in ("reader", "boss"):
        with closing(open_source(DataSource(name="shop", location=server.url(user)))) as source:
            assert source.run(ROWS, Limits(), CancelToken()).rows[0][0] == 4
            attack(source, dialect, canary / "loot", lambda: (server.sql(ROWS), digest(canary)))
