"""Charts and tables as files: every format can be read back, nothing is overwritten."""

from __future__ import annotations

import csv
import os
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from kbtui.domain.events import Chart, ChartProduced, TableProduced
from kbtui.errors import StorageError, UsageError
from kbtui.view.artifacts import file_stem, formats_of, save
from kbtui.view.table_text import column_texts, holds_table, markdown_table, table_label, without_tables

TABLE = TableProduced(
    step_id="s",
    columns=("city", "n", "amount", "n"),
    rows=(("台北|车站", 1, 2.5, None), ('say "hi"\nthere', 20, None, 3)),
    row_count=2,
    source="shop.db",
)


def chart(kind: str = "bar", **series: tuple[float | None, ...]) -> ChartProduced:
    x = ("台北 & <b>", "Oslo", "Malmö")
    drawn = Chart(type=kind, x=x, y="n", x_name="city", series=series or {"n": (3, None, -1)})
    return ChartProduced(step_id="s", chart=drawn, title="n by city · summed")


@pytest.mark.parametrize("kind", ["bar", "pie", "histogram", "grouped_bar", "stacked_bar", "line", "scatter"])
def test_a_picture_is_well_formed_and_names_what_it_shows(kind: str, tmp_path: Path) -> None:
    path = save(chart(kind, North=(3, None, 1), 南=(1, 2, 5)), tmp_path / "c.svg")
    root = ET.fromstring(path.read_text(encoding="utf-8"))
    said = " ".join(root.itertext())
    assert root.get("aria-label") == "n by city · summed"
    assert "北" in said
    assert "南" in said
    assert "script" not in path.read_text(encoding="utf-8")


def test_a_chart_is_saved_as_png_and_as_a_page(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="the extra `charts` is not installed")
    assert save(chart(), tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")
    page = save(chart(), tmp_path / "c.html").read_text(encoding="utf-8")
    assert "<svg" in page
    assert "台北 &amp; &lt;b&gt;" in page
    assert "<b>" not in page


def test_png_without_its_package_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)
    with pytest.raises(UsageError) as caught:
        save(chart(), tmp_path / "c.png")
    assert "kbtui[charts]" in caught.value.hint
    assert list(tmp_path.iterdir()) == []


def test_a_table_comes_back_from_csv(tmp_path: Path) -> None:
    with save(TABLE, tmp_path / "t.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == [
            ["city", "n", "amount", "n"],
            ["台北|车站", "1", "2.5", ""],
            ['say "hi"\nthere', "20", "", "3"],
        ]


def test_a_table_comes_back_from_parquet_with_its_types(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    read = pq.read_table(save(TABLE, tmp_path / "t.parquet")).to_pydict()
    assert read == {
        "city": ["台北|车站", 'say "hi"\nthere'],
        "n": [1, 20],
        "amount": [2.5, None],
        "n_2": [None, 3],
    }
    mixed = TableProduced(step_id="s", columns=("a",), rows=((1,), ("x",), (None,)), row_count=3)
    assert pq.read_table(save(mixed, tmp_path / "m.parquet")).to_pydict() == {"a": ["1", "x", None]}


def test_a_table_as_markdown_keeps_its_cells_apart(tmp_path: Path) -> None:
    lines = save(TABLE, tmp_path / "t.md").read_text(encoding="utf-8").split("\n")
    assert lines[0] == "| city | n | amount | n |"
    assert lines[1] == "|---|---:|---:|---:|"
    assert lines[2] == r"| 台北\|车站 | 1 | 2.5 | – |"
    assert lines[3] == '| say "hi" there | 20 | – | 3 |'
    assert lines[5] == "2 rows · shop.db"


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    first = save(TABLE, tmp_path / "t.csv")
    first.write_text("mine", encoding="utf-8")
    assert save(TABLE, tmp_path / "t.csv").name == "t-2.csv"
    assert save(TABLE, tmp_path / "t.csv").name == "t-3.csv"
    assert first.read_text(encoding="utf-8") == "mine"


def test_what_cannot_be_saved_so_is_refused_with_the_ways_that_work(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot be saved as \.xlsx") as caught:
        save(TABLE, tmp_path / "t.xlsx")
    assert ".csv" in caught.value.hint
    with pytest.raises(UsageError, match="without a suffix"):
        save(chart(), tmp_path / "picture")
    assert formats_of(TABLE) != formats_of(chart())


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be written"):
        save(TABLE, tmp_path / "nowhere" / "t.csv")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StorageError, match="Permission denied"):
            save(TABLE, tmp_path / "t.csv")
    finally:
        tmp_path.chmod(0o700)


def test_files_are_named_after_what_they_show() -> None:
    assert file_stem(chart()) == "n-by-city"
    assert file_stem(TABLE, "各城市有多少包裹？/../x") == "各城市有多少包裹-x"
    assert file_stem(TABLE) == "table"


def test_numbers_of_a_column_have_the_same_decimals() -> None:
    texts = column_texts(("id", "amount", "tiny", "flag"), [(1, 2.5, 1e-9, True), (20, 3, 0.5, None)])
    assert [texts[1].text(value) for value in (2.5, 3, 10.25)] == ["2.5", "3.0", "10.2"]
    assert texts[2].text(1e-9) == "1e-09"
    assert (texts[0].is_numeric, texts[3].is_numeric) == (True, False)
    assert texts[3].text(True) == "true"
    assert texts[0].text("\x1b[31mred\x1b[0m\nline") == "red line"


def test_a_table_says_how_much_of_it_there_is() -> None:
    assert table_label(TABLE) == "2 rows · shop.db"
    part = TableProduced(step_id="s", columns=("a",), rows=((1,),), row_count=4_000_000, truncated=True)
    assert table_label(part) == "first 1 of 4,000,000 rows"
    more = TableProduced(step_id="s", columns=("a",), rows=((1,),), row_count=1, truncated=True)
    assert table_label(more) == "first 1 rows, there are more"


def test_the_table_of_an_answer_is_left_out_where_it_is_shown_whole_and_no_other_is() -> None:
    held = markdown_table(TABLE.columns, TABLE.rows)
    other = "| a | b |\n|---|---|\n| 1 | 2 |"
    text = f"Before.\n\n{held}\n\nAfter [1].\n\n{other}\n"
    assert without_tables(text, (TABLE,)) == f"Before.\n\nAfter [1].\n\n{other}\n"
    assert without_tables(text, ()) == text
    assert holds_table(text, TABLE)
    assert not holds_table(other, TABLE)
