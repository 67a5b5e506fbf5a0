"""Puts a follow-up over data in full by the model, where it looks like one; what it adds is checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pydantic import BaseModel

from kbtui.domain.conversation import Turn
from kbtui.domain.ports import Emit
from kbtui.domain.routing import Signal
from kbtui.question.followup import Condensed
from kbtui.reasoning.llm.client import CallFailed, ModelClient
from kbtui.reasoning.llm.fallback import warn_of
from kbtui.reasoning.llm.fencing import fenced, new_nonce
from kbtui.reasoning.llm.prompt import ROLES, Prompt, rules_of
from kbtui.reasoning.llm.shapes import Text
from kbtui.reasoning.llm.structured import structured
from kbtui.text.terminal import one_line
from kbtui.text.tokenise import content_words, tokens

_MOST_TURNS: Final = 4
_ANSWER_CHARS: Final = 300

RULES: Final = rules_of("condense")


class StandaloneShape(BaseModel):
    """The question in full."""

    standalone_question: Text = ""


def condensed(query: str, history: Sequence[Turn], client: ModelClient, emit: Emit) -> Condensed | None:
    """``query`` in full as the model has it; None where that is of no use. One call, one more to mend it.

    Args:
        history: What was asked before, oldest first.
    """
    nonce = new_nonce()
    parts = []
    for number, turn in enumerate(history[-_MOST_TURNS:], 1):
        said = f"Asked: {turn.standalone}\nAnswered: {turn.answer[:_ANSWER_CHARS]}"
        parts.append(fenced(said, attributes={"turn": str(number)}, nonce=nonce))
    parts.append(f"Question: {one_line(query)}")
    prompt = Prompt(stage="condense", rules=RULES, turns=(("user", "\n\n".join(parts)),))
    try:
        found = structured(client, prompt, StandaloneShape, client.deadline()).standalone_question
    except CallFailed as failed:
        warn_of(failed, "condense", emit)
        return None
    if not found or found.rstrip("?？") == one_line(query).rstrip("?？") or not _is_own(query, found, history):
        return None
    signal = Signal(name="follow-up", detail=f"by {client.name(ROLES['condense'])}", weight=0.8)
    return Condensed(standalone=found, signals=(signal,))


def _is_own(query: str, found: str, history: Sequence[Turn]) -> bool:
    """Whether it holds most of what was asked, and is made of what the user said: data can hold orders, too."""
    asked, said = _telling(query), set(tokens(found))
    known = set(tokens(" ".join([query, *(f"{turn.query} {turn.standalone}" for turn in history)])))
    new = _telling(found) - known
    return 2 * len(asked & said) >= len(asked) and 2 * len(new) <= len(said)


def _telling(text: str) -> set[str]:
    return set(tokens(" ".join(content_words(text))))
