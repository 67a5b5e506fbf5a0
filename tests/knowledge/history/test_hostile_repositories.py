"""Repositories made to have programs run, to hang, or to speak to the terminal."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kbtui.knowledge.base import KnowledgeBase
from kbtui.knowledge.history import git
from kbtui.knowledge.history.git import GitFailed, run_git
from kbtui.knowledge.history.log import history_of, origins_of
from kbtui.settings.model import Settings
from tests.support.repositories import Repository, needs_git

pytestmark = needs_git

TEXT = "# Day\n\nThe printer jams on Mondays.\n"
CONFIG = """
[core]
    fsmonitor = {program}
    pager = {program}
    hooksPath = {folder}
    sshCommand = {program}
    gitProxy = {program}
    editor = {program}
    alternateRefsCommand = {program}
[pager]
    log = {program}
    blame = {program}
[diff]
    external = {program}
[diff "evil"]
    textconv = {program}
    command = {program}
[filter "evil"]
    clean = {program}
    smudge = {program}
    process = {program}
    required = true
[log]
    showSignature = true
[gpg]
    program = {program}
[gpg "ssh"]
    program = {program}
    allowedSignersFile = {program}
[credential]
    helper = {program}
[alias]
    log = !{program}
    blame = !{program}
[remote "origin"]
    url = ext::{program}
    promisor = true
    partialclonefilter = blob:none
[extensions]
    partialClone = origin
"""


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "repo")
    made.commit({"day.md": TEXT}, "Write it", day="2024-01-01")
    made.commit({"day.md": f"{TEXT}More.\n"}, "Write more", day="2024-02-01")
    return made


def test_no_program_that_a_repository_names_is_run(repository: Repository, tmp_path: Path) -> None:
    ran, program = tmp_path / "ran", tmp_path / "hooks" / "evil"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nmkdir -p {ran}\ncat\n")
    program.chmod(0o755)
    for hook in ("post-index-change", "pre-commit", "reference-transaction"):
        (program.parent / hook).symlink_to(program)
    folder = repository.root
    (folder / ".gitattributes").write_text("* diff=evil filter=evil\n")
    (folder / ".git" / "info").mkdir(exist_ok=True)
    (folder / ".git" / "info" / "attributes").write_text("* diff=evil filter=evil\n")
    with (folder / ".git" / "config").open("a") as config:
        config.write(CONFIG.format(program=program, folder=program.parent))
    (folder / "day.md").write_text(f"{TEXT}Changed since.\n")
    history = history_of(KnowledgeBase(folder, Settings()))
    assert history is not None
    assert history.files["day.md"].last.subject == "Write more"
    lines = (folder / "day.md").read_text().split("\n")
    assert origins_of(folder, "day.md", lines, 3, 3)[0].commit is not None
    # An object that is missing would be fetched from the promisor.
    with pytest.raises(GitFailed):
        run_git(folder, ["cat-file", "blob", "0123456789012345678901234567890123456789"])
    # Not a file, which nothing below a worker can write.
    assert not ran.exists()


def test_words_of_a_commit_cannot_speak_to_the_terminal_or_pass_for_fields(repository: Repository) -> None:
    subject = "Clear \x1b[2J the screen \x07 ‮ and\x1f2020-01-01\x1fMallory"
    repository.commit({"day.md": "x\n"}, subject, author="Eve\x1b]0;x\x07", day="2025-01-01")
    history = history_of(KnowledgeBase(repository.root, Settings()))
    assert history is not None
    last = history.files["day.md"].last
    assert last.day.year == 2025
    for text in (last.subject, last.author):
        assert not any(char in text for char in "\x1b\x07\x1f\u202e\n"), repr(text)


@pytest.mark.parametrize("broken", ["HEAD", "config", "objects", "pipe"])
def test_a_broken_repository_has_no_history(
    repository: Repository, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = repository.root / ".git"
    monkeypatch.setattr(git, "_SECONDS", 2.0)
    if broken == "objects":
        for path in (place / "objects").rglob("*"):
            if path.is_file():
                path.chmod(0o644)
                path.write_bytes(b"no object")
    elif broken == "pipe":
        (place / "HEAD").unlink()
        os.mkfifo(place / "HEAD")
    else:
        (place / broken).write_text("\0 no such thing [\n")
    assert history_of(KnowledgeBase(repository.root, Settings())) is None


def test_configuration_of_the_user_is_not_read(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = tmp_path / "ran"
    (Path.home() / ".gitconfig").write_text(f"[alias]\n  x = !touch {ran}\n[core]\n  fsmonitor = touch {ran}\n")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", f"touch {ran}")
    assert history_of(KnowledgeBase(repository.root, Settings())) is not None
    with pytest.raises(GitFailed):
        run_git(repository.root, ["x"])
    assert not ran.exists()
