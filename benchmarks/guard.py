"""What the guard costs and refuses: over the statements of a set, and over the attacks.

    python benchmarks/guard.py DIR [--limit N] [--json]

DIR holds ``questions.jsonl`` (``db``, ``gold_sql``) and ``databases/NAME.sqlite``. Each statement is checked once, by
itself (nothing remembered), and run as it was and as the guard wrote it: the share refused, the share whose rows
differ, and the time of a check. Then each attack of the tests: how many pass.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from _common import percentile

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

DIALECTS = ("sqlite", "duckdb", "postgres", "mysql")


def over_statements(folder: Path, limit: int | None) -> dict[str, Any]:
    from kbtui.data.guard import check
    from kbtui.errors import SqlRefused

    lines = (folder / "questions.jsonl").read_text("utf-8").split("\n")
    cases = [json.loads(line) for line in lines if line][:limit]
    check("SELECT 1", "sqlite")
    refused, different, times = [], [], []
    written: dict[str, str] = {}
    # Checked first and run afterwards: a database in between would empty the processor's caches.
    for sql in dict.fromkeys(case["gold_sql"] for case in cases):
        started = time.perf_counter()
        try:
            written[sql] = check(sql, "sqlite")
        except SqlRefused as error:
            refused.append(f"{sql}: {error.message}")
            continue
        times.append((time.perf_counter() - started) * 1000)
    for case in cases:
        sql, path = case["gold_sql"], folder / "databases" / f"{case['db']}.sqlite"
        if sql in written and rows(path, sql) != rows(path, written[sql]):
            different.append(sql)
    return {
        "statements": len(cases),
        "refused": len(refused),
        "different": len(different),
        "p50_ms": round(percentile(times, 50), 3),
        "p95_ms": round(percentile(times, 95), 3),
        "max_ms": round(max(times), 3),
        "which": (refused + different)[:10],
    }


def rows(path: Path, sql: str) -> Any:
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        try:
            return connection.execute(sql).fetchall()
        except sqlite3.Error as error:
            return str(error)


def over_attacks() -> dict[str, Any]:
    from kbtui.data.guard import check
    from kbtui.domain.analysis import Schema, Table
    from kbtui.errors import SqlRefused
    from tests.support.statements import statements

    counted: dict[str, Any] = {}
    for dialect in DIALECTS:
        tables = (Table(name="orders"), Table(name="customers"))
        schema = Schema(source="shop", dialect=dialect, level="basic", tables=tables)
        found = statements(ROOT / "tests" / "data" / "attacks" / f"{dialect}.txt")
        passed = 0
        for statement in found:
            try:
                check(statement.at(Path("loot")), dialect, schema)
                passed += 1
            except SqlRefused:
                continue
        counted[dialect] = {"attacks": len(found), "passed": passed}
    return counted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--limit", type=int, help="the first N statements")
    parser.add_argument("--json", action="store_true", help="one object")
    arguments = parser.parse_args()
    result = {**over_statements(arguments.folder, arguments.limit), "attacks": over_attacks()}
    if arguments.json:
        print(json.dumps(result, ensure_ascii=False))
        return
    print(f"{result['statements']} statements: {result['refused']} refused, {result['different']} with other rows")
    print(f"one check: p50 {result['p50_ms']} ms, p95 {result['p95_ms']} ms, most {result['max_ms']} ms")
    for line in result["which"]:
        print(f"  {line}")
    for dialect, counted in result["attacks"].items():
        print(f"{dialect:<9} {counted['attacks']} attacks, {counted['passed']} passed")


if __name__ == "__main__":
    main()
