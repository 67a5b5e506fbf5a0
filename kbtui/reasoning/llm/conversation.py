"""A conversation with a chat model in which it calls tools, as it is sent."""

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
class Said:
    """One message.

    Attributes:
        calls: Of an assistant: the tools it asked for.
        call_id: Of a tool: the call whose result it is.
        extras: What the provider wants back with its calls (`Reply.extras`).
    """

    speaker: Speaker
    text: str
    calls: tuple[ModelCall, ...] = ()
    call_id: str = ""
    extras: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One request of a loop; it grows by what is said and what tools bring.

    Attributes:
        stage: What it is for; the system message begins with ``Task: <stage>``.
        rules: The rest of the system message, the same in every run.
        turns: What follows, a user's first; each assistant's turn with calls is followed by the results of all of them.
    """

    stage: Stage
    rules: str
    turns: tuple[Said, ...]

    @property
    def system(self) -> str:
        """The system message."""
        return f"Task: {self.stage}\n\n{self.rules}"

    @property
    def is_repair(self) -> bool:
        """A further request of a conversation is told from a repair by its stage."""
        return False

    def then(self, *said: Said) -> Conversation:
        """The same with more at its end."""
        return replace(self, turns=(*self.turns, *said))

    def flat(self) -> Conversation:
        """The same without calls of tools: results as a user's words.

        Some providers refuse messages about tools in a request that offers none.
        """
        turns: list[Said] = []
        for one in self.turns:
            if one.speaker == "assistant" and one.calls:
                continue
            text = one.text
            if turns and one.speaker != "assistant" and turns[-1].speaker == "user":
                turns[-1] = replace(turns[-1], text=f"{turns[-1].text}\n\n{text}")
                continue
            turns.append(Said(speaker="assistant" if one.speaker == "assistant" else "user", text=text))
        return replace(self, turns=tuple(turns))

    def as_dicts(self) -> list[dict[str, Any]]:
        """The messages as the audit log keeps them."""
        said: list[dict[str, Any]] = [{"role": "system", "content": self.system}]
        for one in self.turns:
            message: dict[str, Any] = {"role": one.speaker, "content": one.text}
            if one.calls:
                message["calls"] = calls_as_dicts(one.calls)
            said.append(message)
        return said

    def messages(self, *, mark_for_caching: bool) -> list[Any]:
        """The messages as LangChain takes them, without any key of this process: a document may hold one.

        Args:
            mark_for_caching: Anthropic keeps a prompt's beginning only where it is marked; others do by themselves.
        """
        from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

        system: Any = self.system
        if mark_for_caching:
            system = [{"type": "text", "text": self.system, **_CACHED}]
        made: list[Any] = [SystemMessage(system)]
        for number, one in enumerate(self.turns):
            text: Any = without_known_secrets(one.text)
            match one.speaker:
                case "assistant":
                    made.append(AIMessage(text, tool_calls=_calls(one), additional_kwargs=dict(one.extras)))
                case "tool":
                    made.append(ToolMessage(text, tool_call_id=one.call_id))
                case _:
                    # What a run begins with is sent again with every further call.
                    content = [{"type": "text", "text": text, **_CACHED}] if mark_for_caching and not number else text
                    made.append(HumanMessage(content))
        return made


def _calls(said: Said) -> list[Any]:
    return [
        {"id": call.call_id, "name": call.tool, "args": dict(call.args or {}), "type": "tool_call"}
        for call in said.calls
    ]
