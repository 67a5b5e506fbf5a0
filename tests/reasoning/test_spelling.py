"""Routing a question with misspelt words."""

from __future__ import annotations

from datetime import date

import pytest

from kbtui.domain.routing import RetrievalHint, Routing, RoutingPlan, SubQuestion, Translated
from kbtui.errors import IndexCorrupt, KnowledgeBaseError
from kbtui.knowledge.search.spelling import Respelling, Respelt
from kbtui.knowledge.search.translator import Translation
from kbtui.reasoning.offline.phrases import read_as
from kbtui.reasoning.offline.router import OfflineRouter
from kbtui.reasoning.spelling import SpellingRouter, TranslatingRouter, with_day_names


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


TODAY = date(2025, 3, 5)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("what did I do on 4 March 2025?", "what did I do on 2025-03-04?"),
        ("what happened yesterday?", "what happened 2025-03-04?"),
        ("notes of March 4th", "notes of 2025-03-04"),
        ("2025年3月4日我做了什么？", "2025-03-04我做了什么？"),
        ("what did I do today?", "what did I do 2025_03_05?"),
        ("what did I do on 2025-03-04?", "what did I do on 2025-03-04?"),
        ("what did I do on 6 March 2025?", "what did I do on 6 March 2025?"),
        ("what changed since 4 March 2025?", "what changed since 4 March 2025?"),
    ],
)
def test_a_day_is_read_as_the_name_of_its_note(question: str, read: str) -> None:
    respelt = with_day_names(Respelt(text=question), ["daily/2025-03-04.md", "journals/2025_03_05.md"], TODAY)
    assert respelt.text == read


def test_what_was_read_as_what_is_said_beside_misspelt_words() -> None:
    spelt = Respelt(text="the keel on 4 March 2025", changes=(Respelling(written="kele", read="keel"),))
    respelt = with_day_names(spelt, ["2025-03-04.md"], TODAY)
    assert [(change.written, change.read) for change in respelt.changes] == [
        ("kele", "keel"),
        ("4 March 2025", "2025-03-04"),
    ]


WORDS = (Translated(word="退款", names=("refund",)),)


def test_every_part_of_a_question_is_translated() -> None:
    router = TranslatingRouter(OfflineRouter(), lambda text: Translation(words=WORDS, share=0.5 if text else 1.0))
    parts = router.route("什么是退款？怎么回滚部署？", RetrievalHint()).plan.sub_questions
    assert len(parts) == 2
    assert all((part.translated, part.translated_share) == (WORDS, 0.5) for part in parts)


def test_a_question_that_needs_no_translation_keeps_its_plan() -> None:
    plain = OfflineRouter().route("what is a refund?", RetrievalHint())
    assert (
        TranslatingRouter(OfflineRouter(), lambda _: Translation()).route("what is a refund?", RetrievalHint()) == plain
    )


def test_an_index_that_cannot_be_read_leaves_the_plan_as_it_is() -> None:
    def broken(_: str) -> Translation:
        raise KnowledgeBaseError("broken", "")

    plain = OfflineRouter().route("什么是退款", RetrievalHint())
    assert TranslatingRouter(OfflineRouter(), broken).route("什么是退款", RetrievalHint()) == plain
