"""Files of data: loaded as they are meant, with nothing dropped in silence, and made anew when they change."""

from __future__ import annotations

import datetime
import io
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
import pytest
from filelock import FileLock

from kbtui.data.files import FileSource
from kbtui.data.sources import open_source
from kbtui.domain.analysis import Limits, QuerySource
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, DataSourceError, SqlRefused
from kbtui.settings import paths
from kbtui.settings.sources import DataSource

Opened = Callable[[str, str | bytes], QuerySource]


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    def write_and_open(name: str, content: str | bytes) -> QuerySource:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return open_source(DataSource(name="it", location=str(path)))

    return write_and_open


def rows(source: QuerySource, sql: str) -> list[tuple[Any, ...]]:
    return list(source.run(sql, Limits(), CancelToken()).rows)


def kinds(source: QuerySource) -> dict[str, dict[str, str]]:
    tables = source.schema("detailed").tables
    return {table.name: {column.name: column.kind for column in table.columns} for table in tables}


def empty_workbook() -> bytes:
    stream = io.BytesIO()
    openpyxl.Workbook().save(stream)
    return stream.getvalue()


def copies() -> list[Path]:
    return list((paths.cache_dir() / "data").glob("*/*/data.duckdb"))


def test_a_csv_file_is_one_table_named_after_it(opened: Opened) -> None:
    source = opened("Sales 2024.csv", "id,city,sold on,price\n1,台北,2024-03-01,1.5\n2,Oslo,2024-03-02,2\n")
    assert kinds(source) == {"Sales_2024": {"id": "integer", "city": "text", "sold on": "date", "price": "number"}}
    assert rows(source, 'SELECT * FROM "Sales_2024"') == [
        (1, "台北", "2024-03-01", 1.5),
        (2, "Oslo", "2024-03-02", 2.0),
    ]


def test_a_name_full_of_pattern_signs_is_only_a_name(opened: Opened) -> None:
    assert rows(opened("year=1 [a]'*?.csv", "a,b\n1,2\n"), "SELECT * FROM year_1_a") == [(1, 2)]


def test_tabs_semicolons_and_decimal_commas_are_understood(opened: Opened) -> None:
    assert rows(opened("a.tsv", "x\ty\n1\thello, you\n"), "SELECT * FROM a") == [(1, "hello, you")]
    assert rows(opened("b.csv", "a;b\n1,5;2\n1.200,25;3\n"), "SELECT a + b FROM b") == [(3.5,), (1203.25,)]


@pytest.mark.parametrize("mark", ['"', "'"])
def test_quotes_of_either_kind_hold_what_would_part_columns(opened: Opened, mark: str) -> None:
    lines = "".join(f"{number},{mark}screws, long{mark}\n" for number in range(20))
    assert rows(opened("a.csv", f"id,thing\n{lines}"), "SELECT DISTINCT thing FROM a") == [("screws, long",)]


def test_numbers_with_separators_or_gaps_are_numbers_and_the_gaps_are_told(opened: Opened) -> None:
    source = opened("a.csv", 'n,m,d\n"1,234.5",7,2024-01-02\n3,N/A,-\n,-,2024-01-04\n')
    assert kinds(source)["a"] == {"n": "number", "m": "integer", "d": "date"}
    assert rows(source, "SELECT sum(n), sum(m), count(d) FROM a") == [(1237.5, 7, 2)]
    assert any("2 of m" in note for note in source.schema("basic").notes)


def test_codes_with_leading_zeros_and_words_that_only_look_empty_stay_text(opened: Opened) -> None:
    source = opened("a.csv", "zip,country\n00712,NA\n10115,DE\n")
    assert rows(source, "SELECT * FROM a") == [("00712", "NA"), ("10115", "DE")]


def test_a_value_far_down_that_is_no_number_costs_no_line(opened: Opened) -> None:
    lines = [f"{number},{number}" for number in range(25_000)]
    source = opened("a.csv", "\n".join(["id,v", *lines, "25000,about nine"]) + "\n")
    assert rows(source, "SELECT count(*), max(id) FROM a") == [(25_001, 25_000)]
    assert rows(source, "SELECT v FROM a WHERE id = 25000") == [("about nine",)]


def test_lines_that_cannot_be_read_are_counted_and_named(opened: Opened) -> None:
    source = opened("a.csv", "a,b,c\n1,2,3\n4,5\n6,7,8\n9,9,9,9\n1,1,1\n2,2,2\n")
    assert rows(source, "SELECT sum(a) FROM a") == [(10,)]
    (note,) = source.schema("basic").notes
    assert "2 lines" in note and "3, 5" in note


def test_a_title_above_the_column_names_is_no_data(opened: Opened) -> None:
    source = opened("a.csv", "Report of things\n\na,b\n1,2\n3,4\n")
    assert rows(source, "SELECT sum(a), sum(b) FROM a") == [(4, 6)]
    assert source.schema("basic").notes == ("The first 2 lines are no part of the table.",)


@pytest.mark.parametrize(
    "last",
    ['TOTAL,,,"1,300.50"\n', "Total:,,3,\n", ',Grand Total,3,"1,300.50"\n', "Total: A,,2,\nTotal: all,,3,1300.5\n"],
)
def test_last_lines_that_sum_up_the_others_are_no_data(opened: Opened, last: str) -> None:
    source = opened("a.csv", f'day,who,n,amount\n2026-01-01,Ana,1,"1,200.50"\n2026-01-02,Ben,2,100.00\n{last}')
    assert rows(source, "SELECT count(*), sum(n), sum(amount) FROM a") == [(2, 3, 1300.5)]
    assert any("sum" in note for note in source.schema("basic").notes)


def test_marks_for_nothing_are_empty_in_texts_and_words_are_not(opened: Opened) -> None:
    source = opened("a.csv", "id,who,code\n1,Ana,none\n2,-,TEN\n3,Ben,none\n")
    assert rows(source, "SELECT count(who), count(code) FROM a") == [(2, 3)]
    assert "1 of who say" in source.schema("basic").notes[0]


def test_a_last_line_that_only_looks_like_a_sum_is_data(opened: Opened) -> None:
    source = opened("a.csv", "shop,city,n\nAldo,Bath,1\nTotal Wine,York,7\n")
    assert rows(source, "SELECT count(*) FROM a") == [(2,)]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030", "cp1252", "shift_jis"])
def test_files_in_other_encodings_are_read_and_that_is_said(opened: Opened, encoding: str) -> None:
    city = {"cp1252": "Malmö und Århus", "shift_jis": "東京ステーションのロッカー"}.get(
        encoding, "北京市朝阳区的快递柜站点"
    )
    source = opened("a.csv", f"id,city\n1,{city}\n2,{city}\n".encode(encoding))
    assert rows(source, "SELECT id, city FROM a LIMIT 1") == [(1, city)]
    assert bool(source.schema("basic").notes) == (encoding != "utf-8-sig")


def test_records_within_records_are_laid_flat(opened: Opened) -> None:
    source = opened("a.json", json.dumps([{"id": 1, "at": {"city": "Oslo", "xy": [1, 2]}}, {"id": "two"}]))
    assert rows(source, "SELECT id, at_city, at_xy FROM a") == [("1", "Oslo", "[1, 2]"), ("two", None, None)]


def test_an_object_of_lists_is_a_table_for_each_list(opened: Opened) -> None:
    source = opened("a.json", json.dumps({"made": "2024-01-01", "orders": [{"id": 1}, {"id": 2}], "who": [{"n": "x"}]}))
    assert kinds(source) == {"orders": {"id": "integer"}, "who": {"n": "text"}, "a": {"made": "date"}}


def test_lines_that_are_no_json_are_counted(opened: Opened) -> None:
    source = opened("a.jsonl", '{"a": 1}\n{"a": 2, "b": "2020-01-01"}\nnot json\n{"a": 3}\n')
    assert rows(source, "SELECT sum(a), count(*) FROM a") == [(6, 3)]
    assert source.schema("basic").notes == ("1 line is no JSON and left out.",)


def test_a_parquet_file_keeps_its_types(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    duckdb.execute(f"COPY (SELECT 1::TINYINT AS n, DATE '2024-01-01' AS d, {{'x': 1.5}} AS s) TO '{path}'")
    source = open_source(DataSource(name="it", location=str(path)))
    assert kinds(source) == {"a": {"n": "integer", "d": "date", "s_x": "number"}}


def test_each_sheet_with_anything_in_it_is_a_table(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (
        ["Sales report"],
        [],
        ["Day", "Item", "Price", "Item"],
        [datetime.datetime(2024, 1, 1), "a", 1.5, "007"],
        [datetime.datetime(2024, 1, 2), 'b\n,"c', 2, None],
        [None, None, "#N/A", "x"],
    ):
        sheet.append(row)
    staff = book.create_sheet("Staff list")
    staff.append(["name", "since"])
    staff.append(["张", datetime.datetime(2024, 1, 2, 3, 4)])
    book.create_sheet("empty")
    book.save(tmp_path / "book.xlsx")
    source = open_source(DataSource(name="it", location=str(tmp_path / "book.xlsx")))
    assert kinds(source) == {
        "book_1": {"Day": "date", "Item": "text", "Price": "number", "Item_1": "text"},
        "Staff_list": {"name": "text", "since": "datetime"},
    }
    assert rows(source, "SELECT * FROM book_1")[1:] == [
        ("2024-01-02", 'b\n,"c', 2.0, None),
        (None, None, None, "x"),
    ]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.csv", b"", "a.csv is empty"),
        ("a.csv", b"a,b\n\x00\x01\x02", "a.csv is no text file"),
        ("a.json", b"{broken", "no sound JSON"),
        ("a.jsonl", b"no\njson\n", "None of its lines"),
        ("a.json", b"[]", "a.json: It holds no record"),
        ("a.parquet", b"PAR1", "a.parquet is no Parquet file"),
        ("a.xlsx", b"PK", "a.xlsx is no Excel workbook"),
        ("a.xlsx", empty_workbook(), "a.xlsx holds no table"),
    ],
    # A workbook holds the time it was made at: as part of a name it would differ between the workers of a run.
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_that_is_not_what_its_ending_says_is_told(opened: Opened, name: str, content: bytes, says: str) -> None:
    source = opened(name, content)
    with pytest.raises(DataSourceError, match=says) as caught:
        source.schema("basic")
    assert caught.value.hint and "draft" not in caught.value.message
    assert not copies()


def test_a_file_is_loaded_once_and_again_when_it_has_changed(opened: Opened, tmp_path: Path) -> None:
    source = opened("a.csv", "a\n1\n")
    assert rows(source, "SELECT sum(a) FROM a") == [(1,)]
    (copy,) = copies()
    first, made = source.fingerprint(), copy.stat().st_ino
    assert rows(open_source(DataSource(name="it", location=str(tmp_path / "a.csv"))), "SELECT sum(a) FROM a") == [(1,)]
    assert [each.stat().st_ino for each in copies()] == [made]
    (tmp_path / "a.csv").write_text("a,b\n1,2\n5,6\n")
    assert source.fingerprint() != first
    assert rows(source, "SELECT sum(a), sum(b) FROM a") == [(6, 8)]
    assert len(copies()) == 1


def test_the_copy_of_a_file_that_is_gone_is_deleted(opened: Opened, tmp_path: Path) -> None:
    rows(opened("a.csv", "a\n1\n"), "SELECT * FROM a")
    (tmp_path / "a.csv").unlink()
    rows(opened("b.csv", "b\n1\n"), "SELECT * FROM b")
    assert len(copies()) == 1


def test_what_another_program_loads_just_now_is_left_alone(opened: Opened) -> None:
    busy = paths.cache_dir() / "data" / "busy-1"
    draft = busy / "draft-1" / "data.duckdb"
    draft.parent.mkdir(parents=True)
    draft.touch()
    with FileLock(busy / "lock"):
        rows(opened("a.csv", "a\n1\n"), "SELECT * FROM a")
        assert draft.exists()
    rows(opened("b.csv", "b\n1\n"), "SELECT * FROM b")
    assert not busy.exists()


def test_the_copy_is_for_its_owner_alone(opened: Opened) -> None:
    rows(opened("a.csv", "a\n1\n"), "SELECT * FROM a")
    (copy,) = copies()
    assert copy.parent.stat().st_mode & 0o077 == 0


def test_a_statement_reaches_neither_the_file_nor_others(opened: Opened, tmp_path: Path) -> None:
    source = opened("a.csv", "a\n1\n")
    for sql in (
        f"SELECT * FROM read_csv('{tmp_path / 'a.csv'}')",
        f"COPY a TO '{tmp_path / 'a.csv'}'",
        "DELETE FROM a",
        "SELECT 1; SELECT 2",
    ):
        with pytest.raises(DataSourceError):
            rows(source, sql)
    assert (tmp_path / "a.csv").read_text() == "a\n1\n"


def test_loading_stops_when_it_is_cancelled_and_leaves_nothing(opened: Opened) -> None:
    line = ",".join("0123456789" for _ in range(20))
    source = opened("a.csv", "\n".join([line] * 200_000))
    cancel = CancelToken()
    threading.Timer(0.1, cancel.cancel).start()
    with pytest.raises(Cancelled):
        source.run("SELECT count(*) FROM a", Limits(), cancel)
    assert not copies()
    assert not list((paths.cache_dir() / "data").glob("*/draft-*"))


def test_a_closed_source_stops_what_it_loads(opened: Opened) -> None:
    source = opened("a.csv", "a\n1\n")
    source.close()
    with pytest.raises(Cancelled):
        source.schema("basic")


def test_a_copy_is_held_open_between_calls_until_the_file_changes(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a\n1\n")
    source = FileSource("it", path, tmp_path / "cache")
    assert rows(source, "SELECT * FROM a") == [(1,)]
    held = source._open_copy
    assert held is not None
    with pytest.raises(SqlRefused):
        rows(source, "CREATE TEMP TABLE b AS SELECT 1")
    assert rows(source, "SELECT a + 1 FROM a") == [(2,)]
    assert source._open_copy is held
    path.write_text("a\n1\n22\n")
    assert rows(source, "SELECT * FROM a") == [(1,), (22,)]
    assert source._open_copy is not held
    source.close()
    assert source._open_copy is None
    assert rows(source, "SELECT count(*) FROM a") == [(2,)]


def test_a_large_copy_is_not_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kbtui.data.files._HELD_BYTES", 1000)
    (tmp_path / "a.csv").write_text("a\n1\n")
    source = FileSource("it", tmp_path / "a.csv", tmp_path / "cache")
    assert rows(source, "SELECT * FROM a") == [(1,)]
    assert source._open_copy is None


def test_a_file_that_went_away_is_told_and_found_again(opened: Opened, tmp_path: Path) -> None:
    source = opened("a.csv", "a\n1\n")
    (tmp_path / "a.csv").rename(tmp_path / "b.csv")
    with pytest.raises(DataSourceError, match="no file"):
        rows(source, "SELECT * FROM a")
    (tmp_path / "b.csv").rename(tmp_path / "a.csv")
    assert rows(source, "SELECT * FROM a") == [(1,)]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_told(opened: Opened, tmp_path: Path) -> None:
    source = opened("a.csv", "a\n1\n")
    (tmp_path / "a.csv").chmod(0)
    with pytest.raises(DataSourceError, match="cannot be opened"):
        source.schema("basic")


def test_times_with_an_offset_are_read_as_they_are_written(opened: Opened) -> None:
    lines = ["2026-11-19 23:40:26 -0500,2026-11-19T23:40:26-05:00,2026-11-19T23:40:26Z"] * 3
    source = opened("a.csv", "\n".join(["shop,page,zulu", *lines]) + "\n")
    assert rows(source, "SELECT DISTINCT hour(shop), hour(page), hour(zulu), day(page) FROM a") == [(23, 23, 23, 19)]
    (table,) = source.schema("detailed").tables
    assert [column.kind for column in table.columns] == ["datetime"] * 3
