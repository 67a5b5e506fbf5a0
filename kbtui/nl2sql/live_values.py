"""Values that no list has: words that nothing explains, looked up in the columns that have too many values to list."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from kbtui.errors import KbtuiError
from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo
from kbtui.nl2sql.column_statistics import AskEach
from kbtui.nl2sql.lattice import How, Lattice, Mention
from kbtui.nl2sql.query import AnyOf, Col, Cond, Query, Ref
from kbtui.nl2sql.selection import in_order
from kbtui.nl2sql.value_index import MOST_FORMS, units_of
from kbtui.question.model import TokenSpan
from kbtui.text.language import has_cjk

_SECONDS: Final = 0.1
_COLUMNS: Final = 8
_RUNS: Final = 3
_LONGEST_RUN: Final = 6
_SHORTEST: Final = 2
"""Characters of the shortest words that are looked up; of Latin ones one more."""
_EXPLAINED: Final = 0.7
_LISTED: Final = ("name", "category", "code", "text")
_WHOLE: Final[tuple[float, How]] = (1.0, "exact")
_PART: Final[tuple[float, How]] = (0.72, "part")
"""Score and kind of a link to a value that is the words, and to one that has them among others."""


class _Run(NamedTuple):
    """Consecutive words that nothing explains, as typed and by their units."""

    span: TokenSpan
    text: str
    units: tuple[str, ...]


def with_live_values(lattice: Lattice, write: Callable[[Query], str | None], ask: AskEach) -> Lattice:
    """The lattice with values that the source has for words that stand for nothing else.

    Sends nothing where every word stands for something, or all values are listed.

    Args:
        write: Writes a statement; None where it cannot.
        ask: Runs the statements, one for each of the few columns that are looked into.
    """
    runs = list(islice(_runs(lattice), _RUNS))
    columns = list(islice(_columns(lattice), _COLUMNS)) if runs else []
    written = [(column, sql) for column in columns if (sql := write(_statement(column.ref, runs))) is not None]
    if not written:
        return lattice
    try:
        answers = ask([sql for _, sql in written], _SECONDS, 1)
    except KbtuiError:
        return lattice
    found = [
        mention
        for (column, _), rows in zip(written, answers, strict=False)
        for run in runs
        for mention in _mentions(run, column.ref, [row[0] for row in rows or ()])
    ]
    if not found:
        return lattice
    return Lattice(
        question=lattice.question, catalogue=lattice.catalogue, mentions=in_order([*lattice.mentions, *found])
    )


def _runs(lattice: Lattice) -> Iterator[_Run]:
    question = lattice.question
    explained = {at for mention in lattice.mentions if _explains(mention) for at in range(*mention.span)}
    first = 0
    tokens = question.tokens
    for at in range(len(tokens) + 1):
        if at < len(tokens) and tokens[at].content and tokens[at].kind != "punctuation" and at not in explained:
            continue
        if 0 < at - first <= _LONGEST_RUN:
            span = TokenSpan(first, at)
            units = units_of(text := question.words(span))
            if len(text) >= _SHORTEST + text.isascii() and not text.isdigit():
                yield _Run(span, text, units)
        first = at + 1


def _explains(mention: Mention) -> bool:
    strength = mention.cue.weight if mention.cue is not None else mention.score
    return strength >= _EXPLAINED and mention.how != "typo"


def _columns(lattice: Lattice) -> Sequence[ColumnInfo]:
    """Columns whose values are not all listed: those of tables that the question names first, then those that name."""
    catalogue: Catalogue = lattice.catalogue
    named = {m.ref.table for m in lattice.mentions if m.kind == "table" and m.ref is not None}
    naming = {ref for table in catalogue.tables.values() for ref in table.naming}
    columns = [
        column
        for table in catalogue.tables.values()
        for column in table.columns
        if not table.role_of and column.kind in _LISTED and not column.complete and not column.encoding
    ]
    return sorted(columns, key=lambda column: (column.ref.table not in named, column.ref not in naming))


def _statement(ref: Ref, runs: Sequence[_Run]) -> Query:
    column = Col(ref)
    conds = tuple(Cond(column, "like", f"%{run.text}%", fold=True) for run in runs)
    where = (AnyOf(conds),) if len(conds) > 1 else conds
    return Query(select=(column,), distinct=True, where=where, limit=_RUNS * MOST_FORMS)


def _mentions(run: _Run, ref: Ref, values: Sequence[Any]) -> Iterator[Mention]:
    """The values that are the words, else those that have them among theirs."""
    spelt = [(value, units_of(value)) for value in values if isinstance(value, str)]
    whole = tuple(value for value, units in spelt if units == run.units)
    # Chinese has no words that a part could end in the middle of.
    glue = "" if has_cjk(run.text) else " "
    part = glue + glue.join(run.units) + glue
    inside = tuple(value for value, units in spelt if part in glue + glue.join(units) + glue)
    score, how = _WHOLE if whole else _PART
    if 0 < len(found := whole or inside) <= MOST_FORMS:
        yield Mention(span=run.span, kind="value", score=score, how=how, ref=ref, values=found)
