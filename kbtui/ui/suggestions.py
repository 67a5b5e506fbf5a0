"""Questions to begin with, from the titles of a few files: cheap, and about this folder and no other."""

from __future__ import annotations

import os
from pathlib import Path

from kbtui.regular_files import open_regular
from kbtui.text.terminal import one_line

_PROSE = (".md", ".markdown", ".rst", ".txt")
_HEAD_BYTES = 2048
_WANTED = 3
_MOST_FILES = 200


def suggest(kb: Path) -> list[str]:
    """Up to four questions; none for a folder without readable prose."""
    titles: list[str] = []
    folders: list[str] = []
    seen = 0
    for root, names, files in os.walk(kb):
        names[:] = sorted(name for name in names if not name.startswith("."))
        if Path(root) == kb:
            folders = list(names)
        for file in sorted(files):
            seen += 1
            if file.lower().endswith(_PROSE) and len(titles) < _WANTED:
                title = _title(Path(root, file))
                if title and title.lower() not in (known.lower() for known in titles):
                    titles.append(title)
                    break
        if len(titles) >= _WANTED or seen > _MOST_FILES:
            break
    questions = [title if title.endswith(("?", "？")) else f"What does “{title}” say?" for title in titles]
    if folders:
        questions.append(f"Find files about {one_line(folders[0].replace('-', ' ').replace('_', ' '))}")
    return questions


def _title(path: Path) -> str:
    """The first heading of a Markdown or reStructuredText file; empty when there is none near the top."""
    try:
        with open_regular(path) as file:
            head = file.read(_HEAD_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    lines = head.split("\n")
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        text = one_line(line)
        if line.startswith("# "):
            text = one_line(line[2:])
        elif not (len(text) > 3 and len(below.strip()) >= len(text) and set(below.strip()) in ({"="}, {"-"})):
            continue
        if 3 < len(text) <= 60:
            return text
    return ""
