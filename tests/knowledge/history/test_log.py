"""Commits of files and lines, read from real repositories."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from kbtui.knowledge.base import KnowledgeBase
from kbtui.knowledge.history.git import GitFailed, run_git
from kbtui.knowledge.history.log import history_of, origins_of
from kbtui.knowledge.joined.base import open_knowledge_base
from kbtui.settings.joined import NamedFolder, joined_folder
from kbtui.settings.model import Settings
from tests.support.repositories import Repository, needs_git

pytestmark = needs_git


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "repo")
    made.commit({"docs/a.md": "# A\n\none\ntwo\nthree\n", "other.md": "x\n"}, "Write A", day="2023-05-01")
    made.git("mv", "docs/a.md", "docs/ü b.md")
    made.commit({}, "Rename A", author="Bo Lind", day="2023-06-01")
    made.commit(
        {"docs/ü b.md": "# A\n\none\ntwo, or 2\nthree\n"}, "Say it in figures", author="Bo Lind", day="2024-07-01"
    )
    made.commit({"docs/a.md": "another file of the old name\n"}, "Another A", author="Cleo", day="2025-01-01")
    return made


def test_a_file_has_its_commits_under_all_its_names_and_only_its_own(repository: Repository) -> None:
    history = history_of(KnowledgeBase(repository.root / "docs", Settings()))
    assert history is not None
    assert set(history.files) == {"a.md", "ü b.md"}, "what lies beside the folder is none of its files"
    file = history.files["ü b.md"]
    assert [commit.subject for commit in file.commits] == ["Say it in figures", "Rename A", "Write A"]
    assert (file.first.day, file.last.day) == (date(2023, 5, 1), date(2024, 7, 1))
    assert file.authors == [("Bo Lind", 2), ("Ana Ruiz", 1)]
    assert [commit.subject for commit in history.files["a.md"].commits] == ["Another A"]
    assert history.is_whole


def test_a_new_commit_is_seen(repository: Repository) -> None:
    knowledge = KnowledgeBase(repository.root, Settings())
    assert history_of(knowledge) is history_of(knowledge)
    repository.commit({"other.md": "y\n"}, "Change the other", day="2026-01-01")
    history = history_of(knowledge)
    assert history is not None
    assert history.files["other.md"].last.subject == "Change the other"


def test_lines_have_the_commit_that_made_them_wherever_they_stand_now(repository: Repository) -> None:
    lines = ["new above", "# A", "", "one", "two, or 2", "not committed", "three"]
    origins = origins_of(repository.root, "docs/ü b.md", lines, 4, 7)
    assert [(origin.first, origin.last, origin.commit.subject if origin.commit else None) for origin in origins] == [
        (4, 4, "Write A"),
        (5, 5, "Say it in figures"),
        (6, 6, None),
        (7, 7, "Write A"),
    ]
    assert origins[1].commit is not None
    assert (origins[1].commit.author, origins[1].commit.day) == ("Bo Lind", date(2024, 7, 1))


def test_a_folder_outside_of_any_repository_has_no_history(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    assert history_of(KnowledgeBase(tmp_path / "plain", Settings())) is None
    Repository(tmp_path / "empty")
    assert history_of(KnowledgeBase(tmp_path / "empty", Settings())) is None, "nothing was ever committed"


def test_of_several_folders_those_in_a_repository_have_a_history(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    root = joined_folder([NamedFolder(repository.root / "docs"), NamedFolder(tmp_path / "plain")])
    history = history_of(open_knowledge_base(root, Settings()))
    assert history is not None
    assert set(history.files) == {"docs/a.md", "docs/ü b.md"}
    origins = origins_of(root, "docs/ü b.md", ["# A"], 1, 1)
    assert origins[0].commit is not None


def test_output_stops_at_its_limit(repository: Repository) -> None:
    result = run_git(repository.root, ["log", "-p"], limit=100)
    assert (len(result.output), result.is_cut) == (100, True)


def test_a_failure_and_a_missing_file_are_said(repository: Repository) -> None:
    with pytest.raises(GitFailed, match="git failed"):
        origins_of(repository.root, "never.md", ["x"], 1, 1)
