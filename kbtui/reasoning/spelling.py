"""Routes a question as the folder puts it: with its spelling, its names of days, and translated into its language."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kbtui.domain.ports import QueryRouter
from kbtui.domain.routing import RetrievalHint, Routing, Signal, SubQuestion
from kbtui.errors import KbtuiError
from kbtui.knowledge.search.spelling import Respelling, Respelt
from kbtui.late_patterns import pattern
from kbtui.question.reader import read

if TYPE_CHECKING:
    from kbtui.knowledge.search.translator import Translation


class SpellingRouter:
    """Stands around any other router.

    Args:
        inner: Routes questions that are spelt right.
        respell: Reads a question with the words of the folder.
    """

    def __init__(self, inner: QueryRouter, respell: Callable[[str], Respelt]) -> None:
        self._inner = inner
        self._respell = respell
        self._known: dict[str, Respelt] = {}

    def route(self, query: str, hint: RetrievalHint) -> Routing:
        """See `QueryRouter`. A later pass brings the question as it was read, or what it means in full."""
        respelt = self._respelt(query) if hint.iteration == 0 else self._known.get(query)
        if respelt is None or not respelt.changes:
            return self._inner.route(query, hint)
        routing = self._inner.route(respelt.text, hint)
        meant = routing.standalone or respelt.text
        self._known[meant] = replace(respelt, text=meant)
        signals = [Signal(name="spelling", detail=f"{one.written} = {one.read}", weight=0.8) for one in respelt.changes]
        return replace(
            routing,
            standalone=meant,
            read_as=tuple((one.written, one.read) for one in respelt.changes),
            signals=(*routing.signals, *signals),
        )

    def _respelt(self, query: str) -> Respelt | None:
        try:
            return self._respell(query)
        except KbtuiError:
            # Whatever cannot be read is told of by whoever searches it.
            return None


_PREPOSITION: Final = pattern(r"(?i)^(?:on|of|from|for|at|in|during)\s+")
_FORMS: Final = ("%Y-%m-%d", "%Y_%m_%d", "%Y%m%d", "%Y.%m.%d")


def with_day_names(respelt: Respelt, paths: Iterable[str], today: date) -> Respelt:
    """A question with its days written as the names of the notes of these days; a day without a note stays as it is.

    Args:
        paths: The files of the folder.
        today: The date that *yesterday* is relative to.
    """
    periods = read(respelt.text, today=today).periods
    days = [(period.words, period.first) for period in periods if period.first and period.first == period.last]
    if not days:
        return respelt
    names = {PurePosixPath(path).stem for path in paths}
    text, changes = respelt.text, list(respelt.changes)
    for words, day in days:
        written = _PREPOSITION.sub("", words)
        name = next((name for form in _FORMS if (name := day.strftime(form)) in names), written)
        if name != written and written in text:
            text = text.replace(written, name, 1)
            changes.append(Respelling(written=written, read=name))
    return Respelt(text=text, changes=tuple(changes))


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
