"""The prompts of the loop, one file each, with version, purpose and token budget in the head of the file."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

from msgspec import Struct

from kbtui.reasoning.llm.fencing import DATA_RULE
from kbtui.reasoning.llm.stream import NOT_FOUND

NAMES: Final = ("rules", "data", "consult", "finish_now", "send_back", "again")
_END_OF_HEAD: Final = "\n---\n"


class PromptText(Struct, frozen=True, kw_only=True):
    """One prompt.

    Attributes:
        name: Name of its file without suffix.
        version: Raised when its meaning changes; recordings of runs refer to it.
        purpose: What it is for.
        budget: Most tokens of the text, by `kbtui.reasoning.llm.context.estimate_tokens`.
    """

    name: str
    version: int
    purpose: str
    budget: int
    text: str


@cache
def prompt_text(name: str) -> PromptText:
    """Read the prompt ``name.md`` of this package."""
    head, _, text = files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8").partition(_END_OF_HEAD)
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    return PromptText(
        name=name,
        version=int(fields["version"]),
        purpose=fields["purpose"],
        budget=int(fields["budget"]),
        text=text.strip(),
    )


@cache
def rules(*more: str) -> str:
    """The rules of a run: the general ones, those named in ``more``, and the rule about fenced data."""
    parts = [prompt_text("rules").text.replace("<NOT_FOUND>", NOT_FOUND), *(prompt_text(name).text for name in more)]
    return "\n\n".join([*parts, DATA_RULE])
