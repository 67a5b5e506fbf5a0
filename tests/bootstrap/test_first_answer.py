"""A first answer from a few files, before a folder that was never indexed is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.bootstrap import Engine
from kbtui.domain.cancel import CancelToken
from kbtui.domain.events import AnswerCompleted, Event
from kbtui.knowledge.base import KnowledgeBase
from kbtui.knowledge.search.first_look import first_look, likely_files
from kbtui.knowledge.store import freshness
from kbtui.settings.model import Settings

FILLER = "The weather of the day was noted, and nothing else happened in the office.\n\n" * 20


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(freshness, "_MIN_FILES", 10)
    monkeypatch.setattr(freshness, "_MIN_BYTES", 1000)
    root = tmp_path / "folder"
    root.mkdir()
    for number in range(60):
        (root / f"note-{number}.md").write_text(f"# Note {number}\n\n{FILLER}", "utf-8")
    (root / "gateway.md").write_text(
        "# Gateway\n\nThe gateway closes idle connections after 90 seconds.\n\nBlocked by: ADR-7\n", "utf-8"
    )
    return root


def answers(engine: Engine, question: str) -> list[AnswerCompleted]:
    events: list[Event] = []
    engine.answer_query(question, events.append)
    return [event for event in events if isinstance(event, AnswerCompleted)]


def test_the_first_answer_is_from_some_files_and_the_last_one_from_all(folder: Path) -> None:
    engine = Engine(Settings(), folder)
    early, whole = answers(engine, "When does the gateway close idle connections?")
    assert "90 seconds" in early.markdown
    assert early.citations[0].path == "gateway.md"
    assert early.is_early
    assert (early.files_read, early.files_total) == (1, 61)
    assert "90 seconds" in whole.markdown
    assert not whole.is_early
    again = answers(engine, "When does the gateway close idle connections?")
    assert [answer.is_early for answer in again] == [False]


def test_what_is_not_found_in_some_files_is_not_called_missing_early(folder: Path) -> None:
    assert [answer.is_early for answer in answers(Engine(Settings(), folder), "What is the quokka policy?")] == [False]


@pytest.mark.parametrize("question", ["Which documents mention ADR-7?", "find files about the gateway"])
def test_a_list_is_not_given_from_some_files(folder: Path, question: str) -> None:
    assert [answer.is_early for answer in answers(Engine(Settings(), folder), question)] == [False]


def test_a_small_folder_is_read_before_it_is_answered_from(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freshness, "_MIN_FILES", 100)
    found = answers(Engine(Settings(), folder), "When does the gateway close idle connections?")
    assert [answer.is_early for answer in found] == [False]


def test_a_look_reads_the_files_that_hold_the_words_and_leaves_nothing_behind(folder: Path) -> None:
    knowledge = KnowledgeBase(folder.resolve(), Settings())
    walk = knowledge.staleness().walk
    assert walk is not None
    assert [file.path for file in likely_files(knowledge, walk, ["gateway"], CancelToken())] == ["gateway.md"]
    with first_look(knowledge, Settings(), walk, ["gateway"], CancelToken()) as look:
        assert look is not None
        place = look.index.directory
        assert [hit.path for hit in look.lexical.search("idle", 3)] == ["gateway.md"]
    assert not place.exists()
    assert not knowledge.index.exists
    with first_look(knowledge, Settings(), walk, ["quokka"], CancelToken()) as look:
        assert look is None
