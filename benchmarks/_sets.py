"""Sets of questions over databases: ``databases/*.sqlite`` and ``questions.jsonl`` beside them."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from datetime import date
from pathlib import Path
from typing import Any

from kbtui.data.sqlite import SqliteSource
from kbtui.domain.analysis import Schema
from kbtui.errors import DataSourceError


def load(folder: Path) -> list[dict[str, Any]]:
    """The questions of a set, given its folder or its file."""
    names = ("questions.jsonl", "questions_vis.jsonl")
    file = folder if folder.is_file() else next(f for name in names if (f := folder / name).is_file())
    return [json.loads(line) for line in file.read_text("utf-8").split("\n") if line.strip()]


def load_unanswerable(folder: Path) -> list[dict[str, Any]]:
    """Questions that the data cannot answer; none where the set has no such file."""
    file = folder / "unanswerable.jsonl"
    return load(file) if file.is_file() else []


def today_of(folder: Path) -> date:
    """The day on which the questions of a set are asked: that of its ``today.txt``, or 2026-11-20."""
    file = folder / "today.txt"
    return date.fromisoformat(file.read_text("utf-8").strip()) if file.is_file() else date(2026, 11, 20)


def half_of(database: str) -> str:
    """A or B, by the hash of the name: rules and weights may be made with half A, half B is only reported."""
    return "AB"[int(hashlib.sha256(database.encode()).hexdigest(), 16) % 2]


class Databases:
    """The databases of a set, each opened once, read-only."""

    def __init__(self, *folders: Path) -> None:
        self._folders = folders
        self._sample: Path | None = None
        self._open: dict[str, sqlite3.Connection] = {}
        self._schemas: dict[str, Schema] = {}

    def path(self, name: str) -> Path:
        """The file; the sample database is made where it is not there."""
        paths = [folder / f"{name}.sqlite" for folder in self._folders]
        path = next((p for p in paths if p.is_file()), None)
        if path is None and name == "harbourlight":
            from kbtui.demo.sample_database import sample_database

            return sample_database()
        return path or paths[0]

    def connection(self, name: str) -> sqlite3.Connection:
        """An open connection."""
        if name not in self._open:
            uri = f"file:{self.path(name)}?mode=ro"
            self._open[name] = sqlite3.connect(uri, uri=True)
            self._open[name].text_factory = lambda raw: raw.decode("utf-8", "replace")
        return self._open[name]

    def ask(self, name: str, sql: str) -> list[tuple[Any, ...]]:
        """Rows of a statement, stopped after a second or so."""
        connection = self.connection(name)
        deadline = time.monotonic() + 1.5
        connection.set_progress_handler(lambda: int(time.monotonic() > deadline), 20_000)
        try:
            return connection.execute(sql).fetchmany(20_000)
        except sqlite3.Error as error:
            raise DataSourceError(str(error)) from error

    def schema(self, name: str) -> Schema:
        """The detailed structure."""
        if name not in self._schemas:
            source = SqliteSource(name, self.path(name))
            self._schemas[name] = source.schema("detailed")
        return self._schemas[name]
