"""Answers "what is here?" by an overview of the folder and the data: no single passage of them answers it."""

from __future__ import annotations

import re
from contextlib import suppress
from copy import copy
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kbtui.bootstrap.backend_parts import ActiveRun
from kbtui.bootstrap.models import ChatModels
from kbtui.bootstrap.narrowing import NarrowingBackend
from kbtui.domain.events import AnswerCompleted, Event, RequestClassified
from kbtui.domain.ports import CancelToken, RunSummary
from kbtui.domain.routing import Signal
from kbtui.errors import KbtuiError
from kbtui.runs.audit import AuditLog
from kbtui.runs.backend import RunRequest
from kbtui.settings.providers import OFFLINE
from kbtui.text.language import has_cjk
from kbtui.text.phrases import Phrases
from kbtui.view.folding import reduce_all
from kbtui.view.view_state import RunView

if TYPE_CHECKING:
    from kbtui.bootstrap.calling import SingleCalls
    from kbtui.bootstrap.library import FolderLibrary

_MAX_CHARS: Final = 80
"""A longer question asks for more than an overview."""


@cache
def _word_pattern(language: str) -> re.Pattern[str]:
    """Matches one word of such a question, or one character between words; group ``strong`` is a deciding word."""
    words = Phrases(__package__, "overview.toml", language)
    strong, filler = (
        "|".join(map(re.escape, sorted(alternatives, key=len, reverse=True)))
        for alternatives in ((*words.strong.split(), *words.listing("phrases")), words.filler.split())
    )
    end = "" if language == "zh" else r"(?![\w'])"
    return re.compile(rf"(?:(?P<strong>{strong})|(?:{filler})){end}|\W", re.IGNORECASE)


def asks_overview(query: str) -> bool:
    """Whether a question asks for an overview: each of its words is known, and one of them decides."""
    if len(query) > _MAX_CHARS:
        return False
    text, at, is_strong = query.replace("’", "'"), 0, False
    word_pattern = _word_pattern("zh" if has_cjk(query) else "en")
    while at < len(text):
        match = word_pattern.match(text, at)
        if match is None:
            return False
        at, is_strong = match.end(), is_strong or match["strong"] is not None
    return is_strong


class OverviewBackend(NarrowingBackend):
    """Answers questions for an overview of the folder and the data; its base answers any other question."""

    @cached_property
    def library(self) -> FolderLibrary:
        """The documents, tables and suggested questions of the folder and the data."""
        from kbtui.bootstrap.library import FolderLibrary

        return FolderLibrary(
            lambda: self.knowledge if self._has_documents() and self.knowledge.index.exists else None,
            self._data,
            self._answer_aside,
            self._today,
        )

    @cached_property
    def tools(self) -> SingleCalls:
        """The tools, to be called one by one."""
        from kbtui.bootstrap.calling import SingleCalls

        return SingleCalls(lambda: self.knowledge, self._data, self._settings, self._today)

    def rehearse(self) -> None:
        """Answer a question offline and unrecorded; do nothing where the folder was never indexed."""
        if self._has_documents() and self.knowledge.index.exists:
            # A real question meets the same problem and reports it.
            with suppress(KbtuiError):
                self._answer_aside(f"how does {self._root.name} work?")

    def _answer_aside(self, query: str, *, data_only: bool = False) -> RunView:
        """The run of a question that no user asked: offline and unrecorded.

        Args:
            data_only: Ask the data alone, and not the folder.

        Raises:
            KbtuiError: There is no answer.
        """
        backend, events = copy(self), list[Event]()
        backend._models = ChatModels(replace(self._settings.model, name=OFFLINE))
        backend._problems = list
        backend._asks_folder = backend._asks_folder and not data_only
        backend.answer(RunRequest(query=query, emit=events.append, cancel=CancelToken(), audit=AuditLog().of("")))
        return reduce_all(events)

    def _answer(self, run: ActiveRun) -> RunSummary:
        if not asks_overview(run.query):
            return super()._answer(run)
        from kbtui.bootstrap.overview_page import OverviewPage

        signal = Signal(name="overview", detail="every word asks what there is")
        run.emit(RequestClassified(request_type="knowledge", confidence=1.0, signals=(signal,)))
        if self._has_documents():
            self.knowledge.ensure_fresh(run.emit, run.cancel)
        page = OverviewPage(self._root.name, self.library.holdings(), "zh" if has_cjk(run.query) else "en")
        run.emit(AnswerCompleted.of(page.write()))
        return RunSummary()
