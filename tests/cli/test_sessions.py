"""``kbtui sessions`` and ``kbtui replay``, on session files written by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from kbtui.cli import replay
from kbtui.domain.codec import encode
from kbtui.domain.events import Event, RunCompleted, RunFailed, RunStarted
from kbtui.sessions.store import SessionStore
from kbtui.settings import paths
from tests.cli.conftest import Invoke
from tests.sessions.runs import START, analysed, answered, stamp


def saved(name: str, events: Sequence[Event], tail: str = "") -> Path:
    folder = paths.sessions_dir()
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.jsonl"
    file.write_text("".join(encode(event) + "\n" for event in events) + tail, encoding="utf-8")
    return file


@pytest.fixture
def session(home: Path) -> Path:
    return saved("20261120-210301-aaaa", answered())


def test_replay_as_json_gives_exactly_the_recorded_events(session: Path, invoke: Invoke) -> None:
    done = invoke("replay", "--json", "last")
    assert done.exit_code == 0
    assert done.stdout == session.read_text(encoding="utf-8")
    assert done.stderr == ""


@pytest.mark.parametrize("name", ["last", "20261120-210301-aaaa", "2026"])
def test_replay_without_a_terminal_is_text(name: str, session: Path, invoke: Invoke) -> None:
    done = invoke("replay", name)
    assert done.stdout.startswith("> how are deploys rolled back?\n\nRe-pin the last **green image** [1].")
    assert "hybrid_search failed: ToolError: the index is gone" in done.stderr


def test_replay_keeps_the_pauses_divided_by_the_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(replay.time, "sleep", slept.append)
    events = [*answered(), *answered(run_id="r2", start=START + timedelta(hours=3))]
    assert list(replay.with_pauses(events, 2.0)) == events
    assert slept[0] == pytest.approx(0.025)
    assert max(slept) == replay.MAX_PAUSE_S / 2
    slept.clear()
    assert list(replay.with_pauses(events, float("inf"))) == events
    assert slept == []


@pytest.mark.parametrize("speed", ["0", "-1", "fast", "nan"])
def test_a_speed_that_makes_no_sense_is_a_usage_error(speed: str, session: Path, invoke: Invoke) -> None:
    done = invoke("replay", "last", "--speed", speed)
    assert done.exit_code == 2
    assert "is no speed" in done.stderr


def test_a_session_nobody_recorded_is_an_error_with_a_hint(session: Path, invoke: Invoke) -> None:
    done = invoke("replay", "19990101")
    assert done.exit_code == 1
    assert "There is no session 19990101." in done.stderr
    assert "hint: " in done.stderr


def test_a_truncated_session_is_replayed_up_to_the_line_that_is_wrong(home: Path, invoke: Invoke) -> None:
    events = answered()
    file = saved("cut", events[:5], tail=encode(events[5])[:30])
    done = invoke("replay", "--json", "cut")
    assert done.stdout == "".join(encode(event) + "\n" for event in events[:5])
    assert f"{file}, line 6" in done.stderr


def test_list_shows_question_and_outcome(session: Path, invoke: Invoke) -> None:
    saved("broken", [], tail="nonsense\n")
    text = invoke("sessions", "list").stdout
    assert "how are deploys rolled back?" in text
    assert "not a kbtui session" in text
    objects = [json.loads(line) for line in invoke("sessions", "list", "--json").stdout.strip().split("\n")]
    assert {one["session_id"]: one["outcome"] for one in objects}["20261120-210301-aaaa"] == "answered"


def test_list_begins_with_pinned_sessions_and_every_command_knows_names(session: Path, invoke: Invoke) -> None:
    saved("20990101-000000-bbbb", answered(query="another question?"))
    labels = SessionStore().labels
    labels.rename(session.stem, "Rollout 九月")
    labels.pin(session.stem, True)
    lines = invoke("sessions", "list").stdout.splitlines()
    assert "pinned · Rollout 九月" in lines[1]
    first = json.loads(invoke("sessions", "list", "--json").stdout.splitlines()[0])
    assert (first["name"], first["pinned"]) == ("Rollout 九月", True)
    assert "green image" in invoke("sessions", "show", "rollout 九月").stdout
    assert invoke("sessions", "delete", "-y", "Rollout 九月").exit_code == 0
    assert not session.exists()
    assert labels.read() == {}


def test_show_prints_every_question_with_its_answer(home: Path, invoke: Invoke) -> None:
    failed = stamp([RunStarted(query="second?"), RunFailed(error="IndexCorrupt", message="It broke.")], run_id="r2")
    saved("two", [*answered(), *failed])
    done = invoke("sessions", "show", "two")
    assert done.stdout.count("\n> ") == 1
    assert done.stdout.startswith("> how are deploys")
    assert "> second?" in done.stdout
    assert "kbtui: It broke." in done.stderr


def test_show_tells_what_a_chat_model_took(home: Path, invoke: Invoke) -> None:
    used = RunCompleted(llm_calls=2, tokens_in=900, tokens_out=80)
    saved("paid", stamp([RunStarted(query="q", model="ollama:qwen3"), used]))
    assert "ollama:qwen3 · 2 calls · 900 in 80 out" in invoke("sessions", "show", "paid").stderr


@pytest.mark.parametrize(("format_", "has"), [("md", "green image"), ("html", "<html"), ("jsonl", '"run_started"')])
def test_export_writes_each_form(format_: str, has: str, session: Path, invoke: Invoke, tmp_path: Path) -> None:
    done = invoke("sessions", "export", "--format", format_, "last")
    assert done.exit_code == 0, done.stderr
    assert has in done.stdout
    target = tmp_path / "out"
    assert invoke("sessions", "export", "--format", format_, "last", "-o", str(target)).exit_code == 0
    assert target.read_text(encoding="utf-8") == done.stdout


def test_export_replaces_a_file_only_when_told(session: Path, invoke: Invoke, tmp_path: Path) -> None:
    target = tmp_path / "mine.md"
    target.write_text("mine")
    assert invoke("sessions", "export", "last", "-o", str(target)).exit_code == 2
    assert target.read_text() == "mine"
    assert invoke("sessions", "export", "last", "--force", "-o", str(target)).exit_code == 0
    assert target.read_text() != "mine"


def test_stats_show_how_analyses_went_against_their_plans(home: Path, session: Path, invoke: Invoke) -> None:
    assert "No analysis of data" in invoke("sessions", "stats").stderr
    saved("data", analysed())
    assert "2026-11-20 1 3 4 67% 1 1 1 1/1 250 ms" in " ".join(invoke("sessions", "stats").stdout.split())
    row = json.loads(invoke("sessions", "stats", "--by", "type", "--json").stdout)
    assert (row["group"], row["runs"], row["ratio"]) == ("data_query", 1, 0.6667)


def test_delete_asks_first(session: Path, invoke: Invoke) -> None:
    assert invoke("sessions", "delete", "last", input="n\n").exit_code == 130
    assert session.exists()
    assert invoke("sessions", "delete", "last", input="y\n").exit_code == 0
    assert not session.exists()


def test_delete_never_removes_a_file_elsewhere(session: Path, invoke: Invoke, tmp_path: Path) -> None:
    foreign = tmp_path / session.name
    foreign.write_text(session.read_text())
    assert invoke("sessions", "delete", "-y", str(foreign)).exit_code == 2
    assert foreign.exists()
    assert session.exists()


def test_compare_prints_what_changed_since_the_question_was_asked_before(session: Path, invoke: Invoke) -> None:
    assert "was asked once" in invoke("sessions", "compare", "last").stderr
    again = answered(run_id="r2", session_id="s2", start=START + timedelta(days=1))
    other = saved("20261121-210301-bbbb", again)
    text = invoke("sessions", "compare", "last").stdout
    assert "- 2026-11-20 21:03 UTC · session s1\n+ 2026-11-21 21:03 UTC · session s2" in text
    assert "  Re-pin the last **green image**." in text
    assert invoke("sessions", "compare", session.stem, other.stem).stdout == text


def test_export_folds_the_home_folder_and_masks_keys_on_request(home: Path, invoke: Invoke) -> None:
    saved("s", answered(query=f"what is sk-proj-abcdef1234567890abcd in {home}/notes?"))
    plain = invoke("sessions", "export", "s").stdout
    assert "abcdef1234567890abcd" in plain
    assert "~/notes" not in plain
    shared = invoke("sessions", "export", "s", "--fold-home", "--redact").stdout
    assert "abcdef1234567890abcd" not in shared
    assert "in ~/notes?" in shared
