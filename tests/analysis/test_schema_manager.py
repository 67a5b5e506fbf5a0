"""Structures are read once, kept, forgotten in time, and never believed after they have changed."""

from __future__ import annotations

import logging
import stat
import threading
from pathlib import Path

import pytest

from kbtui.analysis.schema_manager import MAX_WHOLE_TABLES, TTL, SchemaManager
from kbtui.domain.analysis import Schema, Table
from kbtui.errors import DataSourceError
from tests.analysis.shop import Clock, CountingSource, change, shop_source


@pytest.fixture
def source(tmp_path: Path) -> CountingSource:
    return shop_source(tmp_path)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def manager(source: CountingSource, folder: Path, clock: Clock, **more: object) -> SchemaManager:
    return SchemaManager({source.name: source}, folder / "schemas", clock, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("call", ["get_schema_level", "getSchemaLevel"])
def test_a_consultation_needs_names_and_a_query_needs_columns(
    source: CountingSource, tmp_path: Path, call: str
) -> None:
    level = getattr(manager(source, tmp_path, Clock()), call)
    assert [level(one) for one in ("consultation", "data_query", "visualization", "multi_step_analysis")] == [
        "basic",
        "detailed",
        "detailed",
        "detailed",
    ]


def test_ten_questions_read_each_level_once(source: CountingSource, tmp_path: Path, clock: Clock) -> None:
    schemas = manager(source, tmp_path, clock)
    for _ in range(10):
        schemas.get("shop", "detailed", schemas.tables_for_question("shop", "how many orders?"))
    assert [level for level, _ in source.schema_calls] == ["basic", "detailed"]
    assert source.schema_calls[1][1] == ("customers", "orders")
    assert schemas.hits == 9


def test_what_was_kept_says_so_and_is_otherwise_the_same(source: CountingSource, tmp_path: Path, clock: Clock) -> None:
    schemas = manager(source, tmp_path, clock)
    first, second = schemas.get("shop", "detailed"), schemas.get("shop", "detailed")
    assert (first.cached, second.cached) == (False, True)
    assert first.tables == second.tables


def test_the_next_start_of_the_program_asks_nothing(source: CountingSource, tmp_path: Path, clock: Clock) -> None:
    before = manager(source, tmp_path, clock)
    first = before.get("shop", "detailed")
    later = manager(source, tmp_path, clock)
    second = later.get("shop", "detailed")
    assert second.cached
    assert second.tables == first.tables
    assert len(source.schema_calls) == 1


def test_a_structure_is_believed_for_thirty_minutes(source: CountingSource, tmp_path: Path, clock: Clock) -> None:
    assert TTL.total_seconds() == 30 * 60
    schemas = manager(source, tmp_path, clock)
    schemas.get("shop", "basic")
    clock.move(minutes=29, seconds=59)
    assert schemas.get("shop", "basic").cached
    clock.move(seconds=1)
    assert not schemas.get("shop", "basic").cached


def test_a_new_table_is_there_at_the_next_question(source: CountingSource, tmp_path: Path, clock: Clock) -> None:
    schemas = manager(source, tmp_path, clock)
    schemas.get("shop", "basic")
    schemas.get("shop", "detailed")
    change(tmp_path / "shop.db", "CREATE TABLE refunds (id INTEGER, amount REAL)")
    assert schemas.tables_for_question("shop", "refunds") == ("customers", "orders", "refunds")
    assert schemas.get("shop", "detailed").table("refunds") is not None


def test_the_two_levels_are_kept_apart(source: CountingSource, tmp_path: Path, clock: Clock) -> None:
    schemas = manager(source, tmp_path, clock)
    schemas.get("shop", "detailed")
    basic = schemas.get("shop", "basic")
    assert not basic.cached
    assert all(not table.columns for table in basic.tables)


def test_only_tables_not_yet_known_are_read_and_all_in_one_call(
    source: CountingSource, tmp_path: Path, clock: Clock
) -> None:
    schemas = manager(source, tmp_path, clock)
    schemas.get("shop", "detailed", ["orders"])
    both = schemas.get("shop", "detailed", ["CUSTOMERS", "orders", "orders"])
    assert [table.name for table in both.tables] == ["customers", "orders"]
    assert source.schema_calls == [("detailed", ("orders",)), ("detailed", ("CUSTOMERS",))]


def test_a_table_or_source_that_is_not_there_is_named(source: CountingSource, tmp_path: Path, clock: Clock) -> None:
    schemas = manager(source, tmp_path, clock)
    schemas.get("shop", "detailed")
    with pytest.raises(DataSourceError, match="no table parcels"):
        schemas.get("shop", "detailed", ["parcels"])
    with pytest.raises(DataSourceError, match="no source of data named depot"):
        schemas.get("depot", "basic")


def test_refreshing_asks_the_source_again(source: CountingSource, tmp_path: Path, clock: Clock) -> None:
    schemas = manager(source, tmp_path, clock)
    schemas.get("shop", "basic")
    schemas.refresh("shop")
    assert not schemas.get("shop", "basic").cached
    assert not manager(source, tmp_path, clock).get("shop", "detailed").cached


def test_sources_of_one_name_in_two_places_are_two(source: CountingSource, tmp_path: Path, clock: Clock) -> None:
    manager(source, tmp_path, clock, locations={"shop": "here"}).get("shop", "basic")
    assert not manager(source, tmp_path, clock, locations={"shop": "there"}).get("shop", "basic").cached


def test_hits_are_logged_without_a_value(
    source: CountingSource, tmp_path: Path, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    schemas = manager(source, tmp_path, clock)
    with caplog.at_level(logging.INFO, "kbtui.schema"):
        schemas.get("shop", "detailed")
        assert not caplog.messages
        schemas.get("shop", "detailed")
    assert caplog.messages == ["schema cache hit: source=shop level=detailed hits=1"]


def test_the_folder_is_for_its_owner_alone(source: CountingSource, tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "schemas").mkdir(mode=0o755)
    manager(source, tmp_path, clock).get("shop", "basic")
    assert stat.S_IMODE((tmp_path / "schemas").stat().st_mode) == 0o700


@pytest.mark.parametrize("spoil", ["file", "entry"])
def test_a_cache_that_cannot_be_used_costs_nothing_but_time(
    source: CountingSource, tmp_path: Path, clock: Clock, spoil: str
) -> None:
    if spoil == "file":
        (tmp_path / "schemas").write_text("in the way")
    else:
        manager(source, tmp_path, clock).get("shop", "basic")
        for file in (tmp_path / "schemas").iterdir():
            file.write_text('{"at": "yesterday", "schema": 3}')
    schema = manager(source, tmp_path, clock).get("shop", "basic")
    assert [table.name for table in schema.tables] == ["customers", "orders"]


def test_two_threads_read_once(source: CountingSource, tmp_path: Path, clock: Clock) -> None:
    schemas = manager(source, tmp_path, clock)
    threads = [threading.Thread(target=schemas.get, args=("shop", "detailed")) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(source.schema_calls) == 1


def basic_of(*names: str) -> Schema:
    tables = tuple(Table(name=name, row_estimate=position) for position, name in enumerate(names))
    return Schema(source="big", dialect="sqlite", level="basic", tables=tables)


@pytest.mark.parametrize(
    ("question", "terms", "found"),
    [
        ("Which customers placed the most orders?", (), {"tblCustomer", "CustomerOrders"}),
        ("how many categories are there", (), {"product_category"}),
        ("各门店有多少员工？", (), {"门店_员工"}),
        ("客户有多少？", ("customer",), {"tblCustomer"}),
    ],
)
def test_of_a_thousand_tables_those_are_read_that_the_question_names(
    source: CountingSource, tmp_path: Path, question: str, terms: tuple[str, ...], found: set[str]
) -> None:
    names = [f"x{number}_y{number}" for number in range(1000)]
    basic = basic_of(*names, "tblCustomer", "CustomerOrders", "product_category", "门店_员工")
    relevant = manager(source, tmp_path, Clock()).relevant(question, basic, terms)
    assert found <= set(relevant[:3])
    assert len(relevant) < MAX_WHOLE_TABLES


def test_where_a_question_names_no_table_the_largest_are_read(source: CountingSource, tmp_path: Path) -> None:
    basic = basic_of(*(f"t{number}" for number in range(100)))
    relevant = manager(source, tmp_path, Clock()).relevant("what is the mean height?", basic)
    assert relevant[0] == "t99"
    assert len(relevant) == 40


def test_the_question_before_names_tables_only_where_this_one_names_none(
    source: CountingSource, tmp_path: Path
) -> None:
    basic, schemas = basic_of("orders", "beds", "plants"), manager(source, tmp_path, Clock())
    assert schemas.relevant("how many plants?", basic, otherwise="orders by month") == ("plants",)
    assert schemas.relevant("and in May?", basic, otherwise="orders by month") == ("orders",)


def test_what_was_last_seen_asks_the_source_nothing(source: CountingSource, tmp_path: Path, clock: Clock) -> None:
    schemas = manager(source, tmp_path, clock)
    assert schemas.last_seen("shop") is None
    seen = schemas.peek("shop", "basic")
    assert schemas.last_seen("shop") == seen
    assert source.schema_calls == [("basic", None)]
