"""Sets of questions over databases: ``databases/*.sqlite`` and ``questions.jsonl`` beside them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any


def load(folder: Path) -> list[dict[str, Any]]:
    """The questions of a set, given its folder or its file."""
    names = ("questions.jsonl", "questions_vis.jsonl")
    file = folder if folder.is_file() else next(f for name in names if (f := folder / name).is_file())
    return [json.loads(line) for line in file.read_text("utf-8").split("\n") if line.strip()]


def load_unanswerable(folder: Path) -> list[dict[str, Any]]:
    """Questions that the data cannot answer; none where the set has no such file."""
    file = folder / "unanswerable.jsonl"
    return load(file) if file.is_file() else []


def half_of(database: str) -> str:
    """A or B, by the hash of the name: rules and weights may be made with half A, half B is only reported."""
    return "AB"[int(hashlib.sha256(database.encode()).hexdigest(), 16) % 2]
