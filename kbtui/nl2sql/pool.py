"""The pool of a question: its candidates with statements, first rows and features, which are then ranked."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import islice
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from kbtui.data.batches import run_in_order
from kbtui.errors import KbtuiError
from kbtui.nl2sql.candidate import Candidate
from kbtui.nl2sql.column_statistics import Ask, AskEach
from kbtui.nl2sql.features import FeatureReader, with_comparisons
from kbtui.nl2sql.lattice import Lattice
from kbtui.nl2sql.query import Agg, Query
from kbtui.nl2sql.row_features import LOOKED_AT, Rows, answer_of

Write = Callable[[Query], "str | None"]
"""Writes a query as SQL; returns None if no keys join its tables."""

TRIED: Final = 40
"""Candidates that are run, at most."""
SECONDS: Final = 0.3
"""Time for running the candidates of one question, on the clock of the source (SQLite counts steps)."""


class Entry(Struct, frozen=True):
    """A candidate that the engine can run.

    Attributes:
        rows: Its first rows; None if it was not run.
        tied: Whether the row after the last one ranks the same.
    """

    candidate: Candidate
    sql: str
    rows: Rows | None = None
    tied: bool = False

    @property
    def answer(self) -> Hashable:
        """A key that is equal for entries with the same rows."""
        if self.rows is None:
            return self.sql
        query = self.candidate.query
        return query.truth, answer_of(self.rows, ordered=bool(query.order))


def entries_of(
    candidates: Sequence[Candidate],
    write: Write,
    ask: AskEach | None,
    *,
    most: int = TRIED,
    rows: int = LOOKED_AT,
    seconds: float = SECONDS,
) -> list[Entry]:
    """The first ``most`` candidates that can be written and run.

    Args:
        ask: Runs statements; None to run none.
        rows: Rows that are read of each, at most.
        seconds: Time for ``most`` candidates; after that a quarter of them is enough.
    """
    written = (statement for candidate in candidates if (statement := _probe_of(candidate, write, rows)) is not None)
    if ask is None:
        return [Entry(statement.candidate, statement.sql) for statement in islice(written, most)]
    entries: list[Entry] = []
    while batch := list(islice(written, most - len(entries))):
        batch_seconds = seconds * len(batch) / most  # Not the time left, so that results do not depend on speed.
        probes = [f"SELECT * FROM ({statement.sql}) AS probe LIMIT {rows}" for statement in batch]  # noqa: S608 - our own
        try:
            results = ask(probes, batch_seconds, max(0, most // 4 - len(entries)))
        except KbtuiError:
            break
        entries += [
            _entry(statement, first_rows)
            for statement, first_rows in zip(batch, results, strict=False)
            if first_rows is not None
        ]
        if len(results) < len(batch):
            break
    return entries


def one_by_one(ask: Ask) -> AskEach:
    """Runs several statements with a function that runs one."""

    def ask_each(statements: Sequence[str], seconds: float, enough: int) -> list[Rows | None]:
        return run_in_order(ask, statements, seconds=seconds, enough=enough, failures=KbtuiError)

    return ask_each


def features_of(entries: Sequence[Entry], lattice: Lattice) -> list[dict[str, float]]:
    """Features of all entries of a question, with comparisons between them."""
    reader = FeatureReader(lattice)
    feature_rows = []
    for entry in entries:
        tie_features = {
            "tied": float(entry.tied),
            "count_tied": float(entry.tied and _ranks_by_count(entry.candidate.query)),
        }
        first_rows = entry.rows[:LOOKED_AT] if entry.rows is not None else None
        feature_rows.append(reader.features(entry.candidate, first_rows) | tie_features)
    answers = [entry.answer for entry in entries]
    counts = {answer: answers.count(answer) for answer in set(answers)}
    return [
        {**row, "agreeing": counts[answer] / len(answers)}
        for row, answer in zip(with_comparisons(feature_rows), answers, strict=True)
    ]


class _Probe(NamedTuple):
    """A candidate as it is run.

    Attributes:
        has_next_row: Whether its statement reads one more row to detect ties.
    """

    candidate: Candidate
    sql: str
    has_next_row: bool


def _probe_of(candidate: Candidate, write: Write, most: int) -> _Probe | None:
    next_row_query = _with_next_row(candidate.query, most)
    sql = write(next_row_query or candidate.query)
    return None if sql is None else _Probe(candidate, sql, next_row_query is not None)


def _entry(written: _Probe, rows: Rows) -> Entry:
    query = written.candidate.query
    if not written.has_next_row or query.limit is None:
        return Entry(written.candidate, written.sql, rows)
    tied = len(rows) > query.limit and rows[query.limit - 1][-1] == rows[query.limit][-1]
    width = len(query.select)
    return Entry(written.candidate, written.sql, [tuple(row[:width]) for row in rows[: query.limit]], tied)


def _with_next_row(query: Query, most: int) -> Query | None:
    """A ranking with one more row and with its sort key, to detect a tie with that row; None for other queries."""
    if query.limit is None or not 0 < query.limit < most or not query.order:
        return None
    if query.distinct or query.set_op or query.per or query.truth:
        return None
    return replace(query, select=(*query.select, query.order[0].expr), limit=query.limit + 1)


def _ranks_by_count(query: Query) -> bool:
    expr = query.order[0].expr if query.order else None
    return isinstance(expr, Agg) and expr.fn == "count"
