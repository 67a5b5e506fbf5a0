"""The first answer on a folder that is still to be read, from the few files that its words stand in.

It is stated as an ``answer_completed`` that says how many files it is from; the one over all files follows in the same
run and takes its place. Only what passages answer is answered so: a list, a count or a relation over some of the files
would be wrong, not early.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Final

from kbtui.domain.events import AnswerCompleted, Event, PlanCreated, Progress
from kbtui.domain.ports import CancelToken, Emit
from kbtui.errors import Cancelled, KbtuiError
from kbtui.knowledge.base import KnowledgeBase
from kbtui.knowledge.reading.walked import Walk
from kbtui.settings.model import Settings
from kbtui.text.tokenise import content_words

log = logging.getLogger(__name__)

_OF_PASSAGES: Final = frozenset({"hybrid_search", "vector_search", "grep_search", "read_file"})


class _NotFromPassages(Exception):
    """The question is planned to be answered by something else than passages."""


def first_answer(
    knowledge: KnowledgeBase, settings: Settings, walk: Walk, query: str, emit: Emit, cancel: CancelToken
) -> None:
    """Emit an answer to ``query`` from some files of ``walk``, or nothing when they hold none.

    Args:
        query: In full: a follow-up as a question of its own.

    Raises:
        Cancelled: ``cancel`` was set.
    """
    emit(Progress(stage="look", done=0, total=len(walk.files)))
    try:
        _answer(knowledge, settings, walk, query, emit, cancel)
    except Cancelled:
        raise
    except (KbtuiError, _NotFromPassages) as error:
        # Whatever is wrong is met again, and told, when the folder is read.
        log.info("no first answer: %s", error)


def _answer(
    knowledge: KnowledgeBase, settings: Settings, walk: Walk, query: str, emit: Emit, cancel: CancelToken
) -> None:
    from kbtui.agent.graph import run_graph
    from kbtui.agent.state import AgentContext
    from kbtui.knowledge.search.first_look import first_look
    from kbtui.reasoning.offline import offline_reasoner
    from kbtui.tools import Toolbox, ToolContext, offered_tools

    with first_look(knowledge, settings, walk, content_words(query), cancel) as look:
        if look is None:
            return
        toolbox = Toolbox(ToolContext(knowledge=look, settings=settings, cancel=cancel), warn=lambda _: None)
        reasoner = offline_reasoner(
            embedder=lambda: look.embedder,
            source=look.source,
            files=look.index.files,
            rarity=look.index.rarity,
        )
        read = len(look.file_records())

        def tell(event: Event) -> None:
            if isinstance(event, PlanCreated) and any(step.tool not in _OF_PASSAGES for step in event.steps):
                raise _NotFromPassages(event.steps)
            if isinstance(event, AnswerCompleted) and event.outcome == "answered":
                emit(replace(event, suggestions=(), files_read=read, files_total=len(walk.files)))

        context = AgentContext(
            router=reasoner.router,
            grader=reasoner.grader,
            writer=reasoner.writer,
            tool_names=offered_tools(settings, toolbox.descriptions),
            call_tool=toolbox.call,
            emit=tell,
            cancel=cancel,
            max_iterations=1,
        )
        run_graph(query, context, adaptive=settings.agent.use_adaptive_rag)
