"""What follow-ups may mean: the last answered questions, live or from a session file, whatever state that is in."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.domain.answer import Citation, Outcome
from kbtui.domain.codec import encode
from kbtui.domain.events import (
    AnswerCompleted,
    Event,
    QueryRouted,
    ReadingChosen,
    RunCompleted,
    RunFailed,
    RunStarted,
)
from kbtui.domain.routing import RoutingPlan
from kbtui.runs import history as module
from kbtui.runs.history import MAX_TURNS, History, turns_of
from tests.sessions.runs import answered, stamp

PLAN = RoutingPlan(query_type="conceptual", complexity="simple")


def a_run(query: str, run_id: str, *, standalone: str = "", answer: str = "It is so.") -> list[Event]:
    return stamp(
        [
            RunStarted(query=query),
            QueryRouted(routing_plan=PLAN, standalone=standalone),
            AnswerCompleted(markdown=answer, outcome="answered"),
            RunCompleted(),
        ],
        run_id,
    )


def file_of(folder: Path, *runs: list[Event], tail: bytes = b"") -> Path:
    path = folder / "session.jsonl"
    path.write_bytes("".join(encode(event) + "\n" for run in runs for event in run).encode() + tail)
    return path


def followed(*runs: list[Event]) -> History:
    history = History()
    for run in runs:
        for event in run:
            history.follow(event)
    return history


def queries(history: History) -> list[str]:
    return [turn.query for turn in history.turns]


def test_a_turn_knows_what_was_asked_how_it_was_understood_and_what_it_cites() -> None:
    turn = followed(answered("and how is it rolled back?")).turns[0]
    assert turn.query == turn.standalone == "and how is it rolled back?"
    assert turn.paths[0] == "runbooks/rollback.md"
    meant = followed(a_run("who owns it?", "r1", standalone="who owns the gateway?")).turns[0]
    assert (meant.query, meant.standalone) == ("who owns it?", "who owns the gateway?")


def test_a_later_pass_that_says_nothing_of_it_keeps_how_the_question_was_understood() -> None:
    run = a_run("who owns it?", "r1", standalone="who owns the gateway?")
    again = stamp([QueryRouted(routing_plan=PLAN, iteration=2)], "r1")
    assert followed([*run[:2], *again, *run[2:]]).turns[0].standalone == "who owns the gateway?"


def test_only_the_last_turns_are_kept() -> None:
    runs = [a_run(f"question {n}", f"r{n}") for n in range(MAX_TURNS + 3)]
    assert queries(followed(*runs)) == [f"question {n}" for n in range(3, MAX_TURNS + 3)]


def test_runs_that_failed_or_were_cancelled_are_no_turns() -> None:
    failed = stamp([RunStarted(query="broken"), RunFailed(error="IndexCorrupt", message="x")], "r1")
    cancelled = stamp([RunStarted(query="stopped"), RunFailed(error="Cancelled", message="x")], "r2")
    assert queries(followed(failed, cancelled, a_run("good", "r3"))) == ["good"]


def test_runs_side_by_side_keep_their_own_answers() -> None:
    one, two = a_run("one", "r1", answer="A"), a_run("two", "r2", answer="B")
    mixed = [event for pair in zip(one, two, strict=True) for event in pair]
    assert [(turn.query, turn.answer) for turn in followed(mixed).turns] == [("one", "A"), ("two", "B")]


def test_a_new_conversation_remembers_nothing_not_even_a_run_that_is_still_going() -> None:
    history = followed(a_run("before", "r1"), a_run("half way", "r2")[:2])
    history.clear()
    for event in a_run("half way", "r2")[2:]:
        history.follow(event)
    assert history.turns == ()


def test_a_session_file_is_taken_in_place_of_what_was_known(tmp_path: Path) -> None:
    history = followed(a_run("of this sitting", "r9"))
    history.load(file_of(tmp_path, a_run("first", "r1"), a_run("second", "r2", standalone="the second")))
    assert queries(history) == ["first", "second"]
    assert history.turns[1].standalone == "the second"


def test_sessions_put_one_behind_the_other_are_one(tmp_path: Path) -> None:
    path = file_of(tmp_path, a_run("first", "r1"), a_run("second", "r2"), a_run("third", "r1"), a_run("fourth", "r2"))
    assert [turn.query for turn in turns_of(path)] == ["first", "second", "third", "fourth"]


@pytest.mark.parametrize(
    "tail",
    [
        b'{"kind":"run_started","v":1,"run_id":"r2"',
        b'\n\n"kind":"run_started"\n',
        b'{"kind":"run_completed","run_id":7,"duration_ms":"long"}\n',
        b"\xff\xfe\x00" * 50 + b'"kind":"run_started"\n',
        b'{"kind":"answer_completed","run_id":"nobody","markdown":"x","outcome":"answered"}\n',
    ],
)
def test_what_is_wrong_with_a_file_costs_no_more_than_itself(tmp_path: Path, tail: bytes) -> None:
    assert [turn.query for turn in turns_of(file_of(tmp_path, a_run("first", "r1"), tail=tail))] == ["first"]


@pytest.mark.parametrize("content", [b"", b"\n", b"not a session\n", b"\x00" * 4096])
def test_a_file_that_is_no_session_has_no_turns(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    assert turns_of(path) == ()


def test_a_file_that_is_not_there_or_cannot_be_read_has_no_turns(tmp_path: Path) -> None:
    assert turns_of(tmp_path / "missing.jsonl") == ()
    assert turns_of(tmp_path) == ()


def test_of_a_large_session_only_the_end_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = file_of(tmp_path, *[a_run(f"question {n}", f"r{n}", answer="long " * 400) for n in range(60)])
    monkeypatch.setattr(module, "TAIL_BYTES", 20_000)
    read = []
    lines = module._lines

    def counted(path: Path, count: int, size: int) -> list[bytes]:
        read.append(count)
        return lines(path, count, size)

    monkeypatch.setattr(module, "_lines", counted)
    assert [turn.query for turn in turns_of(path)] == [f"question {n}" for n in range(54, 60)]
    assert read == [20_000]


def test_where_the_end_holds_too_little_more_of_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = file_of(tmp_path, *[a_run(f"question {n}", f"r{n}", answer="long " * 400) for n in range(9)])
    monkeypatch.setattr(module, "TAIL_BYTES", 3_000)
    assert [turn.query for turn in turns_of(path)] == [f"question {n}" for n in range(3, 9)]
    monkeypatch.setattr(module, "MAX_TAIL_BYTES", 3_000)
    assert len(turns_of(path)) < MAX_TURNS


def over_data(sql: str, outcome: Outcome, run_id: str = "r1") -> list[Event]:
    source = Citation(n=1, kind="sql", sql=sql, source="shop")
    return stamp(
        [
            RunStarted(query="orders in Oslo"),
            ReadingChosen(source="shop", says="Orders in Oslo", sql=sql),
            AnswerCompleted(markdown="**3**", outcome=outcome, citations=(source,) if sql else ()),
            RunCompleted(),
        ],
        run_id,
    )


def test_a_turn_keeps_the_statement_that_was_answered_also_from_a_file(tmp_path: Path) -> None:
    run = over_data("SELECT 3", "answered")
    for turn in (followed(run).turns[0], turns_of(file_of(tmp_path, run))[0]):
        assert turn.statement is not None
        assert (turn.statement.source, turn.statement.sql) == ("shop", "SELECT 3")


@pytest.mark.parametrize(("sql", "outcome"), [("", "not_found"), ("SELECT 3", "not_found")])
def test_a_refused_question_has_no_statement(sql: str, outcome: Outcome) -> None:
    assert followed(over_data(sql, outcome)).turns[0].statement is None
