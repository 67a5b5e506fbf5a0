"""Git repositories made for a test: commits with authors and days of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="the program git is not installed")


class Repository:
    """A repository in a folder, which is made.

    Args:
        root: The folder.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str, author: str = "Ana Ruiz", day: str = "2024-01-02") -> str:
        """Run a command of git as an author at noon of a day, and return what it prints."""
        return subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            env={
                **os.environ,
                "GIT_CONFIG_GLOBAL": os.devnull,
                "GIT_CONFIG_NOSYSTEM": "1",
                **{f"GIT_{role}_{field}": value for role in ("AUTHOR", "COMMITTER") for field, value in (
                    ("NAME", author), ("EMAIL", "x@example.org"), ("DATE", f"{day}T12:00:00+02:00"))},
            },
            check=True,
            capture_output=True,
            text=True,
        ).stdout  # fmt: skip

    def commit(self, files: dict[str, str], subject: str, *, author: str = "Ana Ruiz", day: str = "2024-01-02") -> str:
        """Write files, commit everything, and return the hash."""
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", subject, author=author, day=day)
        return self.git("rev-parse", "HEAD").strip()
