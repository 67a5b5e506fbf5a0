"""finish: the call by which a chat model gives its answer and ends the loop."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel, Field

from kbtui.domain.tooling import ToolOutput
from kbtui.tools.base import DataContext, spec_of

NAME: Final = "finish"
DESCRIPTION = "Ends with the answer, as plain text does."


class FinishArgs(BaseModel):
    answer: str = Field(description="The answer, with ids.")


def run(_context: DataContext, answer: str) -> ToolOutput:
    return ToolOutput(text=answer)


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=FinishArgs, run=run, serves="either", offered_to="loop")
