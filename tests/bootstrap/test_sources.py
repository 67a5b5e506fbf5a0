"""The data sources of an engine, opened once."""

from __future__ import annotations

import sqlite3
from datetime import date
from pathlib import Path

from kbtui.bootstrap.sources import OpenedSources
from kbtui.nl2sql.reader import QuestionReader
from kbtui.nl2sql.stages import shipped_stages


def test_the_last_columns_of_a_wide_export_are_profiled_like_the_first(tmp_path: Path) -> None:
    path = tmp_path / "wide.db"
    connection = sqlite3.connect(path)
    columns = [f"note{number}" for number in range(10)]
    connection.execute(f"CREATE TABLE wide ({', '.join(f'{name} TEXT' for name in columns)}, vip TEXT, fee TEXT)")
    marks = ", ".join("?" * 12)
    rows = [(*(f"n{at}-{row} x" for at in range(10)), "NY"[row % 2], f"£{row}.50") for row in range(900)]
    connection.executemany(f"INSERT INTO wide VALUES ({marks})", rows)
    connection.commit()
    connection.close()
    sources = OpenedSources([f"wide={path}"])
    sources.open_missing()
    reader = QuestionReader(sources.ask, lambda: date(2026, 11, 20), shipped_stages, sources.ask_each)
    table = reader.catalogue(sources.manager().peek("wide", "detailed")).tables["wide"]
    assert [(column.ref.column, column.kind, column.unit) for column in table.columns[-2:]] == [
        ("vip", "flag", ""), ("fee", "measure", "GBP"),
    ]  # fmt: skip
