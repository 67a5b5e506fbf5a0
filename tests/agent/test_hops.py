"""A question two relations long, through the whole graph: the second pass asks of what the first one found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from kbtui.agent.graph import run_graph
from kbtui.agent.state import AgentContext
from kbtui.domain.answer import WrittenAnswer
from kbtui.domain.events import Event
from kbtui.domain.ports import CancelToken
from kbtui.domain.tooling import ToolOutput
from kbtui.question.asking import asks_relation
from kbtui.reasoning.offline import offline_reasoner
from kbtui.records.asking import RecordsReader
from kbtui.records.collection import Collection
from kbtui.records.items import hits_of
from kbtui.records.links import Links
from kbtui.records.relating import stated
from tests.records.relation_corpora import HANDBOOK, STANDARDS, links_of

LINKS = links_of({**STANDARDS, **HANDBOOK})


@dataclass(frozen=True)
class Run:
    """What a run answered, and the facts it stated."""

    answer: WrittenAnswer
    events: list[Event]

    def of(self, kind: str) -> list[Any]:
        return [event for event in self.events if event.kind == kind]

    @property
    def asked(self) -> list[str]:
        """The questions that tools were called with, in order."""
        return list(dict.fromkeys(event.args["query"] for event in self.of("tool_started") if "query" in event.args))

    @property
    def cited(self) -> list[str]:
        return [f"{citation.path}:{citation.start_line}" for citation in self.answer.citations]


def run(question: str, max_iterations: int = 3, links: Links = LINKS) -> Run:
    """Ask with the offline reasoner, with nothing but the relation graph to search in."""
    reader = RecordsReader(Collection(links))
    reasoner = offline_reasoner(records=lambda part, _: reader.read(part, loosely=asks_relation(part)))
    events: list[Event] = []

    def call_tool(name: str, args: Mapping[str, Any]) -> ToolOutput:
        found = stated(links, args["query"]) if name == "graph_related" else None
        return ToolOutput(hits=tuple(hits_of([step.item for step in found.steps], found.entity)) if found else ())

    context = AgentContext(
        router=reasoner.router,
        grader=reasoner.grader,
        writer=reasoner.writer,
        tool_names=("graph_related", "hybrid_search"),
        call_tool=call_tool,
        emit=events.append,
        cancel=CancelToken(),
        max_iterations=max_iterations,
    )
    return Run(run_graph(question, context)["answer"], events)


@pytest.mark.parametrize(
    ("question", "name", "lines"),
    [
        ("Who wrote the PEP that superseded PEP 2?", "Ada Lovelace", ["pep-0002.rst:5", "pep-0003.rst:3"]),
        ("取代 PEP 2 的 PEP 是谁写的？", "Ada Lovelace", ["pep-0002.rst:5", "pep-0003.rst:3"]),
        ("What is the status of the PEP that replaced PEP 2?", "Final", ["pep-0002.rst:5", "pep-0003.rst:4"]),
        ("Which PEPs does the successor of PEP 2 require?", "PEP 10", ["pep-0002.rst:5", "pep-0003.rst:5"]),
        ("PEP 2 的后继者依赖哪些 PEP？", "PEP 10", ["pep-0002.rst:5", "pep-0003.rst:5"]),
        ("What does the ticket that blocks PROJ-12 block?", "PROJ-13", ["PROJ-12.md:4", "PROJ-100.md:4"]),
    ],
)
def test_the_second_pass_answers_of_what_the_first_found_and_both_are_cited(
    question: str, name: str, lines: list[str]
) -> None:
    done = run(question)
    assert done.answer.outcome == "answered"
    assert name in done.answer.markdown
    for line in lines:
        assert any(cited.endswith(line) for cited in done.cited), done.cited
    assert [event.action for event in done.of("evidence_graded")] == ["REFINE", "GENERATE"]
    assert not any(question.rstrip("?？") in asked for asked in done.asked), "the description is never looked up itself"


def test_with_one_pass_the_part_that_was_not_asked_is_said_to_be_missing() -> None:
    question = "Who wrote the PEP that superseded PEP 2?"
    done = run(question, max_iterations=1)
    assert (done.answer.outcome, done.answer.unsupported) == ("partial", (question,))
    assert "PEP 3" in done.answer.markdown


def test_whoever_watches_is_told_what_is_asked_instead() -> None:
    routed = run("Who wrote the PEP that superseded PEP 2?").of("query_routed")
    parts = [[q.semantic_intent for q in event.routing_plan.sub_questions] for event in routed]
    assert parts == [
        ["Which PEP superseded PEP 2?", "Who wrote the PEP that superseded PEP 2?"],
        ["Which PEP superseded PEP 2?", "Who wrote PEP 3?"],
    ]
    assert [event.iteration for event in routed] == [1, 2]


def test_three_hops_take_three_passes() -> None:
    done = run("What is the status of the PEP required by the PEP that superseded PEP 2?")
    assert done.asked[:2] == ["Which PEP superseded PEP 2?", "Which PEP is required by PEP 3?"]
    assert set(done.asked[2:]) == {"What is the status of PEP 1?", "What is the status of PEP 10?"}
    assert done.answer.outcome == "answered"
    assert {"Active", "Final"} <= set(done.answer.markdown.replace("[", " ").replace("*", " ").split())


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("Which PEP does the PEP that PEP 3 replaced require?", "Which PEP does PEP 2 require?"),
        ("被 PEP 3 取代的 PEP 依赖哪些 PEP？", "PEP 2 依赖哪些 PEP?"),
    ],
)
def test_a_chain_that_ends_in_nothing_gives_what_was_found_and_says_what_was_not(question: str, missing: str) -> None:
    done = run(question)
    assert (done.answer.outcome, done.answer.unsupported) == ("partial", (missing,))
    assert "Old dict" in done.answer.markdown
    assert f"**{missing}**" in done.answer.markdown


@pytest.mark.parametrize("question", ["Who wrote the PEP that superseded PEP 100?", "取代 PEP 100 的 PEP 是谁写的？"])
def test_a_chain_whose_first_relation_nothing_states_is_not_answered(question: str) -> None:
    done = run(question)
    assert done.answer.outcome == "not_found"
    assert done.answer.citations == ()
    assert "Grace Hopper" not in done.answer.markdown, "the author of the wrong document"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who wrote the PEPs that require PEP 1?", "7 were found; only the first 5 were looked into."),
        ("依赖 PEP 1 的 PEP 是谁写的？", "共找到 7 项，只查了前 5 项。"),
    ],
)
def test_of_many_things_found_it_is_said_that_only_the_first_were_asked_about(question: str, said: str) -> None:
    many = {
        f"peps/pep-02{n}.rst": f"PEP: 2{n}\nTitle: T{n}\nAuthor: Name{n} Last\nRequires: 1\n" for n in range(10, 17)
    }
    done = run(question, links=links_of({**{"peps/pep-0001.rst": STANDARDS["peps/pep-0001.rst"]}, **many}))
    assert said in done.answer.markdown
    assert done.answer.outcome == "partial"
    assert done.answer.markdown.count("Last") == 5
