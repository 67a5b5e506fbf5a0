"""Data sources of other packages: guarded, bounded and cancelled like a database, and named when they fail."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from kbtui.bootstrap.sources import OpenedSources
from kbtui.data import plugin
from kbtui.data.guard import check
from kbtui.data.plugin import PluginSource, plugin_entry
from kbtui.data.sources import open_source
from kbtui.domain.analysis import Limits
from kbtui.domain.cancel import CancelToken
from kbtui.errors import Cancelled, DataSourceError, SqlRefused
from kbtui.settings.sources import DataSource
from tests.support.plugins import installed, write_package

LEDGER = """
import sqlite3, threading, time
from urllib.parse import urlsplit
from kbtui.domain.analysis import Column, ResultTable, Schema, Table
from kbtui.errors import DataSourceError

ran = []

class Ledger:
    dialect = "sqlite"

    def __init__(self, name, url):
        self.way = urlsplit(url).hostname
        if self.way == "refuses":
            raise DataSourceError("The ledger is closed.", "Open it.")
        self.connection = sqlite3.connect(":memory:", check_same_thread=False)
        self.connection.execute("CREATE TABLE berths (name TEXT, fee INTEGER)")
        self.connection.execute("INSERT INTO berths VALUES ('north', 40), ('south', 25)")

    def fingerprint(self):
        return "1"

    def schema(self, level, table_names=None):
        if self.way == "lies":
            return Schema(source=7, dialect="sqlite", level=level, tables=("berths",))
        fee = Column(name="fee", type="INTEGER", comment="In \\x1b[31mcrowns", samples=(b"x" * 99,))
        columns = (Column(name="name", type="TEXT"), fee) if level == "detailed" else ()
        tables = (Table(name="berths", columns=columns, comment="x" * 5000), Table(name="odd\\x1bname"))
        return Schema(source="other", dialect="mysql", level=level, tables=tables, fingerprint="1")

    def run(self, sql, limits, cancel):
        ran.append(sql)
        if self.way == "hangs":
            time.sleep(1000)
        if self.way == "waits":
            while True:
                cancel.check()
                time.sleep(0.01)
        if self.way == "dies":
            raise SystemExit(7)
        if self.way == "tells":
            raise RuntimeError("ledger://me:hunter22secret@tells is away")
        if self.way == "odd":
            return [1, 2]
        if self.way == "uneven":
            return ResultTable(columns=("a", "b"), rows=((1,),))
        cursor = self.connection.execute(sql)
        columns = tuple(part[0] for part in cursor.description)
        if self.way == "floods":
            return ResultTable(columns=columns, rows=tuple(("\\x1b[2J" + "y" * 9000, object()) for _ in range(50_000)))
        return ResultTable(columns=columns, rows=tuple(cursor.fetchall()))

    def run_each(self, statements, limits, *, seconds, enough=0):
        raise NotImplementedError

    def explain(self, sql):
        self.connection.execute("EXPLAIN " + sql)

    def close(self):
        self.connection.close()
"""
SQL = "SELECT name, fee FROM berths ORDER BY fee"


@pytest.fixture(scope="module", autouse=True)
def packages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    site = tmp_path_factory.mktemp("site")
    group = {
        "ledger": "ledgers:Ledger",
        "sqlite": "ledgers:Ledger",
        "gone": "no_such_module:x",
        "bare": "ledgers:time.time",
    }
    write_package(site, "ledgers", LEDGER, {"kbtui.sources": group})
    with installed(site):
        yield


def opened(way: str = "plain", scheme: str = "ledger") -> PluginSource:
    source = open_source(DataSource(name="yard", location=f"{scheme}://me:hunter22secret@{way}/2026"), guard=check)
    assert isinstance(source, PluginSource)
    return source


def ask(source: PluginSource, sql: str = SQL, seconds: float = 20.0, rows: int = 100) -> list[tuple[object, ...]]:
    return list(source.run(sql, Limits(seconds=seconds, rows=rows), CancelToken()).rows)


def test_a_url_of_its_scheme_is_asked_as_any_source() -> None:
    source = opened()
    assert ask(source) == [("south", 25), ("north", 40)]
    assert source.dialect == "sqlite"
    tables = source.run_each([SQL, "SELECT tide FROM berths"], Limits(), seconds=9, enough=2)
    assert [table.row_count if table else None for table in tables] == [2, None]
    source.explain(SQL)
    with pytest.raises(DataSourceError, match="no such column"):
        source.explain("SELECT tide FROM berths")


def test_its_structure_is_checked_and_cleaned() -> None:
    schema = opened().schema("detailed")
    assert (schema.source, schema.dialect) == ("yard", "sqlite")
    (table,) = schema.tables
    assert len(table.comment) <= 1_000
    assert table.columns[1].kind == "integer"
    assert table.columns[1].comment == "In crowns"
    assert len(table.columns[1].samples[0]) < 50


def test_a_statement_passes_the_guard_before_the_package_sees_it() -> None:
    import ledgers  # type: ignore[import-not-found]

    source = opened()
    for sql in (
        "DELETE FROM berths",
        "SELECT 1; DROP TABLE berths",
        "PRAGMA database_list",
        "SELECT load_extension('x')",
    ):
        with pytest.raises(SqlRefused):
            ask(source, sql)
        with pytest.raises(SqlRefused):
            source.explain(sql)
        assert sql not in ledgers.ran


def test_schemes_of_kbtui_are_not_given_away_and_others_are_nobodys() -> None:
    assert plugin_entry("sqlite:////x.db") is None
    assert plugin_entry("LEDGER+driver://x") is not None
    assert plugin_entry("other://x") is None
    assert plugin_entry("ledger.csv") is None


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        ("dies", "yard: 7."),
        ("odd", "cannot be used: its result is no table"),
        ("uneven", "cannot be used: its rows have not as many cells"),
        ("refuses", "The ledger is closed."),
    ],
)
def test_what_goes_wrong_in_a_package_is_an_error_that_names_it(way: str, reason: str) -> None:
    with pytest.raises(DataSourceError) as error:
        ask(opened(way))
    assert reason in error.value.message
    with pytest.raises(DataSourceError, match="its structure cannot be read"):
        opened("lies").schema("basic")


def test_no_message_shows_the_password() -> None:
    with pytest.raises(DataSourceError) as error:
        ask(opened("tells"))
    assert "hunter22secret" not in str(error.value)


def test_a_package_that_cannot_be_loaded_or_says_no_dialect_is_named() -> None:
    for scheme, reason in (("gone", "No module named"), ("bare", "takes")):
        with pytest.raises(DataSourceError) as error:
            ask(opened(scheme=scheme))
        assert reason in error.value.message
        assert "ledgers-1.2" in str(error.value)


def test_rows_and_bytes_are_bounded_and_cleaned() -> None:
    table = opened("floods").run(SQL, Limits(rows=1_000), CancelToken())
    assert len(table.rows) == 1_000
    assert table.truncated
    assert "\x1b" not in table.rows[0][0]
    assert len(table.rows[0][0]) < 2_100
    assert opened("floods").run(SQL, Limits(bytes=100_000), CancelToken()).row_count < 100


@pytest.mark.parametrize("way", ["hangs", "waits"])
def test_a_statement_that_takes_too_long_is_stopped_and_the_source_goes_on(
    monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.setattr(plugin, "_GRACE_S", 0.1)
    source = opened(way)
    with pytest.raises(DataSourceError, match=r"did not answer within 0\.3 s"):
        ask(source, seconds=0.3)
    assert source.fingerprint() == "1"


def test_a_package_that_never_stops_is_asked_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin, "_GRACE_S", 0.05)
    source = opened("hangs")
    for _ in range(3):
        with pytest.raises(DataSourceError, match="did not answer"):
            ask(source, seconds=0.1)
    with pytest.raises(DataSourceError, match="it did not stop when it was told to"):
        ask(source)


def test_a_cancelled_run_stops_the_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin, "_GRACE_S", 0.1)
    cancel = CancelToken()
    threading.Timer(0.2, cancel.cancel).start()
    with pytest.raises(Cancelled):
        opened("waits").run(SQL, Limits(seconds=60), cancel)


def test_an_engine_asks_it_behind_its_catalogue_and_guard() -> None:
    sources = OpenedSources(["yard=ledger://plain"])
    assert sources.open_missing() == []
    assert sources.ask("yard", SQL) == (("south", 25), ("north", 40))
    with pytest.raises(SqlRefused):
        sources.ask("yard", "SELECT * FROM elsewhere")
    schema = sources.manager().peek("yard", "detailed")
    assert [table.name for table in schema.tables] == ["berths"]
