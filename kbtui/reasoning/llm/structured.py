"""Structured replies: requested by schema if the model supports it, parsed tolerantly, validated, repaired once."""

from __future__ import annotations

from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError

from kbtui.reasoning.llm.client import CallFailed, ModelClient
from kbtui.reasoning.llm.conversation import Conversation
from kbtui.reasoning.llm.failures import Failure
from kbtui.reasoning.llm.loose_json import read_object
from kbtui.reasoning.llm.prompt import ROLES
from kbtui.reasoning.llm.reply import Reply
from kbtui.text.terminal import one_line

_Shape = TypeVar("_Shape", bound=BaseModel)

_SHOWN_CHARS: Final = 4000


def request_shape(client: ModelClient, prompt: Conversation, shape: type[_Shape], deadline: float) -> _Shape:
    """Request a reply of type ``shape``; at most two calls.

    Raises:
        CallFailed: There is no reply, or it is invalid after one repair.
        Cancelled: The run was stopped.
    """
    schema = shape.model_json_schema()
    reply = client.decide(prompt, schema, deadline)
    try:
        return _validate(reply, shape)
    except ValueError as error:
        if reply.refused:
            raise CallFailed(
                Failure(message=f"{client.name(ROLES[prompt.stage])} declined to {prompt.stage}.")
            ) from error
        objection = (
            f"That cannot be used: {_error_text(error)}. "
            "Answer again, with one JSON object of the shape above, no more."
        )
    again = client.decide(prompt.followed_by(reply.text[:_SHOWN_CHARS], objection), schema, deadline)
    try:
        return _validate(again, shape)
    except ValueError as error:
        raise CallFailed(
            Failure(
                message=f"{client.name(ROLES[prompt.stage])} was of no use to {prompt.stage}: {_error_text(error)}.",
                hint='A larger model, or model.structured = "tools", may do better.',
            )
        ) from error


def _validate(reply: Reply, shape: type[_Shape]) -> _Shape:
    if reply.data is not None:
        return shape.model_validate(dict(reply.data))
    return shape.model_validate(read_object(reply.text))


def _error_text(error: ValueError) -> str:
    """A short message for the first validation error."""
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        return one_line(f"{where}: {first['msg']}" if where else first["msg"], 200).rstrip(".")
    return one_line(str(error), 200).rstrip(".")
