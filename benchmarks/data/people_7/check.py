#!/usr/bin/env python3
"""Runs every gold and alternative read-only; fails on errors, empty golds (unless expect_empty), duplicate ids or questions, unknown kinds."""

import collections
import json
import os
import sqlite3
import sys

H = os.path.dirname(os.path.abspath(__file__))
cons = {}
bad = []
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


def con(d):
    if d not in cons:
        p = os.path.join(H, "databases", d + ".sqlite")
        if not os.path.exists(p):
            sys.exit("missing %s: run build.py" % p)
        if os.path.getsize(p) > 1 << 20:
            bad.append("too big " + d)
        cons[d] = sqlite3.connect("file:%s?mode=ro" % p, uri=True)
        cons[d].execute("PRAGMA query_only=1")
    return cons[d]


load = lambda f: [json.loads(l) for l in open(os.path.join(H, f), encoding="utf-8")]
qs, un = load("questions.jsonl"), load("unanswerable.jsonl")
ids = collections.Counter(x["id"] for x in qs + un)
txt = collections.Counter((x["db"], x["question"].lower()) for x in qs + un)
bad += ["duplicate id " + k for k, v in ids.items() if v > 1] + [
    "duplicate question %s" % (k,) for k, v in txt.items() if v > 1
]
nsql = 0
for q in qs:
    if q["kind"] not in KINDS:
        bad.append("%s kind %s" % (q["id"], q["kind"]))
    if q["lang"] not in ("en", "zh"):
        bad.append(q["id"] + " lang")
    if q["kind"] == "schema":
        if not q.get("must_mention"):
            bad.append(q["id"] + " must_mention")
        names = {r[0].lower() for r in con(q["db"]).execute("SELECT name FROM sqlite_master")}
        for t in list(names):
            names |= {r[1].lower() for r in con(q["db"]).execute('PRAGMA table_info("%s")' % t)}
        bad += ["%s: no such name %s" % (q["id"], x) for x in q.get("must_mention", []) if x.lower() not in names]
        continue
    for i, s in enumerate([q["gold_sql"]] + q["gold_alternatives"]):
        nsql += 1
        try:
            rows = con(q["db"]).execute(s).fetchall()
        except sqlite3.Error as e:
            bad.append("%s sql %d: %s" % (q["id"], i, e))
            continue
        blank = not rows or (q["kind"] != "yes_no" and len(rows) == 1 and all(v is None for v in rows[0]))
        if i == 0 and blank and not q.get("expect_empty"):
            bad.append(q["id"] + " empty gold")
        if i == 0 and q["kind"] == "yes_no" and (len(rows) != 1 or rows[0][0] not in (0, 1)):
            bad.append("%s yes_no %s" % (q["id"], rows[:2]))
for k in ("kind", "lang", "db"):
    print(k + ":", dict(sorted(collections.Counter(q[k] for q in qs).items())))
print(
    "unanswerable:",
    len(un),
    dict(collections.Counter(u["lang"] for u in un)),
    dict(collections.Counter(u["db"] for u in un)),
)
print("questions:", len(qs), "sql run:", nsql)
print("\n".join(bad) if bad else "OK")
sys.exit(bool(bad))
