"""The candidates of one question with their statements, first rows and features: what is ranked."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from kbtui.errors import KbtuiError
from kbtui.nl2sql.candidate import Candidate
from kbtui.nl2sql.features import FeatureReader, compared
from kbtui.nl2sql.lattice import Lattice
from kbtui.nl2sql.query import Agg, Query
from kbtui.nl2sql.row_features import LOOKED_AT, Rows, answer_of

Ask = Callable[[str], Sequence[Sequence[Any]]]
"""Rows of a statement over the source; raises a KbtuiError when it fails or takes too long."""
Write = Callable[[Query], "str | None"]
"""The statement of a query; None where no keys join its tables."""

TRIED: Final = 40
"""Candidates whose rows are looked at."""
SECONDS: Final = 0.8
"""For trying candidates of one question, where a source is slow to answer."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A candidate that the engine accepts.

    Attributes:
        rows: Its first rows; None where it was not run.
        tied: The row after the last one ranks the same.
    """

    candidate: Candidate
    sql: str
    rows: Rows | None = None
    tied: bool = False

    @property
    def answer(self) -> Hashable:
        """The same for entries that bring the same rows."""
        if self.rows is None:
            return self.sql
        query = self.candidate.query
        return query.truth, answer_of(self.rows, ordered=bool(query.order))


def entries_of(
    candidates: Sequence[Candidate],
    write: Write,
    ask: Ask | None,
    *,
    most: int = TRIED,
    rows: int = LOOKED_AT,
    seconds: float = SECONDS,
) -> list[Entry]:
    """The first ``most`` candidates that can be written and run.

    Args:
        ask: Without it no candidate is run.
        rows: How many are read of each at most.
        seconds: Time after which a quarter of them is enough.
    """
    entries: list[Entry] = []
    deadline = time.monotonic() + seconds
    for candidate in candidates:
        if len(entries) >= most or (len(entries) >= most // 4 and time.monotonic() > deadline):
            break
        entry = _entry(candidate, write, ask, rows)
        if entry is not None:
            entries.append(entry)
    return entries


def features_of(entries: Sequence[Entry], lattice: Lattice) -> list[dict[str, float]]:
    """Features of all entries of one question, each against the others."""
    reader = FeatureReader(lattice)
    found = []
    for entry in entries:
        tied = {"tied": float(entry.tied), "count_tied": float(entry.tied and _ranks_by_count(entry.candidate.query))}
        shown = entry.rows[:LOOKED_AT] if entry.rows is not None else None
        found.append(reader.features(entry.candidate, shown) | tied)
    answers = [entry.answer for entry in entries]
    agreeing = {answer: answers.count(answer) for answer in set(answers)}
    return [
        {**each, "agreeing": agreeing[answer] / len(answers)}
        for each, answer in zip(compared(found), answers, strict=True)
    ]


def _entry(candidate: Candidate, write: Write, ask: Ask | None, most: int) -> Entry | None:
    query = candidate.query
    watched = _with_next(query, most)
    sql = write(watched or query)
    if sql is None:
        return None
    if ask is None:
        return Entry(candidate, sql)
    try:
        rows = ask(f"SELECT * FROM ({sql}) AS probe LIMIT {most}")  # noqa: S608 - our own statement
    except KbtuiError:
        return None
    if watched is None or query.limit is None:
        return Entry(candidate, sql, rows)
    tied = len(rows) > query.limit and rows[query.limit - 1][-1] == rows[query.limit][-1]
    width = len(query.select)
    return Entry(candidate, sql, [tuple(row[:width]) for row in rows[: query.limit]], tied)


def _with_next(query: Query, most: int) -> Query | None:
    """A ranked list with the row after its last one and what it ranks by, which shows whether that row ties."""
    if query.limit is None or not 0 < query.limit < most or not query.order:
        return None
    if query.distinct or query.set_op or query.per or query.truth:
        return None
    return replace(query, select=(*query.select, query.order[0].expr), limit=query.limit + 1)


def _ranks_by_count(query: Query) -> bool:
    expr = query.order[0].expr if query.order else None
    return isinstance(expr, Agg) and expr.fn == "count"
