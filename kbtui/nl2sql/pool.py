"""The candidates of one question with their statements, first rows and features: what is ranked."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import islice
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from kbtui.data.batches import in_turn
from kbtui.errors import KbtuiError
from kbtui.nl2sql.candidate import Candidate
from kbtui.nl2sql.column_statistics import Ask, AskEach
from kbtui.nl2sql.features import FeatureReader, with_comparisons
from kbtui.nl2sql.lattice import Lattice
from kbtui.nl2sql.query import Agg, Query
from kbtui.nl2sql.row_features import LOOKED_AT, Rows, answer_of

Write = Callable[[Query], "str | None"]
"""The statement of a query; None where no keys join its tables."""

TRIED: Final = 40
"""Candidates whose rows are looked at."""
SECONDS: Final = 0.3
"""For trying candidates of one question, by the clock of the source: that of SQLite counts steps."""


class Entry(Struct, frozen=True):
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
    ask: AskEach | None,
    *,
    most: int = TRIED,
    rows: int = LOOKED_AT,
    seconds: float = SECONDS,
) -> list[Entry]:
    """The first ``most`` candidates that can be written and run.

    Args:
        ask: Without it no candidate is run.
        rows: How many are read of each at most.
        seconds: For ``most`` of them; after that a quarter is enough.
    """
    written = (each for candidate in candidates if (each := _written(candidate, write, rows)) is not None)
    if ask is None:
        return [Entry(each.candidate, each.sql) for each in islice(written, most)]
    entries: list[Entry] = []
    while batch := list(islice(written, most - len(entries))):
        share = seconds * len(batch) / most  # Of the budget, not what a clock leaves: no question is read by luck.
        probes = [f"SELECT * FROM ({each.sql}) AS probe LIMIT {rows}" for each in batch]  # noqa: S608 - our own
        try:
            results = ask(probes, share, max(0, most // 4 - len(entries)))
        except KbtuiError:
            break
        entries += [_entry(each, found) for each, found in zip(batch, results, strict=False) if found is not None]
        if len(results) < len(batch):
            break
    return entries


def one_by_one(ask: Ask) -> AskEach:
    """Several statements by way of a function that runs one."""

    def ask_each(statements: Sequence[str], seconds: float, enough: int) -> list[Rows | None]:
        return in_turn(ask, statements, seconds=seconds, enough=enough, failures=KbtuiError)

    return ask_each


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
        for each, answer in zip(with_comparisons(found), answers, strict=True)
    ]


class _Written(NamedTuple):
    """A candidate as it is tried.

    Attributes:
        watched: Its statement reads the row after the last one as well.
    """

    candidate: Candidate
    sql: str
    watched: bool


def _written(candidate: Candidate, write: Write, most: int) -> _Written | None:
    watched = _with_next(candidate.query, most)
    sql = write(watched or candidate.query)
    return None if sql is None else _Written(candidate, sql, watched is not None)


def _entry(written: _Written, rows: Rows) -> Entry:
    query = written.candidate.query
    if not written.watched or query.limit is None:
        return Entry(written.candidate, written.sql, rows)
    tied = len(rows) > query.limit and rows[query.limit - 1][-1] == rows[query.limit][-1]
    width = len(query.select)
    return Entry(written.candidate, written.sql, [tuple(row[:width]) for row in rows[: query.limit]], tied)


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
