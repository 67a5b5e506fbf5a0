"""What the tables of the folder answer is not searched for."""

from __future__ import annotations

from kbtui.agent.graph import run_graph
from kbtui.agent.state import AgentContext, RecordsAnswer
from kbtui.domain.answer import Citation, WrittenAnswer
from kbtui.domain.events import Event
from kbtui.domain.ports import CancelToken
from kbtui.domain.tooling import ToolOutput
from tests.support.agents import TOOLS, ListingWriter, OwnScoreGrader, ScriptedRouter, hit, plan

FOUND = RecordsAnswer(
    answer=WrittenAnswer(
        markdown="**2** [1]", outcome="answered", citations=(Citation(n=1, path="a.md", start_line=3, end_line=3),)
    ),
    hits=(hit("a.md", 3, 3), hit("b.md", 4, 4)),
    says="number of tickets",
    sql="SELECT count(*) FROM ticket",
    confidence=0.9,
    source="folder",
)


def run(found: RecordsAnswer | None, router: ScriptedRouter) -> list[Event]:
    events: list[Event] = []
    context = AgentContext(
        router=router,
        grader=OwnScoreGrader(),
        writer=ListingWriter(),
        tool_names=TOOLS,
        call_tool=lambda _name, _args: ToolOutput(hits=(hit(),)),
        emit=events.append,
        cancel=CancelToken(),
        records=lambda _query: found,
    )
    run_graph("how many tickets are there?", context)
    return events


def test_the_whole_way_to_an_answer_out_of_the_tables_is_told() -> None:
    router = ScriptedRouter(plan(("a", "a")))
    events = run(FOUND, router)
    assert [event.kind for event in events] == [
        "query_routed",
        "plan_created",
        "tool_started",
        "tool_finished",
        "reading_chosen",
        "evidence_graded",
        "answer_completed",
    ]
    assert router.hints == []
    graded = events[5]
    assert graded.kind == "evidence_graded"
    assert [(item.path, item.start_line, item.score) for item in graded.items] == [("a.md", 3, 1.0), ("b.md", 4, 1.0)]


def test_what_the_tables_do_not_answer_goes_to_the_router() -> None:
    router = ScriptedRouter(plan(("a", "a")))
    events = run(None, router)
    assert len(router.hints) == 1
    assert events[-1].kind == "answer_completed"
