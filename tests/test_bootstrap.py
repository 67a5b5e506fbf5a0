"""The real parts, joined: what a script gets from ``kbtui.Engine`` over a small folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import kbtui
from kbtui.bootstrap import Engine
from kbtui.domain.events import Event, Warned
from kbtui.errors import DataSourceError, FolderNotFound, OutsideFolder
from kbtui.sessions.recording import read
from kbtui.sessions.store import SessionStore
from kbtui.settings import paths
from kbtui.settings.model import AgentSettings, IndexSettings, ModelSettings, SessionSettings, Settings

QUESTION = "When should I roll back a deploy?"


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = ["textual", "langgraph", "lancedb", "torch", "numpy", "pydantic", "onnxruntime"]
    code = f"import kbtui, sys; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_question_that_is_asked_once_loads_neither_langgraph_nor_what_reads_sql(kb: Path) -> None:
    code = (
        "import kbtui, sys; from kbtui.settings.model import Settings\n"
        f"answer = kbtui.Engine(Settings(), {str(kb)!r}, record=False).answer_query({QUESTION!r})\n"
        "print(answer.outcome, sorted({'langgraph', 'langchain_core', 'sqlglot'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "answered []"


def test_a_question_is_answered_with_the_lines_that_say_so(kb: Path) -> None:
    events: list[Event] = []
    answer = kbtui.Engine(Settings(), kb).answer_query(QUESTION, events.append)
    assert answer.outcome == "answered"
    assert "Roll back when the error rate stays above two percent" in answer.markdown
    first = answer.citations[0]
    assert first.path == "runbooks/rollback.md"
    lines = (kb / first.path).read_text("utf-8").split("\n")
    assert first.quote == "\n".join(lines[first.start_line - 1 : first.end_line])  # type: ignore[operator]
    assert events[0].kind == "run_started"
    assert events[-1].kind == "run_completed"


def test_the_session_file_holds_the_same_events(kb: Path) -> None:
    events: list[Event] = []
    engine = Engine(Settings(), kb)
    engine.answer_query(QUESTION, events.append)
    assert list(read(SessionStore().path_of(engine.session_id)).events) == events


def test_a_session_can_be_continued(kb: Path) -> None:
    first = Engine(Settings(), kb)
    first.answer_query("hello")
    second = Engine(Settings(), kb)
    second.continue_session(first.session_id)
    second.answer_query("thanks")
    recording = read(SessionStore().path_of(first.session_id))
    assert [run[0].query for run in recording.runs] == ["hello", "thanks"]  # type: ignore[union-attr]
    assert {run[0].session_id for run in recording.runs} == {first.session_id}  # type: ignore[union-attr]


def test_nothing_is_recorded_when_it_is_not_wanted(kb: Path) -> None:
    Engine(Settings(), kb, record=False).answer_query("hello")
    Engine(Settings(sessions=SessionSettings(record=False)), kb).answer_query("hello")
    assert not SessionStore().list()


def test_a_session_that_cannot_be_written_is_told_with_the_answer(kb: Path) -> None:
    paths.data_dir().parent.mkdir(parents=True, exist_ok=True)
    paths.data_dir().write_text("a file where the folder should be")
    events: list[Event] = []
    answer = Engine(Settings(), kb).answer_query(QUESTION, events.append)
    assert answer.outcome == "answered"
    assert [event.where for event in events if event.kind == "warning"] == ["session"]  # type: ignore[union-attr]


def test_small_talk_asks_no_model_and_a_data_source_that_is_not_asked_is_said(kb: Path) -> None:
    events: list[Event] = []
    # No key and no server: a call would be warned of.
    settings = Settings(model=ModelSettings(name="openai:some-model"))
    Engine(settings, kb, sources=("books.sqlite",)).answer_query("hello", events.append)
    warnings = [event for event in events if event.kind == "warning"]
    assert {event.where for event in warnings} == {"data"}  # type: ignore[union-attr]
    assert events[0].model == "openai:some-model"  # type: ignore[union-attr]


def test_the_linear_graph_answers_too(kb: Path) -> None:
    events: list[Event] = []
    settings = Settings(agent=AgentSettings(use_adaptive_rag=False))
    answer = Engine(settings, kb).answer_query(QUESTION, events.append)
    assert "error rate" in answer.markdown
    tools = {event.tool for event in events if event.kind == "tool_started"}  # type: ignore[union-attr]
    assert tools == {"grep_search", "vector_search"}
    assert not [event for event in events if event.kind == "query_routed"]


def test_a_changed_file_is_taken_up_by_the_next_question(kb: Path) -> None:
    engine = Engine(Settings(), kb)
    engine.answer_query(QUESTION)
    (kb / "wombats.md").write_text("# Wombats\n\nThe wombat keeper is called Philippa Quartermain.\n")
    assert "Philippa Quartermain" in Engine(Settings(), kb).answer_query("who is the wombat keeper?").markdown


def test_what_no_document_says_is_not_found(kb: Path) -> None:
    answer = Engine(Settings(), kb).answer_query("what is the boiling point of tungsten?")
    assert answer.outcome == "not_found"
    assert not answer.citations
    assert "tungsten" in answer.markdown


def test_a_source_outside_the_folder_is_refused(kb: Path) -> None:
    (kb.parent / "secret.txt").write_text("secret")
    with pytest.raises(OutsideFolder):
        Engine(Settings(), kb).read_source("../secret.txt")


@pytest.mark.parametrize("name", ["missing", "file.txt"])
def test_what_is_no_folder_is_refused_with_a_hint(tmp_path: Path, name: str) -> None:
    (tmp_path / "file.txt").write_text("x")
    with pytest.raises(FolderNotFound) as caught:
        Engine(Settings(), tmp_path / name)
    assert caught.value.hint


def test_an_empty_folder_is_told_so_instead_of_searched(tmp_path: Path) -> None:
    events: list[Event] = []
    answer = Engine(Settings(), tmp_path).answer_query("What is this folder about?", events.append)
    assert answer.outcome == "not_found"
    assert "There are no files in this folder." in answer.markdown
    assert "tool_started" not in [event.kind for event in events]


def test_what_was_left_out_is_told_when_nothing_is_found(kb: Path) -> None:
    (kb / "wombats.md").write_text("The wombat sleeps at noon.\n" * 400)
    settings = Settings(index=IndexSettings(max_file_mb=0.005))
    events: list[Event] = []
    assert Engine(settings, kb).answer_query("When does the wombat sleep?", events.append).outcome == "not_found"
    assert any("wombats.md" in event.message for event in events if isinstance(event, Warned))
    events.clear()
    assert Engine(settings, kb).answer_query(QUESTION, events.append).outcome == "answered"
    assert not any(isinstance(event, Warned) for event in events)


def test_without_data_sources_nothing_is_run_again_and_nothing_is_forgotten(kb: Path) -> None:
    engine = Engine(Settings(), kb, record=False)
    engine.refresh_schema()
    with pytest.raises(DataSourceError, match="no data source") as caught:
        engine.rerun("SELECT 1", "shop")
    assert "--data" in caught.value.hint
