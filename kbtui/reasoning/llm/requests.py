"""One request to a chat model of LangChain: streamed, whole, held to a shape, or with tools."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Final, Literal

from kbtui.reasoning.llm.conversation import Conversation
from kbtui.reasoning.llm.prompt import Prompt
from kbtui.reasoning.llm.reply import MAX_ANSWER_CHARS, Collected, OnText, Reply

Method = Literal["schema", "tools", "text"]
Asked = Prompt | Conversation
Answered = tuple[Reply, Mapping[str, Any] | None]
"""What the model said, and the tokens that its provider counted."""
ToolShape = Mapping[str, Any]
"""A tool as it is offered: ``{"name", "description", "parameters"}``, the last a JSON Schema."""

_LANGCHAIN_METHODS: Final[dict[Method, str]] = {"schema": "json_schema", "tools": "function_calling"}


async def streamed(model: Any, prompt: Asked, on_text: OnText, tools: Sequence[ToolShape] = ()) -> Answered:
    """The answer piece by piece; ``on_text`` is given each."""
    collected = Collected()
    pieces: AsyncIterator[Any] = _with_tools(model, tools).astream(_messages(model, prompt))
    async with aclosing(pieces) as stream:  # type: ignore[type-var]
        async for piece in stream:
            collected.take(piece, on_text)
            if collected.chars > MAX_ANSWER_CHARS:
                break
    return collected.reply(), collected.usage


async def whole(model: Any, prompt: Asked, on_text: OnText, tools: Sequence[ToolShape] = ()) -> Answered:
    """The answer in one piece."""
    collected = Collected()
    collected.take(await _with_tools(_unstreamed(model), tools).ainvoke(_messages(model, prompt)), on_text)
    return collected.reply(), collected.usage


async def shaped(model: Any, prompt: Asked, schema: Mapping[str, Any], method: Method) -> Answered:
    """An answer that is held to a shape, as far as ``method`` can."""
    collected = Collected()
    messages = _messages(model, prompt)
    model = _unstreamed(model)
    if method == "text":
        collected.take(await model.ainvoke(messages))
        return collected.reply(), collected.usage
    asked = model.with_structured_output(dict(schema), method=_LANGCHAIN_METHODS[method], include_raw=True)
    # Without LangChain's parser behind it: that tries a broken text again and again, a character shorter each time, on
    # the thread that all calls share. `loose_json` reads what comes.
    bound = getattr(getattr(asked, "first", None), "steps__", {}).get("raw")
    if bound is not None:
        collected.take(await bound.ainvoke(messages))
        return collected.reply(), collected.usage
    answer = await asked.ainvoke(messages)
    collected.take(answer["raw"])
    parsed = answer["parsed"]
    return collected.reply(parsed if isinstance(parsed, dict) else None), collected.usage


def _with_tools(model: Any, tools: Sequence[ToolShape]) -> Any:
    """The model with tools that it may call; each client puts them into its provider's form."""
    if not tools:
        return model
    return model.bind_tools([{"type": "function", "function": dict(tool)} for tool in tools])


def _unstreamed(model: Any) -> Any:
    """The model answering in one piece: LangChain streams behind `ainvoke` where ``streaming`` is set."""
    return model.model_copy(update={"streaming": False}) if getattr(model, "streaming", False) else model


def _messages(model: Any, prompt: Asked) -> list[Any]:
    return prompt.messages(mark_for_caching=type(model).__name__ == "ChatAnthropic")
