"""What the audit log keeps in memory, and what of it goes to the file."""

from __future__ import annotations

import json
import stat
import threading
from pathlib import Path

import pytest

from kbtui.runs import audit
from kbtui.runs.audit import AuditLog

CALL = {
    "node": "llm",
    "stage": "write",
    "model": "openai:gpt-5-mini",
    "prompt": [{"role": "user", "content": "谁宣布回滚？"}],
    "answer": "The on-call engineer [1].",
    "tokens_in": 2100,
}


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def test_the_words_of_a_model_are_kept_in_memory_and_only_its_figures_in_the_file(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit.jsonl")
    log.of("r1")(CALL)
    log.close()
    (kept,) = log.entries("r1")
    assert kept["prompt"] == CALL["prompt"]
    assert kept["answer"] == CALL["answer"]
    (written,) = lines(tmp_path / "audit.jsonl")
    assert written["run_id"] == "r1"
    assert written["tokens_in"] == 2100
    assert "prompt" not in written
    assert "answer" not in written


def test_debugging_writes_the_words_to_a_file_that_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "state" / "audit.jsonl"
    log = AuditLog(path, with_prompts=True)
    log.of("r1")(CALL)
    log.close()
    assert lines(path)[0]["prompt"] == CALL["prompt"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_entries_come_back_by_run_and_in_order() -> None:
    log = AuditLog()
    for number in range(3):
        log.of("r1")({"node": "a", "number": number})
        log.of("r2")({"node": "b"})
    assert [entry["number"] for entry in log.entries("r1")] == [0, 1, 2]
    assert len(log.entries("r2")) == 3
    assert log.entries("r3") == ()


def test_only_the_last_runs_are_kept() -> None:
    log = AuditLog()
    for number in range(audit.MAX_RUNS_IN_MEMORY + 5):
        log.of(f"r{number}")({"node": "a"})
        log.of(f"r{number}")({"node": "b"})
    assert log.entries("r4") == ()
    assert len(log.entries("r5")) == 2


def test_memory_is_bounded_and_what_was_decided_last_is_what_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "MAX_BYTES_IN_MEMORY", 10_000)
    log = AuditLog()
    for number in range(20):
        log.of("r1")({"node": "llm", "number": number, "answer": "x" * 1_000})
    numbers = [entry["number"] for entry in log.entries("r1")]
    assert numbers == list(range(20 - len(numbers), 20))
    assert 5 < len(numbers) < 10


def test_an_entry_may_hold_anything_and_come_from_any_thread(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit.jsonl")
    take = log.of("r1")
    threads = [
        threading.Thread(target=lambda: [take({"node": "a", "path": Path("/kb"), "bad": "\udcff"}) for _ in range(50)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    log.close()
    assert len(log.entries("r1")) == 200
    assert len(lines(tmp_path / "audit.jsonl")) == 200


def test_a_file_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where a folder should be")
    log = AuditLog(tmp_path / "state" / "audit.jsonl")
    log.of("r1")(CALL)
    log.of("r1")(CALL)
    assert len(log.entries("r1")) == 2


def test_keys_reach_neither_the_memory_nor_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "pl4nted-k3y-for-tests-only")
    log = AuditLog(tmp_path / "audit.jsonl", with_prompts=True)
    said = 'Incorrect API key "pl4nted-k3y-for-tests-only"; header Authorization: "Bearer sk-abcdefghijkl0123456789"'
    log.of("r1")({"node": "llm", "answer": said, "prompt": [{"role": "user", "content": said}], "error": OSError(said)})
    log.close()
    kept = json.dumps(log.entries("r1")) + (tmp_path / "audit.jsonl").read_text(encoding="utf-8")
    assert "Incorrect API key" in kept
    assert "pl4nted" not in kept
    assert "sk-abcdef" not in kept


def test_half_a_line_of_a_process_that_was_killed_does_not_swallow_the_next_one(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_text('{"node": "rou', encoding="utf-8")
    log = AuditLog(path)
    log.of("r1")({"node": "plan"})
    log.close()
    half, whole = path.read_text("utf-8").splitlines()
    assert half == '{"node": "rou'
    assert json.loads(whole)["node"] == "plan"
