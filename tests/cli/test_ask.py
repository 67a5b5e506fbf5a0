"""``kbtui ask``, with an engine that plays a run made by hand."""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from kbtui import bootstrap, demo
from kbtui.cli.ask import read_question
from kbtui.cli.asking import exit_code, follow
from kbtui.domain.answer import Citation
from kbtui.domain.codec import encode
from kbtui.domain.events import (
    AnswerCompleted,
    Event,
    Progress,
    RunCompleted,
    RunFailed,
    RunStarted,
    Warned,
)
from kbtui.errors import Cancelled, UsageError
from kbtui.view.folding import reduce_all
from tests.cli.conftest import Invoke, Program
from tests.sessions.runs import answered, stamp


class ScriptedEngine:
    """Yields the events it was given; remembers how it was made and what it was asked."""

    script: Sequence[Event] = ()
    made: dict[str, Any]
    asked: list[str]

    def __init__(self, settings: Any = None, **kwargs: Any) -> None:
        type(self).made = {"settings": settings, **kwargs}
        type(self).asked = []

    def start(self, query: str, put: Callable[[Event | None], None]) -> str:
        type(self).asked.append(query)
        for event in (*self.script, None):
            put(event)
        return "r1"

    def cancel(self, run_id: str) -> None:
        raise AssertionError("nobody cancelled")


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> type[ScriptedEngine]:
    monkeypatch.setattr(bootstrap, "Engine", ScriptedEngine)
    ScriptedEngine.script = answered()
    return ScriptedEngine


def run_of(*facts: Event) -> list[Event]:
    return stamp([RunStarted(query="q"), *facts])


def test_the_answer_is_on_stdout_and_the_narration_on_stderr(
    engine: type[ScriptedEngine], invoke: Invoke, tmp_path: Path
) -> None:
    done = invoke("ask", "--kb", str(tmp_path), "how are deploys rolled back?")
    assert done.exit_code == 0
    assert done.stdout == "Re-pin the last **green image** [1].\n\n[1] runbooks/rollback.md:L12-L18\n"
    assert "hybrid_search" in done.stderr
    assert engine.asked == ["how are deploys rolled back?"]
    assert engine.made["kb"] == tmp_path
    assert engine.made["record"] is True


def test_json_is_the_events_line_by_line_and_nothing_else(
    engine: type[ScriptedEngine], invoke: Invoke, tmp_path: Path
) -> None:
    done = invoke("ask", "--json", "--kb", str(tmp_path), "q")
    assert done.stdout == "".join(encode(event) + "\n" for event in engine.script)
    assert done.stderr == ""


def test_options_reach_the_engine(engine: type[ScriptedEngine], invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "a.db").touch()
    data = str(tmp_path / "a.db")
    done = invoke(
        "--data", data, "ask", "--no-session", "--model", "x:y", "--timeout", "600.5", "--kb", str(tmp_path), "q"
    )
    assert done.exit_code == 0, done.stderr
    settings = engine.made["settings"]
    assert settings.model.name == "x:y"
    assert 0 < engine.made["deadline_s"] <= 600.5, "opening the data counts"
    assert engine.made["record"] is False
    assert engine.made["sources"] == (f"a={data}",)


def test_a_data_source_that_is_not_there_is_said_before_anything_runs(
    engine: type[ScriptedEngine], invoke: Invoke
) -> None:
    done = invoke("ask", "--data", "nowhere.db", "q")
    assert done.exit_code == 2
    assert "There is no data source nowhere.db" in done.stderr


def test_a_dash_reads_the_question_from_stdin(engine: type[ScriptedEngine], invoke: Invoke) -> None:
    invoke("ask", "-", input="  谁发布？\n")
    assert engine.asked == ["谁发布？"]


def test_what_is_piped_in_is_the_question_where_none_is_given(
    engine: type[ScriptedEngine], invoke: Invoke, tmp_path: Path
) -> None:
    done = invoke("ask", "--kb", str(tmp_path), input="  谁发布？\n")
    assert done.exit_code == 0, done.stderr
    assert engine.asked == ["谁发布？"]


def test_an_empty_pipe_is_a_usage_error(engine: type[ScriptedEngine], invoke: Invoke) -> None:
    done = invoke("ask", input="")
    assert done.exit_code == 2
    assert "The question is empty." in done.stderr


def test_a_terminal_without_a_question_is_told_how_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    with pytest.raises(UsageError) as caught:
        read_question(None)
    assert caught.value.exit_code == 2
    assert "kbtui ask" in caught.value.hint


@pytest.mark.parametrize("seconds", ["inf", "nan", "-nan", "-1", "0", "1e308", "86401", "soon"])
def test_a_time_limit_is_a_finite_number_of_seconds(seconds: str, engine: type[ScriptedEngine], invoke: Invoke) -> None:
    done = invoke("ask", "--timeout", seconds, "q")
    assert done.exit_code == 2
    assert "--timeout" in done.stderr


@pytest.mark.parametrize(("question", "stdin"), [("", ""), ("   ", ""), ("-", " \n")])
def test_an_empty_question_is_a_usage_error(question: str, stdin: str, invoke: Invoke) -> None:
    done = invoke("ask", question, input=stdin)
    assert done.exit_code == 2
    assert "The question is empty." in done.stderr


@pytest.mark.parametrize("timeout", ["0", "-1", "soon"])
def test_a_timeout_that_makes_no_sense_is_a_usage_error(timeout: str, invoke: Invoke) -> None:
    assert invoke("ask", "q", "--timeout", timeout).exit_code == 2


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ((AnswerCompleted(markdown="x", outcome="answered"), RunCompleted()), 0),
        ((AnswerCompleted(markdown="x", outcome="partial"), RunCompleted()), 0),
        ((AnswerCompleted(markdown="x", outcome="declined"), RunCompleted()), 0),
        ((AnswerCompleted(markdown="x", outcome="not_found"), RunCompleted()), 3),
        ((RunCompleted(),), 1),
        ((RunFailed(error="IndexCorrupt", message="m", hint="h"),), 1),
        ((RunFailed(error="UsageError", message="m"),), 2),
        ((RunFailed(error="TimedOut", message="m"),), 124),
        ((RunFailed(error="Cancelled", message="m"),), 130),
        ((RunFailed(error="SomethingOfAPlugin", message="m"),), 1),
        ((RunFailed(error="annotations", message="m"),), 1),
    ],
)
def test_exit_codes_are_the_contracts(facts: tuple[Event, ...], code: int) -> None:
    assert exit_code(reduce_all(run_of(*facts))) == code


def test_a_failed_run_says_message_and_hint(engine: type[ScriptedEngine], invoke: Invoke) -> None:
    engine.script = run_of(RunFailed(error="IndexCorrupt", message="It broke.", hint="Mend it."))
    done = invoke("ask", "q")
    assert done.exit_code == 1
    assert done.stdout == ""
    assert done.stderr.endswith("kbtui: It broke.\nhint: Mend it.\n")


def test_suggestions_are_printed_once_where_nothing_was_found_and_nowhere_else(
    engine: type[ScriptedEngine], invoke: Invoke
) -> None:
    suggested = ("find files about lockers", "list all files")
    answer = AnswerCompleted(markdown="Nothing here.", outcome="not_found", suggestions=suggested)
    engine.script = run_of(answer, RunCompleted())
    assert invoke("ask", "q").stdout == (
        "Nothing here.\n\nYou could try:\n\n- find files about lockers\n- list all files\n"
    )
    engine.script = run_of(AnswerCompleted(markdown="Ten.", outcome="answered", suggestions=suggested), RunCompleted())
    assert invoke("ask", "q").stdout == "Ten.\n"


def test_warnings_are_kept_and_progress_is_said_once_a_stage(engine: type[ScriptedEngine], invoke: Invoke) -> None:
    engine.script = run_of(
        Progress(stage="embed", done=1, total=9),
        Progress(stage="embed", done=2, total=9),
        Warned(message="the model\x1b[2J is weak"),
        AnswerCompleted(markdown="x", outcome="answered"),
        RunCompleted(),
    )
    lines = invoke("ask", "q").stderr.split("\n")
    assert lines.count("embedding …") == 1
    assert "kbtui: warning: the model is weak" in lines


def test_what_a_document_says_cannot_steer_the_terminal(engine: type[ScriptedEngine], invoke: Invoke) -> None:
    evil = "a\x1b]0;owned\x07b\x1b[2Jc\x9b31md [red]e[/red]"
    engine.script = run_of(
        AnswerCompleted(
            markdown=evil, outcome="answered", citations=(Citation(n=1, path="x\x1b[31m.md", start_line=1),)
        ),
        RunCompleted(),
    )
    done = invoke("ask", "q")
    assert done.stdout == "abcd [red]e[/red]\n"
    as_json = invoke("ask", "--json", "q").stdout.split("\n")[1]
    assert json.loads(as_json)["markdown"] == evil


class WaitingEngine:
    """Runs until it is cancelled."""

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def start(self, query: str, put: Callable[[Event | None], None]) -> str:
        started, cancelled = stamp([RunStarted(query=query), RunFailed(error="Cancelled", message=Cancelled().message)])

        def run() -> None:
            put(started)
            # As a user's ctrl-c would: the signal of this process, while the run is going on.
            os.kill(os.getpid(), signal.SIGINT)
            self.stopped.wait(30)
            put(cancelled)

        threading.Thread(target=run, daemon=True).start()
        return "r1"

    def cancel(self, run_id: str) -> None:
        assert run_id == "r1"
        self.stopped.set()


def test_ctrl_c_cancels_the_run_and_exits_130() -> None:
    seen: list[str] = []
    view = follow(WaitingEngine(), "q", lambda event, _: seen.append(event.kind))
    assert seen == ["run_started", "run_failed"]
    assert view.phase == "cancelled"
    assert exit_code(view) == 130


def test_no_color_and_a_pipe_write_no_escape_sequence(program: Program, tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    for args in (("config", "show"), ("--no-color", "config", "show"), ("doctor", "--no-color")):
        done = program(*args, TERM="xterm-256color", FORCE_COLOR="")
        assert "\x1b" not in done.stdout + done.stderr


def test_a_source_that_changed_since_it_was_indexed_is_said_in_a_pipe_too(
    engine: type[ScriptedEngine], invoke: Invoke
) -> None:
    gone = Citation(n=2, path="b\x1b[31m.md", start_line=3, end_line=4, stale=True)
    kept = Citation(n=1, path="a.md", start_line=1, end_line=1)
    engine.script = run_of(
        AnswerCompleted(markdown="A [1] B [2]", outcome="answered", citations=(kept, gone)), RunCompleted()
    )
    done = invoke("ask", "q?")
    assert "kbtui: warning: [2] b.md:3-4 changed since it was indexed\n" in done.stderr
    assert "[1]" not in done.stderr


MODEL_CALLS = (
    Progress(stage="llm", total=1, message="write: openai:gpt-5-mini"),
    Progress(stage="llm", done=1, total=1, message="write: openai:gpt-5-mini"),
)
UNBACKED = AnswerCompleted(
    markdown="Deploys are pinned [1]. Pagers are silenced. [?]\n\n[1] a.md:L1",
    outcome="partial",
    citations=(Citation(n=1, path="a.md", start_line=1, end_line=1, quote="pin"),),
    unsupported=("Pagers are silenced.",),
)
USED = RunCompleted(duration_ms=2810, llm_calls=3, tokens_in=2140, tokens_out=240, cost_usd=0.0012)


def test_the_narration_says_what_the_model_is_asked_for_and_what_it_took(
    engine: type[ScriptedEngine], invoke: Invoke, tmp_path: Path
) -> None:
    engine.script = run_of(*MODEL_CALLS, UNBACKED, USED)
    done = invoke("ask", "--kb", str(tmp_path), "q")
    lines = done.stderr.strip().split("\n")
    assert lines.count("asking openai:gpt-5-mini to write the answer") == 1
    assert lines[-1] == "done in 2.81 s · 3 calls · 2.1k in 240 out · $0.0012"


def test_marks_of_sentences_without_support_stay_and_are_explained(
    engine: type[ScriptedEngine], invoke: Invoke, tmp_path: Path
) -> None:
    engine.script = run_of(UNBACKED, USED)
    done = invoke("ask", "--kb", str(tmp_path), "q")
    assert "Pagers are silenced. [?]" in done.stdout
    assert done.stdout.rstrip("\n").split("\n")[-1] == "[?] marks a sentence that no source supports."


def test_debugging_is_a_setting_of_the_run_and_says_where_the_log_is(
    engine: type[ScriptedEngine], invoke: Invoke, tmp_path: Path
) -> None:
    done = invoke("ask", "--kb", str(tmp_path), "q")
    assert engine.made["settings"].agent.debug is False
    assert "audit.jsonl" not in done.stderr
    for arguments in (("ask", "--debug"), ("--debug", "ask")):
        done = invoke(*arguments, "--kb", str(tmp_path), "q")
        assert engine.made["settings"].agent.debug is True
        assert done.stderr.rstrip("\n").endswith("audit.jsonl")


def test_debugging_means_nothing_to_other_commands(invoke: Invoke) -> None:
    assert invoke("--debug", "config").exit_code == 2


def test_a_session_is_continued_by_its_name_and_recorded_there(program: Program, tmp_path: Path) -> None:
    tickets = Path(demo.__file__).parent / "handbook" / "tickets"
    copied = shutil.copytree(tickets, tmp_path / "tickets")
    program("ask", "--kb", str(copied), "which tickets are open?")
    follow_up = program("ask", "--kb", str(copied), "--continue", "last", "--json", "who is assigned to each of them?")
    listed = json.loads(program("sessions", "list", "--json").stdout)
    events = [json.loads(line) for line in follow_up.stdout.splitlines()]
    answer = next(event["markdown"] for event in events if event["kind"] == "answer_completed")
    assert (events[0]["session_id"], listed["runs"]) == (listed["session_id"], 2)
    assert "Shen Yutong** — HL-151" in answer
    assert "HL-118" not in answer


def test_a_session_that_is_not_saved_cannot_be_continued(program: Program, kb: Path, tmp_path: Path) -> None:
    (tmp_path / "away.jsonl").write_text("")
    for name, message in (("none-such", "There is no session none-such"), (str(tmp_path / "away.jsonl"), "is not one")):
        run = program("ask", "--kb", str(kb), "--continue", name, "who has them?")
        assert run.returncode in (1, 2)
        assert message in run.stderr
        assert "hint: " in run.stderr


def test_a_text_is_handed_in_by_pipe_or_by_name(program: Program, kb: Path, tmp_path: Path) -> None:
    log = "ERROR deploy failed: error rate above two percent, image green-412 is not pinned\n"
    piped = program("ask", "--kb", str(kb), "-f", "-", "what do we do about this?", stdin=log)
    (tmp_path / "deploy.log").write_text(log)
    named = program("ask", "--kb", str(kb), "--file", "deploy.log", "what do we do about this?")
    assert piped.returncode == named.returncode == 0
    assert "runbooks/rollback.md:L" in piped.stdout
    assert piped.stdout == named.stdout


def test_a_text_that_cannot_be_taken_says_why(program: Program, kb: Path, tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    for name, stdin, expected in (
        ("-", "  \n", "Standard input is empty."),
        ("picture.png", "", "picture.png is no text."),
        ("nowhere.log", "", "nowhere.log cannot be read: No such file or directory."),
        (str(kb), "", "cannot be read: Is a directory."),
    ):
        done = program("ask", "--kb", str(kb), "-f", name, "what is this?", stdin=stdin)
        assert (done.returncode, done.stdout) == (2, "")
        assert expected in done.stderr
    both = program("ask", "--kb", str(kb), "-f", "-", stdin="text")
    assert both.returncode == 2
    assert "The question cannot come from standard input when the text does." in both.stderr
