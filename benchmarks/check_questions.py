"""Checks sets of questions over databases: every statement runs, brings rows, and no question stands twice.

    python benchmarks/check_questions.py DIR...

DIR holds ``databases/*.sqlite``, ``questions.jsonl`` and perhaps ``unanswerable.jsonl``, as `data/people_7` has them
after its ``build.py``. Prints counts by kind, language and database; ends with 1 where something is wrong.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    faults = 0
    for folder in parser.parse_args().folders:
        asked, unanswerable = _lines(folder / "questions.jsonl"), _lines(folder / "unanswerable.jsonl")
        print(f"{folder.name}: {len(asked)} answerable, {len(unanswerable)} unanswerable")
        for field in ("kind", "lang", "db"):
            print(f"  {field}: {dict(Counter(item[field] for item in asked).most_common())}")
        for fault in faults_of(folder, asked, unanswerable):
            faults += 1
            print(f"  {fault}")
    sys.exit(bool(faults))


def _lines(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def faults_of(folder: Path, asked: list[dict[str, Any]], unanswerable: list[dict[str, Any]]) -> Iterator[str]:
    """What is wrong with a set, a line each."""
    for name in ("id", "question"):
        counts = Counter((item["db"] if name == "question" else "", item[name]) for item in (*asked, *unanswerable))
        yield from (f"twice: {value}" for (_, value), count in counts.items() if count > 1)
    for item in asked:
        if item["kind"] == "schema":
            if not item.get("must_mention"):
                yield f"{item['id']}: nothing that must be mentioned"
            continue
        path = folder / "databases" / f"{item['db']}.sqlite"
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            for sql in (item["gold_sql"], *item.get("gold_alternatives", ())):
                yield from (f"{item['id']}: {fault}" for fault in _faults(connection, sql, item))


def _faults(connection: sqlite3.Connection, sql: str, item: dict[str, Any]) -> Iterator[str]:
    try:
        rows = connection.execute(sql).fetchall()
    except sqlite3.Error as error:
        yield f"{error}: {sql}"
        return
    empty_is_no = item["kind"] == "yes_no" and sql != item["gold_sql"]
    if not rows and not item.get("expect_empty") and not empty_is_no:
        yield f"no rows: {sql}"
    if item["kind"] == "yes_no" and sql == item["gold_sql"] and rows and rows[0][0] not in (0, 1):
        yield f"neither yes nor no: {sql}"


if __name__ == "__main__":
    main()
