"""Infers the states of rows: open, paid, still here, late.

States are inferred from flags, from values of a status, from dates of events, and from actual dates after due dates.
The directions of a ledger are states too, see `ledgers`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from kbtui.nl2sql.boolean_words import truth_of
from kbtui.nl2sql.catalogue import ColumnInfo, State, TableInfo
from kbtui.nl2sql.ledgers import direction_states
from kbtui.nl2sql.query import INVERSE, Col, Cond, equals
from kbtui.text.inflection import root
from kbtui.text.word_lists import toml_in

_STATUS: Final = frozenset({"status", "state", "stage", "phase", "result", "outcome", "condition", "decision"})
_STATUS_ZH: Final = ("状态", "结果", "情况", "阶段", "进度")
_END_STATES: Final = frozenset({"resolved", "paid", "returned", "done", "delivered", "discharged"})
"""States that end the processing of rows."""
_NEGATIVE: Final = frozenset({"not", "no", "non", "un", "never"})
_DUE: Final = frozenset({"due", "deadline", "required", "promised", "scheduled", "expected", "planned"})
_DUE_ZH: Final = ("应还", "截止", "到期", "约定", "计划", "预计", "应付")
ENDED: Final = frozenset({*_END_STATES, "closed", "cancelled", "deleted", "returned"})
"""States of rows of which nothing is due any more."""
_ACTUAL: Final = frozenset(
    {"returned", "return", "back", "paid", "shipped", "delivered", "closed", "completed", "finished", "done", "actual",
     "received", "resolved", "arrived", "submitted"}
)  # fmt: skip
_ACTUAL_ZH: Final = ("归还", "付款", "支付", "缴费", "签收", "完成", "送达", "实际", "关闭", "提交", "收货")
_MARKS_ZH: Final = ("分数", "成绩", "得分", "考分")
_PASSED_ZH: Final = "及格"
_PASS, _EXCELLENT, _FULL_MARKS = 60, 90, 100


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
    """The states of the rows of a table.

    Args:
        today: Dates after this day are plans, not events.
    """
    states: dict[tuple[str, bool, str], State] = {}
    for column in table.columns:
        for state in _column_states(column, today):
            states.setdefault((state.concept, state.holds, repr(state.cond)), state)
    is_judged = any(state.concept == "passed" for state in states.values())
    for state in () if is_judged else _mark_states(table):
        states.setdefault((state.concept, state.holds, repr(state.cond)), state)
    for state in (*direction_states(table), *_overdue_states(table, today), *_open_states(list(states.values()))):
        states.setdefault((state.concept, state.holds, repr(state.cond)), state)
    return tuple(states.values())


def _mark_states(table: TableInfo) -> Iterable[State]:
    """及格 and 优秀 for marks out of 100, which mean 60 and 90 of them in Chinese schools.

    There are none where a column says who passed, or where some marks are words (优秀, 缓考).
    """
    if any(_PASSED_ZH in word for column in table.columns for word in column.words):
        return
    for column in table.columns:
        is_mark = column.kind in ("rate", "measure") and column.words[-1].endswith(_MARKS_ZH) and not column.encoding
        if is_mark and isinstance(column.high, int | float) and _PASS < column.high <= _FULL_MARKS:
            yield State(concept="passed", cond=Cond(Col(column.ref), ">=", _PASS))
            yield State(concept="passed", cond=Cond(Col(column.ref), "<", _PASS), holds=False)
            yield State(concept="excellent", cond=Cond(Col(column.ref), ">=", _EXCELLENT))


def _open_states(states: Sequence[State]) -> Iterable[State]:
    """“Open” as the opposite of an end state (an unpaid invoice, a loan not returned), unless there is such a state.

    Where a status tells what is closed but calls nothing open (the stages of a deal), all else is open.
    """
    if any(state.concept == "open" for state in states):
        return
    closed = next((state for state in states if state.concept == "closed" and state.holds), None)
    if closed is not None:
        yield State(concept="open", cond=closed.cond, holds=False)
        return
    for state in states:
        if state.concept in _END_STATES:
            yield State(concept="open", cond=state.cond, holds=not state.holds)


def _column_states(column: ColumnInfo, today: date) -> Iterable[State]:
    if column.kind == "flag":
        yield from _flag_states(column)
    elif column.kind in ("category", "code", "name") and _is_status(column):
        yield from _status_states(column)
    elif column.kind == "date" and column.nulls > 0.001:
        yield from _date_states(column, today)


def _mentions_any(words: Iterable[str], vocabulary: frozenset[str]) -> bool:
    roots = {root(entry) for entry in vocabulary if entry.isascii()}
    return any(
        root(word) in roots
        if word.isascii()
        else any(len(entry) > 1 and not entry.isascii() and entry in word for entry in vocabulary)
        for word in words
    )


def _flag_states(column: ColumnInfo) -> Iterable[State]:
    values = [value for value, _ in column.values]
    true = [value for value in values if truth_of(value)]
    false = [value for value in values if value not in true and str(value).strip()]
    negative = bool(_NEGATIVE & set(column.words))
    for concept in _concepts():
        if not (
            _mentions_any(column.words, concept.flag) or (concept.name == "active" and column.words[-1] == "status")
        ):
            continue
        for literals, holds in ((true, not negative), (false, negative)):
            if not literals:
                continue
            cond = Cond(Col(column.ref), "=", literals[0])
            yield State(concept=concept.name, cond=cond, holds=holds)
            if not holds and concept.opposite:
                yield State(concept=concept.opposite, cond=cond)


def _is_status(column: ColumnInfo) -> bool:
    if column.words[-1] == "reason":
        return False  # A reason for a state is none itself.
    return bool(_STATUS & set(column.words)) or any(word.endswith(_STATUS_ZH) for word in column.words)


def _status_states(column: ColumnInfo) -> Iterable[State]:
    values = {value: _normalised(value) for value, _ in column.values if isinstance(value, str)}
    matches = {
        concept.name: tuple(value for value, text in values.items() if text in concept.values)
        for concept in _concepts()
    }
    ended = tuple(value for value in values if any(value in matches.get(name, ()) for name in ENDED))
    for name, meant in matches.items():
        if name == "open" and ended and meant and name not in values.values():
            # Blocked and in review are as open as in progress, where no status is called open.
            closed = equals(column.ref, ended)
            yield State(concept=name, cond=replace(closed, op=INVERSE[closed.op]))
        elif meant:
            yield State(concept=name, cond=equals(column.ref, meant))


def _normalised(value: str) -> str:
    return "_".join(value.lower().replace("-", " ").split())


def _date_states(column: ColumnInfo, today: date) -> Iterable[State]:
    if (isinstance(column.high, date) and column.high > today) or _is_due(column):
        return
    for concept in _concepts():
        if concept.dates and _mentions_any(column.words, concept.dates):
            occurred, pending = Cond(Col(column.ref), "not null"), Cond(Col(column.ref), "null")
            yield State(concept=concept.name, cond=occurred)
            yield State(concept=concept.name, cond=pending, holds=False)
            if concept.opposite:
                yield State(concept=concept.opposite, cond=pending)


def _is_due(column: ColumnInfo) -> bool:
    return bool(_DUE & set(column.words)) or any(mark in word for word in column.words for mark in _DUE_ZH)


def _overdue_states(table: TableInfo, today: date) -> Iterable[State]:
    """“Overdue” if an actual date is after the due date; without one, if the due date is before today.

    `kbtui.nl2sql.interval_conditions.overdue_drafts` leaves out the rows that are done.
    """
    dates = [column for column in table.columns if column.kind == "date"]
    due = [column for column in dates if _is_due(column) and (not column.date_format or "%d" in column.date_format)]
    actual = [
        column
        for column in dates
        if column not in due
        and (_ACTUAL & set(column.words) or any(mark in word for word in column.words for mark in _ACTUAL_ZH))
    ]
    for due_column, actual_column in ((p, d) for p in due[:1] for d in actual[:1]):
        yield State(concept="overdue", cond=Cond(Col(actual_column.ref), ">", Col(due_column.ref)))
        yield State(concept="overdue", cond=Cond(Col(actual_column.ref), "<=", Col(due_column.ref)), holds=False)
    for column in due[:1] if not actual else ():
        yield State(concept="overdue", cond=Cond(Col(column.ref), "<", today))
