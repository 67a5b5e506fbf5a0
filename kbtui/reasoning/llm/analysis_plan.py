"""The `PlanWriter` that asks a chat model for the steps of an analysis of several steps.

One call. The result is only a proposal: the caller checks the tools, the dependencies between steps and what this type
of request may do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, Field, field_validator, model_validator

from kbtui.domain.analysis import ProposedStep, QueryKind, Schema
from kbtui.domain.events import PlanStep, RequestType
from kbtui.domain.ports import Emit
from kbtui.reasoning.llm.client import CallFailed, ModelClient
from kbtui.reasoning.llm.context import estimate_tokens
from kbtui.reasoning.llm.conversation import Conversation, question_to_model
from kbtui.reasoning.llm.fallback import warn_of
from kbtui.reasoning.llm.fencing import fenced
from kbtui.reasoning.llm.prompt import rules_of
from kbtui.reasoning.llm.shapes import Text
from kbtui.reasoning.llm.sql import KINDS
from kbtui.reasoning.llm.structured import request_shape
from kbtui.text.terminal import one_line

MAX_STEPS_READ: Final = 100
"""Most steps read from a reply; the number of steps to run is checked later."""

_QUESTION_CHARS: Final = 400

RULES: Final = rules_of("plan", KINDS=" | ".join(KINDS))


def _kind(value: object) -> object:
    word = value.strip().lower().replace("-", "_").replace(" ", "_") if isinstance(value, str) else value
    return word if word in KINDS else None


def _ids(value: Any) -> Any:
    if value is None or value == "":
        return []
    items = value if isinstance(value, list) else [value]
    return [str(item).strip().lower().removeprefix("step").strip() for item in items if isinstance(item, (str, int))]


class StepShape(BaseModel):
    """One step of the reply."""

    id: str = ""
    tool: Text = ""
    title: Text = ""
    question: Text = ""
    query_type: Annotated[QueryKind | None, BeforeValidator(_kind)] = None
    depends_on: Annotated[list[str], BeforeValidator(_ids)] = Field(default_factory=list)
    calculation: Text = ""

    @model_validator(mode="before")
    @classmethod
    def _other_names(cls, value: Any) -> Any:
        """Accept a plain question, and the field names ``purpose`` and ``sub_question`` of other programs."""
        if isinstance(value, str):
            return {"tool": "execute_sql", "question": value}
        if not isinstance(value, dict):
            return value
        fields = dict(value)
        fields["id"] = next(iter(_ids(fields.get("id", fields.get("step_id")))), "")
        fields.setdefault("title", fields.get("purpose", ""))
        fields.setdefault("question", fields.get("sub_question", ""))
        fields.setdefault("depends_on", fields.get("uses"))
        return fields


class PlanShape(BaseModel):
    """The steps of the reply."""

    steps: list[StepShape] = Field(min_length=1)

    @model_validator(mode="before")
    @classmethod
    def _as_list(cls, value: Any) -> Any:
        """Accept a bare list of steps."""
        if isinstance(value, dict) and "steps" not in value:
            return {"steps": value.get("plan", value.get("items"))}
        return value

    @field_validator("steps", mode="before")
    @classmethod
    def _bounded(cls, value: Any) -> Any:
        return value[:MAX_STEPS_READ] if isinstance(value, list) else value


class LlmPlanWriter:
    """Plans with the model.

    Args:
        context_tokens: Tokens for the names of the tables.
        nonce: Key of the fences of this run.
    """

    def __init__(self, client: ModelClient, *, context_tokens: int, nonce: str, emit: Emit) -> None:
        self._client = client
        self._context_tokens = context_tokens
        self._nonce = nonce
        self._emit = emit

    def propose(
        self,
        question: str,
        request_type: RequestType,
        schema: Schema,
        start: Sequence[PlanStep],
        calculations: Mapping[str, str],
    ) -> tuple[ProposedStep, ...]:
        """See `PlanWriter`; one call, and one more to repair the reply."""
        prompt = self._prompt(question, request_type, schema, start, calculations)
        try:
            shape = request_shape(self._client, prompt, PlanShape, self._client.deadline())
        except CallFailed as failed:
            warn_of(failed, "plan", self._emit)
            return ()
        # Steps without an id are referred to by position.
        places = {step.id or str(place): place for place, step in enumerate(shape.steps, 1)}
        return tuple(_proposed_step(step, places) for step in shape.steps)

    def _prompt(
        self,
        question: str,
        request_type: RequestType,
        schema: Schema,
        start: Sequence[PlanStep],
        calculations: Mapping[str, str],
    ) -> Conversation:
        calculation_list = "\n".join(f"- {name}: {over}" for name, over in calculations.items())
        initial_steps = "\n".join(
            f"- {step.step_id} {step.tool}: {one_line(step.purpose, _QUESTION_CHARS)}" for step in start if step.purpose
        )
        parts = [
            f"Kind of request: {request_type}",
            f"Calculations:\n{calculation_list}",
            fenced(self._list_tables(schema), attributes={"id": "tables"}, nonce=self._nonce),
            f"What rules would do, to start from:\n{initial_steps}",
            f"Question: {one_line(question)}",
        ]
        return question_to_model("plan", RULES, "\n\n".join(parts))

    def _list_tables(self, schema: Schema) -> str:
        """Names and comments of the tables, up to the token budget."""
        lines: list[str] = []
        used = 0
        for table in schema.tables:
            rows = f" ({table.row_estimate:,} rows)" if table.row_estimate is not None else ""
            text = f"{table.name}{rows}" + (f": {one_line(table.comment, 120)}" if table.comment else "")
            used += estimate_tokens(text)
            if used > self._context_tokens:
                break
            lines.append(text)
        return "\n".join(lines)


def _proposed_step(step: StepShape, positions: Mapping[str, int]) -> ProposedStep:
    return ProposedStep(
        tool=step.tool,
        title=step.title,
        question=step.question,
        query_kind=step.query_type,
        calculation=step.calculation,
        # An unknown id becomes 0, which no step has, so that validation reports it.
        uses=tuple(positions.get(step_id, 0) for step_id in step.depends_on),
    )
