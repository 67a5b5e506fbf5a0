"""What a folder and its data hold, as an answer and for the browser."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from kbtui.bootstrap import Engine
from kbtui.bootstrap.overview import asks_overview
from kbtui.settings.model import Settings


@pytest.mark.parametrize(
    "question",
    [
        "what is here?",
        "What's in here",
        "what’s here?",
        "What can I ask about?",
        "overview",
        "give me an overview of the data",
        "What is in this folder?",
        "这里有什么？",
        "这里有什么",
        "这里都有哪些资料",
        "这个文件夹里有什么内容？",
    ],
)
def test_a_question_that_only_asks_what_there_is_is_recognised(question: str) -> None:
    assert asks_overview(question)


@pytest.mark.parametrize(
    "question",
    [
        "What is here about billing?",
        "what is in this folder about deploys",
        "What is a PEP?",
        "how many parcels are here",
        "What is it?",
        "what do we have",
        "hello",
        "",
        "这里有多少个柜机？",
        "什么是回滚",
        "看" * 60,
    ],
)
def test_a_question_about_something_is_none(question: str) -> None:
    assert not asks_overview(question)


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    folder = tmp_path / "handbook"
    for number, status in enumerate(("accepted", "accepted", "draft", "accepted"), 1):
        path = folder / "adr" / f"{number:04}-thing.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f"---\nstatus: {status}\n---\n# ADR-{number}: Thing {number}\n\nText.\n\n## Decision\n\nWe do.\n"
        )
    (folder / "README.md").write_text("# Handbook\n\nAbout us.\n")
    database = sqlite3.connect(tmp_path / "harbour.sqlite")
    database.executescript(
        """
        CREATE TABLE boats (id INTEGER PRIMARY KEY, harbour TEXT, cost REAL);
        INSERT INTO boats (harbour, cost) VALUES ('Oslo', 10), ('Oslo', 20), ('Bergen', 7), ('Bergen', 8), ('Oslo', 3);
        """
    )
    database.close()
    return Engine(Settings(), kb=folder, sources=[str(tmp_path / "harbour.sqlite")], record=False)


@pytest.mark.parametrize(("question", "said"), [("what is here?", "5 files"), ("这里有什么？", "5 个文件")])
def test_what_is_here_is_told_with_kinds_tables_and_a_line_of_each_kind(
    engine: Engine, question: str, said: str
) -> None:
    answer = engine.answer_query(question)
    assert answer.outcome == "answered"
    assert said in answer.markdown
    assert "`adr/`" in answer.markdown
    assert "`boats`" in answer.markdown
    assert (answer.citations[0].path or "").startswith("adr/")
    assert all(citation.quote for citation in answer.citations)


def test_the_library_tells_kinds_columns_fields_and_headings(engine: Engine) -> None:
    engine.answer_query("what is here?")
    holdings = engine.library.holdings()
    assert len(holdings.files) == 5
    assert [(kind.folder, kind.count, kind.fields) for kind in holdings.kinds] == [("adr/", 4, ("status", "decision"))]
    [source] = holdings.sources
    assert source.schema is not None
    assert [column.samples[:2] for column in source.schema.tables[0].columns][1] == ("Oslo", "Bergen")
    document = engine.library.document("adr/0003-thing.md")
    assert next((one.name, one.value, one.line) for one in document.fields) == ("status", "draft", 2)
    assert ("Decision", 8) in [(one.text, one.line) for one in document.headings]
    assert engine.library.document("nowhere.md").fields == ()


def test_a_folder_that_was_never_indexed_tells_of_the_data_alone(engine: Engine) -> None:
    holdings = engine.library.holdings()
    assert holdings.files == ()
    assert [source.title for source in holdings.sources] == ["harbour.sqlite"]


def test_what_is_suggested_was_answered_over_data_and_documents(engine: Engine) -> None:
    engine.answer_query("what is here?")
    found = list(engine.library.questions("en", lambda: False))
    assert found
    assert "bar chart of total cost by harbour" in found
    for question in found:
        assert engine.answer_query(question).outcome == "answered", question


def test_nothing_is_tried_while_the_user_asks(engine: Engine) -> None:
    assert list(engine.library.questions("en", lambda: True)) == []
