"""The real program on a real folder: index, ask, search, record, replay, and every way a question can end."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from kbtui.domain.codec import decode
from kbtui.settings import paths
from kbtui.view.folding import reduce_all
from tests.cli.conftest import Invoke, Program

pytestmark = pytest.mark.e2e

RUNBOOK = """# Roll back a deploy

Roll back when the error rate stays above 2 % for five minutes after a deploy.

## How

The on-call engineer re-pins the last green image with `ship repin`, and announces it in the channel first.
"""
EVIL = "# Notes \x1b]0;owned\x07\n\nThe [bold]parcel[/bold] lockers of Oslo are \x1b[31mred\x1b[2J and made of steel.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    kb = tmp_path / "kb"
    kb.mkdir()
    (kb / "rollback.md").write_text(RUNBOOK, encoding="utf-8")
    (kb / "oslo.md").write_text(EVIL, encoding="utf-8")
    (kb / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    return kb


def test_a_question_is_answered_recorded_and_replayed_as_the_same_events(program: Program, folder: Path) -> None:
    first = program("index", str(folder))
    assert first.returncode == 0, first.stderr
    assert first.stdout.startswith("2 files · ")
    assert " · 0 embedded · " in program("index", str(folder)).stdout

    asked = program("ask", "--kb", str(folder), "--json", "who re-pins the last green image?")
    assert asked.returncode == 0, asked.stderr
    assert asked.stderr == ""
    lines = asked.stdout.removesuffix("\n").split("\n")
    schema = json.loads(program("events", "--schema").stdout)
    for line in lines:
        jsonschema.validate(json.loads(line), schema)
    (recorded,) = paths.sessions_dir().iterdir()
    assert recorded.read_text(encoding="utf-8") == asked.stdout
    assert program("replay", "last", "--json").stdout == asked.stdout
    view = reduce_all(map(decode, lines))
    citation = view.citations[0]
    assert citation.path == "rollback.md"
    assert citation.start_line is not None
    assert citation.end_line is not None
    assert "\n".join(RUNBOOK.split("\n")[citation.start_line - 1 : citation.end_line]) == citation.quote

    again = program("ask", "--kb", str(folder), "--no-session", "who re-pins the last green image?")
    assert "rollback.md:L" in again.stdout
    assert len(list(paths.sessions_dir().iterdir())) == 1


def test_what_is_not_there_is_said_with_exit_code_3(program: Program, folder: Path) -> None:
    done = program("ask", "--kb", str(folder), "what is the boiling point of tungsten?")
    assert done.returncode == 3
    assert "tungsten" in done.stdout
    assert program("search", "--kb", str(folder), "--tool", "grep_search", "tungsten").returncode == 3


def test_search_prints_the_contracts_objects_and_clean_text(program: Program, folder: Path) -> None:
    done = program("search", "--kb", str(folder), "--json", "-k", "1", "lockers of Oslo")
    assert done.returncode == 0, done.stderr
    (hit,) = [json.loads(line) for line in done.stdout.removesuffix("\n").split("\n")]
    assert set(hit) == {"rank", "path", "start_line", "end_line", "score", "tool", "text"}
    assert (hit["rank"], hit["path"], hit["tool"]) == (1, "oslo.md", "hybrid_search")
    assert "\x1b[31mred" in hit["text"], "JSON is exact"
    text = program("search", "--kb", str(folder), "-k", "1", "lockers of Oslo").stdout
    assert "oslo.md:" in text
    assert "[bold]parcel[/bold]" in text
    assert "\x1b" not in text


def test_a_run_out_of_time_exits_124_and_its_last_event_says_so(program: Program, folder: Path) -> None:
    done = program("ask", "--kb", str(folder), "--json", "--timeout", "0.001", "who re-pins the image?")
    assert done.returncode == 124
    last = json.loads(done.stdout.removesuffix("\n").rpartition("\n")[2])
    assert (last["kind"], last["error"]) == ("run_failed", "TimedOut")
    assert done.stderr.startswith("kbtui: ")


def test_the_demo_answers_its_questions_where_there_is_no_terminal(program: Program) -> None:
    from kbtui import demo

    done = program("demo")
    assert done.returncode == 0, done.stderr
    for question in demo.QUESTIONS:
        assert f"> {question}\n" in done.stdout
    assert "rollback.md:L" in done.stdout


def test_the_demo_offers_questions_that_are_answered_in_the_language_of_the_screen(
    invoke: Invoke, shared_model: None
) -> None:
    from kbtui import demo

    data = str(demo.sample_database())
    for question in demo.SUGGESTIONS["zh"]:
        done = invoke("ask", "--kb", str(demo.handbook_path()), "--data", data, "--json", question)
        assert done.exit_code == 0, (question, done.output)
        assert '"outcome":"answered"' in done.output.replace(": ", ":"), question
