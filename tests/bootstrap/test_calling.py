"""The tools one by one: over a fresh index, inside the folder, with the guard over statements."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.bootstrap import Engine
from kbtui.domain.events import Event
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, KnowledgeBaseError, OutsideFolder, ToolError


def ignore(event: Event) -> None:
    """Nobody listens."""


@pytest.fixture
def engine(kb: Path) -> Engine:
    return Engine(kb=kb, record=False)


def test_a_search_reads_the_folder_first_and_finds_what_was_just_written(engine: Engine, kb: Path) -> None:
    (kb / "escalation.md").write_text("# Escalation\n\nPage the marmot on duty.\n")
    stages: list[str] = []
    found = engine.tools.call(
        "hybrid_search",
        {"semantic_query": "whom to page", "exact_keywords": "marmot"},
        lambda event: stages.append(event.kind),
        CancelToken(),
    )
    assert found.hits[0].path == "escalation.md"
    assert "progress" in stages


def test_a_tool_that_is_not_there_is_named_with_those_that_are(engine: Engine) -> None:
    with pytest.raises(ToolError, match="There is no tool rm") as raised:
        engine.tools.call("rm", {}, ignore, CancelToken())
    assert "hybrid_search" in raised.value.hint


def test_lines_are_read_of_indexed_files_alone(engine: Engine, kb: Path) -> None:
    (kb / ".env").write_text("KEY=hunter2\n")
    (kb / ".gitignore").write_text("private.md\n")
    (kb / "private.md").write_text("salaries\n")
    read = engine.tools.read("./runbooks/rollback.md", 3, 5, ignore, CancelToken())
    assert (read.hits[0].start_line, read.hits[0].end_line) == (3, 5)
    assert read.hits[0].text.startswith("## When")
    for left_out in (".env", "private.md"):
        with pytest.raises(KnowledgeBaseError, match="not part of the index"):
            engine.tools.read(left_out, None, None, ignore, CancelToken())


@pytest.mark.parametrize("path", ["../secret.md", "/etc/passwd", "~/x.md", "runbooks/../../secret.md"])
def test_a_path_that_leaves_the_folder_is_refused(engine: Engine, kb: Path, path: str) -> None:
    (kb.parent / "secret.md").write_text("secret\n")
    with pytest.raises(OutsideFolder):
        engine.tools.read(path, None, None, ignore, CancelToken())


def test_statements_pass_the_guard(kb: Path, tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("city,amount\nOslo,3\nBergen,4\n")
    tools = Engine(kb=kb, record=False, sources=(str(tmp_path / "orders.csv"),)).tools
    told = tools.call("get_data_source_context", {"source": "orders", "level": "detailed"}, ignore, CancelToken())
    assert "amount" in told.text
    found = tools.call(
        "execute_sql", {"source": "orders", "sql": "SELECT sum(amount) FROM orders"}, ignore, CancelToken()
    )
    assert "7" in found.text
    with pytest.raises(ToolError):
        tools.call("execute_sql", {"source": "orders", "sql": "DROP TABLE orders"}, ignore, CancelToken())


def test_a_call_that_is_stopped_ends_before_it_searches(engine: Engine) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        engine.tools.call("grep_search", {"keywords": "deploy"}, ignore, cancel)


def test_a_rehearsal_loads_what_answers_need_and_leaves_no_trace(kb: Path, home: Path) -> None:
    engine = Engine(kb=kb)
    engine.rehearse()
    assert engine.file_count() is None, "a folder that was never indexed is left alone"
    Engine(kb=kb, record=False).answer_query("How do I roll back a deploy?")
    engine.rehearse()
    assert engine.history.turns == ()
    assert not list((home / "data").rglob("*.jsonl"))


@pytest.mark.parametrize("follow_ups", [True, False])
def test_questions_stand_alone_where_follow_ups_are_off(kb: Path, follow_ups: bool) -> None:
    engine = Engine(kb=kb, record=False, follow_ups=follow_ups)
    engine.answer_query("How do I roll back a deploy?")
    meant: list[str] = []
    engine.answer_query("and what then?", lambda event: meant.append(getattr(event, "standalone", "")))
    assert any(meant) is follow_ups
