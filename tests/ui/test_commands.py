"""Commands are declared once: everything that lists keys agrees with what the keys do."""

from __future__ import annotations

import inspect
import re

import pytest
from textual.binding import Binding

from kbtui.ui.app import KbtuiApp
from kbtui.ui.commands import COMMANDS, Command, bindings
from kbtui.ui.panes.evidence import EvidencePane
from kbtui.ui.panes.proof import ProofPane
from kbtui.ui.run_view import RunPanes
from kbtui.ui.screens.ask import AskScreen
from kbtui.ui.screens.audit import AuditScreen
from kbtui.ui.screens.compare import CompareScreen
from kbtui.ui.screens.doctor import DoctorScreen
from kbtui.ui.screens.help import HelpScreen, help_lines
from kbtui.ui.screens.setting import Field, SettingScreen
from kbtui.ui.screens.settings import SettingsScreen
from kbtui.ui.screens.why import WhyScreen
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.prompt import Prompt
from kbtui.ui.widgets.rows import RowList
from tests.ui.driving import ask, make_app, shown, until

OWNERS = {
    "app": KbtuiApp,
    "ask": AskScreen,
    "prompt": Prompt,
    "panes": RunPanes,
    "list": RowList,
    "preview": ProofPane,
    "evidence": EvidencePane,
    "why": WhyScreen,
    "audit": AuditScreen,
    "compare": CompareScreen,
    "settings": SettingsScreen,
    "setting": SettingScreen,
    "setting_text": Field,
    "doctor": DoctorScreen,
}
OURS = [command for command in COMMANDS if command.scope in OWNERS]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: f"{command.scope}.{command.name}")
def test_every_command_is_in_the_help_with_its_key(command: Command) -> None:
    text = "\n".join(line.plain for line in help_lines(200))
    assert any(line.startswith(command.shown) and command.title in line for line in text.split("\n"))


@pytest.mark.parametrize("command", OURS, ids=lambda command: f"{command.scope}.{command.name}")
def test_every_command_has_an_action_where_it_says(command: Command) -> None:
    match = re.fullmatch(r"(?:(app)\.)?(\w+)(?:\(.*\))?", command.action)
    assert match is not None
    owner = OWNERS[match[1] or command.scope]
    assert inspect.isfunction(getattr(owner, f"action_{match[2]}"))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: f"{command.scope}.{command.name}")
def test_every_command_has_a_name_or_a_key_that_needs_no_rare_modifier(command: Command) -> None:
    assert command.keys or (command.palette and command.shown == f"/{command.word}")
    assert not {"ctrl+i", "ctrl+m", "ctrl+h"} & set(command.keys)


def test_no_scope_binds_a_key_twice() -> None:
    for scope in {command.scope for command in COMMANDS}:
        keys = [key for b in bindings(scope) if isinstance(b, Binding) for key in b.key.split(",")]
        assert len(keys) == len(set(keys)), scope


async def test_the_help_begins_with_the_keys_of_the_part_in_focus() -> None:
    app = make_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await ask(pilot)

        async def first_line() -> str:
            await pilot.press("f1")
            await until(pilot, lambda: isinstance(app.screen, HelpScreen) and "esc back" in shown(app))
            rows = shown(app).split("\n")
            first = rows[next(at for at, row in enumerate(rows) if "─ Keys ─" in row) + 1]
            await pilot.press("escape")
            await until(pilot, lambda: not isinstance(app.screen, HelpScreen))
            return first

        assert "│ Asking " in await first_line()
        await pilot.press("escape")
        assert "│ Reading " in await first_line()


async def test_the_help_opens_by_key_and_closes_again() -> None:
    app = make_app()
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("f1")
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("escape")
        assert not isinstance(app.screen, HelpScreen)


async def test_the_footer_shows_what_works_where_the_focus_is() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        footer = app.screen.query_one("#hints", KeyHints)
        await ask(pilot)
        await pilot.pause()
        typing = footer.render().plain
        assert typing.startswith("enter ask")
        assert "1-9" not in typing
        assert "e editor" not in typing
        await pilot.press("escape")
        await pilot.pause()
        reading = footer.render().plain
        assert reading.startswith("j/k cite")
        assert "1-9 source" in reading
        assert reading.count("editor") == 1, "two keys to one thing are one hint"


async def test_the_footer_names_no_key_that_does_something_else_where_the_focus_is() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        app.screen.query_one("#evidence-rows", RowList).focus()
        footer = app.screen.query_one("#hints", KeyHints)
        await until(pilot, lambda: "enter show" in footer.render().plain)
        assert "enter open" not in footer.render().plain


async def test_the_footer_never_outgrows_its_line_and_keeps_help() -> None:
    app = make_app()
    async with app.run_test(size=(42, 20)) as pilot:
        await pilot.pause()
        footer = app.screen.query_one("#hints", KeyHints)
        text = footer.render()
        assert text.cell_length <= footer.content_size.width
        assert text.plain.endswith("F1 help")


async def test_a_key_in_the_footer_can_be_clicked() -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        row = shown(app).split("\n")[29]
        await pilot.click(offset=(row.index("F1"), 29))
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))


async def test_the_palette_runs_a_command_by_its_name() -> None:
    app = make_app()
    async with app.run_test(size=(100, 40)) as pilot:
        await ask(pilot)
        await pilot.press("ctrl+p")
        await pilot.pause()
        await pilot.press(*"copy the")
        await until(pilot, lambda: "Copy the answer" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: "How rollback works" in app.clipboard)
