"""Folders of Parquet files, here and on object storage: which tables they are, and what is read of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from kbtui.data import isolated
from kbtui.data.datasets import DatasetSource
from kbtui.data.guard import check
from kbtui.data.sources import open_source
from kbtui.domain.analysis import Limits, QuerySource
from kbtui.domain.ports import CancelToken
from kbtui.errors import DataSourceError, KbtuiError, SourceNotFound, SqlRefused
from kbtui.settings.sources import DataSource, new_source, resolve
from tests.support.lake_storage import ENVIRONMENT, Storage, missing_storage, running_storage
from tests.support.statements import statements

ROWS = 20_000
HERE = Path(__file__).parent


def write_lake(folder: Path) -> Path:
    """Sales in folders by year and city, and customers in one file."""
    sales = pa.table(
        {
            "id": range(ROWS),
            "year": [2020 + number % 5 for number in range(ROWS)],
            "city": [("Paris", "Rome", "São Paulo")[number % 3] for number in range(ROWS)],
            "amount": [number * 1.5 for number in range(ROWS)],
            "note": [f"{number:032x}" for number in range(ROWS)],
        }
    )
    keys = pa.schema([("year", pa.int32()), ("city", pa.string())])
    ds.write_dataset(sales, folder / "sales", format="parquet", partitioning=ds.partitioning(keys, flavor="hive"))
    (folder / "customers").mkdir()
    pq.write_table(pa.table({"id": [1, 2], "name": ["Ada", "张伟"]}), folder / "customers" / "part-0.parquet")
    (folder / "customers" / "_SUCCESS").touch()
    return folder


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_lake(tmp_path_factory.mktemp("lake"))


def opened(location: object) -> QuerySource:
    return open_source(DataSource(name="lake", location=str(location)))


def rows(source: QuerySource, sql: str, seconds: float = 30.0) -> list[tuple[object, ...]]:
    return list(source.run(sql, Limits(seconds=seconds), CancelToken()).rows)


def test_folders_are_tables_and_folders_that_are_values_are_columns(lake: Path) -> None:
    with closing(opened(lake)) as source:
        customers, sales = source.schema("detailed").tables
        assert (customers.name, sales.name, sales.is_view, sales.row_estimate) == ("customers", "sales", False, ROWS)
        assert [(column.name, column.kind) for column in sales.columns] == [
            *(("id", "integer"), ("amount", "number"), ("note", "text"), ("year", "integer"), ("city", "text")),
        ]
        assert customers.columns[1].samples == ("Ada", "张伟")
        assert rows(source, "SELECT city, count(*) FROM sales WHERE year = 2021 GROUP BY city ORDER BY city") == [
            *(("Paris", 1333), ("Rome", 1334), ("São Paulo", 1333)),
        ]
        assert source.fingerprint() == source.schema("basic").fingerprint


def test_a_statement_reads_only_the_folders_that_its_conditions_name(lake: Path) -> None:
    damaged = [path for path in (lake / "sales").rglob("*.parquet") if "year=2024" in str(path)]
    whole = {path: path.read_bytes() for path in damaged}
    source = DatasetSource("lake", str(lake), lake / "cache")
    source.schema("basic")
    try:
        for path in damaged:
            path.write_bytes(b"PAR1 no longer")
        assert rows(source, "SELECT count(*) FROM sales WHERE year = 2023") == [(4000,)]
        with pytest.raises(DataSourceError, match="cannot be read"):
            rows(source, "SELECT sum(amount) FROM sales WHERE year = 2024")
    finally:
        for path, content in whole.items():
            path.write_bytes(content)
        source.close()


def test_files_of_one_folder_with_other_columns_are_a_table_each(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": [1], "city": ["Rome"]}), tmp_path / "customers 2024.parquet")
    pq.write_table(pa.table({"id": [1], "total": [2.5]}), tmp_path / "orders.parquet")
    with closing(opened(tmp_path)) as source:
        assert [table.name for table in source.schema("basic").tables] == ["customers_2024", "orders"]
        assert rows(source, "SELECT c.city, o.total FROM customers_2024 c JOIN orders o USING (id)") == [("Rome", 2.5)]


def test_parts_of_one_table_may_have_fewer_columns_or_narrower_types(tmp_path: Path) -> None:
    (tmp_path / "day=1").mkdir()
    (tmp_path / "day=2").mkdir()
    pq.write_table(pa.table({"id": [1], "total": [2]}), tmp_path / "day=1" / "a.parquet")
    pq.write_table(pa.table({"id": [2], "total": [2.5], "city": ["Rome"]}), tmp_path / "day=2" / "a.parquet")
    with closing(opened(tmp_path)) as source:
        name = source.schema("basic").tables[0].name
        assert rows(source, f'SELECT id, total, city, day FROM "{name}" ORDER BY id') == [
            *((1, 2, None, 1), (2, 2.5, "Rome", 2)),
        ]
    other = tmp_path / "other"
    for number, value in ((1, 1), (2, "one")):
        (other / f"day={number}").mkdir(parents=True)
        pq.write_table(pa.table({"id": [value]}), other / f"day={number}" / "a.parquet")
    with closing(opened(other)) as source, pytest.raises(DataSourceError, match="do not go together") as caught:
        source.schema("basic")
    assert caught.value.hint


def test_files_that_came_later_are_seen_when_the_folder_is_listed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kbtui.data.datasets._LISTING_TTL_S", 0.0)
    monkeypatch.setattr("kbtui.data.datasets._LISTING_TTL_FACTOR", 0)
    pq.write_table(pa.table({"id": [1]}), tmp_path / "part-0.parquet")
    source = DatasetSource("lake", str(tmp_path), tmp_path)
    first = source.fingerprint()
    pq.write_table(pa.table({"id": [2, 3]}), tmp_path / "part-1.parquet")
    name = source.schema("basic").tables[0].name
    assert (rows(source, f'SELECT count(*) FROM "{name}"'), source.fingerprint()) == ([(3,)], first)
    pq.write_table(pa.table({"id": [4], "more": ["x"]}), tmp_path / "part-0.parquet")
    pq.write_table(pa.table({"id": [4], "more": ["x"]}), tmp_path / "part-1.parquet")
    assert source.fingerprint() != first
    source.close()


def test_links_are_not_followed_and_tables_of_other_kinds_are_named(tmp_path: Path, lake: Path) -> None:
    (tmp_path / "loot.parquet").symlink_to(lake / "customers" / "part-0.parquet")
    with closing(opened(tmp_path)) as source, pytest.raises(DataSourceError, match="no Parquet files"):
        source.schema("basic")
    pq.write_table(pa.table({"id": [1]}), tmp_path / "part-0.parquet")
    (tmp_path / "_delta_log").mkdir()
    (tmp_path / "_delta_log" / "0.json").touch()
    with closing(opened(tmp_path)) as source, pytest.raises(DataSourceError, match="Delta Lake") as caught:
        source.schema("basic")
    assert "sc://" in caught.value.hint


def test_broken_files_are_an_error_of_the_source(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"PAR1 nothing PAR1")
    with closing(opened(tmp_path)) as source, pytest.raises(DataSourceError, match="cannot be read") as caught:
        source.schema("basic")
    assert caught.value.hint


def test_a_folder_is_a_source_where_it_holds_parquet_files(lake: Path, tmp_path: Path) -> None:
    assert resolve(str(lake), []).location == str(lake)
    assert new_source(str(lake), None, []).name == lake.name
    (tmp_path / "notes.md").touch()
    with pytest.raises(SourceNotFound, match="without Parquet files"):
        resolve(str(tmp_path), [])


def test_the_engine_alone_reaches_no_other_file(lake: Path, tmp_path: Path) -> None:
    before = sorted(lake.rglob("*"))
    with closing(opened(lake)) as source:
        for statement in statements(HERE / "attacks" / "duckdb.txt"):
            if statement.tries == "file":
                with pytest.raises(KbtuiError):
                    rows(source, statement.at(tmp_path / "loot"), seconds=0.5)
    assert sorted(lake.rglob("*")) == before
    assert not (tmp_path / "loot").exists()


def test_a_statement_that_takes_too_long_is_stopped_and_the_next_one_runs(lake: Path) -> None:
    with closing(opened(lake)) as source:
        with pytest.raises(DataSourceError, match=r"within 0\.5 s"):
            rows(source, "SELECT count(*) FROM sales a, sales b, sales c, sales d", seconds=0.5)
        assert rows(source, "SELECT count(*) FROM customers") == [(2,)]


@pytest.fixture(scope="module")
def storage(lake: Path) -> Iterator[tuple[Storage, int]]:
    if why := missing_storage():
        pytest.skip(why)
    with running_storage() as started:
        yield started, started.put(lake)


@pytest.fixture
def keys(storage: tuple[Storage, int], monkeypatch: pytest.MonkeyPatch) -> Iterator[Storage]:
    """What the process knows that reads the storage; one that was started before knows other keys."""
    for name, value in {**ENVIRONMENT, "AWS_ENDPOINT_URL": storage[0].url}.items():
        monkeypatch.setenv(name, value)
    isolated._STORAGE.close()
    storage[0].read.clear()
    yield storage[0]
    isolated._STORAGE.close()


def test_storage_is_asked_where_it_is_and_only_what_is_needed_is_read(
    keys: Storage, storage: tuple[Storage, int]
) -> None:
    with closing(opened("s3://lake/")) as source:
        assert [table.name for table in source.schema("basic").tables] == ["customers", "sales"]
        keys.read.clear()
        assert rows(source, "SELECT city, sum(amount) FROM sales WHERE year = 2022 GROUP BY city ORDER BY city")[0] == (
            *("Paris", sum(1.5 * number for number in range(ROWS) if number % 5 == 2 and number % 3 == 0)),
        )
    assert keys.read and all("year=2022" in name for name in keys.read)
    # One year of five, without the longest column.
    assert sum(keys.read.values()) < storage[1] / 8


def test_what_the_guard_lets_through_runs_over_storage(keys: Storage) -> None:
    with closing(opened("s3://lake/sales")) as source:
        schema = source.schema("basic")
        sql = check("SELECT max(amount) FROM sales WHERE city = 'Rome'", source.dialect, schema)
        assert rows(source, sql) == [(1.5 * max(number for number in range(ROWS) if number % 3 == 1),)]
        with pytest.raises(SqlRefused):
            check("SELECT * FROM read_parquet('s3://lake/customers/part-0.parquet')", source.dialect, schema)


def test_what_is_wrong_with_storage_is_told(keys: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    for location, says in (
        ("s3://nowhere/x", "no bucket"),
        ("s3://lake/nothing", "no Parquet files"),
    ):
        with closing(opened(location)) as source, pytest.raises(DataSourceError, match=says) as caught:
            source.schema("basic")
        assert caught.value.hint
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    isolated._STORAGE.close()
    with closing(opened("s3://lake/sales")) as source, pytest.raises(DataSourceError, match="cannot be reached"):
        source.schema("basic")
