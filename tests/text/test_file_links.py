"""Addresses of lines of files."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from kbtui.text.file_links import file_link


def test_a_link_leads_to_the_line_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "box")
    assert file_link(Path("/kb"), "a/b.md", 12) == "file://box/kb/a/b.md#L12"


def test_names_cannot_end_the_link_or_the_escape_sequence_around_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "box")
    link = file_link(Path("/k b"), "会\x1b\\#?;.md", 1)
    assert link == "file://box/k%20b/%E4%BC%9A%1B%5C%23%3F%3B.md#L1"


@pytest.mark.parametrize("path", ["../x.md", "a/../../x.md", "/etc/passwd", ""])
def test_what_leaves_the_folder_is_not_linked(path: str) -> None:
    assert file_link(Path("/kb"), path, 1) == ""


def test_a_folder_that_is_not_known_links_nothing() -> None:
    assert file_link(Path(), "a.md", 1) == ""
