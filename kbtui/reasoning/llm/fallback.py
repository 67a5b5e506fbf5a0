"""What happens when the model does not do its part: the stage is done offline, and whoever watches is told once why."""

from __future__ import annotations

from typing import Final

from kbtui.domain.events import Warned
from kbtui.domain.ports import Emit
from kbtui.reasoning.llm.client import CallFailed
from kbtui.reasoning.llm.prompt import Stage

_DONE: Final[dict[Stage, str]] = {
    "route": "the question was understood offline",
    "grade": "the evidence was graded offline",
    "write": "the answer was written offline",
    "sql": "the statement was written offline",
    "plan": "the steps were planned offline",
    "condense": "the follow-up was understood offline",
    "loop": "the question was answered offline",
    "probe": "the question was understood offline",
}


def warn_of(failed: CallFailed, stage: Stage, emit: Emit) -> None:
    """Tell why the stage was done offline; of a model that is known to be away only the first time."""
    if failed.told:
        return
    failure = failed.failure
    hint = f" {failure.hint}" if failure.hint else ""
    emit(Warned(message=f"{failure.message.rstrip('.')}; {_DONE[stage]}.{hint}", where="model"))
