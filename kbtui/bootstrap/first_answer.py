"""The first answer on a folder that is not indexed yet, from the few files that contain words of the question.

It is emitted as an ``answer_completed`` that says how many files were read; the answer over all files follows in the
same run and replaces it. Only questions that passages answer get one: a list, a count or a relation over some of the
files would be wrong, not early.
"""

from __future__ import annotations

import logging
from typing import Final

from msgspec.structs import replace

from kbtui.domain.events import AnswerCompleted, Event, PlanCreated, Progress
from kbtui.domain.ports import CancelToken, Emit
from kbtui.errors import Cancelled, KbtuiError
from kbtui.knowledge.base import KnowledgeBase
from kbtui.knowledge.reading.walk_types import Walk
from kbtui.settings.model import Settings
from kbtui.text.tokenise import content_words

log = logging.getLogger(__name__)

_PASSAGE_TOOLS: Final = frozenset({"hybrid_search", "vector_search", "grep_search", "read_file"})


class _NotFromPassages(Exception):
    """The plan answers the question by a tool that returns no passages."""


def first_answer(
    knowledge: KnowledgeBase, settings: Settings, query: str, emit: Emit, cancel: CancelToken, walk: Walk
) -> None:
    """Emit an answer to ``query`` from some files of ``walk``, or nothing when they do not answer it.

    Args:
        query: The question; a follow-up in its standalone form.

    Raises:
        Cancelled: ``cancel`` was set.
    """
    emit(Progress(stage="look", done=0, total=len(walk.files)))
    try:
        _answer(knowledge, settings, walk, query, emit, cancel)
    except Cancelled:
        raise
    except (KbtuiError, _NotFromPassages) as error:
        # The same problem is met again, and reported, when the folder is indexed.
        log.info("no first answer: %s", error)


def _answer(
    knowledge: KnowledgeBase, settings: Settings, walk: Walk, query: str, emit: Emit, cancel: CancelToken
) -> None:
    from kbtui.agent.graph import run_graph
    from kbtui.agent.state import AgentContext
    from kbtui.knowledge.search.first_look import first_look
    from kbtui.reasoning.offline import offline_reasoner
    from kbtui.tools import Toolbox, ToolContext, offered_tools

    with first_look(knowledge, settings, walk, content_words(query), cancel) as partial:
        if partial is None:
            return
        toolbox = Toolbox(ToolContext(knowledge=partial, settings=settings, cancel=cancel), warn=lambda _: None)
        reasoner = offline_reasoner(
            embedder=lambda: partial.embedder,
            source=partial.source,
            files=partial.index.files,
            rarity=partial.index.rarity,
        )
        files_read = len(partial.file_records())

        def emit_first_answer(event: Event) -> None:
            if isinstance(event, PlanCreated) and any(step.tool not in _PASSAGE_TOOLS for step in event.steps):
                raise _NotFromPassages(event.steps)
            if isinstance(event, AnswerCompleted) and event.outcome == "answered":
                emit(replace(event, suggestions=(), files_read=files_read, files_total=len(walk.files)))

        context = AgentContext(
            router=reasoner.router,
            grader=reasoner.grader,
            writer=reasoner.writer,
            tool_names=offered_tools(settings, toolbox.descriptions),
            call_tool=toolbox.call,
            emit=emit_first_answer,
            cancel=cancel,
            max_iterations=1,
        )
        run_graph(query, context, adaptive=settings.agent.use_adaptive_rag)
