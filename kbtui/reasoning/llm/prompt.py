"""What is sent to a chat model for one stage of a run."""

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
"""Which of the two models a stage asks, where they differ: deciding is short work, writing is what people read."""


def rules_of(stage: Stage, **blanks: str) -> str:
    """What a model is told to do at a stage (``prompts.toml``), and the rule about data.

    Args:
        blanks: What is filled in for its ``<BLANKS>``.
    """
    text: str = toml_in(__package__, "prompts.toml")[stage]
    for name, value in blanks.items():
        text = text.replace(f"<{name}>", value)
    return f"{text}\n\n{DATA_RULE}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One request.

    Attributes:
        stage: What it is for; the system message begins with ``Task: <stage>``.
        rules: The rest of the system message. It is the same in every run, so that providers can keep it cached.
        turns: What follows, by turns, a user's first.
    """

    stage: Stage
    rules: str
    turns: tuple[tuple[Speaker, str], ...]

    @property
    def system(self) -> str:
        return f"Task: {self.stage}\n\n{self.rules}"

    @property
    def is_repair(self) -> bool:
        """Whether it asks again for what was of no use."""
        return len(self.turns) > 1

    def followed_by(self, answer: str, objection: str) -> Prompt:
        """The same with the model's answer and what is wrong with it, for another try."""
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
        """The messages as LangChain takes them, without any key of this process: a document may hold one.

        Args:
            mark_for_caching: Anthropic keeps a prompt's beginning only where it is marked; others do by themselves.
        """
        from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

        system: Any = self.system
        if mark_for_caching:
            system = [{"type": "text", "text": self.system, "cache_control": {"type": "ephemeral"}}]
        said = ((speaker, without_known_secrets(text)) for speaker, text in self.turns)
        return [
            SystemMessage(system),
            *(HumanMessage(text) if who == "user" else AIMessage(text) for who, text in said),
        ]
