"""Execution accuracy of questions turned into SQL with no model, beside keyword matching.

    python benchmarks/nl2sql.py benchmarks/data/nl2sql_zh.jsonl --databases CHINOOK_DIR/databases
    python benchmarks/nl2sql.py benchmarks/data/nl2sql_zh_fresh.jsonl --lines even \\
        --databases CHINOOK_DIR/databases SPIDER_DIR/databases
    python benchmarks/nl2sql.py DIR [--wording synonyms] [--half A|B] [--limit N] [--json]

DIR holds ``databases/*.sqlite`` and ``questions.jsonl`` (or ``questions_vis.jsonl``) of {id, db, question, gold_sql,
gold_rows}. A question counts as answered right when its statement brings the gold rows: a multiset, in order only where
the gold is ordered, columns in the gold's order, numbers equal within 1e-6. Answered means that the best reading is at
least as sure as the threshold; ``precision`` is over those, ``accuracy`` over all questions, whatever the confidence.
``precision_any_order`` counts what brings the gold's columns in another order as right, as a person would.
Where a question names other statements that answer it as well (``also_sql``), the ``also`` figures count those too.
Databases are halved by the hash of their name: rules and weights are made with half A, half B is only reported.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import date
from itertools import permutations
from pathlib import Path
from typing import Any

from _common import percentile, print_result
from _sets import Databases, half_of, load

from kbtui.domain.analysis import Schema
from kbtui.errors import DataSourceError
from kbtui.nl2sql.gate import THRESHOLD
from kbtui.nl2sql.reader import QuestionReader
from kbtui.nl2sql.stages import shipped_stages

_MOST_COLUMNS = 5
TODAY = date(2026, 11, 20)


def same_rows(got: Sequence[Sequence[Any]], gold: Sequence[Sequence[Any]], ordered: bool) -> bool:
    """Whether two results say the same."""
    if len(got) != len(gold):
        return False
    if got and len(got[0]) != len(gold[0]):
        return False
    mine, theirs = [tuple(map(_cell, row)) for row in got], [tuple(map(_cell, row)) for row in gold]
    if not ordered:
        mine, theirs = sorted(mine, key=repr), sorted(theirs, key=repr)
    return all(_equal(a, b) for one, two in zip(mine, theirs, strict=True) for a, b in zip(one, two, strict=True))


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float):
        return round(value, 6)
    return float(value) if isinstance(value, int) and abs(value) < 2**53 else value


def _equal(first: Any, second: Any) -> bool:
    if isinstance(first, float) and isinstance(second, float):
        return math.isclose(first, second, rel_tol=1e-6, abs_tol=1e-6)
    return bool(first == second)


def keyword_baseline(question: str, schema: Schema) -> str:
    """As ln2sql does it: names of tables and columns that stand in the question, a count where "how many" does."""
    words = [word.strip("?.,'\"").lower() for word in question.split()]
    flat = {word.rstrip("s") for word in words}
    tables = [t for t in schema.tables if t.name.lower().rstrip("s") in flat] or list(schema.tables[:1])
    table = tables[0]
    columns = [c.name for c in table.columns if c.name.lower().rstrip("s") in flat]
    chosen = ", ".join(f'"{name}"' for name in columns) or "*"
    if "many" in words or "number" in words:
        chosen = "count(*)"
    return f'SELECT {chosen} FROM "{table.name}"'


def _phenomenon(sql: str) -> str:
    upper = sql.upper()
    if any(word in upper for word in (" INTERSECT ", " EXCEPT ", " UNION ")):
        return "set operation"
    if upper.count("SELECT") > 1:
        return "nested"
    parts = [
        name
        for name, word in (("join", "JOIN"), ("group", "GROUP BY"), ("having", "HAVING"), ("order", "ORDER BY"))
        if word in upper
    ]
    return "+".join(parts) or ("filter" if "WHERE" in upper else "plain")


def evaluate(folder: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    """Run every question of a set."""
    databases = Databases(*(arguments.databases or [folder / "databases"]))
    writer = QuestionReader(databases.ask, lambda: TODAY, shipped_stages)
    questions = [q for q in load(folder) if not arguments.half or half_of(q["db"]) == arguments.half]
    if arguments.lines:
        questions = questions[0 if arguments.lines == "odd" else 1 :: 2]
    # A person asks several things of one database: what is derived from its structure is at hand.
    questions.sort(key=lambda item: item["db"])
    if arguments.limit:
        questions = questions[:: max(1, len(questions) // arguments.limit)][: arguments.limit]
    right = answered = right_answered = any_order = baseline = charts = also = also_answered = 0
    times: list[float] = []
    worked: list[float] = []
    by: dict[str, Counter[str]] = defaultdict(Counter)
    failures = []
    warmed: set[str] = set()
    for item in questions:
        wording = item.get("synonyms") or item["question"] if arguments.wording == "synonyms" else item["question"]
        schema = databases.schema(item["db"])
        if item["db"] not in warmed:
            # What is derived once from a structure is no part of a question's time.
            warmed.add(item["db"])
            writer.read("how many zebras", schema)
        gold = item["gold_rows"] if item.get("gold_rows") is not None else databases.ask(item["db"], item["gold_sql"])
        started, spent = time.perf_counter(), time.process_time()
        readings = writer.read(wording, schema)
        times.append((time.perf_counter() - started) * 1000)
        worked.append((time.process_time() - spent) * 1000)
        best = readings.best
        ordered = bool(
            item.get("ordered", "ORDER BY" in item["gold_sql"].upper() and "LIMIT" not in item["gold_sql"].upper())
        )
        good = best is not None and _brings(databases, item["db"], best.sql, gold, ordered)
        sure = best is not None and best.confidence >= THRESHOLD
        right += good
        answered += sure
        right_answered += good and sure
        any_order += sure and (good or (best is not None and _says(databases, item["db"], best.sql, gold, ordered)))
        too = good or (
            best is not None
            and any(
                _brings(databases, item["db"], best.sql, databases.ask(item["db"], other), ordered)
                for other in item.get("also_sql", ())
            )
        )
        also += too
        also_answered += too and sure
        baseline += _brings(databases, item["db"], keyword_baseline(wording, schema), gold, ordered)
        group = by[_phenomenon(item["gold_sql"])]
        group["n"] += 1
        group["right"] += good
        group["answered"] += sure
        if arguments.charts and best is not None:
            charts += good and _chart(wording, databases, item, best.sql)
        if not too:
            any_of = any(_brings(databases, item["db"], r.sql, gold, ordered) for r in readings.readings[1:])
            failures.append(
                (
                    any_of,
                    item["db"],
                    wording,
                    item["gold_sql"],
                    best.sql if best else "-",
                    best.confidence if best else 0,
                )
            )
    count = max(1, len(questions))
    result: dict[str, Any] = {
        "accuracy": round(right / count, 4),
        "precision": round(right_answered / max(1, answered), 4),
        "precision_any_order": round(any_order / max(1, answered), 4),
        "coverage": round(answered / count, 4),
        "p50_ms": round(percentile(times, 50), 2),
        "p95_ms": round(percentile(times, 95), 2),
        "processor_p50_ms": round(percentile(worked, 50), 2),
        "processor_p95_ms": round(percentile(worked, 95), 2),
        "n": len(questions),
        "baseline_keywords": round(baseline / count, 4),
    }
    if any(item.get("also_sql") for item in questions):
        result["accuracy_also"] = round(also / count, 4)
        result["precision_also"] = round(also_answered / max(1, answered), 4)
    if arguments.charts:
        result["charts"] = round(charts / count, 4)
    result["by_kind"] = {
        k: {"n": v["n"], "accuracy": round(v["right"] / v["n"], 3)}
        for k, v in sorted(by.items(), key=lambda p: -p[1]["n"])
    }
    if arguments.failures:
        for any_of, db, wording, gold_sql, sql, confidence in failures[: arguments.failures]:
            print(f"{'~' if any_of else 'x'} [{db}] {wording}\n   gold {gold_sql}\n   got  {sql}  ({confidence})")
    return result


def _brings(databases: Databases, name: str, sql: str, gold: Sequence[Sequence[Any]], ordered: bool) -> bool:
    try:
        return same_rows(databases.ask(name, sql), gold, ordered)
    except DataSourceError:
        return False


def _says(databases: Databases, name: str, sql: str, gold: Sequence[Sequence[Any]], ordered: bool) -> bool:
    """Whether some order of the gold's columns, the same for all rows, is what the statement brings."""
    try:
        got = databases.ask(name, sql)
    except DataSourceError:
        return False
    width = len(gold[0]) if gold else 0
    if not got or len(got[0]) != width or not 2 <= width <= _MOST_COLUMNS:
        return False
    return any(
        same_rows([[row[place] for place in places] for row in got], gold, ordered)
        for places in permutations(range(width))
    )


def _chart(question: str, databases: Databases, item: dict[str, Any], sql: str) -> bool:
    from kbtui.analysis.charts import wish

    cursor = databases.connection(item["db"]).execute(sql)
    found = wish(question, [d[0] for d in cursor.description], cursor.fetchall())
    wanted = item.get("chart", "").lower().replace(" ", "_").replace("stacked_bar", "bar").replace("grouped_bar", "bar")
    return found is not None and (
        found.kind == wanted or (wanted in ("bar", "line", "scatter", "pie") and wanted in found.kind)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument(
        "--databases", type=Path, nargs="+", help="folders where the databases of a single file of questions are"
    )
    parser.add_argument("--lines", choices=("odd", "even"), help="every other question of the file")
    parser.add_argument("--wording", choices=("plain", "synonyms"), default="plain")
    parser.add_argument("--half", choices=("A", "B"))
    parser.add_argument("--limit", type=int, help="about N questions, spread over the set")
    parser.add_argument("--charts", action="store_true", help="rows and the kind of chart must be right")
    parser.add_argument(
        "--failures", type=int, default=0, help="print the first N wrong answers (~: a lower reading is right)"
    )
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    print_result(evaluate(arguments.folder, arguments), as_json=arguments.json)


if __name__ == "__main__":
    main()
