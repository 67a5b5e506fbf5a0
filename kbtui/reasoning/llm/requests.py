"""Requests to a chat model of LangChain: streamed, in one piece, or with structured output."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Final, Literal

from kbtui.reasoning.llm.conversation import Conversation
from kbtui.reasoning.llm.reply import MAX_ANSWER_CHARS, OnText, Reply, ReplyBuilder

Method = Literal["schema", "tools", "text"]
CountedReply = tuple[Reply, Mapping[str, Any] | None]
"""The reply, and the token counts of the provider."""
ToolShape = Mapping[str, Any]
"""Definition of a tool: ``{"name", "description", "parameters"}``, the last a JSON Schema."""

_LANGCHAIN_METHODS: Final[dict[Method, str]] = {"schema": "json_schema", "tools": "function_calling"}


async def request_streamed(
    model: Any, prompt: Conversation, on_text: OnText, tools: Sequence[ToolShape] = ()
) -> CountedReply:
    """Stream a reply; ``on_text`` receives each piece."""
    collected = ReplyBuilder()
    pieces: AsyncIterator[Any] = _with_tools(model, tools).astream(_messages(model, prompt))
    async with aclosing(pieces) as stream:  # type: ignore[type-var]
        async for piece in stream:
            collected.take(piece, on_text)
            if collected.chars > MAX_ANSWER_CHARS:
                break
    return collected.reply(), collected.usage


async def request_whole(
    model: Any, prompt: Conversation, on_text: OnText, tools: Sequence[ToolShape] = ()
) -> CountedReply:
    """Request a reply in one piece."""
    collected = ReplyBuilder()
    collected.take(await _with_tools(_unstreamed(model), tools).ainvoke(_messages(model, prompt)), on_text)
    return collected.reply(), collected.usage


async def request_structured(
    model: Any, prompt: Conversation, schema: Mapping[str, Any], method: Method
) -> CountedReply:
    """Request structured output by ``method``."""
    collected = ReplyBuilder()
    messages = _messages(model, prompt)
    model = _unstreamed(model)
    if method == "text":
        collected.take(await model.ainvoke(messages))
        return collected.reply(), collected.usage
    structured_model = model.with_structured_output(dict(schema), method=_LANGCHAIN_METHODS[method], include_raw=True)
    # LangChain's parser is bypassed: it retries broken JSON one character shorter each time, on the thread that all
    # calls share. `loose_json` parses the reply instead.
    raw_model = getattr(getattr(structured_model, "first", None), "steps__", {}).get("raw")
    if raw_model is not None:
        collected.take(await raw_model.ainvoke(messages))
        return collected.reply(), collected.usage
    answer = await structured_model.ainvoke(messages)
    collected.take(answer["raw"])
    parsed = answer["parsed"]
    return collected.reply(parsed if isinstance(parsed, dict) else None), collected.usage


def _with_tools(model: Any, tools: Sequence[ToolShape]) -> Any:
    """Bind tools to the model; the client converts them to the format of its provider."""
    if not tools:
        return model
    return model.bind_tools([{"type": "function", "function": dict(tool)} for tool in tools])


def _unstreamed(model: Any) -> Any:
    """The model without streaming: LangChain streams inside `ainvoke` if ``streaming`` is set."""
    return model.model_copy(update={"streaming": False}) if getattr(model, "streaming", False) else model


def _messages(model: Any, prompt: Conversation) -> list[Any]:
    return prompt.messages(mark_for_caching=type(model).__name__ == "ChatAnthropic")
