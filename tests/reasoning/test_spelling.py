"""Routing a question with misspelt words."""

from __future__ import annotations

from kbtui.domain.routing import RetrievalHint, Routing, RoutingPlan, SubQuestion
from kbtui.errors import IndexCorrupt
from kbtui.knowledge.search.spelling import Respelling, Respelt
from kbtui.reasoning.offline.phrases import read_as
from kbtui.reasoning.spelling import SpellingRouter


class Router:
    """Routes everything as one question, and remembers what it was given."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def route(self, query: str, hint: RetrievalHint) -> Routing:
        self.seen.append(query)
        plan = RoutingPlan(
            query_type="conceptual", complexity="simple", sub_questions=(SubQuestion(semantic_intent=query),)
        )
        return Routing(plan=plan)


def respell(text: str) -> Respelt:
    if "gatway" not in text:
        return Respelt(text=text)
    return Respelt(text=text.replace("gatway", "gateway"), changes=(Respelling(written="gatway", read="gateway"),))


def test_what_is_routed_is_spelt_right_and_the_routing_says_so() -> None:
    inner = Router()
    routing = SpellingRouter(inner, respell).route("the gatway?", RetrievalHint())
    assert inner.seen == ["the gateway?"]
    assert (routing.standalone, routing.read_as) == ("the gateway?", (("gatway", "gateway"),))


def test_a_later_pass_still_knows_what_was_read_as_what() -> None:
    router = SpellingRouter(Router(), respell)
    first = router.route("the gatway?", RetrievalHint())
    again = router.route(first.standalone, RetrievalHint(iteration=1))
    assert again.read_as == first.read_as


def test_a_question_that_is_spelt_right_is_routed_as_if_nobody_had_looked() -> None:
    routing = SpellingRouter(Router(), respell).route("the gateway?", RetrievalHint())
    assert (routing.standalone, routing.read_as, routing.signals) == ("", (), ())


def test_an_index_that_cannot_be_read_leaves_the_question_as_it_is() -> None:
    def broken(text: str) -> Respelt:
        raise IndexCorrupt("The index is damaged.", "")

    assert SpellingRouter(Router(), broken).route("the gatway?", RetrievalHint()).read_as == ()


def test_the_answer_says_which_words_were_read() -> None:
    pairs = (("gatway", "gateway"), ("lenght", "length"))
    assert read_as(pairs, "en") == "*Read as: gateway (for gatway), length (for lenght)*"
    assert read_as(pairs, "zh") == "*理解为：gateway（原文 gatway）、length（原文 lenght）*"
    assert read_as((), "en") == ""
