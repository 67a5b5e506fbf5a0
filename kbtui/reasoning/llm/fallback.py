"""Warnings for stages that fall back to their offline counterpart."""

from __future__ import annotations

from typing import Final

from kbtui.domain.events import Warned
from kbtui.domain.ports import Emit
from kbtui.reasoning.llm.client import CallFailed
from kbtui.reasoning.llm.prompt import Stage

_OFFLINE_TEXTS: Final[dict[Stage, str]] = {
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
    """Warn that a stage was done offline, and why; a lasting failure is reported only once."""
    if failed.told:
        return
    failure = failed.failure
    hint = f" {failure.hint}" if failure.hint else ""
    emit(Warned(message=f"{failure.message.rstrip('.')}; {_OFFLINE_TEXTS[stage]}.{hint}", where="model"))
