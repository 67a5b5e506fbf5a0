"""Whether the second question of a conversation over data brings the right rows.

    python benchmarks/conversations.py DIR... [--half tune|held] [--engine] [--show-wrong] [--json]

DIR holds the ``databases/*.sqlite`` of one set of ``data/conversations*.jsonl``. A row there is a conversation:
``turns`` of {query, sql}, a second question ``text`` with its ``gold_sql`` and alternatives, or of kind
``standalone``: a whole question, which must not change the statement before it. By default the statement before is the
gold one, so that only the follow-up is measured; with ``--engine`` every question is asked of `kbtui.Engine` at default
settings, and rows are those that were delivered.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from _verdicts import Gold, Rows, rows_of

from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.query import Query

DATA = sorted((Path(__file__).parent / "data").glob("conversations*.jsonl"))
TODAY = date(2026, 11, 20)
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


class Source:
    """One database of a set."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self.path = folder / "databases" / f"{name}.sqlite"

    @cached_property
    def _opened(self) -> Any:
        from kbtui.data.sources import open_source
        from kbtui.settings.sources import DataSource

        return open_source(DataSource(name=self.name, location=str(self.path)))

    @cached_property
    def schema(self) -> Any:
        """Its structure."""
        return self._opened.schema("detailed")

    def run(self, sql: str) -> Any:
        """Rows of a statement."""
        from kbtui.domain.analysis import Limits
        from kbtui.domain.ports import CancelToken

        return self._opened.run(sql, Limits(), CancelToken()).rows

    @cached_property
    def reader(self) -> Any:
        """Reads questions over it on the day of the sets."""
        from kbtui.nl2sql.reader import QuestionReader
        from kbtui.nl2sql.stages import shipped_stages

        return QuestionReader(lambda _source, sql: self.run(sql), lambda: TODAY, shipped_stages)

    @property
    def catalogue(self) -> Catalogue:
        """Its profile."""
        found: Catalogue = self.reader.catalogue(self.schema)
        return found

    def query(self, sql: str) -> Query | None:
        """A statement over it as a tree."""
        from kbtui.nl2sql.parse import query_of

        return query_of(sql, self.catalogue)

    def is_right(self, rows: Rows, *golds: str) -> bool:
        """Whether rows are those of one of the gold statements."""
        return any(Gold(rows_of(self.path, gold)).matches(rows) for gold in golds if gold)


def rows_of_file(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSON-lines file."""
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]


@dataclass(frozen=True)
class Asked:
    """What the second question of a conversation brought.

    Attributes:
        follows: It was taken for a follow-up.
        given: It was answered.
        right: By the right rows, or they would have been.
        offered: One of the first four readings brings them.
        led: The questions before it were answered rightly.
    """

    follows: bool
    given: bool = False
    right: bool = False
    offered: bool = False
    led: bool = True
    sql: str = ""


def read_behind_gold(source: Source, row: dict[str, Any]) -> Asked:
    """A follow-up alone: the statement before it is the gold one."""
    from kbtui.domain.analysis import AnsweredStatement
    from kbtui.nl2sql.follow_ups import follow_up
    from kbtui.nl2sql.gate import THRESHOLD

    before = AnsweredStatement(source=source.name, sql=row["turns"][-1]["sql"])
    found = follow_up(source.reader, row["text"], source.schema, before)
    if found is None:
        return Asked(follows=False)
    readings = found.readings.readings[:4]
    golds = (row["gold_sql"], *row["gold_alternatives"])
    right = [source.is_right(source.run(reading.sql), *golds) for reading in readings]
    given = readings[0].confidence >= THRESHOLD
    return Asked(follows=True, given=given, right=right[0], offered=any(right), sql=readings[0].sql)


class Sitting:
    """Whole conversations, asked of an engine at default settings over an empty folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._engines: dict[str, Any] = {}

    def ask(self, source: Source, row: dict[str, Any]) -> Asked:
        """One conversation from its beginning."""
        from kbtui import Engine

        if source.name not in self._engines:
            self._engines[source.name] = Engine(
                kb=str(self._folder), sources=[str(source.path)], record=False, clock=lambda: NOW
            )
        engine = self._engines[source.name]
        engine.history.clear()
        led = all(self._answered(engine, source, turn["query"], turn["sql"])[1] for turn in row["turns"])
        golds = (row["gold_sql"], *row["gold_alternatives"])
        given, right, standalone = self._answered(engine, source, row["text"], *golds)
        return Asked(follows=bool(standalone), given=given, right=right, offered=right, led=led)

    @staticmethod
    def _answered(engine: Any, source: Source, question: str, *golds: str) -> tuple[bool, bool, str]:
        events: list[Any] = []
        answer = engine.answer_query(question, status_callback=events.append)
        rows = next((event.rows for event in reversed(events) if event.kind == "table_produced"), None)
        given = rows is not None and answer.outcome in ("answered", "partial")
        standalone = next((event.standalone for event in events if event.kind == "request_classified"), "")
        return given, given and source.is_right(rows or (), *golds), standalone


Ask = Callable[[Source, dict[str, Any]], Asked]


def measure(rows: list[dict[str, Any]], ask: Ask, folders: list[Path]) -> tuple[dict[str, Any], list[str]]:
    """The figures, and what went wrong."""
    sources: dict[str, Source] = {}
    counts: Counter[str] = Counter()
    kinds: dict[str, list[bool]] = defaultdict(list)
    wrong = []
    for row in rows:
        folder = next(folder for folder in folders if folder.name == row["set"])
        source = sources.setdefault(row["db"], Source(folder, row["db"]))
        asked = ask(source, row)
        line = f"{row['kind']}: {row['turns'][-1]['query']} / {row['text']}\n    {asked.sql}"
        if row["kind"] == "standalone":
            counts["alone"] += 1
            counts["alone_changed"] += asked.follows
            wrong += [line] if asked.follows else []
            continue
        counts["follow_ups"] += 1
        counts["led"] += asked.led
        counts["taken"] += asked.follows
        counts["first_right"] += asked.right
        counts["offered_right"] += asked.offered
        counts["given_right"] += asked.given and asked.right
        counts["given_wrong"] += asked.given and not asked.right
        kinds[row["kind"]].append(asked.right)
        wrong += [] if asked.right else [line]
    by_kind = {kind: f"{sum(right)}/{len(right)}" for kind, right in sorted(kinds.items())}
    return {**counts, "kinds": by_kind}, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--half", choices=("tune", "held"))
    parser.add_argument("--engine", action="store_true", help="ask whole conversations of an engine")
    parser.add_argument("--show-wrong", action="store_true")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    folders = [folder.resolve() for folder in arguments.folders]
    names = {folder.name for folder in folders}
    rows = [row for file in DATA for row in rows_of_file(file)]
    rows = [row for row in rows if row["set"] in names and arguments.half in (None, row["half"])]
    with tempfile.TemporaryDirectory() as empty:
        ask: Ask = Sitting(Path(empty)).ask if arguments.engine else read_behind_gold
        figures, wrong = measure(rows, ask, folders)
    if arguments.json:
        print(json.dumps(figures, ensure_ascii=False))
        return 0
    for name, value in figures.items():
        print(f"{name:16} {value}")
    for line in wrong if arguments.show_wrong else ():
        print(f"- {line}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
