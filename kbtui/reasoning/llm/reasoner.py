"""The thinkers of one run with a chat model: each asks the model and has an offline one behind it."""

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
"""Of a text handed in that a model is shown: a screen or two of a diff."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmReasoner:
    """The three thinkers of one run, behind the protocols of ``domain.ports``."""

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
    """Thinkers for one run.

    Args:
        client: The run's calls.
        offline: Who thinks where the model does not.
        offline_router: In place of ``offline.router``, for a run with a history.
        tools: Name and description of the tools that may be used.
        history: What was said before.
        checker: Gives what compares sentences with lines.
        source: Lines of the files as they are now.
        about: A text that was handed in with the question; it is fenced, and no source.
    """
    nonce = new_nonce()
    advice = Advice()
    handed = fenced(about[:ABOUT_CHARS], attributes={"of": "the text that the question is about"}, nonce=nonce)
    handed = handed if about else ""
    return LlmReasoner(
        router=LlmRouter(
            client, offline_router, tools=tools, history=history, nonce=nonce, advice=advice, emit=emit, about=handed
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
            about=handed,
        ),
    )
