"""The same question over the same data has the same answer in every process, whatever order its sets come in."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

ASKING = """
import datetime, json, sys
import kbtui
clock = lambda: datetime.datetime(2026, 11, 20, 12, tzinfo=datetime.UTC)
engine = kbtui.Engine(kb=sys.argv[1], sources=[sys.argv[2]], record=False, clock=clock)
told = []
for question in sys.argv[3:]:
    engine.new_conversation()
    answer = engine.answer_query(question, status_callback=lambda event: told.append(
        [repr(event.offered) if event.kind == "reading_chosen" else repr(getattr(event, "rows", ""))]
    ))
    told.append([answer.outcome, answer.markdown])
print(json.dumps(told))
"""
QUESTIONS = (
    "average weight per town",
    "which town sent the most late parcels in 2026",
    "哪个城市的包裹最重",
    "heavy ones",
)


def database(path: Path) -> Path:
    """Parcels of two kinds of towns, so that words have several columns to stand for."""
    with sqlite3.connect(path) as connection:
        connection.executescript("""
            CREATE TABLE towns (id INTEGER PRIMARY KEY, name TEXT, region TEXT);
            CREATE TABLE parcels (id INTEGER PRIMARY KEY, from_town INTEGER REFERENCES towns, to_town INTEGER
                REFERENCES towns, weight REAL, price REAL, status TEXT, sent TEXT, arrived TEXT);
        """)
        towns = [(at, f"Town {at}", "north" if at % 2 else "south") for at in range(1, 9)]
        connection.executemany("INSERT INTO towns VALUES (?, ?, ?)", towns)
        parcels = [
            (
                at,
                at % 8 + 1,
                at % 5 + 1,
                at % 7 + 0.5,
                at % 11 + 1,
                ("late", "lost", "fine")[at % 3],
                f"2026-0{at % 9 + 1}-11",
                None,
            )
            for at in range(400)
        ]
        connection.executemany("INSERT INTO parcels VALUES (?, ?, ?, ?, ?, ?, ?, ?)", parcels)
    connection.close()
    return path


def answers(folder: Path, data: Path, seed: str) -> list[Any]:
    """What a process with this order of sets answers."""
    command = [sys.executable, "-c", ASKING, str(folder), str(data), *QUESTIONS]
    done = subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True)
    return list(json.loads(done.stdout))


def test_two_processes_answer_alike_to_the_last_figure(tmp_path: Path) -> None:
    data = database(tmp_path / "parcels.sqlite")
    (folder := tmp_path / "notes").mkdir()
    first, second = (answers(folder, data, seed) for seed in ("1", "2"))
    assert any("OfferedReading" in told[0] for told in first)
    assert first == second
