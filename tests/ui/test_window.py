"""What is shown outside of the screen: title, progress, a message when something long ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.domain.events import Progress
from kbtui.settings.model import Settings, UiSettings
from kbtui.ui.window import Activity, Terminal, Window, activities, terminal_of
from kbtui.ui.workspace import FolderStatus
from tests.ui.driving import ask, make_app


class Desk:
    """A terminal that keeps what is written to it, and a clock that is set by hand."""

    def __init__(self, terminal: Terminal, *, after_s: float = 10.0, decorated: bool = True) -> None:
        self.written: list[str] = []
        self.focused = False
        self.now = 0.0
        self.window = Window(
            self.written.append,
            lambda: self.focused,
            after_s=after_s,
            decorated=decorated,
            terminal=terminal,
            clock=lambda: self.now,
        )

    def after(self, seconds: float, *doing: Activity) -> list[str]:
        """What is written when this is what is done, so many seconds later."""
        self.now += seconds
        self.written.clear()
        self.window.show("kbtui · handbook", doing)
        return list(self.written)


FULL = Terminal(progress=True, notify="777")
QUESTION = Activity(what="Answered: why?")


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, Terminal()),
        ({"TERM": "xterm-256color"}, Terminal()),
        ({"TERM": "linux"}, Terminal(title=False, pictures="cells")),
        ({"TERM": "tmux-256color", "TERM_PROGRAM": "WezTerm"}, Terminal(pictures="cells")),
        ({"WT_SESSION": "x"}, Terminal(progress=True)),
        ({"TERM_PROGRAM": "ghostty"}, Terminal(progress=True, notify="777", pictures="kitty")),
        ({"TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.6.9"}, Terminal(progress=True, notify="9")),
        ({"TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.5.14"}, Terminal(notify="9")),
        ({"KITTY_WINDOW_ID": "1", "TERM": "xterm-kitty"}, Terminal(notify="99", pictures="kitty")),
        ({"TERM": "xterm-kitty"}, Terminal(pictures="kitty")),
        ({"VTE_VERSION": "8000"}, Terminal(progress=True)),
        ({"VTE_VERSION": "7600"}, Terminal()),
    ],
)
def test_a_terminal_is_sent_what_it_is_known_to_understand(environ: dict[str, str], expected: Terminal) -> None:
    assert terminal_of(environ) == expected


def test_progress_is_shown_while_something_is_done_and_taken_away_after_it() -> None:
    desk = Desk(FULL)
    assert "]9;4" not in "".join(desk.after(0))
    assert desk.after(1, QUESTION)[0].endswith("\x1b]9;4;3\x1b\\")
    assert desk.after(1, Activity(what="index", share=0.254))[0].endswith("\x1b]9;4;1;25\x1b\\")
    assert desk.after(0, Activity(what="index", share=0.251)) == []
    assert desk.after(1)[0].endswith("\x1b]9;4;0\x1b\\")
    assert desk.after(1) == []


def test_a_long_thing_that_ends_while_nobody_looks_is_told() -> None:
    desk = Desk(FULL)
    desk.after(0, QUESTION)
    assert desk.after(11)[-1] == "\x1b]777;notify;kbtui;Answered: why?\x1b\\"


@pytest.mark.parametrize(("seconds", "focused", "after_s"), [(9, False, 10), (11, True, 10), (11, False, 0)])
def test_nothing_is_told_of_what_was_short_or_watched_or_where_that_is_turned_off(
    seconds: float, focused: bool, after_s: float
) -> None:
    desk = Desk(FULL, after_s=after_s)
    desk.focused = focused
    desk.after(0, QUESTION)
    assert not any("notify" in text for text in desk.after(seconds))


@pytest.mark.parametrize(
    ("notify", "sent"),
    [
        ("9", "\x1b]9;kbtui: Answered: a, b?\x1b\\"),
        ("777", "\x1b]777;notify;kbtui;Answered: a, b?\x1b\\"),
        ("99", "\x1b]99;;kbtui: Answered: a, b?\x1b\\"),
        ("bell", "\a"),
    ],
)
def test_a_message_is_one_sequence_whatever_was_asked(notify: str, sent: str) -> None:
    desk = Desk(Terminal(notify=notify))  # type: ignore[arg-type]
    desk.after(0, Activity(what="Answered: a;\x1b]0;owned\x07 b?"))
    assert desk.after(20)[-1] == sent


def test_a_title_holds_no_escape_sequence_of_a_question() -> None:
    desk = Desk(Terminal())
    desk.window.show("kbtui · x — \x1b]0;owned\x07why\n?", ())
    assert desk.written == ["\x1b]2;kbtui · x — why ?\x1b\\"]


def test_a_window_that_is_left_alone_gets_no_title_but_a_message() -> None:
    desk = Desk(FULL, decorated=False)
    assert desk.after(0, QUESTION) == []
    assert desk.window.begin() == desk.window.end() == ""
    assert len(desk.after(20)) == 1


def test_leaving_takes_progress_away_and_gives_the_title_back() -> None:
    desk = Desk(FULL)
    desk.after(0, QUESTION)
    assert desk.window.begin() == "\x1b[22;2t\x1b]2;kbtui · handbook\x1b\\\x1b]9;4;3\x1b\\"
    assert desk.window.end() == "\x1b]9;4;0\x1b\\\x1b]2;\x1b\\\x1b[23;2t"


def test_indexing_counts_as_doing_something_with_the_share_that_is_known() -> None:
    folder = FolderStatus(kb=Path("/kb/notes"), phase="indexing", progress=Progress(stage="read", done=3, total=12))
    assert activities(folder, "why?") == (QUESTION, Activity(what="notes is indexed", share=0.25))
    assert activities(FolderStatus(kb=Path("/kb/notes"), phase="ready"), "") == ()


async def test_the_title_names_the_folder_and_the_question_that_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(settings=Settings(ui=UiSettings(notify_after_s=0)))
    titles: list[str] = []
    monkeypatch.setattr(app.window, "show", lambda title, doing: titles.append(f"{title} {len(doing)}"))
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot, "Why?")
        await pilot.press("ctrl+l")
        await pilot.pause()
    assert "kbtui · handbook — Why? 1" in titles
    assert titles[-1] == "kbtui · handbook 0"


def test_a_window_that_is_no_longer_decorated_gets_its_own_title_back_and_later_ours_again() -> None:
    desk = Desk(FULL)
    desk.window.show_folder(FolderStatus(kb=Path("/kb/handbook"), phase="indexing"))
    desk.written.clear()
    desk.window.adjust(after_s=10.0, decorated=False)
    assert "".join(desk.written) == "\x1b]9;4;0\x1b\\\x1b]2;\x1b\\\x1b[23;2t"
    desk.written.clear()
    desk.window.show_folder(FolderStatus(kb=Path("/kb/handbook")))
    desk.window.adjust(after_s=10.0, decorated=False)
    assert not "".join(desk.written)
    desk.window.adjust(after_s=10.0, decorated=True)
    assert "".join(desk.written).startswith("\x1b[22;2t\x1b]2;kbtui · handbook")


def test_how_long_something_takes_before_its_end_is_told_can_be_changed_meanwhile() -> None:
    desk = Desk(FULL, after_s=10.0)
    desk.after(0, QUESTION)
    desk.window.adjust(after_s=30.0, decorated=True)
    assert "why" not in "".join(desk.after(20))
    desk.after(0, QUESTION)
    assert "Answered: why?" in "".join(desk.after(31))
