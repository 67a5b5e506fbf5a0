"""``kbtui --linear``: the conversation as plain lines, typed or piped in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kbtui.settings import paths
from tests.cli.conftest import Invoke
from tests.support import documents as made

ROLL_BACK = "How do I roll back a deploy?"


def said(invoke: Invoke, kb: Path, *lines: str, code: int = 0) -> tuple[str, str]:
    """Standard output and error of a conversation of these lines."""
    done = invoke("--linear", str(kb), input="".join(f"{line}\n" for line in lines))
    assert done.exit_code == code, done.output
    return done.stdout, done.stderr


def test_each_line_is_a_question_and_its_answer_names_sources_with_their_quotes(invoke: Invoke, kb: Path) -> None:
    out, told = said(invoke, kb, ROLL_BACK, "值班什么时候交接？")
    first, second = out.split("> 值班什么时候交接？")
    assert first.startswith(f"> {ROLL_BACK}\n")
    assert "[1] runbooks/rollback.md:" in first
    assert "1. Announce it in the channel." in first.split("[1] runbooks/rollback.md", 1)[1]
    assert "值班每周三上午十点交接。" in second.split("[1]")[0]
    assert "hybrid_search" in told
    assert "\x1b" not in out + told


def test_a_follow_up_means_the_question_before_it(invoke: Invoke, kb: Path) -> None:
    _, told = said(invoke, kb, ROLL_BACK, "and who announces it?", code=0)
    assert "asked as:" in told


def test_a_figure_reads_out_the_source_with_the_lines_around_it(invoke: Invoke, kb: Path) -> None:
    out, _ = said(invoke, kb, "值班什么时候交接？", "1")
    assert "[1] 中文/值班.md:3\n1: # 值班说明\n2: \ncited 3: 值班每周三上午十点交接。" in out


def test_a_line_that_ends_in_a_backslash_goes_on_in_the_next(invoke: Invoke, kb: Path) -> None:
    out, _ = said(invoke, kb, "How do I \\", "roll back a deploy?")
    assert out.count("> ") == 1
    assert "[1] runbooks/rollback.md:" in out


def test_help_names_every_command(invoke: Invoke, kb: Path) -> None:
    out, _ = said(invoke, kb, "/help")
    for name in ("again", "copy", "export", "help", "new", "open", "quit", "reading", "resume", "sessions", "source"):
        assert f"/{name}: " in out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("/bogus", "There is no command /bogus."),
        ("/open 1", "Nothing has been asked yet."),
        ("/resume 7", "There is no session 7."),
        ("/export md", "Nothing is recorded yet."),
    ],
)
def test_a_command_that_makes_no_sense_is_said_and_the_conversation_goes_on(
    invoke: Invoke, kb: Path, line: str, message: str
) -> None:
    out, told = said(invoke, kb, line, "/new")
    assert message in told
    assert "A new conversation." in out


def test_quit_ends_it_before_the_lines_behind(invoke: Invoke, kb: Path) -> None:
    assert said(invoke, kb, "/quit", ROLL_BACK) == ("", "")


def test_a_session_can_be_gone_on_with(invoke: Invoke, kb: Path) -> None:
    said(invoke, kb, "值班什么时候交接？")
    out, _ = said(invoke, kb, "/resume 1", "/again")
    assert out.count("> 值班什么时候交接？") == 2
    assert out.count("[1] 中文/值班.md:3: 值班每周三上午十点交接。") == 2


def test_the_source_is_opened_in_the_editor_at_its_line(
    invoke: Invoke, kb: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted = tmp_path / "noted"
    script = tmp_path / "edit.sh"
    script.write_text(f'#!/bin/sh\necho "$@" > {noted}\n')
    script.chmod(0o755)
    monkeypatch.setenv("KBTUI_EDITOR", f"terminal:{script} +{{line}} {{path}}")
    said(invoke, kb, "值班什么时候交接？", "/open 1")
    assert noted.read_text() == f"+3 {kb / '中文/值班.md'}\n"


def test_the_text_of_a_document_is_opened_in_the_editor_and_a_pdf_in_a_viewer_at_its_page(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared_model: None
) -> None:
    noted = tmp_path / "noted"
    for name in ("edit.sh", "view.sh"):
        (tmp_path / name).write_text(f'#!/bin/sh\necho {name} "$@" >> {noted}\n')
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("KBTUI_EDITOR", f"terminal:{tmp_path}/edit.sh +{{line}} {{path}}")
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "guide.docx").write_bytes(made.docx())
    (folder / "ice.pdf").write_bytes(made.pdf([[], made.column(72, 700, ["Sea ice at Jan Mayen thinned by a third."])]))
    question = "How long does a rollback of the billing service take?"
    said(invoke, folder, question, "/open 1")
    name, line, written = noted.read_text().split()
    assert (name, line) == ("edit.sh", "+5")
    assert Path(written).read_text().split("\n")[4] == "A rollback of the billing service takes eleven minutes."
    assert not Path(written).is_relative_to(folder)
    noted.unlink()
    monkeypatch.setenv("KBTUI_EDITOR__VIEWER", f"{tmp_path}/view.sh {{page}} {{path}}")
    said(invoke, folder, "What thinned by a third at Jan Mayen?", "/open 1")
    assert noted.read_text() == f"view.sh 2 {folder / 'ice.pdf'}\n"


def test_where_there_is_no_clipboard_the_answer_is_kept_in_a_file_that_is_named(invoke: Invoke, kb: Path) -> None:
    out, _ = said(invoke, kb, "值班什么时候交接？", "/copy")
    file = Path(out.rsplit("The answer is in ", 1)[1].strip())
    assert "值班每周三上午十点交接" in file.read_text(encoding="utf-8")


def test_the_session_is_written_where_one_is(
    invoke: Invoke, kb: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out, _ = said(invoke, kb, "值班什么时候交接？", "/export jsonl")
    (file,) = tmp_path.glob("*.jsonl")
    assert str(file) in out
    assert json.loads(file.read_text(encoding="utf-8").split("\n")[0])["kind"] == "run_started"


def test_text_of_a_document_cannot_steer_the_terminal(invoke: Invoke, kb: Path) -> None:
    (kb / "hostile.md").write_text("# Wombats\n\nThe wombat password is \x1b[31mred\x1b]0;owned\x07.\n")
    out, told = said(invoke, kb, "what is the wombat password?", "1")
    assert "The wombat password is red" in out
    assert "\x1b" not in out + told
    assert "owned" not in out


def test_the_code_is_that_of_the_last_question(invoke: Invoke, kb: Path) -> None:
    said(invoke, kb, ROLL_BACK, "What is the airspeed of a swallow?", code=3)


def test_linear_means_nothing_to_a_command(invoke: Invoke) -> None:
    done = invoke("--linear", "doctor")
    assert done.exit_code == 2
    assert "--linear means nothing to kbtui doctor" in done.output


def test_nothing_is_left_of_a_conversation_without_a_question(invoke: Invoke, kb: Path) -> None:
    said(invoke, kb, "/sessions")
    assert not list((paths.data_dir() / "sessions").glob("*.jsonl"))
