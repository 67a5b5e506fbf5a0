"""What a person who types a question over data is given: right rows, wrong rows, or nothing.

    python benchmarks/delivered.py DIR... [--half A|B] [--lang en|zh] [--every N] [--limit N] [--out FILE] [--json]

DIR holds ``databases/*.sqlite``, ``questions.jsonl`` of {id, db, question, gold_sql} and, where the set has them,
gold_rows, gold_alternatives, ordered, lang, kind, must_mention; and ``unanswerable.jsonl``. Where it holds
``exports/DATABASE.csv``, the questions are asked over that file. Each question goes through
`kbtui.Engine` over an empty folder with that as its only source, at default settings, with no question before
it, on 2026-11-20. Delivered rows are those of the last ``table_produced`` event, or the answer's text where yes or no
or the structure is asked for. Verdicts: see `_verdicts`; ``none`` is nothing delivered; ``right_or_offered`` counts
what is right and what has a right statement among the first four of ``reading_chosen``.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sqlite3
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from _common import percentile
from _sets import half_of, load, load_unanswerable, today_of
from _verdicts import (
    Gold,
    Rows,
    Verdict,
    rows_of,
    verdict_of_rows,
    verdict_of_schema,
    verdict_of_truth,
    verdict_of_unanswerable,
)

import kbtui
from kbtui.data.sources import open_source
from kbtui.domain.analysis import Limits
from kbtui.settings.sources import parse_entry

NOON = datetime.time(12, tzinfo=datetime.UTC)
OFFERED = 4
BASELINES: dict[str, dict[str, float]] = {
    "analyst_dev": {
        "right": 0.065,
        "wrong": 0.124,
        "none": 0.812,
        "right_or_offered": 0.118,
        "precision": 0.344,
        "unanswerable_answered": 0,
    },
    "spider_train half B": {
        "right": 0.460,
        "wrong": 0.075,
        "none": 0.465,
        "right_or_offered": 0.730,
        "precision": 0.860,
    },
}
"""The parser of patterns, measured on 2026-11-22, by name of the set (and half); Spider with ``--every 5``."""


@dataclass
class Run:
    """What came of one question."""

    outcome: str
    markdown: str
    rows: Rows | None = None
    sql: str = ""
    offered: list[str] = field(default_factory=list)
    milliseconds: float = 0.0


class Asker:
    """Asks questions over the databases of one set, each in an engine of its own."""

    def __init__(self, folder: Path, empty: Path) -> None:
        self._folder = folder
        self._empty = empty
        self._now = datetime.datetime.combine(today_of(folder), NOON)
        self._warm: set[str] = set()

    def path(self, database: str) -> Path:
        """The file of a database, which gold statements run over."""
        return self._folder / "databases" / f"{database}.sqlite"

    def source(self, database: str) -> Path:
        """The file that questions are asked over: the export of the database, where there is one."""
        export = self._folder / "exports" / f"{database}.csv"
        return export if export.exists() else self.path(database)

    def ask(self, database: str, question: str) -> Run:
        """One question; a database is opened once before the time of its questions counts."""
        if database not in self._warm:
            self._warm.add(database)
            self._run(self._engine(database), "1+1")
        return self._run(self._engine(database), question)

    def _engine(self, database: str) -> Any:
        source = str(self.source(database))
        return kbtui.Engine(kb=str(self._empty), sources=[source], record=False, clock=lambda: self._now)

    @staticmethod
    def _run(engine: Any, question: str) -> Run:
        events: list[Any] = []
        started = time.perf_counter()
        try:
            answer = engine.answer_query(question, status_callback=events.append)
            run = Run(answer.outcome, answer.markdown)
        except Exception as error:  # noqa: BLE001 - a crash is a verdict on the program, not the end of the measurement
            run = Run("error", f"{type(error).__name__}: {error}")
        run.milliseconds = 1000 * (time.perf_counter() - started)
        for event in events:
            if event.kind == "reading_chosen":
                run.offered.extend(reading.sql for reading in event.offered)
            elif event.kind == "table_produced":
                run.rows, run.sql = [list(row) for row in event.rows], event.sql
        return run


def golds_of(item: dict[str, Any], database: Path) -> list[Gold]:
    """The rows of the gold statement and of each alternative."""
    ordered = bool(item.get("ordered"))
    statements = [item["gold_sql"], *item.get("gold_alternatives", ())]
    golds = [Gold(_cached_rows(database, sql), ordered) for sql in statements[1:]]
    first = item.get("gold_rows")
    return [Gold(first if first is not None else _cached_rows(database, statements[0]), ordered), *golds]


@lru_cache(maxsize=4096)
def _cached_rows(database: Path, sql: str) -> list[tuple[Any, ...]]:
    return rows_of(database, sql)


def verdict_of(item: dict[str, Any], run: Run, database: Path) -> Verdict:
    """The verdict on one question."""
    match item["kind"]:
        case "unanswerable":
            return verdict_of_unanswerable(run.outcome, run.rows)
        case "schema":
            return verdict_of_schema(run.outcome, run.markdown, item["must_mention"])
        case "yes_no":
            return verdict_of_truth(run.outcome, run.markdown, run.rows, golds_of(item, database))
        case _:
            return verdict_of_rows(run.outcome, run.rows, golds_of(item, database))


def offers_right(item: dict[str, Any], run: Run, database: Path, source: Path) -> bool:
    """Whether one of the readings offered first is right."""
    if item["kind"] in ("schema", "unanswerable") or not run.offered:
        return False
    golds = golds_of({**item, "gold_rows": None}, database)
    for rows in _offered_rows(run.offered[:OFFERED], database, source):
        if rows is not None and any(gold.matches(rows) for gold in golds):
            return True
    return False


def _offered_rows(statements: Sequence[str], database: Path, source: Path) -> Iterator[Rows | None]:
    """Rows of statements over the source; None where one fails."""
    if source != database:
        opened = open_source(parse_entry(str(source)))
        try:
            for table in opened.run_each(statements, Limits(), seconds=30):
                yield table and table.rows
        finally:
            opened.close()
        return
    for sql in statements:
        try:
            yield rows_of(database, sql)
        except sqlite3.Error:
            yield None


def questions_of(folder: Path, arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """The questions that are asked, answerable ones first."""
    answerable = [{"kind": "question", "lang": "en", **item} for item in load(folder)]
    unanswerable = [{"lang": "en", **item, "kind": "unanswerable"} for item in load_unanswerable(folder)]
    chosen = []
    for items in (answerable, unanswerable):
        fitting = [item for item in items if not arguments.half or half_of(item["db"]) == arguments.half]
        fitting = [item for item in fitting if not arguments.lang or item["lang"] == arguments.lang]
        chosen += fitting[:: arguments.every][: arguments.limit]
    return chosen


def evaluate(folder: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    """Ask every question of a set."""
    log: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as empty:
        asker = Asker(folder, Path(empty))
        for item in questions_of(folder, arguments):
            database = asker.path(item["db"])
            run = asker.ask(item["db"], item["question"])
            verdict = verdict_of(item, run, database)
            near = verdict == "right" or offers_right(item, run, database, asker.source(item["db"]))
            shown = {name: item.get(name) for name in ("id", "db", "kind", "lang", "question", "gold_sql")}
            shown |= {"verdict": verdict, "right_or_offered": near, "outcome": run.outcome, "sql": run.sql}
            shown |= {"rows": list(run.rows or ())[:5], "offered": run.offered, "ms": run.milliseconds}
            log.append({**shown, "markdown": run.markdown[:400]})
    if arguments.out:
        arguments.out.write_text("\n".join(json.dumps(line, ensure_ascii=False, default=str) for line in log), "utf-8")
    return {"set": _name(folder, arguments), **summary(log)}


def summary(log: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The figures of a set: shares of all answerable questions, milliseconds."""
    answerable = [line for line in log if line["kind"] != "unanswerable"]
    by_kind: dict[str, Counter[str]] = defaultdict(Counter)
    by_language: dict[str, Counter[str]] = defaultdict(Counter)
    for line in answerable:
        by_kind[line["kind"]][line["verdict"]] += 1
        by_language[line["lang"]][line["verdict"]] += 1
    verdicts = sum(by_kind.values(), Counter())
    delivered = verdicts["right"] + verdicts["wrong"]
    unanswerable = [line for line in log if line["kind"] == "unanswerable"]
    times = [line["ms"] for line in log] or [0.0]
    shares = _shares(verdicts)
    near = sum(line["right_or_offered"] for line in answerable)
    return {
        **shares,
        "right_or_offered": round(near / max(1, len(answerable)), 3),
        "precision": round(verdicts["right"] / delivered, 3) if delivered else None,
        "unanswerable": len(unanswerable),
        "unanswerable_answered": sum(line["verdict"] == "wrong" for line in unanswerable),
        "by_kind": {kind: _shares(counts) for kind, counts in sorted(by_kind.items())},
        "by_language": {language: _shares(counts) for language, counts in sorted(by_language.items())},
        "p50_ms": round(percentile(times, 50)),
        "p95_ms": round(percentile(times, 95)),
    }


def _shares(counts: Counter[str]) -> dict[str, Any]:
    total = sum(counts.values())
    return {"n": total, **{name: round(counts[name] / max(1, total), 3) for name in ("right", "wrong", "none")}}


def _name(folder: Path, arguments: argparse.Namespace) -> str:
    return folder.resolve().name + (f" half {arguments.half}" if arguments.half else "")


def print_table(result: dict[str, Any]) -> None:
    """The figures beside those of the parser before."""
    columns = ("n", "right", "wrong", "none", "right_or_offered", "precision")
    rows = [(result["set"], result)]
    if result["set"] in BASELINES:
        rows.append(("  pattern parser, 2026-11-22", BASELINES[result["set"]]))
    rows += [(f"  {name}", shares) for name, shares in result["by_language"].items()]
    rows += [(f"  {name}", shares) for name, shares in result["by_kind"].items()]
    print(f"{'':<30}" + "".join(f"{column:>18}" for column in columns))
    for name, figures in rows:
        print(f"{name:<30}" + "".join(f"{figures.get(column, '')!s:>18}" for column in columns))
    print(f"unanswerable answered {result['unanswerable_answered']} of {result['unanswerable']}", end="; ")
    print(f"p50 {result['p50_ms']} ms, p95 {result['p95_ms']} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--half", choices=("A", "B"), help="databases by the hash of their name")
    parser.add_argument("--lang", choices=("en", "zh"))
    parser.add_argument("--every", type=int, default=1, help="every N-th question")
    parser.add_argument("--limit", type=int, help="the first N of those")
    parser.add_argument("--out", type=Path, help="a line of JSON for each question")
    parser.add_argument("--json", action="store_true", help="one object a set")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        result = evaluate(folder, arguments)
        if arguments.json:
            print(json.dumps(result, ensure_ascii=False), flush=True)
        else:
            print_table(result)


if __name__ == "__main__":
    main()
