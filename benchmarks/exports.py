"""Questions over files of data as tools export them: right rows, wrong rows, offered or nothing.

    python benchmarks/exports.py DIR... [--db NAME] [--out FILE]

DIR holds ``build.py``, which writes ``files/NAME.csv`` and ``files/gold.duckdb``, and ``questions.jsonl``, whose gold
is stated over the clean tables of that database. Each question goes through `kbtui.Engine` over an empty folder with
the file as its only source, at default settings, on 2026-11-20. ``offered`` counts what has a right statement among
the first four readings.
"""

from __future__ import annotations

import argparse
import datetime
import decimal
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
from _verdicts import Gold, verdict_of_rows, verdict_of_truth
from delivered import OFFERED

import kbtui
from kbtui.data.loading import Loader

TODAY = datetime.datetime(2026, 11, 20, 12, tzinfo=datetime.UTC)


def rows_of(connection: Any, sql: str) -> list[tuple[Any, ...]]:
    """Rows with values as they are delivered."""
    return [tuple(map(_plain, row)) for row in connection.execute(sql).fetchall()]


def _plain(value: Any) -> Any:
    match value:
        case decimal.Decimal():
            return float(value)
        case datetime.datetime():
            return value.isoformat(sep=" ")
        case datetime.date():
            return value.isoformat()
        case datetime.timedelta():
            return value.total_seconds() / 86_400
    return value


def loaded(path: Path, work: Path) -> Any:
    """A connection to the file as kbtui loads it, for the statements that were offered."""
    connection = duckdb.connect()
    work.mkdir(parents=True)
    Loader(connection, work, path.stem).load(path)
    return connection


def ask(path: Path, question: str, empty: Path) -> tuple[str, str, list[Any] | None, list[str]]:
    """Outcome, text, rows and offered statements of a question over a file."""
    events: list[Any] = []
    engine = kbtui.Engine(kb=str(empty), sources=[str(path)], record=False, clock=lambda: TODAY)
    answer = engine.answer_query(question, status_callback=events.append)
    tables = [event.rows for event in events if event.kind == "table_produced"]
    offered = [reading.sql for event in events if event.kind == "reading_chosen" for reading in event.offered]
    return answer.outcome, answer.markdown, list(tables[-1]) if tables else None, offered


def evaluate(folder: Path, database: str, empty: Path) -> list[dict[str, Any]]:
    """A verdict for each question of a set."""
    files = folder / "files"
    if not files.exists():
        subprocess.run([sys.executable, str(folder / "build.py"), str(files)], check=True)
    gold = duckdb.connect(str(files / "gold.duckdb"), read_only=True)
    copies: dict[str, Any] = {}
    log = []
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        if database and item["db"] != database:
            continue
        path = files / f"{item['db']}.csv"
        golds = [Gold(rows_of(gold, sql), item["ordered"]) for sql in (item["gold_sql"], *item["gold_alternatives"])]
        outcome, text, rows, offered = ask(path, item["question"], empty)
        if item["kind"] == "yes_no":
            verdict: str = verdict_of_truth(outcome, text, rows, golds)
        else:
            verdict = verdict_of_rows(outcome, rows, golds)
        if verdict == "none":
            if path.stem not in copies:
                copies[path.stem] = loaded(path, empty.parent / "work" / path.stem)
            found = (rows_of(copies[path.stem], sql) for sql in offered[:OFFERED])
            verdict = "offered" if any(g.matches(rows) for rows in found for g in golds) else "none"
        log.append({"id": item["id"], "question": item["question"], "verdict": verdict, "text": text[:300]})
    return log


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--db", default="", help="the questions over one file")
    parser.add_argument("--out", type=Path, help="a line of JSON for each question")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        with tempfile.TemporaryDirectory() as work:
            empty = Path(work) / "empty"
            empty.mkdir()
            log = evaluate(folder, arguments.db, empty)
        counts = Counter(line["verdict"] for line in log)
        print(folder.name, len(log), *(f"{name} {counts[name]}" for name in ("right", "wrong", "offered", "none")))
        if arguments.out:
            lines = (json.dumps(line, ensure_ascii=False) for line in log)
            arguments.out.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
