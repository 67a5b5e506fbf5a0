#!/usr/bin/env python3
"""Run every query read-only; fail on errors, empty gold, duplicate ids or questions, ties cut by a LIMIT.  --show [db] prints the gold."""

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
cons = {}


def con(db):
    if db not in cons:
        cons[db] = sqlite3.connect("file:%s?mode=ro" % os.path.join(HERE, "databases", db + ".sqlite"), uri=True)
        cons[db].execute("PRAGMA query_only=1")
    return cons[db]


def run(db, sql):
    return [list(r) for r in con(db).execute(sql)]


def selects(sql):
    """The statement and every bracketed SELECT within it."""
    out, stack = [sql], []
    for i, ch in enumerate(sql):
        if ch == "(":
            stack.append(i)
        elif ch == ")" and stack:
            s = sql[stack.pop() + 1 : i].strip()
            if s.upper().startswith("SELECT"):
                out.append(s)
    return out


def top(sql, word):
    depth, last = 0, -1
    for i, ch in enumerate(sql):
        depth += (ch == "(") - (ch == ")")
        if depth == 0 and sql[i : i + len(word)].upper() == word and (last < 0 or word != " FROM "):
            last = i
    return last


def ties(db, sql, ordered):
    bad = []
    for n_, s in enumerate(selects(sql)):
        m = re.search(r" LIMIT (\d+)(?: OFFSET (\d+))?$", s)
        ob, fr = top(s, " ORDER BY "), top(s, " FROM ")
        if not m or ob < 0 or fr < 0 or "MEDIAN" in s or m.group(2) or not s.upper().startswith("SELECT"):
            continue
        depth, k = 0, ob + 10
        while k < m.start() and not (depth == 0 and s[k] == ","):
            depth += (s[k] == "(") - (s[k] == ")")
            k += 1
        key = re.sub(r" (DESC|ASC)$", "", s[ob + 10 : k])
        n = int(m.group(1))
        try:
            v = [r[-1] for r in run(db, s[:fr] + ", (" + key + ") AS zz_" + s[fr : m.start()] + " LIMIT %d" % (n + 1))]
        except sqlite3.Error:
            continue
        v = [round(x, 6) if isinstance(x, float) else x for x in v]
        if len(v) > n and v[n] == v[n - 1]:
            bad.append("tie cut at %d (%s)" % (n, v[n]))
        elif len(v) < n and n > 1:
            bad.append("fewer than %d rows" % n)
        elif ordered and n_ == 0 and len(set(v)) != len(v):
            bad.append("tie inside an ordered top %d" % n)
    return bad


def read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        return [json.loads(x) for x in f if x.strip()]


qs, un, bad, shapes = read("questions.jsonl"), read("unanswerable.jsonl"), [], 0
show = sys.argv[2] if len(sys.argv) > 2 and sys.argv[1] == "--show" else None
for d, n in collections.Counter(q["id"] for q in qs + un).items():
    if n > 1:
        bad.append("duplicate id " + d)
for d, n in collections.Counter(q["question"].lower() for q in qs + un).items():
    if n > 1:
        bad.append("duplicate question " + d)
for q in qs:
    tag = q["id"] + " " + q["question"]
    if q["kind"] not in KINDS or q["lang"] not in ("en", "zh"):
        bad.append(tag + ": kind or lang")
    if q["kind"] == "schema":
        have = {r[0] for r in run(q["db"], "SELECT name FROM sqlite_master WHERE type='table'")}
        have |= {c[1] for t in list(have) for c in run(q["db"], 'PRAGMA table_info("%s")' % t)}
        bad += [tag + ": no such name " + n for n in q["must_mention"] if n not in have]
        continue
    for i, s in enumerate([q["gold_sql"]] + q["gold_alternatives"]):
        w = "gold" if i == 0 else "alternative %d" % i
        try:
            rows = run(q["db"], s)
        except sqlite3.Error as e:
            bad.append("%s: %s: %s" % (tag, w, e))
            continue
        blank = not rows or (len(rows) == 1 and all(v is None or v == 0 for v in rows[0]))
        if q["kind"] == "yes_no" and i == 0:
            blank = not (len(rows) == 1 and rows[0][0] in (0, 1))
            shapes += rows[0][0] == 0
        if blank and not q.get("expect_empty") and not (i and q["kind"] in ("yes_no", "compare", "having")):
            bad.append("%s: %s is empty" % (tag, w))
        if i == 0 and q.get("expect_empty") and not blank:
            bad.append(tag + ": expect_empty, but rows came")
        if len(rows) > 300:
            bad.append("%s: %s has %d rows" % (tag, w, len(rows)))
        bad += ["%s: %s: %s" % (tag, w, t) for t in ties(q["db"], s, q["ordered"])]
        if show == q["db"] and i == 0:
            print(q["id"].split("_")[-1], q["kind"], "|", q["question"], "|", len(rows), rows[:4])
for u in un:
    con(u["db"])
    if not u["why"] or u["lang"] not in ("en", "zh"):
        bad.append(u["id"] + ": why or lang")
print(
    "answerable %d, unanswerable %d, databases %d, alternatives %d, empty by design %d"
    % (
        len(qs),
        len(un),
        len(cons),
        sum(len(q.get("gold_alternatives", ())) for q in qs),
        sum(bool(q.get("expect_empty")) for q in qs),
    )
)
for k in ("kind", "lang", "db"):
    print(k + ": " + ", ".join("%s %d" % x for x in collections.Counter(q[k] for q in qs).most_common()))
print("yes_no with answer no: %d" % shapes)
for k in ("lang", "db"):
    print(
        "unanswerable " + k + ": " + ", ".join("%s %d" % x for x in collections.Counter(q[k] for q in un).most_common())
    )
for b in bad:
    print("FAIL " + b)
print("OK" if not bad else "%d problems" % len(bad))
sys.exit(bool(bad))
