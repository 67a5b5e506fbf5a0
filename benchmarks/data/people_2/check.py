"""Run every query of this set read-only and count what is there: python3 check.py [--rows]."""

import json
import re
import sqlite3
import sys
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
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
Record = dict[str, Any]


def read(name: str) -> list[Record]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


def normal(rows: list[tuple[Any, ...]], ordered: bool) -> list[str]:
    seen = [str([round(v, 2) if isinstance(v, float) else v for v in row]) for row in rows]
    return seen if ordered else sorted(seen)


def tied(con: sqlite3.Connection, sql: str) -> bool:
    """Whether the last row of a cut is as good as the first one left out."""
    cut = re.search(r" ORDER BY ([^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*?)( DESC)? LIMIT (\d+)$", sql)
    if not cut or not sql.startswith("SELECT "):
        return False
    depth, start = 0, -1
    for at, char in enumerate(sql):
        depth += (char == "(") - (char == ")")
        if depth == 0 and sql.startswith(" FROM ", at):
            start = at
            break
    count, width = int(cut[3]), len(con.execute(sql).description)
    rows = con.execute(f"{sql[:start]}, {cut[1]}{sql[start : cut.start(3)]}{count + 1}").fetchall()
    return len(rows) > count and rows[count][width:] == rows[count - 1][width:]


def check(con: sqlite3.Connection, item: Record, show: bool) -> list[str]:
    faults = [f"unknown kind {item['kind']}"] * (item["kind"] not in KINDS)
    if item["kind"] == "schema":
        names = {r[0] for r in con.execute("SELECT name FROM sqlite_master WHERE type IN ('table','view')")}
        names |= {c[1] for t in list(names) for c in con.execute(f'PRAGMA table_info("{t}")')}
        return faults + [f"no such name: {n}" for n in item["must_mention"] if n not in names]
    if set(item) - {"expect_empty"} != FIELDS:
        faults.append("fields")
    results: list[list[str]] = []
    for sql in [item["gold_sql"], *item["gold_alternatives"]]:
        try:
            rows = con.execute(sql).fetchall()
            if tied(con, sql):
                faults.append(f"tie: {sql}")
        except sqlite3.Error as error:
            faults.append(f"{error}: {sql}")
            continue
        empty = not rows or (len(rows) == 1 and all(v is None for v in rows[0]))
        if empty and not item.get("expect_empty"):
            faults.append(f"empty: {sql}")
        if item["kind"] == "yes_no" and not results and rows not in ([(0,)], [(1,)]):
            faults.append("neither 1 nor 0")
        seen = normal(rows, item["ordered"])
        if seen in results:
            faults.append(f"the same rows twice: {sql}")
        results.append(seen)
        if show:
            print("   ", len(rows), str(rows[:4])[:200])
    return faults


def main() -> int:
    show, problems = "--rows" in sys.argv, 0
    questions, unanswerable = read("questions.jsonl"), read("unanswerable.jsonl")
    paths = sorted((HERE / "databases").glob("*.sqlite"))
    cons = {p.stem: sqlite3.connect(f"{p.as_uri()}?mode=ro", uri=True) for p in paths}
    ids = Counter(i["id"] for i in questions + unanswerable)
    texts = Counter((i["db"], i["question"].casefold()) for i in questions + unanswerable)
    for twice in [k for c in (ids, texts) for k, n in c.items() if n > 1]:
        print("twice:", twice)
        problems += 1
    for item in questions:
        if show:
            print(item["id"], item["kind"], item["question"])
        for fault in check(cons[item["db"]], item, show):
            print("FAULT", item["id"], item["question"], "|", fault)
            problems += 1
    for item in unanswerable:
        if set(item) != {"id", "db", "question", "lang", "why"} or item["db"] not in cons:
            print("FAULT", item["id"])
            problems += 1
    for field in ("kind", "lang", "db"):
        print(field, dict(Counter(i[field] for i in questions).most_common()))
    print("unanswerable", {f: dict(Counter(i[f] for i in unanswerable)) for f in ("lang", "db")})
    print(len(questions), "answerable,", len(unanswerable), "unanswerable,", problems, "problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
