"""One call of the model, which asks for tools or answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from kbtui.agent.loop.budget import deadline, is_last
from kbtui.agent.loop.drafting import Draft
from kbtui.agent.loop.ids import ids_to_numbers
from kbtui.agent.loop.prompts import prompt_text
from kbtui.agent.loop.state import LoopContext, LoopFailed, LoopState
from kbtui.agent.loop.text_calls import parse_text_calls
from kbtui.reasoning.llm.client import CallFailed
from kbtui.reasoning.llm.conversation import Conversation, Message
from kbtui.reasoning.llm.failures import Failure
from kbtui.reasoning.llm.fencing import remove_backslashes
from kbtui.reasoning.llm.reply import ModelCall, Reply
from kbtui.tools.base import ToolSpec

FINISH: Final = "finish"
MAX_CALLS: Final = 8
"""Most tool calls of one reply that are made."""
_LEFT_OUT: Final = frozenset({"title", "additionalProperties", "default", "minimum", "maximum"})
"""Parts of a schema that do not help a model: titles, defaults, and bounds, which descriptions state."""


def think(state: LoopState, context: LoopContext) -> LoopState:
    """Call the model; tool calls go to `act`, an answer to `write`, and an unusable reply is requested once more.

    Raises:
        LoopFailed: The model gave no usable answer.
        Cancelled: The run was stopped.
    """
    number = state["round"] + 1
    last = is_last(state, context)
    talk = state["talk"]
    tools: list[dict[str, Any]] = [] if last else tool_definitions(context.tools)
    if last and number > 1:
        talk = talk.with_messages(_user(prompt_text("finish_now").text)).without_tool_calls()
    draft = Draft(context.emit, state["shelf"].urls())
    try:
        reply = context.client.write(talk, draft.feed, deadline(state, context), tools)
    except CallFailed as failed:
        if state.get("sent_back"):
            # The draft before the revision can still be shown, with marks.
            return {"round": number, "calls": (), "draft": "", "audit": [_entry(number, "no second answer")]}
        draft.break_off()
        raise LoopFailed(failed.failure, told=failed.told) from failed
    names = [spec.name for spec in context.tools]
    calls = reply.calls or (parse_text_calls(reply.text, names) if not reply.cut else ())
    return _update_for_reply(state, context, number, talk, reply, calls, draft, last=last)


def _update_for_reply(
    state: LoopState,
    context: LoopContext,
    number: int,
    talk: Conversation,
    reply: Reply,
    calls: Sequence[ModelCall],
    draft: Draft,
    *,
    last: bool,
) -> LoopState:
    update: LoopState = {"round": number, "calls": (), "cut": reply.cut}
    if (finish := next((call for call in calls if call.tool == FINISH), None)) is not None:
        draft.drop()
        # If the arguments are not valid JSON, their text is the answer.
        answer = str((finish.args or {}).get("answer") or "") or (finish.written if finish.args is None else "")
        draft = Draft(context.emit, state["shelf"].urls())
        draft.feed(answer or reply.text)
        calls = ()
    if calls and not last:
        draft.drop()
        return update | _update_for_calls(talk, reply, calls, number)
    text = "" if calls else remove_backslashes(draft.finish())
    if draft.not_found and not calls:
        return update | {"draft": ids_to_numbers(_NOTHING), "talk": talk, "audit": [_entry(number, "nothing found")]}
    if text.strip() and not reply.refused:
        return update | {"draft": text, "talk": talk, "audit": [_entry(number, "answer")]}
    draft.break_off()
    if state.get("sent_back"):
        return update | {"draft": "", "audit": [_entry(number, "no second answer")]}
    name = context.client.name("large")
    if reply.refused:
        raise LoopFailed(Failure(message=f"{name} declined to answer."))
    if last or state.get("nudged"):
        why = "asked for tools to the end" if calls else "gave an empty answer"
        raise LoopFailed(Failure(message=f"{name} {why}."))
    nudge = _user(prompt_text("again").text)
    return update | {
        "draft": "",
        "nudged": True,
        "talk": talk.with_messages(nudge),
        "audit": [_entry(number, "nothing said")],
    }


_NOTHING: Final = "NOT_FOUND"


def _update_for_calls(talk: Conversation, reply: Reply, calls: Sequence[ModelCall], number: int) -> LoopState:
    calls_to_make = tuple(calls[:MAX_CALLS])
    dropped = len(calls) - len(calls_to_make)
    if reply.calls:
        talk = talk.with_messages(
            Message(speaker="assistant", text=reply.text, calls=calls_to_make, extras=reply.extras)
        )
    else:
        talk = talk.with_messages(Message(speaker="assistant", text=reply.text))
    entry = _entry(number, f"{len(calls_to_make)} calls") | {"dropped": dropped}
    return {"calls": calls_to_make, "draft": "", "dropped": dropped, "talk": talk, "audit": [entry]}


def _user(text: str) -> Message:
    return Message(speaker="user", text=text)


def _entry(number: int, decision: str) -> dict[str, Any]:
    return {"node": "think", "iteration": number, "decision": decision}


def tool_definitions(specs: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Each tool for a chat model, as ``{"name", "description", "parameters"}`` with a compact JSON Schema."""
    return [
        {"name": spec.name, "description": spec.description, "parameters": parameters}
        for spec in specs
        if (parameters := _parameters(spec)) is not None
    ]


def _parameters(spec: ToolSpec) -> Mapping[str, Any] | None:
    if spec.foreign is not None:
        return spec.foreign.parameters
    return _compact_schema(spec.args.model_json_schema()) if spec.args is not None else None


def _compact_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema without the parts in `_LEFT_OUT`."""
    compact: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _LEFT_OUT:
            continue
        if key == "properties":
            compact[key] = {name: _compact_schema(property_schema) for name, property_schema in value.items()}
        else:
            compact[key] = _compact_schema(value) if isinstance(value, dict) else value
    return compact
