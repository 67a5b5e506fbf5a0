"""Events as JSON lines: nothing is lost, and what comes in is checked."""

from __future__ import annotations

import json
from typing import get_args

import jsonschema
import pytest

from kbtui.domain import codec, events
from kbtui.domain.answer import Citation
from kbtui.domain.events import Chart, Event, EvidenceItem, PlanStep
from kbtui.domain.routing import RoutingPlan, Signal, SubQuestion
from kbtui.errors import SessionError

STEP = PlanStep(step_id="s1", tool="execute_sql", args={"sql": "select 1"}, schema_level="basic", query_type="filter")
ITEM = EvidenceItem(
    evidence_id="e1", path="笔记/a.md", start_line=1, end_line=2, score=0.5, kept=True, tool="t", sub_question="q",
    signals={"rank_vector": 1.0},
)  # fmt: skip
PLAN = RoutingPlan(query_type="exact", complexity="simple", sub_questions=(SubQuestion(semantic_intent="甲"),))

ONE_OF_EACH: list[Event] = [
    events.ReadingChosen(source="s", unread=("w",), offered=(events.OfferedReading(n=1, says="rows", sql="SELECT 1"),)),
    events.RunStarted(query='quote " and \\ and 中文\n', sources=("a.db",)),
    events.RequestClassified(request_type="knowledge", signals=(Signal(name="n", detail="d", weight=0.5),)),
    events.QueryRouted(routing_plan=PLAN),
    events.PlanCreated(steps=(STEP,)),
    events.PlanAdjusted(removed=("s1",), added=(STEP,), changed=(STEP,), reason="r"),
    events.ToolStarted(call_id="c1", tool="grep_search", args={"keywords": "x"}),
    events.ToolFinished(call_id="c1", tool="grep_search", ok=False, error="broke"),
    events.EvidenceGraded(items=(ITEM,), average=0.5, action="RE-RETRIEVE"),
    events.StepStarted(step_id="s1"),
    events.StepFinished(step_id="s1", status="skipped", decision="skip"),
    events.TableProduced(step_id="s1", columns=("a",), rows=((1,), (None,), ("x",)), row_count=3),
    events.ChartProduced(step_id="s1", chart=Chart(type="bar", x=("a", 1), series={"y": (1.5, None)})),
    events.Progress(stage="embed", done=1, total=None),
    events.AnswerDelta(text="[1]"),
    events.AnswerCompleted(markdown="m", outcome="partial", citations=(Citation(n=1, path="a", start_line=1),)),
    events.Warned(message="w"),
    events.RunCompleted(),
    events.RunFailed(error="Cancelled"),
]


def test_there_is_an_example_of_every_kind() -> None:
    assert {type(event) for event in ONE_OF_EACH} == set(get_args(Event))


@pytest.mark.parametrize("event", ONE_OF_EACH, ids=lambda event: event.kind)
def test_an_event_survives_its_line(event: Event) -> None:
    stamped = events.stamped(event, run_id="r", seq=3, at="2026-01-01T00:00:00.000Z")
    line = codec.encode(stamped)
    assert "\n" not in line
    assert codec.decode(line) == stamped


@pytest.mark.parametrize("event", ONE_OF_EACH, ids=lambda event: event.kind)
def test_every_event_satisfies_the_published_schema(event: Event) -> None:
    validator = jsonschema.Draft202012Validator(codec.event_schema())
    validator.validate(json.loads(codec.encode(event)))


@pytest.mark.parametrize(
    "change",
    [{"kind": "run_begun"}, {"query": 7}, {"seq": "later"}, {"sources": "a.db"}],
    ids=["unknown kind", "wrong type", "wrong seq", "no list"],
)
def test_the_schema_refuses_what_is_no_event(change: dict[str, object]) -> None:
    line = json.loads(codec.encode(events.RunStarted(query="q"))) | change
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(codec.event_schema()).validate(line)


@pytest.mark.parametrize("line", ["", "{", "[]", '{"kind": "run_begun"}', '{"kind": "answer_delta"}', "null"])
def test_a_bad_line_is_refused_with_what_is_wrong(line: str) -> None:
    with pytest.raises(SessionError, match="Not a kbtui event"):
        codec.decode(line)


def test_unknown_extra_fields_of_a_later_version_are_tolerated() -> None:
    line = json.loads(codec.encode(events.AnswerDelta(text="t"))) | {"added_later": 1}
    assert codec.decode(json.dumps(line)) == events.AnswerDelta(text="t")


def test_names_that_are_no_text_become_text() -> None:
    line = codec.encode(events.RunStarted(query="中 \U0001f98a", kb="/a\udcff", sources=("\ud800.db",)))
    event = codec.decode(line)
    assert event == events.RunStarted(query="中 \U0001f98a", kb="/a\ufffd", sources=("\ufffd.db",))
    assert "\n" not in line


@pytest.mark.parametrize(
    ("line", "said"), [('{"v": 1}', "it has no kind"), ('{"kind": "oracle"}', "knows no kind 'oracle'")]
)
def test_an_event_of_no_known_kind_is_refused_in_plain_words(line: str, said: str) -> None:
    with pytest.raises(SessionError, match=said):
        codec.decode(line)


def test_evidence_recorded_before_it_had_signals_still_loads() -> None:
    line = codec.encode(events.EvidenceGraded(items=(ITEM,)))
    old = line.replace(',"signals":{"rank_vector":1.0}', "")
    assert old != line
    event = codec.decode(old)
    assert isinstance(event, events.EvidenceGraded)
    assert event.items[0].signals == {}
