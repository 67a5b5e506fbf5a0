"""What a run says of itself on standard error, line by line."""

from __future__ import annotations

import pytest

from kbtui.cli.narration import Narrator, fact
from kbtui.domain.answer import Citation
from kbtui.domain.events import AnswerCompleted, Progress, TableProduced
from kbtui.view.view_state import EMPTY


@pytest.mark.parametrize(("count", "told"), [(0, "0 rows"), (1, "1 row"), (12_000, "12,000 rows")])
def test_one_row_is_not_rows(count: int, told: str) -> None:
    assert fact(TableProduced(step_id="d2", row_count=count, source="shop")) == f"{told} from shop"


def test_one_source_is_not_sources() -> None:
    answer = AnswerCompleted(
        markdown="x [1]",
        outcome="answered",
        citations=(Citation(n=1, kind="file", path="a.md", start_line=1, end_line=1),),
    )
    assert fact(answer) == "answered · 1 source"


def test_steps_are_told_by_their_tools_alone_where_every_fact_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    told = Narrator()
    told(Progress(stage="steps", done=1, total=2, message="Read the columns"), EMPTY)
    assert capsys.readouterr().err == ""
    told(Progress(stage="walk"), EMPTY)
    assert capsys.readouterr().err == "looking through the folder …\n"


def test_a_first_answer_is_told_with_how_much_it_is_from(capsys: pytest.CaptureFixture[str]) -> None:
    early = AnswerCompleted(markdown="90 seconds [1]", outcome="answered", files_read=40, files_total=1816)
    Narrator()(early, EMPTY)
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.split("\n")[:2] == [
        "first answer, from 40 of 1,816 files; the rest is read, and the answer over all of them follows",
        "90 seconds [1]",
    ]
