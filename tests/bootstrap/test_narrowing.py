"""A question that mentions files or tables is asked of these alone."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from kbtui.bootstrap import Engine
from kbtui.domain.answer import Answer
from kbtui.domain.events import Event, EvidenceGraded, RequestClassified
from kbtui.settings.model import Settings

TEAMS = {
    "teams/north.md": "# North\n\n## On call\n\nThe north team hands over the pager on Monday at nine.\n",
    "teams/south.md": "# South\n\n## On call\n\nThe south team hands over the pager on Friday at noon.\n",
    "old notes/north.md": "# Old north\n\nThe north team handed over the pager on Sunday at night.\n",
}


@pytest.fixture
def folder(tmp_path: Path, shared_model: None) -> Path:
    for name, text in TEAMS.items():
        path = tmp_path / "kb" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "kb"


def ask(engine: Engine, question: str) -> tuple[Answer, list[Event]]:
    events: list[Event] = []
    return engine.answer_query(question, events.append), events


@pytest.mark.parametrize(
    ("mention", "day", "paths"),
    [
        ("@teams/south.md", "Friday", {"teams/south.md"}),
        ('@"old notes/north.md"', "Sunday", {"old notes/north.md"}),
        ('@"old notes/"', "Sunday", {"old notes/north.md"}),
    ],
)
def test_only_what_is_mentioned_is_searched_and_cited(folder: Path, mention: str, day: str, paths: set[str]) -> None:
    answer, events = ask(Engine(Settings(), folder, record=False), f"When does the team hand over the pager? {mention}")
    assert day in answer.markdown
    graded = {item.path for event in events if isinstance(event, EvidenceGraded) for item in event.items}
    assert graded == paths == {citation.path for citation in answer.citations}
    (classified,) = [event for event in events if isinstance(event, RequestClassified)]
    assert [signal.name for signal in classified.signals] == ["mentioned"]


def test_what_the_mentioned_file_does_not_state_is_not_answered_from_another(folder: Path) -> None:
    question = "Who owns the billing database?"
    (folder / "billing.md").write_text("# Billing\n\nThe billing database is owned by the ledger team.\n", "utf-8")
    engine = Engine(Settings(), folder, record=False)
    assert "ledger team" in ask(engine, question)[0].markdown
    answer, _ = ask(engine, f"{question} @teams/north.md")
    assert "ledger team" not in answer.markdown
    assert all(citation.path == "teams/north.md" for citation in answer.citations)


def test_a_name_that_nothing_has_narrows_nothing(folder: Path) -> None:
    answer, events = ask(Engine(Settings(), folder, record=False), "@nobody when does the south team hand over?")
    assert "Friday" in answer.markdown
    signals = [signal.name for event in events if isinstance(event, RequestClassified) for signal in event.signals]
    assert "mentioned" not in signals


def test_the_next_question_is_asked_of_everything_again(folder: Path) -> None:
    engine = Engine(Settings(), folder, record=False)
    ask(engine, "When does the team hand over the pager? @teams/north.md")
    engine.new_conversation()
    answer, _ = ask(engine, "When does the south team hand over the pager?")
    assert "Friday" in answer.markdown


def test_a_mentioned_table_is_asked_of_the_data(folder: Path, tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "shop.db")
    connection.executescript("CREATE TABLE pagers (id INTEGER, team TEXT); INSERT INTO pagers VALUES (1,'n'),(2,'s');")
    connection.close()
    engine = Engine(Settings(), folder, sources=(str(tmp_path / "shop.db"),), record=False)
    answer, _ = ask(engine, "how many @pagers")
    assert "2" in answer.markdown
    assert [citation.kind for citation in answer.citations] == ["sql"]


def test_every_file_folder_table_and_column_can_be_mentioned(folder: Path, tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "shop.db")
    connection.execute("CREATE TABLE pagers (id INTEGER, team TEXT)")
    connection.close()
    engine = Engine(Settings(), folder, sources=(str(tmp_path / "shop.db"),), record=False)
    ask(engine, "When does the south team hand over?")
    assert {(one.name, one.kind) for one in engine.names()} >= {
        ("teams/", "folder"),
        ("teams/north.md", "file"),
        ("pagers", "table"),
        ("pagers.team", "column"),
    }
