"""Whether a statement is about what the question is about: its head, the thing that a number counts or measures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kbtui.nl2sql.candidate import Use
from kbtui.nl2sql.lattice import Mention
from kbtui.nl2sql.query import Agg, Cond, Query, Ref, aggregates_in, refs_of
from kbtui.nl2sql.rivals import LINKS
from kbtui.nl2sql.shape import literals_of, nested, plain_ref
from kbtui.question.model import NumberMention, Question, TokenSpan

_ASKING: Final = ("wh", "list", "count", "how_much", "top", "truth", "exists", "distinct")
"""Operators that stand before what is asked for."""
_NEAR: Final = 2
"""Tokens between a number and the word that it belongs to, at most."""


class Subject:
    """What one question is about, against the statements that may answer it."""

    def __init__(self, question: Question) -> None:
        asking = [cue.span.last for cue in question.cues if cue.op in _ASKING]
        self._start = min(asking, default=0)
        self._numbers: dict[float, list[NumberMention]] = {}
        for number in question.numbers:
            self._numbers.setdefault(float(number.value), []).append(number)

    def features(self, query: Query, uses: Sequence[Use]) -> dict[str, float]:
        """Features of one candidate."""
        links = sorted((use for use in uses if use.mention.kind in LINKS), key=lambda use: use.mention.span)
        found: dict[str, float] = {}
        main = main_table(query)
        if links and main:
            asked = [use for use in links if use.mention.span.first >= self._start]
            for name, use in (("head", (asked or links)[0]), ("tail", links[-1])):
                table = _table_of(use.mention)
                found[f"{name}_{use.role}"] = 1.0
                found[f"{name}_in_main"] = float(table == main)
                found[f"{name}_is_table"] = float(use.mention.kind == "table")
            named = [_table_of(use.mention) for use in links if use.mention.kind == "table"]
            found["main_named"] = float(main in named)
            found["main_named_first"] = float(bool(named) and named[0] == main)
            found["main_passed_over"] = float(bool(named) and main not in named)
            filters = [_table_of(use.mention) == main for use in links if use.role == "filter"]
            found["filters_elsewhere"] = float(filters.count(False))
        for name in self._numerals(query, [use.mention for use in links]):
            found[name] = found.get(name, 0.0) + 1.0
        return {name: value for name, value in found.items() if value}

    def _numerals(self, query: Query, links: Sequence[Mention]) -> Iterator[str]:
        """Whether the words beside a number are those of the figure that is compared with it."""
        for select in nested(query):
            for cond in select.conditions():
                literals = [value for value in literals_of(cond) if isinstance(value, int | float)]
                for number in (number for value in literals for number in self._numbers.get(float(value), ())):
                    beside = [mention for mention in links if _distance(mention.span, number.span) <= _NEAR]
                    refs = set(refs_of(cond.left))
                    kind = "counted" if _counts(cond) else "compared"
                    if beside:
                        near = any(mention.ref in refs or _is_of(mention, refs) for mention in beside)
                        yield f"{kind}_{'beside' if near else 'apart'}"
                    else:
                        yield f"{kind}_alone"


def main_table(query: Query) -> str:
    """The table whose rows are counted, measured or listed; empty where there is none."""
    for expr in query.select:
        for aggregate in aggregates_in(expr):
            return _first_table(aggregate)
    for expr in query.select:
        ref = plain_ref(expr)
        if ref is not None:
            return ref.table
    return ""


def _first_table(aggregate: Agg) -> str:
    return next((ref.table for ref in refs_of(aggregate)), "")


def _table_of(mention: Mention) -> str:
    if mention.ref is not None:
        return mention.ref.table
    ref = plain_ref(mention.cond.left) if mention.cond is not None else None
    return ref.table if ref is not None else ""


def _counts(cond: Cond) -> bool:
    return isinstance(cond.left, Agg) and cond.left.fn == "count"


def _is_of(mention: Mention, refs: set[Ref]) -> bool:
    """Whether a table is named whose rows are counted, or a column of it whatever it is."""
    return any(ref.column == "*" and ref.table == _table_of(mention) for ref in refs)


def _distance(first: TokenSpan, second: TokenSpan) -> int:
    return max(second.first - first.last, first.first - second.last, 0)
