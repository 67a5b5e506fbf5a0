"""The stages of a run that ask a chat model: the model and the instructions of each."""

from __future__ import annotations

from typing import Final, Literal

from kbtui.reasoning.llm.fencing import DATA_RULE
from kbtui.text.word_lists import toml_in

Stage = Literal["route", "grade", "write", "sql", "plan", "condense", "loop", "probe"]
Role = Literal["large", "small"]

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
