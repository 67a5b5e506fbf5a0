"""What was said before in a session, as far as a follow-up question can mean it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from kbtui.domain.analysis import AnsweredStatement
    from kbtui.domain.answer import Outcome

MAX_QUESTION_CHARS: Final = 20_000
"""Longest question that is worked on; what is longer is cut."""


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
        sql: The last statement whose rows were the answer; empty where there was none.
        says: That statement in words.
        chart: Kind of chart that was asked for and drawn; empty where none was.
        statements: The statements it cites, each with its number in the answer and the source of data.
    """

    query: str
    standalone: str
    answer: str = ""
    outcome: Outcome = "answered"
    paths: tuple[str, ...] = ()
    request_type: str = ""
    source: str = ""
    sql: str = ""
    says: str = ""
    chart: str = ""
    statements: tuple[tuple[int, str, str], ...] = ()

    @property
    def statement(self) -> AnsweredStatement | None:
        """What a follow-up over data changes; None where no statement was the answer."""
        if not self.sql or self.outcome not in ("answered", "partial"):
            return None
        # Loaded with the first statement: the screen needs it before that as a type alone.
        from kbtui.domain.analysis import AnsweredStatement

        return AnsweredStatement(
            source=self.source, sql=self.sql, says=self.says, question=self.query, chart=self.chart
        )
