from __future__ import annotations

import argparse
import json
import sqlite3
from pathlib import Path

import pytest
from delivered import Asker, Run, evaluate, offers_right, summary, verdict_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "databases").mkdir()
    with sqlite3.connect(tmp_path / "databases" / "garden.sqlite") as connection:
        connection.execute("CREATE TABLE plants (name TEXT, height INTEGER)")
        connection.executemany("INSERT INTO plants VALUES (?, ?)", [("fern", 40), ("oak", 900), ("rose", 120)])
    connection.close()
    questions = [
        {"id": "g1", "db": "garden", "question": "how many plants", "gold_sql": "SELECT COUNT(*) FROM plants"},
        {
            "id": "g2",
            "db": "garden",
            "question": "tallest plant",
            "gold_sql": "SELECT 'oak'",
            "lang": "en",
            "kind": "top_n",
        },
    ]
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, questions)))
    (tmp_path / "unanswerable.jsonl").write_text(
        json.dumps({"id": "u1", "db": "garden", "question": "price of the oak"})
    )
    return tmp_path


def asked(**changes: object) -> argparse.Namespace:
    return argparse.Namespace(**{"half": None, "lang": None, "every": 1, "limit": None, "out": None, **changes})


def test_questions_go_through_the_asker_and_come_out_as_shares(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = {
        "how many plants": Run("answered", "3", [[3]]),
        "tallest plant": Run(
            "clarification", "?", offered=["SELECT 'fern'", "SELECT name FROM plants WHERE height = 900"]
        ),
        "price of the oak": Run("answered", "900", [[900]]),
    }
    monkeypatch.setattr(Asker, "ask", lambda self, database, question: runs[question])
    out = folder / "log.jsonl"
    result = evaluate(folder, asked(out=out))
    assert (result["right"], result["wrong"], result["none"]) == (0.5, 0.0, 0.5)
    assert result["right_or_offered"] == 1.0
    assert (result["unanswerable"], result["unanswerable_answered"]) == (1, 1)
    assert result["by_kind"]["top_n"]["none"] == 1.0
    assert [json.loads(line)["verdict"] for line in out.read_text().splitlines()] == ["right", "none", "wrong"]


def test_only_the_first_four_offers_count(folder: Path) -> None:
    item = {"db": "garden", "kind": "question", "gold_sql": "SELECT 'oak'"}
    database = folder / "databases" / "garden.sqlite"
    offers = ["SELECT 1", "SELECT nonsense", "SELECT 2", "SELECT 3", "SELECT 'oak'"]
    assert not offers_right(item, Run("clarification", "", offered=offers), database, database)
    assert offers_right(item, Run("clarification", "", offered=offers[1:]), database, database)


def test_an_alternative_statement_is_right_too(folder: Path) -> None:
    item = {
        "db": "garden",
        "kind": "question",
        "gold_sql": "SELECT 1",
        "gold_alternatives": ["SELECT MAX(height) FROM plants"],
    }
    run = Run("answered", "", [[900]])
    assert verdict_of(item, run, folder / "databases" / "garden.sqlite") == "right"


def test_a_summary_of_nothing_is_zero() -> None:
    assert summary([])["right"] == 0.0


def test_a_real_engine_is_asked(folder: Path) -> None:
    question = {"id": "g1", "db": "garden", "question": "average height", "gold_sql": "SELECT AVG(height) FROM plants"}
    (folder / "questions.jsonl").write_text(json.dumps(question))
    result = evaluate(folder, asked(limit=1))
    assert result["n"] == 1
    assert result["right"] == 1.0
