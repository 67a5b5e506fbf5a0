"""A question with a text handed in (a diff, a log): the folder is searched for the telling terms of the text."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kbtui.bootstrap.backend_parts import ActiveRun
from kbtui.bootstrap.overview import OverviewBackend
from kbtui.domain.events import AnswerCompleted, RequestClassified
from kbtui.domain.ports import RunSummary
from kbtui.domain.routing import Signal
from kbtui.text.language import has_cjk

if TYPE_CHECKING:
    from kbtui.reasoning.offline import OfflineReasoner

_UNKNOWN: Final = "Nothing in this folder answers that: it has none of the telling words of the text handed in."
_UNKNOWN_ZH: Final = "这个文件夹里没有答案：所给文本中的关键词在其中都没有出现。"


class AboutBackend(OverviewBackend):
    """Adds the characteristic terms of a handed-in text to the question; its base answers any other question."""

    _telling_terms: tuple[str, ...] = ()
    """The telling terms of the text in this run; empty in a run without a text."""

    def reasoner(self) -> OfflineReasoner:
        """The router, grader and writer that need no model; with a text, the router searches for its telling terms."""
        reasoner = super().reasoner()
        if not self._telling_terms:
            return reasoner
        from kbtui.reasoning.offline.handed_in import HandedInRouter

        return replace(reasoner, router=HandedInRouter(self._telling_terms))

    def _answer(self, run: ActiveRun) -> RunSummary:
        if not run.about.strip():
            return super()._answer(replace(run, about=""))
        from kbtui.question.attached_text import distinctive_terms, with_terms

        self.knowledge.ensure_fresh(run.emit, run.cancel)
        limits = self._limits(run)
        if limits is not None:
            run = replace(run, query=limits.text)
        terms = distinctive_terms(run.about, self.knowledge.index.rarity)
        query = with_terms(run.query, terms)
        signal = Signal(name="text handed in", detail=", ".join(terms))
        run.emit(RequestClassified(request_type="knowledge", signals=(signal,), standalone=query if terms else ""))
        if not terms:
            run.emit(AnswerCompleted(markdown=_UNKNOWN_ZH if has_cjk(run.query) else _UNKNOWN, outcome="not_found"))
            return RunSummary()
        if limits is not None and limits.message:
            run.emit(AnswerCompleted(markdown=limits.message, outcome="not_found"))
            return RunSummary()
        paths = self._paths_of_kinds_in(run.query)
        if limits is not None and limits.paths is not None:
            paths = tuple(limits.paths.intersection(paths) or limits.paths)
        run = replace(run, query=query, history=())
        if not paths:
            return self._answer_about(terms, run)
        with self._restricted_to(paths, run) as restricted:
            return restricted._answer_about(terms, restricted._begin(run))

    def _answer_about(self, terms: tuple[str, ...], run: ActiveRun) -> RunSummary:
        backend = copy(self)
        backend._telling_terms = terms
        return backend._answer_from_documents(run)

    def _paths_of_kinds_in(self, query: str) -> tuple[str, ...]:
        """Paths of the documents of the kinds that a question names (*which runbook*); empty where it names none."""
        from kbtui.records.opened import reader_of

        kinds = reader_of(self.knowledge, self._today).words.kinds_in(query)
        return tuple(dict.fromkeys(document.path for kind in kinds for document in kind.things))
