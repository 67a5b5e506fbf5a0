"""Prompts for the stages of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from kbtui.reasoning.llm.fencing import DATA_RULE
from kbtui.settings.secrets import without_known_secrets
from kbtui.text.word_lists import toml_in

Stage = Literal["route", "grade", "write", "sql", "plan", "condense", "loop", "probe"]
Role = Literal["large", "small"]
Speaker = Literal["user", "assistant"]

ROLES: Final[dict[Stage, Role]] = {
    "route": "small",
    "grade": "small",
    "write": "large",
    "sql": "large",
    "plan": "small",
    "condense": "small",
    "loop": "large",
    "probe": "large",
}
"""The model of each stage: decisions are short and use the small one, texts for readers the large one."""


def rules_of(stage: Stage, **blanks: str) -> str:
    """The instructions for a stage (``prompts.toml``) with the rule about fenced data.

    Args:
        blanks: Values for the placeholders ``<NAME>``.
    """
    text: str = toml_in(__package__, "prompts.toml")[stage]
    for name, value in blanks.items():
        text = text.replace(f"<{name}>", value)
    return f"{text}\n\n{DATA_RULE}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One request to a chat model.

    Attributes:
        stage: Stage of the run; the system message begins with ``Task: <stage>``.
        rules: The rest of the system message, constant so that providers can cache it.
        turns: The messages after it, alternating, a user's first.
    """

    stage: Stage
    rules: str
    turns: tuple[tuple[Speaker, str], ...]

    @property
    def system(self) -> str:
        return f"Task: {self.stage}\n\n{self.rules}"

    @property
    def is_repair(self) -> bool:
        """Whether it asks to repair an unusable reply."""
        return len(self.turns) > 1

    def followed_by(self, answer: str, objection: str) -> Prompt:
        """The prompt with an unusable reply and the objection to it, for another try."""
        turns: tuple[tuple[Speaker, str], ...] = (
            *self.turns,
            ("assistant", answer or "(nothing)"),
            ("user", objection),
        )
        return Prompt(stage=self.stage, rules=self.rules, turns=turns)

    def as_dicts(self) -> list[dict[str, str]]:
        """The messages as the audit log keeps them."""
        return [
            {"role": "system", "content": self.system},
            *({"role": speaker, "content": text} for speaker, text in self.turns),
        ]

    def messages(self, *, mark_for_caching: bool) -> list[Any]:
        """The messages for LangChain, without API keys of this process, which a document may contain.

        Args:
            mark_for_caching: Mark the prefix for caching, which Anthropic requires; others cache by themselves.
        """
        from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

        system: Any = self.system
        if mark_for_caching:
            system = [{"type": "text", "text": self.system, "cache_control": {"type": "ephemeral"}}]
        turns = ((speaker, without_known_secrets(text)) for speaker, text in self.turns)
        return [
            SystemMessage(system),
            *(HumanMessage(text) if role == "user" else AIMessage(text) for role, text in turns),
        ]
