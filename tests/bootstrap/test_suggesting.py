"""Which questions are suggested, and which answers are good enough for that."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kbtui.bootstrap import Engine
from kbtui.bootstrap.suggesting import is_answered_well, shows_figures, suggestion_cache, suggestion_key
from kbtui.domain.answer import Citation
from kbtui.domain.events import AnswerCompleted, OfferedReading, TableProduced
from kbtui.settings.model import Settings
from kbtui.view.view_state import RunView

CITED = (Citation(n=1, kind="sql", sql="SELECT 1", source="shop"),)


def run(rows: tuple[tuple[Any, ...], ...] = (("a", 1), ("b", 2)), **changes: Any) -> RunView:
    """A run that answered, but for ``changes`` of its answer."""
    answer = AnswerCompleted(**{"markdown": "x [1]", "outcome": "answered", "citations": CITED, **changes})
    table = TableProduced(step_id="d1", columns=("name", "figure"), rows=rows, row_count=len(rows), sql="SELECT 1")
    return RunView(answer=answer, tables=(table,))


def test_rows_of_different_figures_are_worth_a_suggestion() -> None:
    assert shows_figures(run())


@pytest.mark.parametrize(
    "rows",
    [
        (("a", 1),),
        (("a", 1), ("b", 1)),
        (("a", 1), ("b", None)),
        (("a", 1), ("", 2)),
        tuple((str(n), n) for n in range(40)),
    ],
    ids=["one row", "all the same", "a gap", "no name", "too many"],
)
def test_rows_that_say_little_are_not(rows: tuple[tuple[Any, ...], ...]) -> None:
    assert not shows_figures(run(rows))


@pytest.mark.parametrize(
    "changes",
    [{"outcome": "partial"}, {"citations": ()}, {"unsupported": ("x",)}],
    ids=["partial", "uncited", "unbacked"],
)
def test_an_answer_that_is_not_whole_is_not(changes: dict[str, Any]) -> None:
    assert not is_answered_well(run(**changes))


def test_an_answer_in_doubt_or_of_documents_is_none_of_data() -> None:
    answer = run().answer
    assert not shows_figures(RunView(answer=answer))
    assert not is_answered_well(RunView(answer=answer, offered=(OfferedReading(n=1, says="x"),)))


def test_a_chart_that_was_asked_for_and_not_drawn_is_not() -> None:
    assert not shows_figures(msgspec.structs.replace(run(), request_type="visualization"))


def test_what_was_found_is_kept_until_something_changes() -> None:
    kept, key = suggestion_cache(), suggestion_key(("folder", "en"), ("v1",))
    assert kept.get(key) is None
    kept.put(key, ["total amount by city"])
    assert suggestion_cache().get(suggestion_key(("folder", "en"), ("v1",))) == ["total amount by city"]
    assert suggestion_cache().get(suggestion_key(("folder", "en"), ("v2",))) is None
    assert suggestion_cache().get(suggestion_key(("folder", "zh"), ("v1",))) is None


def suggested(tmp_path: Path, script: str, language: Any = "en") -> list[str]:
    path = tmp_path / "data.sqlite"
    database = sqlite3.connect(path)
    database.executescript(script)
    database.close()
    folder = tmp_path / "empty"
    folder.mkdir()
    engine = Engine(Settings(), kb=folder, sources=[str(path)], record=False)
    return list(engine.library.questions(language, lambda: False))


def test_tables_with_chinese_names_are_asked_about_in_chinese(tmp_path: Path) -> None:
    script = """
        CREATE TABLE 图书 (编号 INTEGER PRIMARY KEY, 分类 TEXT, 馆藏数 INTEGER);
        INSERT INTO 图书 (分类, 馆藏数) VALUES
            ('文学', 3), ('文学', 5), ('历史', 2), ('历史', 4), ('计算机', 9), ('文学', 1);
    """
    assert "用柱状图显示每个分类的馆藏数合计" in suggested(tmp_path, script)


def test_a_column_called_total_has_no_total(tmp_path: Path) -> None:
    script = """
        CREATE TABLE invoices (id INTEGER PRIMARY KEY, country TEXT, total REAL);
        INSERT INTO invoices (country, total) VALUES ('NO', 1), ('NO', 2.5), ('SE', 4), ('DK', 7), ('SE', 3), ('DK', 1);
    """
    found = suggested(tmp_path, script)
    assert found
    assert not any("total total" in question for question in found)


def test_a_lone_table_of_figures_by_category_is_first_asked_about_with_a_chart(tmp_path: Path) -> None:
    script = """
        CREATE TABLE sales (date TEXT, region TEXT, quantity INTEGER, amount REAL);
        INSERT INTO sales VALUES
            ('2025-01-03', 'North', 1, 39.5), ('2025-01-09', 'South', 2, 310), ('2025-02-02', 'North', 4, 120),
            ('2025-02-11', 'East', 3, 85), ('2025-03-04', 'South', 1, 64), ('2025-03-20', 'East', 2, 79);
    """
    assert suggested(tmp_path, script)[0] == "bar chart of total amount by region"
