"""Conditions that rows of a table are spoken of by: open, paid, still here, late.

They are told by flags, by values of a status, by dates that are filled in once something happened, and by a date that
lies behind the one it was due on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, Final, NamedTuple

from kbtui.nl2sql.boolean_words import says_yes
from kbtui.nl2sql.catalogue import ColumnInfo, State, TableInfo
from kbtui.nl2sql.query import Col, Cond
from kbtui.text.inflection import root
from kbtui.text.word_lists import toml_in

_STATUS: Final = frozenset({"status", "state", "stage", "phase", "result", "outcome", "condition", "decision"})
_STATUS_ZH: Final = ("状态", "结果", "情况", "阶段", "进度")
_ENDS: Final = frozenset({"resolved", "paid", "returned", "done", "delivered", "discharged"})
"""States that rows of a table end in."""
_NEGATIVE: Final = frozenset({"not", "no", "non", "un", "never"})
_DUE: Final = frozenset({"due", "deadline", "required", "promised", "scheduled", "expected", "planned"})
_DUE_ZH: Final = ("应还", "截止", "到期", "约定", "计划", "预计", "应付")
_ACTUAL: Final = frozenset(
    {"returned", "return", "back", "paid", "shipped", "delivered", "closed", "completed", "finished", "done", "actual",
     "received", "resolved", "arrived", "submitted"}
)  # fmt: skip
_ACTUAL_ZH: Final = ("归还", "付款", "支付", "缴费", "签收", "完成", "送达", "实际", "关闭", "提交", "收货")


class _Concept(NamedTuple):
    name: str
    opposite: str
    flag: frozenset[str]
    values: frozenset[str]
    dates: frozenset[str]


@lru_cache(maxsize=1)
def _concepts() -> tuple[_Concept, ...]:
    raw: dict[str, dict[str, Any]] = toml_in("kbtui.nl2sql", "states.toml")
    return tuple(
        _Concept(
            name, entry.get("opposite", ""), *(frozenset(entry.get(k, "").split()) for k in ("flag", "values", "dates"))
        )
        for name, entry in raw.items()
    )


def states_of(table: TableInfo, *, today: date) -> tuple[State, ...]:
    """The states of the rows of a table, told by flags, status values and dates.

    Args:
        today: A date that lies in the future tells a plan, not that something happened.
    """
    states: dict[tuple[str, bool, str], State] = {}
    for column in table.columns:
        for state in _of_column(column, today):
            states.setdefault((state.concept, state.holds, repr(state.cond)), state)
    for state in (*_late(table), *_open(list(states.values()))):
        states.setdefault((state.concept, state.holds, repr(state.cond)), state)
    return tuple(states.values())


def _open(states: Sequence[State]) -> Iterable[State]:
    """Open is what has not come to its end, where no state says so itself: an unpaid invoice, a loan not back."""
    if any(state.concept in ("open", "closed") for state in states):
        return
    for state in states:
        if state.concept in _ENDS:
            yield State(concept="open", cond=state.cond, holds=not state.holds)


def _of_column(column: ColumnInfo, today: date) -> Iterable[State]:
    if column.kind == "flag":
        yield from _of_flag(column)
    elif column.kind in ("category", "code", "name") and _is_status(column):
        yield from _of_status(column)
    elif column.kind == "date" and column.nulls > 0.001:
        yield from _of_date(column, today)


def _says(words: Iterable[str], vocabulary: frozenset[str]) -> bool:
    roots = {root(entry) for entry in vocabulary if entry.isascii()}
    return any(
        root(word) in roots
        if word.isascii()
        else any(len(entry) > 1 and not entry.isascii() and entry in word for entry in vocabulary)
        for word in words
    )


def _of_flag(column: ColumnInfo) -> Iterable[State]:
    values = [value for value, _ in column.values]
    true = [value for value in values if says_yes(value)]
    false = [value for value in values if value not in true and str(value).strip()]
    negative = bool(_NEGATIVE & set(column.words))
    for concept in _concepts():
        if not (_says(column.words, concept.flag) or (concept.name == "active" and column.words[-1] == "status")):
            continue
        for literals, holds in ((true, not negative), (false, negative)):
            if not literals:
                continue
            cond = Cond(Col(column.ref), "=", literals[0])
            yield State(concept=concept.name, cond=cond, holds=holds)
            if not holds and concept.opposite:
                yield State(concept=concept.opposite, cond=cond)


def _is_status(column: ColumnInfo) -> bool:
    return bool(_STATUS & set(column.words)) or any(word.endswith(_STATUS_ZH) for word in column.words)


def _of_status(column: ColumnInfo) -> Iterable[State]:
    for concept in _concepts():
        meant = tuple(
            value
            for value, _ in column.values
            if isinstance(value, str) and "_".join(value.lower().replace("-", " ").split()) in concept.values
        )
        if meant:
            several = len(meant) > 1
            cond = Cond(Col(column.ref), "in", meant) if several else Cond(Col(column.ref), "=", meant[0])
            yield State(concept=concept.name, cond=cond)


def _of_date(column: ColumnInfo, today: date) -> Iterable[State]:
    if (isinstance(column.high, date) and column.high > today) or _is_due(column):
        return
    for concept in _concepts():
        if concept.dates and _says(column.words, concept.dates):
            happened, not_yet = Cond(Col(column.ref), "not null"), Cond(Col(column.ref), "null")
            yield State(concept=concept.name, cond=happened)
            yield State(concept=concept.name, cond=not_yet, holds=False)
            if concept.opposite:
                yield State(concept=concept.opposite, cond=not_yet)


def _is_due(column: ColumnInfo) -> bool:
    return bool(_DUE & set(column.words)) or any(mark in word for word in column.words for mark in _DUE_ZH)


def _late(table: TableInfo) -> Iterable[State]:
    """A date on which something was done that lies behind the one on which it was due."""
    dates = [column for column in table.columns if column.kind == "date"]
    due = [column for column in dates if _is_due(column) and (not column.date_format or "%d" in column.date_format)]
    actual = [
        column
        for column in dates
        if column not in due
        and (_ACTUAL & set(column.words) or any(mark in word for word in column.words for mark in _ACTUAL_ZH))
    ]
    for planned, done in ((p, d) for p in due[:1] for d in actual[:1]):
        yield State(concept="overdue", cond=Cond(Col(done.ref), ">", Col(planned.ref)))
        yield State(concept="overdue", cond=Cond(Col(done.ref), "<=", Col(planned.ref)), holds=False)
