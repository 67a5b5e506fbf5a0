"""Questions about the Git history of a folder, answered through the engine."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from kbtui.bootstrap import Engine
from kbtui.domain.events import Event, ToolStarted
from kbtui.settings.model import Settings
from tests.support.repositories import Repository, needs_git

pytestmark = needs_git

TODAY = date(2025, 6, 18)
"""A Wednesday."""
TICKETS = {
    f"tickets/shop-{number}.md": f"---\nid: SHOP-{number}\nstatus: open\n---\n# Bell {number}\n" for number in (1, 2, 3)
}
ROLLBACK = "# Rollback\n\nRoll back with the green button.\n"


@pytest.fixture
def repository(tmp_path: Path, shared_model: None) -> Repository:
    made = Repository(tmp_path / "repo")
    made.commit(TICKETS, "Add the tickets", day="2022-03-04")
    made.commit({"runbooks/rollback.md": ROLLBACK}, "Write down how to roll back", author="Bo Lind", day="2024-05-06")
    made.commit(
        {"runbooks/rollback.md": f"{ROLLBACK}\n## Who decides\n\nThe person on call.\n"},
        "Say who decides",
        author="Cleo Ott",
        day="2025-06-10",
    )
    made.commit({"tickets/shop-2.md": "---\nid: SHOP-2\nstatus: closed\n---\n# Bell 2\n"}, "Close 2", day="2025-06-17")
    return made


@pytest.fixture
def engine(repository: Repository) -> Engine:
    now = datetime(TODAY.year, TODAY.month, TODAY.day, 12, tzinfo=UTC)
    return Engine(Settings(), repository.root, record=False, follow_ups=False, clock=lambda: now)


@pytest.mark.parametrize(
    ("question", "said", "cited"),
    [
        (
            "Who wrote rollback.md?",
            ["Bo Lind added it on 2024-05-06", "“Write down how to roll back”", "1 by Cleo Ott"],
            1,
        ),
        ("who last changed runbooks/rollback.md?", ["Cleo Ott changed it last on 2025-06-10", "“Say who decides”"], 1),
        ("who changed rollback.md last and when", ["Cleo Ott changed it last on 2025-06-10"], 1),
        ("when was rollback.md last changed, and by whom?", ["Cleo Ott changed it last on 2025-06-10"], 1),
        ("谁最后修改了 rollback.md，什么时候改的？", ["Cleo Ott 最后于 2025-06-10"], 1),
        ("When was the file rollback.md created?", ["2024-05-06"], 1),
        ("when was SHOP-2 last updated", ["Ana Ruiz changed it last on 2025-06-17"], 5),
        ("Why was line 5 of rollback.md changed?", ["Line 5: Cleo Ott, 2025-06-10", "“Say who decides”"], 5),
        ("who wrote runbooks/rollback.md:3", ["Line 3: Bo Lind, 2024-05-06"], 3),
        ("who wrote the section “Who decides” in rollback.md?", ["Lines 5–7: Cleo Ott"], 5),
        ("rollback.md 是谁写的？", ["Bo Lind 于 2024-05-06", "共 2 次提交"], 1),
        ("谁最后修改了 rollback.md？", ["Cleo Ott 最后于 2025-06-10"], 1),
        ("rollback.md第5行为什么修改？", ["第 5 行：Cleo Ott"], 5),
    ],
)
def test_who_when_and_why_are_answered_with_the_commit_and_the_line(
    engine: Engine, repository: Repository, question: str, said: list[str], cited: int
) -> None:
    events: list[Event] = []
    answer = engine.answer_query(question, events.append)
    for text in said:
        assert text in answer.markdown
    hashes = repository.git("log", "--format=%h", "--abbrev=8").split()
    assert any(f"`{commit}`" in answer.markdown for commit in hashes)
    assert answer.citations[0].start_line == cited
    assert [event.tool for event in events if isinstance(event, ToolStarted)] == ["git_history"]


@pytest.mark.parametrize(
    ("question", "count", "names"),
    [
        ("What changed last week?", "**1** of 4", {"runbooks/rollback.md"}),
        ("which files were changed in June 2025?", "**2** of 4", {"runbooks/rollback.md", "tickets/shop-2.md"}),
        ("what was changed yesterday", "**1** of 4", {"tickets/shop-2.md"}),
        ("files not touched since 2023", "**2** of 4", {"tickets/shop-1.md", "tickets/shop-3.md"}),
        ("which tickets have not been changed for a year?", "**2** of 3", {"tickets/shop-1.md", "tickets/shop-3.md"}),
        ("上周改了什么？", "**1**", {"runbooks/rollback.md"}),
        ("哪些文件自2023年以来没有改过？", "**2**", {"tickets/shop-1.md", "tickets/shop-3.md"}),
        ("What changed in 2021?", "None of 4", set()),
    ],
)
def test_what_changed_in_a_time_and_what_did_not(engine: Engine, question: str, count: str, names: set[str]) -> None:
    answer = engine.answer_query(question)
    assert count in answer.markdown
    assert {citation.path for citation in answer.citations} == names


def test_what_documents_state_themselves_goes_before_their_history(repository: Repository, engine: Engine) -> None:
    for number, name in enumerate(("lamp", "tyre", "seat"), 1):
        (repository.root / f"{name}.md").write_text(f"---\nauthor: Dan Poe\nnumber: {number}\n---\n# The {name}\n")
    repository.commit({}, "Import", author="Robot", day="2025-06-18")
    answer = engine.answer_query("Who is the author of lamp.md?")
    assert "Dan Poe" in answer.markdown
    assert "Robot" not in answer.markdown


def test_a_question_about_no_file_is_searched_for(engine: Engine) -> None:
    events: list[Event] = []
    engine.answer_query("Who wrote the green button?", events.append)
    assert "git_history" not in [event.tool for event in events if isinstance(event, ToolStarted)]


def test_without_a_repository_such_a_question_is_searched_for(kb: Path) -> None:
    events: list[Event] = []
    Engine(Settings(), kb, record=False).answer_query("Who wrote runbooks/rollback.md?", events.append)
    assert "git_history" not in [event.tool for event in events if isinstance(event, ToolStarted)]


@pytest.mark.parametrize(
    ("condition", "paths"),
    [
        ('@"author:Bo Lind"', {"runbooks/rollback.md"}),
        ("@changed:>=2025 @kind:ticket", {"tickets/shop-2.md"}),
        ("@before:2023", {"tickets/shop-1.md", "tickets/shop-3.md"}),
    ],
)
def test_history_limits_a_question_where_no_document_states_it(engine: Engine, condition: str, paths: set[str]) -> None:
    engine.answer_query("bell?")
    answer = engine.answer_query(f"{condition} which files are there?")
    assert {citation.path for citation in answer.citations} == paths


def test_two_folders_of_two_repositories_are_asked_together(repository: Repository, tmp_path: Path) -> None:
    from kbtui.settings.joined import NamedFolder, joined_folder

    other = Repository(tmp_path / "other")
    other.commit({"day.md": "# Day\n\nIt rained.\n"}, "Write the day", author="Eve", day="2025-06-11")
    root = joined_folder([NamedFolder(repository.root), NamedFolder(other.root)])
    now = datetime(TODAY.year, TODAY.month, TODAY.day, 12, tzinfo=UTC)
    engine = Engine(Settings(), root, record=False, follow_ups=False, clock=lambda: now)
    answer = engine.answer_query("What changed last week?")
    assert {citation.path for citation in answer.citations} == {"other/day.md", "repo/runbooks/rollback.md"}
    assert "Eve" in engine.answer_query("who wrote line 3 of day.md?").markdown
