"""The turns of a conversation that follow-up questions can refer to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

if TYPE_CHECKING:
    from kbtui.domain.analysis import AnsweredStatement
    from kbtui.domain.answer import Outcome

MAX_QUESTION_CHARS: Final = 20_000
"""A longer question is cut."""


class Turn(Struct, frozen=True, kw_only=True):
    """One question with its answer.

    Attributes:
        query: The question as it was asked.
        standalone: Its standalone form, with pronouns replaced; equal to ``query`` for a question that is no follow-up.
        answer: The answer in Markdown, with its footer.
        outcome: Outcome of the answer.
        paths: Paths of the files that the answer cites, in order, without duplicates.
        request_type: Type of the request as classified; empty where it is not known.
        source: The first data source that the answer cites; empty where it cites none.
        sql: The last statement whose rows were the answer; empty where there was none.
        says: That statement in words.
        chart: Kind of the chart that was asked for and drawn; empty where there was none.
        statements: The statements that the answer cites, each with its number in the answer and its data source.
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
        """The statement that a follow-up over data changes; None where the answer was not from a statement."""
        if not self.sql or self.outcome not in ("answered", "partial"):
            return None
        # Imported late, because the screen only needs the type until the first statement.
        from kbtui.domain.analysis import AnsweredStatement

        return AnsweredStatement(
            source=self.source, sql=self.sql, says=self.says, question=self.query, chart=self.chart
        )
