"""The part of the first message with the conversation so far."""

from __future__ import annotations

from typing import Any, cast

from kbtui.agent.loop.shelf import Shelf
from kbtui.agent.loop.state import LoopContext
from kbtui.agent.loop.talk import history_part
from kbtui.domain.conversation import Turn
from kbtui.domain.ports import CancelToken
from kbtui.settings.model import ModelSettings


def test_questions_stand_in_the_users_words_a_follow_up_also_as_it_was_read_and_answers_without_backslashes() -> None:
    whole = Turn(
        query="overtime by ward", standalone="overtime by ward", answer=r"Night shifts of ward\_name: 12 \* 3."
    )
    follow_up = Turn(query="and only night shifts?", standalone="night shifts by ward", answer="Another table.")
    context = LoopContext(
        client=cast(Any, None), router=cast(Any, None), grader=cast(Any, None), writer=cast(Any, None), tools=(),
        call_tool=cast(Any, None), emit=lambda _: None, cancel=CancelToken(), settings=ModelSettings(),
        checker=cast(Any, None), source=None, nonce="n0", history=(whole, follow_up),
    )  # fmt: skip
    text = history_part(Shelf(nonce="n0"), context)
    assert "Asked: overtime by ward\nAnswered: Night shifts of ward_name: 12 * 3." in text
    assert "Asked: and only night shifts?\nRead as: night shifts by ward\nAnswered: Another table." in text
