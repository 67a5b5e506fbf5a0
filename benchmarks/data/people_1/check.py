#!/usr/bin/env python3
"""Run every query read-only, look for errors, empty answers and cut ties, and print the counts."""

import json
import re
import sqlite3
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
KINDS = (
    "total average breakdown time_bucket filter list_rows top_n min_max_thing relative_date compare share growth "
    "having negation nested join median distinct yes_no schema"
)
FIELDS = {"id", "db", "question", "gold_alternatives", "ordered", "lang", "kind"}
_open: dict[str, sqlite3.Connection] = {}


def rows(db: str, sql: str) -> list[tuple[object, ...]]:
    if db not in _open:
        _open[db] = sqlite3.connect(f"file:{HERE / 'databases' / (db + '.sqlite')}?mode=ro", uri=True)
        _open[db].execute("PRAGMA query_only = 1")
    return _open[db].execute(sql).fetchall()


def names(db: str) -> set[str]:
    tables = {str(row[0]) for row in rows(db, "SELECT name FROM sqlite_master WHERE type = 'table'")}
    columns = {str(row[1]) for table in tables for row in rows(db, f'PRAGMA table_info("{table}")')}
    return tables | columns


def blank(found: list[tuple[object, ...]]) -> bool:
    """Say whether there is no row, or one that holds nothing."""
    return not found or (len(found) == 1 and all(value is None for value in found[0]))


def from_at(sql: str) -> int:
    """Return where the outermost FROM begins."""
    depth = 0
    for at, char in enumerate(sql):
        depth += (char == "(") - (char == ")")
        if not depth and sql.startswith(" FROM ", at):
            return at
    return -1


def tie(db: str, sql: str, ordered: bool) -> bool:
    """Say whether ORDER BY x LIMIT n cuts between equal values of x, or the order within them is left to chance."""
    found = re.search(r" ORDER BY ((?:(?! ORDER BY ).)+?) LIMIT (\d+)$", sql)
    at = from_at(sql)
    if not found or not sql.startswith("SELECT ") or sql.startswith("SELECT DISTINCT ") or at < 0:
        return False
    keys = re.sub(r" (DESC|ASC)\b", "", found[1])
    if re.fullmatch(r"\d+", keys):
        return False
    count = int(found[2])
    values = rows(db, f"SELECT {keys}{sql[at : found.start(2)]}{count + 1}")
    if ordered and len(set(values)) < len(values):
        return True
    return len(values) > count and values[-1] == values[-2]


def read(name: str) -> list[dict[str, object]]:
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def faults(entry: dict[str, object]) -> list[str]:
    """Return what is wrong with one question."""
    wrong = [f"no {field}" for field in sorted(FIELDS - entry.keys())]
    db, alternatives = str(entry["db"]), entry["gold_alternatives"]
    if entry["kind"] not in KINDS.split() or entry["lang"] not in ("en", "zh"):
        wrong.append("unknown kind or language")
    if entry["kind"] == "schema":
        must = entry["must_mention"]
        assert isinstance(must, list)
        return wrong + [f"no such name: {name}" for name in must if name not in names(db)]
    assert isinstance(alternatives, list)
    for sql in [str(entry["gold_sql"]), *alternatives]:
        try:
            found = rows(db, sql)
            if blank(found) and not entry.get("expect_empty"):
                wrong.append(f"empty: {sql}")
            if tie(db, sql, bool(entry["ordered"])):
                wrong.append(f"a tie: {sql}")
            if entry["kind"] == "yes_no" and sql == entry["gold_sql"] and found not in ([(0,)], [(1,)]):
                wrong.append(f"neither 1 nor 0: {sql}")
        except sqlite3.Error as error:
            wrong.append(f"{error}: {sql}")
    return wrong


def main() -> int:
    questions, others = read("questions.jsonl"), read("unanswerable.jsonl")
    bad = [f"{entry['id']} {entry['question']}: {fault}" for entry in questions for fault in faults(entry)]
    for field in ("id", "question"):
        counted = Counter(
            (entry["db"], entry[field]) if field != "id" else entry[field] for entry in questions + others
        )
        bad += [f"twice: {value}" for value, count in counted.items() if count > 1]
    bad += [f"{entry['id']}: unknown database" for entry in others if not names(str(entry["db"]))]
    bad += [f"{entry['id']}: needs why" for entry in others if not entry.get("why")]
    for title, entries in (("answerable", questions), ("unanswerable", others)):
        print(f"{title}: {len(entries)}")
        for field in ("kind", "lang", "db"):
            counts = Counter(str(entry[field]) for entry in entries if field in entry)
            if counts:
                print(f"  {field}: " + ", ".join(f"{name} {count}" for name, count in counts.most_common()))
    print("\n".join(bad) or "all right")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
