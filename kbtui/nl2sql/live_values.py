"""Looks up words without any link in columns that have too many values to list."""

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
from kbtui.nl2sql.value_index import MAX_FORMS, units_of
from kbtui.question.model import TokenSpan
from kbtui.text.language import has_cjk

_SECONDS: Final = 0.1
_MAX_COLUMNS: Final = 8
_MAX_RUNS: Final = 3
_MAX_RUN_LENGTH: Final = 6
_MIN_CHARACTERS: Final = 2
"""Characters of words that are looked up, at least; one more for Latin letters."""
_MIN_SCORE: Final = 0.7
_TEXT_KINDS: Final = ("name", "category", "code", "text")
_WHOLE: Final[tuple[float, How]] = (1.0, "exact")
_PART: Final[tuple[float, How]] = (0.72, "part")
"""Score and kind of link for a value that equals the words, and for one that contains them."""


class _Run(NamedTuple):
    """Consecutive words without a link, as typed and as units."""

    span: TokenSpan
    text: str
    units: tuple[str, ...]


def with_live_values(lattice: Lattice, write: Callable[[Query], str | None], ask: AskEach) -> Lattice:
    """The lattice with values of the source for words that have no other link.

    Sends no statement if all words have links or all values are listed.

    Args:
        write: Writes a statement; returns None if it cannot.
        ask: Runs the statements, one for each column.
    """
    runs = list(islice(_runs(lattice), _MAX_RUNS))
    columns = list(islice(_columns(lattice), _MAX_COLUMNS)) if runs else []
    statements = [(column, sql) for column in columns if (sql := write(_statement(column.ref, runs))) is not None]
    if not statements:
        return lattice
    try:
        answers = ask([sql for _, sql in statements], _SECONDS, 1)
    except KbtuiError:
        return lattice
    mentions = [
        mention
        for (column, _), rows in zip(statements, answers, strict=False)
        for run in runs
        for mention in _mentions(run, column.ref, [row[0] for row in rows or ()])
    ]
    if not mentions:
        return lattice
    return Lattice(
        question=lattice.question, catalogue=lattice.catalogue, mentions=in_order([*lattice.mentions, *mentions])
    )


def _runs(lattice: Lattice) -> Iterator[_Run]:
    question = lattice.question
    linked = {at for mention in lattice.mentions if _is_link(mention) for at in range(*mention.span)}
    first = 0
    tokens = question.tokens
    for at in range(len(tokens) + 1):
        if at < len(tokens) and tokens[at].content and tokens[at].kind != "punctuation" and at not in linked:
            continue
        if 0 < at - first <= _MAX_RUN_LENGTH:
            span = TokenSpan(first, at)
            units = units_of(text := question.words(span))
            if len(text) >= _MIN_CHARACTERS + text.isascii() and not text.isdigit():
                yield _Run(span, text, units)
        first = at + 1


def _is_link(mention: Mention) -> bool:
    strength = mention.cue.weight if mention.cue is not None else mention.score
    return strength >= _MIN_SCORE and mention.how != "typo"


def _columns(lattice: Lattice) -> Sequence[ColumnInfo]:
    """Columns with unlisted values, those of mentioned tables first, then naming columns."""
    catalogue: Catalogue = lattice.catalogue
    mentioned = {m.ref.table for m in lattice.mentions if m.kind == "table" and m.ref is not None}
    naming = {ref for table in catalogue.tables.values() for ref in table.naming}
    columns = [
        column
        for table in catalogue.tables.values()
        for column in table.columns
        if not table.role_of and column.kind in _TEXT_KINDS and not column.complete and not column.encoding
    ]
    return sorted(columns, key=lambda column: (column.ref.table not in mentioned, column.ref not in naming))


def _statement(ref: Ref, runs: Sequence[_Run]) -> Query:
    column = Col(ref)
    conds = tuple(Cond(column, "like", f"%{run.text}%", fold=True) for run in runs)
    where = (AnyOf(conds),) if len(conds) > 1 else conds
    return Query(select=(column,), distinct=True, where=where, limit=_MAX_RUNS * MAX_FORMS)


def _mentions(run: _Run, ref: Ref, values: Sequence[Any]) -> Iterator[Mention]:
    """A mention of the values that equal the words, else of those that contain them."""
    units_by_value = [(value, units_of(value)) for value in values if isinstance(value, str)]
    equal = tuple(value for value, units in units_by_value if units == run.units)
    # Chinese has no spaces, so parts of words match too.
    separator = "" if has_cjk(run.text) else " "
    part = separator + separator.join(run.units) + separator
    containing = tuple(value for value, u in units_by_value if part in separator + separator.join(u) + separator)
    score, how = _WHOLE if equal else _PART
    if 0 < len(matches := equal or containing) <= MAX_FORMS:
        yield Mention(span=run.span, kind="value", score=score, how=how, ref=ref, values=matches)
