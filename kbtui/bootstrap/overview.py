"""What there is to ask about, as an answer: "what is here?" is asked of the whole, not of a passage of it."""

from __future__ import annotations

import re
from contextlib import suppress
from copy import copy
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kbtui.bootstrap.models import ModelSide
from kbtui.bootstrap.narrowing import NarrowingBackend
from kbtui.domain.conversation import Turn
from kbtui.domain.events import AnswerCompleted, Event, RequestClassified
from kbtui.domain.ports import CancelToken, Emit, RunSummary
from kbtui.domain.routing import Signal
from kbtui.errors import KbtuiError
from kbtui.runs.audit import Audit, AuditLog
from kbtui.settings.providers import OFFLINE
from kbtui.text.language import has_cjk
from kbtui.text.phrases import Phrases
from kbtui.view.folding import reduce_all
from kbtui.view.view_state import RunView

if TYPE_CHECKING:
    from kbtui.bootstrap.calling import SingleCalls
    from kbtui.bootstrap.library import FolderLibrary

_LONGEST: Final = 80
"""Characters of a question that only asks what there is."""


@cache
def _word(language: str) -> re.Pattern[str]:
    """Matches one word of such a question, or what stands between two; group ``strong`` is one that decides."""
    words = Phrases(__package__, "overview.toml", language)
    strong, filler = (
        "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
        for known in ((*words.strong.split(), *words.listing("phrases")), words.filler.split())
    )
    end = "" if language == "zh" else r"(?![\w'])"
    return re.compile(rf"(?:(?P<strong>{strong})|(?:{filler})){end}|\W", re.IGNORECASE)


def asks_overview(query: str) -> bool:
    """Whether every word of a question only asks what there is."""
    if len(query) > _LONGEST:
        return False
    text, at, is_strong = query.replace("’", "'"), 0, False
    word = _word("zh" if has_cjk(query) else "en")
    while at < len(text):
        found = word.match(text, at)
        if found is None:
            return False
        at, is_strong = found.end(), is_strong or found["strong"] is not None
    return is_strong


class OverviewBackend(NarrowingBackend):
    """Says what the folder and the data hold; any other question is answered as it always is."""

    @cached_property
    def library(self) -> FolderLibrary:
        """What there is to ask about."""
        from kbtui.bootstrap.library import FolderLibrary

        return FolderLibrary(
            lambda: self.knowledge if self._has_documents() and self.knowledge.index.exists else None,
            self._data,
            self._asked_aside,
            self._today,
        )

    @cached_property
    def tools(self) -> SingleCalls:
        """The tools, to be called one by one."""
        from kbtui.bootstrap.calling import SingleCalls

        return SingleCalls(lambda: self.knowledge, self._data, self._settings, self._today)

    def rehearse(self) -> None:
        """Answer a question aside; nothing where the folder was never indexed."""
        if self._has_documents() and self.knowledge.index.exists:
            # Whatever is wrong is said to whoever asks in earnest.
            with suppress(KbtuiError):
                self._asked_aside(f"how does {self._root.name} work?")

    def _asked_aside(self, query: str) -> RunView:
        """The answer to a question that nobody asked: offline, and nothing of it is kept.

        Raises:
            KbtuiError: There is no answer.
        """
        side, events = copy(self), list[Event]()
        side._models = ModelSide(replace(self._settings.model, name=OFFLINE))
        side._problems = list
        side.answer(query, events.append, CancelToken(), audit=AuditLog().of(""))
        return reduce_all(events)

    def _answered(
        self, query: str, emit: Emit, cancel: CancelToken, history: tuple[Turn, ...], audit: Audit
    ) -> RunSummary:
        if not asks_overview(query):
            return super()._answered(query, emit, cancel, history, audit)
        from kbtui.bootstrap.overview_page import OverviewPage

        signal = Signal(name="overview", detail="every word asks what there is")
        emit(RequestClassified(request_type="knowledge", confidence=1.0, signals=(signal,)))
        if self._has_documents():
            self.knowledge.ensure_fresh(emit, cancel)
        page = OverviewPage(self._root.name, self.library.holdings(), "zh" if has_cjk(query) else "en")
        emit(AnswerCompleted.of(page.written()))
        self._tell_session_problems(emit)
        return RunSummary()
