"""A question with a text handed in (a diff, a log): the folder is asked for what the text is about."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kbtui.bootstrap.overview import OverviewBackend
from kbtui.domain.conversation import Turn
from kbtui.domain.events import AnswerCompleted, RequestClassified
from kbtui.domain.ports import CancelToken, Emit, RunSummary
from kbtui.domain.routing import Signal
from kbtui.runs.audit import Audit
from kbtui.text.language import has_cjk

if TYPE_CHECKING:
    from kbtui.reasoning.offline import OfflineReasoner

_UNKNOWN: Final = "Nothing in this folder answers that: it has none of the telling words of the text handed in."
_UNKNOWN_ZH: Final = "这个文件夹里没有答案：所给文本中的关键词在其中都没有出现。"


class AboutBackend(OverviewBackend):
    """Puts what a handed-in text is about into the question; any other question is answered as it always is."""

    _telling: tuple[str, ...] = ()
    """The telling words of the text, in a run about one."""

    def reasoner(self) -> OfflineReasoner:
        """Who thinks when no model is configured; of a text, the telling words are looked for."""
        usual = super().reasoner()
        if not self._telling:
            return usual
        from kbtui.reasoning.offline.handed_in import HandedInRouter

        return replace(usual, router=HandedInRouter(self._telling))

    def answer(
        self,
        query: str,
        emit: Emit,
        cancel: CancelToken,
        history: tuple[Turn, ...] = (),
        *,
        audit: Audit,
        about: str = "",
    ) -> RunSummary:
        """See `kbtui.runs.backend.Backend`."""
        if not about.strip():
            return super().answer(query, emit, cancel, history, audit=audit)
        from kbtui.question.handed_in import asked_about, telling_terms

        self.knowledge.ensure_fresh(emit, cancel)
        terms = telling_terms(about, self.knowledge.index.rarity)
        meant = asked_about(query, terms)
        signal = Signal(name="text handed in", detail=", ".join(terms))
        emit(RequestClassified(request_type="knowledge", signals=(signal,), standalone=meant if terms else ""))
        if not terms:
            emit(AnswerCompleted(markdown=_UNKNOWN_ZH if has_cjk(query) else _UNKNOWN, outcome="not_found"))
            self._tell_session_problems(emit)
            return RunSummary()
        if paths := self._of_kind(query):
            with self._over(paths, emit, cancel) as narrow:
                return narrow._asked_about(about, terms, meant, emit, cancel, audit)
        return self._asked_about(about, terms, meant, emit, cancel, audit)

    def _asked_about(
        self, about: str, terms: tuple[str, ...], meant: str, emit: Emit, cancel: CancelToken, audit: Audit
    ) -> RunSummary:
        side = copy(self)
        side._about, side._telling = about, terms
        client = side._models.client(emit, cancel, audit)
        return side._asked(meant, emit, cancel, (), client, audit, side._toolbox(emit, cancel))

    def _of_kind(self, query: str) -> tuple[str, ...]:
        """The documents of the kind that a question asks for (*which runbook*); none where it names no kind."""
        from kbtui.records.opened import reader_of

        kinds = reader_of(self.knowledge, self._today).words.kinds_in(query)
        return tuple(dict.fromkeys(thing.path for kind in kinds for thing in kind.things))
