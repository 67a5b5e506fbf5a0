"""What a follow-up may mean of the question before it."""

from __future__ import annotations

from typing import Any

import pytest

from kbtui.domain.conversation import Turn

ASKED = "parcels by city"
TURN = Turn(query=ASKED, standalone=ASKED, source="shop", sql="SELECT 1", says="Number of parcels")


def test_the_statement_of_an_answered_question_is_what_a_follow_up_changes() -> None:
    statement = TURN.statement
    assert statement is not None
    assert (statement.question, statement.sql, statement.source) == ("parcels by city", "SELECT 1", "shop")


@pytest.mark.parametrize("fields", [{}, {"sql": "SELECT 1", "outcome": "not_found"}], ids=["no statement", "no answer"])
def test_without_rows_there_is_no_statement(fields: dict[str, Any]) -> None:
    assert Turn(query=ASKED, standalone=ASKED, **fields).statement is None
