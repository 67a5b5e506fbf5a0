"""The pieces of work that faults are put into: indexing, recording, keeping and asking."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from kbtui.domain.analysis import Schema
from tests.faults.harness import Work, command

PAGES = {
    "runbook.md": "# Roll back a deploy\n\nRoll back when the error rate stays above two percent.\n\n"
    "## How\n\nPin the last green image, then watch the error rate for ten minutes.\n",
    "adr-7.md": "---\ntitle: Two-step migrations\nreplaces: ADR-2\n---\n# ADR-7\n\nIt never breaks what runs.\n",
    "值班.md": "# 值班说明\n\n值班每周三上午十点交接。收到告警后十分钟内回应。\n",
    "orders.csv": "month,amount\n2024-01,120\n2024-02,80\n2024-03,200\n",
}
QUESTION = "When do we roll back a deploy?"


def write_pages(root: Path, pages: dict[str, str], age_s: int = 3600) -> None:
    for name, text in pages.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        then = time.time() - age_s
        os.utime(path, (then, then))


def use_fake_embedder() -> None:
    """Vectors made of hashes: the model is no part of what is stored, and loading it takes longer than all the rest."""
    from kbtui.knowledge import embedding

    def opened(_settings: Any) -> Any:
        from tests.knowledge.indexing import FakeEmbedder

        return FakeEmbedder()

    # Before the indexer is imported, which takes it as a default.
    embedding.open_embedder = opened


def index_state(root: Path) -> dict[str, Any]:
    """All that a reader of the index can see of it."""
    from kbtui.knowledge.store.index import Index
    from kbtui.settings.model import Settings
    from tests.knowledge.indexing import FakeEmbedder, chunk_set

    index = Index(root, Settings())
    nearest = index.search(FakeEmbedder().query("error rate"), 100)
    return {
        "chunks": json.loads(json.dumps(chunk_set(index))),
        "relations": [[r.source_path, r.relation, r.target, r.line] for r in index.relations()],
        "files": [[f.path, f.sha256, f.chunk_count] for f in index.files()],
        "vectors": [[chunk.path, chunk.start_line, round(cosine, 5)] for chunk, cosine in nearest],
        "vector_share": index.vector_share(),
        "stores": sorted(path.name[0] for path in index.directory.iterdir() if path.is_dir()),
    }


class Indexing(Work):
    """A folder that was never indexed."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        use_fake_embedder()

    def prepare(self) -> None:
        write_pages(self.kb, PAGES)

    def act(self) -> int:
        return command("index", str(self.kb))

    def state(self) -> Any:
        return index_state(self.kb)

    def judge_claim(self, output: str, errors: str, expected: str) -> str:
        if output.split(" · ")[:3] == expected.split(" · ")[:3] or "warning" in errors:
            return ""
        return f"claims {output!r}"


class Updating(Indexing):
    """An index of yesterday: one file has changed, one has gone, one is new."""

    def prepare(self) -> None:
        super().prepare()
        assert command("index", str(self.kb)) == 0
        (self.kb / "adr-7.md").unlink()
        write_pages(self.kb, {"runbook.md": "# Roll back\n\nRoll back at once.\n", "new.md": "# New\n\nWords.\n"}, 60)


class Rebuilding(Indexing):
    def prepare(self) -> None:
        super().prepare()
        assert command("index", str(self.kb)) == 0

    def act(self) -> int:
        return command("index", "--rebuild", str(self.kb))


class Recording(Work):
    """A session of two runs, begun before and taken up again."""

    def prepare(self) -> None:
        self.act()

    def act(self) -> int:
        from kbtui.domain.codec import encode
        from kbtui.sessions.recorder import SessionRecorder
        from kbtui.sessions.store import SessionStore
        from tests.sessions.runs import answered

        problems: list[Any] = []
        run_id = f"run-{time.time_ns()}"
        recorder = SessionRecorder(SessionStore(), "20261120-210301-abcd", on_problem=problems.append)
        for event in answered(run_id=run_id):
            recorder.record(event)
            print(encode(event))
        recorder.close()
        for problem in problems:
            print(f"kbtui: warning: {problem.message}\nhint: {problem.hint}", file=sys.stderr)
        return 0

    def settle(self) -> None:
        """Before anything is written again, all whole events must be there; then another run goes behind them."""
        from kbtui.sessions.recording import read
        from kbtui.sessions.store import SessionStore

        path = SessionStore().files()[0]
        whole = [line for line in path.read_bytes().split(b"\n")[:-1] if line]
        events = read(path).events
        assert len(events) == len(whole), (len(events), len(whole))
        self.act()

    def state(self) -> Any:
        from kbtui.sessions.recording import read
        from kbtui.sessions.store import SessionStore

        store = SessionStore()
        found = [read(path) for path in store.files()]
        return {
            "sessions": len(found),
            "problem": [str(one.problem) for one in found if one.problem],
            "first": [event.kind for event in found[0].runs[0]],
            "last": [event.kind for event in found[0].runs[-1]],
            "listed": len(store.list()),
        }

    def judge_claim(self, output: str, errors: str, expected: str) -> str:
        from kbtui.sessions.recording import read
        from kbtui.sessions.store import SessionStore

        if "warning" in errors:
            return ""
        last = read(SessionStore().files()[0]).runs[-1]
        return "" if len(last) == len(expected.splitlines()) else f"{len(last)} events recorded, and no warning"


class Beginning(Recording):
    """The first session of all: its folder and file are made."""

    def prepare(self) -> None:
        return

    def settle(self) -> None:
        from kbtui.sessions.store import SessionStore

        SessionStore().list()
        self.act()

    def state(self) -> Any:
        whole = super().state()
        del whole["first"]  # an interrupted run stays as far as it came
        return whole


class Keeping(Work):
    """What is kept between runs: structures, answers, durations, statements, settings, decisions."""

    def prepare(self) -> None:
        return

    def act(self) -> int:
        from kbtui.cli.failures import run_guarded

        return run_guarded(self._keep)

    def _keep(self) -> None:
        from kbtui.analysis.schema_manager import SchemaManager
        from kbtui.reasoning.llm.client import reply_cache
        from kbtui.runs.audit import AuditLog
        from kbtui.runs.durations import Durations
        from kbtui.sessions.ids import utc_now
        from kbtui.settings import paths
        from kbtui.settings.write import set_user_value
        from kbtui.view.user_files import edited_statement, write_statement

        durations = Durations(paths.cache_dir() / "durations.json")
        durations.add("grep_search", 12.0)
        assert durations.median("grep_search") in (12.0, None)
        kept = reply_cache(paths.cache_dir() / "answers")
        kept.put("key", {"text": "x" * 9000})
        assert kept.get("key") in ({"text": "x" * 9000}, None)
        AuditLog(paths.audit_file()).write({"node": "plan"}, "r1")
        write_statement(SQL, "orders")
        assert edited_statement(SQL, "orders") == SQL
        set_user_value("ui", "theme", "dark")
        manager = SchemaManager({"orders": Orders()}, paths.cache_dir() / "schemas", utc_now)
        assert manager.get("orders", "basic").source == "orders"
        print(json.dumps(self.state()))

    def state(self) -> Any:
        from kbtui.reasoning.llm.client import reply_cache
        from kbtui.runs.durations import Durations
        from kbtui.settings import paths
        from kbtui.view.user_files import edited_statement, statement_path

        lines = paths.audit_file().read_text().splitlines() if paths.audit_file().exists() else []
        return {
            "statement": edited_statement(SQL, "orders"),
            "statement file": statement_path(SQL, "orders").read_text(),
            "settings": paths.config_file().read_text(),
            "durations": Durations(paths.cache_dir() / "durations.json").median("grep_search"),
            "answers": reply_cache(paths.cache_dir() / "answers").get("key"),
            "audit": json.loads(lines[-1])["node"] if lines else "",
        }


SQL = "SELECT month,\n       sum(amount)\nFROM orders\nGROUP BY month"


SCHEMA = Schema(source="orders", dialect="duckdb", level="basic", tables=())


class Orders:
    """A source whose structure is known."""

    name = "orders"
    dialect = "duckdb"

    def fingerprint(self) -> str:
        return "f1"

    def schema(self, level: str, table_names: Any = None) -> Schema:
        return SCHEMA


class Asking(Work):
    """A question over a folder in which one file has changed since it was indexed."""

    accepted = frozenset({0, 1, 2})  # 2: the settings cannot be read
    data: tuple[str, ...] = ()
    question = QUESTION

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        use_fake_embedder()

    def prepare(self) -> None:
        write_pages(self.kb, PAGES)
        assert command("index", str(self.kb)) == 0
        write_pages(self.kb, {"adr-7.md": "# ADR-7\n\nA migration breaks nothing.\n"}, 60)

    def act(self) -> int:
        options = [part for name in self.data for part in ("--data", str(self.kb / name))]
        return command("ask", "--kb", str(self.kb), *options, "--json", self.question)

    def settle(self) -> None:
        self.act()
        # A question writes to the index only what has changed since; what is to be tidied up waits for a writer.
        assert command("index", str(self.kb)) == 0

    def state(self) -> Any:
        from kbtui.sessions.recording import read
        from kbtui.sessions.store import SessionStore
        from kbtui.sessions.summary import preview

        store = SessionStore()
        for summary in store.list():
            preview(self.home / "data/kbtui/sessions" / f"{summary.session_id}.jsonl") if not summary.problem else 0
        last = read(store.find("last"))
        return index_state(self.kb) | {
            "answer": [event.markdown for event in last.events if event.kind == "answer_completed"],
            "problem": str(last.problem),
        }

    def judge_claim(self, output: str, errors: str, expected: str) -> str:
        told, wanted = _events(output), _events(expected)
        if any(event["kind"] == "warning" for event in told):
            return ""
        answers = [[e["markdown"] for e in events if e["kind"] == "answer_completed"] for events in (told, wanted)]
        return "" if answers[0] == answers[1] else f"answers {answers[0]} instead of {answers[1]} and warns of nothing"


class AskingData(Asking):
    """A question over a CSV file that was never loaded."""

    data = ("orders.csv",)
    question = "What is the total amount per month?"

    def prepare(self) -> None:
        write_pages(self.kb, PAGES)

    def state(self) -> Any:
        from kbtui.sessions.recording import read
        from kbtui.sessions.store import SessionStore

        last = read(SessionStore().find("last"))
        return {
            "answer": [event.markdown for event in last.events if event.kind == "answer_completed"],
            "rows": [json.loads(json.dumps(event.rows)) for event in last.events if event.kind == "table_produced"],
        }


def _events(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


WORKS: dict[str, type[Work]] = {
    "indexing": Indexing,
    "updating": Updating,
    "rebuilding": Rebuilding,
    "beginning": Beginning,
    "recording": Recording,
    "keeping": Keeping,
    "asking": Asking,
    "asking-data": AskingData,
}
