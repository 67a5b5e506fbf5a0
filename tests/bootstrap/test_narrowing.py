"""A question that mentions files, tables or conditions on documents is asked of these alone."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from kbtui.bootstrap import Engine
from kbtui.domain.answer import Answer
from kbtui.domain.events import Event, EvidenceGraded, RequestClassified, RunStarted
from kbtui.errors import ScopeError
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


@pytest.fixture
def tickets(tmp_path: Path, shared_model: None) -> Path:
    root = tmp_path / "desk"
    (root / "tickets").mkdir(parents=True)
    for number, (status, day) in enumerate(
        [("open", "2025-01-09"), ("open", "2025-02-09"), ("open", "2025-06-09"), ("closed", "2025-03-09")], 1
    ):
        (root / "tickets" / f"desk-{number}.md").write_text(
            f"---\nid: DESK-{number}\nstatus: {status}\ncreated: {day}\n---\n# Pager {number}\n\n"
            f"Pager {number} rings in room {number}00.\n",
            encoding="utf-8",
        )
    (root / "notes.md").write_text("# Notes\n\nAnother pager rings in the cellar.\n", encoding="utf-8")
    return root


@pytest.mark.parametrize(
    ("conditions", "numbers"),
    [
        ("@status:open", {1, 2, 3}),
        ("@status:open @before:2025-06", {1, 2}),
        ("@kind:ticket @after:2025-03-09", {3, 4}),
        ("@tickets/desk-[13]* @status:open|closed", {1, 3}),
    ],
)
def test_conditions_on_kind_fields_and_dates_leave_their_documents(
    tickets: Path, conditions: str, numbers: set[int]
) -> None:
    answer, events = ask(Engine(Settings(), tickets, record=False), f"In which room does the pager ring? {conditions}")
    graded = {item.path for event in events if isinstance(event, EvidenceGraded) for item in event.items}
    assert graded == {f"tickets/desk-{number}.md" for number in numbers}
    assert "cellar" not in answer.markdown


def test_what_is_counted_is_counted_over_what_a_condition_leaves(tickets: Path) -> None:
    engine = Engine(Settings(), tickets, record=False)
    assert "**4**" in ask(engine, "How many tickets are there?")[0].markdown
    engine.new_conversation()
    # Two things alone would be no kind of documents.
    answer, _ = ask(engine, "How many tickets are there? @status:open @before:2025-06")
    assert "**2**" in answer.markdown
    assert {citation.path for citation in answer.citations} == {"tickets/desk-1.md", "tickets/desk-2.md"}


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("pager? @status:mislaid", "- `status:mislaid`: 0 files; the values are open, closed"),
        ("pager? @status:closed @after:2040", "- `after:2040`: 0 files"),
        ("传呼机在哪？@status:mislaid", "已有的值：open, closed"),
    ],
)
def test_conditions_that_leave_nothing_are_said_with_the_values_there_are(
    tickets: Path, question: str, said: str
) -> None:
    answer, events = ask(Engine(Settings(), tickets, record=False), question)
    assert answer.outcome == "not_found"
    assert said in answer.markdown
    assert not [event for event in events if isinstance(event, EvidenceGraded)], "nothing was searched"


def test_a_misspelt_field_and_an_unknown_kind_are_errors_and_another_word_is_text(tickets: Path) -> None:
    engine = Engine(Settings(), tickets, record=False)
    with pytest.raises(ScopeError, match="field statsu") as caught:
        ask(engine, "pager? @statsu:open")
    assert "status" in caught.value.hint
    with pytest.raises(ScopeError, match="kind poem"):
        ask(engine, "pager? @kind:poem")
    answer, _ = ask(engine, "Where does the pager of @click:outside ring?")
    assert answer.citations


def test_what_options_limit_a_question_to_stands_in_it_and_must_be_there(tickets: Path) -> None:
    engine = Engine(Settings(), tickets, record=False)
    events: list[Event] = []
    engine.answer_query("In which room does the pager ring?", events.append, scope=("tickets/desk-2.md",))
    (started,) = [event for event in events if isinstance(event, RunStarted)]
    assert started.query == "@tickets/desk-2.md In which room does the pager ring?"
    for scope, message in ((("mood:good",), "field mood"), (("empty/",), "empty/ holds no file")):
        with pytest.raises(ScopeError, match=message):
            engine.answer_query("pager?", scope=scope)


def test_tags_in_the_text_of_notes_limit_a_question_by_each_level(tmp_path: Path, shared_model: None) -> None:
    for name, tags in (("dns", "#area/infra/dns"), ("door", "#area/house"), ("book", "#reading")):
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\n{tags}\n\nThe {name} is kept by Ana.\n", encoding="utf-8")
    engine = Engine(Settings(), tmp_path, record=False)
    answer, _ = ask(engine, "What is kept by Ana? @tags:area")
    assert {citation.path for citation in answer.citations} == {"dns.md", "door.md"}
    answer, _ = ask(engine, "What is kept by Ana? @tags:area/infra")
    assert {citation.path for citation in answer.citations} == {"dns.md"}


def test_messages_of_chats_are_counted_by_sender_and_day_and_limit_a_question(
    tmp_path: Path, shared_model: None
) -> None:
    chat = (
        "03/01/2025, 09:16 - Ana Ruiz: The lift is stuck\n03/01/2025, 09:17 - Bo Lind: I call the firm\n"
        "14/02/2025, 10:00 - Ana Ruiz: The lift works again\n15/02/2025, 10:01 - Cleo Ott: Thanks\n"
    )
    (tmp_path / "WhatsApp Chat with Ops.txt").write_text(chat, encoding="utf-8")
    engine = Engine(Settings(), tmp_path, record=False)
    answer, _ = ask(engine, "How many messages did Ana Ruiz send?")
    assert "**2**" in answer.markdown
    assert [citation.start_line for citation in answer.citations] == [1, 3]
    engine.new_conversation()
    answer, _ = ask(engine, "Which messages were sent on 2025-02-15?")
    assert [citation.start_line for citation in answer.citations] == [4]


def test_kinds_years_and_values_are_offered(tickets: Path) -> None:
    engine = Engine(Settings(), tickets, record=False)
    ask(engine, "pager?")
    offered = {(named.name, named.kind) for named in engine.names()}
    assert offered >= {("kind:ticket", "kind"), ("after:2025", "date"), ("status:closed", "field")}


def test_a_text_that_is_handed_in_is_asked_of_what_a_condition_leaves(tickets: Path) -> None:
    engine = Engine(Settings(), tickets, record=False)
    answer = engine.answer_query("where is this?", about="the pager rings in a room", scope=("status:closed",))
    assert {citation.path for citation in answer.citations} == {"tickets/desk-4.md"}
