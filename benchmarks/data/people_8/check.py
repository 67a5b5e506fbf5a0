#!/usr/bin/env python3
"""Runs every query read-only; fails on an error, an empty gold (unless expect_empty), a tie at a LIMIT, duplicate ids or questions. Prints counts."""

import collections
import json
import os
import re
import sqlite3
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = set(
    [
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
    ]
)
cons, bad = {}, []


def run(db, sql):
    if db not in cons:
        cons[db] = sqlite3.connect("file:%s?mode=ro" % os.path.join(HERE, "databases", db + ".sqlite"), uri=True)
        cons[db].execute("PRAGMA query_only=1")
    return cons[db].execute(sql).fetchall()


def read(n):
    return [json.loads(x) for x in open(os.path.join(HERE, n), encoding="utf-8") if x.strip()]


def top_from(s):
    d = 0
    for i, ch in enumerate(s):
        d += (ch == "(") - (ch == ")")
        if d == 0 and s.startswith(" FROM ", i):
            return i
    return None


def tie(db, s):
    m = re.search(r" ORDER BY ((?:(?!ORDER BY).)+?)(?: DESC| ASC)? LIMIT (\d+)$", s)
    if not m:
        return False
    n = int(m[2])
    sel = s[7 : top_from(s)]
    v = [
        r[0]
        for r in run(
            db,
            "SELECT "
            + m[1]
            + s[top_from(s) : m.end(0) - len(m[2])].replace(
                "GROUP BY 1",
                "GROUP BY " + sel.replace("DISTINCT ", "").split(",")[0]
                if "substr" not in sel
                else "GROUP BY " + sel.split("), ")[0],
            )
            + str(n + 1),
        )
    ]
    v = [round(x, 6) if isinstance(x, float) else x for x in v]
    return len(set(v)) != len(v)


qs, un = read("questions.jsonl"), read("unanswerable.jsonl")
ids = [x["id"] for x in qs + un]
for i, k in collections.Counter(ids).items():
    if k > 1:
        bad.append("id twice " + i)
for i, k in collections.Counter((x["db"], x["question"].lower()) for x in qs + un).items():
    if k > 1:
        bad.append("question twice %s" % (i,))
empty = 0
for q in qs:
    tag = q["id"] + " " + q["question"]
    if q["kind"] not in KINDS or q["lang"] not in ("en", "zh"):
        bad.append(tag + ": kind or lang")
    if q["kind"] == "schema":
        have = {r[0] for r in run(q["db"], "SELECT name FROM sqlite_master")}
        cols = {c[1] for t in have for c in run(q["db"], 'PRAGMA table_info("%s")' % t)}
        for n in q["must_mention"]:
            if n not in have | cols:
                bad.append(tag + ": no name " + n)
        continue
    for s in [q["gold_sql"]] + q["gold_alternatives"]:
        try:
            rows = run(q["db"], s)
        except sqlite3.Error as e:
            bad.append("%s: %s: %s" % (tag, e, s))
            continue
        if s == q["gold_sql"]:
            zero = (
                not rows
                or all(v is None for r in rows for v in r)
                or (len(rows) == 1 and q["kind"] != "yes_no" and all(v in (0, None) for v in rows[0]))
            )
            empty += zero
            if zero and not q.get("expect_empty"):
                bad.append(tag + ": empty gold")
            if q["kind"] == "yes_no" and rows not in ([(0,)], [(1,)]):
                bad.append(tag + ": yes_no gold is not 0/1")
        try:
            if tie(q["db"], s):
                bad.append(tag + ": tie: " + s)
        except sqlite3.Error as e:
            bad.append("%s: tie test: %s: %s" % (tag, e, s))
for u in un:
    if not u["why"] or u["lang"] not in ("en", "zh"):
        bad.append(u["id"] + ": why or lang")
    run(u["db"], "SELECT 1")
print(
    "answerable %d, unanswerable %d, databases %d, alternatives %d, empty by design %d"
    % (len(qs), len(un), len(cons), sum(len(q["gold_alternatives"]) for q in qs), empty)
)
for n in ("kind", "lang", "db"):
    print(n + ": " + ", ".join("%s %d" % x for x in collections.Counter(q[n] for q in qs).most_common()))
for n in ("lang", "db"):
    print(
        "unanswerable " + n + ": " + ", ".join("%s %d" % x for x in collections.Counter(q[n] for q in un).most_common())
    )
for b in bad:
    print("FAIL " + b)
print("OK" if not bad else "%d problems" % len(bad))
sys.exit(bool(bad))
