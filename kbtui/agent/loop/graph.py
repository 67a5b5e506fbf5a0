"""The shape of the loop.

::

    START → look → think → act ─┐
                    ↑ ↑ └───────┘ (tools)
                    │ └── write ──→ END
                    └────── (once, with what lacks support)

The model decides when it is done: a call of ``finish`` or a reply in words goes to ``write``. `budget` limits the loop.
"""

from __future__ import annotations

from typing import Any, Final

from kbtui.agent.graph import END, Choice, Topology, run_topology
from kbtui.agent.loop.act import act
from kbtui.agent.loop.look import look
from kbtui.agent.loop.state import LoopContext, LoopState
from kbtui.agent.loop.think import think
from kbtui.agent.loop.write import write

_STEPS_PER_ROUND: Final = 3


def _after_thinking(state: LoopState) -> str:
    if state["calls"]:
        return "act"
    # Without a new draft after a revision request, the first draft is written.
    return "write" if state["draft"] or state.get("sent_back") else "think"


def _after_writing(state: LoopState) -> str:
    return END if "answer" in state else "think"


LOOP: Final = Topology(
    nodes={"look": look, "think": think, "act": act, "write": write},
    edges={
        "look": "think",
        "think": Choice(_after_thinking, ("act", "write", "think")),
        "act": "think",
        "write": Choice(_after_writing, ("think", END)),
    },
    state=LoopState,
    context=LoopContext,
)


def run_loop(query: str, context: LoopContext) -> LoopState:
    """Answer one question; blocks. Events go to ``context.emit`` as they happen.

    Raises:
        LoopFailed: The model gave no usable answer.
        Cancelled: ``context.cancel`` was set.
        KbtuiError: A node could not go on.
    """
    start: LoopState = {"query": query, "audit": []}
    limit = _STEPS_PER_ROUND * (context.settings.loop_calls + 4)
    final: Any = run_topology(LOOP, start, context, limit)
    return final  # type: ignore[no-any-return]
