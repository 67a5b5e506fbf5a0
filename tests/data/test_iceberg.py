"""Tables of Iceberg made by its own client: which files are the table, and what of it is read."""

from __future__ import annotations

import json
import sys
from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kbtui.data.datasets import DatasetSource
from kbtui.data.iceberg import newest_metadata
from kbtui.domain.analysis import Limits
from kbtui.domain.ports import CancelToken
from kbtui.errors import DataSourceError

pytest.importorskip("pyiceberg", reason="the extra kbtui[iceberg] is not installed")


def table_in(folder: Path) -> object:
    """Sales of a year in folders by city, written by quarters."""
    from pyiceberg.catalog.sql import SqlCatalog
    from pyiceberg.transforms import IdentityTransform

    catalog = SqlCatalog("shop", uri=f"sqlite:///{folder / 'catalogue.db'}", warehouse=f"file://{folder / 'lake'}")
    catalog.create_namespace("shop")
    kinds = pa.schema([("id", pa.int64()), ("day", pa.date32()), ("city", pa.string()), ("amount", pa.float64())])
    table = catalog.create_table("shop.sales", schema=kinds)
    with table.update_spec() as change:
        change.add_field("city", IdentityTransform(), "city")
    for quarter in range(4):
        rows = [
            {"id": number, "day": date(2025, 3 * quarter + 1, number % 28 + 1), "city": city, "amount": 1.5 * number}
            for number, city in enumerate(["Paris", "Rome"] * 50)
        ]
        table.append(pa.Table.from_pylist(rows, schema=kinds))
    return table


def opened(folder: Path) -> DatasetSource:
    return DatasetSource("lake", str(folder / "lake"), folder / "cache")


def rows(source: DatasetSource, sql: str) -> list[tuple[object, ...]]:
    return list(source.run(sql, Limits(), CancelToken()).rows)


def test_a_table_has_the_rows_of_its_newest_metadata(tmp_path: Path) -> None:
    table = table_in(tmp_path)
    source = opened(tmp_path)
    sales = source.schema("detailed").tables[0]
    assert (sales.name, sales.row_estimate) == ("shop_sales", 400)
    assert [(column.name, column.kind) for column in sales.columns] == [
        *(("id", "integer"), ("day", "date"), ("city", "text"), ("amount", "number")),
    ]
    table.delete("city = 'Rome'")  # type: ignore[attr-defined]
    source.close()
    assert rows(source, "SELECT city, count(*) FROM shop_sales GROUP BY city") == [("Paris", 200)]
    source.close()


def test_files_that_the_metadata_rule_out_are_not_read(tmp_path: Path) -> None:
    table_in(tmp_path)
    source = opened(tmp_path)
    files = list((tmp_path / "lake").rglob("*.parquet"))
    for path in files:
        if pq.read_table(path, columns=["day"])["day"][0].as_py() < date(2025, 4, 1) or "city=Rome" in str(path):
            path.write_bytes(b"PAR1 no longer")
    asked = "SELECT count(*), min(day) FROM shop_sales WHERE city = 'Paris' AND day >= DATE '2025-04-01'"
    assert rows(source, asked) == [(150, "2025-04-01")]
    with pytest.raises(DataSourceError, match="cannot be read"):
        rows(source, "SELECT count(amount) FROM shop_sales")


def test_a_table_may_have_been_copied_and_names_no_file_outside_of_it(tmp_path: Path) -> None:
    table_in(tmp_path)
    (tmp_path / "lake").rename(tmp_path / "moved")
    (tmp_path / "lake").symlink_to(tmp_path / "nothing")
    source = DatasetSource("moved", str(tmp_path / "moved"), tmp_path)
    assert rows(source, "SELECT count(*) FROM shop_sales") == [(400,)]
    source.close()
    newest = newest_metadata(path.relative_to(tmp_path).as_posix() for path in (tmp_path / "moved").rglob("*.json"))
    path = tmp_path / newest["moved/shop/sales"]
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, "location": f"{content['location']}/elsewhere"}))
    with pytest.raises(DataSourceError, match="a file outside of it") as caught:
        source.schema("basic")
    assert caught.value.hint
    path.write_text("{}")
    with pytest.raises(DataSourceError, match="cannot be read"):
        source.schema("basic")


def test_a_column_may_come_later_and_not_have_another_name(tmp_path: Path) -> None:
    from pyiceberg.types import StringType

    table = table_in(tmp_path)
    source = opened(tmp_path)
    with table.update_schema() as change:  # type: ignore[attr-defined]
        change.add_column("note", StringType())
    assert rows(source, "SELECT count(*), count(note) FROM shop_sales") == [(400, 0)]
    source.close()
    with table.update_schema() as change:  # type: ignore[attr-defined]
        change.rename_column("amount", "total")
    with pytest.raises(DataSourceError, match="renamed or replaced") as caught:
        source.schema("basic")
    assert caught.value.hint


def test_without_its_client_a_table_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table_in(tmp_path)
    monkeypatch.setitem(sys.modules, "pyiceberg.table", None)
    with pytest.raises(DataSourceError, match="not installed") as caught:
        opened(tmp_path).schema("basic")
    assert "kbtui[iceberg]" in caught.value.hint


def test_the_newest_metadata_have_the_highest_number() -> None:
    paths = [
        "a/metadata/00009-x.metadata.json",
        "a/metadata/00010-b.metadata.json",
        "metadata/v2.metadata.json",
        "a/b.json",
    ]
    assert newest_metadata(paths) == {"a": "a/metadata/00010-b.metadata.json", "": "metadata/v2.metadata.json"}
