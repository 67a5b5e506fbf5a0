#!/usr/bin/env python3
"""Run every gold query and alternative read-only, and print counts by kind, language and database.

python3 check.py [FOLDER]    FOLDER holds the databases; `databases` beside this file unless named
"""

import collections
import json
import re
import sqlite3
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
KINDS = {
    "total",
    "average",
    "breakdown",
    "time_bucket",
    "filter",
    "list_rows",
    "top_n",
    "min_max_thing",
    "relative_date",
    "compare",
    "share",
    "growth",
    "having",
    "negation",
    "nested",
    "join",
    "median",
    "distinct",
    "yes_no",
    "schema",
}
FIELDS = {"id", "db", "question", "gold_sql", "gold_alternatives", "ordered", "lang", "kind"}
Rows = list[tuple[Any, ...]]


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(x) for x in (HERE / name).read_text(encoding="utf-8").splitlines() if x.strip()]


def blank(rows: Rows) -> bool:
    return not rows or all(v is None for r in rows for v in r)


def top_from(sql: str) -> int:
    depth = 0
    for i, char in enumerate(sql):
        depth += (char == "(") - (char == ")")
        if not depth and sql.startswith(" FROM ", i):
            return i
    return -1


def tied(con: sqlite3.Connection, sql: str) -> bool:
    """Whether the last `ORDER BY x LIMIT n` cuts between, or ranks, rows with the same x."""
    found = re.search(r" ORDER BY (.+?)(?: DESC| ASC)? LIMIT (\d+)$", sql)
    if not found or not sql.startswith("SELECT "):
        return False
    cut = top_from(sql)
    more = f"{sql[:cut]}, {found[1]}{sql[cut : found.start(2)]}{int(found[2]) + 1}"
    keys = [r[-1] for r in con.execute(more)]
    return len({round(k, 6) if isinstance(k, float) else k for k in keys}) < len(keys)


def check(con: sqlite3.Connection, q: dict[str, Any]) -> list[str]:
    if q["kind"] == "schema":
        tables = {r[0] for r in con.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")}
        columns = {c[1] for t in tables for c in con.execute(f'PRAGMA table_info("{t}")')}
        return [f"no such name: {n}" for n in q["must_mention"] if n not in tables | columns] or (
            [] if q["must_mention"] else ["names nothing"]
        )
    bad = []
    if FIELDS - set(q):
        bad.append(f"lacks {FIELDS - set(q)}")
    for sql in [q["gold_sql"], *q["gold_alternatives"]]:
        try:
            rows = con.execute(sql).fetchall()
            if tied(con, sql):
                bad.append(f"tie: {sql}")
        except sqlite3.Error as e:
            bad.append(f"{e}: {sql}")
            continue
        if blank(rows) and not q.get("expect_empty"):
            bad.append(f"empty: {sql}")
        if q["kind"] == "yes_no" and sql == q["gold_sql"] and rows not in ([(0,)], [(1,)]):
            bad.append("yes_no is neither 1 nor 0")
    return bad


def main() -> int:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "databases"
    answerable, unanswerable = read("questions.jsonl"), read("unanswerable.jsonl")
    bad: list[str] = []
    for field in ("id", "question"):
        counted = collections.Counter(q[field].lower() for q in answerable + unanswerable)
        bad += [f"{field} used twice: {x}" for x, n in counted.items() if n > 1]
    names = sorted({q["db"] for q in answerable + unanswerable})
    cons = {n: sqlite3.connect(f"{(folder / f'{n}.sqlite').as_uri()}?mode=ro", uri=True) for n in names}
    for q in answerable:
        if q["kind"] not in KINDS or q["lang"] not in ("en", "zh"):
            bad.append(f"{q['id']}: unknown kind or lang")
        bad += [f"{q['id']}: {line}" for line in check(cons[q["db"]], q)]
    bad += [f"{u['id']}: needs why and lang" for u in unanswerable if not u["why"] or u["lang"] not in ("en", "zh")]
    for title, group in (("answerable", answerable), ("unanswerable", unanswerable)):
        print(f"{title}: {len(group)}")
        for field in ("kind", "lang", "db"):
            if field in group[0]:
                counts = collections.Counter(q[field] for q in group).most_common()
                print(f"  {field}: " + ", ".join(f"{k} {n}" for k, n in counts))
    for line in bad:
        print(f"FAIL {line}")
    print(f"{len(bad)} problems" if bad else "OK")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
