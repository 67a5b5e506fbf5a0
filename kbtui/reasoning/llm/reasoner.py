"""The reasoners of one run with a chat model; each falls back to an offline one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kbtui.domain.conversation import Turn
from kbtui.domain.ports import Emit, QueryRouter
from kbtui.reasoning.llm.client import ModelClient
from kbtui.reasoning.llm.fencing import fenced, new_nonce
from kbtui.reasoning.llm.grader import LlmGrader
from kbtui.reasoning.llm.router import Advice, LlmRouter
from kbtui.reasoning.llm.writer import LlmWriter
from kbtui.settings.model import ModelSettings

if TYPE_CHECKING:
    from kbtui.reasoning.checking.checker import AnswerChecker
    from kbtui.reasoning.citing import ReadsLines
    from kbtui.reasoning.offline import OfflineReasoner

ABOUT_CHARS: Final = 8_000
"""Most characters of a text passed with the question: a screen or two of a diff."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmReasoner:
    """The router, grader and writer of one run, which implement the protocols of ``domain.ports``."""

    router: LlmRouter
    grader: LlmGrader
    writer: LlmWriter


def llm_reasoner(
    client: ModelClient,
    offline: OfflineReasoner,
    offline_router: QueryRouter,
    *,
    settings: ModelSettings,
    tools: Mapping[str, str],
    history: Sequence[Turn],
    checker: Callable[[], AnswerChecker],
    source: ReadsLines | None,
    emit: Emit,
    about: str = "",
) -> LlmReasoner:
    """Create the reasoners of one run.

    Args:
        client: Client of the chat model.
        offline: Offline reasoners for the fallback.
        offline_router: Replaces ``offline.router`` in a run with a history.
        settings: Token budgets of the prompts.
        tools: Name and description of the available tools.
        history: Earlier turns.
        checker: Returns the checker of citations.
        source: Reads the current lines of files.
        emit: Receives warnings and answer text.
        about: Text passed with the question; it is fenced and cannot be cited.
    """
    nonce = new_nonce()
    advice = Advice()
    fenced_text = fenced(about[:ABOUT_CHARS], attributes={"of": "the text that the question is about"}, nonce=nonce)
    fenced_text = fenced_text if about else ""
    return LlmReasoner(
        router=LlmRouter(
            client,
            offline_router,
            tools=tools,
            history=history,
            nonce=nonce,
            advice=advice,
            emit=emit,
            about=fenced_text,
        ),
        grader=LlmGrader(
            client, offline.grader, context_tokens=settings.context_tokens, nonce=nonce, advice=advice, emit=emit
        ),
        writer=LlmWriter(
            client,
            offline.writer,
            checker=checker,
            source=source,
            context_tokens=settings.context_tokens,
            nonce=nonce,
            about=fenced_text,
        ),
    )
