"""What was said before in a session, as far as a follow-up question can mean it."""

from __future__ import annotations

from dataclasses import dataclass

from kbtui.domain.answer import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One question that was answered.

    Attributes:
        query: As it was asked.
        standalone: As it was understood: with what its pronouns stood for; equal to ``query`` where nothing was added.
        answer: The answer's Markdown, footer and all.
        outcome: How it ended.
        paths: The files it cites, in order, each once.
        request_type: What kind of request it was taken for; empty where that is not known.
        source: The first source of data it cites; empty where it cites none.
    """

    query: str
    standalone: str
    answer: str = ""
    outcome: Outcome = "answered"
    paths: tuple[str, ...] = ()
    request_type: str = ""
    source: str = ""
