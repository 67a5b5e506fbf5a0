"""The app ends when it is told to, and in no other way without an error."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.containers import Vertical
from textual.content import Content
from textual.drivers import linux_driver
from textual.pilot import Pilot
from textual.widgets import Static

from kbtui.cli.failures import run_guarded
from kbtui.errors import KbtuiError
from kbtui.sessions.store import SessionStore
from kbtui.ui.app import KbtuiApp
from kbtui.ui.lifetime import ResilientApp
from kbtui.ui.run_view import RunPanes
from kbtui.ui.screens.choice import ChoiceScreen
from kbtui.ui.screens.sessions import SessionsScreen
from kbtui.ui.widgets.rows import Row, RowList
from tests.ui.apps import bare_app


class SlowToLeave(Static):
    """Takes a moment to be removed, so that a waiter can be cancelled meanwhile."""

    async def on_unmount(self) -> None:
        await asyncio.sleep(0.05)


async def cancel_a_waiter(pilot: Pilot[Any], remove: Any) -> None:
    """Cancel a worker in the middle of ``await remove()``."""

    async def wait() -> None:
        await remove()

    worker = pilot.app.run_worker(wait(), exclusive=True, group="removing", exit_on_error=False)
    await asyncio.sleep(0.01)
    worker.cancel()
    await asyncio.sleep(0.1)
    await pilot.pause()


@pytest.mark.parametrize("how", ["remove", "remove_children", "pop_screen"])
async def test_cancelling_whoever_awaits_a_removal_leaves_the_app_alive(how: str, tmp_path: Path) -> None:
    app = bare_app(tmp_path)
    async with app.run_test() as pilot:
        box = Vertical(SlowToLeave("a"), SlowToLeave("b"))
        if how == "pop_screen":
            await app.push_screen(SessionsScreen(SessionStore(tmp_path)))
        await app.screen.mount(box)
        await cancel_a_waiter(pilot, app.pop_screen if how == "pop_screen" else getattr(box, how))
        assert app.is_running
        assert not box.query(SlowToLeave)
        await pilot.press("f1")
        assert type(app.screen).__name__ == "HelpScreen"


def headless(app: ResilientApp, then: Any) -> ResilientApp:
    """Without a terminal; ``then`` is done to the app once it runs."""
    app.run = partial(app.run, headless=True, auto_pilot=then)  # type: ignore[method-assign]
    return app


def broken(app: KbtuiApp) -> None:
    raise ZeroDivisionError("division by zero")


async def leave(pilot: Pilot[Any]) -> None:
    pilot.app.exit()


async def close_the_message_queue(pilot: Pilot[Any]) -> None:
    await pilot.pause()
    pilot.app._close_messages_no_wait()


async def break_a_handler(pilot: Pilot[Any]) -> None:
    pilot.app.call_next(broken, pilot.app)


def test_the_app_that_the_user_leaves_ends_with_0(tmp_path: Path) -> None:
    assert headless(bare_app(tmp_path), leave).run_until_exit() == 0


def test_an_end_that_nobody_asked_for_is_an_error_with_a_hint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = headless(bare_app(tmp_path), close_the_message_queue)
    assert run_guarded(app.run_until_exit) == 1
    message, hint = capsys.readouterr().err.strip().split("\n")
    assert message == "kbtui: The screen stopped without being asked to."
    assert "/sessions" in hint
    with pytest.raises(KbtuiError):
        headless(bare_app(tmp_path), close_the_message_queue).run_until_exit()


def test_an_exception_in_a_handler_is_one_line_and_no_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = headless(bare_app(tmp_path), break_a_handler)
    assert run_guarded(app.run_until_exit) == 1
    captured = capsys.readouterr()
    assert "unexpected error (ZeroDivisionError)" in captured.err
    assert len(captured.err.strip().split("\n")) == 2
    assert "Traceback" not in captured.out + captured.err


async def test_a_widget_that_is_still_being_made_when_the_app_closes_is_no_failure(tmp_path: Path) -> None:
    app = bare_app(tmp_path)
    async with app.run_test() as pilot:
        await pilot.pause()
        app.screen.mount(RunPanes(app.workspace.read_source))
    assert app._exception is None


async def test_page_keys_before_a_list_is_laid_out_do_nothing(tmp_path: Path) -> None:
    app = bare_app(tmp_path)
    async with app.run_test() as pilot:
        rows = RowList()
        rows.display = False
        await app.screen.mount(rows)
        rows.show_rows([Row("b", lambda width: [Content("b")])])
        rows.action_page_down()
        rows.action_page_up()
        app.action_command_palette()
        for key in ("pagedown", "pageup", "down", "pagedown"):
            app.simulate_key(key)
        await pilot.pause()
        assert app.is_running
        assert app._exception is None


async def test_closing_a_screen_that_is_closed_already_does_nothing(tmp_path: Path) -> None:
    app = bare_app(tmp_path)
    async with app.run_test() as pilot:
        screen = SessionsScreen(SessionStore(tmp_path))
        await app.push_screen(screen)
        app.pop_screen()
        app.pop_screen()
        await pilot.pause()
        assert app.screen is app.ask_screen
        assert app._exception is None


async def test_a_dialog_that_is_closed_twice_gives_its_result_once_and_leaves_the_screen_below_open(
    tmp_path: Path,
) -> None:
    app, results = bare_app(tmp_path), []
    async with app.run_test() as pilot:
        await app.push_screen(SessionsScreen(SessionStore(tmp_path)))
        dialog = ChoiceScreen("Which?", "two clicks", {"a": "this one", "b": "that one"})
        await app.push_screen(dialog, results.append)
        dialog.dismiss("b")
        dialog.dismiss("a")
        await pilot.pause()
        assert results == ["b"]
        assert isinstance(app.screen, SessionsScreen)


async def test_a_dialog_below_another_screen_stays_and_closes_nothing(tmp_path: Path) -> None:
    app, results = bare_app(tmp_path), []
    async with app.run_test() as pilot:
        below, above = (ChoiceScreen(title, "one over the other", {"a": "this one"}) for title in ("Below", "Above"))
        await app.push_screen(below, results.append)
        await app.push_screen(above)
        below.dismiss("a")
        below.dismiss("a")
        await pilot.pause()
        assert app.screen is above
        assert results == []


def test_bytes_that_are_no_utf_8_are_replaced_and_do_not_end_the_input() -> None:
    decode = linux_driver.getincrementaldecoder("utf-8")().decode
    assert decode(b"a\xbbb\xe4") == "a\ufffdb"
    assert decode("ü".encode()) == "\ufffdü"
