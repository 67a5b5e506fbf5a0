"""Conditions that rows are spoken of by."""

from __future__ import annotations

from kbtui.nl2sql.lexicon import concepts_of
from kbtui.nl2sql.profile import profile
from kbtui.nl2sql.query import Col, Cond, Ref
from tests.nl2sql.sources import TODAY, Memory


def _states(memory: Memory, table: str) -> set[tuple[str, bool, str, str, object]]:
    states = memory.catalogue().tables[table].states
    told = set()
    for state in states:
        assert isinstance(state.cond.left, Col)
        told.add((state.concept, state.holds, state.cond.left.ref.column, state.cond.op, state.cond.right))
    return told


def test_a_flag_tells_a_state_its_denial_and_its_opposite() -> None:
    memory = Memory("CREATE TABLE bills(id INTEGER PRIMARY KEY, paid TEXT, total REAL)")
    memory.fill("bills", [(n, "YN"[n % 2], 1.0) for n in range(1, 30)])
    assert _states(memory, "bills") == {
        ("paid", True, "paid", "=", "Y"),
        ("paid", False, "paid", "=", "N"),
        ("unpaid", True, "paid", "=", "N"),
        ("open", True, "paid", "=", "N"),
        ("open", False, "paid", "=", "Y"),
    }


def test_what_has_not_come_to_its_end_is_open_unless_something_else_says_so() -> None:
    memory = Memory("CREATE TABLE hires(id INTEGER PRIMARY KEY, out_on TEXT, returned_on TEXT, status TEXT)")
    memory.fill("hires", [(n, "2026-01-01", None if n % 3 else "2026-02-01", "x") for n in range(1, 30)])
    assert ("open", True, "returned_on", "null", None) in _states(memory, "hires")
    memory = Memory("CREATE TABLE hires(id INTEGER PRIMARY KEY, returned_on TEXT, status TEXT)")
    memory.fill("hires", [(n, None if n % 3 else "2026-02-01", ("open", "closed")[n % 2]) for n in range(1, 30)])
    assert {column for concept, _, column, *_ in _states(memory, "hires") if concept == "open"} == {"status"}


def test_an_end_that_is_not_filled_in_has_not_come() -> None:
    memory = Memory("CREATE TABLE staff(id INTEGER PRIMARY KEY, name TEXT, hired_on TEXT, left_on TEXT)")
    memory.fill("staff", [(n, f"P {n}", "2020-01-01", None if n % 3 else "2026-01-01") for n in range(1, 30)])
    assert _states(memory, "staff") == {
        ("left", True, "left_on", "not null", None),
        ("left", False, "left_on", "null", None),
        ("active", True, "left_on", "null", None),
    }


def test_values_of_a_status_are_states_as_they_are_written() -> None:
    memory = Memory("CREATE TABLE jobs(id INTEGER PRIMARY KEY, status TEXT, kind TEXT)")
    words = ("Open", "canceled", "CANCELLED", "odd")
    memory.fill("jobs", [(n, words[n % 4], words[n % 3]) for n in range(40)])
    told = _states(memory, "jobs")
    assert ("open", True, "status", "=", "Open") in told
    assert ("cancelled", True, "status", "in", ("CANCELLED", "canceled")) in told
    assert {column for _, _, column, _, _ in told} == {"status"}


def test_all_that_has_not_ended_is_open_where_no_status_is_called_open() -> None:
    memory = Memory("CREATE TABLE issues(id INTEGER PRIMARY KEY, status TEXT)")
    words = ("To Do", "In Progress", "In Review", "Done", "Closed")
    memory.fill("issues", [(n, words[n % 5]) for n in range(50)])
    ((op, ended),) = {(op, value) for concept, _, _, op, value in _states(memory, "issues") if concept == "open"}
    assert (op, sorted(ended)) == ("not in", ["Closed", "Done"])  # type: ignore[call-overload]


def test_overdue_is_after_the_day_that_was_agreed() -> None:
    memory = Memory("CREATE TABLE 借阅(流水号 INTEGER PRIMARY KEY, 借出日期 TEXT, 应还日期 TEXT, 归还日期 TEXT)")
    memory.fill("借阅", [(n, "2026-01-01", "2026-02-01", "2026-01-20" if n % 5 else None) for n in range(1, 40)])
    states = memory.catalogue().tables["借阅"].states
    back, due = Col(Ref("借阅", "归还日期")), Col(Ref("借阅", "应还日期"))
    assert Cond(back, ">", due) in [state.cond for state in states if state.concept == "overdue" and state.holds]
    assert Cond(back, "null") in [state.cond for state in states if state.concept == "out"]
    assert not any(state.cond.left == due for state in states)


def test_stages_of_which_some_are_closed_leave_all_others_open() -> None:
    memory = Memory("CREATE TABLE deals(id INTEGER PRIMARY KEY, stage TEXT, amount REAL)")
    stages = ("Prospecting", "Proposal", "Closed Won", "Closed Lost")
    memory.fill("deals", [(n, stages[n % 4], 1.0) for n in range(1, 40)])
    closed = ("Closed Lost", "Closed Won")
    told = {(concept, holds, right) for concept, holds, _, _, right in _states(memory, "deals")}
    assert {("won", True, "Closed Won"), ("lost", True, "Closed Lost")} <= told
    assert {(holds, tuple(sorted(right))) for concept, holds, right in told if concept == "open"} == {(False, closed)}


def test_overdue_without_a_date_of_what_was_done_is_past_the_due_date() -> None:
    memory = Memory("CREATE TABLE chores(id INTEGER PRIMARY KEY, due TEXT, state TEXT)")
    memory.fill("chores", [(n, f"2026-0{1 + n % 9}-11", ("open", "done")[n % 2]) for n in range(1, 40)])
    overdue = [state.cond for state in memory.catalogue().tables["chores"].states if state.concept == "overdue"]
    assert [(cond.left, cond.op) for cond in overdue] == [(Col(Ref("chores", "due")), "<")]


def test_marks_out_of_a_hundred_are_passed_from_sixty_on() -> None:
    memory = Memory("CREATE TABLE 成绩 (编号 INTEGER PRIMARY KEY, 姓名 TEXT, 分数 REAL)")
    memory.fill("成绩", [(1, "李一", 59.5), (2, "王二", 60.0), (3, "张三", 97.0)])
    states = profile(memory.schema, memory.ask, today=TODAY, concepts_of=concepts_of).tables["成绩"].states
    conditions = {(state.concept, state.holds): (state.cond.op, state.cond.right) for state in states}
    assert conditions[("passed", True)] == (">=", 60)
    assert conditions[("passed", False)] == ("<", 60)
    assert conditions[("excellent", True)] == (">=", 90)


def test_marks_say_nothing_of_passing_where_a_column_does() -> None:
    memory = Memory("CREATE TABLE 成绩 (编号 INTEGER PRIMARY KEY, 分数 REAL, 是否及格 TEXT)")
    memory.fill("成绩", [(1, 59.5, "是"), (2, 60.0, "否"), (3, 97.0, "是")])
    states = profile(memory.schema, memory.ask, today=TODAY, concepts_of=concepts_of).tables["成绩"].states
    assert not any(isinstance(state.cond.left, Col) and state.cond.left.ref.column == "分数" for state in states)
