#!/usr/bin/env python3
"""Run every query read-only; fail on an error, an empty gold, a tie cut by a LIMIT, a duplicate; print counts."""

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
cons, bad, quiet = {}, [], "-v" not in sys.argv


def con(db):
    if db not in cons:
        cons[db] = sqlite3.connect("file:%s?mode=ro" % os.path.join(HERE, "databases", db + ".sqlite"), uri=True)
        cons[db].execute("PRAGMA query_only=1")
    return cons[db]


def blank(rows):
    return not rows or (len(rows) == 1 and all(v is None or v == 0 for v in rows[0]))


def from_at(sql):
    depth, up = 0, sql.upper()
    for i, ch in enumerate(sql):
        depth += (ch == "(") - (ch == ")")
        if depth == 0 and up.startswith(" FROM ", i):
            return i
    return None


def tie(db, sql, ordered):
    m = re.search(r" ORDER BY (.+?)( DESC| ASC)? LIMIT (\d+)$", sql)
    if not m or not sql.startswith("SELECT") or "ORDER BY" in m.group(1):
        return False
    n = int(m.group(3))
    keys = "".join(re.findall(r"SELECT (?:DISTINCT )?", sql[:16])) + m.group(1)
    rest = sql[from_at(sql) : m.start(3)].replace("GROUP BY 1 ", "GROUP BY %s " % sql[7 : from_at(sql)].split(",")[0])
    vals = [r[0] for r in con(db).execute(keys + rest + str(n + 1)).fetchall()]
    vals = [round(v, 6) if isinstance(v, float) else v for v in vals]
    if ordered:
        return len(set(vals)) != len(vals)
    return len(vals) > n and vals[n] == vals[n - 1]


def read(name):
    return [json.loads(x) for x in open(os.path.join(HERE, name), encoding="utf-8") if x.strip()]


qs, un = read("questions.jsonl"), read("unanswerable.jsonl")
for what, keys in (
    ("id", [q["id"] for q in qs + un]),
    ("question", [(q["db"], q["question"].lower()) for q in qs + un]),
):
    bad += ["duplicate %s %s" % (what, k) for k, n in collections.Counter(keys).items() if n > 1]
for q in qs:
    tag = "%s %s %s" % (q["id"], q["db"], q["question"])
    if q["kind"] not in KINDS or q["lang"] not in ("en", "zh") or "gold_rows" in q:
        bad.append(tag + ": form")
    if (q["lang"] == "zh") != bool(re.search(r"[\u4e00-\u9fff]", q["question"])) and q["lang"] == "zh":
        bad.append(tag + ": lang")
    if q["kind"] == "schema":
        have = {r[0] for r in con(q["db"]).execute("SELECT name FROM sqlite_master")}
        have |= {c[1] for t in list(have) for c in con(q["db"]).execute('PRAGMA table_info("%s")' % t)}
        bad += [tag + ": no such name " + n for n in q["must_mention"] if n not in have]
        continue
    for i, s in enumerate([q["gold_sql"]] + q["gold_alternatives"]):
        try:
            rows = con(q["db"]).execute(s).fetchall()
            if tie(q["db"], s, q["ordered"]):
                bad.append("%s: tie in %s" % (tag, s))
        except sqlite3.Error as e:
            bad.append("%s: %s in %s" % (tag, e, s))
            continue
        if i == 0:
            if q["kind"] == "yes_no":
                if rows not in ([(0,)], [(1,)]):
                    bad.append(tag + ": yes_no gold is not 0 or 1")
                q["yes"] = rows[0][0]
            elif blank(rows) != bool(q.get("expect_empty")):
                bad.append(tag + ": empty gold" if blank(rows) else tag + ": not empty")
            if not quiet:
                print(q["kind"], "|", q["question"], "|", len(rows), rows[:6])
        elif not rows and not q.get("expect_empty"):
            bad.append(tag + ": empty alternative " + s)
        elif not quiet and len(rows) < 3:
            print("      alt", rows)
for u in un:
    con(u["db"])
    if not u["why"] or u["lang"] not in ("en", "zh"):
        bad.append(u["id"] + ": form")
print(
    "answerable %d, unanswerable %d, databases %d, alternatives %d, expect_empty %d"
    % (
        len(qs),
        len(un),
        len(cons),
        sum(len(q["gold_alternatives"]) for q in qs),
        sum(bool(q.get("expect_empty")) for q in qs),
    )
)
for name in ("kind", "lang", "db"):
    print(name + ": " + ", ".join("%s %d" % x for x in collections.Counter(q[name] for q in qs).most_common()))
print("yes_no: yes %d, no %d" % tuple(sum(q.get("yes") == v for q in qs) for v in (1, 0)))
print(
    "unanswerable lang: "
    + ", ".join("%s %d" % x for x in collections.Counter(u["lang"] for u in un).most_common())
    + "; db: "
    + ", ".join("%s %d" % x for x in collections.Counter(u["db"] for u in un).most_common())
)
for b in bad:
    print("FAIL " + b)
print("OK" if not bad else "%d problems" % len(bad))
sys.exit(1 if bad else 0)
