"""Follow-ups through the real engine: what they mean is searched for, recorded, told and remembered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kbtui.bootstrap import Engine
from kbtui.cli.narration import fact
from kbtui.demo import sample_database
from kbtui.domain.events import Event, QueryRouted
from kbtui.domain.routing import RoutingPlan
from kbtui.sessions.recording import read
from kbtui.sessions.store import SessionStore
from kbtui.settings.model import AgentSettings, Settings
from kbtui.view.export import export_session
from kbtui.view.folding import reduce, reduce_all
from kbtui.view.view_state import RunView

FIRST = "What does retry_limit return?"
FOLLOW_UP = "Where is it defined?"
IN_FULL = "Where is retry_limit defined?"


def asked(engine: Engine, query: str) -> RunView:
    events: list[Event] = []
    engine.answer_query(query, events.append)
    return reduce_all(events)


def cited(view: RunView) -> Iterator[str]:
    return (citation.path or "" for citation in view.citations)


def test_a_follow_up_is_searched_for_as_what_it_means(kb: Path) -> None:
    engine = Engine(Settings(), kb)
    asked(engine, FIRST)
    view = asked(engine, FOLLOW_UP)
    assert (view.query, view.standalone) == (FOLLOW_UP, IN_FULL)
    assert "config.py" in cited(view)
    assert engine.history.turns[-1].standalone == IN_FULL


def test_a_follow_up_in_chinese_may_mean_what_was_asked_in_english(kb: Path) -> None:
    engine = Engine(Settings(), kb)
    asked(engine, FIRST)
    assert asked(engine, "它在哪里定义？").standalone == "retry_limit 在哪里定义？"


def test_without_anything_before_it_the_question_stands_as_it_is(kb: Path) -> None:
    assert asked(Engine(Settings(), kb), FOLLOW_UP).standalone == ""


def test_after_a_new_conversation_nothing_is_meant(kb: Path) -> None:
    engine = Engine(Settings(), kb)
    asked(engine, FIRST)
    engine.new_conversation()
    assert asked(engine, FOLLOW_UP).standalone == ""


def test_what_is_small_talk_by_itself_is_looked_up_after_a_question(kb: Path) -> None:
    engine = Engine(Settings(), kb)
    asked(engine, FIRST)
    view = asked(engine, "tell me more")
    assert view.calls
    assert "retry_limit" in view.standalone
    assert not asked(engine, "thanks").calls


def test_a_session_that_is_continued_knows_what_was_said_in_it(kb: Path) -> None:
    first = Engine(Settings(), kb)
    asked(first, FIRST)
    second = Engine(Settings(), kb)
    second.continue_session(first.session_id)
    assert asked(second, FOLLOW_UP).standalone == IN_FULL


def test_continuing_a_session_forgets_what_was_said_before_in_another(kb: Path) -> None:
    engine = Engine(Settings(), kb)
    asked(engine, FIRST)
    engine.continue_session("20260101-000000-empty")
    assert asked(engine, FOLLOW_UP).standalone == ""


def test_the_linear_graph_looks_up_what_is_meant_too(kb: Path) -> None:
    engine = Engine(Settings(agent=AgentSettings(use_adaptive_rag=False)), kb)
    asked(engine, FIRST)
    view = asked(engine, FOLLOW_UP)
    assert "config.py" in cited(view)
    assert any("retry_limit" in str(call.args) for call in view.calls)


def test_exports_and_narration_say_how_a_follow_up_was_understood(kb: Path) -> None:
    engine = Engine(Settings(), kb)
    asked(engine, FIRST)
    asked(engine, FOLLOW_UP)
    recording = read(SessionStore().path_of(engine.session_id))
    assert "- Asked as: Where is retry\\_limit defined?" in export_session(recording, "md")
    assert f"<p>Asked as: {IN_FULL}</p>" in export_session(recording, "html")
    told = [fact(event) or "" for event in recording.runs[1]]
    assert any(f"asked as: {IN_FULL}" in line for line in told)
    assert not any("asked as" in (fact(event) or "") for event in recording.runs[0])


def test_a_later_pass_that_says_nothing_of_it_leaves_the_question_in_full_on_the_screen() -> None:
    plan = RoutingPlan(query_type="exact", complexity="simple")
    view = reduce(RunView(), QueryRouted(routing_plan=plan, standalone=IN_FULL))
    assert reduce(view, QueryRouted(routing_plan=plan, iteration=2)).standalone == IN_FULL


# What was refused is no base ------------------------------------------------------------------------------------------

REFUSED = "how many parcels exploded in each wumpus?"
REFUSED_ZH = "每个怪兽的包裹平均爆炸多少次？"


@pytest.fixture(scope="module")
def data_engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return Engine(Settings(), tmp_path_factory.mktemp("empty"), sources=(str(sample_database()),), record=False)


@pytest.mark.parametrize(
    ("before", "query", "holds"),
    [
        ([REFUSED], "list the sites", ""),
        ([REFUSED], "how many lockers?", ""),
        ([REFUSED], "for each site the number of lockers", ""),
        ([REFUSED], "list sites with their city", ""),
        ([REFUSED_ZH], "每个站点有多少包裹？", ""),
        (["how many lockers are there?", REFUSED], "and per site?", "GROUP BY"),
        (["how many lockers are there?", REFUSED], "only Taipei", "Taipei"),
        (["how many lockers are there?", REFUSED_ZH], "每个站点呢？", "GROUP BY"),
        ([REFUSED_ZH], "每个站点呢？", ""),
    ],
)
def test_a_refused_question_over_data_does_not_glue_itself_to_the_next(
    data_engine: Engine, before: list[str], query: str, holds: str
) -> None:
    data_engine.new_conversation()
    outcomes = [asked(data_engine, one).outcome for one in before]
    assert outcomes[-1] == "not_found"
    view = asked(data_engine, query)
    assert bool(view.standalone) == bool(holds)
    assert holds in data_engine.history.turns[-1].sql


def test_a_reading_that_was_offered_is_that_reading_and_no_follow_up(data_engine: Engine) -> None:
    data_engine.new_conversation()
    answer = asked(data_engine, "which site has the happiest lockers?").answer
    assert answer is not None
    for reading in answer.suggestions:
        view = asked(data_engine, reading)
        assert (view.standalone, view.outcome) == ("", "answered")


def test_after_what_was_not_found_in_the_folder_a_follow_up_is_of_what_was_answered(kb: Path) -> None:
    engine = Engine(Settings(), kb)
    asked(engine, FIRST)
    assert asked(engine, "who is the emperor of Mars?").outcome == "not_found"
    assert asked(engine, FOLLOW_UP).standalone == IN_FULL
    assert asked(engine, "火星上的皇帝是谁？").outcome == "not_found"
    assert asked(engine, "它在哪里定义？").standalone == "retry_limit 在哪里定义？"
