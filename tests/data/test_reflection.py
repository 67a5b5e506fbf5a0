"""What all engines share when their structure is read: names, kinds, sample values, cells."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from uuid import UUID

import pytest

from kbtui.data.reflection import column_of, quoted, select_tables
from kbtui.data.values import json_cell, kind_of, kind_of_samples
from kbtui.errors import DataSourceError


@pytest.mark.parametrize(
    ("type_name", "kind"),
    [
        ("INTEGER", "integer"),
        ("int(11) unsigned", "integer"),
        ("UNSIGNED BIG INT", "integer"),
        ("HUGEINT", "integer"),
        ("bigserial", "integer"),
        ("year(4)", "integer"),
        ("tinyint(1)", "boolean"),
        ("tinyint(4)", "integer"),
        ("BOOLEAN", "boolean"),
        ("DECIMAL(10,2)", "number"),
        ("double precision", "number"),
        ("money", "number"),
        ("NVARCHAR(160)", "text"),
        ("character varying(20)", "text"),
        ("longtext", "text"),
        ("enum('int','date')", "text"),
        ("ENUM('int[]', 'x')", "text"),
        ("uuid", "text"),
        ("time without time zone", "text"),
        ("date", "date"),
        ("timestamp with time zone", "datetime"),
        ("DATETIME", "datetime"),
        ("point", "other"),
        ("interval", "other"),
        ("INTEGER[]", "other"),
        ("STRUCT(a INTEGER, b DATE)", "other"),
        ("MAP(VARCHAR, INTEGER)", "other"),
        ("jsonb", "other"),
        ("longblob", "other"),
        ("", "other"),
    ],
)
def test_the_kind_of_a_column_is_told_by_how_its_type_begins(type_name: str, kind: str) -> None:
    assert kind_of(type_name) == kind


@pytest.mark.parametrize(
    ("samples", "declared", "kind"),
    [
        (("2025-01-02", "2024-12-31"), "text", "date"),
        (("2025-01-02 10:00", "2024-12-31T01:02:03"), "other", "datetime"),
        (("2025-01-02 10:00:00",), "date", "datetime"),
        (("31/12/2024",), "date", "text"),
        ((1735689600, 1735689601), "datetime", "integer"),
        (("2025", "2024"), "text", "text"),
        (("2025-13-45",), "text", "text"),
        ((1, 2.5), "other", "number"),
        ((1, 2), "other", "integer"),
        ((1, 2), "number", "number"),
        (("a", 1), "other", "other"),
        (("seven",), "integer", "text"),
        ((), "date", "date"),
        (("", " "), "text", "text"),
    ],
)
def test_values_decide_where_the_type_promises_little(samples: tuple[object, ...], declared: str, kind: str) -> None:
    assert kind_of_samples(samples, declared) == kind  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (None, None),
        (True, True),
        (2**53, 2**53),
        (2**53 + 1, "9007199254740993"),
        (float("nan"), None),
        (float("-inf"), None),
        (Decimal("1.50"), 1.5),
        (Decimal("3.00"), 3),
        (Decimal("0.1234567890123456789"), "0.1234567890123456789"),
        (Decimal("NaN"), None),
        (date(2025, 1, 2), "2025-01-02"),
        (datetime(2025, 1, 2, 3, 4, tzinfo=UTC), "2025-01-02 03:04:00+00:00"),
        (time(1, 2), "01:02:00"),
        (timedelta(days=1, hours=2), "1 day, 2:00:00"),
        (b"\x00\xff", "0x00ff"),
        (b"x" * 17, "0x" + "78" * 16 + "…"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        ("a\x1b[31mb\x00", "ab"),
        ("x" * 3000, "x" * 2000 + "…"),
        ([1, None, Decimal("1.5")], "[1, None, 1.5]"),
        ({"a": date(2025, 1, 2)}, "{'a': '2025-01-02'}"),
    ],
)
def test_every_cell_is_something_json_can_hold(value: object, kept: object) -> None:
    assert json_cell(value) == kept


def test_samples_are_few_different_and_short_and_the_most_frequent_come_first() -> None:
    column = column_of("c", "text", ["b", "a", None, "a", "x" * 500, "d", "e", "f", "g"])
    assert column.samples == ("a", "b", "d", "e", "f")


def test_names_are_found_as_written_before_in_any_case() -> None:
    known = {"Users": 1, "users": 2, "Odd name": 3}
    assert select_tables("it", known, ["users"]) == {"users": 2}
    assert select_tables("it", known, ["USERS", "odd NAME"]) == {"Users": 1, "Odd name": 3}
    assert select_tables("it", known, None) == known
    assert select_tables("it", known, []) == {}


def test_a_name_that_is_nearly_there_is_offered() -> None:
    with pytest.raises(DataSourceError) as caught:
        select_tables("it", {"customers": 1}, ["costumers"])
    assert "customers" in caught.value.hint


def test_a_name_is_quoted_whatever_it_holds() -> None:
    assert (quoted('a"b'), quoted("a`b", "`")) == ('"a""b"', "`a``b`")
