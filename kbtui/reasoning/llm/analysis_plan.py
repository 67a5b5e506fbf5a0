"""The `PlanWriter` that asks a chat model for the steps of an analysis of several steps.

One call. What comes back is only a proposal: which tools there are, in which order steps can lean on each other and
what a kind of request may do at all is checked where the plan is used.
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
from kbtui.reasoning.llm.fallback import warn_of
from kbtui.reasoning.llm.fencing import fenced
from kbtui.reasoning.llm.prompt import Prompt, rules_of
from kbtui.reasoning.llm.shapes import Text
from kbtui.reasoning.llm.sql import KINDS
from kbtui.reasoning.llm.structured import structured
from kbtui.text.terminal import one_line

MOST_READ: Final = 100
"""Steps that are read of an answer; how many may be done is checked later."""

_QUESTION_CHARS: Final = 400

RULES: Final = rules_of("plan", KINDS=" | ".join(KINDS))


def _kind(value: object) -> object:
    word = value.strip().lower().replace("-", "_").replace(" ", "_") if isinstance(value, str) else value
    return word if word in KINDS else None


def _ids(value: Any) -> Any:
    if value is None or value == "":
        return []
    found = value if isinstance(value, list) else [value]
    return [str(one).strip().lower().removeprefix("step").strip() for one in found if isinstance(one, (str, int))]


class StepShape(BaseModel):
    """One step as the model writes it."""

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
        """A sentence is a question; ``purpose`` and ``sub_question`` are what other programs call these fields."""
        if isinstance(value, str):
            return {"tool": "execute_sql", "question": value}
        if not isinstance(value, dict):
            return value
        found = dict(value)
        found["id"] = next(iter(_ids(found.get("id", found.get("step_id")))), "")
        found.setdefault("title", found.get("purpose", ""))
        found.setdefault("question", found.get("sub_question", ""))
        found.setdefault("depends_on", found.get("uses"))
        return found


class PlanShape(BaseModel):
    """The steps."""

    steps: list[StepShape] = Field(min_length=1)

    @model_validator(mode="before")
    @classmethod
    def _as_list(cls, value: Any) -> Any:
        """Also a list without anything around it."""
        if isinstance(value, dict) and "steps" not in value:
            return {"steps": value.get("plan", value.get("items"))}
        return value

    @field_validator("steps", mode="before")
    @classmethod
    def _bounded(cls, value: Any) -> Any:
        return value[:MOST_READ] if isinstance(value, list) else value


class LlmPlanWriter:
    """Plans with the model.

    Args:
        context_tokens: Room for the names of the tables.
        nonce: Of the fences of this run.
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
        """See `PlanWriter`; one call, and one more where its answer has to be mended."""
        prompt = self._prompt(question, request_type, schema, start, calculations)
        try:
            shape = structured(self._client, prompt, PlanShape, self._client.deadline())
        except CallFailed as failed:
            warn_of(failed, "plan", self._emit)
            return ()
        # Steps are known by their ids, or by their places where they have none.
        places = {step.id or str(place): place for place, step in enumerate(shape.steps, 1)}
        return tuple(_proposed(step, places) for step in shape.steps)

    def _prompt(
        self,
        question: str,
        request_type: RequestType,
        schema: Schema,
        start: Sequence[PlanStep],
        calculations: Mapping[str, str],
    ) -> Prompt:
        named = "\n".join(f"- {name}: {over}" for name, over in calculations.items())
        begun = "\n".join(
            f"- {step.step_id} {step.tool}: {one_line(step.purpose, _QUESTION_CHARS)}" for step in start if step.purpose
        )
        parts = [
            f"Kind of request: {request_type}",
            f"Calculations:\n{named}",
            fenced(self._named(schema), attributes={"id": "tables"}, nonce=self._nonce),
            f"What rules would do, to start from:\n{begun}",
            f"Question: {one_line(question)}",
        ]
        return Prompt(stage="plan", rules=RULES, turns=(("user", "\n\n".join(parts)),))

    def _named(self, schema: Schema) -> str:
        """The tables by name and comment, as many as there is room for."""
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


def _proposed(step: StepShape, places: Mapping[str, int]) -> ProposedStep:
    return ProposedStep(
        tool=step.tool,
        title=step.title,
        question=step.question,
        query_kind=step.query_type,
        calculation=step.calculation,
        # What no step is called stays a number that none has, so that it is found out.
        uses=tuple(places.get(one, 0) for one in step.depends_on),
    )
