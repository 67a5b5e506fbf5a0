"""Gives the parts of a question their translation, where the folder has text in another language than they are in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kbtui.domain.ports import QueryRouter
from kbtui.domain.routing import RetrievalHint, Routing, SubQuestion
from kbtui.errors import KbtuiError

if TYPE_CHECKING:
    from kbtui.knowledge.search.translator import Translation


class TranslatingRouter:
    """Adds translations to the plans of another router, once for all that compare words of question and text.

    Args:
        inner: Who routes.
        translate: Gives the translation of a text for the folder; nothing where it needs none.
    """

    def __init__(self, inner: QueryRouter, translate: Callable[[str], Translation]) -> None:
        self._inner = inner
        self._translate = translate

    def route(self, query: str, hint: RetrievalHint) -> Routing:
        """See `QueryRouter`."""
        routing = self._inner.route(query, hint)
        questions = tuple(self._translated(question) for question in routing.plan.sub_questions)
        return replace(routing, plan=replace(routing.plan, sub_questions=questions))

    def _translated(self, question: SubQuestion) -> SubQuestion:
        try:
            found = self._translate(question.semantic_intent)
        except KbtuiError:
            # What is wrong with the index is told by the tools that cannot do without it.
            return question
        return replace(question, translated=found.words, translated_share=found.share) if found.words else question
