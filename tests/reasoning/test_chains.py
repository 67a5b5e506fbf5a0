"""A thing described by its relation to another is looked up first, and the rest is asked of what was found."""

from __future__ import annotations

from itertools import pairwise

import pytest

from kbtui.domain.evidence import Evidence, Hit
from kbtui.domain.routing import RetrievalHint, SubQuestion
from kbtui.question.asking import asks_relation
from kbtui.reasoning.offline.chains import MOST_FOUND, chain
from kbtui.reasoning.offline.router import OfflineRouter

ROUTER = OfflineRouter()


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("Who wrote the PEP that superseded PEP 2?", "Which PEP superseded PEP 2?", "Who wrote PEP 3?"),
        (
            "Which PEP does the PEP that replaced PEP 2 require?",
            "Which PEP replaced PEP 2?",
            "Which PEP does PEP 3 require?",
        ),
        (
            "Who is the owner of the ticket blocking PROJ-12?",
            "Which ticket is blocking PROJ-12?",
            "Who is the owner of PEP 3?",
        ),
        (
            "Who owns the service that `billing` depends on?",
            "Which service does `billing` depend on?",
            "Who owns PEP 3?",
        ),
        ("Who wrote the PEPs PEP 12 requires?", "Which PEPs does PEP 12 require?", "Who wrote PEP 3?"),
        ("Who wrote the PEP that PEP 12 replaced?", "Which PEP has PEP 12 replaced?", "Who wrote PEP 3?"),
        ("Who wrote the PEP PEP 12 was replaced by?", "Which PEP was PEP 12 replaced by?", "Who wrote PEP 3?"),
        ("Who wrote the replacement for PEP 2?", "What is the replacement of PEP 2?", "Who wrote PEP 3?"),
        ("Who wrote PEP 2's successor?", "What is the successor of PEP 2?", "Who wrote PEP 3?"),
        ("What else did the author of PEP 2 write?", "Who is the author of PEP 2?", "What else did PEP 3 write?"),
        (
            "What is the status of the RFC that mentions RFC 9?",
            "Which RFC mentions RFC 9?",
            "What is the status of PEP 3?",
        ),
        ("What does the PEP that replaced PEP 2 propose?", "Which PEP replaced PEP 2?", "What does PEP 3 propose?"),
        ("取代 PEP 2 的 PEP 是谁写的", "哪个 PEP 取代 PEP 2？", "PEP 3 是谁写的"),
        ("取代了 PEP 2 的那个 PEP 的作者是谁", "哪个 PEP 取代 PEP 2？", "PEP 3 的作者是谁"),
        ("被 PEP 2 取代的 PEP 依赖哪些 PEP", "哪个 PEP 被 PEP 2 取代？", "PEP 3 依赖哪些 PEP"),
        ("PEP 12 依赖的 PEP 的状态是什么", "PEP 12 依赖哪个 PEP？", "PEP 3 的状态是什么"),
        ("PEP 2 的后继者是谁写的", "PEP 2 的后继者是哪个？", "PEP 3 是谁写的"),
        ("写 PEP 2 的人还写了哪些 PEP", "谁写了 PEP 2？", "PEP 3 还写了哪些 PEP"),
        ("阻塞 PROJ-12 的工单由谁负责", "哪个工单阻塞 PROJ-12？", "PEP 3 由谁负责"),
    ],
)
def test_a_described_thing_is_a_question_of_its_own(question: str, first: str, second: str) -> None:
    hops = chain(question)
    assert [hop.text for hop in hops] == [first, question]
    assert hops[1].asked_of("PEP 3") == second
    assert asks_relation(first), "the graph has to be asked for it"


@pytest.mark.parametrize(
    "question",
    [
        "Which PEP superseded PEP 2?",
        "Which PEP is the successor of PEP 2?",
        "Is PEP 3 the PEP that superseded PEP 2?",
        "What is the replacement for pep-0002?",
        "Who is the author of PEP 3?",
        "What are the author and status of PEP 3?",
        "What is the status and the author of PEP 3?",
        "List the PEPs that require PEP 3",
        "Which documents mention PEP 3?",
        "How does the service that uses `billing` retry?",
        "What does the author of PEP 3 say about caches?",
        "Who wrote the introduction that everybody likes?",
        "取代 PEP 2 的是哪个 PEP？",
        "PEP 3 取代的 PEP 有哪些？",
        "PEP 3 取代 PEP 2 的原因是什么？",
        "PEP 3 的作者和状态是什么？",
        "列出提到 PEP 3 的文件",
    ],
)
def test_what_asks_one_thing_stays_whole(question: str) -> None:
    assert chain(question) == ()
    assert not ROUTER.route(question, RetrievalHint()).waits


def test_a_description_inside_a_description_is_the_first_of_three() -> None:
    hops = chain("Who wrote the PEP required by the PEP that superseded PEP 2?")
    assert [hop.text for hop in hops] == [
        "Which PEP superseded PEP 2?",
        "Which PEP is required by the PEP that superseded PEP 2?",
        "Who wrote the PEP required by the PEP that superseded PEP 2?",
    ]
    assert [hop.asked_of("PEP 3") for hop in hops[1:]] == ["Which PEP is required by PEP 3?", "Who wrote PEP 3?"]
    assert all(later.about in later.text for _, later in pairwise(hops))


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Who is the author of PEP 2's successor?", "What is the successor of PEP 2?"),
        ("Who wrote the PEP that superseded the PEP required by PEP 2?", "Which PEP is required by PEP 2?"),
        ("Who wrote the PEP that replaced the PEP PEP 2 requires?", "Which PEP does PEP 2 require?"),
    ],
)
def test_the_inner_of_two_descriptions_comes_first(question: str, first: str) -> None:
    assert chain(question)[0].text == first


def test_a_plain_word_that_was_found_is_set_off_as_a_name() -> None:
    hop = chain("Who owns the service that `billing` depends on?")[-1]
    assert hop.asked_of("ledger") == "Who owns `ledger`?"
    assert hop.asked_of("docs/ledger.md") == "Who owns docs/ledger.md?"


# --- what the router makes of it, pass by pass ---

BRIDGE = "Who wrote the PEP that superseded PEP 2?"


def stated(intent: str, note: str, *, direct: float = 0.95, kept: bool = True) -> Evidence:
    signals = {"direct": direct, "reverse": float(note.endswith(" 2"))}
    hit = Hit(path="a.rst", start_line=1, end_line=1, text="x", note=note, signals=signals)
    return Evidence(evidence_id="e1", hit=hit, sub_question=intent, score=0.95, kept=kept)


def after(question: str, *found: Evidence, missing: tuple[str, ...], iteration: int = 1) -> RetrievalHint:
    questions = tuple(SubQuestion(semantic_intent=intent) for intent in missing)
    return RetrievalHint(
        iteration=iteration, missing=questions, tried_tools=("graph_related", "read_file"), found=found
    )


def test_the_first_pass_asks_for_the_described_thing_and_lets_the_rest_wait() -> None:
    routing = ROUTER.route(BRIDGE, RetrievalHint())
    assert [q.semantic_intent for q in routing.plan.sub_questions] == ["Which PEP superseded PEP 2?", BRIDGE]
    assert routing.waits == {BRIDGE}
    assert routing.plan.suggested_tools == ("graph_related", "read_file")
    assert (routing.plan.query_type, routing.plan.complexity) == ("relational", "complex")


def test_what_was_found_takes_the_place_of_its_description() -> None:
    found = stated("Which PEP superseded PEP 2?", "PEP 2 —superseded-by→ PEP 3 «New dict»")
    routing = ROUTER.route(BRIDGE, after(BRIDGE, found, missing=(BRIDGE,)))
    assert [q.semantic_intent for q in routing.plan.sub_questions] == ["Who wrote PEP 3?"]
    assert routing.stands_for == (("Who wrote PEP 3?", BRIDGE),)
    assert "graph_related" in routing.plan.suggested_tools


def test_each_of_several_things_found_is_asked_about_up_to_a_bound() -> None:
    question = "Who wrote the PEPs that require PEP 2?"
    items = "; ".join(f"PEP {number}" for number in range(10, 30))
    found = stated("Which PEPs require PEP 2?", f"{items} —requires→ PEP 2")
    routing = ROUTER.route(question, after(question, found, missing=(question,)))
    asked = [q.semantic_intent for q in routing.plan.sub_questions]
    assert asked == [f"Who wrote PEP {number}?" for number in range(10, 10 + MOST_FOUND)]


@pytest.mark.parametrize("fault", [{"direct": 0.6}, {"kept": False}])
def test_a_line_that_does_not_state_the_relation_is_not_gone_on_with(fault: dict[str, float]) -> None:
    first = "Which PEP superseded PEP 2?"
    found = stated(first, "PEP 2 —mentions→ PEP 7", **fault)  # type: ignore[arg-type]
    routing = ROUTER.route(BRIDGE, after(BRIDGE, found, missing=(first, BRIDGE)))
    assert routing.stands_for == ()


def test_where_no_relation_is_stated_the_whole_question_is_looked_for_in_texts() -> None:
    first = "Which PEP superseded PEP 2?"
    routing = ROUTER.route(BRIDGE, after(BRIDGE, missing=(first, BRIDGE)))
    assert [q.semantic_intent for q in routing.plan.sub_questions] == [first, BRIDGE]
    assert routing.plan.suggested_tools == ("hybrid_search",)
    assert not routing.waits


def test_the_third_hop_waits_for_the_second() -> None:
    question = "Who wrote the PEP required by the PEP that superseded PEP 2?"
    first, second, _ = (hop.text for hop in chain(question))
    one = stated(first, "PEP 2 —superseded-by→ PEP 3")
    routing = ROUTER.route(question, after(question, one, missing=(second, question)))
    assert [q.semantic_intent for q in routing.plan.sub_questions] == ["Which PEP is required by PEP 3?"]
    two = stated("Which PEP is required by PEP 3?", "PEP 3 —requires→ PEP 10")
    routing = ROUTER.route(question, after(question, one, two, missing=(question,), iteration=2))
    assert [q.semantic_intent for q in routing.plan.sub_questions] == ["Who wrote PEP 10?"]
    hint = after(question, one, missing=("Which PEP is required by PEP 3?", question), iteration=2)
    routing = ROUTER.route(question, hint)
    assert [q.semantic_intent for q in routing.plan.sub_questions] == ["Which PEP is required by PEP 3?"]
