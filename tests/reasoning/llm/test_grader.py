"""Grades of a model, joined with those of the offline grader."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from kbtui.domain.evidence import Grade, Hit
from kbtui.domain.routing import SubQuestion
from kbtui.reasoning.llm.grader import LlmGrader
from kbtui.reasoning.llm.joining import join_grades as joining
from kbtui.reasoning.llm.router import Advice
from tests.reasoning.llm.conftest import Talk, Talks
from tests.support.agents import hit
from tests.support.model_request import Reply, Request
from tests.support.perfect_model import passages_of

ONE = SubQuestion(semantic_intent="How is it rolled back?", search_keywords="rollback")
TWO = SubQuestion(semantic_intent="Who is on call?", search_keywords="on-call")
OFFLINE = 0.5


class Halves:
    """Finds every passage half good."""

    def grade(self, sub_question: SubQuestion, hits: Sequence[Hit]) -> list[float]:
        return [OFFLINE for _ in hits]

    def grades(self, sub_question: SubQuestion, hits: Sequence[Hit]) -> list[Grade]:
        return [Grade(score=score, signals={"cosine": 0.4}) for score in self.grade(sub_question, hits)]


def grader(talk: Talk, advice: Advice | None = None, context_tokens: int = 6000) -> LlmGrader:
    return LlmGrader(
        talk.client,
        Halves(),
        context_tokens=context_tokens,
        nonce="n0",
        advice=advice or Advice(),
        emit=talk.events.append,
    )


def graded(scores: dict[int, float], **more: object) -> Reply:
    return Reply(content=json.dumps({"grades": [{"id": n, "score": s} for n, s in scores.items()], **more}))


def joined(*scores: float | None) -> list[float]:
    return [pytest.approx(score) for score in joining([OFFLINE] * len(scores), scores)]  # type: ignore[misc]


def test_all_passages_of_all_questions_are_graded_by_one_call(talk: Talks) -> None:
    one = talk(lambda _request: graded({1: 0.9, 2: 0.1, 3: 0.7}))
    grades = grader(one).grade_all([(ONE, [hit("a.md"), hit("b.md")]), (TWO, [hit("c.md")])])
    assert [grade.score for row in grades for grade in row] == joined(0.9, 0.1, 0.7)
    assert [len(row) for row in grades] == [2, 1]
    assert len(one.server.chats) == 1
    assert grades[0][0].signals == {"cosine": 0.4, "llm": 0.9, "offline": OFFLINE}


def test_what_the_model_leaves_out_keeps_its_offline_grade(talk: Talks) -> None:
    one = talk(lambda _request: graded({2: 0.9, 17: 1.0}))
    (row,) = grader(one).grade_all([(ONE, [hit("a.md"), hit("b.md")])])
    assert [grade.score for grade in row] == joined(None, 0.9)


def test_a_model_that_fails_leaves_the_offline_grades_and_a_warning(talk: Talks) -> None:
    one = talk(lambda _request: Reply(content="All are lovely."))
    (row,) = grader(one).grade_all([(ONE, [hit("a.md")])])
    assert [grade.score for grade in row] == [OFFLINE]
    assert "graded offline" in one.warnings[0]


def test_nothing_found_costs_no_call(talk: Talks) -> None:
    one = talk()
    assert grader(one).grade_all([(ONE, [])]) == [[]]
    assert not one.server.chats


def test_more_than_fits_is_shortened_first_and_split_then(talk: Talks) -> None:
    def behaviour(request: Request) -> Reply:
        return graded({passage.number: 0.8 for passage in passages_of(request)})

    long = [replace(hit(f"{n}.md"), text="word " * 300) for n in range(12)]
    one = talk(behaviour)
    (row,) = grader(one, context_tokens=3000).grade_all([(ONE, long)])
    assert [grade.score for grade in row] == joined(*[0.8] * 12)
    assert len(one.server.chats) == 1
    (row,) = grader(one, context_tokens=200).grade_all([(ONE, long)])
    assert [grade.score for grade in row] == joined(*[0.8] * 12)
    assert len(one.server.chats) > 2


def test_what_is_missing_and_what_was_tried_go_from_pass_to_pass(talk: Talks) -> None:
    advice = Advice(tried=["rollback deploy"])
    more = [{"semantic_intent": "Where is pinning told?", "search_keywords": "pin"}]
    one = talk(lambda _request: graded({1: 0.1}, missing="how to pin", next=more))
    grader(one, advice).grade_all([(ONE, [hit("a.md")])])
    assert "Searched so far: rollback deploy" in one.server.chats[0].said
    assert [part.search_keywords for part in advice.next] == ["pin"]
