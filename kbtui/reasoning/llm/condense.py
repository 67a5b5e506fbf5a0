"""Rewrites a follow-up over data as a standalone question with the model, and checks what the model adds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pydantic import BaseModel

from kbtui.domain.conversation import Turn
from kbtui.domain.ports import Emit
from kbtui.domain.routing import Signal
from kbtui.question.followup import Condensed
from kbtui.reasoning.llm.client import CallFailed, ModelClient
from kbtui.reasoning.llm.conversation import question_to_model
from kbtui.reasoning.llm.fallback import warn_of
from kbtui.reasoning.llm.fencing import fenced, new_nonce
from kbtui.reasoning.llm.prompt import ROLES, rules_of
from kbtui.reasoning.llm.shapes import Text
from kbtui.reasoning.llm.structured import request_shape
from kbtui.text.terminal import one_line
from kbtui.text.tokenise import content_words, tokens

_MAX_TURNS: Final = 4
_ANSWER_CHARS: Final = 300

RULES: Final = rules_of("condense")


class StandaloneShape(BaseModel):
    """The standalone question."""

    standalone_question: Text = ""


def condense(query: str, history: Sequence[Turn], client: ModelClient, emit: Emit) -> Condensed | None:
    """Rewrite ``query`` as a standalone question; None if the result is unusable. One call, and one more for repair.

    Args:
        history: Earlier turns, oldest first.
    """
    nonce = new_nonce()
    parts = []
    for number, turn in enumerate(history[-_MAX_TURNS:], 1):
        turn_text = f"Asked: {turn.standalone}\nAnswered: {turn.answer[:_ANSWER_CHARS]}"
        parts.append(fenced(turn_text, attributes={"turn": str(number)}, nonce=nonce))
    parts.append(f"Question: {one_line(query)}")
    prompt = question_to_model("condense", RULES, "\n\n".join(parts))
    try:
        standalone = request_shape(client, prompt, StandaloneShape, client.deadline()).standalone_question
    except CallFailed as failed:
        warn_of(failed, "condense", emit)
        return None
    if (
        not standalone
        or standalone.rstrip("?？") == one_line(query).rstrip("?？")
        or not _is_faithful(query, standalone, history)
    ):
        return None
    signal = Signal(name="follow-up", detail=f"by {client.name(ROLES['condense'])}", weight=0.8)
    return Condensed(standalone=standalone, signals=(signal,))


def _is_faithful(query: str, standalone: str, history: Sequence[Turn]) -> bool:
    """Whether a rewrite keeps most content words and adds few that the user did not write: data may inject some."""
    query_words, rewritten_tokens = _content_tokens(query), set(tokens(standalone))
    user_tokens = set(tokens(" ".join([query, *(f"{turn.query} {turn.standalone}" for turn in history)])))
    added_words = _content_tokens(standalone) - user_tokens
    return 2 * len(query_words & rewritten_tokens) >= len(query_words) and 2 * len(added_words) <= len(rewritten_tokens)


def _content_tokens(text: str) -> set[str]:
    return set(tokens(" ".join(content_words(text))))
