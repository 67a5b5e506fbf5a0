"""Asks databases the plainest questions that their structure allows, whose answers are known by construction.

    python benchmarks/plain_questions.py DIR... [--each N] [--seed N] [--show N] [--json]

Each ``DIR`` holds ``databases/*.sqlite``. Of each database N questions are drawn, see `_plain`: totals, means,
extremes, shares and counts of rows, by one or two categories, by month or year, with conditions, over two tables. The
words are those of the names of tables and columns, so that nothing has to be guessed: what is not answered, and what is
answered wrongly, is a fault of profiling, linking, reading or judging.

    right, wrong   answered at default settings
    first          right as the first reading, but not answered
    offered        right among the first four readings, but not answered
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from _plain import Plain, drawn_questions
from _sets import Databases, today_of
from _verdicts import Gold

from kbtui.domain.analysis import Schema
from kbtui.errors import DataSourceError
from kbtui.nl2sql.gate import THRESHOLD
from kbtui.nl2sql.reader import QuestionReader
from kbtui.nl2sql.stages import shipped_stages

OFFERED = 4


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--each", type=int, default=8, help="questions of a database")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=0, help="print so many of those not answered rightly")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    shown = 0
    for folder in arguments.folders:
        databases = Databases(folder / "databases")
        for path in sorted((folder / "databases").glob("*.sqlite")):
            draw = random.Random(f"{arguments.seed} {path.stem}")
            for plain, verdict, says in asked(databases, path.stem, arguments.each, draw, today_of(folder)):
                counts[plain.template][verdict] += 1
                counts["all"][verdict] += 1
                if verdict != "right" and shown < arguments.show:
                    shown += 1
                    print(
                        f"{verdict:<8} {path.stem}: {plain.text}\n         {says}\n         {plain.golds[0]}",
                        file=sys.stderr,
                    )
    print(json.dumps(counts) if arguments.json else table(counts))
    return 0


def asked(
    databases: Databases, name: str, each: int, draw: random.Random, today: date
) -> Iterator[tuple[Plain, str, str]]:
    """Questions to a database, each with its verdict and the first reading in words."""
    schema = databases.schema(name)
    reader = QuestionReader(databases.ask, lambda: today, shipped_stages)
    try:
        catalogue = reader.catalogue(schema)
        drawn = drawn_questions(catalogue, lambda sql: databases.ask(name, sql), draw, each)
    except (DataSourceError, sqlite3.Error):
        return
    for plain in drawn:
        try:
            yield plain, *verdict(reader, databases, schema, plain)
        except DataSourceError:
            continue  # A table that cannot be read.


def verdict(reader: QuestionReader, databases: Databases, schema: Schema, plain: Plain) -> tuple[str, str]:
    """``right``, ``wrong``, ``first``, ``offered`` or ``none``, and the first reading in words."""
    readings = reader.read(plain.text, schema).readings
    golds = [Gold(databases.ask(schema.source, sql)) for sql in plain.golds]
    rows = [databases.ask(schema.source, reading.sql) for reading in readings[:OFFERED]]
    good = [any(gold.matches(some) for gold in golds) for some in rows]
    says = f"{readings[0].confidence:.2f} {readings[0].says}" if readings else ""
    if readings and readings[0].confidence >= THRESHOLD:
        return ("right" if good[0] else "wrong"), says
    return ("first" if good and good[0] else "offered" if any(good) else "none"), says


def table(counts: dict[str, Counter[str]]) -> str:
    """The shares of each template as a table."""
    lines = [f"{'':<24}{'n':>6}{'right':>8}{'wrong':>8}{'first':>8}{'offered':>9}"]
    for name, verdicts in counts.items():
        n = verdicts.total()
        shares = (verdicts[verdict] / n for verdict in ("right", "wrong", "first", "offered"))
        lines.append(f"{name:<24}{n:>6}{{:>8.3f}}{{:>8.3f}}{{:>8.3f}}{{:>9.3f}}".format(*shares))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
