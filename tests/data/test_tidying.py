"""What programs add to a table when they export it is removed: titles, sums, empty columns, marks."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import openpyxl

from kbtui.data.sources import open_source
from kbtui.domain.analysis import Limits
from kbtui.domain.ports import CancelToken
from kbtui.settings.sources import DataSource


def loaded(path: Path, content: str | bytes) -> tuple[list[tuple[Any, ...]], list[str], tuple[str, ...]]:
    """Rows, names of columns and notes of a file."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8-sig"))
    source = open_source(DataSource(name="it", location=str(path)))
    try:
        schema = source.schema("detailed")
        (table,) = schema.tables
        rows = source.run(f'SELECT * FROM "{table.name}"', Limits(), CancelToken()).rows
        return list(rows), [column.name for column in table.columns], schema.notes
    finally:
        source.close()


def test_titles_padded_with_delimiters_are_no_header(tmp_path: Path) -> None:
    text = "每日统计表 2026-10-01 至 2026-10-02,,,\n生成时间：2026-10-03,,,\n姓名,部门,日期,迟到次数\n"
    text += "".join(f"张三{number},研发部,26-10-{number:02d} 星期四,{number}\n" for number in range(1, 20))
    rows, names, notes = loaded(tmp_path / "考勤.csv", text)
    assert names == ["姓名", "部门", "日期", "迟到次数"]
    assert rows[0] == ("张三1", "研发部", "2026-10-01", 1)
    assert notes == ("The first 2 lines are no part of the table.",)


def test_a_row_of_totals_at_the_end_is_left_out_and_said(tmp_path: Path) -> None:
    text = "日期,商品,数量,金额\n" + "".join(f'2026/1/{day},面,{day},"1,{day:03d}.00"\n' for day in range(1, 20))
    rows, _, notes = loaded(tmp_path / "进销存.csv", text + '合计,,190.00,"19,190.00"\n')
    assert len(rows) == 19
    assert rows[-1] == ("2026-01-19", "面", 19, 1019)
    assert notes == ("The last line sums up the others and is left out.",)


def test_a_last_row_that_only_holds_the_word_total_stays(tmp_path: Path) -> None:
    text = "name,city,amount\nAnn,Oslo,1\nBen,Rome,2\nTotal,Bern,4\n"
    rows, _, notes = loaded(tmp_path / "firms.csv", text)
    assert (len(rows), notes) == (3, ())


def test_totals_of_workbooks_are_left_out(tmp_path: Path) -> None:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    for row in (("item", "kind", "price"), ("pen", "a", 1), ("ink", "b", 2), ("Total", None, 3)):
        book.active.append(row)
    book.save(stream)
    rows, _, notes = loaded(tmp_path / "items.xlsx", stream.getvalue())
    assert [row[2] for row in rows] == [1, 2]
    assert notes == ("The last line sums up the others and is left out.",)


def test_marks_of_spreadsheets_and_empty_columns_are_removed(tmp_path: Path) -> None:
    text = "订单编号,手机,备注,金额,\n" + "".join(f'="0{n}",\'139{n},\t,{n},\n' for n in range(10, 20))
    rows, names, _ = loaded(tmp_path / "订单.csv", text)
    assert names == ["订单编号", "手机", "备注", "金额"]
    assert rows[0] == ("010", 13910, None, 10)
