"""``kbtui config`` and ``kbtui sources``."""

from __future__ import annotations

import json
import sqlite3
import tomllib
from pathlib import Path

import pytest

from kbtui.cli.source_probe import describe
from kbtui.errors import DataSourceError
from kbtui.settings import paths
from kbtui.settings.sources import parse_entry
from tests.cli.conftest import Invoke


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "sales.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE a (x)")
        connection.execute("CREATE TABLE b (x)")
    connection.close()
    return path


def test_show_says_where_each_value_came_from(invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths.folder_file(tmp_path).write_text("[index]\nhidden = true\n[web]\nfetch_enabled = true\n")
    monkeypatch.setenv("KB_AGENT_MAX_ITERATIONS", "2")
    done = invoke("config", "show", "--json", "--kb", str(tmp_path))
    rows = {row["key"]: row for row in map(json.loads, done.stdout.strip().split("\n"))}
    assert rows["index.hidden"] == {
        "key": "index.hidden",
        "value": True,
        "origin": "folder",
        "where": str(tmp_path / ".kbtui.toml"),
    }
    assert rows["agent.max_iterations"]["where"] == "KB_AGENT_MAX_ITERATIONS"
    assert rows["web.fetch_enabled"]["value"] is False
    assert "may not set web.fetch_enabled" in done.stderr
    assert "environment variable KB_AGENT_MAX_ITERATIONS" in invoke("config", "show", "--kb", str(tmp_path)).stdout


def test_show_never_prints_a_password(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KBTUI_DATA_SOURCES", "shop=postgresql://me:hunter2@host/db")
    for args in (("config", "show"), ("config", "show", "--json"), ("sources", "list"), ("sources", "test")):
        done = invoke(*args)
        assert "hunter2" not in done.stdout + done.stderr, args


def test_init_writes_a_file_that_loads_and_is_never_overwritten(invoke: Invoke) -> None:
    assert (
        invoke("config", "init").stdout.strip() == invoke("config", "path").stdout.strip() == str(paths.config_file())
    )
    assert invoke("config", "show").exit_code == 0
    paths.config_file().write_text("# mine\n")
    done = invoke("config", "init")
    assert done.exit_code == 2
    assert "exists already" in done.stderr
    assert paths.config_file().read_text() == "# mine\n"


def test_a_source_is_tested_added_listed_and_removed(invoke: Invoke, database: Path) -> None:
    invoke("config", "init")
    assert invoke("sources", "add", str(database)).stdout == "sales\tSQLite, 2 tables\n"
    assert tomllib.loads(paths.config_file().read_text())["data_sources"] == [f"sales={database}"]
    assert "# Chat model" in paths.config_file().read_text(), "comments stay"
    assert invoke("sources", "list").stdout == f"sales\t{database}\n"
    assert invoke("sources", "test").stdout == "sales\tSQLite, 2 tables\n"
    assert invoke("sources", "test", "sales", "--json").stdout.startswith('{"name": "sales", "ok": true')
    assert invoke("sources", "add", str(database)).exit_code == 1
    assert invoke("sources", "remove", "sale").exit_code == 1
    assert invoke("sources", "remove", "sales").exit_code == 0
    assert invoke("sources", "list").stdout == ""


def test_a_source_that_cannot_be_opened_is_not_added(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "x.db").write_text("this is no database, whatever its name says")
    done = invoke("sources", "add", str(tmp_path / "x.db"))
    assert done.exit_code == 1
    assert "not a database" in done.stderr
    assert not paths.config_file().exists()


def test_what_a_variable_adds_is_not_written_into_the_file(
    invoke: Invoke, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KBTUI_DATA_SOURCES", "other=/nowhere.db")
    assert invoke("sources", "add", str(database)).exit_code == 0
    assert tomllib.loads(paths.config_file().read_text())["data_sources"] == [f"sales={database}"]


def test_a_test_fails_when_one_source_fails(invoke: Invoke, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KBTUI_DATA_SOURCES", json.dumps([f"good={database}", "bad=/nowhere/x.db"]))
    done = invoke("sources", "test")
    assert done.exit_code == 1
    assert "good\tSQLite" in done.stdout
    assert "bad: There is no file" in done.stderr


@pytest.mark.parametrize(
    ("name", "content", "holds"),
    [
        ("a.csv", b"x,y\n1,2\n", "CSV, 1 row"),
        ("a.csv", b"", "is empty"),
        ("a.jsonl", b"\x00\x01", "no text file"),
        ("a.xlsx", b"PK", "no Excel workbook"),
        ("a.parquet", b"PAR1", "no Parquet file"),
        ("a.sqlite", b"", "SQLite, 0 tables"),
        ("a.txt", b"x", "no kind of data"),
    ],
)
def test_each_kind_is_looked_into(name: str, content: bytes, holds: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    try:
        said = describe(parse_entry(str(tmp_path / name)))
    except DataSourceError as error:
        said = error.message if error.hint else "no hint"
    assert holds in said


@pytest.mark.parametrize("url", ["nonsense://x", "sqlite:////nowhere/x.db", "postgresql+psycopg2://u:hunter2@h/db"])
def test_a_url_that_leads_nowhere_is_an_error_that_shows_no_password(url: str) -> None:
    with pytest.raises(DataSourceError) as caught:
        describe(parse_entry(url))
    assert "hunter2" not in str(caught.value)
    assert caught.value.hint


def test_testing_a_sqlite_url_makes_no_file(tmp_path: Path, database: Path) -> None:
    with pytest.raises(DataSourceError):
        describe(parse_entry(f"sqlite:///{tmp_path}/absent.db"))
    assert not (tmp_path / "absent.db").exists()
    assert describe(parse_entry(f"sqlite:///{database}")) == "SQLite, 2 tables"
