"""One figure in two periods: the days to compare, the difference and the change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from kbtui.nl2sql.conditions import period_cond, previous
from kbtui.nl2sql.query import Agg, Arith, Col, Expr, Ref, percent

Days = tuple[date, date]


def compared_days(ends: Sequence[Days], kind: str, today: date) -> Iterator[tuple[Days, Days, float]]:
    """The earlier and the later period, each pair with its worth.

    A later period that has not ended is compared with the whole earlier one, and with as much of it as has passed.

    Args:
        ends: First and last days of the periods that are named; of one alone the one before it is compared.
        kind: ``change_year`` for the same period of the year before.
    """
    now = max(ends)
    before = min(ends) if len(ends) > 1 else previous(*now, kind)
    yield before, now, 0.0
    if now[0] <= today < now[1] or (now[1] == today and before[1] - before[0] > now[1] - now[0]):
        passed = min(now[1], today) - now[0]
        until = _same_day(before[0], now[0], min(now[1], today)) or before[0] + passed
        if until < before[1]:
            yield (before[0], until), now, 0.05 if kind == "change_year" else -0.1


def _same_day(before: date, now: date, today: date) -> date | None:
    """Today in the earlier year, where both periods begin on one day of their years."""
    from kbtui.text.calendar import add_months

    is_year = (before.month, before.day) == (now.month, now.day)
    return add_months(today, 12 * (before.year - now.year)) if is_year else None


def changes(expr: Agg, ref: Ref, before: Days, now: Days) -> tuple[Expr, ...]:
    """The figure of both periods, its difference and its change in percent, a column each."""
    earlier, later = (figure_in(expr, ref, days) for days in (before, now))
    difference = Arith("-", later, earlier)
    return earlier, later, difference, percent(Arith("/", difference, earlier))


def figure_in(expr: Agg, ref: Ref, days: Days) -> Agg:
    """The figure of the rows of a period."""
    return replace(expr, where=(*expr.where, period_cond(Col(ref), *days)))
