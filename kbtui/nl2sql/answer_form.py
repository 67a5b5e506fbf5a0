"""Features of answers whose operators or form contradict the question: one row for “each”, an amount for “how many”.

Each is 1 where the statement does something that the words rule out, as far as its roles and the kinds of its columns
tell; the ranker and the gate weigh them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from datetime import date
from typing import Final

from kbtui.nl2sql.candidate import Candidate, Use
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.lattice import Lattice
from kbtui.nl2sql.lexicon import is_kind
from kbtui.nl2sql.query import Agg, Col, Cond, Query, Ref
from kbtui.nl2sql.shape import Shape, literals_of, outer_aggregate, plain_ref
from kbtui.question.model import Cue
from kbtui.text.word_lists import toml_in

_MIN_LINK: Final = 0.4
"""Score from which a word may also name the date of an event."""
_AMOUNT_CUES: Final = frozenset(("how_much", "sum", "avg"))


def answer_form(candidate: Candidate, lattice: Lattice, cues: Sequence[Cue]) -> dict[str, float]:
    """Features of contradictions between the question and the form of the answer: name to 1.0, absent ones left out."""
    query, catalogue = candidate.query, lattice.catalogue
    ops = {cue.op for cue in cues}
    figures = [figure for expr in query.select if (figure := outer_aggregate(expr)) is not None]
    dated = {ref for cond in query.conditions() if (ref := _dated(cond)) is not None}
    checks = (
        ("first_of_each", query.limit == 1 and any(cue.args.get("every") for cue in cues)),
        ("counted_is_group", _counts_groups(candidate.uses, cues)),
        ("amount_for_count", "count" in ops and not ops & _AMOUNT_CUES and _are_of_money(figures, catalogue)),
        ("money_table_counted", _counts_money(figures, candidate.uses, catalogue)),
        ("event_as_state", bool(dated) and _has_state_of_event(candidate.uses, dated, lattice)),
        ("other_date_filtered", bool(dated) and _shows_other_date(candidate.uses, dated, catalogue)),
        ("shows_its_filter", _shows_its_filter(query)),
        ("who_without_name", _lacks_person(query, catalogue, cues)),
    )
    return {name: 1.0 for name, holds in checks if holds}


def _counts_groups(uses: Sequence[Use], cues: Sequence[Cue]) -> bool:
    """Whether what follows “how many” is what rows are grouped by: how many cities, answered with a row for each."""
    for cue in cues:
        if cue.op == "count":
            following = [use for use in uses if use.mention.span.first >= cue.span.last and use.mention.kind != "cue"]
            if following and min(following, key=lambda use: use.mention.span.first).role == "group":
                return True
    return False


def _are_of_money(figures: Sequence[Agg], catalogue: Catalogue) -> bool:
    """Whether the only figures shown are sums or means of money."""
    return bool(figures) and all(figure.fn in ("sum", "avg") and _is_of_money(figure, catalogue) for figure in figures)


def _is_of_money(figure: Agg, catalogue: Catalogue) -> bool:
    ref = plain_ref(figure.arg)
    column = catalogue.column(ref) if ref is not None else None
    return column is not None and is_kind(column.concepts, "money")


def _counts_money(figures: Sequence[Agg], uses: Sequence[Use], catalogue: Catalogue) -> bool:
    """Whether only rows are counted, of a table that is named after money: refunds, fees, 物业费."""
    if not figures or any(figure.fn != "count" for figure in figures):
        return False
    tables = [use.mention.ref.table for use in uses if use.role == "subject" and use.mention.ref is not None]
    return any(is_kind(catalogue.tables[table].concepts, "money") for table in tables)


def _has_state_of_event(uses: Sequence[Use], dated: Set[Ref], lattice: Lattice) -> bool:
    """Whether a word is a state although it names the event of the date that has a period: orders shipped last week.

    Args:
        dated: Columns that have a period.
    """
    states = {use.mention.span for use in uses if use.role == "filter" and use.mention.kind in ("state", "value")}
    return bool(states) and any(
        mention.kind == "column" and mention.ref in dated and mention.span in states and mention.score >= _MIN_LINK
        for mention in lattice.mentions
    )


def _shows_other_date(uses: Sequence[Use], dated: Set[Ref], catalogue: Catalogue) -> bool:
    """Whether a period is one of another date than the date that is named and only shown: who joined this month.

    Args:
        dated: Columns that have a period.
    """
    shown = {use.mention.ref for use in uses if use.role == "shown" and use.mention.ref is not None}
    dates = {ref for ref in shown if (column := catalogue.column(ref)) is not None and column.kind == "date"}
    return bool(dates) and dates.isdisjoint(dated)


def _dated(cond: Cond) -> Ref | None:
    literals = literals_of(cond)
    return plain_ref(cond.left) if literals and isinstance(literals[0], date) else None


def _shows_its_filter(query: Query) -> bool:
    """Whether the first column shown is the one that a condition fixes: the name of the team called Elm."""
    if query.group or not query.select or not isinstance(query.select[0], Col):
        return False
    fixed = (cond for cond in query.where if isinstance(cond, Cond) and cond.op == "=" and isinstance(cond.right, str))
    return any(plain_ref(cond.left) == query.select[0].ref for cond in fixed)


def _lacks_person(query: Query, catalogue: Catalogue, cues: Sequence[Cue]) -> bool:
    """Whether the question asks who, and no name or key of anything is shown."""
    if not any(cue.op == "wh" and cue.args.get("type") == "person" for cue in cues):
        return False
    fixed = (plain_ref(cond.left) for cond in query.where if isinstance(cond, Cond) and cond.op == "=")
    # The boat that is asked about is not the person who owns it.
    things = {ref for ref in fixed if ref is not None and not is_kind(catalogue.tables[ref.table].concepts, "person")}
    return not any(ref not in things and _identifies(ref, catalogue) for ref in _shown(query))


def _are_people(key: Ref, catalogue: Catalogue) -> bool:
    table = catalogue.tables[key.table]
    return is_kind(table.concepts, "person") and bool(table.naming)


def _shown(query: Query) -> Iterator[Ref]:
    for expr in query.select:
        if outer_aggregate(expr) is None and (ref := plain_ref(expr)) is not None:
            yield ref


def _identifies(ref: Ref, catalogue: Catalogue) -> bool:
    column = catalogue.column(ref)
    if (
        column is not None
        and column.kind == "key"
        and any(_are_people(edge.right, catalogue) for edge in catalogue.leaving(ref.table))
    ):
        return False  # The number of a part says less than the name of the actor.
    return ref in catalogue.tables[ref.table].naming or (column is not None and is_kind(column.concepts, "person"))


_TABLES: Final = toml_in(__package__, "agreement.toml")
CALLS: Final[Mapping[str, list[str]]] = _TABLES["calls"]
"""For each cue the operators that it may stand for; any of these satisfies it."""
_ALLOWED: Final[Mapping[str, list[str]]] = _TABLES["also"]
"""For each operator the cues that allow it without calling for it."""
_UNMARKED: Final = frozenset(("single", "list", "star", "inner", "amount", "arithmetic", "first", "period", "order"))
"""Operators that need no cue."""


def _callers_by_operator() -> dict[str, frozenset[str]]:
    callers: dict[str, set[str]] = {}
    for source in (CALLS, {cue: (op,) for op, cues in _ALLOWED.items() for cue in cues}):
        for cue, operators in source.items():
            for operator in operators:
                callers.setdefault(operator, set()).add(cue)
    for operator, cues in _ALLOWED.items():
        callers.setdefault(operator, set()).update(cues)
    return {operator: frozenset(cues) for operator, cues in callers.items()}


CALLED_BY: Final = _callers_by_operator()


def agreement(cues: Sequence[Cue], shape: Shape, *, amount: bool) -> dict[str, float]:
    """Features of how the cues of a question match the operators of a statement, name to value.

    Args:
        amount: Whether the statement shows a measure or rate as it is, which answers "how much" too.
    """
    operators = shape.operators | {"amount"} if amount else shape.operators
    weight_by_op: dict[str, float] = {}
    for cue in cues:
        weight_by_op[cue.op] = max(weight_by_op.get(cue.op, 0.0), cue.weight)
    features: dict[str, float] = {}
    missing = matched = 0.0
    for op, weight in weight_by_op.items():
        if op not in CALLS:
            continue
        if operators.isdisjoint(CALLS[op]):
            features[f"missing_{op}"] = weight
            missing += weight
        else:
            matched += weight
    uncalled = 0
    for operator in operators - _UNMARKED:
        if CALLED_BY.get(operator, frozenset()).isdisjoint(weight_by_op):
            features[f"uncalled_{operator.replace(' ', '_')}"] = 1.0
            uncalled += 1
    features |= {"cues_missing": missing, "cues_met": matched, "operators_uncalled": float(uncalled)}
    return features
