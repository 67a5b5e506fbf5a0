from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from kbtui.editors.launch import EditorCommand, open_detached, resolve, run_in_terminal
from kbtui.errors import EditorError
from kbtui.settings.model import EditorSettings


def everything(program: str) -> str | None:
    """A machine that has every program, but none whose name holds flags."""
    return None if " -" in program or "'" in program or "{" in program else f"/usr/bin/{program}"


def only(*programs: str):  # type: ignore[no-untyped-def]
    return lambda program: f"/usr/bin/{program}" if program in programs else None


def chosen(command: str = "", **environ: str) -> EditorCommand:
    return resolve(EditorSettings(command=command), environ, which=everything)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "note.md"
    path.write_text("one\ntwo\n")
    return path


def test_settings_win_over_kbtui_editor_over_visual_over_editor() -> None:
    environ = {"KBTUI_EDITOR": "nano", "VISUAL": "nvim", "EDITOR": "vi"}
    seen = [chosen("micro", **environ)]
    for name in ("KBTUI_EDITOR", "VISUAL", "EDITOR"):
        seen.append(chosen(**environ))
        del environ[name]
    assert [(one.name, one.source) for one in seen] == [
        ("micro", "editor.command"),
        ("nano", "KBTUI_EDITOR"),
        ("nvim", "VISUAL"),
        ("vi", "EDITOR"),
    ]


def test_a_blank_value_is_no_choice() -> None:
    assert chosen("  ", VISUAL="", EDITOR="nano").name == "nano"


@pytest.mark.parametrize(
    ("value", "terminal", "argv"),
    [
        ("code -w", False, ["code", "-w", "--goto", "FILE:7"]),
        ("code -g", False, ["code", "-g", "FILE:7"]),
        ("vim -u NONE", True, ["vim", "-u", "NONE", "+7", "FILE"]),
        ("vim -g", False, ["vim", "-g", "+7", "FILE"]),
        ("gvim -v", True, ["gvim", "-v", "+7", "FILE"]),
        ("/usr/bin/nvim", True, ["/usr/bin/nvim", "+7", "FILE"]),
        ("'/opt/My Editors/subl' -n", False, ["/opt/My Editors/subl", "-n", "FILE:7"]),
        ("emacsclient -nw", True, ["emacsclient", "-nw", "+7", "FILE"]),
        ("emacsclient -c -a ''", False, ["emacsclient", "-c", "-a", "", "+7", "FILE"]),
        ("emacs -nw", True, ["emacs", "-nw", "+7", "FILE"]),
        ("idea.sh", False, ["idea.sh", "--line", "7", "FILE"]),
        ("unheard-of --flag", True, ["unheard-of", "--flag", "FILE"]),
        ("gui:unheard-of", False, ["unheard-of", "FILE"]),
        ("terminal: emacsclient", True, ["emacsclient", "+7", "FILE"]),
        ("kitty -e nvim +{line} {path}", True, ["kitty", "-e", "nvim", "+7", "FILE"]),
        ("gui:foot -e hx {path}:{line}", False, ["foot", "-e", "hx", "FILE:7"]),
        ("code --reuse-window --goto {path}:{line}:1", False, ["code", "--reuse-window", "--goto", "FILE:7:1"]),
        ("view-it {path}", True, ["view-it", "FILE"]),
    ],
)
def test_values_may_have_flags_paths_and_templates(value: str, terminal: bool, argv: list[str], file: Path) -> None:
    command = chosen(value, DISPLAY=":0")
    assert command.argv(file, 7) == [arg.replace("FILE", str(file)) for arg in argv]
    assert command.terminal == terminal


def test_a_path_with_spaces_needs_no_quotes(tmp_path: Path, file: Path) -> None:
    editor = tmp_path / "My Editor" / "nvim"
    editor.parent.mkdir()
    editor.write_text("#!/bin/sh\n")
    editor.chmod(0o755)
    assert resolve(EditorSettings(command=str(editor)), {}).argv(file, 2) == [str(editor), "+2", str(file)]


def test_emacs_draws_in_the_terminal_when_there_is_no_display() -> None:
    if sys.platform != "darwin":
        assert chosen("emacs").terminal
    assert not chosen("emacs", WAYLAND_DISPLAY="wayland-0").terminal


def test_without_a_choice_what_is_installed_is_used() -> None:
    settings = EditorSettings()
    assert resolve(settings, {}, which=only("nano", "vim")).name == "nano"
    assert resolve(settings, {}, which=only("nano", "micro")).name == "micro"
    assert resolve(settings, {"DISPLAY": ":0"}, which=only("code")).name == "code"


@pytest.mark.skipif(sys.platform == "darwin", reason="a Mac always has a display")
def test_a_window_is_not_tried_where_there_is_no_display() -> None:
    with pytest.raises(EditorError):
        resolve(EditorSettings(), {}, which=only("code"))


def test_no_editor_at_all_says_how_to_set_one() -> None:
    with pytest.raises(EditorError) as caught:
        resolve(EditorSettings(), {}, which=only())
    assert "EDITOR" in caught.value.hint


def test_a_chosen_editor_that_is_not_there_is_named_with_who_chose_it() -> None:
    with pytest.raises(EditorError) as caught:
        resolve(EditorSettings(), {"VISUAL": "nvimm -R"}, which=only("vi"))
    assert "VISUAL" in caught.value.message
    assert "nvimm" in caught.value.message


@pytest.mark.parametrize("value", ["vim 'unclosed", "''", "gui:", "# nothing"])
def test_a_value_that_is_no_command_is_an_error_with_a_hint(value: str) -> None:
    with pytest.raises(EditorError) as caught:
        resolve(EditorSettings(command=value), {}, which=only("vim"))
    assert caught.value.hint


@pytest.mark.parametrize(
    "name", ["-rf.md", "two words.md", "line\nbreak.md", "[bold]x.md", "{line}.md", "$(id).md", "'quoted\".md"]
)
def test_no_file_name_is_taken_for_anything_else(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    for command in (chosen("vim"), chosen("code"), chosen("x {path} {line}")):
        argv = command.argv(Path(name), 3)
        assert sum(str(tmp_path / name) in arg for arg in argv) == 1
        assert not any(arg.startswith("-rf") for arg in argv)


def test_a_name_that_looks_like_a_place_opens_the_right_file(tmp_path: Path) -> None:
    path = tmp_path / "log:12"
    path.touch()
    assert chosen("code").argv(path, 3) == ["code", str(path)]
    assert chosen("subl -n").argv(path, 3) == ["subl", "-n", str(path)]
    assert chosen("vim").argv(path, 3) == ["vim", "+3", str(path)]


def test_a_line_before_the_first_is_the_first(file: Path) -> None:
    assert chosen("vim").argv(file, 0)[1] == "+1"


def test_a_file_that_went_away_and_a_folder_are_errors(tmp_path: Path) -> None:
    for path in (tmp_path / "gone.md", tmp_path, tmp_path / ("x" * 300)):
        with pytest.raises(EditorError) as caught:
            chosen("vim").argv(path, 1)
        assert caught.value.hint


def script(tmp_path: Path, body: str) -> str:
    path = tmp_path / "fake-editor"
    path.write_text(f"#!{sys.executable}\nimport os, sys, time\n{body}\n")
    path.chmod(0o755)
    return str(path)


def test_a_graphical_editor_is_started_in_a_session_of_its_own(tmp_path: Path) -> None:
    out = tmp_path / "out"
    editor = script(tmp_path, f"open({str(out)!r}, 'w').write(f'{{os.getsid(0)}} {{sys.argv[1]}}')")
    open_detached([editor, "x:3"], immediately_s=20)
    session, argument = out.read_text().split()
    assert int(session) != os.getsid(0)
    assert argument == "x:3"


def test_a_graphical_editor_that_stays_open_does_not_hold_the_screen(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    editor = script(tmp_path, f"sys.exit(0 if open({str(pipe)!r}).read() == 'close' else 1)")
    open_detached([editor], immediately_s=0.01)
    pipe.write_text("close")  # opens only because the editor is still there to read it


def test_a_graphical_editor_that_fails_at_once_says_so(tmp_path: Path) -> None:
    with pytest.raises(EditorError) as caught:
        open_detached([script(tmp_path, "sys.exit(3)")], immediately_s=20)
    assert "3" in caught.value.message
    assert "terminal:" in caught.value.hint


def test_a_program_that_cannot_be_started_is_an_error(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text("not a program")
    for start in (open_detached, run_in_terminal):
        for program in (str(tmp_path / "none"), str(broken), "nul\0"):
            with pytest.raises(EditorError):
                start([program])


def test_the_exit_code_of_a_terminal_editor_comes_back(tmp_path: Path) -> None:
    assert run_in_terminal([script(tmp_path, "sys.exit(int(sys.argv[1]))"), "4"]) == 4
