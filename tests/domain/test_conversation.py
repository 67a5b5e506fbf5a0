"""What a follow-up may mean of the question before it."""

from __future__ import annotations

import pytest

from kbtui.domain.conversation import Turn

TURN = Turn(
    query="parcels by city", standalone="parcels by city", source="shop", sql="SELECT 1", says="Number of parcels"
)


def test_the_statement_of_an_answered_question_is_what_a_follow_up_changes() -> None:
    statement = TURN.statement
    assert statement is not None
    assert (statement.question, statement.sql, statement.source) == ("parcels by city", "SELECT 1", "shop")


@pytest.mark.parametrize(
    "turn", [Turn(query="q", standalone="q"), Turn(query="q", standalone="q", sql="SELECT 1", outcome="not_found")]
)
def test_without_rows_there_is_no_statement(turn: Turn) -> None:
    assert turn.statement is None
