from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from kbtui.domain.answer import Citation
from kbtui.domain.codec import encode
from kbtui.domain.events import AnswerCompleted, Event, EvidenceGraded, RunCompleted, ToolFinished
from kbtui.errors import SessionError
from kbtui.sessions.recording import read
from kbtui.sessions.store import SessionStore
from kbtui.settings.private import private_folder
from kbtui.view.comparing import compare, comparison_text, last_two_runs, runs_of_shared_question, with_previous_run
from kbtui.view.folding import reduce_all
from tests.sessions.runs import START, answered, cancelled


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    store = SessionStore(tmp_path / "sessions")
    private_folder(store.folder)
    return store


def save(store: SessionStore, session_id: str, *runs: list[Event]) -> Path:
    path = store.path_of(session_id)
    path.write_text("".join(encode(event) + "\n" for run in runs for event in run), encoding="utf-8")
    return path


def changed(events: list[Event]) -> list[Event]:
    """The run as it went after the folder was edited: a sentence more, another source, another score, more time."""
    made: list[Event] = []
    for event in events:
        if isinstance(event, AnswerCompleted):
            moved = replace(event.citations[0], path="runbooks/new.md")
            event = replace(event, markdown="Re-pin the last **green image** [1]. Tell 值班.", citations=(moved,))
        elif isinstance(event, EvidenceGraded):
            event = replace(event, items=(replace(event.items[0], score=0.5), *event.items[1:]))
        elif isinstance(event, RunCompleted):
            event = replace(event, duration_ms=2000.0)
        made.append(event)
    return made


def later(run_id: str = "r9") -> list[Event]:
    return changed(answered(run_id=run_id, start=START + timedelta(days=1)))


def test_what_changed_is_told_part_by_part() -> None:
    text = comparison_text(compare(reduce_all(answered()), reduce_all(later())))
    assert "  Re-pin the last **green image**.\n+ Tell 值班." in text
    assert "- runbooks/rollback.md:L12-L18\n+ runbooks/new.md:L12-L18" in text
    assert "- 0.88 runbooks/rollback.md:L12-L18\n+ 0.50 runbooks/rollback.md:L12-L18" in text
    assert "- 0.85 s\n+ 2.00 s" in text
    assert "notes/2025-03.md" not in text, "dropped evidence is none of the answer"


def test_searches_are_compared_by_what_they_found_and_not_by_the_time_they_took() -> None:
    slower, fewer = (
        [replace(event, **change) if isinstance(event, ToolFinished) and event.ok else event for event in later()]
        for change in ({"duration_ms": 9.0}, {"result_count": 7})
    )
    searches = {part.heading: part for part in compare(reduce_all(answered()), reduce_all(slower))}["Searches"]
    assert (searches.changes, len(searches.pairs)) == (0, 3)
    text = comparison_text(compare(reduce_all(answered()), reduce_all(fewer)))
    asked = "hybrid_search: how are deploys rolled back"
    assert f"- {asked} · 12 found\n+ {asked} · 7 found" in text


def test_a_place_that_says_something_else_is_told_with_its_words() -> None:
    edited = [
        replace(event, citations=(replace(event.citations[0], quote="Re-pin the last blue image."),))
        if isinstance(event, AnswerCompleted)
        else event
        for event in answered()
    ]
    place = "runbooks/rollback.md:L12-L18"
    text = comparison_text(compare(reduce_all(answered()), reduce_all(edited)))
    assert f"- {place}: Re-pin the last green image.\n+ {place}: Re-pin the last blue image." in text


def test_a_sentence_leads_to_the_source_whose_mark_comes_next_in_its_line() -> None:
    first = Citation(n=1, path="a.md", start_line=1, quote="a")
    second = Citation(n=2, path="b.md", start_line=2, quote="b")
    said = "Roll back first. Look later. [1] Tell 值班 [2].\nNobody said this."
    events = [
        replace(event, markdown=said, citations=(first, second)) if isinstance(event, AnswerCompleted) else event
        for event in answered()
    ]
    view = reduce_all(events)
    answer = next(part for part in compare(view, view) if part.heading == "Answer")
    assert [(pair.after.text, pair.after.source) for pair in answer.pairs] == [
        ("Roll back first.", first),
        ("Look later.", first),
        ("Tell 值班.", second),
        ("Nobody said this.", None),
    ]


def test_a_run_beside_itself_has_no_changes() -> None:
    view = reduce_all(answered())
    assert [part.heading for part in compare(view, view) if part.changes] == []


def test_two_sessions_are_compared_by_the_last_question_both_asked(store: SessionStore) -> None:
    first = read(save(store, "a", answered(), cancelled()))
    second = read(save(store, "b", later(), cancelled(query="something else")))
    before, after = runs_of_shared_question(first, second)
    assert (before.run_id, after.run_id) == ("r1", "r9")
    unlike = read(save(store, "c", cancelled(query="nobody else asked this", run_id="r5")))
    assert [view.run_id for view in runs_of_shared_question(first, unlike)] == ["r2", "r5"]


def test_one_session_is_compared_with_itself_where_it_asked_twice(store: SessionStore) -> None:
    twice = read(save(store, "a", answered(), cancelled(), later()))
    assert [view.run_id for view in runs_of_shared_question(twice, twice)] == ["r1", "r9"]
    once = read(save(store, "b", answered(), cancelled()))
    with pytest.raises(SessionError, match="no question twice"):
        runs_of_shared_question(once, once)


def test_the_last_two_times_of_a_question_are_found_in_whatever_sessions(store: SessionStore) -> None:
    save(store, "a", answered(run_id="r0", start=START - timedelta(days=1)))
    asked = save(store, "b", answered(query="How are deploys  rolled back"))
    save(store, "c", later())
    assert [view.run_id for view in last_two_runs(store, read(asked))] == ["r1", "r9"]
    with pytest.raises(SessionError, match="was asked once"):
        last_two_runs(store, read(save(store, "d", cancelled())))


def test_a_run_is_held_against_the_time_before_it_and_the_first_against_the_one_after(store: SessionStore) -> None:
    save(store, "a", answered(run_id="r0", start=START - timedelta(days=1)))
    save(store, "b", answered())
    first, middle = reduce_all(answered(run_id="r0", start=START - timedelta(days=1))), reduce_all(answered())
    latest = reduce_all(later())
    assert with_previous_run(store, latest) == (middle, latest), "the latest one need not be recorded"
    assert with_previous_run(store, middle, (latest,)) == (first, middle)
    assert with_previous_run(store, first, (latest,)) == (first, middle)
    with pytest.raises(SessionError, match="was asked once"):
        with_previous_run(store, reduce_all(cancelled()))
