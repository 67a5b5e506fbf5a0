"""Conversations, as they are sent to a chat model: a single question, or a loop with tool calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from kbtui.reasoning.llm.prompt import Stage
from kbtui.reasoning.llm.reply import ModelCall, calls_as_dicts
from kbtui.settings.secrets import without_known_secrets

Speaker = Literal["user", "assistant", "tool"]

_CACHED: Final = {"cache_control": {"type": "ephemeral"}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message.

    Attributes:
        speaker: Role of the sender.
        text: Content of the message.
        calls: Tool calls of an assistant.
        call_id: For a tool result, the id of its call.
        extras: Data that the provider requires back with its calls (`Reply.extras`).
    """

    speaker: Speaker
    text: str
    calls: tuple[ModelCall, ...] = ()
    call_id: str = ""
    extras: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """The messages of one request.

    Attributes:
        stage: Stage of the run; the system message begins with ``Task: <stage>``.
        rules: The rest of the system message, the same in every run.
        turns: The messages after it, a user's first; an assistant's calls are followed by all of their results.
    """

    stage: Stage
    rules: str
    turns: tuple[Message, ...]

    @property
    def system(self) -> str:
        """The system message."""
        return f"Task: {self.stage}\n\n{self.rules}"

    @property
    def is_repair(self) -> bool:
        """Whether it asks to repair an unusable reply: only a loop goes on after a reply that can be used."""
        return self.stage != "loop" and len(self.turns) > 1

    def followed_by(self, answer: str, objection: str) -> Conversation:
        """The conversation with an unusable reply and the objection to it, for another try."""
        reply = Message(speaker="assistant", text=answer or "(nothing)")
        return self.with_messages(reply, Message(speaker="user", text=objection))

    def with_messages(self, *messages: Message) -> Conversation:
        """The conversation with further messages."""
        return replace(self, turns=(*self.turns, *messages))

    def without_tool_calls(self) -> Conversation:
        """The conversation without tool calls: their results become messages of the user.

        Some providers refuse messages about tools in a request that offers none.
        """
        turns: list[Message] = []
        for turn in self.turns:
            if turn.speaker == "assistant" and turn.calls:
                continue
            text = turn.text
            if turns and turn.speaker != "assistant" and turns[-1].speaker == "user":
                turns[-1] = replace(turns[-1], text=f"{turns[-1].text}\n\n{text}")
                continue
            turns.append(Message(speaker="assistant" if turn.speaker == "assistant" else "user", text=text))
        return replace(self, turns=tuple(turns))

    def as_dicts(self) -> list[dict[str, Any]]:
        """The messages as the audit log keeps them."""
        messages: list[dict[str, Any]] = [{"role": "system", "content": self.system}]
        for turn in self.turns:
            message: dict[str, Any] = {"role": turn.speaker, "content": turn.text}
            if turn.calls:
                message["calls"] = calls_as_dicts(turn.calls)
            messages.append(message)
        return messages

    def messages(self, *, mark_for_caching: bool) -> list[Any]:
        """The messages for LangChain, without API keys of this process, which a document may contain.

        Args:
            mark_for_caching: Mark the prefix for caching, which Anthropic requires; others cache by themselves.
        """
        from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

        system: Any = self.system
        if mark_for_caching:
            system = [{"type": "text", "text": self.system, **_CACHED}]
        messages: list[Any] = [SystemMessage(system)]
        for number, turn in enumerate(self.turns):
            text: Any = without_known_secrets(turn.text)
            match turn.speaker:
                case "assistant":
                    messages.append(AIMessage(text, tool_calls=_calls(turn), additional_kwargs=dict(turn.extras)))
                case "tool":
                    messages.append(ToolMessage(text, tool_call_id=turn.call_id))
                case _:
                    # The first message of a loop is sent again with every further call, so it is worth caching.
                    is_cached = mark_for_caching and self.stage == "loop" and not number
                    messages.append(HumanMessage([{"type": "text", "text": text, **_CACHED}] if is_cached else text))
        return messages


def question_to_model(stage: Stage, rules: str, text: str) -> Conversation:
    """A conversation of one message."""
    return Conversation(stage=stage, rules=rules, turns=(Message(speaker="user", text=text),))


def _calls(message: Message) -> list[Any]:
    return [
        {"id": call.call_id, "name": call.tool, "args": dict(call.args or {}), "type": "tool_call"}
        for call in message.calls
    ]
