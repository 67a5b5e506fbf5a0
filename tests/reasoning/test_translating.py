"""Plans with the words of their parts in the other language of the folder."""

from __future__ import annotations

from kbtui.domain.routing import RetrievalHint, Translated
from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.search.translator import Translation
from kbtui.reasoning.offline.router import OfflineRouter
from kbtui.reasoning.translating import TranslatingRouter

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
