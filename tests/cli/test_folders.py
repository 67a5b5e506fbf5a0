"""``--kb`` given several times."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Program


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "day.md").write_text("# Day\n\nThe printer on floor two jams on Mondays.\n", encoding="utf-8")
    return folder


def test_ask_cites_by_the_name_of_the_folder_and_records_a_folder_for_both(
    program: Program, kb: Path, notes: Path
) -> None:
    done = program("ask", "--kb", str(kb), "--kb", f"diary={notes}", "--json", "When does the printer jam?")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    answer = next(event for event in events if event["kind"] == "answer_completed")
    assert [citation["path"] for citation in answer["citations"]] == ["diary/day.md"]
    recorded = Path(events[0]["kb"])
    assert recorded.name == "handbook + diary"
    assert (recorded / "diary" / "day.md").samefile(notes / "day.md")
    again = program("ask", "--kb", str(recorded), "--no-session", "How do I roll back a deploy?")
    assert "handbook/runbooks/rollback.md:L" in again.stdout


def test_the_folders_may_stand_before_the_command_and_a_path_limits_within_one(
    program: Program, kb: Path, notes: Path
) -> None:
    done = program("--kb", str(kb), "--kb", str(notes), "ask", "--no-session", "--in", "notes", "When does it jam?")
    assert "notes/day.md:L3" in done.stdout
    assert "handbook/" not in done.stdout
    done = program("--kb", str(kb), "search", "--kb", str(notes), "--json", "printer")
    assert {json.loads(line)["path"].split("/")[0] for line in done.stdout.splitlines()} >= {"notes"}


def test_one_folder_is_cited_as_before(program: Program, notes: Path) -> None:
    done = program("ask", "--kb", f"diary={notes}", "--json", "When does the printer jam?")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert events[0]["kb"] == str(notes)
    answer = next(event for event in events if event["kind"] == "answer_completed")
    assert [citation["path"] for citation in answer["citations"]] == ["day.md"]


def test_index_brings_each_folder_up_to_date_and_doctor_tells_of_each(program: Program, kb: Path, notes: Path) -> None:
    program("ask", "--kb", str(kb), "--kb", str(notes), "--no-session", "printer?")
    (joined,) = (Path.home() / "data" / "kbtui" / "joined").glob("*/*")
    done = program("index", str(joined))
    assert [line.split(" · ")[0] for line in done.stdout.splitlines()] == ["5 files", "1 file"]
    report = program("doctor", "--kb", str(kb), "--kb", str(notes)).stdout
    assert f"of {kb}" in report
    assert f"of {notes}" in report


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("ask", "--kb", "{kb}", "--kb", "{kb}/adr", "x"), "lies in"),
        (("ask", "--kb", "{kb}", "--kb", "nosuch", "x"), "There is no folder nosuch"),
        (("ask", "--kb", "x={kb}", "--kb", "x={notes}", "x"), "named x"),
        (("--kb", "{kb}", "events", "--schema"), "--kb means nothing to kbtui events"),
        (("--kb", "{kb}", "{notes}"), "PATH and --kb are both given"),
    ],
)
def test_folders_that_cannot_be_joined_are_wrong_usage(
    program: Program, kb: Path, notes: Path, args: tuple[str, ...], said: str
) -> None:
    done = program(*(arg.format(kb=kb, notes=notes) for arg in args))
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
