"""Asks databases the plainest questions that their structure allows, whose answers are known by construction.

    python benchmarks/plain_questions.py DIR... [--each N] [--seed N] [--show N] [--json]

Each ``DIR`` holds ``databases/*.sqlite``. Of each database N questions are drawn: totals and means of a measure, by a
category or not, rows counted by category or month, by a value, the largest rows. The words are those of the names of
tables and columns, so that nothing has to be guessed: what is not answered, and what is answered wrongly, is a fault of
profiling, linking or reading. Columns whose numbers or dates are kept as text are left out, because the statements that
tell the right rows are made from templates.

    right, wrong   answered at default settings
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
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from _sets import Databases, today_of
from _verdicts import Gold

from kbtui.domain.analysis import Schema
from kbtui.errors import DataSourceError
from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo, TableInfo
from kbtui.nl2sql.gate import THRESHOLD
from kbtui.nl2sql.reader import QuestionReader
from kbtui.nl2sql.stages import shipped_stages
from kbtui.nl2sql.words import Words
from kbtui.text.plurals import plural

OFFERED = 4
_MIN_ROWS = 20
_MOST_CATEGORIES = 40
_TOP = 5
_MIN_HIGH = 10


WORDINGS = (
    {
        "count": "how many {rows} are there",
        "total": "total {name} of {rows}",
        "average": "average {name} of {rows}",
        "total by": "total {name} by {by}",
        "average per": "average {name} per {by}",
        "count by": "number of {rows} by {by}",
        "rows by": "{rows} by {by}",
        "distinct": "list the different {by} of {rows}",
        "with value": "how many {rows} have {by} {value}",
        "by month": "{rows} per month",
        "most rows": "which {by} has the most {rows}",
        "top by total": "top 3 {by} by total {name}",
        "over": "how many {rows} have {name} over {value}",
    },
    {
        "count": "一共有多少{rows}",
        "total": "{rows}的{name}合计是多少",
        "average": "{rows}的平均{name}",
        "total by": "各{by}的{name}合计",
        "average per": "每个{by}的平均{name}",
        "count by": "按{by}统计{rows}数量",
        "rows by": "各{by}有多少{rows}",
        "distinct": "{rows}有哪些{by}",
        "with value": "{by}是{value}的{rows}有多少",
        "by month": "每个月有多少{rows}",
        "most rows": "哪个{by}的{rows}最多",
        "top by total": "{name}合计最高的3个{by}",
        "over": "{name}超过{value}的{rows}有多少",
    },
)
"""Wordings of the templates, in English and Chinese."""


@dataclass(frozen=True)
class Plain:
    """A question with the statement that brings its rows."""

    template: str
    text: str
    sql: str
    ordered: bool = False


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
                        f"{verdict:<8} {path.stem}: {plain.text}\n         {says}\n         {plain.sql}",
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
    except (DataSourceError, sqlite3.Error):
        return
    by_template: dict[str, list[Plain]] = defaultdict(list)
    for plain in questions(catalogue):
        by_template[plain.template].append(plain)
    templates = [draw.choice(some) for some in by_template.values()]
    for plain in draw.sample(templates, min(each, len(templates))):
        try:
            yield plain, *verdict(reader, databases, schema, plain)
        except DataSourceError:
            continue  # A table that cannot be read.


def verdict(reader: QuestionReader, databases: Databases, schema: Schema, plain: Plain) -> tuple[str, str]:
    """``right``, ``wrong``, ``offered`` or ``none``, and the first reading in words."""
    readings = reader.read(plain.text, schema).readings
    gold = Gold(databases.ask(schema.source, plain.sql), plain.ordered)
    good = [gold.matches(databases.ask(schema.source, reading.sql)) for reading in readings[:OFFERED]]
    says = f"{readings[0].confidence:.2f} {readings[0].says}" if readings else ""
    if readings and readings[0].confidence >= THRESHOLD:
        return ("right" if good[0] else "wrong"), says
    return ("offered" if any(good) else "none"), says


def questions(catalogue: Catalogue) -> Iterator[Plain]:
    """All plain questions of a database, in English or Chinese as its names are."""
    for zh in (0, 1):
        words = Words(catalogue, zh)
        names = Counter(words.column(info.ref) for table in catalogue.tables.values() for info in table.columns)
        for info in catalogue.tables.values():
            rows = words.table(info.name)
            if (info.rows or 0) >= _MIN_ROWS and _is_in(rows, zh):
                # A name that several tables have would have to be told apart.
                clear = {ref: text for ref, text in _named(info, words) if names[text] == 1 and _is_in(text, zh)}
                yield from _of_table(info, rows, clear, WORDINGS[zh])


def _is_in(text: str, zh: int) -> bool:
    return text.isascii() if not zh else not any(character.isascii() for character in text)


def _named(info: TableInfo, words: Words) -> Iterator[tuple[str, str]]:
    for column in info.columns:
        if not column.encoding and not column.formula and not column.date_format:
            yield column.ref.column, words.column(column.ref)


def _of_table(info: TableInfo, rows: str, names: dict[str, str], wording: dict[str, str]) -> Iterator[Plain]:
    of_kind: dict[str, list[ColumnInfo]] = defaultdict(list)
    for column in info.columns:
        if column.ref.column in names:
            of_kind[column.kind].append(column)
    groups = [column for column in of_kind["category"] if _groups_rows(column, info.rows or 0)]
    table = f'"{info.name}"'

    def plain(template: str, sql: str, **words: str) -> Plain:
        return Plain(template, wording[template].format(rows=rows, **words), sql.format(table=table))

    yield plain("count", "SELECT COUNT(*) FROM {table}")
    for measure in of_kind["measure"]:
        m, name = f'"{measure.ref.column}"', names[measure.ref.column]
        yield plain("total", f"SELECT SUM({m}) FROM {{table}}", name=name)
        yield plain("average", f"SELECT AVG({m}) FROM {{table}}", name=name)
        if isinstance(measure.high, float) and measure.high > _MIN_HIGH:
            half = round(measure.high / 2)
            yield plain("over", f"SELECT COUNT(*) FROM {{table}} WHERE {m} > {half}", name=name, value=str(half))
        for group in groups:
            g, by = f'"{group.ref.column}"', names[group.ref.column]
            top = f"SELECT {g} FROM {{table}} GROUP BY {g} ORDER BY SUM({m}) DESC LIMIT 3"
            if group.distinct > _TOP:
                yield plain("top by total", top, name=name, by=plural(by) if by.isascii() else by)
            yield plain("total by", f"SELECT {g}, SUM({m}) FROM {{table}} GROUP BY {g}", name=name, by=by)
            yield plain("average per", f"SELECT {g}, AVG({m}) FROM {{table}} GROUP BY {g}", name=name, by=by)
    for group in groups:
        g, by = f'"{group.ref.column}"', names[group.ref.column]
        yield plain("count by", f"SELECT {g}, COUNT(*) FROM {{table}} GROUP BY {g}", by=by)
        yield plain("rows by", f"SELECT {g}, COUNT(*) FROM {{table}} GROUP BY {g}", by=by)
        yield plain("most rows", f"SELECT {g} FROM {{table}} GROUP BY {g} ORDER BY COUNT(*) DESC LIMIT 1", by=by)
        yield plain("distinct", f"SELECT DISTINCT {g} FROM {{table}}", by=plural(by) if by.isascii() else by)
        for value, count in group.values[:3]:
            if isinstance(value, str) and len(value) > 1 and count > 1 and not set(value) & set("'{}"):
                yield plain("with value", f"SELECT COUNT(*) FROM {{table}} WHERE {g} = '{value}'", by=by, value=value)
    if len(of_kind["date"]) == 1 and not (day := of_kind["date"][0]).nulls:
        month = f"""STRFTIME('%Y-%m', "{day.ref.column}")"""
        yield plain("by month", f"SELECT {month}, COUNT(*) FROM {{table}} GROUP BY 1")


def _groups_rows(column: ColumnInfo, rows: int) -> bool:
    """Whether a column has few values, written in one way, and none of them is missing."""
    values = [str(value).strip().lower() for value, _ in column.values]
    few = 1 < column.distinct <= min(_MOST_CATEGORIES, rows / 2)
    return few and not column.nulls and column.complete and len(set(values)) == len(values)


def table(counts: dict[str, Counter[str]]) -> str:
    """The shares of each template as a table."""
    lines = [f"{'':<14}{'n':>6}{'right':>8}{'wrong':>8}{'offered':>9}"]
    for name, verdicts in counts.items():
        n = verdicts.total()
        shares = (verdicts[verdict] / n for verdict in ("right", "wrong", "offered"))
        lines.append(f"{name:<14}{n:>6}{{:>8.3f}}{{:>8.3f}}{{:>9.3f}}".format(*shares))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
