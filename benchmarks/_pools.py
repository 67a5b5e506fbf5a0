"""The candidates of every question of a set, with their features and verdicts on their rows; built once and kept."""

from __future__ import annotations

import pickle
import sqlite3
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from _sets import Databases, load, load_unanswerable, today_of
from _verdicts import Gold

from kbtui.domain.analysis import Schema
from kbtui.errors import DataSourceError
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.lattice import Lattice
from kbtui.nl2sql.pool import Entry, entries_of, features_of, one_by_one
from kbtui.nl2sql.stages import shipped_stages

_ROWS = 5000
"""Rows of a candidate that are compared with the gold."""
_SECONDS = 20.0
"""For the candidates of one question, all of them tried."""


@dataclass
class Pool:
    """One question with its candidates, best prior first.

    Attributes:
        matrix: Features, shape (candidates, names).
        right: Whether each brings the rows of the gold or of an alternative, or says yes or no as it does.
        answers: The same number for candidates that bring the same rows.
        statements: Of all candidates, as they would be run.
        miss: Why no candidate is right, as far as the statements tell; empty where one is.
        seconds: Spent by stage.
    """

    item: dict[str, Any]
    source: str
    names: tuple[str, ...]
    matrix: np.ndarray
    right: np.ndarray
    answers: np.ndarray
    statements: list[str] = field(default_factory=list)
    unread: tuple[str, ...] = ()
    miss: str = ""
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def database(self) -> str:
        """The database with the source's name, for sets that share a name."""
        return f"{self.source}/{self.item['db']}"

    @property
    def answerable(self) -> bool:
        return bool(self.item["kind"] != "unanswerable")


def pools_of(folder: Path, cache: Path, *, every: int, most: int, workers: int, again: bool) -> list[Pool]:
    """The pools of a set: from the cache, or built by ``workers`` processes, a database at a time."""
    source = folder.resolve().name
    kept = cache / f"{source}-{every}-{most}.pickle"
    if kept.is_file() and not again:
        return list(pickle.loads(kept.read_bytes()))
    items = [{"kind": "question", "lang": "en", **item} for item in load(folder)]
    items = [item for item in items if item["kind"] != "schema"][::every]
    items += [{"lang": "en", **item, "kind": "unanswerable"} for item in load_unanswerable(folder)]
    by_database: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for item in items:
        by_database[item["db"]].append(item)
    jobs = [(folder, name, some, most) for name, some in by_database.items()]
    pools: list[Pool] = []
    with ProcessPoolExecutor(workers) as executor:
        for done in executor.map(_built, jobs):
            pools += done
            print(f"{source}: {len(pools)} of {len(items)}", end="\r", file=sys.stderr, flush=True)

    cache.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(pickle.dumps(pools))
    return pools


def _built(job: tuple[Path, str, list[dict[str, Any]], int]) -> list[Pool]:
    folder, database, items, most = job
    databases = Databases(folder / "databases")
    schema = databases.schema(database)
    today = today_of(folder)
    catalogue = shipped_stages().profile(schema, lambda sql: databases.ask(database, sql), None, today)
    return [_pool(item, databases, schema, catalogue, folder.resolve().name, most, today) for item in items]


def _pool(
    item: dict[str, Any],
    databases: Databases,
    schema: Schema,
    catalogue: Catalogue,
    source: str,
    most: int,
    today: date,
) -> Pool:
    stages, marks = shipped_stages(), [time.perf_counter()]
    question = stages.read(item["question"], today)
    marks.append(time.perf_counter())
    lattice = stages.link(question, catalogue)
    marks.append(time.perf_counter())
    candidates = stages.candidates(lattice)
    marks.append(time.perf_counter())

    def ask(sql: str) -> list[tuple[Any, ...]]:
        return databases.ask(item["db"], sql)

    entries = entries_of(
        candidates,
        lambda query: stages.write(query, catalogue, ()),
        one_by_one(ask),
        most=most,
        rows=_ROWS,
        seconds=_SECONDS,
    )
    marks.append(time.perf_counter())
    features = features_of(entries, lattice)
    marks.append(time.perf_counter())
    golds = _golds(item, databases)
    numbers: dict[Any, int] = {}
    answers = [numbers.setdefault(entry.answer, len(numbers)) for entry in entries]
    verdicts: dict[int, bool] = {}
    for answer, entry in zip(answers, entries, strict=True):
        if answer not in verdicts:
            verdicts[answer] = _is_right(item, entry, golds)
    right = np.array([verdicts[answer] for answer in answers], bool)
    names = tuple(sorted({name for each in features for name in each}))
    stage_names = ("read", "link", "generate", "try", "features")
    return Pool(
        item=item,
        source=source,
        names=names,
        matrix=np.array([[each.get(name, 0.0) for name in names] for each in features], np.float32),
        right=right,
        answers=np.array(answers, np.int32),
        statements=[str(stages.write(entry.candidate.query, catalogue, ())) for entry in entries],
        unread=_unread(lattice, entries[0].candidate.unread if entries else ()),
        miss=""
        if right.any() or item["kind"] == "unanswerable"
        else _miss(item, [entry.sql for entry in entries], schema),
        seconds={name: b - a for name, a, b in zip(stage_names, marks, marks[1:], strict=False)},
    )


def _is_right(item: dict[str, Any], entry: Entry, golds: Sequence[Gold]) -> bool:
    """As `_verdicts` has it: yes or no by its word, everything else by its rows."""
    rows = entry.rows or ()
    if item["kind"] == "yes_no" and entry.candidate.query.truth and golds:
        return bool(rows and rows[0][0]) == bool(golds[0].rows and golds[0].rows[0][0])
    return any(gold.matches(rows) for gold in golds)


def _golds(item: dict[str, Any], databases: Databases) -> list[Gold]:
    if item["kind"] == "unanswerable":
        return []
    ordered, golds = bool(item.get("ordered")), []
    first = item.get("gold_rows")
    if first is not None:
        golds.append(Gold(first, ordered))
    statements = [item["gold_sql"], *item.get("gold_alternatives", ())]
    # A share is as right as a fraction; rounded to two decimals the two can no longer be told to be the same.
    fractions = [sql.replace("100.0", "1.0").replace("100*", "1.0*") for sql in statements if "100" in sql]
    for sql in statements[first is not None :] + fractions:
        try:
            golds.append(Gold(databases.ask(item["db"], sql), ordered))
        except (DataSourceError, sqlite3.Error):
            continue
    return golds


def _unread(lattice: Lattice, tokens: Iterable[int]) -> tuple[str, ...]:
    return tuple(lattice.question.tokens[at].text for at in tokens)


@lru_cache(maxsize=20_000)
def _parts(sql: str, dialect: str) -> tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str]]:
    """Tables, columns, literals and operators of a statement."""
    import sqlglot
    from sqlglot import exp

    try:
        tree = sqlglot.parse_one(sql, dialect=dialect)
    except sqlglot.errors.SqlglotError:
        return frozenset(), frozenset(), frozenset(), frozenset()
    operators = {type(node).__name__ for node in tree.find_all(exp.AggFunc, exp.SetOperation, exp.Window, exp.Having)}
    operators |= {"GROUP" for _ in tree.find_all(exp.Group)} | {"LIMIT" for _ in tree.find_all(exp.Limit)}
    operators |= {"nested" for _ in tree.find_all(exp.Subquery, exp.In, exp.Exists) if _.find(exp.Select) is not None}
    return (
        frozenset(node.name.lower() for node in tree.find_all(exp.Table)),
        frozenset(node.name.lower() for node in tree.find_all(exp.Column)),
        frozenset(str(node.this).lower() for node in tree.find_all(exp.Literal)) - {"1", "0"},
        frozenset(operators),
    )


def _miss(item: dict[str, Any], statements: Sequence[str], schema: Schema) -> str:
    """What of the gold no candidate has: a table, a column, a literal, an operator; or only their combination."""
    if not statements:
        return "no candidate"
    known = {column.name.lower() for table in schema.tables for column in table.columns}
    tried = [_parts(sql, schema.dialect) for sql in statements]
    reasons = []
    for sql in (item["gold_sql"], *item.get("gold_alternatives", ())):
        tables, columns, literals, operators = _parts(sql, schema.dialect)
        # SQLite takes a name in double quotes that no column has for text.
        gold = tables, columns & known, literals | (columns - known), operators
        for place, name in enumerate(("table", "column", "literal", "operator")):
            lacking = gold[place].difference(*(each[place] for each in tried))
            if lacking:
                reasons.append((place, f"{name}: {', '.join(sorted(lacking))}"))
                break
        else:
            reasons.append((4, "combination: " + ", ".join(sorted(gold[3]))))
    return max(reasons)[1]


def oracle(pools: Sequence[Pool]) -> Iterator[str]:
    """Lines on how often right rows are among the candidates, and on why they are not."""
    asked = [pool for pool in pools if pool.answerable]
    groups: dict[str, list[Pool]] = defaultdict(list)
    for pool in asked:
        groups[pool.source].append(pool)
        groups[f"{pool.source} {pool.item['lang']}"].append(pool)
        if pool.item["kind"] != "question":
            groups[f"  {pool.item['kind']}"].append(pool)
    yield f"{'':<28}{'n':>6}{'pool':>7}{'top 1':>7}{'top 5':>7}{'top 20':>7}{'top 40':>7}{'size':>7}"
    for name, some in sorted(groups.items()):
        within = [sum(bool(pool.right[:most].any()) for pool in some) / len(some) for most in (10_000, 1, 5, 20, 40)]
        size = float(np.median([len(pool.right) for pool in some]))
        yield f"{name:<28}{len(some):>6}" + "".join(f"{share:>7.3f}" for share in within) + f"{size:>7.0f}"
    times = defaultdict(list)
    for pool in pools:
        for stage, seconds in pool.seconds.items():
            times[stage].append(1000 * seconds)
    yield "ms p50/p95: " + ", ".join(
        f"{stage} {np.percentile(some, 50):.1f}/{np.percentile(some, 95):.1f}" for stage, some in times.items()
    )
    yield from _misses(asked)


def _misses(asked: Sequence[Pool]) -> Iterator[str]:
    """Reasons of misses by source, and the questions behind them."""
    for source in dict.fromkeys(pool.source for pool in asked):
        missed = [pool for pool in asked if pool.source == source and pool.miss]
        kinds = Counter(pool.miss.split(":")[0] for pool in missed)
        operators = Counter(pool.miss for pool in missed if pool.miss.startswith(("operator", "combination")))
        unread = Counter(word.lower() for pool in missed for word in pool.unread)
        yield f"\n{source}: {len(missed)} without a right candidate: {dict(kinds.most_common())}"
        yield f"  most often: {operators.most_common(12)}"
        yield f"  unread by the first candidate: {unread.most_common(40)}"
        for pool in missed:
            yield f"  [{pool.item['db']}] {pool.item['question']}  | {pool.miss} | unread {' '.join(pool.unread)}"
            yield f"      gold  {pool.item['gold_sql']}"
            yield from (f"      tried {sql}" for sql in pool.statements[:1])
