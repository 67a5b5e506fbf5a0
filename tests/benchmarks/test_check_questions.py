"""What is wrong with a set of questions is found."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from check_questions import faults_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "databases").mkdir()
    with closing(sqlite3.connect(tmp_path / "databases" / "shop.sqlite")) as connection:
        connection.executescript("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2);")
    return tmp_path


def asked(**more: Any) -> dict[str, Any]:
    return {
        "id": "1",
        "db": "shop",
        "question": "how many",
        "kind": "total",
        "gold_sql": "SELECT COUNT(*) FROM t",
    } | more


@pytest.mark.parametrize(
    ("items", "faults"),
    [
        ([asked()], []),
        ([asked(gold_sql="SELECT b FROM t")], ["1: no such column: b: SELECT b FROM t"]),
        ([asked(gold_sql="SELECT a FROM t WHERE a > 2")], ["1: no rows: SELECT a FROM t WHERE a > 2"]),
        ([asked(gold_sql="SELECT a FROM t WHERE a > 2", expect_empty=True)], []),
        ([asked(kind="yes_no", gold_sql="SELECT 2")], ["1: neither yes nor no: SELECT 2"]),
        ([asked(), asked(id="2")], ["twice: how many"]),
        ([asked(kind="schema")], ["1: nothing that must be mentioned"]),
    ],
)
def test_a_fault_of_a_question_is_told(folder: Path, items: list[dict[str, Any]], faults: list[str]) -> None:
    assert list(faults_of(folder, items, [])) == faults
