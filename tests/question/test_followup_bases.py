from __future__ import annotations

import pytest

from kbtui.domain.answer import Outcome
from kbtui.domain.conversation import Turn
from kbtui.question.followup import base_turns
from kbtui.question.refused_followups import is_cut_off, points_back

FRAGMENTS = (
    "and per site?",
    "per month",
    "as a pie chart",
    "only Taipei",
    "why?",
    "list them",
    "in 2025?",
    "who wrote it?",
    "每个站点呢？",
    "那台北呢",
    "只看台北",
    "为什么？",
    "按月",
    "画成饼图",
)
WHOLE = (
    "list the sites",
    "how many lockers?",
    "number of parcels",
    "for each site the number of lockers",
    "parcels in 2025",
    "list sites with their city",
    "How do I roll back a deploy?",
    "in 2025 how many parcels were dropped off?",
    "每个站点有多少柜机？",
    "按月统计包裹数",
    "一共有多少柜机",
    "列出所有站点",
    "柜机数量",
)


def turn(query: str, outcome: Outcome = "answered", request_type: str = "") -> Turn:
    return Turn(query=query, standalone=query, answer="…", outcome=outcome, request_type=request_type)


def based(query: str, *history: Turn) -> list[str]:
    found = base_turns(query, history, lambda one, other: one.request_type == other.request_type)
    return [one.query for one in found]


@pytest.mark.parametrize("query", FRAGMENTS)
def test_what_cannot_stand_alone_is_a_fragment(query: str) -> None:
    assert is_cut_off(query)


@pytest.mark.parametrize("query", WHOLE)
def test_a_question_of_its_own_is_no_fragment(query: str) -> None:
    assert not is_cut_off(query)


@pytest.mark.parametrize("outcome", ["not_found", "declined"])
def test_a_refused_question_is_no_base_for_a_complete_one(outcome: Outcome) -> None:
    assert based("list the sites", turn("how many zorgs?", outcome)) == []
    assert based("list the sites", turn("how many sites?"), turn("zorgs?", outcome)) == ["how many sites?"]


def test_after_an_answer_earlier_refusals_are_forgotten() -> None:
    assert based("and per site?", turn("zorgs?", "not_found"), turn("how many lockers?")) == ["how many lockers?"]


def test_a_fragment_is_of_the_answered_question_before_the_refused_one_of_the_same_kind() -> None:
    assert based("and per site?", turn("how many lockers?"), turn("zorgs?", "not_found"))[-1] == "how many lockers?"


def test_a_fragment_is_of_a_refused_question_where_nothing_of_its_kind_was_answered() -> None:
    assert based("and per site?", turn("how many zorgs?", "not_found")) == ["how many zorgs?"]
    answered, refused = turn("what is ADR-7?"), turn("how many zorgs?", "not_found", "data_query")
    assert based("and per site?", answered, refused)[-1] == "how many zorgs?"


@pytest.mark.parametrize("query", ["no, I meant Boston", "不是，我是说台北"])
def test_a_correction_is_of_the_question_before_whatever_came_of_it(query: str) -> None:
    history = turn("how many parcels in Oslo?"), turn("how many parcels in Bston?", "not_found")
    assert based(query, *history)[-1] == "how many parcels in Bston?"


@pytest.mark.parametrize(
    ("query", "points"), [("who are they", True), ("他们是谁", True), ("per month", False), ("按月", False)]
)
def test_a_pronoun_points_at_the_question_before(query: str, points: bool) -> None:
    assert points_back(query) is points
