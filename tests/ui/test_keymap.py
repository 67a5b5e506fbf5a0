"""The user's own keys: taken, shown wherever keys are shown, and refused with a reason where they cannot work."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
from textual.screen import ModalScreen

from benchmarks.keys_page import keys_markdown
from kbtui.settings.model import Settings
from kbtui.ui import screens
from kbtui.ui.commands import COMMANDS, INSIDE, Command
from kbtui.ui.commands.keymap import key_display, key_name, user_keymap
from kbtui.ui.screens.help import HelpScreen
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.prompt import Prompt
from tests.ui.driving import ask, ask_screen, make_app, shown, until

DOCS = Path(__file__).parents[2] / "docs" / "keys.md"


def test_the_page_of_keys_is_what_the_commands_declare() -> None:
    assert DOCS.read_text(encoding="utf-8") == keys_markdown(), "run: python -m benchmarks.keys_page > docs/keys.md"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_a_key_as_it_is_written_is_read_as_the_same_key(command: Command) -> None:
    assert tuple(key_name(key_display(key)) for key in command.keys) == command.keys


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        *[
            ("?", "question_mark"),
            ("+", "plus"),
            ("ctrl++", "ctrl+plus"),
            ("Ctrl+Y", "ctrl+y"),
            ("Y", "Y"),
            ("/", "slash"),
        ],
        *[("F5", "f5"), ("pgup", "pageup"), ("→", "right"), ("esc", "escape"), ("shift+alt+left", "alt+shift+left")],
        *[("blob", ""), ("", ""), ("hyper+", ""), ("banana+a", "")],
    ],
)
def test_a_key_is_read_as_people_write_it(typed: str, name: str) -> None:
    assert key_name(typed) == name


def test_every_scope_but_the_apps_stands_inside_another_or_is_a_dialogs() -> None:
    modules = [import_module(one.name) for one in iter_modules(screens.__path__, f"{screens.__name__}.")]
    classes = [one for module in modules for one in vars(module).values() if isinstance(one, type)]
    dialogs = {one.SCOPE for one in classes if issubclass(one, ModalScreen) and hasattr(one, "SCOPE")}
    scopes = {command.scope for command in COMMANDS}
    assert scopes - dialogs - set(INSIDE) == {"app"}
    assert set(INSIDE) | {around for outer in INSIDE.values() for around in outer} <= scopes


REFUSED = {
    "unknown": ({"copi": "Y"}, "there is no such command", "Did you mean copy?"),
    "figures": ({"source": "x"}, "figures", ""),
    "none": ({"copy": " , "}, "names no key; y stays", ""),
    "no_key": ({"copy": "Y, blob"}, "blob is no key; y stays", "ctrl+y"),
    "reserved": ({"sessions": "ctrl+m"}, "terminals send it as Enter; ctrl+o stays", "another"),
    "typed": ({"ask": "a"}, "typed into questions; enter stays", "chord"),
    "typed_before_the_prompt": ({"quit": "q"}, "typed into questions", "chord"),
    "editing": ({"export": "ctrl+e"}, "ctrl+e is used while a question is typed", ""),
    "taken": ({"copy": "e"}, "e does something else there (Open in the editor: edit); y stays", "edit"),
    "taken_outside": ({"edit": "F1"}, "F1 does something else there (Help: help)", "help"),
    "taken_inside": ({"sessions": "f7", "fold": "f7"}, "f7".upper(), ""),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_work_is_left_out_with_a_reason_and_the_default_stays(case: str) -> None:
    wanted, message, hint = REFUSED[case]
    keymap = user_keymap(wanted)
    name = next(iter(wanted))
    assert message in keymap.problems[0].message
    assert hint in keymap.problems[0].hint
    assert [one for one in keymap.commands if one.name == name] == [one for one in COMMANDS if one.name == name]


def test_two_commands_can_change_places() -> None:
    keymap = user_keymap({"rail": "p", "proof": "o"})
    assert keymap.problems == ()
    assert keymap.bindings == {"panes.rail": "p", "panes.proof": "o"}


def test_a_command_in_another_place_may_have_the_same_key() -> None:
    assert user_keymap({"session_mark": "e"}).problems == ()


def settings(**keys: str) -> Settings:
    return Settings(keys=keys)


async def test_the_users_key_works_and_the_declared_one_no_longer_does() -> None:
    app = make_app(settings=settings(copy="C,f6"))
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "y")
        assert app.clipboard == ""
        await pilot.press("f6")
        await until(pilot, lambda: "How rollback works" in app.clipboard)


async def test_a_command_without_a_key_can_be_given_one() -> None:
    app = make_app(settings=settings(data="f9"))
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: ask_screen(app).query(Prompt))
        await pilot.press("f9")
        await until(pilot, lambda: ask_screen(app).conversation.runs[0].query == "Which tables are there?")


async def test_footer_help_and_palette_show_the_users_key() -> None:
    app = make_app(settings=settings(copy="C", sessions="f9"))
    async with app.run_test(size=(220, 60)) as pilot:
        await ask(pilot)
        await pilot.press("escape")
        await pilot.pause()
        footer = app.screen.query_one("#hints", KeyHints).render().plain
        assert "C copy" in footer
        assert "F9 sessions" in footer
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        assert any(
            line.split()[:3] == ["│", "C", "Copy"] or "C          Copy the answer" in line
            for line in shown(app).split("\n")
        )
        await pilot.press("escape", "ctrl+p")
        await pilot.pause()
        await pilot.press(*"sessions")
        await until(pilot, lambda: "Sessions   F9" in shown(app))


async def test_what_was_left_out_is_said_when_kbtui_starts() -> None:
    app = make_app(settings=settings(copy="e"))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "keys.copy" in shown(app))
        assert "y stays" in " ".join(shown(app).split())
