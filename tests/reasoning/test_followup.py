"""A follow-up is routed as the question in full that it means, and whoever watches is told so."""

from __future__ import annotations

from kbtui.domain.conversation import Turn
from kbtui.domain.routing import RetrievalHint, Routing, RoutingPlan, Signal, SubQuestion
from kbtui.reasoning.offline import offline_reasoner
from kbtui.reasoning.offline.__init__ import FollowUpRouter


def turn(query: str) -> Turn:
    return Turn(query=query, standalone=query, answer="It is so. [1]", paths=("notes.md",))


class Recording:
    """A router that remembers what it was given."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, RetrievalHint]] = []

    def route(self, query: str, hint: RetrievalHint) -> Routing:
        self.asked.append((query, hint))
        questions = (SubQuestion(semantic_intent=query),)
        plan = RoutingPlan(query_type="conceptual", complexity="simple", sub_questions=questions)
        return Routing(plan=plan, signals=(Signal(name="own"),))


def test_the_router_hands_on_the_question_in_full_and_says_so() -> None:
    inner = Recording()
    routing = FollowUpRouter(inner, (turn("What is PEP 484?"),)).route("Who wrote it?", RetrievalHint())
    assert inner.asked == [("Who wrote PEP 484?", RetrievalHint())]
    assert routing.standalone == "Who wrote PEP 484?"
    assert [signal.name for signal in routing.signals] == ["own", "follow-up"]


def test_a_later_pass_brings_the_full_question_which_stays_as_it_is() -> None:
    inner = Recording()
    router = FollowUpRouter(inner, (turn("What is PEP 484?"),))
    first = router.route("Who wrote it?", RetrievalHint())
    hint = RetrievalHint(iteration=1, tried_tools=("hybrid_search",))
    again = router.route(first.standalone, hint)
    assert inner.asked[1] == ("Who wrote PEP 484?", hint)
    assert again.standalone == first.standalone


def test_a_later_pass_is_left_alone_where_somebody_else_put_the_question_in_full() -> None:
    inner = Recording()
    router = FollowUpRouter(inner, (turn("What is PEP 484?"),))
    router.route("Who wrote it?", RetrievalHint())
    assert router.route("Who wrote it, PEP 484?", RetrievalHint(iteration=1)).standalone == ""


def test_a_question_that_stands_alone_is_routed_as_if_nothing_had_been_said() -> None:
    inner = Recording()
    routing = FollowUpRouter(inner, (turn("What is PEP 484?"),)).route("list all runbooks", RetrievalHint())
    assert inner.asked == [("list all runbooks", RetrievalHint())]
    assert routing.standalone == ""
    assert [signal.name for signal in routing.signals] == ["own"]


def test_what_is_small_talk_alone_is_a_question_after_another() -> None:
    reasoner = offline_reasoner()
    after = reasoner.after((turn("How do I renew a certificate?"),))
    assert after.meant("tell me more") == "Tell me more: how do I renew a certificate?"
    assert not after.is_chitchat("tell me more")
    assert not after.is_chitchat("why?")
    assert after.is_chitchat("thanks")
    assert reasoner.meant("why?") == "why?"
